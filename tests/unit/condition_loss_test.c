/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_loss_test.c - loss, gilbert-elliott, markov-loss, periodic-loss
 *
 * Floor: tests.
 *
 * Bounds are five standard errors.  A chain of two states whose correlation is
 * c has (1 + c) / (1 - c) times the variance of independent packets.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/rig.h"

#define N	  400000
#define BURST_MAX 64

/* What was lost of N packets. */
struct losses {
	double n, bursts, after; /* lost; runs; lost after a lost one */
	double run[BURST_MAX];	 /* runs by length */
};

static struct losses lose(struct rig *rig)
{
	struct losses losses = { 0 };
	int run = 0;

	for (int i = 0; i < N; i++) {
		nsec delay = rig_turn(rig, i * MS);

		if (delay == DELAY_SUPPRESS) {
			losses.n++;
			losses.after += run > 0;
			run++;
			continue;
		}
		cr_assert_eq(delay, 0);
		if (!run)
			continue;
		losses.bursts++;
		losses.run[run < BURST_MAX ? run : BURST_MAX - 1]++;
		run = 0;
	}
	return losses;
}

static void rate_is(double lost, double p, double c, const char *what)
{
	double bound = 5.0 * sqrt(p * (1.0 - p) * (1.0 + c) / (1.0 - c) * N);

	cr_assert_float_eq(lost, p * N, bound + 1e-9, "%s: %g of %d", what,
			   lost, N);
}

Test(loss, keeps_its_rate_at_every_correlation)
{
	static const double ps[] = { 0, 0.003, 0.1, 0.5, 1 };
	static const double cs[] = { 0, 0.25, 0.5, 0.9, 0.99 };
	char text[96];

	for (size_t i = 0; i < 5; i++) {
		for (size_t j = 0; j < 5; j++) {
			struct rig rig = { 0 };
			struct losses losses;
			double p = ps[i], c = cs[j];

			snprintf(text, sizeof(text),
				 "probability = %g%%\ncorrelation = %g%%\n",
				 p * 100, c * 100);
			rig_open(&rig, "loss", text, 21);
			losses = lose(&rig);
			rate_is(losses.n, p, c, text);
			if (losses.n > 0 && p < 1)
				cr_assert_float_eq(losses.after / losses.n,
						   p + c * (1 - p),
						   5.0 / sqrt(losses.n), "%s",
						   text);
			rig_close(&rig);
		}
	}
}

Test(loss, what_is_lost_at_1_percent_is_lost_at_2)
{
	static const char *const types[][3] = {
		{ "loss", "probability = 1%\n", "probability = 2%\n" },
		{ "loss", "probability = 1%\ncorrelation = 50%\n",
		  "probability = 2%\ncorrelation = 50%\n" },
		{ "gilbert-elliott", "loss = 1%\nmean_burst = 4\n",
		  "loss = 2%\nmean_burst = 4\n" },
		{ "gilbert-elliott", "p = 1%\nr = 20%\nloss_bad = 50%\n",
		  "p = 1%\nr = 20%\nloss_bad = 70%\n" },
	};

	for (size_t t = 0; t < 4; t++) {
		struct rig less = { 0 }, more = { 0 };
		int lost = 0;

		rig_open(&less, types[t][0], types[t][1], 22);
		rig_open(&more, types[t][0], types[t][2], 22);
		for (int i = 0; i < N; i++) {
			nsec a = rig_turn(&less, i), b = rig_turn(&more, i);

			if (a != DELAY_SUPPRESS)
				continue;
			lost++;
			cr_assert_eq(b, DELAY_SUPPRESS, "%zu at %d", t, i);
		}
		cr_assert_gt(lost, N / 200);
		rig_close(&less);
		rig_close(&more);
	}
}

Test(loss, refuses_a_correlation_of_100_percent)
{
	char why[RIG_WHY];

	cr_assert_str_not_empty(rig_fault(
		"loss", "probability = 1%\ncorrelation = 100%\n", NULL, why));
}

