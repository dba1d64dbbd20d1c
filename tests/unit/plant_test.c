/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * plant_test.c - the body as a whole: drive, ground, cars, goals, contact
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/unit/garage.h"
#include "vehicle/plant.h"

#define MS    NSEC_PER_MS
#define S     NSEC_PER_S
#define HALF  "{\"vx\":0.5,\"vy\":0,\"wz\":0}"
#define ROBOT "model = diff-drive\n"

Test(plant, odometry_is_blind_to_slip)
{
	struct garage g;

	garage_start(&g, ROBOT "slip = 20%", NULL);
	garage_drive(&g, 0, 2 * S, 100 * MS, HALF);
	cr_assert_float_eq(g.row.odom.x, 1.0, 1e-9);
	cr_assert_float_eq(g.row.truth.x, 0.8, 1e-9);
	garage_close(&g);
	garage_start(&g, "model = skid-steer\nground_multiplier = 1.5", NULL);
	garage_drive(&g, 0, 2 * S, 100 * MS, "{\"vx\":0,\"vy\":0,\"wz\":0.6}");
	cr_assert_float_eq(g.row.odom.yaw, 1.2, 1e-9);
	cr_assert_float_eq(g.row.truth.yaw, 0.8, 1e-9);
	garage_close(&g);
}

Test(plant, without_slip_odometry_is_truth)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_drive(&g, 0, 5 * S, 100 * MS,
		     "{\"vx\":0.3,\"vy\":0,\"wz\":0.4}");
	cr_assert_float_eq(g.row.odom.x, g.row.truth.x, 1e-9);
	cr_assert_float_eq(g.row.odom.y, g.row.truth.y, 1e-9);
	cr_assert_float_eq(g.row.odom.yaw, g.row.truth.yaw, 1e-9);
	garage_close(&g);
}

Test(plant, slips_more_on_a_patch)
{
	struct garage g;

	garage_start(&g, ROBOT "patches = 0.5 -1 2 1 0.5", NULL);
	garage_drive(&g, 0, 2 * S, 100 * MS, HALF);
	cr_assert_float_eq(g.row.odom.x, 1.0, 1e-9);
	cr_assert_float_eq(g.row.truth.x, 0.75, 0.01);
	garage_close(&g);
}

Test(plant, halving_the_step_changes_no_exact_pose)
{
	struct pose pose[3];
	const char *const lines[3] = { ROBOT "step = 20ms", ROBOT "step = 10ms",
				       ROBOT "step = 5ms" };

	for (int i = 0; i < 3; i++) {
		struct garage g;

		garage_start(&g, lines[i], NULL);
		garage_drive(&g, 0, 2 * S, 100 * MS,
			     "{\"vx\":0.5,\"vy\":0,\"wz\":1.5}");
		pose[i] = g.row.truth;
		garage_close(&g);
	}
	/* what is put in at 0 holds from 0, whatever the step */
	for (int i = 1; i < 3; i++) {
		cr_assert_float_eq(pose[i].x, pose[0].x, 1e-9);
		cr_assert_float_eq(pose[i].y, pose[0].y, 1e-9);
		cr_assert_float_eq(pose[i].yaw, pose[0].yaw, 1e-9);
	}
}

Test(plant, dead_time_and_lag_delay_the_answer)
{
	struct garage g;

	garage_start(&g, ROBOT "dead_time = 100ms\nlag = 200ms", NULL);
	garage_put(&g, 10 * MS, HALF);
	garage_run(&g, 100 * MS);
	cr_assert_eq(g.row.applied.vx, 0);
	cr_assert_float_eq(g.row.requested.vx, 0.5, TINY);
	garage_run(&g, 300 * MS);
	/* the first step that answers is the one at 110 ms */
	cr_assert_float_eq(g.row.applied.vx, 0.5 * (1 - exp(-1.0)), 1e-9);
	garage_close(&g);
}

Test(plant, stands_still_in_the_end_despite_its_lag)
{
	struct garage g;

	garage_start(&g, ROBOT "lag = 200ms", NULL);
	garage_put(&g, 0, HALF);
	garage_run(&g, 10 * S);
	cr_assert_eq(g.row.applied.vx, 0);
	cr_assert_eq(g.row.twist.vx, 0);
	garage_close(&g);
}

