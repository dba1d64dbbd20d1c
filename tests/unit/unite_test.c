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
	s.terrain_x = 1;
	cr_assert_float_eq(unite_roughness(&s, &slope), 0.3, 1e-6);
	cr_assert_eq(slope, 0);
}

Test(unite, has_its_own_limits_where_the_settings_have_none)
{
	struct vehicle_settings s = { .max_speed = 0 };

	cr_assert_eq(unite_acceleration(&s), 2.5);
	cr_assert_eq(unite_speed(&s), 0.26);
	s.acceleration = 0.5;
	s.max_speed = 0.125;
	cr_assert_eq(unite_acceleration(&s), 0.5);
	cr_assert_eq(unite_speed(&s), 0.125);
}

Test(unite, a_turned_rover_goes_where_it_looks)
{
	struct garage g;

	garage_start(&g, ROVER "start_yaw = 0.5rad\nstart_x = 1m", NULL);
	ticks(&g, 0, 50, CRUISE);
	cr_assert_float_eq(g.row.truth.x, 1 + 0.249 * cos(0.5), 1e-6);
	cr_assert_float_eq(g.row.truth.y, 0.249 * sin(0.5), 1e-6);
	cr_assert_float_eq(g.row.twist.vx, 0.26, 1e-6);
	/* it asks for a turn to the left, of 0.0861 / 0.287 rad/s */
	ticks(&g, 50, 50, "{\"left\":0.1,\"right\":0.0139,\"dt\":0.02}");
	cr_assert_float_eq(g.row.requested.wz, 0.3, 1e-6);
	cr_assert_float_eq(g.row.twist.wz, 0.3, 1e-4);
	cr_assert_float_eq(g.row.applied.wz, 0.3, 1e-6);
	garage_close(&g);
}

/* What the ground does to a wheel, from the rover's formulas anew. */
struct ground_wave {
	float t, place, phase, roughness;
};

/* Smooth noise of a row: 6t^5 - 15t^4 + 10t^3 between hashed numbers. */
static double noise(float at, int32_t row)
{
	double whole = floor((double)at), t = (double)at - whole, value[2];
	int32_t first = (int32_t)fmod(whole, 1e6) + row * 1000003;

	for (int i = 0; i < 2; i++) {
		uint32_t h = (uint32_t)(first + i) * 0x9e3779b1u;

		h = (h ^ h >> 16) * 0x85ebca6bu;
		h = (h ^ h >> 13) * 0xc2b2ae35u;
		value[i] = ((h ^ h >> 16) >> 8) / 8388607.5 - 1;
	}
	t = 6 * pow(t, 5) - 15 * pow(t, 4) + 10 * pow(t, 3);
	return value[0] + t * (value[1] - value[0]);
}

/* Vibration and encoder, by the rows that a wheel has. */
static double shaken(const struct ground_wave *w, int row, int encoder)
{
	double sum = noise(w->place * 0.1f * 3 + w->t, row) +
		     0.6 * noise(w->place * 0.3f * 3 + 2 * w->t, row + 1);

	if ((double)w->roughness > 0.6)
		sum += 0.3 * (double)w->roughness *
		       noise(w->place * 0.8f * 3 + 4 * w->t, row + 2);
	return (1 + 0.08 * (double)w->roughness * 2.5 * sum) *
	       (1 + 3 * 0.03 * noise(w->place * 7.3f + w->phase, encoder));
}

/* The two sines of a motor. */
static double motor(float t, float quick, float slow)
{
	return 1 + 0.05 / 2 * (double)(sinf(quick * t) + sinf(slow * t));
}

/* Both wheels after a command that asks for the speed that they have. */
static void assert_disturbed(struct unite *unite, nsec now)
{
	const struct vehicle_settings *s = unite->settings;
	double left = (double)unite->left, right = (double)unite->right;
	double sine = sin((double)unite->theta), swing, bias = 0;
	const struct command same = { COMMAND_WHEELS_FOR,
				      { left, right, 0.02 } };
	float slope, roughness = unite_roughness(s, &slope);
	struct ground_wave w = {
		.t = 0.001f * (float)unite->seed + (float)((double)now / 1e9),
		.place = unite->x + unite->z,
		.roughness = roughness,
	};
	double slip = 1 - 0.15 * (double)roughness * 0.4 *
				  (fabs(left) + fabs(right)) / 2;

	w.phase = (float)unite->seed * 0.01f + 0.5f * w.t;
	swing = 2 * 0.02 * (double)sinf(0.1f * w.t);
	if ((double)slope > 5)
		bias = 0.02 * (double)slope *
		       (s->terrain_x * cos((double)unite->theta) -
			s->terrain_y * sine);
	left *= slip * motor(w.t, 3.7f, 1.3f) * (1 + swing) * shaken(&w, 0, 7);
	right *= slip * motor(w.t, 4.1f, 1.7f) * (1 - swing) *
		 shaken(&w, 100, 507);
	unite_apply(unite, &same, now);
	cr_assert_float_eq((double)unite->left, left - bias * (1 + 0.5 * sine),
			   1e-7, "%.9g", (double)unite->left);
	cr_assert_float_eq((double)unite->right,
			   right - bias * (1 - 0.5 * sine), 1e-7, "%.9g",
			   (double)unite->right);
}

Test(unite, each_disturbance_is_as_large_as_it_should_be)
{
	/* off terrain, flat, gentle, rough (all three layers of vibration) */
	const char *const grounds[] = {
		ROVER "disturbances = yes",
		ROVER "disturbances = yes\nterrain = yes",
		ROVER "disturbances = yes\nterrain = yes\n"
		      "terrain_x = 0.1\nterrain_y = 0.1",
		ROVER "disturbances = yes\nterrain = yes\n"
		      "terrain_x = -0.13\nterrain_y = 0.31",
	};
	/* x, z, and the seed; the far ones pass where the noise repeats */
	const float places[][3] = {
		{ 0, 0, 1 },	   { 1.3f, 0.45f, 1234 }, { -7.7f, 2.1f, 77 },
		{ 4e5f, 0.5f, 9 }, { 5e6f, -3, 123 },	  { 2, 1, 16000000 },
	};
	struct garage g;

	for (int i = 0; i < 4; i++) {
		garage_open(&g, grounds[i]);
		for (int j = 0; j < 12; j++) {
			const float *place = places[j / 2];
			struct unite unite = {
				.settings = &g.settings,
				.x = place[0],
				.z = place[1],
				.theta = 0.7f * (float)j,
				.left = 0.1f,
				.right = j % 2 ? 0.09f : -0.08f,
				.seed = (int32_t)place[2],
			};

			assert_disturbed(&unite, (j + 1) * 690 * NSEC_PER_MS);
		}
		garage_close(&g);
	}
}

Test(unite, disturbances_end_at_the_limit_and_at_what_is_no_number)
{
	const struct command fast = { COMMAND_WHEELS_FOR, { 9, -9, 100 } };
	struct unite unite;
	struct garage g;

	garage_open(&g, ROVER "disturbances = yes");
	unite = (struct unite){ .settings = &g.settings };
	unite_apply(&unite, &fast, 0);
	cr_assert_eq(unite.left, 0.26f);
	cr_assert_eq(unite.right, -0.26f);
	unite.left = NAN;
	unite.right = INFINITY;
	unite_apply(&unite, &(struct command){ .value = { 0, 0, 0.02 } }, 0);
	cr_assert_eq(unite.left, 0);
	cr_assert_eq(unite.right, 0);
	garage_close(&g);
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
