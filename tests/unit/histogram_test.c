/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * histogram_test.c - quantiles within their bound, mean and deviation
 *
 * Floor: tests.
 */
#include "core/histogram.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "core/seed.h"

#define N 5000

static struct histogram histogram;
static nsec values[N];

static int ascending(const void *a, const void *b)
{
	const nsec *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

Test(histogram, an_empty_one_is_zero)
{
	cr_assert_eq(histogram_quantile(&histogram, 0.5), 0);
	cr_assert_eq(histogram_mean(&histogram), 0.0);
	cr_assert_eq(histogram_deviation(&histogram), 0.0);
}

Test(histogram, one_value_is_every_quantile)
{
	histogram_add(&histogram, 189583615);
	cr_assert_eq(histogram_quantile(&histogram, 0.0), 189583615);
	cr_assert_eq(histogram_quantile(&histogram, 0.5), 189583615);
	cr_assert_eq(histogram_quantile(&histogram, 1.0), 189583615);
	cr_assert_eq(histogram_mean(&histogram), 189583615.0);
	cr_assert_eq(histogram_deviation(&histogram), 0.0);
	cr_assert_eq(histogram.least, 189583615);
	cr_assert_eq(histogram.most, 189583615);
}

Test(histogram, small_values_are_exact)
{
	for (nsec value = 0; value < 128; value++)
		histogram_add(&histogram, value);
	for (int i = 1; i <= 128; i++)
		cr_assert_eq(histogram_quantile(&histogram, i / 128.0), i - 1);
}

Test(histogram, of_two_values_each_counts_half)
{
	histogram_add(&histogram, 0);
	histogram_add(&histogram, 1);
	cr_assert_eq(histogram_mean(&histogram), 0.5);
	cr_assert_eq(histogram_deviation(&histogram), 0.5);
	cr_assert_eq(histogram_quantile(&histogram, 0.5), 0);
	cr_assert_eq(histogram_quantile(&histogram, 0.51), 1);
	cr_assert_eq(histogram.least, 0);
	cr_assert_eq(histogram.most, 1);
}

Test(histogram, a_negative_value_counts_as_zero)
{
	histogram_add(&histogram, -5);
	histogram_add(&histogram, INT64_MIN);
	cr_assert_eq(histogram.least, 0);
	cr_assert_eq(histogram.most, 0);
	cr_assert_eq(histogram_quantile(&histogram, 1.0), 0);
}

Test(histogram, the_ends_of_the_range_have_a_bucket)
{
	for (int bit = 0; bit < 63; bit++) {
		nsec power = (nsec)1 << bit;

		histogram_add(&histogram, power - 1);
		histogram_add(&histogram, power);
		histogram_add(&histogram, power + 1);
	}
	histogram_add(&histogram, INT64_MAX);
	cr_assert_eq(histogram_quantile(&histogram, 1.0), INT64_MAX);
	cr_assert_eq(histogram.most, INT64_MAX);
	cr_assert_eq(histogram.least, 0);
}

/* The bound that the header promises: not below, at most 1/64 above. */
static void check_quantiles(void)
{
	qsort(values, N, sizeof(values[0]), ascending);
	for (int i = 0; i <= 1000; i++) {
		double share = i / 1000.0;
		size_t rank = (size_t)ceil(share * N);
		nsec real = values[rank ? rank - 1 : 0];
		nsec said = histogram_quantile(&histogram, share);

		cr_assert_geq(said, real);
		cr_assert_leq(said - real, real / HISTOGRAM_STEPS);
		cr_assert_leq(said, values[N - 1]);
	}
	cr_assert_eq(histogram.least, values[0]);
	cr_assert_eq(histogram.most, values[N - 1]);
}

Test(histogram, a_quantile_is_at_most_a_step_above_the_true_one)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct rng rng;

		seed_key(&rng, seed);
		histogram = (struct histogram){ 0 };
		for (size_t i = 0; i < N; i++) {
			values[i] = (nsec)(rng_next(&rng) >>
					   (2 + (seed + i) % (seed + 1)));
			histogram_add(&histogram, values[i]);
		}
		cr_assert_eq(histogram.n, N);
		check_quantiles();
	}
}

Test(histogram, mean_and_deviation_do_not_cancel_far_from_zero)
{
	const nsec far = INT64_C(3600) * NSEC_PER_S;
	double mean, deviation;

	/* 0 1 2 … 9 ns, an hour away: mean 4.5, variance 8.25 */
	for (nsec i = 0; i < 10000; i++)
		histogram_add(&histogram, far + i % 10);
	mean = histogram_mean(&histogram) - (double)far;
	deviation = histogram_deviation(&histogram);
	/* doubles of 3.6e12 are 2^-11 apart */
	cr_assert_float_eq(mean, 4.5, 0x1p-11);
	cr_assert_float_eq(deviation, sqrt(8.25), 1e-9);
}