Test(plant, coupled_saturation_keeps_the_curve)
{
	struct garage g;

	garage_start(&g,
		     "preset = turtlebot4\nacceleration = 0\n"
		     "turn_acceleration = 0",
		     NULL);
	garage_put(&g, 0, "{\"vx\":0.306,\"vy\":0,\"wz\":1.9}");
	garage_run(&g, 100 * MS);
	cr_assert_float_eq(g.row.applied.vx, 0.177559, 1e-6);
	cr_assert_float_eq(g.row.applied.wz, 1.102494, 1e-6);
	garage_close(&g);
}

Test(plant, a_trial_begins_without_what_was_on_its_way)
{
	static const char lines[] = ROBOT "dead_time = 300ms\nlag = 200ms\n"
					  "acceleration = 1\n"
					  "timeout = off";
	struct garage fresh, used;

	garage_start(&used, lines, NULL);
	garage_drive(&used, 0, 2 * S, 100 * MS,
		     "{\"vx\":0.5,\"vy\":0,\"wz\":0.7}");
	vehicle_reset(used.vehicle, 1);
	garage_start(&fresh, lines, NULL);
	used.hash = fresh.hash;
	used.bytes = fresh.bytes;
	used.rows = fresh.rows;
	garage_run(&used, 100 * MS);
	garage_run(&fresh, 100 * MS);
	cr_assert_eq(used.row.twist.vx, 0.0);
	cr_assert_eq(used.row.twist.wz, 0.0);
	garage_drive(&used, 100 * MS, 2 * S, 100 * MS, HALF);
	garage_drive(&fresh, 100 * MS, 2 * S, 100 * MS, HALF);
	cr_assert_eq(used.row.truth.x, fresh.row.truth.x);
	cr_assert_eq(used.row.truth.yaw, fresh.row.truth.yaw);
	cr_assert_eq(used.row.odom.x, fresh.row.odom.x);
	cr_assert_eq(used.rows, fresh.rows);
	cr_assert_eq(used.hash, fresh.hash);
	garage_close(&used);
	garage_close(&fresh);
}

Test(plant, car_keeps_its_steering_when_commands_stop)
{
	struct garage g;

	garage_start(&g, "model = ackermann\nacceleration = 2", NULL);
	garage_drive(&g, 0, S, 100 * MS,
		     "{\"speed\":1,\"steering_angle\":0.2}");
	cr_assert_float_eq(g.row.applied.wz, tan(0.2) / 0.3302, 1e-9);
	garage_run(&g, 1600 * MS);
	cr_assert(g.row.applied.vx > 0 && g.row.applied.vx < 1);
	cr_assert_float_eq(g.row.applied.wz / g.row.applied.vx,
			   tan(0.2) / 0.3302, 1e-9);
	garage_run(&g, 3 * S);
	cr_assert_eq(g.row.applied.vx, 0);
	garage_close(&g);
}

Test(plant, car_steers_at_its_rate)
{
	struct garage g;

	garage_start(&g, "model = ackermann\nsteering_rate = 1rad/s", NULL);
	garage_put(&g, 10 * MS, "{\"speed\":1,\"steering_angle\":0.4}");
	garage_run(&g, 200 * MS);
	cr_assert_float_eq(g.row.applied.wz, tan(0.2) / 0.3302, 1e-6);
	garage_close(&g);
}

/* The kinematic single track of CommonRoad, as a car of ours. */
Test(plant, car_accelerates_through_a_turn_like_commonroad)
{
	struct garage g;

	garage_start(&g,
		     "model = ackermann\nwheelbase = 2.5788728m\nstep = 1ms\n"
		     "acceleration = 6.1803\nsteering_rate = 0.15rad/s\n"
		     "wheel_separation = 1.6m\ntimeout = off",
		     NULL);
	garage_put(&g, 0, "{\"speed\":20,\"steering_angle\":0.4}");
	garage_run(&g, S);
	cr_assert_float_eq(g.row.truth.x, 3.0845676868, 1e-2);
	cr_assert_float_eq(g.row.truth.y, 0.1484249221, 1e-2);
	cr_assert_float_eq(g.row.truth.yaw, 0.1203664469, 1e-2);
	cr_assert_float_eq(g.row.applied.vx, 6.1803, 1e-2);
	garage_close(&g);
}

