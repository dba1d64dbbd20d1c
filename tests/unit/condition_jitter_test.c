/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_jitter_test.c - jitter and monotonic-jitter against closed forms
 *
 * Floor: tests.
 *
 * Bounds are five standard errors, so a right program fails one seed in two
 * million; seeds are fixed.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "core/seed.h"
#include "tests/unit/rig.h"

#define N 200000

/* Asserts that the mean of independent numbers is what it should be. */
#define MEAN_IS(moments, mean)                                                 \
	cr_assert_float_eq(                                                    \
		moments_mean(moments), (mean),                                 \
		5.0 * moments_deviation(moments) / sqrt((moments)->n),         \
		"mean %g, not %g", moments_mean(moments), (double)(mean))

static struct moments feed(struct rig *rig, int n, nsec gap)
{
	struct moments moments = { 0 };

	for (int i = 0; i < n; i++)
		moments_add(&moments, (double)rig_turn(rig, i * gap));
	return moments;
}

Test(jitter, is_uniform_by_default)
{
	struct rig rig = { 0 };
	struct moments moments;
	nsec least = INT64_MAX, most = 0;

	rig_open(&rig, "jitter", "base = 50ms\njitter = 20ms\n", 1);
	for (int i = 0; i < N; i++) {
		nsec delay = rig_turn(&rig, 0);

		least = delay < least ? delay : least;
		most = delay > most ? delay : most;
	}
	cr_assert_geq(least, 30 * MS);
	cr_assert_leq(most, 70 * MS);
	/* the outermost of N draws is within 20 widths / N of the edge */
	cr_assert_leq(least, 30 * MS + 20 * 40 * MS / N);
	cr_assert_geq(most, 70 * MS - 20 * 40 * MS / N);
	moments = feed(&rig, N, 0);
	MEAN_IS(&moments, 50e6);
	/* var of the variance of a uniform: (9/5 - 1) sigma^4 / n */
	cr_assert_float_eq(moments_deviation(&moments), 20e6 / sqrt(3.0),
			   5.0 * 20e6 / sqrt(3.0) * sqrt(0.8 / N) / 2.0);
	cr_assert_float_eq(moments_correlation(&moments), 0.0, 5.0 / sqrt(N));
	cr_assert_eq(rig_count(&rig, "floored"), 0);
	rig_close(&rig);
}

Test(jitter, has_mean_and_deviation_as_set_whatever_the_law)
{
	static const struct {
		const char *law;
		double kurtosis;
	} laws[] = { { "normal", 3 },
		     { "exponential", 9 },
		     { "lognormal", 8.9 },
		     { "weibull", 4.39 },
		     { "gamma", 6 },
		     { "pareto\nshape = 12", 14.8 },
		     { "lognormal\nshape = 0.25", 4.1 },
		     { "gamma\nshape = 0.5", 15 } };
	char text[128];

	for (size_t l = 0; l < sizeof(laws) / sizeof(laws[0]); l++) {
		struct rig rig = { 0 };
		struct moments moments;

		snprintf(text, sizeof(text),
			 "base = 200ms\njitter = 10ms\ndistribution = %s\n",
			 laws[l].law);
		rig_open(&rig, "jitter", text, 2 + l);
		moments = feed(&rig, N, 0);
		MEAN_IS(&moments, 200e6);
		cr_assert_float_eq(
			moments_deviation(&moments), 10e6,
			5.0 * 10e6 * sqrt((laws[l].kurtosis - 1) / N) / 2.0,
			"%s: %g", laws[l].law, moments_deviation(&moments));
		rig_close(&rig);
	}
}

Test(jitter, is_floored_at_zero_and_says_how_often)
{
	struct rig rig = { 0 };
	struct moments moments;

	/* base 10, uniform -10 to 30: a quarter is below zero, mean 11.25 */
	rig_open(&rig, "jitter", "base = 10ms\njitter = 20ms\n", 3);
	moments = feed(&rig, N, 0);
	MEAN_IS(&moments, 11.25e6);
	cr_assert_float_eq((double)rig_count(&rig, "floored"), N / 4.0,
			   5.0 * sqrt(N * 0.25 * 0.75));
	rig_close(&rig);
	/* normal(10, 10): 10 (Phi(1) + phi(1)) = 10.833 */
	rig = (struct rig){ 0 };
	rig_open(&rig, "jitter",
		 "base = 10ms\njitter = 10ms\ndistribution = normal\n", 4);
	moments = feed(&rig, N, 0);
	MEAN_IS(&moments, 10.8332e6);
	rig_close(&rig);
}

