/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_smooth_test.c - smooth-jitter: order and distribution, both kept
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "core/seed.h"
#include "tests/unit/rig.h"

#define U30_70 "base = 50ms\njitter = 20ms\n"

/* 1000 s of packets at a rate: what is asked of mean, deviation and order. */
static void holds_at(nsec gap)
{
	struct rig rig = { 0 };
	struct moments moments = { 0 };
	nsec last = 0;
	double n = 1000.0 * SEC / (double)gap;

	rig_open(&rig, "smooth-jitter", U30_70, 20260817);
	for (nsec now = 0; now < 1000 * SEC; now += gap) {
		nsec delay = rig_turn(&rig, now);

		cr_assert_geq(now + delay, last, "reordered at %ld", now);
		cr_assert_geq(delay, 30 * MS);
		cr_assert_leq(delay, 70 * MS);
		last = now + delay;
		moments_add(&moments, (double)delay / 1e6);
	}
	cr_assert_float_eq(moments_mean(&moments), 50.0, 0.02 * 50.0);
	cr_assert_float_eq(moments_deviation(&moments), 11.547, 0.05 * 11.547);
	cr_assert_lt((double)rig_count(&rig, "clamped"), 0.001 * n);
	rig_close(&rig);
}

Test(smooth_jitter, keeps_order_and_distribution_at_1000_a_second)
{
	holds_at(MS);
}

Test(smooth_jitter, keeps_order_and_distribution_at_250_a_second)
{
	holds_at(4 * MS);
}

Test(smooth_jitter, keeps_order_and_distribution_at_100_a_second)
{
	holds_at(10 * MS);
}

Test(smooth_jitter, is_the_same_curve_at_any_rate)
{
	struct rig fast = { 0 }, slow = { 0 }, slower = { 0 };

	rig_open(&fast, "smooth-jitter", U30_70, 1);
	rig_open(&slow, "smooth-jitter", U30_70, 1);
	rig_open(&slower, "smooth-jitter", U30_70, 1);
	for (int i = 0; i < 60000; i++) {
		nsec now = i * MS, delay = rig_turn(&fast, now);

		if (i % 4 == 0)
			cr_assert_eq(rig_turn(&slow, now), delay, "at %d", i);
		if (i % 10 == 0)
			cr_assert_eq(rig_turn(&slower, now), delay, "at %d", i);
	}
	rig_close(&fast);
	rig_close(&slow);
	rig_close(&slower);
}

Test(smooth_jitter, is_the_same_curve_after_any_silence)
{
	struct rig steady = { 0 }, seldom = { 0 };
	uint64_t lcg = 1;
	nsec next = 0;

	/* a rough path, so that guard and seams are in it */
	rig_open(&steady, "smooth-jitter", U30_70 "time_scale = 6ms\n", 2);
	rig_open(&seldom, "smooth-jitter", U30_70 "time_scale = 6ms\n", 2);
	for (nsec now = 0; now < 300 * SEC; now += MS) {
		nsec delay = rig_turn(&steady, now);

		if (now < next)
			continue;
		cr_assert_eq(rig_turn(&seldom, now), delay, "at %ld", now);
		lcg = lcg * 6364136223846793005u + 1442695040888963407u;
		next = now + (nsec)(lcg >> 33) % (5 * SEC);
	}
	cr_assert_gt(rig_count(&steady, "clamped"), 1000);
	rig_close(&steady);
	rig_close(&seldom);
}

Test(smooth_jitter, never_reorders_however_rough)
{
	static const char *const rough[] = {
		U30_70 "time_scale = 5ms\n",
		U30_70 "time_scale = 10ms\ngrid = 10ms\n",
		"base = 100ms\njitter = 30ms\ndistribution = pareto\n"
		"time_scale = 8ms\n",
		"base = 0ms\njitter = 30ms\ndistribution = normal\n"
		"time_scale = 20ms\ngrid = 333333ns\n",
	};

	for (size_t r = 0; r < sizeof(rough) / sizeof(rough[0]); r++) {
		struct rig rig = { 0 };
		nsec last = 0;

		rig_open(&rig, "smooth-jitter", rough[r], 3);
		for (int i = 0; i < 100000; i++) {
			nsec now = i * INT64_C(123457);
			nsec delay = rig_turn(&rig, now);

			cr_assert_geq(delay, 0);
			cr_assert_geq(now + delay, last, "%zu at %d", r, i);
			last = now + delay;
		}
		rig_close(&rig);
	}
}

