/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * monotonic-jitter.c - a delay drawn for each packet, held back to keep order
 *
 * Floor: conditions.
 *
 * The same draw as jitter, but no packet leaves before the one that came before
 * it.  That shifts the mean upwards, more so the faster the stream;
 * smooth-jitter keeps both the order and the distribution.
 */
#include "conditions/draw.h"

struct monotonic_state {
	uint64_t floored, held;
	struct draw draw;
	nsec last;
};

static const struct setting monotonic_table[] = { DRAW_SETTINGS };
static const char *const monotonic_counts[] = { "floored", "held", NULL };

static nsec monotonic_apply(const struct turn *turn)
{
	struct monotonic_state *state = turn->state;
	nsec delay = draw_delay(turn, &state->draw, &state->floored);

	if (delay < 0 || delay > DELAY_MAX)
		return delay;
	state->held += turn->now + delay < state->last;
	if (turn->now + delay > state->last)
		state->last = turn->now + delay;
	return state->last - turn->now;
}

extern const struct condition condition_monotonic_jitter;
const struct condition condition_monotonic_jitter = {
	.abi = CONDITION_ABI,
	.name = "monotonic-jitter",
	.text = "a delay drawn for each packet, held back so that order is "
		"kept",
	.settings = monotonic_table,
	.n_settings = sizeof(monotonic_table) / sizeof(monotonic_table[0]),
	.settings_size = sizeof(struct draw_settings),
	.state_size = sizeof(struct monotonic_state),
	.check = draw_check,
	.counts = monotonic_counts,
	.apply = monotonic_apply,
};
