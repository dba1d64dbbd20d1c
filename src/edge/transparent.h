/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * transparent.h - the transparent front: what a router diverts to us
 *
 * Floor: edge.
 */
#ifndef EDGE_TRANSPARENT_H
#define EDGE_TRANSPARENT_H

#include "edge/front.h"

extern const struct front_kind transparent_front;

#endif /* EDGE_TRANSPARENT_H */