/* Runs have geometric lengths: each goes on with the chance @again. */
static void runs_are(const struct losses *losses, double again)
{
	double rest = losses->bursts;

	cr_assert_float_eq(losses->n / losses->bursts, 1.0 / (1.0 - again),
			   5.0 * sqrt(again) / (1.0 - again) /
				   sqrt(losses->bursts));
	for (int k = 1; k < 12; k++) {
		double expected = rest * (1.0 - again);

		cr_assert_float_eq(losses->run[k], expected,
				   5.0 * sqrt(expected * again) + 5.0,
				   "runs of %d: %g, not %g", k, losses->run[k],
				   expected);
		rest -= losses->run[k];
	}
}

Test(gilbert_elliott, loses_the_share_in_bursts_of_the_mean_length)
{
	static const struct {
		double loss, burst;
	} pairs[] = { { 0.01, 4 }, { 0.05, 2 }, { 0.2, 10 }, { 0.5, 2 } };
	char text[96];

	for (size_t i = 0; i < 4; i++) {
		struct rig rig = { 0 };
		struct losses losses;
		double e = pairs[i].loss, burst = pairs[i].burst;
		double p = e / (burst * (1 - e)), r = 1 / burst;

		snprintf(text, sizeof(text), "loss = %g%%\nmean_burst = %g\n",
			 e * 100, burst);
		rig_open(&rig, "gilbert-elliott", text, 23 + i);
		losses = lose(&rig);
		rate_is(losses.n, e, 1 - p - r, text);
		runs_are(&losses, 1 - r);
		rig_close(&rig);
	}
}

Test(gilbert_elliott, has_the_losses_of_the_netem_model)
{
	struct rig rig = { 0 };
	struct losses losses;

	/* gemodel 2% 20%: 9.09 %, P(loss|loss) 0.8, bursts of 5 */
	rig_open(&rig, "gilbert-elliott", "p = 2%\nr = 20%\n", 31);
	losses = lose(&rig);
	rate_is(losses.n, 1.0 / 11.0, 0.78, "2% 20%");
	runs_are(&losses, 0.8);
	cr_assert_float_eq(losses.after / losses.n, 0.8,
			   5.0 * sqrt(0.16 / losses.n));
	rig_close(&rig);
	/* gemodel 5% 25% 70% 1%: (0.25 x 0.01 + 0.05 x 0.7) / 0.3 = 12.5 % */
	rig = (struct rig){ 0 };
	rig_open(&rig, "gilbert-elliott",
		 "p = 5%\nr = 25%\nloss_bad = 70%\nloss_good = 1%\n", 32);
	losses = lose(&rig);
	rate_is(losses.n, 0.125, 0.7, "5% 25% 70% 1%");
	rig_close(&rig);
}

Test(gilbert_elliott, begins_in_the_long_run_mix)
{
	int lost = 0;

	for (uint64_t seed = 0; seed < 10000; seed++) {
		struct rig rig = { 0 };

		rig_open(&rig, "gilbert-elliott",
			 "loss = 20%\nmean_burst = 50\n", seed);
		lost += rig_turn(&rig, 0) == DELAY_SUPPRESS;
		rig_close(&rig);
	}
	cr_assert_float_eq(lost, 2000, 5.0 * sqrt(10000 * 0.2 * 0.8));
}

Test(gilbert_elliott, refuses_pairs_that_cannot_be)
{
	static const char *const bad[][2] = {
		{ "loss = 50%\nmean_burst = 1.5\n", "at least" },
		{ "loss = 100%\nmean_burst = 5\n", "no bursts" },
		{ "loss = 5%\n", "needs mean_burst" },
		{ "loss = 5%\nmean_burst = 5\np = 1%\n", "one pair" },
		{ "loss = 5%\nmean_burst = 5\nloss_bad = 90%\n", "go with" },
		{ "loss = 0%\nmean_burst = 0.5\n", "at least" },
		{ "p = 5%\n", "never end" },
	};
	static const char *const good[] = {
		"loss = 0%\n",	    "loss = 50%\nmean_burst = 2\n",
		"r = 10%\n",	    "loss = 0%\nmean_burst = 1\n",
		"loss_good = 5%\n", "p = 100%\nr = 100%\n"
	};
	char why[RIG_WHY];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert(strstr(rig_fault("gilbert-elliott", bad[i][0], NULL,
					   why),
				 bad[i][1]),
			  "%s: '%s'", bad[i][0], why);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_assert_str_empty(
			rig_fault("gilbert-elliott", good[i], NULL, why),
			"%s: '%s'", good[i], why);
}

