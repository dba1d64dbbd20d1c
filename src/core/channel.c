/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * channel.c - one stream in one direction: a chain of conditions and what waits
 *
 * Floor: core.
 *
 * How it works
 *
 * Each stage has a schedule: it holds the packets that the stage has delayed,
 * until they go on to the next stage or, behind the last one, out.  To act up
 * to a time is to take the least (time, id) of all stages again and again.  A
 * stage that adds no time passes the packet on within the same step.
 *
 * Putting a packet first acts up to its ingress.  So the state of every stage
 * and the count against the limits depend on ingress times only, not on when
 * the program woke up: a live run and its re-derivation do the same steps.  For
 * the same reason a packet cannot enter before what was done already: @horizon.
 *
 * A change of settings opens a new generation.  A packet keeps the generation
 * in which it entered to its end; states and random streams are common to all.
 */
#include "core/channel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/schedule.h"
#include "core/seed.h"

#define GENERATIONS 8

struct stage {
	void *state;
	struct rng rng;
	struct schedule waiting;
	nsec latest[GENERATIONS]; /* release out of it, of each generation */
};

struct generation {
	const struct channel_plan *plan;
	uint64_t age; /* greater is later */
	int64_t packets;
};

struct channel {
	struct generation generation[GENERATIONS];
	unsigned current;
	size_t n_stages;
	nsec horizon;
	uint32_t entered;
	int64_t packets, bytes;
	struct packet *settled, **settled_end;
	nsec invalid_delay;
	const char *invalid_by;
	struct stage stage[];
};

static const struct channel_plan *plan_of(const struct channel *channel)
{
	return channel->generation[channel->current].plan;
}

struct channel *channel_new(const struct channel_plan *plan, uint64_t seed)
{
	struct channel *channel = calloc(
		1, sizeof(*channel) + plan->n_chain * sizeof(struct stage));

	if (!channel)
		return NULL;
	channel->settled_end = &channel->settled;
	channel->generation[0].plan = plan;
	for (size_t i = 0; i < plan->n_chain; i++) {
		struct stage *stage = &channel->stage[i];
		size_t size = plan->chain[i].condition->state_size;

		/* counted before it is whole, so that it is always freed */
		channel->n_stages++;
		stage->state = calloc(1, size ? size : 1);
		if (!stage->state ||
		    !schedule_init(&stage->waiting,
				   (size_t)plan->limit_packets)) {
			channel_free(channel);
			return NULL;
		}
	}
	channel_reset(channel, seed);
	return channel;
}

static void seed_stage(struct stage *stage, const struct channel_plan *plan,
		       size_t position, uint64_t seed)
{
	const struct stage_plan *as = &plan->chain[position];
	char key[256];

	if (as->legacy) {
		seed_legacy(&stage->rng,
			    (int32_t)(as->seeded ? as->seed : (int64_t)seed));
		return;
	}
	if (as->seeded)
		snprintf(key, sizeof(key), "%" PRId64, as->seed);
	else
		snprintf(key, sizeof(key), "%" PRIu64 "/%s/%s/%zu", seed,
			 plan->direction == UPLINK ? "uplink" : "downlink",
			 plan->stream, position);
	seed_key(&stage->rng, seed_hash(key));
}

void channel_reset(struct channel *channel, uint64_t seed)
{
	const struct channel_plan *plan = plan_of(channel);

	channel->horizon = 0;
	channel->entered = 0;
	for (size_t i = 0; i < channel->n_stages; i++) {
		struct stage *stage = &channel->stage[i];
		const struct stage_plan *as = &plan->chain[i];
		const struct turn turn = { .settings = as->settings,
					   .state = stage->state,
					   .rng = &stage->rng };

		memset(stage->latest, 0, sizeof(stage->latest));
		seed_stage(stage, plan, i, seed);
		memset(stage->state, 0, as->condition->state_size);
		if (as->condition->reset)
			as->condition->reset(&turn);
	}
}

/* A generation that nothing is left of, or GENERATIONS. */
static unsigned free_generation(const struct channel *channel)
{
	unsigned i = 0;

	while (i < GENERATIONS &&
	       (i == channel->current || channel->generation[i].packets))
		i++;
	return i;
}

bool channel_can_adopt(const struct channel *channel)
{
	return free_generation(channel) < GENERATIONS;
}

void channel_adopt(struct channel *channel, const struct channel_plan *plan)
{
	uint64_t age = channel->generation[channel->current].age + 1;

	channel->current = free_generation(channel);
	channel->generation[channel->current].plan = plan;
	channel->generation[channel->current].age = age;
	for (size_t i = 0; i < channel->n_stages; i++)
		channel->stage[i].latest[channel->current] = 0;
}

