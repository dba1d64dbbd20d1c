/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * build.c - what sections of an arm say of each other
 *
 * Floor: session.
 */
#include "session/build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Line of a key of the section that begins in @line, for a fault. */
static int line_of(const struct build *build, int line, const char *key)
{
	const struct ini *ini = &build->arm->ini;
	const char *section = NULL;

	for (size_t i = 0; i < ini->n; i++) {
		if (!ini->row[i].key && ini->row[i].line == line)
			section = ini->row[i].section;
		if (section && ini->row[i].section == section &&
		    ini->row[i].key && !strcmp(ini->row[i].key, key))
			return ini->row[i].line;
	}
	return line;
}

void build_fault(struct build *build, int line, const char *key,
		 const char *value, const char *remedy)
{
	err_add(build->err, "%s: %s = %s: %s",
		build_where(build, line_of(build, line, key)), key, value,
		remedy);
}

static int link_line(const struct build *build)
{
	const struct ini *ini = &build->arm->ini;

	for (size_t i = 0; i < ini->n; i++)
		if (!ini->row[i].key && !strcmp(ini->row[i].section, "link"))
			return ini->row[i].line;
	return 0;
}

/* Whether an address is that of one host: neither all nor a group. */
static bool is_one_host(const union address *address)
{
	const uint8_t *v6 = address->v6.sin6_addr.s6_addr;
	uint8_t first;

	if (address->any.sa_family == AF_INET6)
		return v6[0] != 0xff &&
		       !IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr);
	memcpy(&first, &address->v4.sin_addr, 1);
	return first && first < 224;
}

void build_link(struct build *build)
{
	struct arm_link *link = &build->arm->link;
	int line = link_line(build);

	if (!strcmp(link->robot_text, "internal"))
		link->internal = true;
	else if (!strcmp(link->robot_text, "saved"))
		link->saved = true;
	else if (*link->robot_text) {
		link->has_robot =
			address_parse(link->robot_text, &link->robot) &&
			!address_port(&link->robot);
		if (!link->has_robot)
			build_fault(build, line, "robot", link->robot_text,
				    "write an IP address such as 192.168.1.20, "
				    "internal for the vehicle model, or saved");
		else if (!is_one_host(&link->robot))
			build_fault(build, line, "robot", link->robot_text,
				    "write the address of one host; broadcast "
				    "and multicast are not relayed");
	}
	link->learn = !strcmp(link->headset_text, "learn");
	if (!link->learn) {
		if (!network_parse(link->headset_text, &link->headset))
			build_fault(build, line, "headset", link->headset_text,
				    "write learn, an IP address such as "
				    "192.168.1.30, or a network such as "
				    "192.168.1.0/24");
		else if (!strchr(link->headset_text, '/') &&
			 !is_one_host(&link->headset.address))
			build_fault(build, line, "headset", link->headset_text,
				    "write the address of one host; broadcast "
				    "and multicast are not relayed");
		link->learn = strchr(link->headset_text, '/') != NULL;
	}
	link->listen.any.sa_family =
		link->has_robot ? link->robot.any.sa_family : AF_INET;
	if (*link->listen_text &&
	    (!address_parse(link->listen_text, &link->listen) ||
	     address_port(&link->listen)))
		build_fault(build, line, "listen", link->listen_text,
			    "write an IP address of this machine, such as "
			    "192.168.1.1; 0.0.0.0 is all");
	if (link->mode == MODE_TRANSPARENT)
		build_transparent(build, line);
}

