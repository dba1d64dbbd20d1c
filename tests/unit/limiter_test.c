/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * limiter_test.c - jerk, acceleration, velocity: order, signs, crossing zero
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "vehicle/limiter.h"

/* Limits of the tests of a well-known rate limiter. */
static const struct limits small = {
	.lo = -0.5,
	.hi = 1,
	.speed_up = 1,
	.brake = 1,
	.speed_up_back = 0.5,
	.brake_back = 0.5,
	.jerk_lo = -2,
	.jerk_hi = 5,
};

static double limit(const struct limits *limits, double wish, double last,
		    double before, double dt)
{
	struct limiter limiter = { *limits, last, before };

	return limiter_apply(&limiter, wish, dt);
}

static void assert_limit(const struct limits *limits, double wish, double last,
			 double before, double dt, double value)
{
	double got = limit(limits, wish, last, before, dt);

	cr_assert_float_eq(got, value, 1e-12, "%g became %.12f, not %g", wish,
			   got, value);
}

Test(limiter, without_limits_leaves_everything_alone)
{
	assert_limit(&limiter_none, 10, 0, 0, 0.5, 10);
	assert_limit(&limiter_none, -10, 0, 0, 0.5, -10);
	assert_limit(&limiter_none, 5, 4, 3, 0.001, 5);
	assert_limit(&limiter_none, -5, 4, 3, 0.001, -5);
}

Test(limiter, bounds_the_velocity_each_way)
{
	struct limits asked = limiter_none;

	cr_assert_eq(limiter_velocity(&small, 10), 1);
	cr_assert_eq(limiter_velocity(&small, -10), -0.5);
	cr_assert_eq(limiter_velocity(&limiter_none, 10), 10);
	asked.lo = -1;
	asked.hi = 4;
	assert_limit(&asked, 1, 0, 0, 1, 1);
	assert_limit(&asked, 5, 0, 0, 1, 4);
	assert_limit(&asked, -2, 0, 0, 1, -1);
}

Test(limiter, acceleration_binds_before_velocity)
{
	struct limits unbound = small;

	assert_limit(&small, 10, 0, 0, 0.5, 0.5);
	assert_limit(&small, -10, 0, 0, 0.5, -0.25);
	unbound.lo = -INFINITY;
	unbound.hi = INFINITY;
	unbound.jerk_hi = 2;
	assert_limit(&unbound, 10, 0, 0, 0.5, 0.5);
	assert_limit(&unbound, -10, 0, 0, 0.5, -0.25);
}

Test(limiter, brakes_with_another_strength_than_it_starts)
{
	struct limits limits = limiter_none;
	struct limiter forward, back;

	limits.speed_up = 1;
	limits.brake = 5;
	limits.speed_up_back = 0.5;
	limits.brake_back = 10;
	forward = (struct limiter){ limits, 5, 5 };
	back = (struct limiter){ limits, -5, -5 };
	cr_assert_eq(limiter_acceleration(&forward, 10, 0.5), 5.5);
	cr_assert_eq(limiter_acceleration(&forward, -10, 0.5), 2.5);
	cr_assert_eq(limiter_acceleration(&back, -10, 0.5), -5.25);
	cr_assert_eq(limiter_acceleration(&back, 10, 0.5), 0);
}

Test(limiter, bounds_the_change_from_one_step_to_the_next)
{
	struct limits limits = limiter_none;

	limits.speed_up = limits.brake_back = 4;
	limits.speed_up_back = limits.brake = 2;
	assert_limit(&limits, 2, 1, 1, 1, 2);
	assert_limit(&limits, 10, 1, 1, 1, 5);
	assert_limit(&limits, -8, -2, -2, 1, -4);
}

Test(limiter, jerk_is_not_doubled)
{
	struct limits limits = small;
	struct limiter rest;

	limits.jerk_lo = -1;
	limits.jerk_hi = 1;
	rest = (struct limiter){ limits, 0, 0 };
	cr_assert_eq(limiter_jerk(&rest, 10, 0.5), 0.25);
	cr_assert_eq(limiter_jerk(&rest, -10, 0.5), -0.25);
	assert_limit(&limits, 10, 0, 0, 0.5, 0.25);
	assert_limit(&limits, -10, 0, 0, 0.5, -0.25);
	limits = limiter_none;
	limits.jerk_lo = -1;
	limits.jerk_hi = 1;
	assert_limit(&limits, 2, 1, 0.5, 1, 2);
	assert_limit(&limits, 6, 2, 1, 1, 4);
	assert_limit(&limits, -6, -2, -1, 1, -4);
	/* nor passed over where all is small */
	assert_limit(&limits, 0.5, 0, 0, 0.5, 0.25);
	assert_limit(&limits, -0.5, 0, 0, 0.5, -0.25);
	limits.jerk_lo = -5;
	limits.jerk_hi = 5;
	/* one published formula gives 2.5 here: twice the jerk asked for */
	assert_limit(&limits, 10, 0, 0, 0.5, 1.25);
}

