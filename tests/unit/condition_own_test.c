/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_own_test.c - the worked example of a condition of one's own
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>

#include "core/catalog.h"
#include "core/seed.h"
#include "core/settings.h"
#include "tests/fixture/fade.c"

#define N 400000

Test(own_condition, joins_the_built_in_ones)
{
	struct catalog catalog;

	catalog_init(&catalog);
	cr_assert_null(catalog_find(&catalog, "fade"));
	cr_assert(catalog_add(&catalog, &farlink_condition));
	cr_assert_eq(catalog_find(&catalog, "fade"), &farlink_condition);
	cr_assert_not(catalog_add(&catalog, &farlink_condition));
}

Test(own_condition, does_what_its_formula_says)
{
	struct fade_settings settings = { .depth = 0.2 };
	struct fade_state state = { 0 };
	struct store store = { 0 };
	struct settings_source source = { .store = &store };
	struct rng rng;
	struct turn turn = { .settings = &settings,
			     .state = &state,
			     .rng = &rng };
	int best = 0, worst = 0;

	settings_preset(farlink_condition.settings,
			farlink_condition.n_settings, &settings, &source);
	cr_assert_eq(settings.period, 10 * NSEC_PER_S);
	seed_key(&rng, 81);
	for (int i = 0; i < N; i++) {
		int phase = i % 1000; /* hundredths of a period, in tenths */
		nsec delay;

		turn.now = i * 10 * NSEC_PER_MS;
		delay = farlink_condition.apply(&turn);
		cr_assert(delay == 0 || delay == DELAY_SUPPRESS);
		if (delay == 0)
			continue;
		best += phase < 100 || phase >= 900;
		worst += phase >= 400 && phase < 600;
	}
	/* over whole periods the mean is depth / 2; over the middle fifth
	 * depth / 2 (1 + sin(pi / 5) / (pi / 5)), over the outer fifth minus
	 */
	cr_assert_float_eq((double)state.faded, N * 0.1,
			   5.0 * sqrt(N * 0.1 * 0.9));
	cr_assert_float_eq(worst, N / 5 * 0.1 * 1.9355,
			   5.0 * sqrt(N / 5 * 0.16));
	cr_assert_float_eq(best, N / 5 * 0.1 * 0.0645,
			   5.0 * sqrt(N / 5 * 0.0065));
	store_fini(&store);
}
