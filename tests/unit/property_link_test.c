/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * property_link_test.c - what holds of the token bucket and of kept order
 *
 * Floor: tests.
 *
 * The rate is checked in whole numbers over every window: of any two releases
 * at times s and t, what left after the first up to the second is at most
 * burst + rate * (t - s + 1 ns); the 1 ns is the rounding up of each release.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/seed.h"
#include "tests/unit/bench.h"

#define SEEDS	BENCH_SEEDS
#define PACKETS 200

__extension__ typedef __int128 wide;

struct link_case {
	int64_t rate, burst, overhead;
	int max_wait_ms;
	const char *measure, *initial;
	int64_t header;
};

static const int64_t rates[] = { 1000,	 9600,	  50000,      64001,
				 333333, 7654321, 1000000007, 100000000000 };
static const char *const measures[] = { "payload", "ip", "ethernet" };
static const int64_t headers[] = { 0, 28, 42 };

static void make(struct link_case *link, struct rng *rng)
{
	size_t measure = (size_t)bench_random(rng, 2);

	*link = (struct link_case){
		.rate = rates[bench_random(rng, 7)],
		.burst = bench_random(rng, 1) ? 0 : bench_random(rng, 30000),
		.overhead = bench_random(rng, 1) ? 0 : bench_random(rng, 200),
		.max_wait_ms = (int)bench_random(rng, 3000),
		.measure = measures[measure],
		.initial = bench_random(rng, 1) ? "full" : "empty",
		.header = headers[measure],
	};
}

static void open_link(struct bench *bench, const struct link_case *link,
		      const char *before)
{
	bench_open(bench,
		   "[link]\nrobot = 10.0.0.2\n"
		   "[uplink a]\nport = 1\nchain = %sb\n" BENCH_ROOM
		   "[condition b]\ntype = token-bucket\nrate = %ldbit\n"
		   "burst = %ldbit\noverhead = %ldbit\nmax_wait = %dms\n"
		   "measure = %s\ninitial = %s\n"
		   "[condition j]\ntype = jitter\nbase = 30ms\n"
		   "jitter = 30ms\n",
		   before, (long)link->rate, (long)link->burst,
		   (long)link->overhead, link->max_wait_ms, link->measure,
		   link->initial);
}

static int64_t bits_of(const struct link_case *link, const struct outcome *out)
{
	return (out->bytes + link->header) * 8 + link->overhead;
}

/* Bursts and pauses around the time that a packet takes. */
static void feed(struct bench *bench, const struct link_case *link,
		 struct rng *rng)
{
	nsec one = 2000 * NSEC_PER_S / link->rate, now = 0;

	for (size_t i = 0; i < PACKETS; i++) {
		if (bench_random(rng, 2))
			now += bench_random(rng, 2 * one);
		if (bench_random(rng, 20) == 0)
			now += bench_random(rng, 50 * one);
		bench_put(bench, now, 0,
			  MARK_BYTES + (uint32_t)bench_random(rng, 480));
	}
	bench_take(bench, NSEC_NEVER);
}

/* All pairs of releases, in the order in which they left. */
static void check_rate(const struct bench *bench, const struct link_case *link)
{
	for (size_t i = 0; i < bench->n; i++) {
		const struct outcome *first = &bench->out[i];
		int64_t bits = 0;

		if (first->fate != FATE_RELEASED)
			continue;
		for (size_t k = i + 1; k < bench->n; k++) {
			const struct outcome *last = &bench->out[k];
			wide most;

			if (last->fate != FATE_RELEASED)
				continue;
			bits += bits_of(link, last);
			most = last->due - first->due + 1;
			most *= link->rate;
			most += (wide)link->burst * NSEC_PER_S;
			cr_assert(most >= (wide)bits * NSEC_PER_S);
		}
	}
}

Test(property_link, the_rate_is_exceeded_over_no_window)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct link_case link;
		struct bench bench;
		struct rng rng;

		seed_key(&rng, seed);
		make(&link, &rng);
		open_link(&bench, &link, "");
		feed(&bench, &link, &rng);
		check_rate(&bench, &link);
		bench_close(&bench);
	}
}

Test(property_link, the_rate_holds_behind_jitter_too)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct link_case link;
		struct bench bench;
		struct rng rng;

		seed_key(&rng, seed);
		make(&link, &rng);
		link.rate = rates[seed % 4];
		open_link(&bench, &link, "j, ");
		feed(&bench, &link, &rng);
		check_rate(&bench, &link);
		bench_close(&bench);
	}
}