Test(markov_loss, has_the_losses_of_the_netem_model)
{
	struct rig rig = { 0 };
	struct losses losses;
	double pi;

	/* state 2% 20% 30% 50% 1% */
	rig_open(&rig, "markov-loss",
		 "p13 = 2%\np31 = 20%\np32 = 30%\np23 = 50%\np14 = 1%\n", 33);
	losses = lose(&rig);
	pi = 1.0 / (1.0 + 0.01 + 0.1 * (1.0 + 0.3 / 0.5));
	/* the slowest mode of the chain decays by 0.81 a packet or faster */
	rate_is(losses.n, pi * (0.01 + 0.1), 0.81, "state");
	cr_assert_float_eq(pi * 0.11, 0.0940, 0.0001);
	/* a loss is of state 3 with the share 0.1 / 0.11, and state 3 stays
	 * with 0.5; of state 4 it is never followed
	 */
	cr_assert_float_eq(losses.after / losses.n, 0.5 * 0.1 / 0.11,
			   5.0 * 0.5 / sqrt(losses.n));
	rig_close(&rig);
}

Test(markov_loss, with_isolated_losses_only_never_loses_two_in_a_row)
{
	struct rig rig = { 0 };
	struct losses losses;

	rig_open(&rig, "markov-loss", "p13 = 0%\np14 = 25%\n", 34);
	losses = lose(&rig);
	cr_assert_eq(losses.after, 0);
	rate_is(losses.n, 0.2, 0, "isolated");
	rig_close(&rig);
	/* every second one, to the end */
	rig = (struct rig){ 0 };
	rig_open(&rig, "markov-loss", "p13 = 0%\np14 = 100%\n", 35);
	losses = lose(&rig);
	cr_assert_eq(losses.n, N / 2);
	rig_close(&rig);
}

Test(markov_loss, begins_in_the_long_run_mix)
{
	double pi = 1.0 / (1.0 + 0.1 + 0.5 * 2.0);
	int lost = 0;

	for (uint64_t seed = 0; seed < 10000; seed++) {
		struct rig rig = { 0 };

		rig_open(&rig, "markov-loss",
			 "p13 = 1%\np31 = 2%\np32 = 3%\np23 = 3%\np14 = 10%\n",
			 seed);
		lost += rig_turn(&rig, 0) == DELAY_SUPPRESS;
		rig_close(&rig);
	}
	cr_assert_float_eq(lost, 10000 * pi * 0.6, 5.0 * sqrt(2500));
}

Test(markov_loss, refuses_rows_above_1_and_bursts_without_an_end)
{
	char why[RIG_WHY];

	cr_assert(
		strstr(rig_fault("markov-loss",
				 "p13 = 60%\np31 = 1%\np14 = 41%\n", NULL, why),
		       "at most 100%"));
	cr_assert(
		strstr(rig_fault("markov-loss",
				 "p13 = 1%\np31 = 60%\np32 = 41%\n", NULL, why),
		       "at most 100%"));
	cr_assert(strstr(rig_fault("markov-loss", "p13 = 1%\n", NULL, why),
			 "never end"));
	cr_assert(strstr(rig_fault("markov-loss",
				   "p13 = 1%\np31 = 10%\np32 = 1%\np23 = 0%\n",
				   NULL, why),
			 "never end"));
	cr_assert_str_empty(rig_fault("markov-loss",
				      "p13 = 60%\np31 = 1%\np14 = 40%\n", NULL,
				      why),
			    "%s", why);
	cr_assert_str_empty(rig_fault("markov-loss", "p13 = 0%\n", NULL, why));
}

/* The numbers, from 1, of what is lost of the first 30, as a text. */
static const char *lost_of(const char *settings)
{
	static char text[256];
	struct rig rig = { 0 };

	text[0] = '\0';
	rig_open(&rig, "periodic-loss", settings, 36);
	for (int i = 1; i <= 30; i++)
		if (rig_turn(&rig, i) == DELAY_SUPPRESS)
			snprintf(text + strlen(text),
				 sizeof(text) - strlen(text), "%d ", i);
	rig_close(&rig);
	return text;
}