#define DELTA                                                                  \
	"model = position-delta\nmax_speed = 0.5m/s\nacceleration = 1\n"       \
	"max_turn = 1rad/s\nturn_acceleration = 2\n"

Test(plant, position_deltas_compose_on_the_goal)
{
	struct garage g;
	double most = 0;

	garage_start(&g, DELTA, NULL);
	garage_put(&g, 0, "{\"dx\":1,\"dy\":0,\"dyaw\":1.5707963267948966}");
	garage_put(&g, 0, "{\"dx\":1,\"dy\":0,\"dyaw\":0}");
	for (nsec at = 10 * MS; at < 10 * S; at += 10 * MS) {
		garage_run(&g, at);
		most = fmax(most, g.row.truth.x);
		cr_assert(hypot(g.row.applied.vx, g.row.applied.vy) <=
			  0.5 + TINY);
	}
	cr_assert_float_eq(g.row.truth.x, 1, 1e-6);
	cr_assert_float_eq(g.row.truth.y, 1, 1e-6);
	cr_assert_float_eq(g.row.truth.yaw, 1.5707963267948966, 1e-9);
	cr_assert(most < 1 + 1e-6, "it went to %.9f", most);
	cr_assert(motion_is_still(&g.row.applied));
	garage_close(&g);
}

Test(plant, position_goal_is_finished_or_frozen_after_the_timeout)
{
	struct garage g;

	garage_start(&g, DELTA, NULL);
	garage_put(&g, 0, "{\"dx\":2,\"dy\":0,\"dyaw\":0}");
	garage_run(&g, 10 * S);
	cr_assert_float_eq(g.row.truth.x, 2, 1e-6);
	garage_close(&g);
	garage_start(&g, DELTA "goal = freeze", NULL);
	garage_put(&g, 0, "{\"dx\":2,\"dy\":0,\"dyaw\":0}");
	garage_run(&g, 10 * S);
	cr_assert(g.row.truth.x > 0.1 && g.row.truth.x < 0.3);
	cr_assert(motion_is_still(&g.row.applied));
	garage_close(&g);
}

Test(plant, contact_stops_the_body_but_not_the_wheels)
{
	struct garage g;

	garage_start(&g, ROBOT "body_radius = 0.2m", "1,-1,1,1\n");
	garage_drive(&g, 0, 3 * S, 100 * MS, HALF);
	cr_assert(g.row.stalled);
	cr_assert_float_eq(g.row.truth.x, 0.8, 0.006);
	cr_assert_leq(g.row.truth.x, 0.8);
	cr_assert_eq(g.row.twist.vx, 0);
	cr_assert_float_eq(g.row.odom.x, 1.5, 1e-9);
	cr_assert_eq(vehicle_counts(g.vehicle)->stalls, 1);
	/* and it can back away */
	garage_drive(&g, 3 * S, 4 * S, 100 * MS,
		     "{\"vx\":-0.5,\"vy\":0,\"wz\":0}");
	cr_assert_not(g.row.stalled);
	cr_assert_lt(g.row.truth.x, 0.4);
	garage_close(&g);
}

Test(plant, fast_body_does_not_tunnel_through_a_wall)
{
	struct garage g;

	garage_start(&g, ROBOT "step = 100ms", "1,-1,1,1\n");
	garage_drive(&g, 0, 3 * S, 100 * MS, "{\"vx\":30,\"vy\":0,\"wz\":0}");
	cr_assert_lt(g.row.truth.x, 1);
	cr_assert(g.row.stalled);
	garage_close(&g);
}

Test(plant, open_loop_limits_bind_in_the_first_step)
{
	struct garage g;

	garage_start(&g,
		     ROBOT "step = 100ms\nmax_speed = 0.5m/s\n"
			   "max_turn = 0.5rad/s",
		     NULL);
	garage_put(&g, 0, "{\"vx\":5,\"vy\":0,\"wz\":0}");
	garage_run(&g, 100 * MS);
	cr_assert_float_eq(g.row.odom.x, 0.05, TINY);
	garage_put(&g, 150 * MS, "{\"vx\":0,\"vy\":0,\"wz\":5}");
	garage_run(&g, 200 * MS);
	cr_assert_float_eq(g.row.odom.yaw, 0.05, TINY);
	garage_close(&g);
	garage_start(&g, ROBOT "step = 100ms", NULL);
	garage_put(&g, 0, "{\"vx\":5,\"vy\":0,\"wz\":0}");
	garage_run(&g, 100 * MS);
	cr_assert_float_eq(g.row.odom.x, 0.5, TINY);
	garage_close(&g);
}

