/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * session.c - a running arm: classifier and channels, pure, in virtual time
 *
 * Floor: session.
 */
#include "session/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/seed.h"

/* Packets in the hands of a front at a time, beyond those in channels. */
#define IN_HAND_PACKETS 4096
#define IN_HAND_BYTES	(256 * 65575)

uint64_t session_seed_of(const struct session *session, const struct arm *arm)
{
	uint64_t seed = (uint64_t)arm->general.seed;

	if (arm->general.trials == TRIALS_SAME)
		return seed;
	return seed_trial(seed, session->trial);
}

static void name_trial(struct session *session, const char *trial)
{
	snprintf(session->trial, sizeof(session->trial), "%s", trial);
	session->seed = session_seed_of(session, session->arm);
	session->next_id = 0;
	session->retired = false;
}

void session_limits(const struct arm *arm, uint64_t *bytes, uint64_t *packets)
{
	*bytes = *packets = 0;
	for (size_t i = 0; i < arm->n_channels; i++) {
		*bytes += (uint64_t)arm->channel[i].plan.limit_bytes;
		*packets += (uint64_t)arm->channel[i].plan.limit_packets;
	}
}

struct session *session_new(const struct arm *arm, const char *trial,
			    struct err *err)
{
	struct session *session = calloc(
		1, sizeof(*session) + arm->n_channels * sizeof(struct place));
	uint64_t bytes, packets;

	if (!session)
		abort();
	session->arm = arm;
	session->aside_end = &session->aside;
	name_trial(session, trial);
	for (size_t i = 0; i < arm->n_channels; i++) {
		/* counted before it is whole, so that it is always freed */
		session->n_channels++;
		if (!place_init(&session->place[i], &arm->channel[i].plan,
				session->seed))
			goto no_memory;
	}
	session->exit = calloc(arm->n_channels + 1, sizeof(*session->exit));
	if (!session->exit)
		goto no_memory;
	exit_reset(session);
	session_limits(arm, &session->limit_bytes, &session->limit_packets);
	/* twice: what waits under an arm, and under the one after it */
	bytes = 2 * session->limit_bytes + IN_HAND_BYTES;
	packets = 2 * session->limit_packets + IN_HAND_PACKETS;
	session->pool = pool_new(bytes, packets);
	if (!session->pool)
		goto no_memory;
	session->classifier = classifier_new(arm->rules, arm->n_channels, err);
	if (session->classifier)
		return session;
	session_free(session);
	return NULL;
no_memory:
	err_add_machine(err,
			"%s: not enough memory for its limits; lower "
			"limit_packets and limit_bytes",
			arm->file);
	session_free(session);
	return NULL;
}

struct packet *session_packet(struct session *session, uint32_t len)
{
	return pool_get(session->pool, len);
}

void session_give(struct session *session, struct packet *packet)
{
	pool_put(session->pool, packet);
}

/* Settle a packet that no channel has. */
static void set_aside(struct session *session, struct packet *packet,
		      enum fate fate, const char *by)
{
	packet->channel = CHANNEL_NONE;
	packet->fate = (uint8_t)fate;
	packet->by = by;
	packet->due = fate == FATE_FORWARDED ? packet->ingress : NSEC_NEVER;
	packet->next = NULL;
	*session->aside_end = packet;
	session->aside_end = &packet->next;
}

static void enter(struct session *session, nsec now, enum direction direction,
		  struct packet *packet)
{
	packet->id = session->next_id++;
	packet->ingress = now < 0 ? 0 : now;
	packet->direction = (uint8_t)direction;
}

uint16_t session_put(struct session *session, nsec now,
		     const struct entry *entry, struct packet *packet)
{
	uint16_t channel = classify(session->classifier, entry, packet);

	if (channel != CHANNEL_NONE) {
		session_put_channel(session, now, channel, packet);
		return channel;
	}
	enter(session, now, entry->direction, packet);
	if (session->arm->general.unmatched == UNMATCHED_FORWARD)
		set_aside(session, packet, FATE_FORWARDED, "");
	else
		set_aside(session, packet, FATE_DROPPED, "unmatched");
	return CHANNEL_NONE;
}

void session_put_channel(struct session *session, nsec now, uint16_t channel,
			 struct packet *packet)
{
	enter(session, now, session->arm->channel[channel].plan.direction,
	      packet);
	packet->channel = channel;
	channel_put(session->place[channel].channel, packet->ingress, packet);
}

void session_refuse(struct session *session, nsec now, enum direction direction,
		    struct packet *packet)
{
	enter(session, now, direction, packet);
	set_aside(session, packet, FATE_DROPPED, "refused");
}

void session_inject(struct session *session, nsec now, const char *by)
{
	const struct arm *arm = session->arm;
	const struct arm_safety *safety = &arm->safety;
	const struct arm_channel *channel = &arm->channel[safety->channel];
	union address to = arm->link.robot, from;
	uint32_t len = (uint32_t)strlen(safety->stop);
	struct packet *packet;

	if (channel->has_to)
		to = channel->to;
	else if (!arm->link.has_robot)
		(void)address_parse("127.0.0.1", &to);
	if (!channel->has_to || !address_port(&to))
		address_set_port(&to, channel->rule.ports[0].lo);
	from = to;
	packet = session_packet(session, packet_room(to.any.sa_family, len));
	if (!packet)
		return; /* the pool is sized so that this cannot be */
	packet_build(packet, &from, &to, len);
	memcpy(packet->ip + packet->payload, safety->stop, len);
	packet->way = WAY_INSIDE;
	enter(session, now, UPLINK, packet);
	set_aside(session, packet, FATE_INJECTED, by);
	packet->channel = safety->channel;
	packet->due = packet->ingress;
}

