/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_all_test.c - what every built-in condition keeps to
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "conditions/builtin.h"
#include "tests/unit/bench.h"
#include "tests/unit/rig.h"

static const struct rig_file files[] = { { "trace", "1\n" },
					 { "series", "delay_ms\n20\nlost\n" },
					 { NULL, NULL } };

/* A working example of each, and one in which all that can be is zero. */
static const struct {
	const char *type, *some, *none;
} examples[] = {
	{ "delay", "delay = 50ms\n", "delay = 0ms\n" },
	{ "jitter", "base = 50ms\njitter = 20ms\ncorrelation = 50%\n",
	  "base = 0ms\njitter = 0ms\n" },
	{ "monotonic-jitter", "base = 50ms\njitter = 20ms\n",
	  "base = 0ms\njitter = 0ms\n" },
	{ "smooth-jitter", "base = 50ms\njitter = 20ms\n",
	  "base = 0ms\njitter = 0ms\n" },
	{ "token-bucket", "rate = 1Mbit\n", NULL },
	{ "loss", "probability = 10%\ncorrelation = 20%\n",
	  "probability = 0%\n" },
	{ "gilbert-elliott", "loss = 10%\nmean_burst = 3\n", "" },
	{ "markov-loss", "p13 = 5%\np31 = 30%\np14 = 1%\n", "p13 = 0%\n" },
	{ "periodic-loss", "every = 7\n", "packets = 1000000\n" },
	{ "outage", "at = 10ms\nfor = 20ms\nmode = hold\n",
	  "at = 0s\nfor = 0s\n" },
	{ "profile", "points = 0s 10ms, 1s 20ms\n", "points = 0s 0s\n" },
	{ "sine", "mean = 50ms\namplitude = 10ms\nperiod = 1s\n",
	  "mean = 0ms\namplitude = 0ms\nperiod = 1s\n" },
	{ "link-trace", "file = trace\n", NULL },
	{ "replay", "file = series\n", NULL },
	{ "slot", "interval = 20ms\njitter = 5ms\n", "interval = 0ms\n" },
	{ "reorder", "probability = 10%\nhold = 30ms\n", "probability = 0%\n" },
};
#define EXAMPLES (sizeof(examples) / sizeof(examples[0]))

Test(conditions, are_listed_in_order_with_an_example_each)
{
	size_t n = 0;

	for (; builtin_conditions[n]; n++) {
		cr_assert_lt(n, EXAMPLES);
		cr_assert_str_eq(builtin_conditions[n]->name, examples[n].type);
		cr_assert_eq(builtin_conditions[n]->abi, CONDITION_ABI);
	}
	cr_assert_eq(n, EXAMPLES);
}

Test(conditions, have_presets_that_parse_and_print_as_they_are_written)
{
	for (size_t i = 0; builtin_conditions[i]; i++) {
		const struct condition *condition = builtin_conditions[i];

		for (size_t s = 0; s < condition->n_settings; s++) {
			const struct setting *row = &condition->settings[s];
			struct store store = { 0 };
			const struct settings_source source = {
				.store = &store
			};
			char *into =
				store_get(&store, condition->settings_size);
			char why[RIG_WHY], text[128];

			cr_assert_not_null(row->text);
			cr_assert_neq(row->text[strlen(row->text) - 1], '.');
			if (!row->preset || !*row->preset) {
				store_fini(&store);
				continue;
			}
			cr_assert_eq(settings_parse(row, into, row->preset,
						    &source, why, sizeof(why)),
				     0, "%s.%s: %s", condition->name, row->name,
				     why);
			settings_print(row, into, text, sizeof(text));
			if (!strcmp(row->preset, "1h"))
				cr_assert_str_eq(text, "3600000ms");
			else
				cr_assert_str_eq(text, row->preset);
			store_fini(&store);
		}
	}
}

Test(conditions, do_nothing_where_all_is_zero)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		struct rig rig = { .files = files };

		if (!examples[i].none)
			continue;
		rig_open(&rig, examples[i].type, examples[i].none, 71);
		for (int k = 0; k < 1000; k++)
			cr_assert_eq(rig_turn(&rig, k * MS), 0, "%s",
				     examples[i].type);
		rig_close(&rig);
	}
}

Test(conditions, take_as_many_numbers_whatever_the_settings)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		struct rig some = { .files = files }, none = { .files = files };

		if (!examples[i].none)
			continue;
		rig_open(&some, examples[i].type, examples[i].some, 72);
		rig_open(&none, examples[i].type, examples[i].none, 72);
		for (int k = 0; k < 1000; k++) {
			rig_turn(&some, k * MS);
			rig_turn(&none, k * MS);
			cr_assert_eq(some.rng.s[0], none.rng.s[0], "%s at %d",
				     examples[i].type, k);
		}
		rig_close(&some);
		rig_close(&none);
	}
}

Test(conditions, do_the_same_again_after_a_reset)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		struct rig a = { .files = files }, b = { .files = files };

		rig_open(&a, examples[i].type, examples[i].some, 73);
		rig_open(&b, examples[i].type, examples[i].some, 73);
		for (int k = 0; k < 1000; k++)
			cr_assert_eq(rig_turn(&a, k * MS), rig_turn(&b, k * MS),
				     "%s at %d", examples[i].type, k);
		rig_close(&a);
		rig_close(&b);
	}
}

Test(conditions, give_delays_that_are_valid)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		struct rig rig = { .files = files };

		rig_open(&rig, examples[i].type, examples[i].some, 74);
		for (int k = 0; k < 10000; k++) {
			nsec delay = rig_turn(&rig, (nsec)k * k * 100);

			cr_assert(delay == DELAY_SUPPRESS ||
					  (delay >= 0 && delay <= DELAY_MAX),
				  "%s at %d: %ld", examples[i].type, k, delay);
		}
		rig_close(&rig);
	}
}

#define ARM                                                                    \
	"[link]\nrobot = 10.0.0.2\n[uplink command]\nport = 5002\n"            \
	"chain = %s\n"                                                         \
	"[condition j]\ntype = jitter\nbase = 50ms\njitter = 20ms\n"           \
	"[condition l]\ntype = loss\nprobability = 10%%\n"

Test(conditions, behind_do_not_change_the_draws_before)
{
	struct bench two, three;

	bench_open(&two, ARM, "j, l");
	bench_open(&three,
		   ARM "[condition g]\ntype = gilbert-elliott\n"
		       "loss = 20%%\nmean_burst = 5\n",
		   "j, l, g");
	bench_feed(&two, 2000, 20 * MS, 0, 100);
	bench_feed(&three, 2000, 20 * MS, 0, 100);
	for (uint64_t mark = 0; mark < 2000; mark++) {
		const struct outcome *a = bench_of(&two, mark);
		const struct outcome *b = bench_of(&three, mark);

		if (a->fate == FATE_SUPPRESSED) {
			cr_assert_eq(b->fate, FATE_SUPPRESSED);
			cr_assert_str_eq(b->by, "l");
		} else if (b->fate == FATE_RELEASED) {
			cr_assert_eq(a->due, b->due);
		} else {
			cr_assert_str_eq(b->by, "g");
		}
	}
	cr_assert_gt(bench_count(&three, FATE_SUPPRESSED, "g"), 200);
	bench_close(&two);
	bench_close(&three);
}
