/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_rules_test.c - the rules of a router say what the arm says
 *
 * Floor: tests.
 */
#include "edge/router_rules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/catalog.h"

static struct catalog catalog;
static struct arm *arm;
static char room[1u << 16];
static struct text text;

static struct arm *make(const char *words, struct err *err)
{
	struct err warnings = { 0 };
	const struct arm_source source = { .file = "test.ini",
					   .text = words,
					   .size = strlen(words),
					   .catalog = &catalog };
	struct arm *made;

	catalog_init(&catalog);
	made = arm_new(&source, err, &warnings);
	err_fini(&warnings);
	return made;
}

static struct router_plan plan_of(const char *words)
{
	struct err err = { 0 };
	struct router_plan plan = { .topology = TOPOLOGY_ROUTED,
				    .headset = { "wlan0", "wlan1" },
				    .n_headset = 2,
				    .robot = "eth1",
				    .port = 10000,
				    .mark = 0x77,
				    .table = 177,
				    .priority = 99 };

	arm = make(words, &err);
	cr_assert(arm, "%s", err.n ? err.line[0] : "?");
	plan.arm = arm;
	text_init(&text, room, sizeof(room));
	return plan;
}

static void end(void)
{
	arm_free(arm);
	arm = NULL;
}

#define V4                                                                     \
	"[link]\nmode = transparent\nrobot = 10.77.2.2\n"                      \
	"headset = 10.77.1.0/24\n"                                             \
	"[uplink command]\nport = 5002, 5010-5020\n"                           \
	"[downlink sample]\nport = 5007\n"                                     \
	"[downlink answer]\nreply = command\n"

static bool has(const char *part)
{
	return strstr(room, part) != NULL;
}

Test(router_rules, a_routed_arm_diverts_its_ports_and_no_others, .fini = end)
{
	const struct router_plan plan = plan_of(V4);

	router_rules(&plan, 3, &text);
	cr_assert_str_eq(
		room,
		"table inet farlink_177_3 {\n"
		"\tflags owner\n"
		"\tchain divert {\n"
		"\t\ttype filter hook prerouting priority mangle; "
		"policy accept;\n"
		"\t\tmeta l4proto udp iifname { \"wlan0\", \"wlan1\" } "
		"ip saddr 10.77.1.0/24 ip daddr 10.77.2.2 "
		"udp dport { 5002, 5010-5020 } fib daddr type unicast counter "
		"tproxy ip to 127.0.0.1:10000 meta mark set 0x77 accept "
		"comment \"uplink command\"\n"
		"\t\tmeta l4proto udp iifname \"eth1\" "
		"ip saddr 10.77.2.2 ip daddr 10.77.1.0/24 "
		"udp dport { 5007 } fib daddr type unicast counter "
		"tproxy ip to 127.0.0.1:10000 meta mark set 0x77 accept "
		"comment \"downlink sample\"\n"
		"\t\tmeta l4proto udp iifname \"eth1\" "
		"ip saddr 10.77.2.2 ip daddr 10.77.1.0/24 "
		"udp sport { 5002, 5010-5020 } fib daddr type unicast counter "
		"tproxy ip to 127.0.0.1:10000 meta mark set 0x77 accept "
		"comment \"downlink answer\"\n"
		"\t}\n"
		"}\n");
	cr_assert(!text.cut);
}

Test(router_rules, routing_rules_name_every_interface, .fini = end)
{
	const struct router_plan plan = plan_of(V4);

	router_routes(&plan, &text);
	cr_assert_str_eq(
		room,
		"ip -4 rule add fwmark 0x77 iif wlan0 lookup 177 priority 99 "
		"protocol 102\n"
		"ip -4 rule add fwmark 0x77 iif wlan1 lookup 177 priority 99 "
		"protocol 102\n"
		"ip -4 rule add fwmark 0x77 iif eth1 lookup 177 priority 99 "
		"protocol 102\n"
		"ip -4 route add local default dev lo table 177 "
		"protocol 102\n");
}