Test(plant, holds_speed_and_turn_over_ten_seconds)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_drive(&g, 0, 10 * S, 100 * MS, "{\"vx\":0.1,\"vy\":0,\"wz\":0}");
	cr_assert_float_eq(g.row.truth.x, 1, TINY);
	vehicle_reset(g.vehicle, 1);
	garage_drive(&g, 0, 10 * S, 100 * MS,
		     "{\"vx\":0,\"vy\":0,\"wz\":0.3141592653589793}");
	cr_assert_float_eq(g.row.truth.yaw, 3.141592653589793, TINY);
	cr_assert_float_eq(g.row.truth.x, 0, TINY);
	garage_close(&g);
}

Test(plant, one_message_drives_no_further_than_the_timeout_lets_it)
{
	struct garage g;

	garage_start(&g, ROBOT "acceleration = 10000\ndeceleration = 2", NULL);
	garage_put(&g, 0, "{\"vx\":1,\"vy\":0,\"wz\":0}");
	garage_run(&g, 3 * S);
	cr_assert_lt(g.row.truth.x, 0.8);
	cr_assert_eq(g.row.twist.vx, 0);
	garage_close(&g);
}

Test(plant, limits_hold_on_average_too)
{
	struct garage g;

	garage_start(&g,
		     ROBOT "step = 1ms\nmax_speed = 0.5m/s\n"
			   "acceleration = 1\ntimeout = off",
		     NULL);
	garage_put(&g, 0, "{\"vx\":10.5,\"vy\":0,\"wz\":0.2}");
	garage_run(&g, 500 * MS);
	cr_assert_float_eq(g.row.applied.vx, 0.5, 1e-3);
	garage_run(&g, 3 * S);
	cr_assert(g.row.truth.x > 0 && g.row.truth.x < 1.5);
	cr_assert(g.row.truth.y > 0 && g.row.truth.yaw > 0);
	cr_assert_float_eq(g.row.odom.x, g.row.truth.x, 1e-6);
	cr_assert_float_eq(g.row.odom.y, g.row.truth.y, 1e-6);
	garage_close(&g);
}

Test(plant, mecanum_limits_what_goes_sideways)
{
	struct garage g;

	garage_start(&g,
		     "model = mecanum\nstep = 1ms\nacceleration = 2\n"
		     "timeout = off",
		     NULL);
	garage_put(&g, 0, "{\"vx\":0,\"vy\":1,\"wz\":0}");
	garage_run(&g, 499 * MS);
	cr_assert_lt(g.row.applied.vy, 1);
	garage_run(&g, 500 * MS);
	cr_assert_float_eq(g.row.applied.vy, 1, 1e-9);
	garage_close(&g);
}

Test(plant, mecanum_goes_where_it_is_told_within_its_limits)
{
	const char *const ways[] = {
		"{\"vx\":5,\"vy\":0,\"wz\":0}",
		"{\"vx\":-5,\"vy\":0,\"wz\":0}",
		"{\"vx\":0,\"vy\":-5,\"wz\":0}",
		"{\"vx\":5,\"vy\":5,\"wz\":0}",
		"{\"vx\":-5,\"vy\":5,\"wz\":0}",
	};
	const double way[][2] = {
		{ 1, 0 }, { -1, 0 }, { 0, -1 }, { 1, 1 }, { -1, 1 }
	};

	for (int i = 0; i < 5; i++) {
		struct garage g;
		double length;

		garage_start(&g, "preset = rosbot-2r-mecanum", NULL);
		garage_drive(&g, 0, 2 * S, 100 * MS, ways[i]);
		length = hypot(g.row.truth.x, g.row.truth.y);
		cr_assert_gt((g.row.truth.x * way[i][0] +
			      g.row.truth.y * way[i][1]) /
				     length / hypot(way[i][0], way[i][1]),
			     0.99);
		cr_assert_float_eq(g.row.odom.x, g.row.truth.x, 1e-2);
		cr_assert_float_eq(g.row.odom.y, g.row.truth.y, 1e-2);
		garage_close(&g);
	}
}

