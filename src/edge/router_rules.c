/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_rules.c - which rules divert an arm's streams: as text, before any is
 *                  made
 *
 * Floor: edge.
 *
 * How it works
 *
 * Routed: datagrams that the router would forward are handed to the proxy's
 * socket (tproxy) and marked; a routing rule leads what bears the mark to a
 * table in which every address is this machine's.  The rule names the interface
 * too: where src_valid_mark is set, an answer's route is looked up under the
 * mark, and would be refused.
 *
 * Bridged: frames to another station would pass below IP.  Their destination is
 * set to the bridge's own address, so that the bridge hands them up, and the
 * same rules take them there.  Only the first fragment of a datagram has ports:
 * it leaves its identification in a set, by which the others are known.  Frames
 * to this machine itself, to groups and to all are left alone.
 */
#include "edge/router_rules.h"

#include <arpa/inet.h>
#include <string.h>

static bool is_v4(const struct router_plan *plan)
{
	return plan->arm->link.robot.any.sa_family == AF_INET;
}

static void add_address(struct text *text, const union address *address)
{
	union address bare = *address;
	char host[ADDRESS_TEXT];

	address_set_port(&bare, 0);
	address_print(&bare, host);
	text_add(text, "%s", host);
}

/* " ip saddr 10.0.0.0/24"; nothing where any headset will do. */
static void add_headset(const struct router_plan *plan, struct text *text,
			const char *side)
{
	const struct network *headset = &plan->arm->link.headset;

	if (!headset->bits)
		return;
	text_add(text, " %s %s ", is_v4(plan) ? "ip" : "ip6", side);
	add_address(text, &headset->address);
	text_add(text, "/%u", headset->bits);
}

static void add_robot(const struct router_plan *plan, struct text *text,
		      const char *side)
{
	text_add(text, " %s %s ", is_v4(plan) ? "ip" : "ip6", side);
	add_address(text, &plan->arm->link.robot);
}

/* " udp dport { 5002, 5003-5010 }" */
static void add_ports(struct text *text, const struct rule *rule,
		      const char *side)
{
	text_add(text, " udp %s {", side);
	for (size_t i = 0; i < rule->n_ports; i++) {
		const struct port_range *range = &rule->ports[i];

		text_add(text, "%s %u", i ? "," : "", range->lo);
		if (range->hi != range->lo)
			text_add(text, "-%u", range->hi);
	}
	text_add(text, " }");
}

/* Addresses and ports of a channel's packets. */
static void add_match(const struct router_plan *plan, struct text *text,
		      const struct rule *rule)
{
	bool uplink = rule->direction == UPLINK;

	if (uplink)
		add_headset(plan, text, "saddr");
	add_robot(plan, text, uplink ? "daddr" : "saddr");
	if (!uplink)
		add_headset(plan, text, "daddr");
	if (rule->reply != CHANNEL_NONE)
		add_ports(text, &plan->arm->rules[rule->reply], "sport");
	else
		add_ports(text, rule, "dport");
}

/* iifname { "wlan0", "wlan1" }, or nothing where any will do. */
static void add_interfaces(const struct router_plan *plan, struct text *text,
			   enum direction direction)
{
	if (direction == DOWNLINK) {
		if (*plan->robot)
			text_add(text, " iifname \"%s\"", plan->robot);
		return;
	}
	if (!plan->n_headset)
		return;
	text_add(text, " iifname {");
	for (size_t i = 0; i < plan->n_headset; i++)
		text_add(text, "%s \"%s\"", i ? "," : "", plan->headset[i]);
	text_add(text, " }");
}

/* Behind a rule: whose it is; only what nft takes between quotes. */
static void add_comment(struct text *text, const struct arm_channel *channel)
{
	char name[65];
	size_t i;

	for (i = 0; i + 1 < sizeof(name) && channel->plan.stream[i]; i++) {
		char c = channel->plan.stream[i];

		name[i] =
			c > ' ' && c < 0x7f && c != '"' && c != '\\' ? c : '_';
	}
	name[i] = '\0';
	text_add(text, " comment \"%s %s\"\n",
		 direction_name(channel->plan.direction), name);
}

/* Channels that share their ports are diverted by the first one's rule. */
static bool has_rule(const struct arm *arm, size_t i)
{
	return arm->channel[i].shares == i;
}

static void add_inet(const struct router_plan *plan, unsigned version,
		     struct text *text)
{
	const struct arm *arm = plan->arm;
	bool bridged = plan->topology == TOPOLOGY_BRIDGED;

	text_add(text,
		 "table inet farlink_%u_%u {\n"
		 "\tflags owner\n"
		 "\tchain divert {\n"
		 "\t\ttype filter hook prerouting priority mangle; "
		 "policy accept;\n",
		 plan->table, version);
	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct rule *rule = &arm->rules[i];

