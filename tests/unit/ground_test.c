/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ground_test.c - patches, slip, and what is left of a wheel's motion
 *
 * Floor: tests.
 */
#include "vehicle/ground.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "vehicle/noise.h"

#define TINY 1e-12

static struct ground ground;

Test(ground, a_patch_is_two_corners_and_its_slip)
{
	static const double want[2][5] = { { 1, 2, 4, 6, 0.25 },
					   { -4, -6, -1, -2, 1 } };

	/* whichever corners they are */
	cr_assert(ground_parse(&ground, " 1 6 4 2 0.25 ,-1 -2 -4 -6 1"));
	cr_assert_eq(ground.n, 2);
	for (int i = 0; i < 2; i++) {
		const struct patch *patch = &ground.patch[i];

		cr_assert_eq(patch->x1, want[i][0]);
		cr_assert_eq(patch->y1, want[i][1]);
		cr_assert_eq(patch->x2, want[i][2]);
		cr_assert_eq(patch->y2, want[i][3]);
		cr_assert_eq(patch->slip, want[i][4]);
	}
	cr_assert(ground_parse(&ground, ""));
	cr_assert_eq(ground.n, 0);
}

Test(ground, refuses_patches_that_are_none)
{
	static const char *const bad[] = {
		"1 2 3 4",	   "1 2 3 4 x",
		"1 2 3 4 -0.01",   "1 2 3 4 1.01",
		"1 2 1e999 4 0.5", "1 2 3 4 0.5 6",
		"1 2 3 4 0.5 , ",  "1 2 3 4 0.5; 1 2 3 4 0.5",
		", 1 2 3 4 0.5",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_not(ground_parse(&ground, bad[i]), "%s", bad[i]);
	cr_assert(ground_parse(&ground, "1 2 3 4 0"));
	cr_assert(ground_parse(&ground, "1 2 3 4 1"));
}

Test(ground, has_eight_patches_at_most)
{
	static const char nine[] = "0 0 1 1 1,0 0 1 1 1,0 0 1 1 1,0 0 1 1 1,"
				   "0 0 1 1 1,0 0 1 1 1,0 0 1 1 1,0 0 1 1 1,"
				   "0 0 1 1 1";
	char text[sizeof(nine)];

	for (size_t n = 1; n <= 9; n++) {
		snprintf(text, sizeof(text), "%.*s", (int)(10 * n - 1), nine);
		cr_assert_eq(ground_parse(&ground, text), n <= 8, "%zu", n);
		if (n <= 8)
			cr_assert_eq(ground.n, n);
	}
}

static double slip_at(double x, double y, double acceleration)
{
	const struct pose pose = { x, y, 0 };

	return ground_slip(&ground, &pose, acceleration);
}

Test(ground, a_patch_reaches_to_its_edges_and_no_further)
{
	const struct vehicle_settings settings = { .slip = 0.125 };

	ground = (struct ground){ .settings = &settings };
	cr_assert(ground_parse(&ground, "1 -1 2 1 0.25, 2 -1 3 1 0.5"));
	cr_assert_eq(slip_at(0.999, 0, 0), 0.125);
	cr_assert_eq(slip_at(1, 0, 0), 0.375);
	/* where two meet their slips add up */
	cr_assert_eq(slip_at(2, 0, 0), 0.875);
	cr_assert_eq(slip_at(2.001, 0, 0), 0.625);
	cr_assert_eq(slip_at(1.5, -1, 0), 0.375);
	cr_assert_eq(slip_at(1.5, 1, 0), 0.375);
	cr_assert_eq(slip_at(1.5, -1.001, 0), 0.125);
	cr_assert_eq(slip_at(1.5, 1.001, 0), 0.125);
	/* a rest of the list before is no patch any more */
	cr_assert(ground_parse(&ground, "1 -1 2 1 0.25"));
	cr_assert_eq(slip_at(2, 0, 0), 0.375);
}

Test(ground, slip_grows_with_the_acceleration_up_to_all)
{
	const struct vehicle_settings settings = { .slip = 0.1,
						   .slip_per_g = 0.2 };

	ground = (struct ground){ .settings = &settings };
	cr_assert_float_eq(slip_at(0, 0, 9.81), 0.3, TINY);
	cr_assert_float_eq(slip_at(0, 0, -9.81), 0.3, TINY);
	cr_assert_float_eq(slip_at(0, 0, 4 * 9.81), 0.9, TINY);
	cr_assert_eq(slip_at(0, 0, 50), 1);
}

Test(ground, each_wheel_has_its_side_and_its_draw)
{
	const struct vehicle_settings settings = { .radius_left = 1.5,
						   .radius_right = 0.5,
						   .wheel_noise = 0.1 };
	const struct model *const models[] = { &model_mecanum,
					       &model_diff_drive };

	for (int i = 0; i < 2; i++) {
		struct drive drive = { .wheel = { 1, 2, 3, 4 } };
		struct rng rng;

		ground = (struct ground){ .settings = &settings };
		noise_begin(&ground.rng, 1, "ground");
		rng = ground.rng;
		ground_apply(&ground, models[i], 0.2, &drive);
		for (unsigned wheel = 0; wheel < 4; wheel++) {
			double radius = wheel % 2 ? 0.5 : 1.5, want = wheel + 1;

			if (wheel < models[i]->n_wheels)
				want *= radius * 0.8 *
					(1 + 0.1 * noise_even(&rng));
			cr_assert_float_eq(drive.wheel[wheel], want, TINY);
		}
		/* and no draw more */
		cr_assert_eq(noise_even(&ground.rng), noise_even(&rng));
	}
}
