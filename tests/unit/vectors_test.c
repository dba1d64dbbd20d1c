/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vectors_test.c - what the seed system does, number by number
 *
 * Floor: tests.
 *
 * Expected numbers come from the seed system's documents and from its
 * algorithms worked out by hand in whole nanoseconds.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "core/seed.h"
#include "tests/unit/bench.h"

#define COMMAND                                                                \
	"[link]\nrobot = 10.0.0.2\n"                                           \
	"[uplink command]\nport = 5002\nchain = c\n"

#define JITTER_AS(type)                                                        \
	COMMAND "[condition c]\ntype = " type "\nbase = 200ms\n"               \
		"jitter = 60ms\nseed = 20260817\ngenerator = dotnet\n"

#define LINK_50K                                                               \
	COMMAND "[condition c]\ntype = token-bucket\nrate = 50kbit\n"          \
		"max_wait = 200ms\n"

/* Delays of 200 ms and 60 ms of jitter, seed 20260817, in 10^-6 ms. */
static const nsec jitter_delay[16] = {
	189583615, 227925265, 203394408, 225763592, 158903665, 151613822,
	219378896, 178323829, 188537951, 233789950, 223621034, 256442761,
	227904706, 172791315, 243045372, 214741385,
};

Test(vectors, the_legacy_generator_gives_the_published_numbers)
{
	static const int32_t of_42[] = { 1434747710, 302596119, 269548474,
					 1122627734, 361709742 };
	static const int32_t of_date[] = { 887333361,  1573483908, 1134487113,
					   1534799266, 338294270,  207837442,
					   1420540670, 685831627 };
	struct rng rng;
	double first;

	seed_legacy(&rng, 42);
	for (size_t i = 0; i < 5; i++)
		cr_assert_eq(rng_legacy_next(&rng), of_42[i]);
	seed_legacy(&rng, 20260817);
	for (size_t i = 0; i < 8; i++)
		cr_assert_eq(rng_legacy_next(&rng), of_date[i]);
	seed_legacy(&rng, 0);
	cr_assert_eq(rng_legacy_next(&rng), 1559595546);
	seed_legacy(&rng, 0);
	first = rng_uniform(&rng);
	cr_assert_float_eq(first, 0.7262432699679598, 1e-16);
}

Test(vectors, jitter_replays_the_delays_of_a_unity_study)
{
	struct bench bench;

	bench_open(&bench, JITTER_AS("jitter"));
	for (int trial = 0; trial < 2; trial++) {
		bench_feed(&bench, 16, 20 * MS, 0, 100);
		for (size_t i = 0; i < 16; i++) {
			const struct outcome *out = bench_of(&bench, i);

			cr_assert_eq(out->due - out->ingress, jitter_delay[i],
				     "%zu: %ld", i,
				     (long)(out->due - out->ingress));
		}
		bench_reset(&bench, "2");
	}
	bench_close(&bench);
}

Test(vectors, jitter_reorders_as_the_draws_say)
{
	static const uint64_t order[16] = { 0, 4, 2,  1,  5,  3,  7,  6,
					    8, 9, 10, 13, 12, 11, 15, 14 };
	struct bench bench;

	bench_open(&bench, JITTER_AS("jitter"));
	bench_feed(&bench, 16, 20 * MS, 0, 100);
	for (size_t i = 0; i < 16; i++)
		cr_assert_eq(bench.out[i].mark, order[i]);
	bench_close(&bench);
}

Test(vectors, with_more_packets_16_slips_in_between_13_and_12)
{
	struct bench bench;
	size_t at = 0;

	bench_open(&bench, JITTER_AS("jitter"));
	bench_feed(&bench, 40, 20 * MS, 0, 100);
	while (bench.out[at].mark != 13)
		at++;
	cr_assert_eq(bench.out[at + 1].mark, 16);
	cr_assert_eq(bench.out[at + 1].due, 466819070);
	cr_assert_eq(bench.out[at + 2].mark, 12);
	bench_close(&bench);
}

Test(vectors, the_tick_at_260_ms_carries_2_1_5)
{
	static const int tick_of[16] = {
		200, 260, 260, 300, 240, 260, 340, 320,
		360, 420, 440, 480, 480, 440, 540, 520
	};
	static const uint64_t at_260[] = { 2, 1, 5 }, at_440[] = { 10, 13 };
	struct bench bench;
	size_t n = 0, m = 0;

	bench_open(&bench, "[arm]\ntick = 20ms\n" JITTER_AS("jitter"));
	bench_feed(&bench, 16, 20 * MS, 0, 100);
	for (size_t i = 0; i < 16; i++) {
		const struct outcome *out = &bench.out[i];

		cr_assert_eq(out->due, tick_of[out->mark] * MS);
		if (out->due == 260 * MS)
			cr_assert_eq(out->mark, at_260[n++]);
		if (out->due == 440 * MS)
			cr_assert_eq(out->mark, at_440[m++]);
	}
	cr_assert(n == 3 && m == 2);
	bench_close(&bench);
}

