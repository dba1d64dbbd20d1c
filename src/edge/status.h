/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * status.h - how a run stands, as JSON
 *
 * Floor: edge.
 */
#ifndef EDGE_STATUS_H
#define EDGE_STATUS_H

#include <jansson.h>

#include "edge/errand.h"

/**
 * status_json() - How a run stands
 * @status:	Status
 *
 * farlink-control(5) lists the keys.
 *
 * Return: the object, the caller's.
 */
json_t *status_json(const struct status *status);

/**
 * status_pending_json() - What waits in channels, the first due first
 * @pending:	What waits; sorted
 * @arm:	Names the channels
 *
 * Return: the object, the caller's.
 */
json_t *status_pending_json(struct pending *pending, const struct arm *arm);

#endif /* EDGE_STATUS_H */
