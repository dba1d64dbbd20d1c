/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * noise_test.c - random streams of the vehicle, and draws from them
 *
 * Floor: tests.
 */
#include "vehicle/noise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

Test(noise, a_stream_begins_as_its_name_and_seed_say)
{
	/* SplitMix64 from the FNV-1a hash of "SEED/vehicle/NAME" */
	static const struct {
		uint64_t seed;
		const char *name;
		uint64_t state[4];
	} rows[] = {
		{ UINT64_C(1),
		  "sensor",
		  { 0x7fd7b2caa3e325bb, 0xc65d98e8b9c13a2a, 0x117f40e4657eb66e,
		    0x4a603f335ec51530 } },
		{ UINT64_C(18446744073709551615),
		  "ground",
		  { 0xc471eac09c75c629, 0xaab951ed20b092fc, 0x4c64c7b0340b2afb,
		    0x0d8d75b331176274 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rng rng;

		noise_begin(&rng, rows[i].seed, rows[i].name);
		cr_assert_not(rng.legacy);
		for (int j = 0; j < 4; j++)
			cr_assert_eq(rng.s[j], rows[i].state[j], "%s, %d",
				     rows[i].name, j);
	}
}

/* How likely a normal draw is to be below x. */
static double below(double x)
{
	return 0.5 * erfc(-x / sqrt(2.0));
}

Test(noise, a_normal_draw_is_the_quantile_of_one_number)
{
	struct rng rng, copy;
	int low = 0, high = 0;

	noise_begin(&rng, 1, "test");
	for (int i = 0; i < 4000; i++) {
		double p, x;

		copy = rng;
		p = rng_uniform(&copy);
		x = noise_normal(&rng);
		/* a relative error of 1.2e-9 of x, as steep as the bell is */
		cr_assert_float_eq(below(x), p,
				   1.2e-9 * fabs(x) * exp(-x * x / 2.0) *
						   0.39894229 +
					   1e-15,
				   "%.17g: %.17g", p, x);
		low += p < 0.02;
		high += p > 0.98;
		cr_assert_eq(rng_next(&copy), rng_next(&rng));
	}
	/* both tails were among them */
	cr_assert(low > 40 && high > 40);
}

Test(noise, an_even_draw_is_between_minus_one_and_one)
{
	struct rng rng, copy;

	noise_begin(&rng, 1, "test");
	for (int i = 0; i < 1000; i++) {
		copy = rng;
		cr_assert_eq(noise_even(&rng), 2.0 * rng_uniform(&copy) - 1.0);
	}
}
