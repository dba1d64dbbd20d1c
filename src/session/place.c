/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * place.c - the channels that follow one another at one place of an arm
 *
 * Floor: session.
 *
 * How it works
 *
 * A channel that keeps the order is not asked while anything is left in one
 * before it; what it settled meanwhile is then due when the last of those was.
 * All of it follows from scheduled times, so a record can be derived again.
 */
#include "session/place.h"

#include <stdlib.h>

struct former {
	struct former *next;
	struct channel *channel;
	bool keeps; /* the order: it waits for those before it */
};

bool place_init(struct place *place, const struct channel_plan *plan,
		uint64_t seed)
{
	place->plan = plan;
	place->channel = channel_new(plan, seed);
	return place->channel != NULL;
}

static bool is_empty(const struct channel *channel)
{
	return channel_next(channel) == NSEC_NEVER;
}

/* Free the former channels that have nothing left: all of them, or none yet. */
static void free_empty(struct place *place)
{
	struct former **link = &place->formers, *former;

	while ((former = *link)) {
		if (!is_empty(former->channel)) {
			link = &former->next;
			continue;
		}
		*link = former->next;
		channel_free(former->channel);
		free(former);
	}
}

bool place_can_follow(const struct place *place)
{
	unsigned n = 0;

	for (const struct former *former = place->formers; former;
	     former = former->next)
		n += channel_load(former->channel).packets != 0;
	return n < FORMERS_MAX;
}

void place_follow(struct place *place, struct channel *channel,
		  const struct channel_plan *plan)
{
	struct former *former = calloc(1, sizeof(*former)), **end;

	if (!former)
		abort();
	free_empty(place);
	former->channel = place->channel;
	former->keeps = place->keeps;
	for (end = &place->formers; *end; end = &(*end)->next)
		;
	*end = former;
	place->channel = channel;
	place->plan = plan;
	place->keeps = plan->keep_order;
}

/* What is next at a place. */
struct next {
	nsec when;
	struct channel *channel;
	bool keeps;
};

/* Whether a channel is next; whether anything is left in it. */
static bool consider(struct next *next, const struct place *place,
		     struct channel *channel, bool keeps, bool left)
{
	nsec when = channel_next(channel);

	if (when == NSEC_NEVER || (keeps && left))
		return left || when != NSEC_NEVER;
	/* what waited for another is due with the last of it; at 0 is what has
	 * nothing to wait for
	 */
	if (keeps && when && when < place->last)
		when = place->last;
	if (when < next->when)
		*next = (struct next){ when, channel, keeps };
	return true;
}

/* The older one first at equal times. */
static struct next first(const struct place *place)
{
	struct next next = { .when = NSEC_NEVER };
	bool left = false;

	for (const struct former *former = place->formers; former;
	     former = former->next)
		left = consider(&next, place, former->channel, former->keeps,
				left);
	(void)consider(&next, place, place->channel, place->keeps, left);
	return next;
}

nsec place_next(const struct place *place)
{
	return first(place).when;
}

struct packet *place_take(struct place *place, nsec now)
{
	struct next next = first(place);
	struct packet *packet;

	if (!next.channel || next.when > now)
		return NULL;
	packet = channel_take(next.channel, next.when);
	if (!packet || packet->fate != FATE_RELEASED)
		return packet;
	if (packet->due > place->last)
		place->last = packet->due;
	else if (next.keeps)
		packet->due = place->last;
	return packet;
}

void place_hold(struct place *place, nsec now)
{
	for (struct former *former = place->formers; former;
	     former = former->next)
		channel_hold(former->channel, now);
	channel_hold(place->channel, now);
}

/* What waits for those before it is inside still, though its own channel is
 * through with it.  Return: whether anything was left in any so far.
 */
static bool flush_one(struct channel *channel, bool keeps, bool left,
		      const char *by)
{
	bool any = channel_next(channel) != NSEC_NEVER;

	if (keeps && left)
		channel_recall(channel, by);
	else
		channel_flush(channel, by);
	return left || any;
}

void place_flush(struct place *place, const char *by)
{
	bool left = false;

	for (struct former *former = place->formers; former;
	     former = former->next)
		left = flush_one(former->channel, former->keeps, left, by);
	(void)flush_one(place->channel, place->keeps, left, by);
}

void place_each(const struct place *place,
		void (*look)(const struct packet *packet, void *context),
		void *context)
{
	for (const struct former *former = place->formers; former;
	     former = former->next)
		channel_each(former->channel, look, context);
	channel_each(place->channel, look, context);
}

struct channel_load place_load(const struct place *place)
{
	struct channel_load load = channel_load(place->channel);

	for (const struct former *former = place->formers; former;
	     former = former->next) {
		struct channel_load other = channel_load(former->channel);

		load.packets += other.packets;
		load.bytes += other.bytes;
	}
	return load;
}

void place_reset(struct place *place, uint64_t seed)
{
	free_empty(place);
	place->last = 0;
	channel_reset(place->channel, seed);
}

void place_fini(struct place *place)
{
	struct former *former, *next;

	for (former = place->formers; former; former = next) {
		next = former->next;
		channel_free(former->channel);
		free(former);
	}
	channel_free(place->channel);
}