Test(periodic_loss, loses_what_it_is_told)
{
	char why[RIG_WHY];

	cr_assert_str_eq(lost_of("every = 10\n"), "10 20 30 ");
	cr_assert_str_eq(lost_of("every = 10\noffset = 3\n"), "3 13 23 ");
	cr_assert_str_eq(lost_of("every = 10\noffset = 13\n"), "13 23 ");
	cr_assert_str_eq(lost_of("packets = 1, 7, 8, 30, 99\n"), "1 7 8 30 ");
	cr_assert_str_eq(lost_of("every = 15\noffset = 1\n"), "1 16 ");
	cr_assert_str_not_empty(
		rig_fault("periodic-loss", "offset = 3\n", NULL, why));
	cr_assert_str_not_empty(rig_fault(
		"periodic-loss", "every = 3\npackets = 4\n", NULL, why));
	cr_assert_str_not_empty(
		rig_fault("periodic-loss", "packets = 0, 4\n", NULL, why));
}

Test(gilbert_elliott, bursts_of_one_packet_are_bursts)
{
	char why[RIG_WHY];

	cr_assert_str_empty(rig_fault(
		"gilbert-elliott", "loss = 0%\nmean_burst = 1\n", NULL, why));
	cr_assert(strstr(rig_fault("gilbert-elliott",
				   "loss = 0%\nmean_burst = 1\n"
				   "loss_bad = 50%\n",
				   NULL, why),
			 "loss_bad and loss_good go with p and r"));
	cr_assert(strstr(rig_fault("gilbert-elliott",
				   "loss = 0%\nmean_burst = 1\np = 1%\n"
				   "r = 1%\n",
				   NULL, why),
			 "write one pair"));
	/* 1 / (1 - 0.5) */
	cr_assert(strstr(rig_fault("gilbert-elliott",
				   "loss = 50%\nmean_burst = 1.9\n", NULL, why),
			 "here 2:"));
	cr_assert_str_empty(rig_fault(
		"gilbert-elliott", "loss = 50%\nmean_burst = 2\n", NULL, why));
}

/* Let the stream's next number be @u, and the one after it 0. */
static void draw(struct rig *rig, double u)
{
	uint64_t next = (uint64_t)(u * 0x1p64);

	/* xoshiro256++ gives rotl(s0 + s3, 23) + s0 */
	next = next >> 23 | next << 41;
	rig->rng = (struct rng){ .s = { 0, next, 0, next } };
}

/* A packet at which that is drawn: is it lost? */
static bool lost_at(struct rig *rig, double u)
{
	draw(rig, u);
	return rig_turn(rig, 0) == DELAY_SUPPRESS;
}

Test(loss, a_chance_is_for_numbers_below_it)
{
	struct rig rig = { 0 };

	rig_open(&rig, "loss", "probability = 50%\n", 1);
	cr_assert(lost_at(&rig, 0.0));
	cr_assert(lost_at(&rig, 0.5 - 0x1p-53));
	cr_assert_not(lost_at(&rig, 0.5));
	rig_change(&rig, "probability = 0%\n");
	cr_assert_not(lost_at(&rig, 0.0));
	rig_close(&rig);
	/* 75 % behind a loss, 25 % behind none; 50 % at first */
	rig = (struct rig){ 0 };
	rig_open(&rig, "loss", "probability = 50%\ncorrelation = 50%\n", 1);
	cr_assert_not(lost_at(&rig, 0.5));
	cr_assert_not(lost_at(&rig, 0.25));
	cr_assert(lost_at(&rig, 0.25 - 0x1p-53));
	cr_assert(lost_at(&rig, 0.75 - 0x1p-53));
	cr_assert_not(lost_at(&rig, 0.75));
	rig_close(&rig);
}

/* A trial begins with that drawn. */
static void begin(struct rig *rig, double u)
{
	draw(rig, u);
	rig->condition->reset(&rig->turn);
}