/* Correlation over a lag of a normal path, against (1 + x) e^-x. */
Test(smooth_jitter, has_the_correlation_of_a_matern_process)
{
	enum { N = 2000000, LAG = 100 };
	struct rig rig = { 0 };
	double ring[LAG], product[LAG] = { 0 }, square = 0;

	rig_open(&rig, "smooth-jitter",
		 "base = 200ms\njitter = 10ms\ndistribution = normal\n"
		 "time_scale = 40ms\n",
		 4);
	for (int i = 0; i < N; i++) {
		double z =
			(double)(rig_turn(&rig, i * 2 * MS) - 200 * MS) / 1e7;

		for (int lag = 1; i >= LAG && lag < LAG; lag += 7)
			product[lag] += z * ring[(i - lag) % LAG];
		square += z * z;
		ring[i % LAG] = z;
	}
	/* 4000 s; the sum of squared correlations over lags is 5/2 time scales,
	 * so the variance of an estimate is at most 2 x 5/2 x 0.04 / 4000
	 */
	cr_assert_float_eq(square / N, 1.0, 5.0 * sqrt(2 * 2.5 * 0.04 / 4000));
	for (int lag = 1; lag < LAG; lag += 7) {
		double x = lag * 2.0 / 40.0;

		cr_assert_float_eq(product[lag] / N, (1.0 + x) * exp(-x),
				   5.0 * sqrt(2 * 2.5 * 0.04 / 4000),
				   "lag %d: %g", lag, product[lag] / N);
	}
	rig_close(&rig);
}

Test(smooth_jitter, has_mean_and_deviation_of_every_law)
{
	static const char *const laws[] = { "normal",	 "exponential",
					    "lognormal", "weibull",
					    "gamma",	 "pareto\nshape = 12" };
	char text[128];

	for (size_t l = 0; l < sizeof(laws) / sizeof(laws[0]); l++) {
		struct rig rig = { 0 };
		struct moments moments = { 0 };

		snprintf(text, sizeof(text),
			 "base = 200ms\njitter = 10ms\ndistribution = %s\n",
			 laws[l]);
		rig_open(&rig, "smooth-jitter", text, 5);
		for (int i = 0; i < 200000; i++)
			moments_add(&moments,
				    (double)rig_turn(&rig, i * 10 * MS) / 1e6);
		/* 2000 s of a process whose correlations sum to 4 x 60 ms */
		cr_assert_float_eq(moments_mean(&moments), 200.0,
				   5.0 * 10.0 * sqrt(0.24 / 2000), "%s: %g",
				   laws[l], moments_mean(&moments));
		cr_assert_float_eq(moments_deviation(&moments), 10.0, 1.0,
				   "%s: %g", laws[l],
				   moments_deviation(&moments));
		rig_close(&rig);
	}
}

Test(smooth_jitter, of_zero_is_a_constant_delay)
{
	struct rig rig = { 0 };

	rig_open(&rig, "smooth-jitter", "base = 50ms\njitter = 0ms\n", 6);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(rig_turn(&rig, i * 7 * MS), 50 * MS);
	rig_close(&rig);
}

Test(smooth_jitter, goes_on_in_order_over_a_change)
{
	struct rig rig = { 0 }, fresh = { 0 };
	nsec last = 0;

	rig_open(&rig, "smooth-jitter", "base = 500ms\njitter = 50ms\n", 7);
	rig_open(&fresh, "smooth-jitter", U30_70, 7);
	for (int i = 0; i < 5000; i++) {
		nsec now = i * MS, delay;

		if (i == 1000)
			rig_change(&rig, U30_70);
		delay = rig_turn(&rig, now);
		cr_assert_geq(now + delay, last);
		last = now + delay;
		/* soon it is the curve that it would have been from the start
		 */
		if (i > 2000)
			cr_assert_eq(delay, rig_turn(&fresh, now));
	}
	rig_close(&rig);
	rig_close(&fresh);
}

Test(smooth_jitter, refuses_what_cannot_be_smooth)
{
	char why[RIG_WHY];

	cr_assert_str_not_empty(rig_fault(
		"smooth-jitter", U30_70 "time_scale = 4ms\n", NULL, why));
	cr_assert_str_empty(rig_fault("smooth-jitter",
				      U30_70 "time_scale = 5ms\n", NULL, why));
	cr_assert_str_not_empty(
		rig_fault("smooth-jitter", U30_70 "grid = 51ms\n", NULL, why));
	cr_assert_str_not_empty(
		rig_fault("smooth-jitter", U30_70 "grid = 49us\n", NULL, why));
}

Test(smooth_jitter, takes_the_same_numbers_whatever_the_traffic)
{
	struct rig busy = { 0 }, idle = { 0 };

	rig_open(&busy, "smooth-jitter", U30_70, 8);
	rig_open(&idle, "smooth-jitter", U30_70, 8);
	for (int i = 0; i < 100; i++)
		rig_turn(&busy, i * MS);
	cr_assert_eq(rng_next(&busy.rng), rng_next(&idle.rng));
	rig_close(&busy);
	rig_close(&idle);
}

Test(smooth_jitter, works_with_the_legacy_generator)
{
	struct rig a = { 0 }, b = { 0 };
	int differ = 0;

	rig_open(&a, "smooth-jitter", U30_70, 9);
	rig_open(&b, "smooth-jitter", U30_70, 9);
	seed_legacy(&a.rng, 1);
	a.condition->reset(&a.turn);
	seed_legacy(&b.rng, 2);
	b.condition->reset(&b.turn);
	for (int i = 0; i < 100; i++)
		differ += rig_turn(&a, i * 100 * MS) !=
			  rig_turn(&b, i * 100 * MS);
	cr_assert_gt(differ, 90);
	rig_close(&a);
	rig_close(&b);
}
