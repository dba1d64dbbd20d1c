/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * model_test.c - drive models: signs, inverse and forward, what ground does
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/unit/garage.h"
#include "vehicle/model.h"

/* A model with its geometry. */
struct rig {
	struct garage garage;
	struct geometry geometry;
	const struct model *model;
};

static struct rig rig(const char *lines)
{
	struct rig r;

	garage_open(&r.garage, lines);
	model_geometry(&r.garage.settings, &r.geometry);
	r.model = model_get((enum model_kind)r.garage.settings.model);
	return r;
}

static struct drive spin(const struct rig *r, double vx, double vy, double wz)
{
	const struct twist twist = { vx, vy, wz };
	struct drive drive = { .steering = 0 };

	r->model->spin(&r->geometry, &twist, &drive);
	return drive;
}

static void assert_twist(struct twist got, double vx, double vy, double wz)
{
	cr_assert_float_eq(got.vx, vx, 1e-6, "vx %.9f", got.vx);
	cr_assert_float_eq(got.vy, vy, 1e-6, "vy %.9f", got.vy);
	cr_assert_float_eq(got.wz, wz, 1e-6, "wz %.9f", got.wz);
}

Test(model, diff_drive_turns_wheels_into_motion)
{
	struct rig r = rig("wheel_separation = 1m\nwheel_radius = 1m");
	struct drive ahead = { .wheel = { 1, 1 } };
	struct drive spot = { .wheel = { -1, 1 } };
	struct twist twist;

	r.model->believe(&r.geometry, &ahead, &twist);
	assert_twist(twist, 1, 0, 0);
	r.model->believe(&r.geometry, &spot, &twist);
	assert_twist(twist, 0, 0, 2);
	r.model->move(&r.geometry, &spot, &twist);
	assert_twist(twist, 0, 0, 2);
	r.model->move(&r.geometry, &ahead, &twist);
	assert_twist(twist, 1, 0, 0);
	garage_close(&r.garage);
}

Test(model, two_sides_leave_undone_what_goes_sideways)
{
	const double sideways[] = { 0, -0.0, 0.5, -1e-9 };
	struct rig r = rig("model = skid-steer\nwheel_separation = 0.5m");
	const struct command sides = { COMMAND_WHEELS, { -0.1, 0.3 } };
	struct wish wish = { { 9, 9, 9 }, 9 };

	for (int i = 0; i < 4; i++) {
		const struct command command = { COMMAND_TWIST,
						 { 0.1, sideways[i], 0.2 } };

		cr_assert_eq(r.model->wish(&r.geometry, &command, &wish),
			     i < 2);
		assert_twist(wish.twist, 0.1, 0, 0.2);
		cr_assert_eq(wish.steering, 0);
	}
	cr_assert(r.model->wish(&r.geometry, &sides, &wish));
	assert_twist(wish.twist, 0.1, 0, 0.8);
	garage_close(&r.garage);
}

Test(model, diff_drive_stops_or_reverses_the_inner_wheel)
{
	struct rig r = rig("wheel_separation = 0.3m");

	cr_assert_float_eq(spin(&r, 0.15, 0, 1).wheel[0], 0, TINY);
	cr_assert_lt(spin(&r, 0.1, 0, 1).wheel[0], 0);
	cr_assert_gt(spin(&r, 0.1, 0, 1).wheel[1], 0);
	garage_close(&r.garage);
}

Test(model, skid_steer_turns_as_the_ground_lets_it)
{
	struct rig r = rig("preset = husky-a200\nground_multiplier = 1.2");
	struct drive drive = spin(&r, 0, 0, 1);
	struct twist twist;

	cr_assert_float_eq(drive.wheel[0], -0.5203125, TINY);
	cr_assert_float_eq(drive.wheel[1], 0.5203125, TINY);
	cr_assert_float_eq(drive.wheel[1] / r.garage.settings.wheel_radius,
			   3.151499, 1e-6);
	r.model->believe(&r.geometry, &drive, &twist);
	assert_twist(twist, 0, 0, 1);
	r.model->move(&r.geometry, &drive, &twist);
	assert_twist(twist, 0, 0, 1.5625);
	garage_close(&r.garage);
}

