/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * jitter.c - a delay drawn for each packet; may reorder
 *
 * Floor: conditions.
 *
 * draw.h has the formula.  Where base is not far above jitter, zero takes the
 * place of negative draws, which moves the mean upwards; they are counted.
 */
#include "conditions/draw.h"

struct jitter_state {
	uint64_t floored;
	struct draw draw;
};

static const struct setting jitter_table[] = { DRAW_SETTINGS };
static const char *const jitter_counts[] = { "floored", NULL };

static nsec jitter_apply(const struct turn *turn)
{
	struct jitter_state *state = turn->state;

	return draw_delay(turn, &state->draw, &state->floored);
}

extern const struct condition condition_jitter;
const struct condition condition_jitter = {
	.abi = CONDITION_ABI,
	.name = "jitter",
	.text = "a delay drawn for each packet, floored at zero; packets may "
		"overtake each other",
	.settings = jitter_table,
	.n_settings = sizeof(jitter_table) / sizeof(jitter_table[0]),
	.settings_size = sizeof(struct draw_settings),
	.state_size = sizeof(struct jitter_state),
	.check = draw_check,
	.counts = jitter_counts,
	.apply = jitter_apply,
};
