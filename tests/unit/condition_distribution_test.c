/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_distribution_test.c - quantiles against the laws' own formulas
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>

#include "conditions/distribution.h"

/* The laws that a kind names, with a shape that is not the one of default. */
static const struct {
	enum distribution_kind kind;
	double shape, least;
} laws[] = {
	{ DISTRIBUTION_NORMAL, 0, -INFINITY },
	{ DISTRIBUTION_EXPONENTIAL, 0, -1 },
	{ DISTRIBUTION_PARETO, 0, -0.57735026918962576 },
	{ DISTRIBUTION_PARETO, 8, -0.86602540378443865 },
	{ DISTRIBUTION_LOGNORMAL, 0, -1.876382600694165 },
	{ DISTRIBUTION_LOGNORMAL, 0.1, -9.975010442698514 },
	{ DISTRIBUTION_WEIBULL, 0, -1.4728219580171817 },
	{ DISTRIBUTION_WEIBULL, 3, -2.751436569210388 },
	{ DISTRIBUTION_GAMMA, 0, -1.4142135623730951 },
	{ DISTRIBUTION_GAMMA, 0.5, -0.70710678118654752 },
	{ DISTRIBUTION_GAMMA, 30, -5.4772255750516612 },
};
#define LAWS (sizeof(laws) / sizeof(laws[0]))

Test(distribution, the_normal_quantile_is_that_of_the_published_tables)
{
	/* Wichura's own test values, and the usual ones */
	cr_assert_float_eq(distribution_normal(0.25), -0.67448975019608171,
			   2e-16 * 4);
	cr_assert_float_eq(distribution_normal(0.001), -3.0902323061678136,
			   2e-16 * 16);
	cr_assert_float_eq(distribution_normal(1e-20 * 1e4), -8.2220822161304,
			   1e-11);
	cr_assert_float_eq(distribution_normal(0.975), 1.9599639845400543,
			   2e-16 * 16);
	cr_assert_float_eq(distribution_normal(0.5), 0.0, 0.0);
}

Test(distribution, the_normal_quantile_inverts_the_normal_law)
{
	for (int i = 1; i < 4000; i++) {
		double z = -8.2 + i * 8.2 / 4000;
		double p = 0.5 * erfc(-z * sqrt(0.5));

		cr_assert_float_eq(
			distribution_normal(p), z,
			4e-15 * -z + 1e-15 / (exp(-z * z / 2.0) / 2.5066 / p),
			"z %g", z);
	}
}

Test(distribution, the_gamma_quantile_inverts_the_closed_forms)
{
	/* k = 1 is exponential; k = 1/2 is half a squared normal; k = 2 has
	 * 1 - P = (1 + x) e^-x
	 */
	for (int i = 1; i < 1000; i++) {
		double p = i / 1000.0, q = 1.0 - p, z, x;

		x = distribution_gamma(1.0, p, q);
		cr_assert_float_eq(x, -log(q), 1e-13 * (1 - log(q)), "%g", p);
		z = distribution_normal((1.0 + p) / 2.0);
		x = distribution_gamma(0.5, p, q);
		cr_assert_float_eq(x, z * z / 2.0, 2e-13 * (1 + z * z), "%g",
				   p);
		x = distribution_gamma(2.0, p, q);
		cr_assert_float_eq((1.0 + x) * exp(-x), q, 1e-13, "%g", p);
	}
}

Test(distribution, the_gamma_quantile_is_right_far_out)
{
	for (double e = 1.0; e < 50.0; e++) {
		double p = ldexp(1.0, (int)-e);
		double up = distribution_gamma(2.0, 1.0 - p, p);
		double low = distribution_gamma(2.0, p, 1.0 - p);

		cr_assert_float_eq(log1p(up) - up, log(p), 1e-12 * e);
		/* 1 - (1 + x) e^-x, by its series where it cancels */
		if (low < 1e-3)
			cr_assert_float_eq(
				low * low * (0.5 - low / 3.0 + low * low / 8.0),
				p, 1e-9 * p);
	}
	cr_assert_lt(distribution_gamma(0.01, 0x1p-54, 1.0), 1e-100);
	cr_assert_gt(distribution_gamma(1000.0, 0.999, 0.001), 1090.0);
}