Test(vectors, monotonic_jitter_holds_each_behind_the_one_before)
{
	static const size_t from[16] = { 0, 1, 1,  3,  3,  3,  6,  6,
					 8, 9, 10, 11, 11, 11, 14, 14 };
	struct bench bench;

	bench_open(&bench, JITTER_AS("monotonic-jitter"));
	for (int trial = 0; trial < 2; trial++) {
		bench_feed(&bench, 16, 20 * MS, 0, 100);
		for (size_t i = 0; i < 16; i++) {
			nsec due =
				(nsec)from[i] * 20 * MS + jitter_delay[from[i]];

			cr_assert_eq(bench.out[i].mark, i);
			cr_assert_eq(bench.out[i].due, due);
		}
		bench_reset(&bench, "2");
	}
	bench_close(&bench);
}

Test(vectors, jitter_has_the_spread_it_is_asked_for)
{
	const double sigma = 60.0 / sqrt(3.0), n = 10000;
	double sum = 0, squares = 0;
	struct bench bench;

	bench_open(&bench, JITTER_AS("jitter"));
	bench_feed(&bench, 10000, 20 * MS, 0, 100);
	for (size_t i = 0; i < bench.n; i++) {
		double ms = (double)(bench.out[i].due - bench.out[i].ingress) /
			    (double)MS;

		cr_assert(ms >= 140.0 && ms <= 260.0);
		sum += ms;
		squares += (ms - 200.0) * (ms - 200.0);
	}
	/* four standard errors, of the mean and (kurtosis 9/5) the variance */
	cr_assert_float_eq(sum / n, 200.0, 4 * sigma / sqrt(n));
	cr_assert_float_eq(squares / n, sigma * sigma,
			   4 * sigma * sigma * sqrt(0.8 / n));
	bench_close(&bench);
}

/* What the 50 kbit/s link does with one packet of 2000 bits each 20 ms. */
static void check_alternation(const struct bench *bench)
{
	nsec sum = 0;
	size_t accepted = 0;

	for (size_t k = 0; k < 1000; k++) {
		const struct outcome *out = bench_of(bench, k);
		bool passes = k <= 10 || k % 2 == 0;
		nsec delay = k <= 10 ? 40 * MS + (nsec)k * 20 * MS : 240 * MS;

		cr_assert_eq(out->fate,
			     passes ? FATE_RELEASED : FATE_SUPPRESSED, "%zu",
			     k);
		if (!passes) {
			cr_assert_str_eq(out->by, "c");
			cr_assert_eq(out->due, NSEC_NEVER);
			continue;
		}
		cr_assert_eq(out->due - out->ingress, delay, "%zu", k);
		cr_assert_eq(out->due, 40 * MS * (nsec)++accepted);
		sum += delay;
	}
	cr_assert_eq(accepted, 505);
	cr_assert_float_eq((double)sum / 505 / (double)MS, 237.82, 0.005);
}

Test(vectors, a_50_kbit_link_alternates_exactly)
{
	struct bench bench;

	bench_open(&bench, LINK_50K "packet_size = 2000bit\n");
	for (int trial = 0; trial < 2; trial++) {
		bench_feed(&bench, 1000, 20 * MS, 0, 100);
		check_alternation(&bench);
		bench_reset(&bench, "2");
	}
	bench_close(&bench);
	/* the same of its real size: 250 bytes with the headers */
	bench_open(&bench, LINK_50K);
	bench_feed(&bench, 1000, 20 * MS, 0, 222);
	check_alternation(&bench);
	bench_close(&bench);
}

Test(vectors, a_burst_of_ten_meets_a_50_kbit_link)
{
	struct bench bench;

	bench_open(&bench, LINK_50K "packet_size = 2000bit\n");
	bench_feed(&bench, 10, 0, 0, 100);
	for (uint64_t i = 0; i < 10; i++) {
		const struct outcome *out = bench_of(&bench, i);

		if (i < 6)
			cr_assert_eq(out->due, 40 * MS * (nsec)(i + 1));
		else
			cr_assert_eq(out->fate, FATE_SUPPRESSED);
	}
	bench_reset(&bench, "2");
	bench_feed(&bench, 5, 0, 0, 100);
	for (uint64_t i = 0; i < 5; i++)
		cr_assert_eq(bench_of(&bench, i)->due, 40 * MS * (nsec)(i + 1));
	bench_close(&bench);
}

