/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_clock_test.c - outage, profile, sine and replay: by trial time
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/rig.h"

static const struct rig_file files[] = {
	{ "spans.csv", "at_s,for_s\n1,0.5\n4,1\n" },
	{ "ramp.csv", "time_s,delay_ms\n0,100\n10,200\n" },
	{ "packets.csv", "delay_ms\n20\nlost\n30\n" },
	{ "times.csv", "time_s,delay_ms\n1,20\n2,lost\n3,30\n" },
	{ "none.csv", "delay_ms\n0\nlost\n0.000001\n" },
	{ NULL, NULL }
};

struct check {
	nsec at, delay;
};

/* Turns at times, and what they are to say; @n of them. */
static void says(const char *type, const char *settings,
		 const struct check *checks, size_t n)
{
	struct rig rig = { .files = files };

	rig_open(&rig, type, settings, 41);
	for (size_t i = 0; i < n; i++) {
		nsec delay = rig_turn(&rig, checks[i].at);

		cr_assert_eq(delay, checks[i].delay, "%s at %ld: %ld", type,
			     checks[i].at, delay);
	}
	rig_close(&rig);
}

#define SAYS(type, settings, ...)                                              \
	do {                                                                   \
		const struct check checks[] = { __VA_ARGS__ };                 \
		says(type, settings, checks,                                   \
		     sizeof(checks) / sizeof(checks[0]));                      \
	} while (0)

#define REFUSES(type, settings, said)                                          \
	do {                                                                   \
		char why[RIG_WHY];                                             \
		cr_assert(strstr(rig_fault(type, settings, files, why), said), \
			  "'%s'", why);                                        \
	} while (0)

Test(outage, drops_from_its_beginning_to_before_its_end)
{
	SAYS("outage", "at = 1s, 4s\nfor = 500ms\n", { 0, 0 }, { SEC - 1, 0 },
	     { SEC, DELAY_SUPPRESS }, { 1500 * MS - 1, DELAY_SUPPRESS },
	     { 1500 * MS, 0 }, { 4 * SEC, DELAY_SUPPRESS }, { 4500 * MS, 0 },
	     { 3600 * SEC, 0 });
}

Test(outage, holds_until_its_end)
{
	SAYS("outage", "at = 1s\nfor = 500ms\nmode = hold\n", { SEC - 1, 0 },
	     { SEC, 500 * MS }, { 1200 * MS, 300 * MS }, { 1500 * MS - 1, 1 },
	     { 1500 * MS, 0 });
}

Test(outage, comes_again)
{
	SAYS("outage", "at = 1s, 2s\nfor = 100ms\nevery = 10s\nmode = hold\n",
	     { 0, 0 }, { SEC, 100 * MS }, { 2050 * MS, 50 * MS },
	     { 9 * SEC, 0 }, { 11 * SEC, 100 * MS }, { 11100 * MS, 0 },
	     { 1000002 * SEC, 100 * MS }, { 1000003 * SEC, 0 });
	/* one after the other, without a gap */
	SAYS("outage", "at = 1s\nfor = 2s\nevery = 2s\n", { SEC - 1, 0 },
	     { SEC, DELAY_SUPPRESS }, { 100 * SEC, DELAY_SUPPRESS });
}

Test(outage, does_not_come_before_the_first)
{
	SAYS("outage", "at = 100s\nfor = 1s\nevery = 10s\n", { 90 * SEC, 0 },
	     { 100 * SEC, DELAY_SUPPRESS }, { 101 * SEC, 0 },
	     { 110 * SEC, DELAY_SUPPRESS });
}

Test(outage, comes_from_a_file)
{
	SAYS("outage", "file = spans.csv\n", { SEC, DELAY_SUPPRESS },
	     { 1500 * MS, 0 }, { 4900 * MS, DELAY_SUPPRESS }, { 5 * SEC, 0 });
	SAYS("outage", "file = spans.csv\nevery = 5s\nmode = hold\n",
	     { 6 * SEC, 500 * MS }, { 9500 * MS, 500 * MS });
}

Test(outage, of_no_length_does_nothing)
{
	SAYS("outage", "at = 1s\nfor = 0s\n", { SEC, 0 }, { SEC + 1, 0 });
}

Test(outage, refuses_what_does_not_fit)
{
	REFUSES("outage", "", "no outage");
	REFUSES("outage", "for = 1s\nevery = 5s\n", "no outage");
	REFUSES("outage", "at = 1s, 2s\nfor = 1500ms\n", "begins before");
	REFUSES("outage", "at = 1s, 8s\nfor = 1s\nevery = 5s\n", "longer");
	REFUSES("outage", "at = 1s\nfile = spans.csv\n", "leave out");
}

