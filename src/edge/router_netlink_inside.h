/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_netlink_inside.h - what the files that speak netlink share
 *
 * Floor: edge.
 */
#ifndef EDGE_ROUTER_NETLINK_INSIDE_H
#define EDGE_ROUTER_NETLINK_INSIDE_H

#include "edge/router_netlink.h"

struct nl_sock;
struct nl_addr;

struct netlink {
	struct nl_sock *sock;
};

/**
 * netlink_addr() - An address as libnl has them
 * @address:	Address; its port does not matter
 *
 * Return: the address, the caller's.
 */
struct nl_addr *netlink_addr(const union address *address);

#endif /* EDGE_ROUTER_NETLINK_INSIDE_H */
