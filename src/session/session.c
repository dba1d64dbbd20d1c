/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * session.c - a running arm: classifier and channels, pure, in virtual time
 *
 * Floor: session.
 */
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/seed.h"

/* Packets in the hands of a front at a time, beyond those in channels. */
#define IN_HAND_PACKETS 4096
#define IN_HAND_BYTES	(256 * 65575)

#define TRIAL_MAX	128

struct session {
	const struct arm *arm;
	struct classifier *classifier;
	struct pool *pool;
	char trial[TRIAL_MAX];
	uint64_t seed, next_id;
	struct packet *aside, **aside_end; /* settled without a channel */
	size_t n_channels;
	struct channel *channel[];
};

static uint64_t seed_of(const struct session *session)
{
	uint64_t seed = (uint64_t)session->arm->general.seed;

	if (session->arm->general.trials == TRIALS_SAME)
		return seed;
	return seed_trial(seed, session->trial);
}

static void name_trial(struct session *session, const char *trial)
{
	snprintf(session->trial, sizeof(session->trial), "%s", trial);
	session->seed = seed_of(session);
	session->next_id = 0;
}

struct session *session_new(const struct arm *arm, const char *trial,
			    struct err *err)
{
	struct session *session =
		calloc(1, sizeof(*session) +
				  arm->n_channels * sizeof(struct channel *));
	uint64_t bytes = IN_HAND_BYTES, packets = IN_HAND_PACKETS;

	if (!session)
		abort();
	session->arm = arm;
	session->aside_end = &session->aside;
	name_trial(session, trial);
	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct channel_plan *plan = &arm->channel[i].plan;

		bytes += (uint64_t)plan->limit_bytes;
		packets += (uint64_t)plan->limit_packets;
		session->channel[i] = channel_new(plan, session->seed);
		if (!session->channel[i])
			goto no_memory;
		session->n_channels++;
	}
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
	channel_put(session->channel[channel], packet->ingress, packet);
}

void session_refuse(struct session *session, nsec now, enum direction direction,
		    struct packet *packet)
{
	enter(session, now, direction, packet);
	set_aside(session, packet, FATE_DROPPED, "refused");
}

/* The channel with the earliest thing to take; ties by the arm's order. */
static size_t first_channel(const struct session *session, nsec *when)
{
	size_t first = session->n_channels;

	*when = NSEC_NEVER;
	for (size_t i = 0; i < session->n_channels; i++) {
		nsec next = channel_next(session->channel[i]);

		if (next < *when) {
			*when = next;
			first = i;
		}
	}
	return first;
}

nsec session_next(const struct session *session)
{
	nsec when;

	if (session->aside)
		return session->aside->ingress;
	first_channel(session, &when);
	return when;
}

struct packet *session_take(struct session *session, nsec now)
{
	struct packet *packet = session->aside;
	nsec when;
	size_t i;

	if (packet) {
		session->aside = packet->next;
		if (!packet->next)
			session->aside_end = &session->aside;
		packet->next = NULL;
		return packet;
	}
	/* an inner stage's turn settles nothing: look again */
	while ((i = first_channel(session, &when)) < session->n_channels &&
	       when <= now) {
		packet = channel_take(session->channel[i], when);
		if (packet)
			return packet;
	}
	return NULL;
}

void session_flush(struct session *session, uint16_t channel, const char *by)
{
	channel_flush(session->channel[channel], by);
}

void session_reset(struct session *session, const char *trial)
{
	name_trial(session, trial);
	for (size_t i = 0; i < session->n_channels; i++)
		channel_reset(session->channel[i], session->seed);
}

/* Tell what two versions of a channel differ in that needs a restart. */
static void compare(const struct arm *arm, const struct arm_channel *a,
		    const struct arm_channel *b, struct err *err)
{
	const char *what = NULL;

	if (strcmp(a->plan.stream, b->plan.stream) ||
	    a->plan.direction != b->plan.direction)
		what = "the order or names of channels";
	else if (strcmp(a->port_text, b->port_text) ||
		 strcmp(a->reply_text, b->reply_text) ||
		 strcmp(a->match, b->match))
		what = "port, reply or match";
	else if (strcmp(a->to_text, b->to_text) ||
		 strcmp(a->listen_text, b->listen_text) ||
		 a->source_port != b->source_port)
		what = "to, listen or source_port";
	else if (a->plan.limit_packets != b->plan.limit_packets ||
		 a->plan.limit_bytes != b->plan.limit_bytes ||
		 a->plan.tick != b->plan.tick)
		what = "tick or limits";
	else if (a->plan.n_chain != b->plan.n_chain)
		what = "the length of the chain";
	for (size_t i = 0; !what && i < a->plan.n_chain; i++)
		if (a->plan.chain[i].condition != b->plan.chain[i].condition)
			what = "the types of the chain's conditions";
	if (what)
		err_add(err, "%s:%d: [%s %s]: a change of %s needs a restart",
			arm->file, b->line, direction_name(b->plan.direction),
			b->plan.stream, what);
}

int session_adopt(struct session *session, nsec now, const struct arm *arm,
		  struct err *err)
{
	size_t faults = err->n;

	if (arm->n_channels != session->n_channels)
		return err_add(err,
			       "%s: another number of channels needs a restart",
			       arm->file);
	if (strcmp(arm->link.robot_text, session->arm->link.robot_text) ||
	    strcmp(arm->link.headset_text, session->arm->link.headset_text) ||
	    arm->link.mode != session->arm->link.mode)
		err_add(err, "%s: a change of [link] needs a restart",
			arm->file);
	for (size_t i = 0; i < arm->n_channels; i++)
		compare(arm, &session->arm->channel[i], &arm->channel[i], err);
	if (err->n != faults)
		return -1;
	for (size_t i = 0; i < arm->n_channels; i++) {
		channel_hold(session->channel[i], now);
		if (!channel_can_adopt(session->channel[i]))
			return err_add(err,
				       "%s: too many changes are under way; "
				       "wait until what is queued has left",
				       arm->file);
	}
	for (size_t i = 0; i < arm->n_channels; i++)
		channel_adopt(session->channel[i], &arm->channel[i].plan);
	session->arm = arm;
	return 0;
}

const struct channel *session_channel(const struct session *session,
				      uint16_t channel)
{
	return session->channel[channel];
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
		channel_free(session->channel[i]);
	classifier_free(session->classifier);
	pool_free(session->pool);
	free(session);
}