/* The rule of the link once more, with fractions kept as whole numbers. */
static void check_rule(const struct bench *bench, const struct link_case *link)
{
	wide rate = link->rate, free, now, leave;
	wide credit = (wide)link->burst * NSEC_PER_S;

	/* all in 1/rate of a nanosecond */
	free = link->initial[0] == 'e' ? credit : 0;
	for (size_t i = 0; i < PACKETS; i++) {
		const struct outcome *out = bench_of(bench, i);

		now = out->ingress * rate;
		if (free - credit - now > link->max_wait_ms * MS * rate) {
			cr_assert_eq(out->fate, FATE_SUPPRESSED);
			continue;
		}
		free = (now > free ? now : free) +
		       (wide)bits_of(link, out) * NSEC_PER_S;
		leave = free - credit > now ? free - credit : now;
		cr_assert_eq(out->fate, FATE_RELEASED);
		cr_assert_eq(out->due, (nsec)((leave + rate - 1) / rate));
	}
}

Test(property_link, each_packet_follows_the_rule_exactly)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct link_case link;
		struct bench bench;
		struct rng rng;

		seed_key(&rng, seed);
		make(&link, &rng);
		open_link(&bench, &link, "");
		feed(&bench, &link, &rng);
		check_rule(&bench, &link);
		bench_close(&bench);
	}
}

Test(property_link, the_long_run_rate_is_exact)
{
	struct bench bench;

	/* 7 bits never fit a nanosecond at this rate */
	bench_open(&bench, "[link]\nrobot = 10.0.0.2\n"
			   "[uplink a]\nport = 1\nchain = b\n"
			   "[condition b]\ntype = token-bucket\n"
			   "rate = 999999937bit\npacket_size = 7bit\n"
			   "max_wait = 1s\n");
	bench_feed(&bench, 50000, 0, 0, 8);
	for (size_t i = 0; i < bench.n; i++) {
		int64_t bits = 7 * (int64_t)(i + 1);

		cr_assert_eq(bench.out[i].due,
			     (bits * NSEC_PER_S + 999999936) / 999999937);
	}
	bench_close(&bench);
}

Test(property_link, a_wait_a_third_of_a_nanosecond_too_long_is_too_long)
{
	/* a bit takes 333 333 333 and a third of a nanosecond */
	for (int more = 0; more < 2; more++) {
		struct bench bench;

		bench_open(&bench,
			   "[link]\nrobot = 10.0.0.2\n"
			   "[uplink a]\nport = 1\nchain = b\n"
			   "[condition b]\ntype = token-bucket\n"
			   "rate = 3bit\npacket_size = 1bit\n"
			   "max_wait = %dns\n",
			   333333333 + more);
		bench_put(&bench, 0, 0, 8);
		bench_put(&bench, 0, 0, 8);
		bench_take(&bench, NSEC_NEVER);
		cr_assert_eq(bench_of(&bench, 0)->due, 333333334);
		cr_assert_eq(bench_of(&bench, 1)->fate,
			     more ? FATE_RELEASED : FATE_SUPPRESSED);
		bench_close(&bench);
	}
}

Test(property_link, a_burst_passes_after_idleness_and_not_twice)
{
	struct bench bench;

	/* 1000 bits a packet, ten of them allowed at once */
	bench_open(&bench, "[link]\nrobot = 10.0.0.2\n"
			   "[uplink a]\nport = 1\nchain = b\n"
			   "[condition b]\ntype = token-bucket\n"
			   "rate = 1Mbit\npacket_size = 1000bit\n"
			   "burst = 10kbit\nmax_wait = 1s\n");
	for (int round = 0; round < 2; round++) {
		nsec at = round * NSEC_PER_S;

		for (nsec i = 0; i < 20; i++)
			bench_put(&bench, at, 0, 8);
		bench_take(&bench, NSEC_NEVER);
		for (size_t i = 0; i < 20; i++) {
			nsec due = i < 10 ? 0 : (nsec)(i - 9) * MS;

			cr_assert_eq(bench.out[20 * (size_t)round + i].due,
				     at + due);
		}
	}
	bench_close(&bench);
}

Test(property_link, monotonic_jitter_keeps_the_order_of_arrival)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench bench;
		struct rng rng;
		nsec now = 0;

		seed_key(&rng, seed);
		bench_open(&bench,
			   "[arm]\nseed = %d\ntick = %dms\n"
			   "[link]\nrobot = 10.0.0.2\n"
			   "[uplink a]\nport = 1\nchain = m, m\n" BENCH_ROOM
			   "[condition m]\ntype = monotonic-jitter\n"
			   "base = %dms\njitter = 100ms\n",
			   (int)seed, (int)(seed % 3) * 10, (int)(seed % 120));
		for (size_t i = 0; i < PACKETS; i++) {
			now += bench_random(&rng, 5 * MS);
			bench_put(&bench, now, 0, 8);
			if (bench_random(&rng, 1))
				bench_take(&bench, now);
		}
		bench_take(&bench, NSEC_NEVER);
		for (size_t i = 0; i < PACKETS; i++)
			cr_assert_eq(bench.out[i].mark, i);
		bench_close(&bench);
	}
}
