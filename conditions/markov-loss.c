/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * markov-loss.c - netem's loss model of four states
 *
 * Floor: conditions.
 *
 * How it works
 *
 * The states (Salsano, Ludovici, Ordine, 2009): 1 good, outside a burst; 2 good
 * inside a burst; 3 lost inside a burst; 4 one isolated loss.  At each packet
 * one number u moves the chain, and the packet has the fate of the new state:
 *
 *	1: u < p14 to 4; u < p14 + p13 to 3; else stay
 *	2: u < p23 to 3; else stay
 *	3: u < p32 to 2; u < p32 + p31 to 1; else stay
 *	4: to 1
 *
 * In the long run state 1 has the share 1 / (1 + p14 + (p13/p31) (1 +
 * p32/p23)), and the loss is that times (p14 + p13/p31).  A trial begins in the
 * long-run mix; netem's begins in state 1.
 */
#include <stdio.h>

#include "conditions/condition.h"

struct markov_settings {
	double p13, p31, p32, p23, p14;
};

struct markov_state {
	enum { UNSET, GOOD, GOOD_IN_BURST, LOST_IN_BURST, ISOLATED } at;
};

#define CHANCE(key, value, sentence)                                           \
	{                                                                      \
		.name = #key, .kind = SETTING_SHARE,                           \
		.offset = offsetof(struct markov_settings, key), .hi = 1.0,    \
		.preset = value, .text = sentence                              \
	}

static const struct setting markov_table[] = {
	CHANCE(p13, NULL, "Chance that a burst begins"),
	CHANCE(p31, "0%", "Chance that a burst ends, after a loss"),
	CHANCE(p32, "0%", "Chance of a good packet inside a burst"),
	CHANCE(p23, "100%", "Chance of a loss after such a good packet"),
	CHANCE(p14, "0%", "Chance of an isolated loss"),
};

static int markov_check(const void *from, char *why, size_t size)
{
	const struct markov_settings *settings = from;

	if (settings->p13 + settings->p14 > 1.0 + 1e-12)
		snprintf(why, size,
			 "p13 and p14 are chances of one draw; together they "
			 "are at most 100%%");
	else if (settings->p31 + settings->p32 > 1.0 + 1e-12)
		snprintf(why, size,
			 "p31 and p32 are chances of one draw; together they "
			 "are at most 100%%");
	else if (settings->p13 > 0.0 && !(settings->p31 > 0.0))
		snprintf(why, size,
			 "p13 without p31: a burst would never end; write p31 "
			 "(tc, where it is left out, takes 100%% - p13)");
	else if (settings->p32 > 0.0 && !(settings->p23 > 0.0))
		snprintf(why, size,
			 "p32 with p23 = 0%%: the good state inside a burst "
			 "would never end; write a p23 above 0%%");
	else
		return 0;
	return -1;
}

static void markov_reset(const struct turn *turn)
{
	const struct markov_settings *settings = turn->settings;
	struct markov_state *state = turn->state;
	double lost = 0.0, good = 0.0, u = rng_uniform(turn->rng);

	/* shares of the states 3 and 2 in units of that of state 1 */
	if (settings->p13 > 0.0)
		lost = settings->p13 / settings->p31;
	if (settings->p32 > 0.0)
		good = lost * settings->p32 / settings->p23;
	u *= 1.0 + settings->p14 + lost + good;
	if (u < 1.0)
		state->at = GOOD;
	else if (u < 1.0 + lost)
		state->at = LOST_IN_BURST;
	else if (u < 1.0 + lost + good)
		state->at = GOOD_IN_BURST;
	else
		state->at = ISOLATED;
}

static nsec markov_apply(const struct turn *turn)
{
	const struct markov_settings *settings = turn->settings;
	struct markov_state *state = turn->state;
	double u = rng_uniform(turn->rng);

	switch (state->at) {
	case GOOD_IN_BURST:
		if (u < settings->p23)
			state->at = LOST_IN_BURST;
		break;
	case LOST_IN_BURST:
		if (u < settings->p32)
			state->at = GOOD_IN_BURST;
		else if (u < settings->p32 + settings->p31)
			state->at = GOOD;
		break;
	case ISOLATED:
		state->at = GOOD;
		break;
	default:
		if (u < settings->p14)
			state->at = ISOLATED;
		else if (u < settings->p14 + settings->p13)
			state->at = LOST_IN_BURST;
		break;
	}
	return state->at == LOST_IN_BURST || state->at == ISOLATED
		       ? DELAY_SUPPRESS
		       : 0;
}

extern const struct condition condition_markov_loss;
const struct condition condition_markov_loss = {
	.abi = CONDITION_ABI,
	.name = "markov-loss",
	.text = "loss in bursts with gaps, by netem's four states",
	.settings = markov_table,
	.n_settings = sizeof(markov_table) / sizeof(markov_table[0]),
	.settings_size = sizeof(struct markov_settings),
	.state_size = sizeof(struct markov_state),
	.check = markov_check,
	.reset = markov_reset,
	.apply = markov_apply,
};