Test(vectors, a_declared_size_of_500_bits_never_waits)
{
	struct bench bench;

	bench_open(&bench, LINK_50K "packet_size = 500bit\n");
	bench_feed(&bench, 1000, 20 * MS, 0, 100);
	cr_assert_eq(bench_count(&bench, FATE_RELEASED, NULL), 1000);
	for (size_t i = 0; i < bench.n; i++)
		cr_assert_eq(bench.out[i].due - bench.out[i].ingress, 10 * MS);
	bench_close(&bench);
}

Test(vectors, two_channels_of_one_seed_do_not_share_draws)
{
	struct bench bench;

	bench_open(&bench, JITTER_AS("jitter") "[uplink other]\nport = 5003\n"
					       "chain = c\n");
	for (nsec i = 0; i < 16; i++) {
		bench_put(&bench, i * 20 * MS, 0, 100);
		for (nsec n = 0; n < i % 4; n++)
			bench_put(&bench, i * 20 * MS, 1, 100);
	}
	bench_take(&bench, NSEC_NEVER);
	for (size_t i = 0, n[2] = { 0, 0 }; i < bench.in && n[0] < 16; i++) {
		const struct outcome *out = bench_of(&bench, i);
		nsec delay = out->due - out->ingress;

		if (n[out->channel] < 16)
			cr_assert_eq(delay, jitter_delay[n[out->channel]++]);
	}
	bench_close(&bench);
}

/* A command at 0, answered by the robot as soon as it acts. */
static void check_split(nsec up, nsec down)
{
	struct bench bench;
	nsec acts;

	bench_open(&bench,
		   COMMAND "[downlink pose]\nport = 5007\nchain = d\n"
			   "[condition c]\ntype = delay\ndelay = %dms\n"
			   "[condition d]\ntype = delay\ndelay = %dms\n",
		   (int)(up / MS), (int)(down / MS));
	bench_put(&bench, 0, 0, 100);
	bench_take(&bench, NSEC_NEVER);
	acts = bench.out[0].due;
	cr_assert_eq(acts, up);
	bench_put(&bench, acts, 1, 100);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[1].due, 200 * MS, "the operator sees it");
	cr_assert_eq(bench.out[1].due - acts, down, "age of what is shown");
	bench_close(&bench);
}

Test(vectors, splits_of_one_total_act_at_different_times)
{
	check_split(200 * MS, 0);
	check_split(0, 200 * MS);
	check_split(100 * MS, 100 * MS);
}

Test(vectors, loss_never_and_always)
{
	static const struct {
		const char *share;
		size_t lost;
	} as[] = { { "0%", 0 }, { "100%", 1000 } };

	for (size_t i = 0; i < 2; i++) {
		struct bench bench;

		bench_open(&bench,
			   COMMAND "[condition c]\ntype = loss\n"
				   "probability = %s\n",
			   as[i].share);
		bench_feed(&bench, 1000, MS, 0, 100);
		cr_assert_eq(bench_count(&bench, FATE_SUPPRESSED, "c"),
			     as[i].lost);
		bench_close(&bench);
	}
}

/* Losses of 20 000, and how many follow on a loss. */
static size_t losses_of(const char *settings, size_t *after_loss)
{
	struct bench bench;
	bool before = false;
	size_t lost = 0;

	bench_open(&bench, COMMAND "[condition c]\ntype = loss\n%s", settings);
	bench_feed(&bench, 20000, MS, 0, 100);
	*after_loss = 0;
	for (size_t i = 0; i < bench.n; i++) {
		bool now = bench.out[i].fate == FATE_SUPPRESSED;

		lost += now;
		*after_loss += now && before;
		before = now;
	}
	bench_close(&bench);
	return lost;
}

Test(vectors, loss_keeps_its_rate_whatever_the_correlation)
{
	const double p = 0.1, n = 20000;

	for (int percent = 0; percent < 100; percent += 30) {
		double c = percent / 100.0, rate, chance, error;
		char settings[64];
		size_t after, lost;

		snprintf(settings, sizeof(settings),
			 "probability = 10%%\ncorrelation = %d%%\n", percent);
		lost = losses_of(settings, &after);
		rate = (double)lost / n;
		/* a chain of correlation c: (1 + c)/(1 - c) times the variance
		 */
		error = sqrt(p * (1 - p) / n * (1 + c) / (1 - c));
		cr_assert_float_eq(rate, p, 4 * error, "%g", rate);
		chance = p + c * (1 - p);
		error = sqrt(chance * (1 - chance) / (double)lost);
		cr_assert_float_eq((double)after / (double)lost, chance,
				   4 * error);
	}
}