Test(model, ground_that_grips_turns_a_body_faster)
{
	/* effective separation, and then about points of its own */
	struct rig r = rig("model = skid-steer\nwheel_separation = 0.5m\n"
			   "separation_multiplier = 1.5\n"
			   "ground_multiplier = 0.5");

	cr_assert_float_eq(r.geometry.half, 0.375, TINY);
	cr_assert_float_eq(r.geometry.left, 0.125, TINY);
	cr_assert_float_eq(r.geometry.right, -0.125, TINY);
	garage_close(&r.garage);
	r = rig("model = skid-steer\nicr_left = 0.3m\nicr_right = -0.2m");
	cr_assert_float_eq(r.geometry.left, 0.3, TINY);
	cr_assert_float_eq(r.geometry.right, -0.2, TINY);
	garage_close(&r.garage);
}

Test(model, skid_steer_turns_at_the_commanded_rate_on_nominal_ground)
{
	struct rig r = rig("preset = rosbot-2r");
	struct drive drive = spin(&r, 0.3, 0, 0.7);
	struct twist twist;

	r.model->move(&r.geometry, &drive, &twist);
	assert_twist(twist, 0.3, 0, 0.7);
	garage_close(&r.garage);
}

Test(model, skid_steer_slides_about_its_icr)
{
	struct rig r = rig("model = skid-steer\nicr_left = 0.35m\n"
			   "icr_right = -0.31m\nicr_x = -0.05m");
	struct drive drive = { .wheel = { 0.3, 0.5 } };
	struct twist twist;

	r.model->move(&r.geometry, &drive, &twist);
	assert_twist(twist, 0.406061, 0.015152, 0.303030);
	garage_close(&r.garage);
}

Test(model, mecanum_goes_back_and_forth_through_its_wheels)
{
	struct rig r = rig("model = mecanum\nwheel_separation = 1m\n"
			   "wheelbase = 1m\nwheel_radius = 0.5m");
	struct drive drive = spin(&r, 1.5, 0, 0);
	struct twist twist;

	for (int i = 0; i < 4; i++)
		cr_assert_float_eq(drive.wheel[i] / 0.5, 3.0, TINY);
	drive = spin(&r, 0.3, -0.2, 0.7);
	cr_assert_float_eq(drive.wheel[0], 0.3 + 0.2 - 0.7, TINY);
	cr_assert_float_eq(drive.wheel[0] + drive.wheel[1] - drive.wheel[2] -
				   drive.wheel[3],
			   0, TINY);
	r.model->believe(&r.geometry, &drive, &twist);
	assert_twist(twist, 0.3, -0.2, 0.7);
	r.model->move(&r.geometry, &drive, &twist);
	assert_twist(twist, 0.3, -0.2, 0.7);
	garage_close(&r.garage);
}

Test(model, mecanum_rollers_lose_what_goes_sideways)
{
	struct rig r = rig("model = mecanum\nlateral_efficiency = 80%");
	struct drive drive = spin(&r, 0.3, 0.2, 0);
	struct twist twist;

	r.model->move(&r.geometry, &drive, &twist);
	assert_twist(twist, 0.3, 0.16, 0);
	r.model->believe(&r.geometry, &drive, &twist);
	assert_twist(twist, 0.3, 0.2, 0);
	garage_close(&r.garage);
}

static struct wish car_wish(const struct rig *r, enum command_kind kind,
			    double a, double b, double c, bool whole)
{
	const struct command command = { kind, { a, b, c } };
	struct wish wish;

	cr_assert_eq(r->model->wish(&r->geometry, &command, &wish), whole);
	return wish;
}