Test(gilbert_elliott, a_chance_is_for_numbers_below_it)
{
	struct rig rig = { 0 };

	/* the first number moves the state, which the next packet finds; the
	 * second, 0, loses all that has any chance to be lost
	 */
	rig_open(&rig, "gilbert-elliott", "p = 25%\nr = 25%\n", 1);
	begin(&rig, 0.5 - 0x1p-53);
	cr_assert(lost_at(&rig, 0.75 - 0x1p-53), "begins bad, stays so");
	cr_assert(lost_at(&rig, 0.75), "turns good");
	cr_assert_not(lost_at(&rig, 0.25), "stays good");
	cr_assert_not(lost_at(&rig, 0.25 - 0x1p-53), "turns bad");
	cr_assert(lost_at(&rig, 0.75));
	begin(&rig, 0.5);
	cr_assert_not(lost_at(&rig, 0.5), "begins good");
	/* a chance of 0 % */
	rig_change(&rig, "r = 100%\n");
	begin(&rig, 0.0);
	for (int i = 0; i < 3; i++)
		cr_assert_not(lost_at(&rig, 0.0));
	rig_close(&rig);
}

Test(markov_loss, a_chance_is_for_numbers_below_it)
{
	struct rig rig = { 0 };

	rig_open(&rig, "markov-loss",
		 "p13 = 25%\np31 = 25%\np32 = 50%\np23 = 50%\np14 = 50%\n", 1);
	begin(&rig, 0.0);
	cr_assert_not(lost_at(&rig, 0.75), "1 stays");
	cr_assert(lost_at(&rig, 0.75 - 0x1p-53), "1 to 3");
	cr_assert(lost_at(&rig, 0.75), "3 stays");
	cr_assert_not(lost_at(&rig, 0.5 - 0x1p-53), "3 to 2");
	cr_assert_not(lost_at(&rig, 0.5), "2 stays");
	cr_assert(lost_at(&rig, 0.5 - 0x1p-53), "2 to 3");
	cr_assert_not(lost_at(&rig, 0.75 - 0x1p-53), "3 to 1");
	cr_assert_not(lost_at(&rig, 0.75), "which is 1");
	cr_assert(lost_at(&rig, 0.5), "1 to 3");
	cr_assert(lost_at(&rig, 0.75), "not to 4, and stays");
	cr_assert_not(lost_at(&rig, 0.5), "3 to 1");
	cr_assert(lost_at(&rig, 0.5), "not to 2, and to 3");
	cr_assert_not(lost_at(&rig, 0.5), "3 to 1");
	cr_assert(lost_at(&rig, 0.5 - 0x1p-53), "1 to 4");
	cr_assert_not(lost_at(&rig, 0.0), "4 to 1");
	cr_assert_not(lost_at(&rig, 0.75), "which is 1");
	rig_close(&rig);
}

Test(markov_loss, begins_in_each_state_with_its_share)
{
	/* shares of 1, 3, 2, 4: 1, 0.25/0.25, that times 0.75/0.5, and 0.5 */
	static const struct {
		double u;
		int state;
	} as[] = { { 0, 1 },	 { 0.25 - 0x1p-53, 1 },
		   { 0.25, 3 },	 { 0.5 - 0x1p-53, 3 },
		   { 0.5, 2 },	 { 0.875 - 0x1p-53, 2 },
		   { 0.875, 4 }, { 1 - 0x1p-53, 4 } };
	/* which packets are lost where 0.25, 0.6 and 0.6 are drawn next: from 1
	 * to 4, 1, 3; from 2 to 3, 2, 2; from 3 to 2, 2, 2; from 4 to 1, 3, 2
	 */
	static const bool lost[][3] = {
		[1] = { 1, 0, 1 }, { 1, 0, 0 }, { 0, 0, 0 }, { 0, 1, 0 }
	};
	struct rig rig = { 0 };

	rig_open(&rig, "markov-loss",
		 "p13 = 25%\np31 = 25%\np32 = 75%\np23 = 50%\np14 = 50%\n", 1);
	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
		begin(&rig, as[i].u);
		for (int k = 0; k < 3; k++)
			cr_assert_eq(lost_at(&rig, k ? 0.6 : 0.25),
				     lost[as[i].state][k], "at %g", as[i].u);
	}
	rig_close(&rig);
}
