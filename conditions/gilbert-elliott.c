/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gilbert-elliott.c - loss in bursts: a good and a bad state
 *
 * Floor: conditions.
 *
 * How it works
 *
 * Each packet is lost with the chance of the state that it finds, loss_good or
 * loss_bad; then the state changes, from good to bad with the chance p, from
 * bad to good with r (Gilbert, 1960; Elliott, 1963).  A trial begins in the
 * long-run mix of the states, so that every packet has the chance
 *
 *	loss = (r loss_good + p loss_bad) / (p + r)
 *
 * A stay in the bad state is 1 / r packets in the mean, and the state's
 * correlation over n packets (1 - p - r)^n.  In other words: with every packet
 * of the bad state lost and none of the good one, a loss e and a mean burst L
 * are r = 1 / L and p = e / (L (1 - e)).
 *
 * "Next bad" is the lower part of the number drawn in either state, so that of
 * two runs the one with the greater p loses a superset.
 */
#include <stdio.h>

#include "conditions/condition.h"

struct gilbert_settings {
	double loss, mean_burst, p, r, loss_bad, loss_good;
};

struct gilbert_state {
	bool bad;
};

static const struct setting gilbert_table[] = {
	{ .name = "loss",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct gilbert_settings, loss),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "Share of packets lost in the long run; with mean_burst" },
	{ .name = "mean_burst",
	  .kind = SETTING_NUMBER,
	  .offset = offsetof(struct gilbert_settings, mean_burst),
	  .hi = 1e9,
	  .preset = "0",
	  .text = "Mean number of packets lost in a row; at least 1 / (1 - "
		  "loss); 0 where p and r are given instead" },
	{ .name = "p",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct gilbert_settings, p),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "Chance of the good state to turn bad, at each packet; with "
		  "r" },
	{ .name = "r",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct gilbert_settings, r),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "Chance of the bad state to turn good" },
	{ .name = "loss_bad",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct gilbert_settings, loss_bad),
	  .hi = 1.0,
	  .preset = "100%",
	  .text = "Loss in the bad state (1-h of netem's gemodel); with p and "
		  "r" },
	{ .name = "loss_good",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct gilbert_settings, loss_good),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "Loss in the good state (1-k of netem's gemodel); with p and "
		  "r" },
};

/* The chances of the states to change, whichever way they are written. */
static void chances(const struct gilbert_settings *settings, double *p,
		    double *r)
{
	double e = settings->loss, burst = settings->mean_burst;

	*p = settings->p;
	*r = settings->r;
	if (burst > 0.0) {
		*r = 1.0 / burst;
		*p = e / (burst * (1.0 - e));
	}
}

static int gilbert_check(const void *from, char *why, size_t size)
{
	const struct gilbert_settings *settings = from;
	double e = settings->loss, burst = settings->mean_burst;
	bool states = settings->p > 0.0 || settings->r > 0.0;

	if (burst > 0.0 && states)
		snprintf(why, size,
			 "loss and mean_burst say the same as p and r; write "
			 "one pair");
	else if (burst > 0.0 &&
		 (settings->loss_bad < 1.0 || settings->loss_good > 0.0))
		snprintf(why, size,
			 "loss_bad and loss_good go with p and r; with "
			 "mean_burst every packet of a burst is lost");
	else if (e > 0.0 && !(burst > 0.0))
		snprintf(why, size,
			 "loss needs mean_burst, the mean number of packets "
			 "lost in a row");
	else if (e >= 1.0)
		snprintf(why, size,
			 "loss = 100%% has no bursts; write a loss of "
			 "probability 100%%");
	else if (burst > 0.0 && burst * (1.0 - e) < 1.0 - 1e-9)
		snprintf(why, size,
			 "mean_burst is at least 1 / (1 - loss), here %.4g: "
			 "independent losses are as clustered as that",
			 1.0 / (1.0 - e));
	else if (settings->p > 0.0 && !(settings->r > 0.0))
		snprintf(why, size,
			 "p without r: the bad state would never end; write "
			 "r, the chance that it does, or loss and mean_burst");
	else
		return 0;
	return -1;
}

static void gilbert_reset(const struct turn *turn)
{
	struct gilbert_state *state = turn->state;
	double p, r, u = rng_uniform(turn->rng);

	chances(turn->settings, &p, &r);
	state->bad = u * (p + r) < p;
}

static nsec gilbert_apply(const struct turn *turn)
{
	const struct gilbert_settings *settings = turn->settings;
	struct gilbert_state *state = turn->state;
	double p, r, change = rng_uniform(turn->rng);
	double u = rng_uniform(turn->rng);
	bool lost = u < (state->bad ? settings->loss_bad : settings->loss_good);

	chances(settings, &p, &r);
	state->bad = change < (state->bad ? 1.0 - r : p);
	return lost ? DELAY_SUPPRESS : 0;
}

extern const struct condition condition_gilbert_elliott;
const struct condition condition_gilbert_elliott = {
	.abi = CONDITION_ABI,
	.name = "gilbert-elliott",
	.text = "loss in bursts, by a good and a bad state",
	.settings = gilbert_table,
	.n_settings = sizeof(gilbert_table) / sizeof(gilbert_table[0]),
	.settings_size = sizeof(struct gilbert_settings),
	.state_size = sizeof(struct gilbert_state),
	.check = gilbert_check,
	.reset = gilbert_reset,
	.apply = gilbert_apply,
};
