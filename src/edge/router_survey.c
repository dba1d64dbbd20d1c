/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_survey.c - whether packets will reach the proxy, and what else there
 *                   is
 *
 * Floor: edge.
 *
 * What is looked at are the ways in which packets were seen to go past a
 * transparent proxy, or to be lost on their way into it.
 */
#include "edge/router_survey.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge/log.h"
#include "edge/privilege.h"
#include "edge/router_claim.h"
#include "edge/router_find.h"
#include "edge/router_nft.h"

/* What a look at a machine is made with. */
struct look {
	const struct survey *survey;
	const struct router_plan *plan;
	struct netlink *netlink;
	const char *ruleset;
};

__attribute__((format(printf, 4, 5))) static void tell(const struct look *look,
						       enum severity severity,
						       const char *remedy,
						       const char *format, ...)
{
	char what[512];
	const struct finding finding = { severity, what, remedy };
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	look->survey->tell(look->survey->context, &finding);
}

/* A switch of the kernel's; -1 where it does not have it. */
static int read_switch(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
static int read_switch(const char *format, ...)
{
	char path[256];
	va_list ap;
	int value = -1;
	FILE *file;

	va_start(ap, format);
	vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

static bool is_v4(const struct look *look)
{
	return look->plan->arm->link.robot.any.sa_family == AF_INET;
}

/* br_netfilter takes frames before our socket has them. */
static void look_at_bridge(const struct look *look)
{
	const char *key = is_v4(look) ? "iptables" : "ip6tables";
	const char *bridge = look->plan->bridge;

	if (look->plan->topology != TOPOLOGY_BRIDGED)
		return;
	if (read_switch("/proc/sys/net/bridge/bridge-nf-call-%s", key) > 0)
		tell(look, SEVERITY_FAULT,
		     is_v4(look)
			     ? "sysctl -w net.bridge.bridge-nf-call-iptables=0"
			     : "sysctl -w "
			       "net.bridge.bridge-nf-call-ip6tables=0",
		     "bridge-nf-call-%s = 1: all that is diverted would be "
		     "lost",
		     key);
	else if (read_switch("/sys/class/net/%s/bridge/nf_call_%s", bridge,
			     key) > 0)
		tell(look, SEVERITY_FAULT,
		     "write 0 into nf_call_iptables and nf_call_ip6tables of "
		     "/sys/class/net/BRIDGE/bridge",
		     "nf_call_%s of %s is 1: all that is diverted would be "
		     "lost",
		     key, bridge);
	else
		tell(look, SEVERITY_GOOD, "",
		     "bridged frames pass no iptables");
}

static void look_at_forwarding(const struct look *look)
{
	int on = read_switch(
		is_v4(look) ? "/proc/sys/net/ipv4/ip_forward"
			    : "/proc/sys/net/ipv6/conf/all/forwarding");

	if (look->plan->topology != TOPOLOGY_ROUTED)
		return;
	if (on > 0)
		tell(look, SEVERITY_GOOD, "", "this machine forwards");
	else
		tell(look, SEVERITY_WARNING,
		     is_v4(look) ? "sysctl -w net.ipv4.ip_forward=1"
				 : "sysctl -w net.ipv6.conf.all.forwarding=1",
		     "this machine does not forward: TCP and what the arm "
		     "leaves alone do not pass, nor does anything after a run");
}

static void look_at_path_filter(const struct look *look)
{
	const char *name[ROUTER_INTERFACES + 1];
	size_t n = router_arrivals(look->plan, name);
	int all = read_switch("/proc/sys/net/ipv4/conf/all/rp_filter");
	int mark = read_switch("/proc/sys/net/ipv4/conf/all/src_valid_mark");

	if (!is_v4(look))
		return;
	for (size_t i = 0; i < n; i++) {
		int one = read_switch("/proc/sys/net/ipv4/conf/%s/rp_filter",
				      name[i]);

		/* the rules name the interface, so that src_valid_mark finds
		 * no way back to it under the mark
		 */
		tell(look, SEVERITY_GOOD, "",
		     "%s: rp_filter = %d, src_valid_mark = %d: both fit",
		     name[i], one > all ? one : all, mark);
	}
}

/* One interface that packets come by, or leave by. */
static void look_at_interface(const struct look *look, const char *name)
{
	char kind[32];
	struct link link;

	if (!netlink_link(look->netlink, 0, name, &link)) {
		tell(look, SEVERITY_FAULT, "see 'ip link'",
		     "%s: there is no such interface", name);
		return;
	}
	if (!link.up)
		tell(look, SEVERITY_FAULT, "ip link set INTERFACE up",
		     "%s is switched off", name);
	else if (!link.carrier)
		tell(look, SEVERITY_WARNING, "plug the cable in",
		     "%s has nobody at the other end", name);
	else
		tell(look, SEVERITY_GOOD, "", "%s is up", name);
	netlink_queue(look->netlink, link.index, kind, sizeof(kind));
	if (*kind && strcmp(kind, "noqueue") != 0 &&
	    strcmp(kind, "pfifo_fast") != 0 && strcmp(kind, "mq") != 0 &&
	    strcmp(kind, "fq_codel") != 0 && strcmp(kind, "pfifo") != 0 &&
	    strcmp(kind, "fq") != 0)
		tell(look, SEVERITY_WARNING,
		     "tc qdisc del dev INTERFACE root, unless it is meant",
		     "%s: %s queues packets too, on top of the arm", name,
		     kind);
}

static void look_at_interfaces(const struct look *look)
{
	const struct router_plan *plan = look->plan;

	for (size_t i = 0; i < plan->n_headset; i++)
		look_at_interface(look, plan->headset[i]);
	if (*plan->robot)
		look_at_interface(look, plan->robot);
	if (*plan->bridge)
		look_at_interface(look, plan->bridge);
}

/* Whether the way to an end leads by the interface that it is behind. */
static void look_at_way(const struct look *look, const char *who,
			const union address *to, const char *expected)
{
	char host[ADDRESS_TEXT];
	struct link link;
	bool local;
	int index = netlink_way_to(look->netlink, to, &local);

	address_print(to, host);
	if (!index || local || !netlink_link(look->netlink, index, NULL, &link))
		tell(look, SEVERITY_FAULT,
		     "give this machine an address in its network: ip addr add "
		     "ADDRESS/BITS dev INTERFACE; or a route: ip route add "
		     "NETWORK dev INTERFACE",
		     "there is no way to the %s %s", who, host);
	else if (strcmp(link.name, expected) != 0)
		tell(look, SEVERITY_FAULT,
		     "correct the route ('ip route get ADDRESS') or the arm's "
		     "interfaces",
		     "the way to the %s %s leads by %s, not by %s", who, host,
		     link.name, expected);
	else
		tell(look, SEVERITY_GOOD, "", "the way to the %s %s is by %s",
		     who, host, link.name);
}

static void look_at_ways(const struct look *look)
{
	const struct router_plan *plan = look->plan;
	const struct arm_link *link = &plan->arm->link;
	bool bridged = plan->topology == TOPOLOGY_BRIDGED;

	look_at_way(look, "robot", &link->robot,
		    bridged ? plan->bridge : plan->robot);
	if (link->headset.bits && !link->learn)
		look_at_way(look, "headset", &link->headset.address,
			    bridged ? plan->bridge : plan->headset[0]);
}

/* Two stations behind one port never send each other anything past us. */
static void look_at_ports(const struct look *look)
{
	const struct router_plan *plan = look->plan;
	const struct arm_link *link = &plan->arm->link;
	struct link bridge, port;
	int robot, headset = 0;

	if (plan->topology != TOPOLOGY_BRIDGED ||
	    !netlink_link(look->netlink, 0, plan->bridge, &bridge))
		return;
	robot = netlink_port_of(look->netlink, bridge.index, &link->robot);
	if (link->headset.bits && !link->learn)
		headset = netlink_port_of(look->netlink, bridge.index,
					  &link->headset.address);
	if (!robot || !headset)
		tell(look, SEVERITY_WARNING,
		     "ping both from here, then look again",
		     "the bridge has not learnt yet behind which ports headset "
		     "and robot are");
	else if (robot == headset)
		tell(look, SEVERITY_FAULT,
		     "put them on two ports: two radios, a radio and a cable, "
		     "or two VLANs",
		     "headset and robot are behind one port: their frames "
		     "never come here");
	else
		tell(look, SEVERITY_GOOD, "",
		     "headset and robot are behind two ports of %s",
		     plan->bridge);
	if (robot && *plan->robot &&
	    netlink_link(look->netlink, robot, NULL, &port) &&
	    strcmp(port.name, plan->robot) != 0)
		tell(look, SEVERITY_FAULT, "correct robot_interface",
		     "the robot is behind %s, not behind %s", port.name,
		     plan->robot);
}

/* A base chain on the way in that drops what it does not know. */
static bool has_closed_input(const char *ruleset)
{
	const char *at = ruleset;

	while ((at = strstr(at, "hook input"))) {
		size_t line = strcspn(at, "\n");
		const char *policy = strstr(at, "policy drop");

		if (policy && policy < at + line)
			return true;
		at += line;
	}
	return false;
}

static void look_at_rulesets(const struct look *look)
{
	const char *set = look->ruleset;

	if (strstr(set, "\tflowtable "))
		tell(look, SEVERITY_FAULT,
		     "switch flow offload off (on OpenWrt: Network, Firewall; "
		     "elsewhere: nft list flowtables)",
		     "there is a flow table: flows that it has taken go past "
		     "every rule");
	if (has_closed_input(set))
		tell(look, SEVERITY_WARNING,
		     "let marked packets in: nft insert rule … input meta mark "
		     "MARK accept, or iptables -I INPUT -m mark --mark MARK -j "
		     "ACCEPT, with the mark that is told below",
		     "the firewall drops what comes in for this machine unless "
		     "a rule takes it, and what is diverted comes in so");
	if (strstr(set, "masquerade") || strstr(set, "snat "))
		tell(look, SEVERITY_WARNING, "except headset and robot from it",
		     "there is address translation: where it stands between "
		     "headset and robot, each sees the other's own address in "
		     "a run, and the router's without");
}

static void look_at_rules(const struct look *look)
{
	char *room = malloc(ROUTER_TEXT);
	struct err err = { 0 };
	struct text text;

	if (!room)
		abort();
	text_init(&text, room, ROUTER_TEXT);
	router_rules(look->plan, 0, &text);
	if (!nft_try(room, &err))
		tell(look, SEVERITY_GOOD, "", "the kernel takes the rules");
	else
		tell(look, SEVERITY_FAULT,
		     "modprobe nft_tproxy nft_fib_inet, or another kernel",
		     "%s", err.n ? err.line[0] : "the rules are refused");
	err_fini(&err);
	free(room);
}

static void look_at_others(const struct look *look)
{
	struct err err = { 0 };

	if (claims_check(look->plan, &err) < 0)
		tell(look, SEVERITY_FAULT, "end it, or give it other streams",
		     "%s", err.line[0]);
	else
		tell(look, SEVERITY_GOOD, "",
		     "no other farlink has these streams");
	err_fini(&err);
}

int survey_machine(const struct arm *arm, const struct survey *survey,
		   struct router_plan *plan, struct err *err)
{
	struct look look = { .survey = survey, .plan = plan };
	char *ruleset;
	int status = -1;

	/* a run takes a port that is free then */
	*plan = (struct router_plan){ .arm = arm, .port = 10000 };
	look.netlink = netlink_open(err);
	if (!look.netlink)
		return -1;
	if (!privilege_is_enough())
		tell(&look, SEVERITY_FAULT,
		     "run as root, or give the program CAP_NET_ADMIN",
		     "no privilege to divert packets, or to see all rules");
	if (router_find(look.netlink, plan, err) < 0 ||
	    router_choose(look.netlink, plan, err) < 0)
		goto end;
	/* without privilege the library complains by itself */
	ruleset = nft_ask(privilege_is_enough() ? "list ruleset" : "");
	look.ruleset = ruleset;
	tell(&look, SEVERITY_GOOD, "", "the topology is %s",
	     plan->topology == TOPOLOGY_BRIDGED ? "bridged" : "routed");
	look_at_interfaces(&look);
	look_at_ways(&look);
	look_at_ports(&look);
	look_at_bridge(&look);
	look_at_forwarding(&look);
	look_at_path_filter(&look);
	look_at_rulesets(&look);
	look_at_others(&look);
	if (privilege_is_enough())
		look_at_rules(&look);
	free(ruleset);
	status = 0;
end:
	netlink_close(look.netlink);
	return status;
}

static void tell_start(void *context, const struct finding *finding)
{
	if (finding->severity == SEVERITY_FAULT)
		err_add_machine(context, "%s; %s", finding->what,
				finding->remedy);
	else if (finding->severity == SEVERITY_WARNING)
		log_say("warning: %s; %s", finding->what, finding->remedy);
}

int survey_start(const struct router_plan *plan, struct err *err)
{
	const struct survey survey = { tell_start, err };
	struct look look = { .survey = &survey, .plan = plan };
	size_t faults = err->n;
	char *ruleset;

	look.netlink = netlink_open(err);
	if (!look.netlink)
		return -1;
	ruleset = nft_ask("list ruleset");
	look.ruleset = ruleset;
	look_at_bridge(&look);
	look_at_forwarding(&look);
	look_at_rulesets(&look);
	free(ruleset);
	netlink_close(look.netlink);
	return err->n == faults ? 0 : -1;
}
