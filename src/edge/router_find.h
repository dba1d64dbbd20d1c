/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_find.h - where headset and robot are, and which numbers are free
 *
 * Floor: edge.
 */
#ifndef EDGE_ROUTER_FIND_H
#define EDGE_ROUTER_FIND_H

#include "edge/router_netlink.h"

/**
 * router_find() - Find the interfaces and the topology of an arm
 * @netlink:	Line
 * @plan:	Plan with @arm set; filled
 * @err:	Told what does not fit, with the remedy
 *
 * Return: 0, or -1.
 */
int router_find(struct netlink *netlink, struct router_plan *plan,
		struct err *err);

/**
 * router_choose() - Choose mark, table and priority
 * @netlink:	Line
 * @plan:	Plan; filled
 * @err:	Told what collides
 *
 * Return: 0, or -1.
 */
int router_choose(struct netlink *netlink, struct router_plan *plan,
		  struct err *err);

#endif /* EDGE_ROUTER_FIND_H */