/* One port or range; moves @text behind it. */
static bool read_range(const char **text, struct port_range *range,
		       const char **remedy, struct build *build)
{
	unsigned long port[2] = { 0, 0 };
	unsigned n = 0;
	char *end;

	for (;;) {
		while (isspace((unsigned char)**text))
			++*text;
		if (!isdigit((unsigned char)**text)) {
			*remedy = "write a port, a range or a list: 5002, "
				  "50100-50199";
			return false;
		}
		port[n] = strtoul(*text, &end, 10);
		*text = end;
		while (isspace((unsigned char)**text))
			++*text;
		if (port[n] == 0 || port[n] > UINT16_MAX)
			break;
		if (n == 1 || **text != '-')
			break;
		++*text;
		n = 1;
	}
	if (!n)
		port[1] = port[0];
	if (!port[1]) {
		*remedy = "a port is 1 to 65535";
		return false;
	}
	if (port[1] > UINT16_MAX) {
		char room[128];

		snprintf(room, sizeof(room),
			 "a port is 1 to 65535; a program that uses %lu is on "
			 "%lu on the wire",
			 port[1], port[1] & UINT16_MAX);
		*remedy = store_text(&build->arm->store, room);
		return false;
	}
	if (port[1] < port[0]) {
		*remedy = "a range goes upwards, such as 50100-50199";
		return false;
	}
	range->lo = (uint16_t)port[0];
	range->hi = (uint16_t)port[1];
	return true;
}

static void read_ports(struct build *build, struct arm_channel *channel)
{
	const char *text = channel->port_text, *remedy;
	struct port_range *ports = store_get(
		&build->arm->store, (strlen(text) / 2 + 1) * sizeof(*ports));

	channel->rule.ports = ports;
	for (;;) {
		if (!read_range(&text, &ports[channel->rule.n_ports], &remedy,
				build)) {
			build_fault(build, channel->line, "port",
				    channel->port_text, remedy);
			return;
		}
		channel->rule.n_ports++;
		if (!*text)
			return;
		if (*text++ != ',') {
			build_fault(build, channel->line, "port",
				    channel->port_text,
				    "write a port, a range or a list: 5002, "
				    "50100-50199");
			return;
		}
	}
}

static void read_reply(struct build *build, struct arm_channel *channel)
{
	struct arm *arm = build->arm;

	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct arm_channel *other = &arm->channel[i];

		if (other->plan.direction != channel->plan.direction &&
		    !strcmp(other->plan.stream, channel->reply_text) &&
		    *other->port_text) {
			channel->rule.reply = (uint16_t)i;
			return;
		}
	}
	build_fault(
		build, channel->line, "reply", channel->reply_text,
		channel->plan.direction == UPLINK
			? "there is no [downlink …] of this name with a port"
			: "there is no [uplink …] of this name with a port");
}

static const struct arm_condition *condition_of(const struct arm *arm,
						const char *name)
{
	for (size_t i = 0; i < arm->n_conditions; i++)
		if (!strcmp(arm->condition[i].name, name))
			return &arm->condition[i];
	return NULL;
}

static void add_stage(struct build *build, struct arm_channel *channel,
		      struct stage_plan *chain, const char *name)
{
	const struct arm_condition *as = condition_of(build->arm, name);

	if (channel->plan.n_chain == CHAIN_MAX) {
		build_fault(build, channel->line, "chain", channel->chain_text,
			    "at most 32 conditions");
		return;
	}
	if (!as) {
		err_add(build->err,
			"%s: chain = %s: there is no [condition %s]%s",
			build_where(build,
				    line_of(build, channel->line, "chain")),
			channel->chain_text, name,
			strcmp(name, channel->plan.stream)
				? ""
				: "; a chain names conditions, not streams, "
				  "and "
				  "never itself");
		return;
	}
	if (!as->condition)
		return; /* told already */
	chain[channel->plan.n_chain++] = (struct stage_plan){
		.name = as->name,
		.condition = as->condition,
		.settings = as->settings,
		.seed = as->seed,
		.seeded = as->seeded,
		.legacy = as->generator == GENERATOR_DOTNET,
	};
	if (as->generator == GENERATOR_DOTNET) {
		int64_t seed = as->seeded ? as->seed : build->arm->general.seed;

		if (seed < INT32_MIN || seed > INT32_MAX)
			err_add(build->err,
				"%s: generator = dotnet takes a seed of 32 "
				"bits, %d to %d",
				build_where(build, as->line), INT32_MIN,
				INT32_MAX);
	}
}