/* When a packet leaves that is through with its last stage at @due. */
static nsec exit_time(const struct channel *channel, nsec due)
{
	nsec tick = plan_of(channel)->tick;

	if (!tick || due % tick == 0)
		return due;
	return due + tick - due % tick;
}

/* The packet is through: @when orders it among what the channels settled. */
static void settle(struct channel *channel, struct packet *packet,
		   enum fate fate, const char *by, nsec when)
{
	packet->fate = (uint8_t)fate;
	packet->by = by;
	packet->due = when;
	packet->next = NULL;
	*channel->settled_end = packet;
	channel->settled_end = &packet->next;
}

static void leave(struct channel *channel, struct packet *packet)
{
	channel->packets--;
	channel->bytes -= packet->len;
	channel->generation[packet->chain].packets--;
}

/* One stage's answer for a packet that reached it at @now. */
static nsec ask(struct channel *channel, const struct stage_plan *as,
		struct stage *stage, const struct packet *packet, nsec now)
{
	const struct turn turn = { .settings = as->settings,
				   .state = stage->state,
				   .rng = &stage->rng,
				   .now = now,
				   .payload = packet->ip + packet->payload,
				   .payload_bytes =
					   packet_payload_bytes(packet),
				   .ip_bytes = packet->len };
	nsec delay = as->condition->apply(&turn);

	if (delay != DELAY_SUPPRESS && (delay < 0 || delay > DELAY_MAX)) {
		channel->invalid_delay = delay;
		channel->invalid_by = as->name;
		delay = DELAY_INVALID;
	}
	return delay;
}

/* Not before what older generations that still wait have sent out of it. */
static nsec behind_older(const struct channel *channel,
			 const struct stage *stage,
			 const struct generation *own, nsec due)
{
	for (unsigned i = 0; i < GENERATIONS; i++) {
		const struct generation *other = &channel->generation[i];

		if (other->packets && other->age < own->age &&
		    due < stage->latest[i])
			due = stage->latest[i];
	}
	return due;
}

/* The release out of a stage, with the order kept over a change. */
static nsec release_of(struct channel *channel, struct stage *stage,
		       const struct packet *packet, nsec due)
{
	const struct generation *own = &channel->generation[packet->chain];

	/* what has left cannot be overtaken, so only others inside count */
	if (own->plan->keep_order && own->packets != channel->packets)
		due = behind_older(channel, stage, own, due);
	if (due > stage->latest[packet->chain])
		stage->latest[packet->chain] = due;
	return due;
}

/* A packet goes through the stages from its own on, beginning at @now. */
static void run(struct channel *channel, struct packet *packet, nsec now)
{
	const struct channel_plan *plan =
		channel->generation[packet->chain].plan;

	for (; packet->stage < channel->n_stages; packet->stage++) {
		struct stage *stage = &channel->stage[packet->stage];
		const struct stage_plan *as = &plan->chain[packet->stage];
		nsec due, delay = ask(channel, as, stage, packet, now);

		if (delay < 0) {
			leave(channel, packet);
			if (delay == DELAY_SUPPRESS)
				settle(channel, packet, FATE_SUPPRESSED,
				       as->name, now);
			else
				settle(channel, packet, FATE_DROPPED, "invalid",
				       now);
			return;
		}
		due = release_of(channel, stage, packet, now + delay);
		/* in the middle of a trial the last stage's schedule keeps
		 * the order even of what it passes at once
		 */
		if (due == now && (packet->stage + 1u < channel->n_stages ||
				   now == packet->ingress))
			continue;
		packet->due = due;
		packet->stage++;
		schedule_put(&stage->waiting, packet);
		return;
	}
	leave(channel, packet);
	settle(channel, packet, FATE_RELEASED, "", now);
}

/* When a stage has something to do. */
static nsec stage_next(const struct channel *channel, size_t i)
{
	nsec next = schedule_next(&channel->stage[i].waiting);

	if (next != NSEC_NEVER && i + 1 == channel->n_stages)
		next = exit_time(channel, next);
	return next;
}

/* The stage with the least (time, id), or n_stages. */
static size_t first_stage(const struct channel *channel, nsec *when)
{
	size_t first = channel->n_stages;

	*when = NSEC_NEVER;
	for (size_t i = 0; i < channel->n_stages; i++) {
		nsec next = stage_next(channel, i);

		if (next > *when || next == NSEC_NEVER)
			continue;
		if (next == *when &&
		    schedule_first(&channel->stage[i].waiting)->id >
			    schedule_first(&channel->stage[first].waiting)->id)
			continue;
		first = i;
		*when = next;
	}
	return first;
}