Test(limiter, jerk_then_acceleration_then_velocity)
{
	const struct limits all = { -4, 4, 2, 2, 2, 2, -1, 1, 0 };
	const struct limits probe = { -1, 1, 1, 1, 1, 1, -0.25, 0.25, 0 };

	assert_limit(&all, 2, 1, 0.5, 1, 2);
	assert_limit(&all, 5, 2, 1, 1, 4);
	assert_limit(&all, 4, 1, 0, 1, 3);
	/* in the reverse order the jerk stage would give 1.25 here */
	assert_limit(&probe, 5, 1, 0.5, 1, 1.0);
}

Test(limiter, splits_a_step_through_zero)
{
	struct limits limits = limiter_none;

	limits.speed_up = 0.5;
	limits.brake = 1;
	limits.speed_up_back = 0.2;
	assert_limit(&limits, -1, 0.05, 0.05, 0.1, -0.01);
	limits.brake_back = 2;
	/* the other way: a fortieth of a second to stand, then 0.5 m/s^2 */
	assert_limit(&limits, 0.5, -0.05, -0.05, 0.1, 0.0375);
	/* only just stopped: nothing is left to start with */
	assert_limit(&limits, -1, 0.1, 0.1, 0.1, 0);
	assert_limit(&limits, -1, 0.15, 0.15, 0.1, 0.05);
	limits.zero = ZERO_CROSSING_WHOLE;
	assert_limit(&limits, -1, 0.05, 0.05, 0.1, -0.05);
	assert_limit(&limits, 0.5, -0.05, -0.05, 0.1, 0.15);
	/* from rest there is no crossing, whatever it would be like */
	assert_limit(&limits, 0.5, 0, 0, 0.1, 0.05);
	assert_limit(&limits, -0.5, 0, 0, 0.1, -0.02);
}

/* Steps of 1 ms until the output is there; -1 if it never is. */
static int steps_to(struct limiter *limiter, double wish, double within)
{
	for (int i = 1; i < 5000; i++)
		if (fabs(limiter_apply(limiter, wish, 1e-3) - wish) <= within)
			return i;
	return -1;
}

Test(limiter, takes_the_steps_that_the_limits_ask_for)
{
	struct limiter limiter = { limiter_none, 0, 0 };

	limiter.limits.speed_up = 2;
	limiter.limits.brake = 4;
	cr_assert_eq(steps_to(&limiter, 1, 1e-9), 500);
	cr_assert_eq(steps_to(&limiter, 0, 1e-9), 250);
	limiter.limits.speed_up = 5;
	cr_assert_eq(steps_to(&limiter, 1, 1e-9), 200);
	limiter = (struct limiter){ limiter_none, 0, 0 };
	limiter.limits.speed_up = 1;
	limiter.limits.hi = 0.5;
	cr_assert_eq(steps_to(&limiter, 0.5, 1e-9), 500);
	cr_assert_eq(limiter_apply(&limiter, 0.8, 1e-3), 0.5);
}

Test(limiter, ramps_with_jerk_as_the_closed_form_has_it)
{
	const struct limits linear = { -0.5, 1, 1, 1, 0.5, 0.5, -5, 5, 0 };
	const struct limits turn = { -2, 2, 2, 2, 2, 2, -10, 10, 0 };
	struct limiter a = { linear, 0, 0 }, b = { turn, 0, 0 };

	for (int i = 0; i < 500; i++) {
		limiter_apply(&a, 10, 1e-3);
		limiter_apply(&b, 10, 1e-3);
	}
	cr_assert_float_eq(a.last, 0.40, 2e-3);
	cr_assert_float_eq(b.last, 0.80, 4e-3);
	for (int i = 0; i < 4500; i++) {
		limiter_apply(&a, 10, 1e-3);
		limiter_apply(&b, 10, 1e-3);
	}
	cr_assert_eq(a.last, 1);
	cr_assert_eq(b.last, 2);
}

Test(limiter, never_drives_back_after_a_stop)
{
	const struct limits limits = { -1, 1, 1, 1, 1, 1, -5, 5, 0 };
	struct limiter limiter = { limits, 0, 0 };

	for (int i = 0; i < 1000; i++)
		limiter_apply(&limiter, 1, 1e-3);
	for (int i = 0; i < 3000; i++)
		cr_assert_geq(limiter_apply(&limiter, 0, 1e-3), 0);
	cr_assert_eq(limiter.last, 0);
}

