/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * adopt_test.c - a session goes on with other settings, or with another arm
 *
 * Floor: tests.
 */
#include "session/session.h"

#include <criterion/criterion.h>
#include <string.h>

#include "core/seed.h"
#include "tests/unit/bench.h"

#define LINK "[link]\nrobot = 10.0.0.2\n"
#define DELAYED                                                                \
	"[uplink a]\nport = 5002\nchain = w\non_change = %s\n"                 \
	"[condition w]\ntype = delay\ndelay = %dms\n"

Test(adopt, a_change_governs_later_packets_only)
{
	struct bench bench;

	bench_open(&bench, LINK DELAYED, "overtake", 100);
	bench_put(&bench, 0, 0, 8);
	cr_assert_eq(bench_adopt(&bench, 10 * MS, LINK DELAYED, "overtake", 20),
		     0);
	bench_put(&bench, 10 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench_of(&bench, 0)->due, 100 * MS);
	cr_assert_eq(bench_of(&bench, 1)->due, 30 * MS);
	cr_assert_eq(session_arm(bench.session), bench.arm[1]);
	bench_close(&bench);
}

Test(adopt, a_change_that_keeps_order_lets_nobody_overtake)
{
	struct bench bench;

	bench_open(&bench, LINK DELAYED, "keep-order", 100);
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 10 * MS, LINK DELAYED, "keep-order", 20);
	bench_put(&bench, 10 * MS, 0, 8);
	bench_put(&bench, 79 * MS, 0, 8);
	bench_put(&bench, 81 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[0].mark, 0);
	cr_assert_eq(bench_of(&bench, 1)->due, 100 * MS, "held behind it");
	cr_assert_eq(bench_of(&bench, 2)->due, 100 * MS);
	cr_assert_eq(bench_of(&bench, 3)->due, 101 * MS, "and free again");
	bench_close(&bench);
}

Test(adopt, a_change_goes_on_with_states_and_streams)
{
	static const char text[] =
		LINK "[uplink a]\nport = 5002\nchain = b, j\n"
		     "[condition b]\ntype = token-bucket\nrate = %dkbit\n"
		     "packet_size = 1000bit\n"
		     "[condition j]\ntype = jitter\nbase = 0ms\n"
		     "jitter = 1ms\n";
	struct bench changed, same;

	bench_open(&changed, text, 100);
	bench_open(&same, text, 100);
	for (int i = 0; i < 20; i++) {
		if (i == 10)
			cr_assert_eq(bench_adopt(&changed, 0, text, 100), 0);
		bench_put(&changed, 0, 0, 8);
		bench_put(&same, 0, 0, 8);
	}
	bench_take(&changed, NSEC_NEVER);
	bench_take(&same, NSEC_NEVER);
	bench_same(&changed, &same);
	bench_close(&changed);
	bench_close(&same);
}

Test(adopt, a_change_that_needs_a_restart_is_refused_whole)
{
	static const char good[] =
		"[arm]\n%s\n" LINK "[uplink a]\nport = 5002\n%s\n"
		"[condition w]\ntype = delay\ndelay = 100ms\n"
		"[condition v]\ntype = delay\ndelay = 1ms\n"
		"[condition l]\ntype = loss\nprobability = 100%%\n%s\n";
	static const char *const bad[][3] = {
		{ "", "chain = w\nlimit_packets = 100001", "" },
		{ "", "chain = w\nlimit_bytes = 33MiB", "" },
		{ "", "chain = w\nmatch = udp", "" },
		{ "", "chain = w\nto = 10.0.0.3", "" },
		{ "", "chain = w", "[uplink b]\nport = 1" },
	};
	struct bench bench;

	bench_open(&bench, good, "", "chain = w", "");
	bench_put(&bench, 0, 0, 8);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert_lt(bench_adopt(&bench, 0, good, bad[i][0], bad[i][1],
					 bad[i][2]),
			     0, "%s %s", bad[i][0], bad[i][1]);
		cr_assert_eq(session_arm(bench.session), bench.arm[0]);
	}
	bench_put(&bench, 1, 0, 8);
	cr_assert_eq(bench_adopt(&bench, 2, good, "", "chain = v", ""), 0,
		     "another of the same type is taken");
	bench_put(&bench, 200 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench_of(&bench, 1)->due, 100 * MS + 1);
	cr_assert_eq(bench_of(&bench, 2)->due, 201 * MS);
	bench_close(&bench);
}

