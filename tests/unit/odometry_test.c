/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * odometry_test.c - belief from wheels: integration, encoders, averaging
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/unit/garage.h"
#include "vehicle/noise.h"
#include "vehicle/odometry.h"

#define DEGREE 0.017453292519943295

/* Odometry of settings. */
struct belief {
	struct garage garage;
	struct geometry geometry;
	struct odometry odometry;
};

static void begin(struct belief *b, const char *lines)
{
	garage_open(&b->garage, lines);
	model_geometry(&b->garage.settings, &b->geometry);
	b->odometry = (struct odometry){
		.model = model_get((enum model_kind)b->garage.settings.model),
		.settings = &b->garage.settings,
		.geometry = &b->geometry,
	};
	odometry_reset(&b->odometry, 1);
}

static void roll(struct belief *b, double left, double right, double dt)
{
	const struct drive drive = { .wheel = { left, right } };

	odometry_update(&b->odometry, &drive, dt);
}

#define UNIT "wheel_separation = 1m\nwheel_radius = 1m"

Test(odometry, begins_at_nothing)
{
	struct belief b;

	begin(&b, UNIT "\nstart_x = 5m");
	cr_assert_eq(b.odometry.pose.x, 0);
	cr_assert_eq(b.odometry.pose.yaw, 0);
	cr_assert(motion_is_still(&b.odometry.twist));
	garage_close(&b.garage);
}

Test(odometry, integrates_wheels)
{
	struct belief b;

	begin(&b, UNIT);
	roll(&b, 1, 1, 1);
	cr_assert_float_eq(b.odometry.pose.x, 1, TINY);
	cr_assert_eq(b.odometry.pose.y, 0);
	cr_assert_eq(b.odometry.pose.yaw, 0);
	cr_assert_float_eq(b.odometry.twist.vx, 1, TINY);
	odometry_reset(&b.odometry, 1);
	roll(&b, -1, 1, 1);
	cr_assert_float_eq(b.odometry.pose.x, 0, TINY);
	cr_assert_float_eq(b.odometry.pose.yaw, 2, TINY);
	cr_assert_float_eq(b.odometry.twist.wz, 2, TINY);
	garage_close(&b.garage);
}

Test(odometry, follows_wheels_that_turn_by_degrees)
{
	struct belief b;
	double rim = DEGREE * 0.5 / 0.1;

	begin(&b, "wheel_separation = 2m\nwheel_radius = 0.5m");
	roll(&b, rim, rim, 0.1);
	cr_assert_float_eq(b.odometry.pose.x, 0.0087266463, 1e-9);
	cr_assert_float_eq(b.odometry.twist.vx, 0.0872665, 1e-6);
	roll(&b, rim, rim, 0.1);
	cr_assert_float_eq(b.odometry.pose.x, 0.0174532925, 1e-9);
	cr_assert_eq(b.odometry.twist.wz, 0);
	odometry_reset(&b.odometry, 1);
	roll(&b, 2 * rim, 2 * rim, 0.1);
	cr_assert_float_eq(b.odometry.pose.x, 0.0174532925, 1e-9);
	cr_assert_float_eq(b.odometry.twist.vx, 0.1745329, 1e-6);
	garage_close(&b.garage);
}

Test(odometry, counts_downwards)
{
	double counts = odometry_counts(0.1, 4096);

	cr_assert_eq(counts, 65);
	cr_assert_float_eq(counts * 2 * acos(-1.0) / 4096, 0.0997087513, 1e-9);
	cr_assert_eq(odometry_counts(-1e-9, 4096), -1);
	cr_assert_eq(odometry_counts(0, 4096), 0);
}

Test(odometry, a_count_is_late_but_never_lost)
{
	struct belief b;
	double count = 2 * acos(-1.0) * 0.033 / 4096;

	begin(&b, "wheel_radius = 0.033m\nencoder_counts = 4096");
	for (int i = 1; i <= 100000; i++) {
		roll(&b, 0.0012345, 0.0012345, 0.01);
		cr_assert_lt(fabs(b.odometry.pose.x - 0.0012345 * 0.01 * i),
			     count + 1e-9);
	}
	garage_close(&b.garage);
}

Test(odometry, averages_its_velocity_over_the_window)
{
	struct belief b;

	begin(&b, UNIT "\nodom_window = 4");
	for (int i = 1; i <= 6; i++) {
		roll(&b, i, i, 0.1);
		cr_assert_float_eq(b.odometry.twist.vx,
				   i <= 4 ? (i + 1) / 2.0 : i - 1.5, TINY);
	}
	garage_close(&b.garage);
}

