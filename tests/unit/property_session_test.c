/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * property_session_test.c - what holds of a session for every seed
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/seed.h"
#include "tests/unit/bench.h"

#define SEEDS	BENCH_SEEDS
#define PACKETS 150

/* Two channels with one chain, and one with another. */
#define ARM                                                                    \
	"[arm]\nseed = %d\ntrials = %s\n[link]\nrobot = 10.0.0.2\n"            \
	"[uplink a]\nport = 1\nchain = j, l, b\nlimit_packets = 40\n"          \
	"[uplink b]\nport = 2\nchain = j, l, b\n" BENCH_ROOM                   \
	"[downlink c]\nport = 3\nchain = m\n" BENCH_ROOM                       \
	"[condition j]\ntype = jitter\nbase = 50ms\njitter = 40ms\n"           \
	"[condition l]\ntype = loss\nprobability = 10%%\n"                     \
	"correlation = 30%%\n"                                                 \
	"[condition b]\ntype = token-bucket\nrate = 300kbit\n"                 \
	"max_wait = 60ms\nburst = 3000bit\n"                                   \
	"[condition m]\ntype = monotonic-jitter\nbase = 20ms\n"                \
	"jitter = 30ms\n"

/* The same ingress for the same @seed; packets of channel @except left out. */
static void feed(struct bench *bench, uint64_t seed, int except)
{
	struct rng rng;
	nsec now = 0;

	seed_key(&rng, seed);
	for (size_t i = 0; i < PACKETS; i++) {
		uint16_t channel = (uint16_t)bench_random(&rng, 2);
		uint32_t bytes = 8 + (uint32_t)bench_random(&rng, 400);

		now += bench_random(&rng, 8 * MS);
		if (channel != except)
			bench_put(bench, now, channel, bytes);
	}
	bench_take(bench, NSEC_NEVER);
}

Test(property_session, the_same_seed_gives_the_same_fates)
{
	for (int seed = 0; seed < SEEDS; seed++) {
		struct bench one, two;

		bench_open(&one, ARM, seed, "same");
		bench_open(&two, ARM, seed, "same");
		feed(&one, (uint64_t)seed, -1);
		feed(&two, (uint64_t)seed, -1);
		bench_same(&one, &two);
		bench_close(&one);
		bench_close(&two);
	}
}

static bool differ(const struct bench *a, const struct bench *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (a->out[i].mark != b->out[i].mark ||
		    a->out[i].due != b->out[i].due)
			return true;
	return a->n != b->n;
}

Test(property_session, another_seed_gives_other_fates)
{
	for (int seed = 0; seed < SEEDS; seed++) {
		struct bench one, two;

		bench_open(&one, ARM, seed, "same");
		bench_open(&two, ARM, seed + 1, "same");
		feed(&one, 1, -1);
		feed(&two, 1, -1);
		cr_assert(differ(&one, &two));
		bench_close(&one);
		bench_close(&two);
	}
}

Test(property_session, two_trials_of_the_same_ingress_have_the_same_fates)
{
	for (int seed = 0; seed < SEEDS; seed++) {
		struct bench one, two;

		bench_open(&one, ARM, seed, "same");
		bench_open(&two, ARM, seed, "same");
		feed(&one, (uint64_t)seed, -1);
		/* a trial with other traffic, left with packets inside */
		for (int i = 0; i < 20 + seed % 50; i++)
			bench_put(&two, i * MS, (uint16_t)(i % 3), 50);
		bench_reset(&two, "2");
		feed(&two, (uint64_t)seed, -1);
		bench_same(&one, &two);
		bench_close(&one);
		bench_close(&two);
	}
}

Test(property_session, a_derived_trial_has_draws_of_its_own)
{
	struct bench one, two;

	bench_open(&one, ARM, 7, "derived");
	bench_open(&two, ARM, 7, "derived");
	feed(&one, 1, -1);
	feed(&two, 1, -1);
	bench_same(&one, &two);
	bench_reset(&two, "2");
	feed(&two, 1, -1);
	cr_assert(differ(&one, &two));
	cr_assert_neq(session_seed(one.session), session_seed(two.session));
	cr_assert_eq(session_seed(two.session), seed_trial(7, "2"));
	bench_reset(&two, "1");
	feed(&two, 1, -1);
	bench_same(&one, &two);
	bench_close(&one);
	bench_close(&two);
}

