/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_rules.h - which rules divert an arm's streams: as text, before any is
 *                  made
 *
 * Floor: edge.
 *
 * No system call: the same plan is printed by check and carried out by
 * router.c.
 */
#ifndef EDGE_ROUTER_RULES_H
#define EDGE_ROUTER_RULES_H

#include "session/arm.h"
#include "vehicle/text.h"

#define ROUTER_INTERFACES 8
#define ROUTER_NAME	  16
/* Room for all the rules of an arm. */
#define ROUTER_TEXT (1u << 20)
/* Marks routing rules and routes as ours. */
#define ROUTER_PROTOCOL 102

/**
 * struct router_plan - What is diverted, where, and to whom
 * @arm:	Arm
 * @topology:	TOPOLOGY_ROUTED or TOPOLOGY_BRIDGED
 * @headset:	Interfaces towards the headset; @n_headset of them.  Bridged:
 *		ports of the bridge, or none: any port
 * @robot:	Interface towards the robot; bridged: a port, or "": any port
 * @bridge:	Bridged: the bridge
 * @mac:	Its address
 * @port:	Where the proxy listens, on the loopback address
 * @mark:	Of diverted packets
 * @table:	Routing table that leads them to the proxy
 * @priority:	Of the routing rules
 */
struct router_plan {
	const struct arm *arm;
	int topology;
	char headset[ROUTER_INTERFACES][ROUTER_NAME];
	size_t n_headset;
	char robot[ROUTER_NAME], bridge[ROUTER_NAME];
	uint8_t mac[6];
	uint16_t port;
	uint32_t mark, table, priority;
};

/**
 * router_rules() - Write the ruleset, as nft reads it
 * @plan:	Plan
 * @version:	0, 1, …: a ruleset that replaces another has another name
 * @text:	Written; cut if the arm has too many ports
 */
void router_rules(const struct router_plan *plan, unsigned version,
		  struct text *text);

/**
 * router_arrivals() - Interfaces that diverted packets have arrived on
 * @plan:	Plan
 * @name:	Filled
 *
 * Return: how many.
 */
size_t router_arrivals(const struct router_plan *plan,
		       const char *name[ROUTER_INTERFACES + 1]);

/**
 * router_routes() - Write the routing rules and routes, as ip is told them
 * @plan:	Plan
 * @text:	Written
 */
void router_routes(const struct router_plan *plan, struct text *text);

/* What a channel's packets have in common: a range of destination ports, or,
 * for what answers a stream, of source ports.
 */
struct router_claim {
	enum direction direction;
	bool source;
	struct port_range ports;
};

/**
 * router_claims() - What an arm diverts
 * @arm:	Arm
 * @take:	Called for each range
 * @context:	Handed to @take
 */
void router_claims(const struct arm *arm,
		   void (*take)(void *context,
				const struct router_claim *claim),
		   void *context);

#endif /* EDGE_ROUTER_RULES_H */