void session_hold(struct session *session, enum direction direction, nsec now)
{
	for (size_t i = 0; i < session->n_channels; i++)
		if (session->arm->channel[i].plan.direction == direction)
			place_hold(&session->place[i], now);
}

/* The channel with the earliest thing to take; ties by the arm's order. */
static size_t first_channel(const struct session *session, nsec *when)
{
	size_t first = session->n_channels;

	*when = NSEC_NEVER;
	for (size_t i = 0; i < session->n_channels; i++) {
		nsec next = place_next(&session->place[i]);

		if (next < *when) {
			*when = next;
			first = i;
		}
	}
	return first;
}

/* What happens first, and when: in a channel, or among those who live here. */
static enum robot_event first_event(const struct session *session, nsec *when,
				    size_t *channel)
{
	enum robot_event event;
	nsec next;

	*channel = first_channel(session, when);
	if (!session->robot || session->retired)
		return ROBOT_CHANNEL;
	next = robot_next(session->robot, &event);
	if (next > *when || next == NSEC_NEVER ||
	    (next == *when && event > ROBOT_CHANNEL))
		return ROBOT_CHANNEL;
	*when = next;
	return event;
}

nsec session_next(const struct session *session)
{
	nsec when;
	size_t channel;

	if (session->aside)
		return session->aside->ingress;
	(void)first_event(session, &when, &channel);
	return when;
}

static struct packet *take_aside(struct session *session)
{
	struct packet *packet = session->aside;

	session->aside = packet->next;
	if (!packet->next)
		session->aside_end = &session->aside;
	packet->next = NULL;
	return packet;
}

/* The next of a channel; a copy that goes with it is set aside. */
static struct packet *take_from(struct session *session, size_t i, nsec when)
{
	struct packet *packet = place_take(&session->place[i], when), *copy;

	if (!packet || packet->fate != FATE_RELEASED)
		return packet;
	copy = exit_apply(session, packet);
	if (copy) {
		*session->aside_end = copy;
		session->aside_end = &copy->next;
	}
	return packet;
}

struct packet *session_take(struct session *session, nsec now)
{
	struct packet *packet = NULL;
	enum robot_event event;
	nsec when;
	size_t i;

	while (!packet) {
		if (session->aside) {
			packet = take_aside(session);
			break;
		}
		event = first_event(session, &when, &i);
		if (when == NSEC_NEVER || when > now)
			return NULL;
		/* an inner stage's turn settles nothing: look again */
		if (event == ROBOT_CHANNEL)
			packet = take_from(session, i, when);
		else
			robot_turn(session->robot, session);
	}
	if (session->robot &&
	    (packet->fate == FATE_RELEASED || packet->fate == FATE_FORWARDED ||
	     packet->fate == FATE_INJECTED))
		robot_released(session->robot, packet);
	return packet;
}

void session_flush(struct session *session, uint16_t channel, const char *by)
{
	place_flush(&session->place[channel], by);
}

void session_reset(struct session *session, const char *trial)
{
	name_trial(session, trial);
	for (size_t i = 0; i < session->n_channels; i++)
		place_reset(&session->place[i], session->seed);
	exit_reset(session);
	if (session->robot)
		robot_reset(session->robot, session->seed);
}

int session_inhabit(struct session *session, const struct session_plan *plan,
		    struct err *err)
{
	session->robot = robot_new(session->arm, plan, session->seed, err);
	return session->robot ? 0 : -1;
}

bool session_is_driven(const struct session *session)
{
	for (size_t i = 0; i < session->n_channels; i++)
		if (session->arm->channel[i].plan.direction == UPLINK &&
		    place_load(&session->place[i]).packets)
			return true;
	return robot_drives(session->robot);
}

bool session_is_scripted(const struct session *session)
{
	return robot_drives(session->robot);
}

void session_end_script(struct session *session)
{
	if (session->robot)
		robot_end_script(session->robot);
}

void session_retire(struct session *session)
{
	session->retired = true;
}

const struct vehicle *session_vehicle(const struct session *session)
{
	return robot_vehicle(session->robot);
}

const struct reconstruction *session_view(const struct session *session)
{
	return robot_view(session->robot);
}

const struct channel *session_channel(const struct session *session,
				      uint16_t channel)
{
	return session->place[channel].channel;
}

struct channel_load session_load(const struct session *session,
				 uint16_t channel)
{
	return place_load(&session->place[channel]);
}

void session_each(const struct session *session, uint16_t channel,
		  void (*look)(const struct packet *packet, void *context),
		  void *context)
{
	place_each(&session->place[channel], look, context);
}

const struct arm *session_arm(const struct session *session)
{
	return session->arm;
}

const char *session_trial(const struct session *session)
{
	return session->trial;
}

uint64_t session_seed(const struct session *session)
{
	return session->seed;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	for (size_t i = 0; i < session->n_channels; i++)
		place_fini(&session->place[i]);
	classifier_free(session->classifier);
	robot_free(session->robot);
	pool_free(session->pool);
	exit_fini(session);
	free(session->exit);
	free(session);
}