Test(router_rules, a_bridge_hands_up_what_has_ports_and_its_fragments,
     .fini = end)
{
	struct router_plan plan = plan_of(
		"[link]\nmode = transparent\nrobot = fd77:1::3\n"
		"headset = fd77:1::/64\n[uplink command]\nport = 5002\n");

	plan.topology = TOPOLOGY_BRIDGED;
	plan.n_headset = 0;
	plan.robot[0] = '\0';
	snprintf(plan.bridge, sizeof(plan.bridge), "br0");
	memcpy(plan.mac, "\x02\x00\x00\x00\x77\x01", 6);
	router_rules(&plan, 0, &text);
	cr_assert(has("table inet farlink_177_0 {\n"));
	cr_assert(has("\t\tmeta l4proto udp iifname \"br0\" ip6 saddr "
		      "fd77:1::/64 ip6 daddr fd77:1::3 udp dport { 5002 } fib "
		      "daddr type unicast counter tproxy ip6 to [::1]:10000"));
	cr_assert(has("table bridge farlink_177_0 {\n"));
	cr_assert(has("ether daddr set 02:00:00:00:77:01"));
	/* frames to this machine, to groups and to all are left alone, before
	 * any other rule is tried
	 */
	cr_assert(has("policy accept;\n\t\tmeta pkttype != other accept\n"
		      "\t\tmeta l4proto udp ip6 saddr"));
	cr_assert(has("udp dport { 5002 } exthdr frag exists update @parts "
		      "{ ip6 saddr . ip6 daddr . frag id }"));
	cr_assert(has("udp dport { 5002 } goto up"));
	cr_assert(has("@parts goto up\n"));
	text_init(&text, room, sizeof(room));
	router_routes(&plan, &text);
	cr_assert_str_eq(room, "ip -6 rule add fwmark 0x77 iif br0 lookup 177 "
			       "priority 99 protocol 102\n"
			       "ip -6 route add local default dev lo table 177 "
			       "protocol 102\n");
}

Test(router_rules, any_headset_leaves_the_robot_to_tell_directions, .fini = end)
{
	const struct router_plan plan =
		plan_of("[link]\nmode = transparent\nrobot = 10.77.2.2\n"
			"[uplink a]\nport = 1\n[downlink b]\nport = 2\n");

	router_rules(&plan, 0, &text);
	cr_assert(has("} ip daddr 10.77.2.2 udp dport { 1 }"));
	cr_assert(has("\" ip saddr 10.77.2.2 udp dport { 2 }"));
}

Test(router_rules, channels_of_one_port_have_one_rule, .fini = end)
{
	const struct router_plan plan =
		plan_of("[link]\nmode = transparent\nrobot = 10.77.2.2\n"
			"[uplink a]\nport = 5002\nmatch = udp[8] = 1\n"
			"[uplink b]\nport = 5002\n");

	router_rules(&plan, 0, &text);
	cr_assert(has("comment \"uplink a\""));
	cr_assert(!has("comment \"uplink b\""));
}

Test(router_rules, a_name_cannot_end_the_quotes, .fini = end)
{
	const struct router_plan plan =
		plan_of("[link]\nmode = transparent\nrobot = 10.77.2.2\n"
			"[uplink a\"b\\c]\nport = 5002\n");

	router_rules(&plan, 0, &text);
	cr_assert(has("comment \"uplink a_b_c\"\n"));
}

struct seen {
	struct router_claim claim[8];
	size_t n;
};

static void see(void *context, const struct router_claim *claim)
{
	struct seen *seen = context;

	seen->claim[seen->n++] = *claim;
}

Test(router_rules, an_arm_claims_each_range_of_its_ports, .fini = end)
{
	const struct router_plan plan = plan_of(V4);
	struct seen seen = { .n = 0 };

	router_claims(plan.arm, see, &seen);
	cr_assert_eq(seen.n, 5);
	cr_assert_eq(seen.claim[1].direction, UPLINK);
	cr_assert_eq(seen.claim[1].ports.lo, 5010);
	cr_assert_eq(seen.claim[1].ports.hi, 5020);
	cr_assert(!seen.claim[1].source);
	cr_assert_eq(seen.claim[2].direction, DOWNLINK);
	cr_assert_eq(seen.claim[2].ports.lo, 5007);
	/* answers are known by the port that they come from */
	cr_assert(seen.claim[3].source && seen.claim[4].source);
	cr_assert_eq(seen.claim[4].ports.lo, 5010);
}

static void refused(const char *link, const char *why)
{
	struct err err = { 0 };
	char words[512];

	snprintf(words, sizeof(words),
		 "[link]\nmode = transparent\n%s[uplink a]\nport = 5002\n",
		 link);
	cr_assert_null(make(words, &err), "%s", link);
	cr_assert(strstr(err.line[0], why), "%s", err.line[0]);
	err_fini(&err);
}

Test(router_rules, an_arm_that_no_router_can_serve_is_refused)
{
	refused("robot = internal\n", "stands before a robot");
	refused("robot = fe80::1\n", "link-local");
	refused("robot = 10.0.0.1\nheadset = fd00::/64\n", "one IP version");
	refused("robot = 10.0.0.1\nheadset = 10.0.0.1\n",
		"that is the robot's address");
	refused("robot = 10.0.0.1\nrobot_interface = eth0, eth1\n",
		"the name of one interface");
	refused("robot = 10.0.0.1\nheadset_interface = eth\"0\n",
		"the name of an interface");
	refused("robot = 10.0.0.1\nheadset_interface = interface-of-20-chars\n",
		"the name of an interface");
}