Test(plant, rosbot_reaches_its_limits_in_two_seconds)
{
	struct garage g;

	garage_start(&g, "preset = rosbot-2r", NULL);
	garage_drive(&g, 0, 2 * S, 100 * MS, "{\"vx\":0.9,\"vy\":0,\"wz\":0}");
	cr_assert_float_eq(g.row.twist.vx, 0.9, 0.01);
	vehicle_reset(g.vehicle, 1);
	garage_drive(&g, 0, 2 * S, 100 * MS, "{\"vx\":0,\"vy\":0,\"wz\":3}");
	cr_assert_float_eq(g.row.twist.wz, 3.0, 0.03);
	vehicle_reset(g.vehicle, 1);
	/* both at once are more than its wheels can do: the curve is kept */
	garage_drive(&g, 0, 2 * S, 100 * MS, "{\"vx\":0.9,\"vy\":0,\"wz\":3}");
	cr_assert_lt(g.row.twist.vx, 0.9);
	cr_assert_float_eq(g.row.twist.wz / g.row.twist.vx, 3 / 0.9, 1e-6);
	garage_close(&g);
}

Test(plant, wheel_noise_is_even_on_average)
{
	struct garage g;

	garage_start(&g, ROBOT "wheel_noise = 10%\ntimeout = off", NULL);
	garage_put(&g, 0, HALF);
	garage_run(&g, 100 * S);
	/* odometry does not feel it; the mean of 2 * 10^4 draws is near 0 */
	cr_assert_float_eq(g.row.odom.x, 50, 1e-6);
	cr_assert_neq(g.row.truth.yaw, 0);
	cr_assert_float_eq(hypot(g.row.truth.x, g.row.truth.y), 50, 1.0);
	garage_close(&g);
}

Test(plant, a_wheel_is_saturated_beyond_its_limit_and_not_at_it)
{
	struct garage g;
	struct plant plant;
	struct wish wish = { .twist = { .vx = 0.5 } };

	garage_open(&g, ROBOT "wheel_speed = 0.5m/s");
	cr_assert_eq(plant_init(&plant, &g.settings, NULL), 0);
	plant_reset(&plant, 1);
	plant_step(&plant, 10 * MS, 0.01, &wish);
	cr_assert_not(plant.saturated);
	cr_assert_float_eq(plant.applied.vx, 0.5, TINY);
	wish.twist.vx = 0.6;
	plant_step(&plant, 20 * MS, 0.01, &wish);
	cr_assert(plant.saturated);
	cr_assert_float_eq(plant.applied.vx, 0.5, TINY);
	wish.twist.vx = 0.4;
	plant_step(&plant, 30 * MS, 0.01, &wish);
	cr_assert_not(plant.saturated);
	plant_fini(&plant);
	garage_close(&g);
}

Test(plant, reset_leaves_nothing_of_the_trial_before)
{
	struct garage g;
	struct plant plant;
	const struct wish go = { .twist = { .vx = 0.5, .wz = 2 } };
	const struct wish rest = { .steering = 0 };

	garage_open(&g, ROBOT "dead_time = 50ms\nslip = 20%\nlag = 200ms\n"
			      "wheel_speed = 0.3m/s\nstart_x = 3m");
	cr_assert_eq(plant_init(&plant, &g.settings, NULL), 0);
	plant_reset(&plant, 1);
	for (int i = 1; i <= 20; i++)
		plant_step(&plant, i * 10 * MS, 0.01, &go);
	cr_assert_float_eq(plant.slip, 0.2, TINY);
	cr_assert(plant.saturated && plant.applied.vx > 0);
	plant_reset(&plant, 1);
	cr_assert_eq(plant.slip, 0);
	cr_assert_eq(plant.speed, 0);
	cr_assert_not(plant.saturated || plant.stalled);
	cr_assert(motion_is_still(&plant.twist));
	cr_assert(motion_is_still(&plant.applied));
	/* not even if its clock goes on where the last one stopped */
	for (int i = 21; i <= 40; i++) {
		plant_step(&plant, i * 10 * MS, 0.01, &rest);
		cr_assert(motion_is_still(&plant.applied));
	}
	cr_assert_eq(plant.pose.x, 3);
	plant_fini(&plant);
	garage_close(&g);
}