Test(model, ackermann_steers_for_a_twist)
{
	struct rig r = rig("model = ackermann\nwheelbase = 2m\n"
			   "steering_limit = 1.2rad\nwheel_separation = 1m");
	struct wish wish;

	wish = car_wish(&r, COMMAND_TWIST, 1, 0, 0, true);
	cr_assert_eq(wish.steering, 0);
	wish = car_wish(&r, COMMAND_TWIST, 1, 0, 0.1, true);
	cr_assert_float_eq(wish.steering, 0.197396, 1e-6);
	wish = car_wish(&r, COMMAND_TWIST, 1, 0, -0.1, true);
	cr_assert_float_eq(wish.steering, -0.197396, 1e-6);
	/* in reverse the same turn needs the other lock */
	wish = car_wish(&r, COMMAND_TWIST, -1, 0, 0.1, true);
	cr_assert_float_eq(wish.steering, -0.197396, 1e-6);
	cr_assert_float_eq(wish.twist.wz, 0.1, TINY);
	/* a car cannot turn on the spot, nor go sideways */
	wish = car_wish(&r, COMMAND_TWIST, 0, 0, 0.1, false);
	cr_assert_eq(wish.steering, 1.2);
	cr_assert_eq(wish.twist.wz, 0);
	car_wish(&r, COMMAND_TWIST, 1, 0.1, 0, false);
	wish = car_wish(&r, COMMAND_TWIST, 0, 0, -0.1, false);
	cr_assert_eq(wish.steering, -1.2);
	/* a stick writes its rest as -0.0000 */
	wish = car_wish(&r, COMMAND_TWIST, -0.0, 0, 0.1, false);
	cr_assert_eq(wish.steering, 1.2);
	wish = car_wish(&r, COMMAND_TWIST, -0.0, -0.0, -0.0, true);
	cr_assert_eq(wish.steering, 0);
	garage_close(&r.garage);
}

Test(model, ackermann_steers_up_to_its_limit_and_no_further)
{
	struct rig r = rig("model = ackermann\nsteering_limit = 1.2rad");
	const double asked[] = { 1.2, -1.2, 1.3, -1.5 };

	for (int i = 0; i < 4; i++) {
		double at = i % 2 ? -1.2 : 1.2;

		cr_assert_eq(
			car_wish(&r, COMMAND_STEERING, 1, asked[i], 0, i < 2)
				.steering,
			at);
		/* standing, it steers all the same */
		cr_assert_eq(
			car_wish(&r, COMMAND_STEERING, 0, asked[i], 0, i < 2)
				.steering,
			at);
	}
	garage_close(&r.garage);
}

Test(model, ackermann_outer_wheel_is_the_faster_one)
{
	struct rig r = rig("model = ackermann\nwheelbase = 2m\n"
			   "wheel_separation = 1m");
	struct drive drive = { .steering = 0.197396 };
	const struct twist twist = { 1, 0, 0 };
	struct twist back;

	r.model->spin(&r.geometry, &twist, &drive);
	cr_assert_gt(drive.wheel[1], drive.wheel[0]);
	cr_assert_float_eq(drive.wheel[1], 1.05, 1e-5);
	r.model->believe(&r.geometry, &drive, &back);
	assert_twist(back, 1, 0, 0.1);
	drive.steering = -0.197396;
	r.model->spin(&r.geometry, &twist, &drive);
	cr_assert_lt(drive.wheel[1], drive.wheel[0]);
	garage_close(&r.garage);
}

Test(model, ackermann_names_where_its_speed_is_measured)
{
	struct rig rear = rig("model = ackermann\nwheelbase = 0.3302m");
	struct rig front = rig("model = ackermann\nwheelbase = 0.3302m\n"
			       "speed_at = front-wheel");
	struct drive drive = { .steering = 0.3 };
	const struct twist twist = { 1, 0, 0 };
	struct twist got;

	rear.model->spin(&rear.geometry, &twist, &drive);
	rear.model->believe(&rear.geometry, &drive, &got);
	cr_assert_float_eq(got.wz, 0.936815, 1e-6);
	front.model->spin(&front.geometry, &twist, &drive);
	front.model->believe(&front.geometry, &drive, &got);
	cr_assert_float_eq(got.wz, 0.894974, 1e-6);
	cr_assert_float_eq(
		car_wish(&front, COMMAND_TWIST, 1, 0, 0.894974, true).steering,
		0.3, 1e-6);
	/* 1 m/s at the front wheel can turn the car by 1 / 0.3302 at most */
	for (int i = -1; i <= 1; i += 2) {
		struct wish wish = car_wish(&front, COMMAND_TWIST, 1, 0,
					    i * 1.5 / 0.3302, false);

		cr_assert_float_eq(wish.steering, i * 0.4189, TINY);
		cr_assert_float_eq(wish.twist.wz, i * sin(0.4189) / 0.3302,
				   TINY);
	}
	garage_close(&rear.garage);
	garage_close(&front.garage);
}

