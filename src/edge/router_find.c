/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_find.c - where headset and robot are, and which numbers are free
 *
 * Floor: edge.
 *
 * How it works
 *
 * An interface is named by the arm, or is the one that the route to the
 * address leads by.  If both sides are behind one bridge, the topology is
 * bridged; behind two interfaces, routed; behind one interface that is no
 * bridge, packets between them never come here.
 */
#include "edge/router_find.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "edge/router_claim.h"

#define FIRST_FREE	  26220u
#define TRIES		  256u
#define LINKS_MAX	  64u
#define RULES_MAX	  512u
#define TABLE_RESERVED_LO 253u
#define TABLE_RESERVED_HI 255u

/* Interfaces of one side, as named or found. */
struct side {
	struct link link[ROUTER_INTERFACES];
	size_t n;
};

static void list_links(struct netlink *netlink, struct text *text)
{
	struct link link[LINKS_MAX];
	size_t n = netlink_links(netlink, link, LINKS_MAX), told = 0;

	for (size_t i = 0; i < n; i++)
		if (!link[i].is_lo)
			text_add(text, "%s%s", told++ ? ", " : "",
				 link[i].name);
}

/* Interfaces that the arm names. */
static int read_names(struct netlink *netlink, const char *names,
		      const char *key, struct side *side,
		      const struct router_plan *plan, struct err *err)
{
	char name[ROUTER_NAME], room[512];
	struct text text;

	for (const char *at = names; *at && side->n < ROUTER_INTERFACES;) {
		size_t len = strcspn(at, ", ");

		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		at += len;
		at += strspn(at, ", ");
		if (netlink_link(netlink, 0, name, &side->link[side->n])) {
			side->n++;
			continue;
		}
		text_init(&text, room, sizeof(room));
		list_links(netlink, &text);
		return err_add_machine(err,
				       "%s: %s = %s: there is no such "
				       "interface; there are: %s",
				       plan->arm->file, key, name, room);
	}
	return 0;
}

static int find_robot(struct netlink *netlink, const struct router_plan *plan,
		      struct side *side, struct err *err)
{
	const struct arm_link *link = &plan->arm->link;
	bool local;
	int index;

	if (*link->robot_interface)
		return read_names(netlink, link->robot_interface,
				  "robot_interface", side, plan, err);
	index = netlink_way_to(netlink, &link->robot, &local);
	if (local)
		return err_add(err,
			       "%s: robot = %s: that is this machine's own "
			       "address; write the robot's",
			       plan->arm->file, link->robot_text);
	if (!index || !netlink_link(netlink, index, NULL, &side->link[0]))
		return err_add_machine(
			err,
			"%s: there is no route to the robot %s; give this "
			"machine an address in its network ('ip addr'), or set "
			"robot_interface",
			plan->arm->file, link->robot_text);
	side->n = 1;
	return 0;
}

/* The last byte of an address counts up. */
static void next_host(union address *address)
{
	if (address->any.sa_family == AF_INET)
		address->v4.sin_addr.s_addr =
			htonl(ntohl(address->v4.sin_addr.s_addr) + 1);
	else
		address->v6.sin6_addr.s6_addr[15]++;
}

/* By which interface the headset's network is reached; its first addresses may
 * be our own or nobody's.
 */
static int find_by_route(struct netlink *netlink,
			 const struct router_plan *plan, struct side *side,
			 struct err *err)
{
	const struct arm_link *link = &plan->arm->link;
	union address host = link->headset.address;
	int index = 0;

	for (int i = 0; i < 4 && !index; i++) {
		bool local;

		if (network_has(&link->headset, &host) &&
		    !address_same_host(&host, &link->robot)) {
			index = netlink_way_to(netlink, &host, &local);
			if (local)
				index = 0;
		}
		next_host(&host);
	}
	if (!index || !netlink_link(netlink, index, NULL, &side->link[0]))
		return err_add_machine(
			err,
			"%s: there is no route to the headset %s; give this "
			"machine an address in its network ('ip addr'), or set "
			"headset_interface",
			plan->arm->file, link->headset_text);
	side->n = 1;
	return 0;
}

/* The one other interface that has an address, or else the robot's bridge. */
static int find_other(struct netlink *netlink, const struct router_plan *plan,
		      const struct link *robot, struct side *side,
		      struct err *err)
{
	int family = plan->arm->link.robot.any.sa_family;
	struct link link[LINKS_MAX];
	size_t n = netlink_links(netlink, link, LINKS_MAX);

	if (plan->arm->link.topology != TOPOLOGY_BRIDGED)
		for (size_t i = 0; i < n; i++)
			if (!link[i].is_lo && link[i].up && !link[i].master &&
			    link[i].index != robot->index &&
			    netlink_has_address(netlink, link[i].index,
						family) &&
			    side->n < ROUTER_INTERFACES)
				side->link[side->n++] = link[i];
	if (!side->n && robot->is_bridge)
		side->link[side->n++] = *robot;
	if (side->n == 1)
		return 0;
	return err_add_machine(
		err,
		"%s: headset = learn: %s interfaces may lead to the headset; "
		"set headset_interface, or write its network as headset",
		plan->arm->file, side->n ? "several" : "no other");
}

/* The interface that has the addresses: a port's bridge, or the port itself. */
static struct link above(struct netlink *netlink, const struct link *link)
{
	struct link master;

	if (link->master &&
	    netlink_link(netlink, link->master, NULL, &master) &&
	    master.is_bridge)
		return master;
	return *link;
}

static void name_port(char *name, const struct link *link,
		      const struct link *bridge)
{
	/* the bridge itself is no port: any will do */
	snprintf(name, ROUTER_NAME, "%s",
		 link->index == bridge->index ? "" : link->name);
}

