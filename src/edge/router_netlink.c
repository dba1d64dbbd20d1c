/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_netlink.c - links, neighbours and addresses, by libnl
 *
 * Floor: edge.
 */
#include "edge/router_netlink.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/neighbour.h>
#include <netlink/route/qdisc.h>
#include <netlink/route/route.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge/router_netlink_inside.h"

struct netlink *netlink_open(struct err *err)
{
	struct netlink *netlink = calloc(1, sizeof(*netlink));
	int error;

	if (!netlink)
		abort();
	netlink->sock = nl_socket_alloc();
	if (!netlink->sock)
		abort();
	error = nl_connect(netlink->sock, NETLINK_ROUTE);
	if (!error)
		return netlink;
	err_add_machine(err, "the kernel's routing cannot be asked: %s",
			nl_geterror(error));
	netlink_close(netlink);
	return NULL;
}

void netlink_close(struct netlink *netlink)
{
	if (!netlink)
		return;
	nl_socket_free(netlink->sock);
	free(netlink);
}

struct nl_addr *netlink_addr(const union address *address)
{
	struct nl_addr *addr;

	if (address->any.sa_family == AF_INET)
		addr = nl_addr_build(AF_INET, &address->v4.sin_addr, 4);
	else
		addr = nl_addr_build(AF_INET6, &address->v6.sin6_addr, 16);
	if (!addr)
		abort();
	return addr;
}

static void read_link(struct rtnl_link *from, struct link *link)
{
	const char *type = rtnl_link_get_type(from);
	const char *name = rtnl_link_get_name(from);
	const struct nl_addr *mac = rtnl_link_get_addr(from);
	unsigned flags = rtnl_link_get_flags(from);

	*link = (struct link){
		.index = rtnl_link_get_ifindex(from),
		.master = rtnl_link_get_master(from),
		.is_bridge = type && !strcmp(type, "bridge"),
		.up = flags & IFF_UP,
		.carrier = flags & IFF_RUNNING,
		.is_lo = flags & IFF_LOOPBACK,
	};
	snprintf(link->name, sizeof(link->name), "%s", name ? name : "");
	if (mac && nl_addr_get_len(mac) == sizeof(link->mac))
		memcpy(link->mac, nl_addr_get_binary_addr(mac),
		       sizeof(link->mac));
}

bool netlink_link(struct netlink *netlink, int index, const char *name,
		  struct link *link)
{
	struct rtnl_link *found = NULL;

	if (rtnl_link_get_kernel(netlink->sock, index, name, &found) < 0)
		return false;
	read_link(found, link);
	rtnl_link_put(found);
	return true;
}

size_t netlink_links(struct netlink *netlink, struct link *link, size_t most)
{
	struct nl_cache *cache = NULL;
	size_t n = 0;

	if (rtnl_link_alloc_cache(netlink->sock, AF_UNSPEC, &cache) < 0)
		return 0;
	for (struct nl_object *at = nl_cache_get_first(cache); at && n < most;
	     at = nl_cache_get_next(at))
		read_link((struct rtnl_link *)at, &link[n++]);
	nl_cache_free(cache);
	return n;
}

int netlink_way_to(struct netlink *netlink, const union address *to,
		   bool *local)
{
	struct nl_addr *addr = netlink_addr(to);
	struct rtnl_route *route = NULL;
	struct rtnl_nexthop *hop;
	int index = 0;

	*local = false;
	if (rtnl_route_lookup(netlink->sock, addr, &route) >= 0 && route) {
		*local = rtnl_route_get_type(route) == RTN_LOCAL;
		hop = rtnl_route_nexthop_n(route, 0);
		if (hop &&
		    (*local || rtnl_route_get_type(route) == RTN_UNICAST))
			index = rtnl_route_nh_get_ifindex(hop);
		rtnl_route_put(route);
	}
	nl_addr_put(addr);
	return index;
}

bool netlink_has_address(struct netlink *netlink, int index, int family)
{
	struct nl_cache *cache = NULL;
	bool has = false;

	if (rtnl_addr_alloc_cache(netlink->sock, &cache) < 0)
		return false;
	for (struct nl_object *at = nl_cache_get_first(cache); at && !has;
	     at = nl_cache_get_next(at)) {
		struct rtnl_addr *addr = (struct rtnl_addr *)at;

		has = rtnl_addr_get_ifindex(addr) == index &&
		      rtnl_addr_get_family(addr) == family &&
		      rtnl_addr_get_scope(addr) != RT_SCOPE_LINK;
	}
	nl_cache_free(cache);
	return has;
}

/* What a walk over entries of the forwarding database looks for. */
struct search {
	const struct nl_addr *mac;
	int bridge, port;
};

static void look_at(struct nl_object *object, void *context)
{
	struct rtnl_neigh *entry = (struct rtnl_neigh *)object;
	struct search *search = context;
	const struct nl_addr *mac = rtnl_neigh_get_lladdr(entry);

	if (mac && rtnl_neigh_get_master(entry) == search->bridge &&
	    !nl_addr_cmp(mac, search->mac))
		search->port = rtnl_neigh_get_ifindex(entry);
}

static int on_entry(struct nl_msg *message, void *context)
{
	(void)nl_msg_parse(message, look_at, context);
	return NL_OK;
}

/* The forwarding database is asked by a socket of its own, whose callback does
 * not stay on the line.
 */
static int find_port(const struct nl_addr *mac, int bridge)
{
	struct search search = { mac, bridge, 0 };
	struct nl_sock *sock = nl_socket_alloc();

	if (!sock)
		abort();
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, on_entry, &search);
	if (!nl_connect(sock, NETLINK_ROUTE) &&
	    nl_rtgen_request(sock, RTM_GETNEIGH, AF_BRIDGE, NLM_F_DUMP) >= 0)
		(void)nl_recvmsgs_default(sock);
	nl_socket_free(sock);
	return search.port;
}

int netlink_port_of(struct netlink *netlink, int bridge,
		    const union address *address)
{
	struct nl_addr *addr = netlink_addr(address);
	struct nl_cache *cache = NULL;
	struct rtnl_neigh *neighbour = NULL;
	const struct nl_addr *mac;
	int port = 0;

	if (rtnl_neigh_alloc_cache(netlink->sock, &cache) >= 0)
		neighbour = rtnl_neigh_get(cache, bridge, addr);
	mac = neighbour ? rtnl_neigh_get_lladdr(neighbour) : NULL;
	if (mac)
		port = find_port(mac, bridge);
	if (neighbour)
		rtnl_neigh_put(neighbour);
	nl_cache_free(cache);
	nl_addr_put(addr);
	return port;
}

void netlink_queue(struct netlink *netlink, int index, char *kind, size_t size)
{
	struct nl_cache *cache = NULL;

	*kind = '\0';
	if (rtnl_qdisc_alloc_cache(netlink->sock, &cache) < 0)
		return;
	for (struct nl_object *at = nl_cache_get_first(cache); at;
	     at = nl_cache_get_next(at)) {
		struct rtnl_tc *tc = (struct rtnl_tc *)at;

		if (rtnl_tc_get_ifindex(tc) == index &&
		    rtnl_tc_get_parent(tc) == TC_H_ROOT && rtnl_tc_get_kind(tc))
			snprintf(kind, size, "%s", rtnl_tc_get_kind(tc));
	}
	nl_cache_free(cache);
}