static void read_chain(struct build *build, struct arm_channel *channel)
{
	const char *text = channel->chain_text;
	struct stage_plan *chain;

	if (!*text)
		return;
	chain = store_get(&build->arm->store, CHAIN_MAX * sizeof(*chain));
	channel->plan.chain = chain;
	while (text) {
		const char *comma = strchr(text, ',');
		size_t len = comma ? (size_t)(comma - text) : strlen(text);
		char *name = store_get(&build->arm->store, len + 1);

		while (len && isspace((unsigned char)*text)) {
			text++;
			len--;
		}
		while (len && isspace((unsigned char)text[len - 1]))
			len--;
		memcpy(name, text, len);
		if (!len) {
			build_fault(build, channel->line, "chain",
				    channel->chain_text,
				    "a name is missing between commas");
			return;
		}
		add_stage(build, channel, chain, name);
		text = comma ? comma + 1 : NULL;
	}
}

static void read_addresses(struct build *build, struct arm_channel *channel)
{
	const struct arm_link *link = &build->arm->link;
	bool uplink = channel->plan.direction == UPLINK;

	channel->listen = link->listen;
	if (*channel->listen_text &&
	    (!address_parse(channel->listen_text, &channel->listen) ||
	     address_port(&channel->listen)))
		build_fault(build, channel->line, "listen",
			    channel->listen_text,
			    "write an IP address of this machine");
	if (*channel->to_text) {
		channel->has_to = address_parse(channel->to_text, &channel->to);
		if (!channel->has_to)
			build_fault(build, channel->line, "to",
				    channel->to_text,
				    "write ADDRESS or ADDRESS:PORT, such as "
				    "192.168.1.20:5002 or [fd00::20]:5002");
		else if (!is_one_host(&channel->to))
			build_fault(build, channel->line, "to",
				    channel->to_text,
				    "write the address of one host; broadcast "
				    "and multicast are not relayed");
		if (link->mode == MODE_TRANSPARENT)
			build_fault(
				build, channel->line, "to", channel->to_text,
				"a transparent proxy keeps destinations; leave "
				"it out");
	}
	/* what is written but wrong was told already */
	if (uplink && !*channel->to_text && !*link->robot_text)
		err_add(build->err,
			"%s: [uplink %s] does not know where the robot is; "
			"write robot = ADDRESS in [link], or to = "
			"ADDRESS:PORT here",
			build_where(build, channel->line),
			channel->plan.stream);
}

/* Whether a channel takes all packets that come in at these ports, or as the
 * same reply (@range NULL).
 */
static bool takes_all(const struct arm_channel *channel,
		      const struct arm_channel *from,
		      const struct port_range *range)
{
	const struct rule *rule = &channel->rule;

	if (rule->direction != from->rule.direction || rule->match ||
	    rule->reply != from->rule.reply)
		return false;
	for (size_t i = 0; range && i < rule->n_ports; i++)
		if (rule->ports[i].lo <= range->lo &&
		    rule->ports[i].hi >= range->hi)
			return true;
	return !range;
}

/* The first channel that takes them all before @channel sees one, or NULL. */
static const struct arm_channel *taker_of(const struct build *build,
					  const struct arm_channel *channel,
					  const struct port_range *range)
{
	const struct arm_channel *other = build->arm->channel;

	while (other < channel && !takes_all(other, channel, range))
		other++;
	return other < channel ? other : NULL;
}

