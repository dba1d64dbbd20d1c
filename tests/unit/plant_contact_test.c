/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * plant_contact_test.c - what stops the body, and what its wheels do meanwhile
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/unit/garage.h"

#define MS   NSEC_PER_MS
#define S    NSEC_PER_S
#define HALF "{\"vx\":0.5,\"vy\":0,\"wz\":0}"

Test(plant_contact, a_wall_stops_only_what_goes_towards_it)
{
	struct garage g;

	/* walls 7 m ahead and 5 m aside, far from where the map begins */
	garage_start(&g, "start_x = 5m\nstart_y = 3m\nbody_radius = 0.2m",
		     "12,-9,12,9\n-9,8,12,8\n");
	garage_drive(&g, 0, S, 100 * MS, HALF);
	cr_assert_not(g.row.stalled);
	cr_assert_float_eq(g.row.truth.x, 5.5, TINY);
	garage_close(&g);
}

Test(plant_contact, what_stands_or_turns_too_near_is_not_stalled)
{
	struct garage g;

	garage_start(&g, "start_x = 0.9m\nbody_radius = 0.2m", "1,-1,1,1\n");
	garage_run(&g, 100 * MS);
	cr_assert_not(g.row.stalled);
	garage_put(&g, 100 * MS, "{\"vx\":0,\"vy\":0,\"wz\":1}");
	garage_run(&g, 200 * MS);
	cr_assert_not(g.row.stalled);
	cr_assert_float_eq(g.row.truth.yaw, 0.1, TINY);
	cr_assert_eq(vehicle_counts(g.vehicle)->stalls, 0);
	garage_close(&g);
}

Test(plant_contact, along_a_wall_that_is_touched_there_is_no_way)
{
	struct garage g;

	/* no nearer, but no farther either */
	garage_start(&g, "body_radius = 0.2m", "-5,0.125,5,0.125\n");
	garage_drive(&g, 0, S, 100 * MS, HALF);
	cr_assert(g.row.stalled);
	cr_assert_eq(g.row.truth.x, 0);
	cr_assert_float_eq(g.row.odom.x, 0.5, TINY);
	/* a turn away, and it is free */
	garage_put(&g, S, "{\"vx\":0,\"vy\":0,\"wz\":-100}");
	garage_run(&g, S + 10 * MS);
	garage_put(&g, S + 10 * MS, HALF);
	garage_run(&g, S + 110 * MS);
	cr_assert_not(g.row.stalled);
	cr_assert_lt(g.row.truth.y, 0);
	garage_close(&g);
}

Test(plant_contact, from_inside_an_obstacle_any_way_out_is_free)
{
	struct garage g;

	garage_start(&g, "step = 100ms",
		     "{\"personas\":[{\"x\":0,\"y\":0,\"radio_m\":0.1}]}");
	garage_put(&g, 0, "{\"vx\":5,\"vy\":0,\"wz\":0}");
	garage_run(&g, 100 * MS);
	cr_assert_not(g.row.stalled);
	cr_assert_float_eq(g.row.truth.x, 0.5, TINY);
	garage_close(&g);
}

Test(plant_contact, a_lag_is_felt_down_to_a_standstill)
{
	struct garage g;
	const char *const lines[] = { "lag = 200ms\ntimeout = 100ms",
				      "model = ackermann\nlag = 200ms\n"
				      "timeout = 100ms" };

	for (int i = 0; i < 2; i++) {
		double v = 0.5 * (1 - exp(-0.55));

		garage_start(&g, lines[i], NULL);
		garage_put(&g, 10 * MS, HALF);
		/* eleven steps by the command, then half a second without */
		garage_run(&g, 110 * MS);
		cr_assert_float_eq(g.row.applied.vx, v, TINY);
		garage_run(&g, 610 * MS);
		cr_assert_float_eq(g.row.applied.vx, v * exp(-2.5), TINY);
		garage_run(&g, 5 * S);
		cr_assert_eq(g.row.applied.vx, 0);
		garage_close(&g);
	}
}

Test(plant_contact, slip_is_of_the_acceleration_and_not_of_the_speed)
{
	struct garage g;
	double lost;

	/* 0.981 m/s^2 for half a second: a tenth of that way is lost */
	garage_start(&g,
		     "slip_per_g = 1\nacceleration = 0.981\n"
		     "max_speed = 0.4905m/s\ntimeout = off",
		     NULL);
	garage_put(&g, 0, "{\"vx\":1,\"vy\":0,\"wz\":0}");
	garage_run(&g, 500 * MS);
	lost = g.row.odom.x - g.row.truth.x;
	cr_assert_float_eq(lost, 0.1 * g.row.odom.x, TINY);
	garage_run(&g, 2 * S);
	cr_assert_float_eq(g.row.odom.x - g.row.truth.x, lost, TINY);
	cr_assert_float_eq(g.row.odom.x, 0.1250775 + 1.5 * 0.4905, TINY);
	garage_close(&g);
}

Test(plant_contact, after_the_timeout_nothing_moves_any_way)
{
	struct garage g;

	garage_start(&g, "model = mecanum", NULL);
	garage_put(&g, 0, "{\"vx\":0.1,\"vy\":0.2,\"wz\":0.3}");
	garage_run(&g, 500 * MS);
	cr_assert_float_eq(g.row.applied.vy, 0.2, TINY);
	garage_run(&g, 510 * MS);
	cr_assert(motion_is_still(&g.row.applied));
	garage_close(&g);
}

Test(plant_contact, a_goal_is_approached_no_faster_than_sideways)
{
	struct garage g;

	garage_start(&g,
		     "model = position-delta\nmax_speed = 0.5m/s\n"
		     "max_lateral = 0.125m/s",
		     NULL);
	garage_put(&g, 0, "{\"dx\":1,\"dy\":0,\"dyaw\":0}");
	garage_run(&g, S);
	cr_assert_float_eq(g.row.applied.vx, 0.125, TINY);
	garage_close(&g);
}
