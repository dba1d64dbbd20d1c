/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * single_track_test.c - the dynamic car against CommonRoad's numbers
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "vehicle/single_track.h"

#define G 9.81

/* CommonRoad's vehicle 2, a BMW 320i. */
static const struct vehicle_settings bmw = {
	.cg_front = 1.1561957064,
	.cg_rear = 1.4227170936,
	.cg_height = 0.61373004,
	.mass = 1093.2952334674,
	.inertia = 1791.5995300018,
	.friction = 1.0489,
	.stiffness_front = 21.92 / 1.0489,
	.stiffness_rear = 21.92 / 1.0489,
};

Test(single_track, rate_of_change_matches_commonroad)
{
	const double state[TRACK_STATES] = {
		2.0233348142065677,  0.0041907137716636, 0.0197545248559617,
		15.7216236334290116, 0.0025857914776859, 0.0529001056654038,
		0.0033012170610298,
	};
	const double want[TRACK_STATES] = {
		15.7213512030862397, 0.0925527979719355, 0.15,
		5.3536773276413925,  0.0529001056654038, 0.6435589397748606,
		0.0313297971641291,
	};
	/* the acceleration that constant power leaves at this speed */
	const double input[2] = { 0.15, 5.3536773276413925 };
	double rate[TRACK_STATES];

	single_track_rate(&bmw, state, input, rate);
	for (int i = 0; i < TRACK_STATES; i++)
		cr_assert_float_eq(rate[i], want[i], 5e-8, "%d: %.10f", i,
				   rate[i]);
}

/* A second from rest with a constant acceleration and steering rate. */
static struct single_track drive(double acceleration, double steering)
{
	struct single_track track = { .dynamic = false };

	for (int i = 1; i <= 100; i++)
		single_track_step(&track, &bmw, acceleration * 0.01 * i,
				  steering * 0.01 * i, 0.01);
	return track;
}

Test(single_track, accelerating_turn_matches_commonroad)
{
	const double want[TRACK_STATES] = {
		3.0731976, 0.2869835, 0.15,	 6.1803,
		0.1097747, 0.3248268, 0.0697548,
	};
	struct single_track track = drive(0.63 * G, 0.15);

	for (int i = 0; i < TRACK_STATES; i++)
		cr_assert_float_eq(track.state[i], want[i], 1e-2, "%d: %.7f", i,
				   track.state[i]);
}

Test(single_track, at_rest_nothing_changes_but_the_steering)
{
	struct single_track track = drive(0, 0);

	for (int i = 0; i < TRACK_STATES; i++)
		cr_assert_eq(track.state[i], 0);
	track = drive(0, 0.15);
	cr_assert_float_eq(track.state[TRACK_STEERING], 0.15, 1e-12);
	cr_assert_eq(track.state[TRACK_X], 0);
	cr_assert_eq(track.state[TRACK_YAW], 0);
}

Test(single_track, braking_from_rest_goes_backwards)
{
	struct single_track track = drive(-0.7 * G, 0);

	cr_assert_float_eq(track.state[TRACK_X], -3.4335, 1e-2);
	cr_assert_float_eq(track.state[TRACK_SPEED], -6.867, 1e-9);
	cr_assert_eq(track.state[TRACK_Y], 0);
}

Test(single_track, steering_right_mirrors_steering_left)
{
	struct single_track left = drive(0.63 * G, 0.15);
	struct single_track right = drive(0.63 * G, -0.15);

	cr_assert_float_eq(left.state[TRACK_X], right.state[TRACK_X], 1e-12);
	cr_assert_float_eq(left.state[TRACK_Y], -right.state[TRACK_Y], 1e-12);
	cr_assert_float_eq(left.state[TRACK_YAW], -right.state[TRACK_YAW],
			   1e-12);
}

Test(single_track, rear_axle_is_where_it_was_put)
{
	const struct pose start = { 3, -2, 0.7 };
	struct single_track track;
	struct twist twist;
	struct pose pose;

	single_track_reset(&track, &bmw, &start);
	single_track_get(&track, &bmw, &pose, &twist);
	cr_assert_float_eq(pose.x, 3, 1e-12);
	cr_assert_float_eq(pose.y, -2, 1e-12);
	cr_assert(motion_is_still(&twist));
}

Test(single_track, slow_car_rolls_without_sliding)
{
	struct single_track track = { .dynamic = false };
	struct twist twist;
	struct pose pose;

	for (int i = 0; i < 300; i++)
		single_track_step(&track, &bmw, 0.4, 0.2, 0.01);
	single_track_get(&track, &bmw, &pose, &twist);
	cr_assert_not(track.dynamic);
	cr_assert_float_eq(twist.vy, 0, 1e-12);
	cr_assert_float_eq(twist.wz / twist.vx,
			   tan(0.2) / (bmw.cg_front + bmw.cg_rear), 1e-12);
}

Test(single_track, slow_car_runs_along_its_arc)
{
	const struct pose start = { 3, -2, 0.5 };
	double radius = (bmw.cg_front + bmw.cg_rear) / tan(0.2), turned;
	struct single_track track;
	struct twist twist;
	struct pose pose;

	single_track_reset(&track, &bmw, &start);
	track.state[TRACK_STEERING] = 0.2;
	track.state[TRACK_SPEED] = 0.4;
	for (int i = 0; i < 500; i++)
		single_track_step(&track, &bmw, 0.4, 0.2, 0.01);
	single_track_get(&track, &bmw, &pose, &twist);
	turned = 5 * 0.4 / hypot(radius, bmw.cg_rear);
	cr_assert_float_eq(pose.yaw, 0.5 + turned, 1e-9);
	cr_assert_float_eq(pose.x, 3 + radius * (sin(0.5 + turned) - sin(0.5)),
			   1e-9);
	cr_assert_float_eq(pose.y, -2 - radius * (cos(0.5 + turned) - cos(0.5)),
			   1e-9);
}

Test(single_track, tyres_matter_from_one_speed_up_to_another_down)
{
	static const struct {
		double speed;
		bool slides;
	} rows[] = {
		{ 0.4, false },	 { 0.53, false }, { 0.54, true },
		{ 0.9, true },	 { 0.51, true },  { 0.5, false },
		{ 0.51, false }, { 0.53, false }, { 5, true },
		{ 0.49, false }, { -2, false },
	};
	struct single_track track = { .dynamic = false };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		single_track_step(&track, &bmw, rows[i].speed, 0.01, 0.01);
		cr_assert_eq(track.dynamic, rows[i].slides, "%g",
			     rows[i].speed);
	}
}
