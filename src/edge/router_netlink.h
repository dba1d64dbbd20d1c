/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_netlink.h - links, neighbours, routes and routing rules, by libnl
 *
 * Floor: edge.
 *
 * What the kernel does not tell is told as absent; only making and removing is
 * reported as a fault.
 */
#ifndef EDGE_ROUTER_NETLINK_H
#define EDGE_ROUTER_NETLINK_H

#include "core/address.h"
#include "core/err.h"
#include "edge/router_rules.h"

struct netlink;

/**
 * netlink_open() - Open a line to the kernel
 * @err:	Told why it cannot be; or NULL
 *
 * Return: the line, or NULL.
 */
struct netlink *netlink_open(struct err *err);

/**
 * netlink_close() - Close it
 * @netlink:	Line, or NULL
 */
void netlink_close(struct netlink *netlink);

/**
 * struct link - A network interface
 * @index:	Its number
 * @master:	Number of the bridge that it is a port of, or 0
 * @name:	Name
 * @mac:	Address; zeros where it has none
 * @is_bridge:	It is a bridge
 * @up:		It is switched on
 * @carrier:	There is somebody at the other end
 * @is_lo:	It is the loopback
 */
struct link {
	int index, master;
	char name[ROUTER_NAME];
	uint8_t mac[6];
	bool is_bridge, up, carrier, is_lo;
};

/**
 * netlink_link() - Look an interface up
 * @netlink:	Line
 * @index:	Its number, or 0: by name
 * @name:	Its name, or NULL
 * @link:	Filled
 *
 * Return: whether there is one.
 */
bool netlink_link(struct netlink *netlink, int index, const char *name,
		  struct link *link);

/**
 * netlink_links() - All interfaces
 * @netlink:	Line
 * @link:	Filled; room for @most
 *
 * Return: how many.
 */
size_t netlink_links(struct netlink *netlink, struct link *link, size_t most);

/**
 * netlink_way_to() - Interface by which an address is reached
 * @netlink:	Line
 * @to:		Address
 * @local:	Set: it is one of this machine's own
 *
 * Return: its number, or 0.
 */
int netlink_way_to(struct netlink *netlink, const union address *to,
		   bool *local);

/**
 * netlink_has_address() - Whether an interface has an address of a version
 * @netlink:	Line
 * @index:	Interface
 * @family:	AF_INET or AF_INET6; link-local ones do not count
 *
 * Return: whether.
 */
bool netlink_has_address(struct netlink *netlink, int index, int family);

/**
 * netlink_port_of() - Port of a bridge behind which an address is
 * @netlink:	Line
 * @bridge:	Number of the bridge
 * @address:	Address
 *
 * Return: number of the port, or 0 where the bridge has not learnt it.
 */
int netlink_port_of(struct netlink *netlink, int bridge,
		    const union address *address);

/**
 * netlink_queue() - What queues packets at an interface
 * @netlink:	Line
 * @index:	Interface
 * @kind:	Filled with the root's kind, or ""
 * @size:	Of @kind
 */
void netlink_queue(struct netlink *netlink, int index, char *kind, size_t size);

/**
 * struct route_rule - A routing rule
 * @mark:	Of packets that it takes, under @mask
 * @ours:	A farlink made it
 * @family:	AF_INET or AF_INET6
 */
struct route_rule {
	uint32_t mark, mask, table, priority;
	bool ours;
	int family;
};

/**
 * netlink_rules() - All routing rules of both versions
 * @netlink:	Line
 * @rule:	Filled; room for @most
 *
 * Return: how many.
 */
size_t netlink_rules(struct netlink *netlink, struct route_rule *rule,
		     size_t most);

/**
 * netlink_table_is_used() - Whether a routing table has a route not of ours
 * @netlink:	Line
 * @table:	Its number
 *
 * Return: whether.
 */
bool netlink_table_is_used(struct netlink *netlink, uint32_t table);

/**
 * netlink_lead() - Lead packets that bear the plan's mark to this machine
 * @netlink:	Line
 * @plan:	Plan
 * @err:	Told what cannot be
 *
 * Return: 0, or -1.
 */
int netlink_lead(struct netlink *netlink, const struct router_plan *plan,
		 struct err *err);

/**
 * netlink_undo() - Remove rules and routes that a farlink made
 * @netlink:	Line
 * @table:	Of this routing table
 *
 * Return: how many were removed.
 */
unsigned netlink_undo(struct netlink *netlink, uint32_t table);

#endif /* EDGE_ROUTER_NETLINK_H */
