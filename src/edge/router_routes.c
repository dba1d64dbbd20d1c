/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_routes.c - routing rules and routes: seen, made, removed
 *
 * Floor: edge.
 *
 * What is ours bears ROUTER_PROTOCOL, by which it is found again after a crash.
 */
#include "edge/router_netlink_inside.h"

#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/route.h>
#include <netlink/route/rule.h>
#include <stdlib.h>
#include <string.h>

static const int families[] = { AF_INET, AF_INET6 };

static bool is_ours(struct rtnl_rule *rule)
{
	uint8_t protocol = 0;

	return !rtnl_rule_get_protocol(rule, &protocol) &&
	       protocol == ROUTER_PROTOCOL;
}

size_t netlink_rules(struct netlink *netlink, struct route_rule *to,
		     size_t most)
{
	size_t n = 0;

	for (size_t f = 0; f < 2; f++) {
		struct nl_cache *cache = NULL;

		if (rtnl_rule_alloc_cache(netlink->sock, families[f], &cache) <
		    0)
			continue;
		for (struct nl_object *at = nl_cache_get_first(cache);
		     at && n < most; at = nl_cache_get_next(at)) {
			struct rtnl_rule *rule = (struct rtnl_rule *)at;

			to[n++] = (struct route_rule){
				.mark = rtnl_rule_get_mark(rule),
				.mask = rtnl_rule_get_mask(rule),
				.table = rtnl_rule_get_table(rule),
				.priority = rtnl_rule_get_prio(rule),
				.ours = is_ours(rule),
				.family = families[f],
			};
		}
		nl_cache_free(cache);
	}
	return n;
}

/* Routes of a table: @ours removed, or the others counted. */
static unsigned walk_routes(struct netlink *netlink, uint32_t table, bool ours)
{
	unsigned n = 0;

	for (size_t f = 0; f < 2; f++) {
		struct nl_cache *cache = NULL;

		if (rtnl_route_alloc_cache(netlink->sock, families[f], 0,
					   &cache) < 0)
			continue;
		for (struct nl_object *at = nl_cache_get_first(cache); at;
		     at = nl_cache_get_next(at)) {
			struct rtnl_route *route = (struct rtnl_route *)at;
			bool is = rtnl_route_get_protocol(route) ==
				  ROUTER_PROTOCOL;

			if (rtnl_route_get_table(route) != table || is != ours)
				continue;
			if (!ours ||
			    rtnl_route_delete(netlink->sock, route, 0) >= 0)
				n++;
		}
		nl_cache_free(cache);
	}
	return n;
}

bool netlink_table_is_used(struct netlink *netlink, uint32_t table)
{
	return walk_routes(netlink, table, false) > 0;
}

static struct rtnl_rule *new_rule(const struct router_plan *plan,
				  const char *arrival)
{
	struct rtnl_rule *rule = rtnl_rule_alloc();

	if (!rule)
		abort();
	rtnl_rule_set_family(rule, plan->arm->link.robot.any.sa_family);
	rtnl_rule_set_mark(rule, plan->mark);
	rtnl_rule_set_mask(rule, UINT32_MAX);
	rtnl_rule_set_table(rule, plan->table);
	rtnl_rule_set_prio(rule, plan->priority);
	rtnl_rule_set_action(rule, FR_ACT_TO_TBL);
	rtnl_rule_set_protocol(rule, ROUTER_PROTOCOL);
	(void)rtnl_rule_set_iif(rule, arrival);
	return rule;
}

/* local default dev lo */
static struct rtnl_route *new_route(const struct router_plan *plan)
{
	static const union address any4 = { .v4 = { .sin_family = AF_INET } };
	static const union address any6 = { .v6 = { .sin6_family = AF_INET6 } };
	int family = plan->arm->link.robot.any.sa_family;
	struct rtnl_route *route = rtnl_route_alloc();
	struct rtnl_nexthop *hop = rtnl_route_nh_alloc();
	struct nl_addr *all = netlink_addr(family == AF_INET ? &any4 : &any6);

	if (!route || !hop)
		abort();
	nl_addr_set_prefixlen(all, 0);
	rtnl_route_set_family(route, (uint8_t)family);
	rtnl_route_set_table(route, plan->table);
	rtnl_route_set_type(route, RTN_LOCAL);
	rtnl_route_set_scope(route, family == AF_INET ? RT_SCOPE_HOST
						      : RT_SCOPE_UNIVERSE);
	rtnl_route_set_protocol(route, ROUTER_PROTOCOL);
	(void)rtnl_route_set_dst(route, all);
	rtnl_route_nh_set_ifindex(hop, (int)if_nametoindex("lo"));
	rtnl_route_add_nexthop(route, hop);
	nl_addr_put(all);
	return route;
}

int netlink_lead(struct netlink *netlink, const struct router_plan *plan,
		 struct err *err)
{
	const char *name[ROUTER_INTERFACES + 1];
	size_t n = router_arrivals(plan, name);
	struct rtnl_route *route = new_route(plan);
	int error = rtnl_route_add(netlink->sock, route, NLM_F_EXCL);

	rtnl_route_put(route);
	if (error < 0)
		return err_add_machine(
			err,
			"routing table %u: no route can be made: %s; see "
			"'ip route show table %u', or set route_table",
			plan->table, nl_geterror(error), plan->table);
	for (size_t i = 0; i < n && error >= 0; i++) {
		struct rtnl_rule *rule = new_rule(plan, name[i]);

		error = rtnl_rule_add(netlink->sock, rule, NLM_F_EXCL);
		rtnl_rule_put(rule);
	}
	if (error < 0)
		return err_add_machine(
			err,
			"no routing rule can be made: %s; see 'ip rule', or "
			"set mark and rule_priority",
			nl_geterror(error));
	return 0;
}

unsigned netlink_undo(struct netlink *netlink, uint32_t table)
{
	unsigned n = 0;

	for (size_t f = 0; f < 2; f++) {
		struct nl_cache *cache = NULL;

		if (rtnl_rule_alloc_cache(netlink->sock, families[f], &cache) <
		    0)
			continue;
		for (struct nl_object *at = nl_cache_get_first(cache); at;
		     at = nl_cache_get_next(at)) {
			struct rtnl_rule *rule = (struct rtnl_rule *)at;

			if (is_ours(rule) &&
			    rtnl_rule_get_table(rule) == table &&
			    rtnl_rule_delete(netlink->sock, rule, 0) >= 0)
				n++;
		}
		nl_cache_free(cache);
	}
	return n + walk_routes(netlink, table, true);
}