Test(odometry, bias_is_constant_in_a_trial_and_bounded)
{
	struct belief b;
	double first;

	begin(&b, UNIT "\nencoder_bias = 10%");
	roll(&b, 1, 1, 1);
	first = b.odometry.twist.vx;
	cr_assert_neq(first, 1);
	cr_assert(fabs(first - 1) <= 0.05);
	roll(&b, 1, 1, 1);
	cr_assert_float_eq(b.odometry.twist.vx, first, TINY);
	odometry_reset(&b.odometry, 2);
	roll(&b, 1, 1, 1);
	cr_assert_neq(b.odometry.twist.vx, first);
	garage_close(&b.garage);
}

Test(odometry, noise_has_the_size_that_was_asked_for)
{
	struct belief b;
	double sum = 0, squares = 0;
	int n = 10000;

	begin(&b, UNIT "\nencoder_noise = 5%");
	for (int i = 0; i < n; i++) {
		roll(&b, 1, 1, 0.01);
		sum += b.odometry.twist.vx - 1;
		squares += pow(b.odometry.twist.vx - 1, 2);
	}
	/* the mean of two wheels; bounds are four standard errors */
	cr_assert_float_eq(sum / n, 0, 4 * 0.05 / sqrt(2.0 * n));
	cr_assert_float_eq(sqrt(squares / n), 0.05 / sqrt(2),
			   4 * 0.05 / sqrt(2) / sqrt(2.0 * n));
	garage_close(&b.garage);
}

Test(odometry, bias_is_half_of_what_was_asked_for_each_way_and_noise_follows)
{
	struct belief b;
	double even[WHEELS_MAX], noise, least = 1, most = -1;

	begin(&b, UNIT "\nencoder_bias = 10%\nencoder_noise = 2%");
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct rng rng;

		noise_begin(&rng, seed, "encoder");
		for (int i = 0; i < WHEELS_MAX; i++)
			even[i] = noise_even(&rng);
		odometry_reset(&b.odometry, seed);
		roll(&b, 1, 0, 1);
		/* one draw for each wheel there may be, then the noise */
		noise = noise_normal(&rng) * 0.02;
		cr_assert_float_eq(b.odometry.twist.vx * 2,
				   1 + even[0] * 0.05 + noise, TINY);
		least = fmin(least, b.odometry.bias[1]);
		most = fmax(most, b.odometry.bias[1]);
	}
	/* 300 draws leave less than a tenth of the span at either end */
	cr_assert(least >= -0.05 && least < -0.04);
	cr_assert(most <= 0.05 && most > 0.04);
	garage_close(&b.garage);
}

Test(odometry, one_count_a_turn_is_one)
{
	struct belief b;
	double turn = 2 * acos(-1.0);

	begin(&b, UNIT "\nencoder_counts = 1");
	roll(&b, 0.75 * turn, 0.75 * turn, 1);
	cr_assert_eq(b.odometry.pose.x, 0);
	roll(&b, 0.75 * turn, 0.75 * turn, 1);
	cr_assert_float_eq(b.odometry.pose.x, turn, TINY);
	garage_close(&b.garage);
}

Test(odometry, each_wheel_draws_once_a_step)
{
	struct belief b;
	struct rng rng;

	begin(&b, UNIT "\nencoder_noise = 5%");
	rng = b.odometry.rng;
	for (int i = 0; i < 10; i++) {
		double left = 1 + 0.05 * noise_normal(&rng);
		double right = 1 + 0.05 * noise_normal(&rng);

		roll(&b, 1, 1, 0.5);
		cr_assert_float_eq(b.odometry.twist.vx, (left + right) / 2,
				   TINY);
		cr_assert_float_eq(b.odometry.twist.wz, right - left, TINY);
	}
	garage_close(&b.garage);
}

Test(odometry, averages_all_three_velocities_over_the_longest_window)
{
	struct belief b;

	begin(&b, "model = mecanum\nwheel_separation = 1m\nwheelbase = 1m\n"
		  "odom_window = 32");
	for (int i = 1; i <= 40; i++) {
		double v = i, first = i <= 32 ? 1 : i - 31;
		/* ahead, to the left and turning left, each by its share */
		const struct twist twist = { v, 0.5 * v, 0.25 * v };
		struct drive drive = { .steering = 0 };

		b.odometry.model->spin(&b.geometry, &twist, &drive);
		odometry_update(&b.odometry, &drive, 0.01);
		v = (first + i) / 2;
		cr_assert_float_eq(b.odometry.twist.vx, v, TINY);
		cr_assert_float_eq(b.odometry.twist.vy, 0.5 * v, TINY);
		cr_assert_float_eq(b.odometry.twist.wz, 0.25 * v, TINY);
	}
	garage_close(&b.garage);
}