/* Do all that is due up to @now. */
static void advance(struct channel *channel, nsec now)
{
	size_t i;
	nsec when;

	while ((i = first_stage(channel, &when)) < channel->n_stages &&
	       when <= now) {
		struct packet *packet =
			schedule_take(&channel->stage[i].waiting);

		channel->horizon = when;
		run(channel, packet, when);
	}
}

void channel_hold(struct channel *channel, nsec now)
{
	advance(channel, now);
	if (channel->horizon < now)
		channel->horizon = now;
}

void channel_put(struct channel *channel, nsec now, struct packet *packet)
{
	const struct channel_plan *plan = plan_of(channel);

	if (now < channel->horizon)
		now = channel->horizon;
	channel_hold(channel, now);
	packet->ingress = now;
	packet->place = ++channel->entered;
	packet->stage = 0;
	packet->chain = (uint16_t)channel->current;
	if (channel->packets >= plan->limit_packets ||
	    channel->bytes + packet->len > plan->limit_bytes) {
		settle(channel, packet, FATE_DROPPED, "limit", now);
		return;
	}
	channel->packets++;
	channel->bytes += packet->len;
	channel->generation[channel->current].packets++;
	run(channel, packet, now);
}

nsec channel_next(const struct channel *channel)
{
	nsec when;

	if (channel->settled) /* what was dropped has nothing to wait for */
		return channel->settled->fate == FATE_RELEASED
			       ? channel->settled->due
			       : 0;
	first_stage(channel, &when);
	return when;
}

struct packet *channel_take(struct channel *channel, nsec now)
{
	struct packet *packet;

	if (!channel->settled)
		advance(channel, now);
	packet = channel->settled;
	if (!packet)
		return NULL;
	channel->settled = packet->next;
	if (!packet->next)
		channel->settled_end = &channel->settled;
	packet->next = NULL;
	/* a time to leave is known only behind the last stage */
	if (packet->fate != FATE_RELEASED &&
	    (packet->stage < channel->n_stages || !channel->n_stages))
		packet->due = NSEC_NEVER;
	return packet;
}

void channel_flush(struct channel *channel, const char *by)
{
	for (size_t i = channel->n_stages; i-- > 0;) {
		struct packet *packet;
		nsec when = stage_next(channel, i);

		while ((packet = schedule_take(&channel->stage[i].waiting))) {
			leave(channel, packet);
			settle(channel, packet, FATE_DROPPED, by, when);
			when = stage_next(channel, i);
		}
	}
}

void channel_recall(struct channel *channel, const char *by)
{
	channel_flush(channel, by);
	for (struct packet *packet = channel->settled; packet;
	     packet = packet->next) {
		if (packet->fate != FATE_RELEASED && packet->by != by)
			continue;
		packet->fate = FATE_DROPPED;
		packet->by = by;
		packet->due = NSEC_NEVER;
	}
}

void channel_each(const struct channel *channel,
		  void (*look)(const struct packet *packet, void *context),
		  void *context)
{
	for (size_t i = 0; i < channel->n_stages; i++) {
		const struct schedule *waiting = &channel->stage[i].waiting;

		for (size_t n = 0; n < waiting->ring_n; n++) {
			size_t at = (waiting->head + n) % waiting->capacity;

			look(waiting->ring[at].packet, context);
		}
		for (size_t n = 0; n < waiting->heap_n; n++)
			look(waiting->heap[n].packet, context);
	}
}

struct channel_load channel_load(const struct channel *channel)
{
	return (struct channel_load){ channel->packets, channel->bytes };
}

uint64_t channel_count(const struct channel *channel, size_t stage,
		       size_t which)
{
	uint64_t count;

	/* a state begins with its counts: see condition.h */
	memcpy(&count,
	       (const uint8_t *)channel->stage[stage].state +
		       which * sizeof(count),
	       sizeof(count));
	return count;
}

nsec channel_invalid(const struct channel *channel, const char **stage)
{
	*stage = channel->invalid_by;
	return channel->invalid_delay;
}

void channel_free(struct channel *channel)
{
	if (!channel)
		return;
	for (size_t i = 0; i < channel->n_stages; i++) {
		free(channel->stage[i].state);
		schedule_fini(&channel->stage[i].waiting);
	}
	free(channel);
}
