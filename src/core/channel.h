/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * channel.h - one stream in one direction: a chain of conditions and what waits
 *
 * Floor: core.
 *
 * A channel is a machine in virtual time: packets are put in with the time at
 * which they entered, it says when it is next due, and settled packets
 * (released, suppressed or dropped) are taken out.  Each condition acts when
 * the packet reaches it: the release of one stage is the ingress of the next.
 * The whole schedule is a function of ingress times, settings and seed alone.
 */
#ifndef CORE_CHANNEL_H
#define CORE_CHANNEL_H

#include "conditions/condition.h"
#include "core/packet.h"

struct channel;

/**
 * struct stage_plan - One stage of a chain, as an arm says it
 * @name:	Name of the condition's section in the arm
 * @condition:	The condition
 * @settings:	Its settings; borrowed
 * @seed:	Seed of its stream, where @seeded
 * @seeded:	Whether the section has a seed of its own
 * @legacy:	Whether the stream is of the legacy .NET generator
 */
struct stage_plan {
	const char *name;
	const struct condition *condition;
	const void *settings;
	int64_t seed;
	bool seeded;
	bool legacy;
};

/**
 * struct channel_plan - What a channel is made from
 * @stream:	Name of the stream
 * @direction:	UPLINK or DOWNLINK
 * @chain:	Stages in order; @n_chain of them, none for the baseline
 * @tick:	Exit rounded up to multiples of it; 0: not
 * @limit_packets: Most packets inside
 * @limit_bytes: Most bytes of IP packets inside
 * @keep_order:	A change of settings lets no later packet overtake
 */
struct channel_plan {
	const char *stream;
	enum direction direction;
	const struct stage_plan *chain;
	size_t n_chain;
	nsec tick;
	int64_t limit_packets, limit_bytes;
	bool keep_order;
};

/* Most stages in a chain. */
#define CHAIN_MAX 32

/**
 * channel_new() - Make a channel, ready for a trial
 * @plan:	What it is made from; borrowed, outlives the channel
 * @seed:	Seed of the arm
 *
 * Return: the channel, or NULL if there is not the memory.
 */
struct channel *channel_new(const struct channel_plan *plan, uint64_t seed);

/**
 * channel_reset() - Start a trial: conditions and random streams as new, time 0
 * @channel:	Channel; everything inside must have been taken
 * @seed:	Seed of the arm for this trial
 */
void channel_reset(struct channel *channel, uint64_t seed);

/**
 * channel_can_adopt() - Whether other settings can be adopted now
 * @channel:	Channel
 *
 * Return: false while too many changes are still under way.
 */
bool channel_can_adopt(const struct channel *channel);

/**
 * channel_adopt() - Go on with other settings; they govern later packets only
 * @channel:	Channel that channel_can_adopt()
 * @plan:	Plan with the same stages, tick and limits; borrowed, as the one
 *		before it is until nothing queued before is left
 *
 * States and random streams go on.
 */
void channel_adopt(struct channel *channel, const struct channel_plan *plan);

/**
 * channel_put() - Hand a packet to the first condition
 * @channel:	Channel
 * @now:	When the packet entered; if that is before what the channel has
 *		already done, the packet's ingress is moved up to it
 * @packet:	Packet with @id set; the channel holds it from here on
 *
 * Never fails: what does not fit comes out as dropped.
 */
void channel_put(struct channel *channel, nsec now, struct packet *packet);

/**
 * channel_next() - When there is something to do or to take
 * @channel:	Channel
 *
 * Return: the time (in the past where something is settled), or NSEC_NEVER.
 */
nsec channel_next(const struct channel *channel);

/**
 * channel_take() - Take the next settled packet
 * @channel:	Channel
 * @now:	Time up to which the channel acts
 *
 * Return: the packet, now the caller's, with @fate, @by and @due set, or NULL.
 */
struct packet *channel_take(struct channel *channel, nsec now);

/**
 * channel_hold() - Promise that nothing enters before a time any more
 * @channel:	Channel
 * @now:	The time; what enters with an earlier one is moved up to it
 */
void channel_hold(struct channel *channel, nsec now);

/**
 * channel_flush() - Drop all that waits
 * @channel:	Channel
 * @by:		Reason: "reset" or "shutdown"
 *
 * They come out of channel_take() stage by stage from the last one, in each in
 * the order in which they would have left it.
 */
void channel_flush(struct channel *channel, const char *by);

/**
 * channel_recall() - As channel_flush(), with what is released but was not
 *	taken yet
 * @channel:	Channel whose packets were made to wait on their way out: when
 *		they would have left is not known
 * @by:		Reason
 */
void channel_recall(struct channel *channel, const char *by);

/**
 * channel_each() - Look at all that waits, in no particular order
 * @channel:	Channel
 * @look:	Called for each packet
 * @context:	Handed to @look
 */
void channel_each(const struct channel *channel,
		  void (*look)(const struct packet *packet, void *context),
		  void *context);

/**
 * struct channel_load - What is inside
 * @packets:	Packets waiting
 * @bytes:	Their bytes
 */
struct channel_load {
	int64_t packets, bytes;
};

/**
 * channel_load() - What is inside
 * @channel:	Channel
 *
 * Return: the load.
 */
struct channel_load channel_load(const struct channel *channel);

/**
 * channel_count() - What a stage's condition has counted in this trial
 * @channel:	Channel
 * @stage:	Place of the stage in the chain
 * @which:	Place in the condition's counts
 *
 * Return: the count.
 */
uint64_t channel_count(const struct channel *channel, size_t stage,
		       size_t which);

/**
 * channel_invalid() - The last delay that was not valid
 * @channel:	Channel
 * @stage:	Set to the name of the condition that asked for it
 *
 * Return: the delay.
 */
nsec channel_invalid(const struct channel *channel, const char **stage);

/**
 * channel_free() - Free a channel
 * @channel:	Channel with nothing inside that is not of the pool, or NULL
 */
void channel_free(struct channel *channel);

#endif /* CORE_CHANNEL_H */