Test(property_session, a_channel_is_untouched_by_traffic_on_another)
{
	for (int seed = 0; seed < SEEDS; seed++) {
		struct bench all, some;
		int except = seed % 3;
		size_t k = 0;

		bench_open(&all, ARM, seed, "same");
		bench_open(&some, ARM, seed, "same");
		feed(&all, (uint64_t)seed, -1);
		feed(&some, (uint64_t)seed, except);
		for (size_t i = 0; i < all.n; i++) {
			const struct outcome *x = &all.out[i], *y;

			if (x->channel == except)
				continue;
			y = &some.out[k++];
			cr_assert(x->ingress == y->ingress &&
				  x->due == y->due && x->fate == y->fate &&
				  x->channel == y->channel &&
				  x->bytes == y->bytes &&
				  !strcmp(x->by, y->by));
		}
		cr_assert_eq(k, some.n);
		bench_close(&all);
		bench_close(&some);
	}
}

Test(property_session, equal_chains_of_two_channels_draw_apart)
{
	struct bench bench;
	size_t equal = 0;

	bench_open(&bench, ARM, 1, "same");
	for (nsec i = 0; i < 40; i++) {
		bench_put(&bench, i * NSEC_PER_S, 0, 100);
		bench_put(&bench, i * NSEC_PER_S, 1, 100);
	}
	bench_take(&bench, NSEC_NEVER);
	for (size_t i = 0; i < 40; i++)
		equal += bench_of(&bench, 2 * i)->due ==
				 bench_of(&bench, 2 * i + 1)->due &&
			 bench_of(&bench, 2 * i)->fate == FATE_RELEASED;
	cr_assert_eq(equal, 0);
	bench_close(&bench);
}

/* A chain of stages whose delays the arm says; @two: of two stages. */
#define CHANGING                                                               \
	"[link]\nrobot = 10.0.0.2\n"                                           \
	"[uplink a]\nport = 1\nchain = %s\non_change = %s\n" BENCH_ROOM        \
	"[condition x]\ntype = delay\ndelay = %dms\n"                          \
	"[condition y]\ntype = delay\ndelay = %dms\n"                          \
	"[condition z]\ntype = delay\ndelay = %dms\n"

/* Two stages that reorder. */
#define JITTERY                                                                \
	"[arm]\nseed = %d\n[link]\nrobot = 10.0.0.2\n"                         \
	"[uplink a]\nport = 1\nchain = x, y\n" BENCH_ROOM                      \
	"[condition x]\ntype = jitter\nbase = %dms\njitter = 50ms\n"           \
	"[condition y]\ntype = jitter\nbase = %dms\njitter = 50ms\n"

static const char *const chains[] = { "x", "x, y", "x, y, z" };

/* Packets and changes at random times; what came out where. */
static void change_at_random(struct bench *bench, uint64_t seed,
			     const char *on_change)
{
	const char *chain = chains[seed % 3];
	struct rng rng;
	nsec now = 0;

	seed_key(&rng, seed);
	bench_open(bench, CHANGING, chain, on_change, 100, 100, 100);
	for (size_t i = 0; i < PACKETS; i++) {
		now += bench_random(&rng, 10 * MS);
		/* now and then twice, with nothing in between */
		while (bench_random(&rng, 9) == 0 && bench->n_arms < BENCH_ARMS)
			bench_adopt(bench, now, CHANGING, chain, on_change,
				    (int)bench_random(&rng, 200),
				    (int)bench_random(&rng, 200),
				    (int)bench_random(&rng, 200));
		if (bench_random(&rng, 2) == 0)
			bench_take(bench, now);
		bench_put(bench, now, 0, 8);
	}
	bench_take(bench, NSEC_NEVER);
}