/* A chain that is given, of conditions with plain numbers. */
#define CHAINED                                                                \
	"[arm]\nseed = %d\n" LINK "[uplink a]\nport = 5002\n"                  \
	"on_change = %s\nchain = %s\n"                                         \
	"[condition slow]\ntype = delay\ndelay = 100ms\n"                      \
	"[condition fast]\ntype = delay\ndelay = 20ms\n"                       \
	"[condition less]\ntype = loss\nprobability = 50%%\n"                  \
	"[condition wild]\ntype = jitter\nbase = 30ms\n"                       \
	"jitter = 30ms\n"                                                      \
	"[condition link]\ntype = token-bucket\nrate = 100kbit\n"              \
	"packet_size = 1000bit\n"

Test(adopt, another_chain_takes_over_and_what_waits_keeps_its_fate)
{
	struct bench bench;

	bench_open(&bench, CHAINED, 1, "overtake", "slow");
	bench_put(&bench, 0, 0, 8);
	cr_assert_eq(bench_adopt(&bench, 10 * MS, CHAINED, 1, "overtake",
				 "fast, link"),
		     0);
	bench_put(&bench, 10 * MS, 0, 8);
	bench_put(&bench, 10 * MS, 0, 8);
	cr_assert_eq(session_load(bench.session, 0).packets, 3);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench_of(&bench, 0)->due, 100 * MS);
	cr_assert_eq(bench_of(&bench, 1)->due, 40 * MS);
	cr_assert_eq(bench_of(&bench, 2)->due, 50 * MS, "one link for both");
	cr_assert_eq(bench.out[0].mark, 1, "it may overtake");
	bench_close(&bench);
}

Test(adopt, another_chain_that_keeps_order_lets_nobody_overtake)
{
	struct bench bench;

	bench_open(&bench, CHAINED, 1, "keep-order", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 10 * MS, CHAINED, 1, "keep-order", "");
	bench_put(&bench, 10 * MS, 0, 8);
	bench_adopt(&bench, 20 * MS, CHAINED, 1, "keep-order", "fast, fast");
	bench_put(&bench, 20 * MS, 0, 8);
	bench_put(&bench, 70 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	for (uint64_t i = 0; i < 4; i++)
		cr_assert_eq(bench.out[i].mark, i);
	cr_assert_eq(bench_of(&bench, 1)->due, 100 * MS, "held behind it");
	cr_assert_eq(bench_of(&bench, 2)->due, 100 * MS, "and so is this one");
	cr_assert_eq(bench_of(&bench, 3)->due, 110 * MS, "free again");
	bench_close(&bench);
}

Test(adopt, an_empty_chain_between_lets_nobody_overtake)
{
	struct bench bench;

	bench_open(&bench, CHAINED, 1, "keep-order", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 10 * MS, CHAINED, 1, "keep-order", "fast");
	bench_adopt(&bench, 20 * MS, CHAINED, 1, "keep-order", "");
	bench_put(&bench, 30 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[0].mark, 0);
	cr_assert_eq(bench_of(&bench, 1)->due, 100 * MS, "held behind it");
	bench_close(&bench);
}

Test(adopt, a_chain_that_has_emptied_hides_none_that_has_not)
{
	struct bench bench;

	bench_open(&bench, CHAINED, 1, "overtake", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 10 * MS, CHAINED, 1, "overtake", "fast, fast");
	bench_put(&bench, 10 * MS, 0, 8);
	bench_adopt(&bench, 15 * MS, CHAINED, 1, "keep-order", "");
	bench_put(&bench, 20 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench_of(&bench, 1)->due, 50 * MS, "it may overtake");
	cr_assert_eq(bench_of(&bench, 2)->due, 100 * MS, "held behind both");
	cr_assert_eq(bench.out[1].mark, 0);
	bench_close(&bench);
}

Test(adopt, another_chain_begins_as_new_and_so_does_another_seed)
{
	struct bench anew, from;

	bench_open(&from, CHAINED, 7, "overtake", "wild");
	bench_open(&anew, CHAINED, 1, "overtake", "wild");
	for (int i = 0; i < 10; i++)
		bench_put(&anew, 0, 0, 8);
	cr_assert_eq(bench_adopt(&anew, 0, CHAINED, 7, "overtake", "wild"), 0);
	cr_assert_eq(session_seed(anew.session), 7);
	for (uint64_t i = 0; i < 50; i++) {
		bench_put(&anew, 0, 0, 8);
		bench_put(&from, 0, 0, 8);
	}
	bench_take(&anew, NSEC_NEVER);
	bench_take(&from, NSEC_NEVER);
	for (uint64_t i = 0; i < 50; i++)
		cr_assert_eq(bench_of(&anew, i + 10)->due,
			     bench_of(&from, i)->due);
	bench_close(&anew);
	bench_close(&from);
}

/* One random life of a session: taken at every step, or all at its end. */
static void live(struct bench *bench, uint64_t seed, bool at_once)
{
	static const char *const chains[] = { "",	    "slow",
					      "wild",	    "less, wild",
					      "link, fast", "wild, link" };
	static const char *const orders[] = { "keep-order", "overtake" };
	struct rng rng;
	nsec now = 0;

	seed_key(&rng, seed);
	bench_open(bench, CHAINED, 1, "keep-order", "wild");
	for (int i = 0; i < 300; i++) {
		const char *chain = chains[bench_random(&rng, 5)];
		const char *order = orders[bench_random(&rng, 1)];
		int of = 1 + (int)(bench_random(&rng, 1));

		now += (nsec)(bench_random(&rng, 11)) * MS;
		if (bench_random(&rng, 39) == 0)
			(void)bench_adopt(bench, now, CHAINED, of, order,
					  chain);
		bench_put(bench, now, 0, 8);
		if (at_once)
			bench_take(bench, now);
	}
	bench_take(bench, NSEC_NEVER);
}

Test(adopt, changes_of_chains_do_not_depend_on_when_packets_are_taken)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct bench often, once;

		live(&often, seed, true);
		live(&once, seed, false);
		cr_assert_eq(often.n, 300);
		for (uint64_t i = 0; i < 300; i++) {
			cr_assert_eq(bench_of(&often, i)->due,
				     bench_of(&once, i)->due, "%zu of %zu",
				     (size_t)i, (size_t)seed);
			cr_assert_eq(bench_of(&often, i)->fate,
				     bench_of(&once, i)->fate);
		}
		bench_close(&often);
		bench_close(&once);
	}
}