		if (!has_rule(arm, i))
			continue;
		text_add(text, "\t\tmeta l4proto udp");
		if (bridged)
			text_add(text, " iifname \"%s\"", plan->bridge);
		else
			add_interfaces(plan, text, rule->direction);
		add_match(plan, text, rule);
		text_add(text,
			 " fib daddr type unicast counter tproxy %s to %s:%u "
			 "meta mark set 0x%x accept",
			 is_v4(plan) ? "ip" : "ip6",
			 is_v4(plan) ? "127.0.0.1" : "[::1]", plan->port,
			 plan->mark);
		add_comment(text, &arm->channel[i]);
	}
	text_add(text, "\t}\n}\n");
}

/* A rule for the first fragment of a datagram, and one for what has ports. */
static void add_frames(const struct router_plan *plan, struct text *text,
		       size_t i)
{
	const struct rule *rule = &plan->arm->rules[i];

	text_add(text, "\t\tmeta l4proto udp");
	add_interfaces(plan, text, rule->direction);
	add_match(plan, text, rule);
	if (is_v4(plan))
		text_add(text, " ip frag-off & 0x2000 != 0 update @parts "
			       "{ ip saddr . ip daddr . ip id }");
	else
		text_add(text, " exthdr frag exists update @parts "
			       "{ ip6 saddr . ip6 daddr . frag id }");
	add_comment(text, &plan->arm->channel[i]);
	text_add(text, "\t\tmeta l4proto udp");
	add_interfaces(plan, text, rule->direction);
	add_match(plan, text, rule);
	text_add(text, " goto up");
	add_comment(text, &plan->arm->channel[i]);
}

static void add_bridge(const struct router_plan *plan, unsigned version,
		       struct text *text)
{
	const struct arm *arm = plan->arm;
	const uint8_t *mac = plan->mac;

	text_add(text,
		 "table bridge farlink_%u_%u {\n"
		 "\tflags owner\n"
		 "\tset parts {\n"
		 "\t\ttypeof %s\n"
		 "\t\tflags dynamic,timeout\n"
		 "\t\ttimeout 2s\n"
		 "\t\tsize 16384\n"
		 "\t}\n",
		 plan->table, version,
		 is_v4(plan) ? "ip saddr . ip daddr . ip id"
			     : "ip6 saddr . ip6 daddr . frag id");
	text_add(text,
		 "\tchain up {\n"
		 "\t\tcounter meta pkttype set host ether daddr set "
		 "%02x:%02x:%02x:%02x:%02x:%02x accept\n"
		 "\t}\n",
		 mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
	text_add(text, "\tchain divert {\n"
		       "\t\ttype filter hook prerouting priority dstnat; "
		       "policy accept;\n"
		       "\t\tmeta pkttype != other accept\n");
	for (size_t i = 0; i < arm->n_channels; i++)
		if (has_rule(arm, i))
			add_frames(plan, text, i);
	if (is_v4(plan))
		text_add(text, "\t\tip frag-off & 0x1fff != 0 "
			       "ip saddr . ip daddr . ip id @parts goto up\n");
	else
		text_add(text, "\t\texthdr frag exists "
			       "ip6 saddr . ip6 daddr . frag id @parts "
			       "goto up\n");
	text_add(text, "\t}\n}\n");
}

void router_rules(const struct router_plan *plan, unsigned version,
		  struct text *text)
{
	add_inet(plan, version, text);
	if (plan->topology == TOPOLOGY_BRIDGED)
		add_bridge(plan, version, text);
}

size_t router_arrivals(const struct router_plan *plan,
		       const char *name[ROUTER_INTERFACES + 1])
{
	size_t n = 0;

	if (plan->topology == TOPOLOGY_BRIDGED) {
		name[n++] = plan->bridge;
		return n;
	}
	for (size_t i = 0; i < plan->n_headset; i++)
		name[n++] = plan->headset[i];
	name[n++] = plan->robot;
	return n;
}

void router_routes(const struct router_plan *plan, struct text *text)
{
	const char *version = is_v4(plan) ? "-4" : "-6";
	const char *name[ROUTER_INTERFACES + 1];
	size_t n = router_arrivals(plan, name);

	for (size_t i = 0; i < n; i++)
		text_add(text,
			 "ip %s rule add fwmark 0x%x iif %s lookup %u "
			 "priority %u protocol %d\n",
			 version, plan->mark, name[i], plan->table,
			 plan->priority, ROUTER_PROTOCOL);
	text_add(text,
		 "ip %s route add local default dev lo table %u "
		 "protocol %d\n",
		 version, plan->table, ROUTER_PROTOCOL);
}

void router_claims(const struct arm *arm,
		   void (*take)(void *context,
				const struct router_claim *claim),
		   void *context)
{
	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct rule *rule = &arm->rules[i];
		bool reply = rule->reply != CHANNEL_NONE;
		const struct rule *ports =
			reply ? &arm->rules[rule->reply] : rule;

		if (!has_rule(arm, i))
			continue;
		for (size_t r = 0; r < ports->n_ports; r++) {
			const struct router_claim claim = {
				.direction = rule->direction,
				.source = reply,
				.ports = ports->ports[r],
			};

			take(context, &claim);
		}
	}
}