/* Correlation of neighbours, with what it may stray: the standard error of a
 * first-order process is sqrt((1 - c*c) / n).
 */
static void correlates(const char *law, double c, double expected)
{
	struct rig rig = { 0 };
	struct moments moments;
	char text[160];
	double effective = N * (1.0 - c) / (1.0 + c);

	snprintf(text, sizeof(text),
		 "base = 100ms\njitter = 10ms\ndistribution = %s\n"
		 "correlation = %g%%\n",
		 law, c * 100.0);
	rig_open(&rig, "jitter", text, 5);
	moments = feed(&rig, N, 0);
	cr_assert_float_eq(moments_mean(&moments), 100e6,
			   5.0 * moments_deviation(&moments) / sqrt(effective),
			   "%s", text);
	cr_assert_float_eq(moments_correlation(&moments), expected,
			   5.0 * sqrt((1.0 - c * c) / N) + 5.0 / N, "%s: %g",
			   text, moments_correlation(&moments));
	cr_assert_float_eq(moments_deviation(&moments),
			   *law == 'n' ? 10e6 : 10e6 / sqrt(3.0),
			   5.0 * 10e6 / sqrt(effective));
	rig_close(&rig);
}

Test(jitter, correlates_as_asked_and_keeps_its_distribution)
{
	const double pi = 3.14159265358979323846;
	const double cs[] = { 0.0, 0.25, 0.5, 0.9, 0.99 };

	for (size_t i = 0; i < sizeof(cs) / sizeof(cs[0]); i++) {
		correlates("normal", cs[i], cs[i]);
		/* for the uniform law the rank correlation is the correlation
		 */
		correlates("uniform", cs[i], 6.0 / pi * asin(cs[i] / 2.0));
	}
}

Test(jitter, a_correlation_of_100_percent_keeps_the_first_draw)
{
	struct rig rig = { 0 };
	nsec first;

	rig_open(&rig, "jitter",
		 "base = 100ms\njitter = 10ms\ncorrelation = 100%\n", 6);
	first = rig_turn(&rig, 0);
	for (int i = 1; i < 100; i++)
		cr_assert_leq(llabs(rig_turn(&rig, i * MS) - first), 1);
	rig_close(&rig);
}

Test(jitter, packets_of_one_frame_share_a_draw)
{
	struct rig rig = { 0 }, alone = { 0 };

	rig_open(&rig, "jitter",
		 "base = 50ms\njitter = 20ms\nframe_gap = 2ms\n", 7);
	rig_open(&alone, "jitter", "base = 50ms\njitter = 20ms\n", 7);
	for (int frame = 0; frame < 100; frame++) {
		nsec at = frame * 16 * MS, first = rig_turn(&rig, at);

		/* a draw belongs to its packet, whoever uses it */
		cr_assert_eq(first, rig_turn(&alone, at));
		for (int i = 1; i < 10; i++) {
			cr_assert_eq(rig_turn(&rig, at + i * MS), first);
			rig_turn(&alone, at + i * MS);
		}
	}
	rig_turn(&rig, 10 * SEC);
	rig_turn(&alone, 10 * SEC);
	cr_assert_eq(rig_turn(&rig, 10 * SEC + 2 * MS),
		     rig_turn(&alone, 10 * SEC + 2 * MS),
		     "a gap of exactly frame_gap is another frame");
	rig_close(&rig);
	rig_close(&alone);
}

Test(jitter, draws_are_paired_whatever_the_scale)
{
	struct rig small = { 0 }, large = { 0 };

	rig_open(&small, "jitter", "base = 50ms\njitter = 10ms\n", 8);
	rig_open(&large, "jitter", "base = 50ms\njitter = 20ms\n", 8);
	for (int i = 0; i < 1000; i++)
		cr_assert_leq(llabs((rig_turn(&small, 0) - 50 * MS) * 2 -
				    (rig_turn(&large, 0) - 50 * MS)),
			      2);
	rig_close(&small);
	rig_close(&large);
}