Test(adopt, nothing_is_held_behind_what_was_flushed)
{
	struct bench bench;

	bench_open(&bench, LINK DELAYED, "keep-order", 1000);
	bench_put(&bench, 0, 0, 8);
	session_flush(bench.session, 0, "shutdown");
	bench_take(&bench, 0);
	for (nsec i = 1; i < 20; i++) {
		bench_adopt(&bench, i * MS, LINK DELAYED, "keep-order", 20);
		bench_put(&bench, i * MS, 0, 8);
	}
	bench_take(&bench, NSEC_NEVER);
	for (uint64_t i = 1; i < 20; i++)
		cr_assert_eq(bench_of(&bench, i)->due, ((nsec)i + 20) * MS);
	bench_close(&bench);
}

Test(adopt, too_many_changes_at_a_time_are_refused_until_some_have_left)
{
	struct bench bench;
	int taken = 0;

	bench_open(&bench, LINK DELAYED, "keep-order", 1000);
	for (int i = 0; i < 20; i++) {
		bench_put(&bench, i * MS, 0, 8);
		taken += bench_adopt(&bench, i * MS, LINK DELAYED, "keep-order",
				     1000 + i) == 0;
	}
	cr_assert(taken >= 4 && taken < 20, "%d", taken);
	bench_take(&bench, 3000 * MS);
	cr_assert_eq(bench.n, 20);
	for (size_t i = 0; i < 20; i++)
		cr_assert_eq(bench.out[i].mark, i);
	for (int i = 0; i < 20; i++)
		cr_assert_eq(bench_adopt(&bench, 3000 * MS, LINK DELAYED,
					 "keep-order", i),
			     0, "with nothing inside any number is");
	bench_close(&bench);
}

Test(adopt, a_refused_change_leaves_the_channels_that_could_as_they_are)
{
	static const char text[] =
		LINK "[uplink a]\nport = 5001\nchain = %s\n"
		     "[uplink b]\nport = 5002\nchain = w\n"
		     "[condition w]\ntype = delay\ndelay = %dms\n";
	struct bench bench;
	int taken = 0;

	bench_open(&bench, text, "w", 1000);
	/* each change is one of b, in which something waits */
	while (bench_put(&bench, taken * MS, 1, 8),
	       bench_adopt(&bench, taken * MS, text, "w", 1001 + taken) == 0)
		taken++;
	cr_assert_lt(bench_adopt(&bench, taken * MS, text, "", 1), 0);
	bench_put(&bench, taken * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench_of(&bench, bench.in - 1)->due,
		     (taken + 1000 + taken) * MS, "by the last one taken");
	bench_close(&bench);
}

