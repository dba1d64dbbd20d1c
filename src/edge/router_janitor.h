/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_janitor.h - a process that clears up if the proxy dies
 *
 * Floor: edge.
 *
 * Rulesets go with their owner, routing rules do not: the janitor removes them
 * when the proxy ends without a farewell (kill -9, a crash).
 */
#ifndef EDGE_ROUTER_JANITOR_H
#define EDGE_ROUTER_JANITOR_H

#include <stdint.h>

#include "core/err.h"

struct janitor;

/**
 * janitor_start() - Start the janitor; before any thread is, and before there
 * is
 *	anything to clear up
 * @table:	Routing table that it clears up
 * @err:	Told why it cannot be
 *
 * Return: the janitor, or NULL.
 */
struct janitor *janitor_start(uint32_t table, struct err *err);

/**
 * janitor_end() - Take leave: all is cleared up
 * @janitor:	Janitor, or NULL; freed
 */
void janitor_end(struct janitor *janitor);

#endif /* EDGE_ROUTER_JANITOR_H */