/* Earlier channels without a match hide a later one of the same ports. */
static void check_hidden(struct build *build, const struct arm_channel *channel)
{
	const struct arm_channel *other = NULL;

	if (channel->rule.reply != CHANNEL_NONE)
		other = taker_of(build, channel, NULL);
	for (size_t i = 0; i < channel->rule.n_ports; i++) {
		other = taker_of(build, channel, &channel->rule.ports[i]);
		if (!other)
			return;
	}
	if (other)
		err_add(build->err,
			"%s: nothing reaches [%s %s]: [%s %s] in line %d has "
			"the port and no match; put the one with a match first",
			build_where(build, channel->line),
			direction_name(channel->plan.direction),
			channel->plan.stream,
			direction_name(other->plan.direction),
			other->plan.stream, other->line);
}

static void build_channel(struct build *build, struct arm_channel *channel)
{
	struct arm *arm = build->arm;

	channel->plan.tick = arm->general.tick;
	channel->plan.limit_bytes = channel->limit_bits / 8;
	channel->plan.keep_order = channel->on_change == CHANGE_KEEP_ORDER;
	channel->rule.direction = channel->plan.direction;
	channel->rule.reply = CHANNEL_NONE;
	channel->rule.where =
		build_where(build, line_of(build, channel->line, "match"));
	if (*channel->match)
		channel->rule.match = channel->match;
	if (!*channel->port_text == !*channel->reply_text)
		err_add(build->err,
			"%s: [%s %s] needs either a port or a reply",
			build_where(build, channel->line),
			direction_name(channel->plan.direction),
			channel->plan.stream);
	else if (*channel->port_text)
		read_ports(build, channel);
	else
		read_reply(build, channel);
	read_addresses(build, channel);
	read_chain(build, channel);
	check_hidden(build, channel);
}

/* Streams of one port come from one socket, as the robot sees it: so they go
 * on from one, and an answer answers them all.
 */
static void find_shared(struct arm *arm, size_t i)
{
	struct arm_channel *channel = &arm->channel[i];
	const struct rule *rule = &channel->rule;

	channel->shares = (uint16_t)i;
	for (size_t n = 0; n < i && rule->n_ports; n++) {
		const struct arm_channel *other = &arm->channel[n];

		if (other->rule.direction != rule->direction ||
		    other->rule.n_ports != rule->n_ports ||
		    memcmp(other->rule.ports, rule->ports,
			   rule->n_ports * sizeof(*rule->ports)) != 0 ||
		    other->source_port != channel->source_port ||
		    strcmp(other->to_text, channel->to_text) != 0 ||
		    strcmp(other->listen_text, channel->listen_text) != 0)
			continue;
		channel->shares = (uint16_t)n;
		return;
	}
}

void build_channels(struct build *build)
{
	struct arm *arm = build->arm;
	struct classifier *classifier;

	if (!arm->n_channels)
		err_add(build->err,
			"%s: no channel; write at least one [uplink NAME] or "
			"[downlink NAME] with a port",
			arm->file);
	for (size_t i = 0; i < arm->n_channels; i++)
		build_channel(build, &arm->channel[i]);
	for (size_t i = 0; i < arm->n_channels; i++)
		find_shared(arm, i);
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].rule.reply != CHANNEL_NONE)
			arm->channel[i].rule.reply =
				arm->channel[arm->channel[i].rule.reply].shares;
	arm->rules =
		store_get(&arm->store, arm->n_channels * sizeof(*arm->rules));
	for (size_t i = 0; i < arm->n_channels; i++)
		arm->rules[i] = arm->channel[i].rule;
	classifier = classifier_new(arm->rules, arm->n_channels, build->err);
	classifier_free(classifier);
}

void build_warnings(struct build *build)
{
	const struct arm *arm = build->arm;

	for (size_t i = 0; i < arm->n_conditions; i++) {
		bool named = false;

		for (size_t c = 0; c < arm->n_channels; c++)
			for (size_t s = 0; s < arm->channel[c].plan.n_chain;
			     s++)
				named |= arm->channel[c].plan.chain[s].name ==
					 arm->condition[i].name;
		if (!named)
			err_add(build->warnings,
				"%s: no chain names [condition %s]",
				build_where(build, arm->condition[i].line),
				arm->condition[i].name);
	}
}