Test(jitter, of_zero_is_a_constant_delay)
{
	struct rig rig = { 0 };

	rig_open(&rig, "jitter",
		 "base = 50ms\njitter = 0ms\ndistribution = pareto\n", 9);
	for (int i = 0; i < 100; i++)
		cr_assert_eq(rig_turn(&rig, i), 50 * MS);
	rig_close(&rig);
}

Test(jitter, goes_by_a_table_and_its_losses)
{
	static const struct rig_file files[] = {
		{ "curve", "loss-level 0.8\ndelay prob\n10 0\n110 1\n" },
		{ "two.dist", "-8192 8192\n" },
		{ NULL, NULL }
	};
	struct rig rig = { .files = files };
	struct moments moments = { 0 };
	int lost = 0;

	rig_open(&rig, "jitter",
		 "base = 0ms\njitter = 1ms\ndistribution = table:curve\n", 10);
	for (int i = 0; i < N; i++) {
		nsec delay = rig_turn(&rig, 0);

		if (delay == DELAY_SUPPRESS)
			lost++;
		else
			moments_add(&moments, (double)delay);
	}
	cr_assert_float_eq(lost, N * 0.2, 5.0 * sqrt(N * 0.2 * 0.8));
	/* the others are uniform, 10 to 90 ms */
	MEAN_IS(&moments, 50e6);
	cr_assert_float_eq(moments_deviation(&moments), 80e6 / sqrt(12.0),
			   5.0 * 80e6 / sqrt(12.0) * sqrt(0.8 / N));
	rig_close(&rig);

	/* two entries: straight from -1 to 1 between probabilities of 1/4 and
	 * 3/4, level outside: mean 0, variance 1/2 + 1/6
	 */
	rig = (struct rig){ .files = files };
	rig_open(&rig, "jitter",
		 "base = 50ms\njitter = 10ms\ndistribution = table:two.dist\n",
		 11);
	moments = feed(&rig, N, 0);
	MEAN_IS(&moments, 50e6);
	cr_assert_float_eq(moments_deviation(&moments), 10e6 * sqrt(2.0 / 3.0),
			   5.0 * 10e6 / sqrt(N));
	rig_close(&rig);
}

Test(jitter, refuses_a_shape_without_a_law_for_it)
{
	char why[RIG_WHY];

	cr_assert_str_not_empty(rig_fault(
		"jitter", "base = 1ms\njitter = 1ms\nshape = 2\n", NULL, why));
	cr_assert_str_not_empty(
		rig_fault("monotonic-jitter",
			  "base = 1ms\njitter = 1ms\ndistribution = pareto\n"
			  "shape = 2\n",
			  NULL, why));
	cr_assert_str_empty(
		rig_fault("jitter",
			  "base = 1ms\njitter = 1ms\ndistribution = pareto\n"
			  "shape = 2.5\n",
			  NULL, why));
}

/* Chance that the delay of 50 +- 20 ms, held to the order of packets @gap ms
 * apart, is at most @y ms: no draw before reaches beyond it.
 */
static double held_law(double y, double gap)
{
	double product = 1.0;

	for (; y < 70.0; y += gap)
		product *= fmax(y - 30.0, 0.0) / 40.0;
	return product;
}

Test(monotonic_jitter, keeps_order_and_moves_the_mean_up_as_it_must)
{
	static const int gaps[] = { 10, 4, 1 };
	/* what users of other tools see at these rates */
	static const double seen[] = { 53.2, 57.5, 62.9 };

	for (size_t r = 0; r < 3; r++) {
		struct rig rig = { 0 };
		struct moments moments = { 0 };
		double mean = 70.0, square = 70.0 * 70.0, step = 0.001, bound;
		nsec last = 0;

		rig_open(&rig, "monotonic-jitter",
			 "base = 50ms\njitter = 20ms\n", 12);
		for (int i = 0; i < N; i++) {
			nsec now = i * gaps[r] * MS;
			nsec delay = rig_turn(&rig, now);

			cr_assert_geq(now + delay, last);
			last = now + delay;
			moments_add(&moments, (double)delay / 1e6);
		}
		for (double y = 30.0 + step / 2; y < 70.0; y += step) {
			mean -= step * held_law(y, gaps[r]);
			square -= 2.0 * y * step * held_law(y, gaps[r]);
		}
		/* draws further apart than 40 ms know nothing of each other */
		bound = 5.0 * 12.0 / sqrt(N * gaps[r] / 40.0);
		cr_assert_float_eq(mean, seen[r], 0.1);
		cr_assert_float_eq(moments_mean(&moments), mean, bound);
		cr_assert_float_eq(moments_deviation(&moments),
				   sqrt(square - mean * mean), bound);
		cr_assert_gt(rig_count(&rig, "held"), 0);
		rig_close(&rig);
	}
}