static int be_bridged(struct router_plan *plan, const struct side *headset,
		      const struct link *robot, const struct link *bridge,
		      struct err *err)
{
	plan->topology = TOPOLOGY_BRIDGED;
	snprintf(plan->bridge, sizeof(plan->bridge), "%s", bridge->name);
	memcpy(plan->mac, bridge->mac, sizeof(plan->mac));
	name_port(plan->robot, robot, bridge);
	for (size_t i = 0; i < headset->n; i++) {
		name_port(plan->headset[plan->n_headset], &headset->link[i],
			  bridge);
		if (!*plan->headset[plan->n_headset])
			continue;
		if (!strcmp(plan->headset[plan->n_headset], plan->robot))
			return err_add_machine(
				err,
				"%s: headset and robot are both behind port "
				"%s of %s: their frames never come here; put "
				"them on two ports",
				plan->arm->file, plan->robot, bridge->name);
		plan->n_headset++;
	}
	return 0;
}

static int be_routed(struct netlink *netlink, struct router_plan *plan,
		     const struct side *headset, const struct link *robot,
		     struct err *err)
{
	plan->topology = TOPOLOGY_ROUTED;
	snprintf(plan->robot, sizeof(plan->robot), "%s", robot->name);
	for (size_t i = 0; i < headset->n; i++) {
		struct link link = above(netlink, &headset->link[i]);

		if (link.index == robot->index)
			return err_add_machine(
				err,
				"%s: headset and robot are both behind %s: "
				"packets between them do not pass this "
				"machine; give them two interfaces, or two "
				"ports of a bridge",
				plan->arm->file, link.name);
		snprintf(plan->headset[plan->n_headset++], ROUTER_NAME, "%s",
			 link.name);
	}
	return 0;
}

int router_find(struct netlink *netlink, struct router_plan *plan,
		struct err *err)
{
	const struct arm_link *link = &plan->arm->link;
	struct side robot = { 0 }, headset = { 0 };
	struct link robot_above;
	bool bridged;

	if (find_robot(netlink, plan, &robot, err) < 0)
		return -1;
	robot_above = above(netlink, &robot.link[0]);
	if (*link->headset_interface) {
		if (read_names(netlink, link->headset_interface,
			       "headset_interface", &headset, plan, err) < 0)
			return -1;
	} else if (link->headset.bits) {
		if (find_by_route(netlink, plan, &headset, err) < 0)
			return -1;
	} else if (find_other(netlink, plan, &robot_above, &headset, err) < 0) {
		return -1;
	}
	bridged = robot_above.is_bridge;
	for (size_t i = 0; i < headset.n; i++)
		if (above(netlink, &headset.link[i]).index != robot_above.index)
			bridged = false;
	if (link->topology != TOPOLOGY_AUTO &&
	    bridged != (link->topology == TOPOLOGY_BRIDGED))
		return err_add_machine(
			err,
			"%s: topology = %s, but headset and robot are %s; "
			"leave topology out, or set the interfaces",
			plan->arm->file, bridged ? "routed" : "bridged",
			bridged ? "behind one bridge"
				: "behind different interfaces");
	if (bridged)
		return be_bridged(plan, &headset, &robot.link[0], &robot_above,
				  err);
	return be_routed(netlink, plan, &headset, &robot_above, err);
}

/* Whether a rule that is not ours would take packets with this mark, or another
 * farlink's does.
 */
static bool mark_is_taken(const struct route_rule *rule, size_t n,
			  uint32_t mark)
{
	for (size_t i = 0; i < n; i++) {
		if (!rule[i].mask || (mark & rule[i].mask) != rule[i].mark)
			continue;
		if (!rule[i].ours || claims_have_table(rule[i].table))
			return true;
	}
	return false;
}

static bool table_is_taken(struct netlink *netlink, uint32_t table)
{
	return table == 0 ||
	       (table >= TABLE_RESERVED_LO && table <= TABLE_RESERVED_HI) ||
	       claims_have_table(table) ||
	       netlink_table_is_used(netlink, table);
}

int router_choose(struct netlink *netlink, struct router_plan *plan,
		  struct err *err)
{
	const struct arm_link *link = &plan->arm->link;
	static const char taken[] =
		"it is in use on this machine (see 'ip rule'); write another "
		"number, or leave it out";
	struct route_rule rule[RULES_MAX];
	size_t n = netlink_rules(netlink, rule, RULES_MAX), faults = err->n;

	plan->priority = (uint32_t)link->rule_priority;
	plan->mark = (uint32_t)link->mark;
	plan->table = (uint32_t)link->route_table;
	if (plan->mark && mark_is_taken(rule, n, plan->mark))
		err_add_machine(err, "%s: mark = %u: %s", plan->arm->file,
				plan->mark, taken);
	if (plan->table && table_is_taken(netlink, plan->table))
		err_add_machine(err, "%s: route_table = %u: %s",
				plan->arm->file, plan->table, taken);
	for (uint32_t i = 0; i < TRIES && !plan->mark; i++)
		if (!mark_is_taken(rule, n, FIRST_FREE + i))
			plan->mark = FIRST_FREE + i;
	for (uint32_t i = 0; i < TRIES && !plan->table; i++)
		if (!table_is_taken(netlink, FIRST_FREE + i))
			plan->table = FIRST_FREE + i;
	if (!plan->mark || !plan->table)
		err_add_machine(err,
				"%s: no free mark or routing table from %u on; "
				"set mark and route_table",
				plan->arm->file, FIRST_FREE);
	return err->n == faults ? 0 : -1;
}
