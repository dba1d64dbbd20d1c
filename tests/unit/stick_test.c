/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * stick_test.c - dead zones and ends of a stick and its triggers
 *
 * Floor: tests.
 */
#include "vehicle/stick.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

/* A few roundings of numbers up to 1. */
#define TINY (4.0 * DBL_EPSILON)

static struct twist twist_of(double forward, double left, double turn_left,
			     double turn_right)
{
	const struct stick stick = { forward, left, turn_left, turn_right };

	return stick_twist(&stick, 0.15, 0.5);
}

Test(stick, within_the_dead_zone_there_is_nothing)
{
	for (int degrees = 0; degrees < 360; degrees += 15) {
		double angle = degrees * M_PI / 180.0;
		struct twist twist = twist_of(0.1499 * cos(angle),
					      0.1499 * sin(angle), 0.05, 0.05);

		cr_assert(motion_is_still(&twist), "at %d", degrees);
	}
}

Test(stick, behind_it_speeds_begin_at_zero_and_end_at_the_limit)
{
	cr_assert_lt(twist_of(0.1501, 0, 0, 0).vx, 0.15 * 0.0002);
	cr_assert_gt(twist_of(0.1501, 0, 0, 0).vx, 0.0);
	cr_assert_eq(twist_of(1, 0, 0, 0).vx, 0.15);
	cr_assert_eq(twist_of(-1, 0, 0, 0).vx, -0.15);
	cr_assert_eq(twist_of(0, 1, 0, 0).vy, 0.15);
	cr_assert_eq(twist_of(0, 0, 1, 0).wz, 0.5);
	cr_assert_eq(twist_of(0, 0, 0, 1).wz, -0.5);
	/* half way between dead zone and end */
	cr_assert_lt(fabs(twist_of(0.575, 0, 0, 0).vx - 0.075), TINY);
	cr_assert_lt(fabs(twist_of(0, 0, 0.525, 0).wz - 0.25), TINY);
}

Test(stick, the_dead_zone_is_a_disc_and_the_direction_is_kept)
{
	/* each axis is within 0.15, both together are not */
	struct twist twist = twist_of(0.12, 0.12, 0, 0);

	cr_assert_gt(twist.vx, 0.0);
	cr_assert_lt(fabs(twist.vx - twist.vy), TINY);
	/* a corner is no faster than an end */
	twist = twist_of(1, -1, 0, 0);
	cr_assert_lt(fabs(hypot(twist.vx, twist.vy) - 0.15), TINY);
	cr_assert_lt(twist.vy, 0.0);
}

Test(stick, both_triggers_are_none_and_what_is_no_number_is_none)
{
	struct twist twist = twist_of(NAN, 0, NAN, 0);

	cr_assert(motion_is_still(&twist));
	cr_assert_eq(twist_of(0, 0, 0.7, 0.7).wz, 0.0);
	cr_assert_lt(fabs(twist_of(5, 0, 5, 0).vx - 0.15), TINY);
	cr_assert_eq(twist_of(5, 0, 5, 0).wz, 0.5);
}