Test(distribution, every_law_has_mean_0_and_deviation_1)
{
	enum { N = 200000 };

	for (size_t l = 0; l < LAWS; l++) {
		struct distribution law = { .kind = laws[l].kind };
		double sum = 0, square = 0, rest = 0;

		/* the middle of each step of probability: the error of the
		 * rule lies in the outermost step, which is left to @rest
		 */
		for (int i = 0; i < N; i++) {
			double x = distribution_quantile(&law, laws[l].shape,
							 (i + 0.5) / N);

			sum += x / N;
			square += x * x / N;
		}
		/* E[x^2] above the quantile of 1 - 1/N is what a step of the
		 * pareto law of shape 3 misses most: m^2 3 N^(-1/3) / 0.75
		 */
		rest = laws[l].kind == DISTRIBUTION_PARETO &&
				       !(laws[l].shape > 0)
			       ? 4.0 * pow(N, -1.0 / 3.0)
			       : 0.003;
		cr_assert_float_eq(sum, 0.0, rest / 10, "law %zu: %g", l, sum);
		cr_assert_float_eq(square, 1.0, rest, "law %zu: %g", l, square);
	}
}

Test(distribution, every_law_rises_and_stays_finite)
{
	for (size_t l = 0; l < LAWS; l++) {
		struct distribution law = { .kind = laws[l].kind };
		double shape = laws[l].shape, before = -INFINITY;

		for (int i = 0; i <= 1000; i++) {
			double x =
				distribution_quantile(&law, shape, i / 1000.0);

			cr_assert(isfinite(x), "law %zu at %d", l, i);
			cr_assert_geq(x, before, "law %zu at %d", l, i);
			before = x;
		}
		cr_assert_geq(distribution_quantile(&law, shape, 0.0),
			      laws[l].least - 1e-12 * 10, "law %zu", l);
		cr_assert_geq(before, 1.0);
	}
}

Test(distribution, a_normal_number_finds_the_quantile_of_its_probability)
{
	for (size_t l = 0; l < LAWS; l++) {
		struct distribution law = { .kind = laws[l].kind };

		for (double z = -4; z <= 4; z += 0.25) {
			double p = 0.5 * erfc(-z * sqrt(0.5));
			double x =
				distribution_of_normal(&law, laws[l].shape, z);
			double y =
				distribution_quantile(&law, laws[l].shape, p);

			cr_assert_float_eq(x, y, 1e-9 * (1 + fabs(x)),
					   "law %zu at %g", l, z);
		}
	}
}

Test(distribution, the_uniform_law_is_exact)
{
	struct distribution law = { .kind = DISTRIBUTION_UNIFORM };

	cr_assert_eq(distribution_quantile(&law, 0, 0.0), -1.0);
	cr_assert_eq(distribution_quantile(&law, 0, 0.75), 0.5);
	cr_assert_float_eq(distribution_of_normal(&law, 0, 1.0),
			   0.68268949213708585, 1e-15);
}

Test(distribution, a_table_has_its_own_mean_and_goes_straight_between)
{
	const double table[] = { -3, -1, 0, 4 };
	struct distribution law = { .kind = DISTRIBUTION_TABLE,
				    .n = 4,
				    .table = table };
	double sum = 0;

	cr_assert_eq(distribution_quantile(&law, 0, 0.0), -3.0);
	cr_assert_eq(distribution_quantile(&law, 0, 0.125), -3.0);
	cr_assert_eq(distribution_quantile(&law, 0, 0.25), -2.0);
	cr_assert_eq(distribution_quantile(&law, 0, 0.625), 0.0);
	cr_assert_eq(distribution_quantile(&law, 0, 0.875), 4.0);
	cr_assert_eq(distribution_quantile(&law, 0, 1.0), 4.0);
	for (int i = 0; i < 1024; i++)
		sum += distribution_quantile(&law, 0, (i + 0.5) / 1024);
	cr_assert_float_eq(sum / 1024, 0.0, 1e-12);
}

Test(distribution, a_shape_that_does_not_fit_is_told)
{
	struct distribution law = { .kind = DISTRIBUTION_PARETO };

	cr_assert_not_null(distribution_fault(&law, 2.0));
	cr_assert_null(distribution_fault(&law, 2.5));
	cr_assert_null(distribution_fault(&law, 0.0));
	law.kind = DISTRIBUTION_NORMAL;
	cr_assert_not_null(distribution_fault(&law, 2.0));
	cr_assert_null(distribution_fault(&law, 0.0));
	law.kind = DISTRIBUTION_LOGNORMAL;
	cr_assert_not_null(distribution_fault(&law, 4.0));
	law.kind = DISTRIBUTION_WEIBULL;
	cr_assert_not_null(distribution_fault(&law, 0.1));
	law.kind = DISTRIBUTION_GAMMA;
	cr_assert_not_null(distribution_fault(&law, 0.001));
	cr_assert_null(distribution_fault(&law, 1000));
}

Test(distribution, a_table_of_nothing_is_its_mean)
{
	struct distribution law = { .kind = DISTRIBUTION_TABLE };

	cr_assert_eq(distribution_quantile(&law, 0, 0.3), 0.0);
	cr_assert_eq(distribution_of_normal(&law, 0, 1.0), 0.0);
}