Test(model, bicycle_follows_its_arc)
{
	struct rig r = rig("model = ackermann\nwheelbase = 1m");
	struct drive drive = { .wheel = { 1, 1 }, .steering = 0.1 };
	struct pose pose = { 0, 0, 0 };
	struct twist twist;

	r.model->believe(&r.geometry, &drive, &twist);
	cr_assert_float_eq(twist.wz, 0.100335, 1e-6);
	motion_advance(&pose, &twist, 0.1, INTEGRATOR_EXACT);
	cr_assert_float_eq(pose.x, 0.099998, 1e-6);
	cr_assert_float_eq(pose.y, 0.000502, 1e-6);
	cr_assert_float_eq(pose.yaw, 0.01, 1e-3);
	garage_close(&r.garage);
}

/* Each model, driven forward and turned left for a second. */
static void assert_signs(const char *lines, const char *forward,
			 const char *left)
{
	struct garage g;

	garage_start(&g, lines, NULL);
	garage_drive(&g, 0, NSEC_PER_S, 100 * NSEC_PER_MS, forward);
	cr_assert_gt(g.row.truth.x, 0.05, "%s", lines);
	cr_assert_float_eq(g.row.truth.y, 0, TINY);
	cr_assert_gt(g.row.odom.x, 0.05);
	garage_close(&g);
	garage_start(&g, lines, NULL);
	garage_drive(&g, 0, NSEC_PER_S, 100 * NSEC_PER_MS, left);
	cr_assert_gt(g.row.truth.yaw, 0.05, "%s", lines);
	cr_assert_gt(g.row.odom.yaw, 0.05, "%s", lines);
	garage_close(&g);
}

Test(model, forward_is_x_and_left_is_yaw_in_every_model)
{
	const char *forward = "{\"vx\":0.1,\"vy\":0,\"wz\":0}";
	const char *left = "{\"vx\":0.1,\"vy\":0,\"wz\":0.2}";
	const char *wheels = "{\"left\":0.1,\"right\":0.1}";
	const char *wheels_left = "{\"left\":0.05,\"right\":0.15}";

	assert_signs("model = diff-drive", forward, left);
	assert_signs("model = diff-drive", wheels, wheels_left);
	assert_signs("model = skid-steer", forward, left);
	assert_signs("model = skid-steer", wheels, wheels_left);
	assert_signs("model = mecanum", forward, left);
	assert_signs("model = ackermann", forward, left);
	assert_signs("model = ackermann\nbehaviour = dynamic",
		     "{\"speed\":2,\"steering_angle\":0}",
		     "{\"speed\":2,\"steering_angle\":0.1}");
	assert_signs("model = position-delta",
		     "{\"dx\":0.1,\"dy\":0,\"dyaw\":0}",
		     "{\"dx\":0.1,\"dy\":0,\"dyaw\":0.1}");
	/* what the seed's rover calls left is the wheel on our right */
	assert_signs("preset = unite-waffle-pi",
		     "{\"left\":0.1,\"right\":0.1,\"dt\":0.1}",
		     "{\"left\":0.15,\"right\":0.05,\"dt\":0.1}");
}

Test(model, a_goal_asks_for_no_motion_of_its_own)
{
	struct rig r = rig("model = position-delta");
	const struct command command = { COMMAND_DELTA, { 1, 2, 3 } };
	struct wish wish = { { 9, 9, 9 }, 9 };

	cr_assert(r.model->wish(&r.geometry, &command, &wish));
	cr_assert(motion_is_still(&wish.twist));
	cr_assert_eq(wish.steering, 0);
	garage_close(&r.garage);
}

Test(model, left_is_positive_sideways)
{
	struct garage g;

	garage_start(&g, "model = mecanum", NULL);
	garage_drive(&g, 0, NSEC_PER_S, 100 * NSEC_PER_MS,
		     "{\"vx\":0,\"vy\":0.1,\"wz\":0}");
	cr_assert_gt(g.row.truth.y, 0.05);
	cr_assert_float_eq(g.row.truth.x, 0, TINY);
	cr_assert_gt(g.row.odom.y, 0.05);
	garage_close(&g);
}