Test(limiter, slows_down_no_stronger_than_asked)
{
	struct limits limits = limiter_none;

	limits.speed_up = limits.speed_up_back = 1;
	limits.brake = limits.brake_back = 3;
	assert_limit(&limits, 0, 10, 10, 0.5, 8.5);
	assert_limit(&limits, 0, -10, -10, 0.5, -8.5);
	assert_limit(&limits, 10, 0, 0, 0.5, 0.5);
	assert_limit(&limits, -10, 0, 0, 0.5, -0.5);
	/* no least change: a request is met, never overshot */
	assert_limit(&limits, 9.9, 10, 10, 0.5, 9.9);
	assert_limit(&limits, 0, 0, 0, 0.5, 0);
}

Test(limiter, refuses_limits_without_room)
{
	struct limits bad[5];

	for (int i = 0; i < 5; i++)
		bad[i] = limiter_none;
	bad[0].lo = 1;
	bad[0].hi = -1;
	bad[1].speed_up = -1;
	bad[2].jerk_lo = 1;
	bad[2].jerk_hi = -1;
	bad[3].hi = NAN;
	bad[4].brake = NAN;
	for (int i = 0; i < 5; i++)
		cr_assert_not(limiter_is_sound(&bad[i]));
	cr_assert(limiter_is_sound(&limiter_none));
	cr_assert(limiter_is_sound(&small));
}

Test(limiter, limits_that_leave_one_value_or_no_change_are_sound)
{
	const struct limits tight[] = {
		{ 1, 1, 0, 0, 0, 0, 0, 0, ZERO_CROSSING_SPLIT },
		{ -1, 1, 0.5, 0.5, 0.5, 0.5, -1, 1, ZERO_CROSSING_SPLIT },
	};

	cr_assert(limiter_is_sound(&tight[0]));
	cr_assert(limiter_is_sound(&tight[1]));
	assert_limit(&tight[0], 5, 1, 1, 0.1, 1);
}

Test(limiter, takes_zero_settings_for_no_limit)
{
	struct vehicle_settings settings = { .max_speed = 2,
					     .acceleration = 1 };
	struct limits limits[3];

	limiter_settings(&settings, limits);
	cr_assert_eq(limits[0].hi, 2);
	cr_assert_eq(limits[0].lo, -2);
	cr_assert_eq(limits[0].brake, 1);
	cr_assert_eq(limits[1].hi, 2);
	cr_assert_eq(limits[2].hi, INFINITY);
	cr_assert_eq(limits[2].speed_up, INFINITY);
	settings.max_reverse = 0.5;
	settings.deceleration = 3;
	limiter_settings(&settings, limits);
	cr_assert_eq(limits[0].lo, -0.5);
	cr_assert_eq(limits[0].brake, 3);
	cr_assert_eq(limits[0].brake_back, 3);
}

Test(limiter, each_axis_of_a_body_has_its_own_settings)
{
	const struct vehicle_settings settings = {
		.max_speed = 0.5,
		.max_reverse = 0.25,
		.max_lateral = 0.125,
		.max_turn = 0.75,
		.acceleration = 0.8,
		.deceleration = 0.9,
		.turn_acceleration = 0.6,
		.turn_deceleration = 0.7,
		.jerk = 0.4,
		.turn_jerk = 0.3,
		.zero_crossing = ZERO_CROSSING_WHOLE,
	};
	const struct limits want[3] = {
		{ -0.25, 0.5, 0.8, 0.9, 0.8, 0.9, -0.4, 0.4, 1 },
		{ -0.125, 0.125, 0.8, 0.9, 0.8, 0.9, -0.4, 0.4, 1 },
		{ -0.75, 0.75, 0.6, 0.7, 0.6, 0.7, -0.3, 0.3, 1 },
	};
	struct limits limits[3];

	limiter_settings(&settings, limits);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(limits[i].lo, want[i].lo, "%d", i);
		cr_assert_eq(limits[i].hi, want[i].hi, "%d", i);
		cr_assert_eq(limits[i].speed_up, want[i].speed_up);
		cr_assert_eq(limits[i].speed_up_back, want[i].speed_up);
		cr_assert_eq(limits[i].brake, want[i].brake);
		cr_assert_eq(limits[i].brake_back, want[i].brake);
		cr_assert_eq(limits[i].jerk_lo, want[i].jerk_lo);
		cr_assert_eq(limits[i].jerk_hi, want[i].jerk_hi);
		cr_assert_eq(limits[i].zero, ZERO_CROSSING_WHOLE);
	}
}
