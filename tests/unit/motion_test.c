/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * motion_test.c - poses and twists: arcs, integrators, angles
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "vehicle/goal.h"
#include "vehicle/motion.h"

static void advance(struct pose from, struct twist twist, double dt,
		    enum integrator how, struct pose to, double within)
{
	motion_advance(&from, &twist, dt, how);
	cr_assert_float_eq(from.x, to.x, within, "x %.12f not %.12f", from.x,
			   to.x);
	cr_assert_float_eq(from.y, to.y, within, "y %.12f not %.12f", from.y,
			   to.y);
	cr_assert_float_eq(from.yaw, to.yaw, within);
}

static const struct pose origin = { 0, 0, 0 };

Test(motion, follows_arcs_from_any_pose)
{
	const struct {
		struct pose from;
		struct twist twist;
		double dt;
		struct pose to;
	} rows[] = {
		{ { 0, 0, 0 }, { 2, 0, 0 }, 0.5, { 1, 0, 0 } },
		{ { -1.2, 0.7, 0.4 },
		  { 1.1, 0, 0 },
		  0.35,
		  { -0.845391517309, 0.849926061789, 0.4 } },
		{ { 0, 0, 0 },
		  { 1, 0, 1 },
		  1,
		  { 0.841470984808, 0.459697694132, 1 } },
		{ { 0, 0, 0 },
		  { 1, 0, -1 },
		  1,
		  { 0.841470984808, -0.459697694132, -1 } },
		{ { 0.8, -0.45, -0.3 },
		  { 1.3, 0, 0.45 },
		  0.6,
		  { 1.567071374214, -0.577728017801, -0.03 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		advance(rows[i].from, rows[i].twist, rows[i].dt,
			INTEGRATOR_EXACT, rows[i].to, 1e-10);
}

Test(motion, goes_sideways_and_turns_on_the_way)
{
	advance(origin, (struct twist){ 0, 1, 0 }, 1, INTEGRATOR_EXACT,
		(struct pose){ 0, 1, 0 }, 1e-12);
	advance(origin, (struct twist){ 0, 0, 2 }, 1, INTEGRATOR_EXACT,
		(struct pose){ 0, 0, 2 }, 1e-12);
	advance(origin, (struct twist){ 1.5, 0.5, 1 }, 1, INTEGRATOR_EXACT,
		(struct pose){ 1.032357630146, 1.110282033602, 1 }, 1e-10);
}

Test(motion, has_three_integrators)
{
	const struct twist twist = { 1, 0, 1 };

	advance(origin, twist, 1, INTEGRATOR_EULER, (struct pose){ 1, 0, 1 },
		1e-12);
	advance(origin, twist, 1, INTEGRATOR_MIDPOINT,
		(struct pose){ 0.877582561890, 0.479425538604, 1 }, 1e-10);
	advance(origin, twist, 1, INTEGRATOR_EXACT,
		(struct pose){ 0.841470984808, 0.459697694132, 1 }, 1e-10);
}

/* End point after one second in so many steps. */
static struct pose walk(int steps, enum integrator how)
{
	const struct twist twist = { 1, 0, 1 };
	struct pose pose = origin;

	for (int i = 0; i < steps; i++)
		motion_advance(&pose, &twist, 1.0 / steps, how);
	return pose;
}

static double error(int steps, enum integrator how)
{
	struct pose pose = walk(steps, how);

	return hypot(pose.x - sin(1.0), pose.y - (1.0 - cos(1.0)));
}

Test(motion, halving_the_step_changes_no_exact_pose)
{
	for (int steps = 1; steps <= 640; steps *= 2)
		cr_assert_lt(error(steps, INTEGRATOR_EXACT), 1e-12);
}

Test(motion, converges_with_the_order_of_its_integrator)
{
	cr_assert_float_eq(error(10, INTEGRATOR_EULER), 4.80e-2, 5e-4);
	cr_assert_float_eq(error(80, INTEGRATOR_EULER), 5.99e-3, 5e-5);
	cr_assert_float_eq(error(10, INTEGRATOR_MIDPOINT), 4.00e-4, 5e-6);
	cr_assert_float_eq(error(80, INTEGRATOR_MIDPOINT), 6.24e-6, 5e-8);
}

Test(motion, is_smooth_where_the_series_takes_over)
{
	for (double turn = 0.9e-4; turn < 1.1e-4; turn += 1e-7) {
		struct pose pose = origin;
		const struct twist twist = { 1, 1, turn };

		motion_advance(&pose, &twist, 1, INTEGRATOR_EXACT);
		cr_assert_float_eq(pose.x, 1 - turn / 2, 1e-8);
		cr_assert_float_eq(pose.y, 1 + turn / 2, 1e-8);
	}
}

Test(motion, the_series_are_exact_to_the_last_digit)
{
	const double turn = 0.99e-4;
	const struct twist ahead = { 1, 0, turn };
	struct pose pose = { 0, 0, 0 };

	motion_advance(&pose, &ahead, 1.0, INTEGRATOR_EXACT);
	cr_assert_float_eq(pose.x, sin(turn) / turn, 1e-15);
	cr_assert_float_eq(pose.y, 2.0 * pow(sin(turn / 2.0), 2.0) / turn,
			   1e-15);
}

Test(motion, is_still_only_if_nothing_moves)
{
	cr_assert(motion_is_still(&(struct twist){ 0, 0, 0 }));
	cr_assert(motion_is_still(&(struct twist){ -0.0, 0, -0.0 }));
	cr_assert_not(motion_is_still(&(struct twist){ 1e-9, 0, 0 }));
	cr_assert_not(motion_is_still(&(struct twist){ 0, -0.5, 0 }));
	cr_assert_not(motion_is_still(&(struct twist){ 0, 0, 0.5 }));
}

Test(motion, wraps_into_half_open_interval)
{
	const double pi = acos(-1.0);

	cr_assert_float_eq(motion_wrap(3 * pi / 2), -pi / 2, 1e-12);
	cr_assert_float_eq(motion_wrap(-7), -7 + 2 * pi, 1e-12);
	cr_assert_eq(motion_wrap(pi), pi);
	cr_assert_eq(motion_wrap(-pi), pi);
	cr_assert_eq(motion_wrap(0.25), 0.25);
}

Test(motion, composes_in_the_frame_of_the_pose)
{
	struct pose pose = { 1, 2, acos(-1.0) / 2 };
	const struct pose delta = { 2, 1, -0.5 };

	motion_compose(&pose, &delta);
	cr_assert_float_eq(pose.x, 0, 1e-12);
	cr_assert_float_eq(pose.y, 4, 1e-12);
	cr_assert_float_eq(pose.yaw, acos(-1.0) / 2 - 0.5, 1e-12);
}

Test(motion, towards_a_goal_is_along_the_heading_at_half_the_step)
{
	const struct pose here = { 1, 2, 0.5 }, goal = { 4, 6, 1.5 };
	const struct pose right = { 4, 6, -0.5 };
	const struct pace pace[2] = { { 0.5, INFINITY }, { 0.25, INFINITY } };
	struct twist twist = goal_pursue(&goal, &here, pace, 0.5);
	/* 5 m away in the direction (3, 4); half a step turns by 0.0625 */
	double angle = atan2(4, 3) - 0.5 - 0.0625;

	cr_assert_float_eq(twist.wz, 0.25, 1e-12);
	cr_assert_float_eq(twist.vx, 0.5 * cos(angle), 1e-12);
	cr_assert_float_eq(twist.vy, 0.5 * sin(angle), 1e-12);
	twist = goal_pursue(&right, &here, pace, 0.5);
	angle += 2 * 0.0625;
	cr_assert_float_eq(twist.wz, -0.25, 1e-12);
	cr_assert_float_eq(twist.vx, 0.5 * cos(angle), 1e-12);
	cr_assert_float_eq(twist.vy, 0.5 * sin(angle), 1e-12);
	/* there it stands, and what is near is reached in one step */
	twist = goal_pursue(&here, &here, pace, 0.5);
	cr_assert(motion_is_still(&twist));
	twist = goal_pursue(&(struct pose){ 1, 2, 0.6 }, &here, pace, 0.5);
	cr_assert_float_eq(twist.wz, 0.2, 1e-12);
	cr_assert_eq(twist.vx, 0);
	twist = goal_pursue(&(struct pose){ 0.1, 0, 0 }, &origin, pace, 0.5);
	cr_assert_float_eq(twist.vx, 0.2, 1e-12);
}
