/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * netem_test.c - what netem's correlations come to, by closed formulas
 *
 * Floor: tests.
 *
 * A blend by c is (1 - c) (U + c U' + c^2 U'' + ...).  Below c its distribution
 * F is c / (1 - c) times the integral of F up to y / c; for c below one half it
 * is a straight line from c to 1 - c.  By one half it is the Fabius function.
 */
#include "session/netem.h"

#include <criterion/criterion.h>

Test(netem, a_blend_by_half_is_the_fabius_function)
{
	static const struct {
		double at, value;
	} known[] = { { 0.0, 0.0 },
		      { 1.0 / 16.0, 143.0 / 2073600.0 },
		      { 1.0 / 8.0, 1.0 / 288.0 },
		      { 1.0 / 4.0, 5.0 / 72.0 },
		      { 3.0 / 8.0, 73.0 / 288.0 },
		      { 1.0 / 2.0, 0.5 },
		      { 3.0 / 4.0, 67.0 / 72.0 },
		      { 1.0, 1.0 } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		cr_assert_float_eq(netem_share(known[i].at, 0.5),
				   known[i].value, 2e-8);
}

Test(netem, a_weak_blend_has_a_line_in_its_middle)
{
	static const double blends[] = { 0.1, 0.2, 0.3, 0.4, 0.45 };

	for (int i = 0; i < 5; i++) {
		double c = blends[i], within = 1.0 - c;
		double variance = within / (12.0 * (1.0 + c));
		double corner =
			c * c * c / (within * within) * (variance + 0.25) / 2.0;

		cr_assert_float_eq(netem_share(c, c), c / within / 2.0, 1e-11);
		cr_assert_float_eq(netem_share(0.49, c), 0.5 - 0.01 / within,
				   1e-11);
		/* 4096 cells are as near to what is curved */
		cr_assert_float_eq(netem_share(c * c, c), corner, 7e-8);
		cr_assert_float_eq(netem_share(1.0 - c * c, c), 1.0 - corner,
				   7e-8);
	}
}

Test(netem, without_a_blend_or_with_nothing_else_the_share_is_as_asked)
{
	cr_assert_eq(netem_share(0.3, 0.0), 0.3);
	cr_assert_eq(netem_share(0.3, 1.0), 0.3);
	cr_assert_eq(netem_share(1.0, 0.3), 1.0);
	cr_assert_eq(netem_share(0.0, 0.3), 0.0);
}

Test(netem, draws_are_those_of_a_fixed_seed)
{
	static const struct {
		nsec jitter;
		double correlation, mean, left;
	} known[] = {
		/* nothing is drawn */
		{ 0, 0.9, 0.0, 0.0 },
		/* even and odd, and so -1 and 0 */
		{ 1, 0.5, -0.4979, -0.00329298997064 },
		{ 500 * NSEC_PER_MS, 0.9, -0.101461775948, 0.392838703498 },
		/* the widest loses nothing of the blend */
		{ 2147483647, 0.5, -0.000584753144269, 0.49039207382 },
		{ 2147483647, 0.0, -0.000550821939158, -0.00834907124506 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct netem_delay delay =
			netem_delay(known[i].jitter, known[i].correlation);

		cr_assert_float_eq(delay.mean, known[i].mean, 1e-9);
		cr_assert_float_eq(delay.correlation, known[i].left, 1e-9);
	}
}
