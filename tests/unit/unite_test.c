/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * unite_test.c - the seed study's rover against its own numbers
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/unit/garage.h"
#include "vehicle/unite.h"

#define CRUISE "{\"left\":0.26,\"right\":0.26,\"dt\":0.02}"
#define IDLE   "{\"left\":0,\"right\":0,\"dt\":0.02}"
#define TICK   (20 * NSEC_PER_MS)
#define ROVER  "preset = unite-waffle-pi\n"

/* One command in each of so many ticks, from the one after @after. */
static void ticks(struct garage *g, int after, int n, const char *command)
{
	for (int i = 1; i <= n; i++) {
		garage_put(g, (after + i) * TICK, command);
		garage_run(g, (after + i) * TICK);
	}
}

Test(unite, speeds_up_by_a_fixed_step)
{
	const double v[] = { 0.05, 0.10, 0.15, 0.20, 0.25, 0.26, 0.26 };
	const double x[] = {
		0.001, 0.003, 0.006, 0.010, 0.015, 0.0202, 0.0254
	};
	struct garage g;

	garage_start(&g, ROVER, NULL);
	for (int i = 0; i < 7; i++) {
		ticks(&g, i, 1, CRUISE);
		cr_assert_float_eq(g.row.applied.vx, v[i], 1e-6);
		cr_assert_float_eq(g.row.truth.x, x[i], 1e-6);
	}
	ticks(&g, 7, 43, CRUISE);
	cr_assert_float_eq(g.row.truth.x, 0.249, 1e-6);
	ticks(&g, 50, 100, CRUISE);
	cr_assert_float_eq(g.row.truth.x, 0.769, 2e-6);
	garage_close(&g);
}

Test(unite, slows_down_by_the_same_step)
{
	const double v[] = { 0.21, 0.16, 0.11, 0.06, 0.01, 0 };
	struct garage g;

	garage_start(&g, ROVER, NULL);
	ticks(&g, 0, 50, CRUISE);
	for (int i = 0; i < 6; i++) {
		ticks(&g, 50 + i, 1, IDLE);
		cr_assert_float_eq(g.row.applied.vx, v[i], 1e-6);
	}
	ticks(&g, 56, 20, IDLE);
	cr_assert_float_eq(g.row.truth.x, 0.260, 1e-6);
	garage_close(&g);
}

Test(unite, left_key_turns_left)
{
	struct garage g;
	struct unite unite = { .theta = 0 };
	const struct command left = { COMMAND_WHEELS_FOR,
				      { 0.0861, -0.0861, 0.02 } };

	garage_start(&g, ROVER, NULL);
	ticks(&g, 0, 50, "{\"left\":0.0861,\"right\":-0.0861,\"dt\":0.02}");
	cr_assert_float_eq(g.row.truth.yaw, 0.300, 1e-6);
	cr_assert_eq(g.row.truth.x, 0);
	cr_assert_eq(g.row.truth.y, 0);
	/* in Unity's own frame the heading falls by 0.006 a step */
	unite.settings = &g.settings;
	unite_reset(&unite, 1);
	for (int i = 1; i <= 50; i++) {
		unite_apply(&unite, &left, 0);
		cr_assert_float_eq(unite.theta, -0.006 * i, 1e-6);
	}
	garage_close(&g);
}

Test(unite, lost_commands_are_lost_distance)
{
	struct garage g;

	garage_start(&g, ROVER, NULL);
	for (int i = 1; i <= 50; i++) {
		if (i % 2)
			garage_put(&g, i * TICK, CRUISE);
		garage_run(&g, i * TICK);
	}
	cr_assert_float_eq(g.row.truth.x, 0.119, 1e-6);
	garage_close(&g);
}

Test(unite, two_commands_on_a_tick_move_twice)
{
	struct garage g;
	double before;

	garage_start(&g, ROVER, NULL);
	ticks(&g, 0, 20, CRUISE);
	before = g.row.truth.x;
	garage_put(&g, 21 * TICK, CRUISE);
	ticks(&g, 20, 1, CRUISE);
	cr_assert_float_eq(g.row.truth.x - before, 0.0104, 1e-6);
	garage_close(&g);
}

Test(unite, feels_the_slope)
{
	struct vehicle_settings s = { .terrain = true };
	float slope;

	s.terrain_x = s.terrain_y = 0.1;
	cr_assert_float_eq(unite_roughness(&s, &slope), 0.495177, 1e-6);
	cr_assert_float_eq(slope, 5.710593, 1e-5);
	s.terrain_x = s.terrain_y = 0.2;
	cr_assert_float_eq(unite_roughness(&s, &slope), 0.588499, 1e-6);
	cr_assert_float_eq(slope, 11.309932, 1e-5);
	s.terrain_x = s.terrain_y = -1;
	cr_assert_float_eq(unite_roughness(&s, &slope), 0.9, 1e-6);
	cr_assert_float_eq(slope, 45, 1e-5);
	s.terrain_x = s.terrain_y = 0;
	cr_assert_float_eq(unite_roughness(&s, &slope), 0.4, 1e-6);
	s.terrain = false;
	cr_assert_float_eq(unite_roughness(&s, &slope), 0.3, 1e-6);
}

Test(unite, disturbances_stay_small_and_bounded)
{
	struct garage g;

	garage_start(&g, ROVER "disturbances = yes", NULL);
	for (int i = 0; i < 500; i++) {
		ticks(&g, i, 1, CRUISE);
		cr_assert(fabs(g.row.applied.vx) <= 0.26 + 1e-6);
	}
	cr_assert(g.row.truth.x > 1.5 && g.row.truth.x < 2.6, "%g",
		  g.row.truth.x);
	cr_assert_neq(g.row.truth.y, 0);
	garage_close(&g);
}

Test(unite, drifts_downhill_at_rest)
{
	struct garage g;

	garage_start(&g,
		     ROVER "disturbances = yes\nterrain = yes\n"
			   "terrain_x = 0.3\nterrain_y = 0",
		     NULL);
	ticks(&g, 0, 100, IDLE);
	cr_assert_lt(g.row.truth.x, 0);
	garage_close(&g);
}

Test(unite, takes_only_its_own_command)
{
	struct garage g;

	garage_start(&g, ROVER, NULL);
	ticks(&g, 0, 1, "{\"left\":0.26,\"right\":0.26}");
	ticks(&g, 1, 1, "{\"vx\":0.26,\"vy\":0,\"wz\":0}");
	cr_assert_eq(vehicle_counts(g.vehicle)->rejected[REJECT_TYPE], 2);
	cr_assert_eq(g.row.truth.x, 0);
	garage_close(&g);
}

Test(unite, keeps_its_speed_but_not_its_motion_without_commands)
{
	struct garage g;
	double x;

	garage_start(&g, ROVER, NULL);
	ticks(&g, 0, 20, CRUISE);
	x = g.row.truth.x;
	garage_run(&g, 100 * TICK);
	cr_assert_eq(g.row.truth.x, x);
	cr_assert_float_eq(g.row.applied.vx, 0.26, 1e-6);
	garage_close(&g);
}
