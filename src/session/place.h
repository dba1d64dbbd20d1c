/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * place.h - the channels that follow one another at one place of an arm
 *
 * Floor: session.
 *
 * Where another arm has another chain, a new channel takes over what enters,
 * and the former one goes on until what waits in it has left.  So every packet
 * keeps the fate that it had.
 */
#ifndef SESSION_PLACE_H
#define SESSION_PLACE_H

#include "core/channel.h"

/* Most former channels in which something waits. */
#define FORMERS_MAX 8

struct former;

/**
 * struct place - Channels at one place; all zeros is none
 * @channel:	The one that packets enter
 * @plan:	What it was made or changed to
 * @formers:	Those before it, the oldest first
 * @keeps:	It waits for those before it
 * @last:	When the latest packet was due that was released here
 */
struct place {
	struct channel *channel;
	const struct channel_plan *plan;
	struct former *formers;
	bool keeps;
	nsec last;
};

/**
 * place_init() - Make the first channel
 * @place:	All zeros
 * @plan:	What it is made from; borrowed
 * @seed:	Seed of the trial
 *
 * Return: false if there is not the memory.
 */
bool place_init(struct place *place, const struct channel_plan *plan,
		uint64_t seed);

/**
 * place_can_follow() - Whether another channel may take over now
 * @place:	Place, held up to now
 *
 * Return: false while too many are still under way.
 */
bool place_can_follow(const struct place *place);

/**
 * place_follow() - Another channel takes over what enters from now on
 * @place:	Place
 * @channel:	Channel, as channel_new() made it; the place's from here on
 * @plan:	What it was made from; where it keeps the order, what enters it
 *		leaves when all that entered before has left
 */
void place_follow(struct place *place, struct channel *channel,
		  const struct channel_plan *plan);

/**
 * place_next() - When there is something to do or to take
 * @place:	Place
 *
 * Return: as channel_next().
 */
nsec place_next(const struct place *place);

/**
 * place_take() - Take the next settled packet
 * @place:	Place
 * @now:	Time up to which its channels act
 *
 * Return: as channel_take().
 */
struct packet *place_take(struct place *place, nsec now);

/**
 * place_hold() - As channel_hold(), for all channels here
 * @place:	Place
 * @now:	The time
 */
void place_hold(struct place *place, nsec now);

/**
 * place_flush() - As channel_flush(), for all channels here, the oldest first
 * @place:	Place
 * @by:		Reason
 */
void place_flush(struct place *place, const char *by);

/**
 * place_each() - As channel_each(), for all channels here
 * @place:	Place
 * @look:	Called for each packet
 * @context:	Handed to @look
 */
void place_each(const struct place *place,
		void (*look)(const struct packet *packet, void *context),
		void *context);

/**
 * place_load() - What is inside all channels here
 * @place:	Place
 *
 * Return: the load.
 */
struct channel_load place_load(const struct place *place);

/**
 * place_reset() - Start a trial
 * @place:	Place with nothing inside
 * @seed:	Seed of the trial
 */
void place_reset(struct place *place, uint64_t seed);

/**
 * place_fini() - Free the channels
 * @place:	Place
 */
void place_fini(struct place *place);

#endif /* SESSION_PLACE_H */