Test(monotonic_jitter, draws_what_jitter_draws)
{
	struct rig mono = { 0 }, plain = { 0 };
	nsec last = 0;

	rig_open(&mono, "monotonic-jitter", "base = 200ms\njitter = 60ms\n",
		 13);
	rig_open(&plain, "jitter", "base = 200ms\njitter = 60ms\n", 13);
	for (int i = 0; i < 1000; i++) {
		nsec now = i * 20 * MS, due = now + rig_turn(&plain, now);

		last = due > last ? due : last;
		cr_assert_eq(now + rig_turn(&mono, now), last);
	}
	rig_close(&mono);
	rig_close(&plain);
}

Test(monotonic_jitter, a_delay_over_an_hour_holds_nobody_back)
{
	struct rig rig = { 0 };
	uint64_t over = 0, within = 0;

	/* half of the draws are invalid, and as if they had not been */
	rig_open(&rig, "monotonic-jitter",
		 "base = 3600s\njitter = 10s\ndistribution = normal\n", 8);
	for (int i = 0; i < 1000; i++) {
		nsec delay = rig_turn(&rig, 0);

		over += delay > DELAY_MAX;
		within += delay <= DELAY_MAX;
	}
	cr_assert_float_eq((double)over, 500.0, 5.0 * sqrt(250.0));
	cr_assert_eq(over + within, 1000);
	rig_close(&rig);
}

Test(jitter, shapes_go_up_to_their_bounds)
{
	static const struct {
		const char *law, *least, *most, *less, *more;
	} laws[] = {
		{ "lognormal", "0.01", "3", "0.0099", "3.01" },
		{ "weibull", "0.2", "100", "0.19", "101" },
		{ "pareto", "2.01", "50", "2", NULL },
	};
	char rows[128], why[RIG_WHY];

	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		const char *const shapes[] = { laws[i].least, laws[i].most,
					       laws[i].less, laws[i].more };

		for (size_t n = 0; n < 4 && shapes[n]; n++) {
			snprintf(rows, sizeof(rows),
				 "base = 50ms\njitter = 5ms\n"
				 "distribution = %s\nshape = %s\n",
				 laws[i].law, shapes[n]);
			rig_fault("jitter", rows, NULL, why);
			cr_assert_eq(*why == '\0', n < 2, "%s: %s", rows, why);
		}
	}
}

Test(monotonic_jitter, holds_what_would_leave_before_the_last_one)
{
	struct rig rig = { 0 };

	rig_open(&rig, "monotonic-jitter", "base = 10ms\njitter = 0ms\n", 1);
	cr_assert_eq(rig_turn(&rig, 0), 10 * MS);
	rig_change(&rig, "base = 5ms\njitter = 0ms\n");
	cr_assert_eq(rig_turn(&rig, 0), 10 * MS);
	cr_assert_eq(rig_turn(&rig, 5 * MS - 1), 5 * MS + 1);
	cr_assert_eq(rig_count(&rig, "held"), 2);
	cr_assert_eq(rig_turn(&rig, 5 * MS), 5 * MS);
	cr_assert_eq(rig_turn(&rig, 6 * MS), 5 * MS);
	cr_assert_eq(rig_count(&rig, "held"), 2);
	/* an hour is a delay, and what is more is none that holds others */
	rig_change(&rig, "base = 1h\njitter = 0ms\n");
	cr_assert_eq(rig_turn(&rig, 7 * MS), DELAY_MAX);
	rig_change(&rig, "base = 5ms\njitter = 0ms\n");
	cr_assert_eq(rig_turn(&rig, 7 * MS), DELAY_MAX);
	cr_assert_eq(rig_count(&rig, "held"), 3);
	rig_close(&rig);
}
