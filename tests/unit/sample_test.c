/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sample_test.c - quantiles by nearest rank, moments, bins
 *
 * Floor: tests.
 */
#include "core/sample.h"

#include <criterion/criterion.h>
#include <math.h>

static struct sample sample;

/* Times from @from on, @n of them, the greatest first. */
static void fill(nsec from, size_t n)
{
	for (size_t i = n; i-- > 0;)
		sample_add(&sample, from + (nsec)i);
	sample_sort(&sample);
}

static void empty(void)
{
	sample_fini(&sample);
}

Test(sample, a_quantile_is_the_least_value_that_the_share_does_not_exceed,
     .fini = empty)
{
	fill(1, 10);
	cr_assert_eq(sample_quantile(&sample, 0), 1);
	cr_assert_eq(sample_quantile(&sample, 1), 1);
	cr_assert_eq(sample_quantile(&sample, 100), 1);
	cr_assert_eq(sample_quantile(&sample, 101), 2);
	cr_assert_eq(sample_quantile(&sample, 500), 5);
	cr_assert_eq(sample_quantile(&sample, 900), 9);
	cr_assert_eq(sample_quantile(&sample, 950), 10);
	cr_assert_eq(sample_quantile(&sample, 1000), 10);
}

Test(sample, of_one_time_all_quantiles_are_that_time, .fini = empty)
{
	fill(7, 1);
	cr_assert_eq(sample_quantile(&sample, 0), 7);
	cr_assert_eq(sample_quantile(&sample, 500), 7);
	cr_assert_eq(sample_quantile(&sample, 990), 7);
}

Test(sample, of_none_everything_is_zero)
{
	struct sample_spread spread;

	sample_sort(&sample);
	spread = sample_spread(&sample);
	cr_assert_eq(spread.n, 0);
	cr_assert_eq(spread.most, 0);
	cr_assert_eq(sample_quantile(&sample, 500), 0);
}

Test(sample, moments_hold_beside_a_large_offset, .fini = empty)
{
	const nsec hour = INT64_C(3600000000000);
	struct sample_spread spread;

	fill(hour, 3); /* hour, hour + 1, hour + 2 */
	spread = sample_spread(&sample);
	cr_assert_eq(spread.mean, (double)(hour + 1));
	cr_assert_float_eq(spread.deviation, 0.816496580927726, 1e-12);
	cr_assert_eq(spread.least, hour);
	cr_assert_eq(spread.most, hour + 2);
}

Test(sample, times_may_be_negative, .fini = empty)
{
	fill(-5, 4); /* -5 to -2 */
	cr_assert_eq(sample_spread(&sample).mean, -3.5);
	cr_assert_eq(sample_quantile(&sample, 250), -5);
	cr_assert_eq(sample_quantile(&sample, 251), -4);
}

Test(sample, the_outer_bins_have_what_lies_beyond, .fini = empty)
{
	size_t count[3];

	fill(0, 10);
	sample_bins(&sample, 2, 2, count, 3);
	cr_assert_eq(count[0], 4); /* 0, 1, 2, 3 */
	cr_assert_eq(count[1], 2); /* 4, 5 */
	cr_assert_eq(count[2], 4); /* 6 to 9 */
}

Test(sample, times_come_in_any_order, .fini = empty)
{
	for (nsec i = 0; i < 3000; i++)
		sample_add(&sample, i * 7 % 3000 / 3 + 1); /* 1 to 1000 */
	sample_sort(&sample);
	for (size_t i = 0; i < 3000; i++)
		cr_assert_eq(sample.value[i], (nsec)(i / 3 + 1));
}

Test(sample, a_spread_has_the_quantiles_that_it_names, .fini = empty)
{
	struct sample_spread spread;

	fill(1, 1000);
	spread = sample_spread(&sample);
	cr_assert_eq(spread.n, 1000);
	cr_assert_eq(spread.least, 1);
	cr_assert_eq(spread.p50, 500);
	cr_assert_eq(spread.p90, 900);
	cr_assert_eq(spread.p95, 950);
	cr_assert_eq(spread.p99, 990);
	cr_assert_eq(spread.most, 1000);
	cr_assert_eq(spread.mean, 500.5);
	/* (n*n - 1) / 12 */
	cr_assert_float_eq(spread.deviation, sqrt(999999.0 / 12.0), 1e-9);
	cr_assert_eq(sample_quantile(&sample, 999), 999);
	cr_assert_eq(sample_quantile(&sample, 1000), 1000);
}

Test(sample, a_bin_begins_at_its_lower_bound, .fini = empty)
{
	size_t count[3];

	fill(-10, 21); /* -10 to 10 */
	sample_bins(&sample, 0, 5, count, 3);
	cr_assert_eq(count[0], 15);
	cr_assert_eq(count[1], 5);
	cr_assert_eq(count[2], 1);
	sample_bins(&sample, 0, 5, count, 1);
	cr_assert_eq(count[0], 21);
}