Test(adopt, other_limits_and_another_tick_govern_what_enters_later)
{
	static const char text[] =
		"[arm]\ntick = %s\n" LINK "[uplink a]\nport = 5002\n"
		"chain = w\nlimit_packets = %d\nlimit_bytes = %dB\n"
		"[condition w]\ntype = delay\ndelay = 25ms\n";
	static const struct {
		const char *tick;
		int packets, bytes;
		size_t dropped;
		nsec due;
	} cases[] = {
		{ "0ms", 100, 1000, 0, 35 * MS },
		/* without the one that waits already */
		{ "0ms", 2, 1000, 1, 35 * MS },
		/* of 36 bytes each */
		{ "0ms", 100, 72, 1, 35 * MS },
		{ "20ms", 100, 1000, 0, 40 * MS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench bench;

		bench_open(&bench, text, "0ms", 100, 1000);
		bench_put(&bench, 0, 0, 8);
		cr_assert_eq(bench_adopt(&bench, 10 * MS, text, cases[i].tick,
					 cases[i].packets, cases[i].bytes),
			     0);
		for (int n = 0; n < 3; n++)
			bench_put(&bench, 10 * MS, 0, 8);
		bench_take(&bench, NSEC_NEVER);
		cr_assert_eq(bench_count(&bench, FATE_DROPPED, "limit"),
			     cases[i].dropped, "%zu", i);
		cr_assert_eq(bench_of(&bench, 0)->due, 25 * MS);
		cr_assert_eq(bench_of(&bench, 1)->due, cases[i].due, "%zu", i);
		bench_close(&bench);
	}
}

Test(adopt, a_reset_after_a_change_begins_with_the_new_settings)
{
	struct bench bench;

	bench_open(&bench, LINK DELAYED, "keep-order", 100);
	bench_put(&bench, 900 * MS, 0, 8);
	bench_adopt(&bench, 900 * MS, LINK DELAYED, "keep-order", 20);
	bench_reset(&bench, "2");
	bench_put(&bench, 0, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[0].due, 20 * MS, "not held behind the old");
	bench_close(&bench);
}

Test(adopt, a_reset_takes_what_is_held_behind_a_former_chain)
{
	struct bench bench;

	bench_open(&bench, CHAINED, 1, "keep-order", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 10 * MS, CHAINED, 1, "keep-order", "fast, link");
	bench_put(&bench, 20 * MS, 0, 8);
	bench_take(&bench, 60 * MS);
	cr_assert_eq(bench.n, 0, "due at 50 ms, but held");
	session_flush(bench.session, 0, "reset");
	bench_take(&bench, 60 * MS);
	cr_assert_eq(bench_count(&bench, FATE_DROPPED, "reset"), 2);
	cr_assert_eq(bench_of(&bench, 1)->due, NSEC_NEVER);
	bench_close(&bench);
}

/* Released packets, some of them changed, taken at every step or once. */
static void leave(struct bench *bench, bool at_once)
{
	static const char text[] =
		"[arm]\nseed = %d\n" LINK "[uplink a]\nport = 5002\n"
		"chain = w\ncorrupt = %d%%\n"
		"[condition w]\ntype = delay\ndelay = 40ms\n";

	bench_open(bench, text, 1, 0);
	for (int i = 0; i < 400; i++) {
		if (i % 50 == 49)
			cr_assert_eq(bench_adopt(bench, i * MS, text,
						 1 + i / 200, i / 8),
				     0);
		bench_put(bench, i * MS, 0, 8);
		if (at_once)
			bench_take(bench, i * MS);
	}
	bench_take(bench, NSEC_NEVER);
}

Test(adopt, what_waits_leaves_by_the_settings_that_it_entered_under)
{
	struct bench often, once;

	leave(&often, true);
	leave(&once, false);
	cr_assert_gt(bench_count(&often, FATE_RELEASED, "corrupt"), 20);
	cr_assert_eq(often.n, once.n);
	for (size_t i = 0; i < often.n; i++) {
		cr_assert_eq(often.out[i].mark, once.out[i].mark);
		cr_assert_str_eq(often.out[i].by, once.out[i].by);
	}
	bench_close(&often);
	bench_close(&once);
}