Test(property_session, keep_order_lets_nobody_overtake_over_a_change)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench bench;

		change_at_random(&bench, seed, "keep-order");
		cr_assert_gt(bench.n_arms, 1);
		cr_assert_eq(bench_count(&bench, FATE_RELEASED, NULL), PACKETS);
		for (size_t i = 0; i < PACKETS; i++)
			cr_assert_eq(bench.out[i].mark, i, "seed %d",
				     (int)seed);
		bench_close(&bench);
	}
}

Test(property_session, keep_order_holds_between_changes_of_jitter)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		size_t version[PACKETS], newest = 0;
		struct bench bench;
		struct rng rng;
		nsec now = 0;

		seed_key(&rng, seed);
		bench_open(&bench, JITTERY, (int)seed, 100, 100);
		for (size_t i = 0; i < PACKETS; i++) {
			now += bench_random(&rng, 10 * MS);
			if (i % 20 == 19)
				bench_adopt(&bench, now, JITTERY, (int)seed,
					    (int)bench_random(&rng, 200),
					    (int)bench_random(&rng, 200));
			version[i] = bench.n_arms;
			bench_put(&bench, now, 0, 8);
		}
		bench_take(&bench, NSEC_NEVER);
		for (size_t i = 0; i < PACKETS; i++) {
			size_t of = version[bench.out[i].mark];

			cr_assert_geq(of, newest, "seed %d", (int)seed);
			newest = of;
		}
		bench_close(&bench);
	}
}

Test(property_session, overtake_lets_some_overtake)
{
	size_t overtaken = 0;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench bench;

		change_at_random(&bench, seed, "overtake");
		cr_assert_eq(bench_count(&bench, FATE_RELEASED, NULL), PACKETS);
		for (size_t i = 1; i < PACKETS; i++)
			overtaken += bench.out[i].mark < bench.out[i - 1].mark;
		bench_close(&bench);
	}
	cr_assert_gt(overtaken, SEEDS);
}

Test(property_session, what_is_queued_keeps_its_fate_over_a_change)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		const char *chain = chains[seed % 3];
		struct bench with, without;
		int d = (int)(seed * 37 % 200);
		nsec change = (nsec)(seed * 13 % 300) * MS;

		bench_open(&with, CHANGING, chain, "keep-order", 90, 80, 70);
		bench_open(&without, CHANGING, chain, "keep-order", 90, 80, 70);
		for (nsec at = 0; at <= change; at += 7 * MS) {
			bench_put(&with, at, 0, 8);
			bench_put(&without, at, 0, 8);
		}
		cr_assert_eq(bench_adopt(&with, change, CHANGING, chain,
					 "keep-order", d, d, d),
			     0);
		bench_take(&with, NSEC_NEVER);
		bench_take(&without, NSEC_NEVER);
		bench_same(&with, &without);
		bench_close(&with);
		bench_close(&without);
	}
}

Test(property_session, the_wake_ups_do_not_move_a_change)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		const char *chain = chains[seed % 3];
		struct bench still, awake;
		struct rng rng;
		nsec now = 0;

		seed_key(&rng, seed);
		bench_open(&still, CHANGING, chain, "keep-order", 90, 80, 70);
		bench_open(&awake, CHANGING, chain, "keep-order", 90, 80, 70);
		for (size_t i = 0; i < PACKETS; i++) {
			int x = (int)bench_random(&rng, 200);

			now += bench_random(&rng, 20 * MS);
			if (bench_random(&rng, 1))
				bench_take(&awake, now);
			if (i % 30 == 29) {
				bench_adopt(&still, now, CHANGING, chain,
					    "keep-order", x, 200 - x, x / 2);
				bench_adopt(&awake, now, CHANGING, chain,
					    "keep-order", x, 200 - x, x / 2);
			}
			bench_put(&still, now, 0, 8);
			bench_put(&awake, now, 0, 8);
		}
		bench_take(&still, NSEC_NEVER);
		bench_take(&awake, NSEC_NEVER);
		bench_same(&still, &awake);
		bench_close(&still);
		bench_close(&awake);
	}
}
