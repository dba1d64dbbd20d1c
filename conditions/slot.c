/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slot.c - packets leave together, when the medium is ours
 *
 * Floor: conditions.
 *
 * How it works
 *
 * Slots open on the trial's clock, number n at
 *
 *	n interval + jitter (2 u - 1)
 *
 * with u the uniform number of that place (noise.h), so that openings do not
 * depend on traffic.  A packet leaves with the first opening at or after its
 * ingress that still has room: at most so many packets, and so many bytes of IP
 * packets.  A packet larger than all of a slot has one to itself.  Packets
 * never overtake, so the state is the slot that the last one left with, and
 * what is in it.
 */
#include <stdio.h>

#include "conditions/condition.h"
#include "conditions/noise.h"

struct slot_settings {
	nsec interval, jitter;
	int64_t packets, bits;
};

struct slot_state {
	uint64_t key;
	nsec interval; /* in which @slot is counted */
	int64_t slot;  /* of the last packet */
	int64_t packets, bits;
};

static const struct setting slot_table[] = {
	{ .name = "interval",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct slot_settings, interval),
	  .hi = (double)DELAY_MAX,
	  .text = "Time from one slot to the next; 0 is always open" },
	{ .name = "jitter",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct slot_settings, jitter),
	  .hi = (double)DELAY_MAX,
	  .preset = "0ms",
	  .text = "How far a slot's opening strays to either side, uniformly; "
		  "at most half the interval" },
	{ .name = "packets",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct slot_settings, packets),
	  .hi = 1e9,
	  .preset = "0",
	  .text = "Most packets that leave in a slot; 0 is any number" },
	{ .name = "bytes",
	  .kind = SETTING_SIZE,
	  .offset = offsetof(struct slot_settings, bits),
	  .hi = 8e12,
	  .preset = "0B",
	  .text = "Most bytes of IP packets that leave in a slot; 0 is any "
		  "number" },
};

static int slot_check(const void *from, char *why, size_t size)
{
	const struct slot_settings *settings = from;

	if (settings->jitter <= settings->interval / 2)
		return 0;
	snprintf(why, size,
		 "jitter is at most half of interval, or slots "
		 "would open out of turn");
	return -1;
}

static void slot_reset(const struct turn *turn)
{
	struct slot_state *state = turn->state;

	state->key = noise_key(turn->rng);
}

/* When a slot opens; in ascending order of the slots. */
static nsec opening(const struct slot_settings *settings,
		    const struct slot_state *state, int64_t slot)
{
	double u = noise_at(state->key, (uint64_t)slot);

	return slot * settings->interval +
	       (nsec)((u * 2.0 - 1.0) * (double)settings->jitter);
}

static nsec slot_apply(const struct turn *turn)
{
	const struct slot_settings *settings = turn->settings;
	struct slot_state *state = turn->state;
	int64_t bits = (int64_t)turn->ip_bytes * 8, slot;
	nsec delay;

	if (!settings->interval)
		return 0;
	if (state->interval != settings->interval) {
		state->interval = settings->interval;
		state->slot = -1;
	}
	/* the one before opens half an interval after its time at the latest */
	slot = turn->now / settings->interval;
	while (opening(settings, state, slot) < turn->now)
		slot++;
	if (slot <= state->slot) {
		slot = state->slot;
		if ((settings->packets &&
		     state->packets >= settings->packets) ||
		    (settings->bits && state->bits + bits > settings->bits))
			slot++;
	}
	delay = opening(settings, state, slot) - turn->now;
	if (delay > DELAY_MAX) /* the queue is over an hour long */
		return delay;
	if (slot != state->slot)
		state->packets = state->bits = 0;
	state->slot = slot;
	state->packets++;
	state->bits += bits;
	return delay;
}

extern const struct condition condition_slot;
const struct condition condition_slot = {
	.abi = CONDITION_ABI,
	.name = "slot",
	.text = "packets leave together, when a slot opens, as medium access "
		"does",
	.settings = slot_table,
	.n_settings = sizeof(slot_table) / sizeof(slot_table[0]),
	.settings_size = sizeof(struct slot_settings),
	.state_size = sizeof(struct slot_state),
	.check = slot_check,
	.reset = slot_reset,
	.apply = slot_apply,
};
