/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * stage_test.c - settings of a stage are found by name and kind
 *
 * Floor: tests.
 */
#include "session/stage.h"

#include <criterion/criterion.h>

#include "tests/unit/bench.h"

static struct bench bench;

/* The first stage of an arm with one condition. */
static const struct stage_plan *stage_of(const char *rows)
{
	bench_open(&bench,
		   "[link]\nrobot = 10.0.0.2\n[uplink a]\nport = 1\n"
		   "chain = c\n[condition c]\n%s",
		   rows);
	return &bench.arm[0]->channel[0].plan.chain[0];
}

Test(stage, a_setting_is_read_as_what_it_is)
{
	const struct stage_plan *stage;
	char text[64];

	stage = stage_of("type = jitter\nbase = 30ms\njitter = 7ms\n"
			 "distribution = normal\ncorrelation = 25%\n");
	cr_assert(stage_is(stage, "jitter"));
	cr_assert_not(stage_is(stage, "jitte"));
	cr_assert_eq(stage_whole(stage, "base"), 30 * MS);
	cr_assert_eq(stage_part(stage, "correlation"), 0.25);
	cr_assert_eq(stage_distribution(stage).kind, DISTRIBUTION_NORMAL);
	cr_assert_str_eq(stage_text(stage, "jitter", text, sizeof(text)),
			 "7ms");
	/* of another kind, or none: nothing */
	cr_assert_eq(stage_whole(stage, "correlation"), 0);
	cr_assert_eq(stage_part(stage, "base"), 0.0);
	cr_assert_eq(stage_part(stage, "distribution"), 0.0);
	cr_assert_eq(stage_whole(stage, "rate"), 0);
	cr_assert_eq(stage_part(stage, "rate"), 0.0);
	cr_assert_str_eq(stage_text(stage, "rate", text, sizeof(text)), "");
	bench_close(&bench);
}

Test(stage, angles_choices_and_switches_are_read_too)
{
	const struct stage_plan *stage;

	stage = stage_of("type = sine\nmean = 50ms\namplitude = 10ms\n"
			 "period = 1s\nphase = 90deg\n");
	cr_assert_float_eq(stage_part(stage, "phase"), M_PI / 2.0, 1e-12);
	cr_assert_eq(stage_distribution(stage).kind, DISTRIBUTION_UNIFORM);
	bench_close(&bench);

	stage = stage_of("type = profile\npoints = 0s 1ms, 1s 2ms\n"
			 "interpolate = linear\nrepeat = yes\n");
	cr_assert_eq(stage_whole(stage, "interpolate"), 1);
	cr_assert_eq(stage_whole(stage, "repeat"), 1);
	bench_close(&bench);
}
