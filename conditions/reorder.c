/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * reorder.c - some packets are held back, and overtaken
 *
 * Floor: conditions.
 *
 * How it works
 *
 * A packet is chosen with the probability and held for a time, or for the time
 * in which a number of packets will come: that number and a half, times the
 * mean gap between the last packets (at most eight gaps).  A condition says
 * how long a packet is held when it comes, so the number is exact where the
 * stream is steady to within half a gap over its length, and otherwise what the
 * stream makes of it.  Before the second packet no gap is known, and none is
 * held.  What is not chosen passes at once.
 */
#include <stdio.h>

#include "conditions/condition.h"

#define GAPS 8

struct reorder_settings {
	double probability;
	nsec hold;
	int64_t packets;
};

struct reorder_state {
	uint64_t held;
	uint64_t n;
	nsec came[GAPS]; /* when packet n came, at n % GAPS */
};

static const struct setting reorder_table[] = {
	{ .name = "probability",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct reorder_settings, probability),
	  .hi = 1.0,
	  .text = "Share of packets held back" },
	{ .name = "hold",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct reorder_settings, hold),
	  .hi = (double)DELAY_MAX,
	  .preset = "0ms",
	  .text = "For how long; or packets" },
	{ .name = "packets",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct reorder_settings, packets),
	  .hi = 1e6,
	  .preset = "0",
	  .text = "Until so many packets have overtaken, by the stream's own "
		  "mean gap; or hold" },
};
static const char *const reorder_counts[] = { "held", NULL };

static int reorder_check(const void *from, char *why, size_t size)
{
	const struct reorder_settings *settings = from;

	if (!settings->hold || !settings->packets)
		return 0;
	snprintf(why, size,
		 "hold or packets, not both: each says how long a "
		 "packet is held back");
	return -1;
}

static nsec reorder_apply(const struct turn *turn)
{
	const struct reorder_settings *settings = turn->settings;
	struct reorder_state *state = turn->state;
	uint64_t n = state->n++, gaps = n < GAPS ? n : GAPS;
	nsec since = turn->now - state->came[(n - gaps) % GAPS];
	double u = rng_uniform(turn->rng);
	nsec hold = settings->hold;

	state->came[n % GAPS] = turn->now;
	if (u >= settings->probability)
		return 0;
	if (settings->packets)
		hold = gaps ? delay_of((double)since / (double)gaps *
				       ((double)settings->packets + 0.5))
			    : 0;
	state->held += hold > 0;
	return hold;
}

extern const struct condition condition_reorder;
const struct condition condition_reorder = {
	.abi = CONDITION_ABI,
	.name = "reorder",
	.text = "some packets are held back, and overtaken",
	.settings = reorder_table,
	.n_settings = sizeof(reorder_table) / sizeof(reorder_table[0]),
	.settings_size = sizeof(struct reorder_settings),
	.state_size = sizeof(struct reorder_state),
	.check = reorder_check,
	.counts = reorder_counts,
	.apply = reorder_apply,
};
