/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sine.c - a delay that swings on the trial's clock
 *
 * Floor: conditions.
 *
 * delay = mean + amplitude sin(2 pi t / period + phase), floored at zero.  It
 * falls faster than time passes, and packets overtake, where 2 pi amplitude is
 * over period.
 */
#include "conditions/condition.h"

#define TURN_RAD (2.0 * 3.14159265358979323846)

struct sine_settings {
	nsec mean, amplitude, period;
	double phase;
};

struct sine_state {
	uint64_t floored;
};

static const struct setting sine_table[] = {
	{ .name = "mean",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct sine_settings, mean),
	  .hi = (double)DELAY_MAX,
	  .text = "Delay around which it swings" },
	{ .name = "amplitude",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct sine_settings, amplitude),
	  .hi = (double)DELAY_MAX,
	  .text = "How far it swings to either side" },
	{ .name = "period",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct sine_settings, period),
	  .lo = 1,
	  .hi = 1e15,
	  .text = "Time of one swing, there and back" },
	{ .name = "phase",
	  .kind = SETTING_ANGLE,
	  .offset = offsetof(struct sine_settings, phase),
	  .lo = -TURN_RAD,
	  .hi = TURN_RAD,
	  .preset = "0rad",
	  .text = "Where in the swing a trial begins: 90deg is at the top" },
};
static const char *const sine_counts[] = { "floored", NULL };

static nsec sine_apply(const struct turn *turn)
{
	const struct sine_settings *settings = turn->settings;
	struct sine_state *state = turn->state;
	/* the whole periods are taken off before a double sees the time */
	double part = (double)(turn->now % settings->period) /
		      (double)settings->period;
	double delay = (double)settings->mean +
		       (double)settings->amplitude *
			       sin(TURN_RAD * part + settings->phase);

	state->floored += delay < 0.0;
	return delay_of(fmax(delay, 0.0));
}

extern const struct condition condition_sine;
const struct condition condition_sine = {
	.abi = CONDITION_ABI,
	.name = "sine",
	.text = "a delay that swings on the trial's clock",
	.settings = sine_table,
	.n_settings = sizeof(sine_table) / sizeof(sine_table[0]),
	.settings_size = sizeof(struct sine_settings),
	.state_size = sizeof(struct sine_state),
	.counts = sine_counts,
	.apply = sine_apply,
};