Test(profile, steps_and_holds)
{
	SAYS("profile", "points = 1s 100ms, 3s 300ms\n", { 0, 100 * MS },
	     { SEC, 100 * MS }, { 3 * SEC - 1, 100 * MS },
	     { 3 * SEC, 300 * MS }, { 3600 * SEC, 300 * MS });
}

Test(profile, goes_straight_between_points)
{
	SAYS("profile", "points = 1s 100ms, 3s 300ms\ninterpolate = linear\n",
	     { 0, 100 * MS }, { 1500 * MS, 150 * MS }, { 2 * SEC, 200 * MS },
	     { 3 * SEC, 300 * MS }, { 4 * SEC, 300 * MS });
	/* an hour of delay over a year, to the nanosecond */
	SAYS("profile", "points = 0s 0s, 8760h 1h\ninterpolate = linear\n",
	     { INT64_C(8760) * 60 * SEC, 60 * SEC });
	/* a jump */
	SAYS("profile",
	     "points = 0s 0s, 1s 100ms, 1s 500ms, 2s 500ms\n"
	     "interpolate = linear\n",
	     { 500 * MS, 50 * MS }, { SEC - 1, 99999999 }, { SEC, 500 * MS });
}

Test(profile, comes_from_a_file_and_repeats)
{
	SAYS("profile", "file = ramp.csv\ninterpolate = linear\nrepeat = yes\n",
	     { 5 * SEC, 150 * MS }, { 10 * SEC, 100 * MS },
	     { 1000005 * SEC, 150 * MS });
}

Test(profile, refuses_what_does_not_fit)
{
	REFUSES("profile", "", "no points");
	REFUSES("profile", "points = 0s 1ms\nfile = ramp.csv\n", "not both");
	REFUSES("profile", "points = 0s 1ms\nrepeat = yes\n", "period");
}

Test(sine, swings)
{
	SAYS("sine", "mean = 100ms\namplitude = 50ms\nperiod = 4s\n",
	     { 0, 100 * MS }, { SEC, 150 * MS }, { 2 * SEC, 100 * MS },
	     { 3 * SEC, 50 * MS }, { 4000001 * SEC, 150 * MS });
	SAYS("sine",
	     "mean = 100ms\namplitude = 50ms\nperiod = 4s\nphase = 90deg\n",
	     { 0, 150 * MS }, { 2 * SEC, 50 * MS });
	SAYS("sine", "mean = 100ms\namplitude = 0ms\nperiod = 1ns\n",
	     { 7, 100 * MS });
}

Test(sine, is_floored_at_zero_and_says_how_often)
{
	struct rig rig = { 0 };

	rig_open(&rig, "sine", "mean = 10ms\namplitude = 20ms\nperiod = 4s\n",
		 42);
	cr_assert_eq(rig_turn(&rig, 3 * SEC), 0);
	cr_assert_eq(rig_turn(&rig, 5 * SEC), 30 * MS);
	cr_assert_eq(rig_count(&rig, "floored"), 1);
	rig_close(&rig);
}

Test(sine, that_touches_zero_is_not_floored)
{
	struct rig rig = { 0 };

	rig_open(&rig, "sine", "mean = 20ms\namplitude = 20ms\nperiod = 4s\n",
		 42);
	cr_assert_eq(rig_turn(&rig, 3 * SEC), 0);
	cr_assert_eq(rig_turn(&rig, 7 * SEC), 0);
	cr_assert_eq(rig_count(&rig, "floored"), 0);
	rig_close(&rig);
}

Test(replay, a_delay_of_zero_is_no_loss)
{
	SAYS("replay", "file = none.csv\n", { 0, 0 }, { 1, DELAY_SUPPRESS },
	     { 2, 1 });
}

Test(replay, goes_by_packet)
{
	SAYS("replay", "file = packets.csv\n", { 0, 20 * MS },
	     { 0, DELAY_SUPPRESS }, { 5, 30 * MS }, { 9, 30 * MS });
	SAYS("replay", "file = packets.csv\nrepeat = yes\n", { 0, 20 * MS },
	     { 0, DELAY_SUPPRESS }, { 5, 30 * MS }, { 9, 20 * MS });
}

Test(replay, goes_by_time)
{
	SAYS("replay", "file = times.csv\n", { 0, 20 * MS }, { SEC, 20 * MS },
	     { 2 * SEC, DELAY_SUPPRESS }, { 3 * SEC, 30 * MS },
	     { 99 * SEC, 30 * MS });
	SAYS("replay", "file = times.csv\nrepeat = yes\n",
	     { 2 * SEC, DELAY_SUPPRESS }, { 3 * SEC, 20 * MS },
	     { 5 * SEC, DELAY_SUPPRESS });
}
