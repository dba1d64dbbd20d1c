/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * source.c - packets that were written down before: a schedule or a capture
 *
 * Floor: edge.
 */
#include "edge/source.h"

#include <stdlib.h>
#include <string.h>

#include "edge/timetable.h"

struct source {
	const struct arm *arm;
	struct timetable timetable;
	struct timetable_row row;
	struct savefile *savefile;
	struct classifier *classifier;
	const struct packet *packet;
	enum direction direction;
	nsec next;
	int64_t start;
	bool ahead, started;
	uint64_t foreign, early;
};

static struct source *source_new(const struct arm *arm)
{
	struct source *source = calloc(1, sizeof(*source));

	if (!source)
		abort();
	source->arm = arm;
	return source;
}

struct source *source_schedule(const char *name, const struct arm *arm,
			       struct err *err)
{
	struct source *source = source_new(arm);

	if (!timetable_open(&source->timetable, name, arm, err))
		return source;
	source_close(source);
	return NULL;
}

struct source *source_capture(const char *name, const struct arm *arm,
			      struct err *err)
{
	struct source *source = source_new(arm);

	source->savefile = savefile_open(name, err);
	if (source->savefile)
		source->classifier =
			classifier_new(arm->rules, arm->n_channels, err);
	if (source->classifier)
		return source;
	source_close(source);
	return NULL;
}

static bool is_robot(const struct arm *arm, const union address *address)
{
	if (arm->link.has_robot && address_same_host(&arm->link.robot, address))
		return true;
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].has_to &&
		    arm->channel[i].plan.direction == UPLINK &&
		    address_same_host(&arm->channel[i].to, address))
			return true;
	return false;
}

static bool is_headset(const struct arm *arm, const union address *address)
{
	if (arm->link.headset.bits &&
	    network_has(&arm->link.headset, address) && !is_robot(arm, address))
		return true;
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].has_to &&
		    arm->channel[i].plan.direction == DOWNLINK &&
		    address_same_host(&arm->channel[i].to, address))
			return true;
	return false;
}

/* Which way a captured packet goes; false if it is of neither side. */
static bool find_direction(struct source *source)
{
	const struct arm *arm = source->arm;
	union address from, to;

	packet_ends(source->packet, &from, &to);
	if (is_robot(arm, &to) || is_headset(arm, &from)) {
		source->direction = UPLINK;
		return true;
	}
	if (is_robot(arm, &from) || is_headset(arm, &to)) {
		source->direction = DOWNLINK;
		return true;
	}
	for (unsigned d = UPLINK; d < DIRECTIONS; d++) {
		const struct entry entry = { (enum direction)d, CHANNEL_NONE,
					     0 };

		source->direction = entry.direction;
		if (classify(source->classifier, &entry, source->packet) !=
		    CHANNEL_NONE)
			return true;
	}
	source->foreign++;
	return false;
}

static int next_captured(struct source *source, struct err *err)
{
	int64_t utc;
	nsec time;
	int got;

	do
		got = savefile_read(source->savefile, &utc, &source->packet,
				    err);
	while (got == 1 && !find_direction(source));
	if (got != 1)
		return got;
	if (!source->started) {
		source->started = true;
		source->start = utc;
	}
	time = utc - source->start;
	source->early += time < source->next;
	if (time > source->next)
		source->next = time;
	return 1;
}

nsec source_next(struct source *source, struct err *err)
{
	int got;

	if (source->ahead)
		return source->next;
	if (source->savefile) {
		got = next_captured(source, err);
	} else {
		got = timetable_read(&source->timetable, &source->row, err);
		source->next = source->row.time;
	}
	source->ahead = got == 1;
	return source->ahead ? source->next : NSEC_NEVER;
}

/* The ends of a packet that nobody sent. */
static void invent_ends(const struct arm *arm, uint16_t place,
			union address *from, union address *to)
{
	const struct arm_channel *channel = &arm->channel[place];
	const struct rule *rule = &channel->rule;
	bool uplink = channel->plan.direction == UPLINK;
	union address robot = { 0 }, headset;
	uint16_t port = 0;

	robot.any.sa_family = channel->has_to ? channel->to.any.sa_family
					      : channel->listen.any.sa_family;
	if (robot.any.sa_family == AF_INET)
		robot.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		robot.v6.sin6_addr = in6addr_loopback;
	headset = robot;
	if (uplink && channel->has_to)
		robot = channel->to;
	else if (arm->link.has_robot &&
		 arm->link.robot.any.sa_family == robot.any.sa_family)
		robot = arm->link.robot;
	if (!uplink && channel->has_to)
		headset = channel->to;
	else if (!arm->link.learn && arm->link.headset.address.any.sa_family ==
					     headset.any.sa_family)
		headset = arm->link.headset.address;
	*from = uplink ? headset : robot;
	*to = uplink ? robot : headset;
	if (rule->n_ports)
		port = rule->ports[0].lo;
	else if (rule->reply != CHANNEL_NONE)
		port = arm->rules[rule->reply].ports[0].lo;
	address_set_port(rule->n_ports ? to : from, port);
	if (!address_port(rule->n_ports ? from : to))
		address_set_port(rule->n_ports ? from : to, 49152);
}

static struct packet *make_packet(struct source *source,
				  struct session *session)
{
	const struct timetable_row *row = &source->row;
	union address from, to;
	struct packet *packet;

	invent_ends(source->arm, row->channel, &from, &to);
	packet = session_packet(session,
				packet_room(to.any.sa_family, row->size));
	if (!packet)
		return NULL;
	packet_build(packet, &from, &to, row->size);
	if (row->payload)
		memcpy(packet->ip + packet->payload, row->payload, row->size);
	else
		memset(packet->ip + packet->payload, 0, row->size);
	packet->direction =
		(uint8_t)source->arm->channel[row->channel].plan.direction;
	return packet;
}

static struct packet *copy_packet(const struct source *source,
				  struct session *session)
{
	struct packet *packet = session_packet(session, source->packet->len);

	if (!packet)
		return NULL;
	memcpy(packet->ip, source->packet->ip, source->packet->len);
	packet->payload = source->packet->payload;
	packet->direction = (uint8_t)source->direction;
	return packet;
}

bool source_put(struct source *source, struct session *session,
		void (*arrived)(void *context, const struct packet *packet,
				nsec now),
		void *context)
{
	struct packet *packet = source->savefile ? copy_packet(source, session)
						 : make_packet(source, session);

	source->ahead = false;
	if (!packet)
		return false;
	if (arrived)
		arrived(context, packet, source->next);
	if (source->savefile) {
		const struct entry entry = { source->direction, CHANNEL_NONE,
					     0 };

		session_put(session, source->next, &entry, packet);
	} else {
		session_put_channel(session, source->next, source->row.channel,
				    packet);
	}
	return true;
}

int64_t source_start(const struct source *source)
{
	return source->start;
}

uint64_t source_foreign(const struct source *source)
{
	return source->foreign;
}

uint64_t source_early(const struct source *source)
{
	return source->early;
}

struct savefile_counts source_counts(const struct source *source)
{
	if (!source->savefile)
		return (struct savefile_counts){ 0 };
	return savefile_counts(source->savefile);
}

void source_close(struct source *source)
{
	if (!source)
		return;
	timetable_close(&source->timetable);
	savefile_close(source->savefile);
	classifier_free(source->classifier);
	free(source);
}
