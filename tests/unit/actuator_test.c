/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * actuator_test.c - dead time, lag, saturation, slewing
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "vehicle/actuator.h"

#define MS NSEC_PER_MS

Test(actuator, lag_is_exact_for_any_step)
{
	const double after[] = { 0.221199216929, 0.393469340287, 0.527633447259,
				 0.632120558829 };
	double value = 0;

	for (int i = 0; i < 4; i++) {
		value = actuator_lag(value, 1, 0.05, 0.2);
		cr_assert_float_eq(value, after[i], 1e-11);
	}
	cr_assert_float_eq(actuator_lag(0, 1, 0.2, 0.2), after[3], 1e-11);
}

Test(actuator, lag_never_overshoots_a_long_step)
{
	double value = 0;

	for (int i = 0; i < 10; i++) {
		double next = actuator_lag(value, 1, 2.5, 1);

		cr_assert(next > value && next <= 1);
		value = next;
	}
}

Test(actuator, without_lag_a_value_is_its_aim_to_the_last_digit)
{
	cr_assert_eq(actuator_lag(0.3, 1, 0.01, 0), 1);
	/* 1.1 + (0.3 - 1.1) is not 0.3 */
	cr_assert_eq(actuator_lag(1.1, 0.3, 0.01, 0), 0.3);
	cr_assert_eq(actuator_lag(0.1, 1e-17, 0.01, 0), 1e-17);
}

static double delayed(struct dead_time *dead, nsec now, double vx)
{
	struct wish wish = { .twist = { .vx = vx } };

	actuator_delay(dead, now, &wish);
	return wish.twist.vx;
}

Test(actuator, dead_time_counts_time_and_not_steps)
{
	for (nsec step = 5 * MS; step <= 20 * MS; step *= 2) {
		struct moment ring[64];
		struct dead_time dead = { .delay = 100 * MS,
					  .ring = ring,
					  .size = actuator_room(100 * MS,
								step) };

		cr_assert_leq(dead.size, 64);
		for (nsec now = step; now <= 1000 * MS; now += step) {
			double value = delayed(&dead, now, (double)now);
			double want = now - 100 * MS < step
					      ? 0.0
					      : (double)(now - 100 * MS);

			cr_assert_eq(value, want);
		}
	}
}

Test(actuator, until_the_first_wish_holds_there_is_rest)
{
	struct moment ring[4];
	struct dead_time dead = { .delay = 20 * MS, .ring = ring, .size = 4 };
	struct wish wish = { { 1, 2, 3 }, 0.5 };

	actuator_delay(&dead, 10 * MS, &wish);
	cr_assert(motion_is_still(&wish.twist));
	cr_assert_eq(wish.steering, 0);
	actuator_delay(&dead, 30 * MS, &wish);
	cr_assert_eq(wish.twist.vy, 2);
	cr_assert_eq(wish.steering, 0.5);
}

Test(actuator, without_dead_time_a_wish_holds_at_once)
{
	struct moment ring[2];
	struct dead_time dead = { .ring = ring, .size = 2 };

	cr_assert_eq(delayed(&dead, 10 * MS, 1), 1);
	cr_assert_eq(delayed(&dead, 20 * MS, 2), 2);
}

Test(actuator, dead_time_holds_the_last_wish_over_a_gap)
{
	struct moment ring[12];
	struct dead_time dead = { .delay = 100 * MS, .ring = ring, .size = 12 };

	for (nsec now = 10 * MS; now <= 100 * MS; now += 10 * MS)
		delayed(&dead, now, 1);
	cr_assert_eq(delayed(&dead, 900 * MS, 2), 1);
	cr_assert_eq(delayed(&dead, 999 * MS, 3), 1);
	cr_assert_eq(delayed(&dead, 1000 * MS, 3), 2);
}

Test(actuator, saturation_keeps_the_curve_or_cuts_each_wheel)
{
	/* Create 3: 0.306 m/s and 1.9 rad/s on a track of 0.233 m */
	double turn = 1.9 * 0.233 / 2;
	double scaled[] = { 0.306 - turn, 0.306 + turn };
	double clipped[] = { scaled[0], scaled[1] };

	double factor = actuator_saturate(scaled, 2, 0.306, SATURATION_SCALE);

	cr_assert_float_eq(factor, 0.580260, 1e-6);
	cr_assert_float_eq((scaled[0] + scaled[1]) / 2, 0.177559, 1e-6);
	cr_assert_float_eq((scaled[1] - scaled[0]) / 0.233, 1.102494, 1e-6);
	factor = actuator_saturate(clipped, 2, 0.306, SATURATION_CLIP);
	cr_assert_float_eq(factor, 0.580260, 1e-6);
	cr_assert_float_eq(clipped[0], 0.306 - turn, 1e-12);
	cr_assert_float_eq(clipped[1], 0.306, 1e-12);
}

Test(actuator, saturation_heeds_each_of_its_wheels_and_no_other)
{
	const enum saturation ways[] = { SATURATION_SCALE, SATURATION_CLIP };
	const double after[][3] = { { 0.25, -0.125, 9 }, { 0.25, -0.25, 9 } };

	for (int i = 0; i < 2; i++) {
		double wheel[] = { 1, -0.5, 9 };

		cr_assert_eq(actuator_saturate(wheel, 2, 0.25, ways[i]), 0.25);
		for (int j = 0; j < 3; j++)
			cr_assert_eq(wheel[j], after[i][j], "%d, %d", i, j);
		/* the last one may be the greatest as well */
		wheel[0] = 0.125;
		wheel[1] = -0.5;
		cr_assert_eq(actuator_saturate(wheel, 2, 0.25, ways[i]), 0.5);
		cr_assert_eq(wheel[0], i ? 0.125 : 0.0625);
		cr_assert_eq(wheel[1], -0.25);
	}
}

Test(actuator, saturation_without_a_limit_does_nothing)
{
	double wheel[] = { -100, 100 };

	cr_assert_eq(actuator_saturate(wheel, 2, 0, SATURATION_SCALE), 1);
	cr_assert_eq(wheel[0], -100);
}

Test(actuator, slews_at_its_rate_and_stops_there)
{
	double angle = 0;

	for (int i = 0; i < 10; i++)
		angle = actuator_slew(angle, 0.25, 0.1);
	cr_assert_eq(angle, 0.25);
	cr_assert_float_eq(actuator_slew(0, -1, 0.1), -0.1, 1e-15);
	cr_assert_eq(actuator_slew(0, -1, 0), -1);
}

Test(actuator, a_full_dead_time_forgets_its_oldest_wish)
{
	struct moment ring[4];
	struct dead_time dead = { .delay = 30 * MS, .ring = ring, .size = 4 };

	/* steps of 5 ms where 10 were said: room for four of six, so that each
	 * is forgotten before its time
	 */
	for (int i = 0; i < 9; i++)
		cr_assert_eq(delayed(&dead, i * 5 * MS, i + 1.0), 0.0);
	cr_assert_eq(dead.n, 4);
	/* the last of them holds once no more come */
	cr_assert_eq(delayed(&dead, 200 * MS, 10.0), 9.0);
	cr_assert_eq(delayed(&dead, 229 * MS, 11.0), 9.0);
	cr_assert_eq(delayed(&dead, 230 * MS, 12.0), 10.0);
}
