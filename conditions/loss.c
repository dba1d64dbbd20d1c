/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * loss.c - loss of single packets, independent or correlated
 *
 * Floor: conditions.
 *
 * How it works
 *
 * With probability p and correlation c the chance after a loss is p + c(1 - p),
 * and p(1 - c) after none: a two-state chain whose long-run rate is p and whose
 * correlation from packet to packet is c, both exactly.  The first packet of a
 * trial has the chance p.
 */
#include <stdio.h>

#include "conditions/condition.h"

struct loss_settings {
	double probability, correlation;
};

struct loss_state {
	enum { FIRST, KEPT, LOST } before;
};

static const struct setting loss_table[] = {
	{ .name = "probability",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct loss_settings, probability),
	  .hi = 1.0,
	  .text = "Share of packets lost in the long run" },
	{ .name = "correlation",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct loss_settings, correlation),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "Correlation of one packet's loss with the next one's; the "
		  "rate stays as it is" },
};

static int loss_check(const void *from, char *why, size_t size)
{
	const struct loss_settings *settings = from;

	if (settings->correlation < 1.0)
		return 0;
	snprintf(why, size,
		 "correlation = 100%% never changes from the first packet's "
		 "fate; use less");
	return -1;
}

static nsec loss_apply(const struct turn *turn)
{
	const struct loss_settings *settings = turn->settings;
	struct loss_state *state = turn->state;
	double p = settings->probability, c = settings->correlation;
	double u = rng_uniform(turn->rng);

	if (state->before == LOST)
		p += c * (1.0 - p);
	else if (state->before == KEPT)
		p *= 1.0 - c;
	state->before = u < p ? LOST : KEPT;
	return u < p ? DELAY_SUPPRESS : 0;
}

extern const struct condition condition_loss;
const struct condition condition_loss = {
	.abi = CONDITION_ABI,
	.name = "loss",
	.text = "loss of single packets, independent or correlated",
	.settings = loss_table,
	.n_settings = sizeof(loss_table) / sizeof(loss_table[0]),
	.settings_size = sizeof(struct loss_settings),
	.state_size = sizeof(struct loss_state),
	.check = loss_check,
	.apply = loss_apply,
};
