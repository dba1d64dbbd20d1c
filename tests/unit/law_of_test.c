/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * law_of_test.c - what is known of a stage by formula, from its settings
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "session/law.h"
#include "session/stage.h"
#include "tests/unit/bench.h"

static struct bench bench;

static void leave(void)
{
	if (bench.session)
		bench_close(&bench);
	bench = (struct bench){ 0 };
}

TestSuite(law_of, .fini = leave);

/* The only stage of an arm. */
static const struct stage_plan *stage(const char *rows)
{
	leave();
	bench_open(&bench,
		   "[link]\nrobot = 10.0.0.2\n[uplink a]\nport = 1\n"
		   "chain = c\n[condition c]\ntype = %s\n",
		   rows);
	return &bench.arm[0]->channel[0].plan.chain[0];
}

static struct law law(const char *rows)
{
	return law_of(stage(rows));
}

Test(law_of, losses_have_a_share_and_a_run)
{
	struct law of = law("periodic-loss\nevery = 1\n");

	cr_assert(of.loses && of.runs);
	cr_assert_eq(of.loss, 1.0);
	cr_assert_eq(of.again, 1.0);
	of = law("periodic-loss\nevery = 4\n");
	cr_assert_float_eq(of.loss, 0.25, 1e-12);
	cr_assert_eq(of.again, 0.0);
	of = law("periodic-loss\npackets = 1, 2\n");
	cr_assert_not(of.runs);
	of = law("loss\nprobability = 20%\ncorrelation = 50%\n");
	cr_assert_float_eq(of.loss, 0.2, 1e-12);
	cr_assert_float_eq(of.again, 0.6, 1e-12);
	of = law("gilbert-elliott\nloss = 20%\nmean_burst = 4\n");
	cr_assert_float_eq(of.loss, 0.2, 1e-12);
	cr_assert_float_eq(of.again, 0.75, 1e-12);
	/* two states: 1/5 bad, which loses 70 %, 4/5 good, which loses 10 % */
	of = law("gilbert-elliott\np = 5%\nr = 20%\nloss_bad = 70%\n"
		 "loss_good = 10%\n");
	cr_assert_float_eq(of.loss, 0.22, 1e-12);
	cr_assert_float_eq(of.again,
			   (0.2 * 0.7 * (0.8 * 0.7 + 0.2 * 0.1) +
			    0.8 * 0.1 * (0.05 * 0.7 + 0.95 * 0.1)) /
				   0.22,
			   1e-12);
	cr_assert(of.loses && !of.runs);
	cr_assert(law("gilbert-elliott\np = 5%\nr = 20%\n").runs);
	cr_assert_not(law("gilbert-elliott\np = 5%\nr = 20%\n"
			  "loss_bad = 99%\n")
			      .runs);
	cr_assert_not(law("gilbert-elliott\np = 5%\nr = 20%\n"
			  "loss_good = 1%\n")
			      .runs);
	/* states that lose nothing, or begin where nothing has a chance */
	of = law("gilbert-elliott\np = 5%\nr = 20%\nloss_bad = 0%\n");
	cr_assert_eq(of.loss, 0.0);
	cr_assert_eq(of.again, 0.0);
	/* bursts of one: as lone losses are */
	of = law("gilbert-elliott\nloss = 20%\nmean_burst = 1.25\n");
	cr_assert_float_eq(of.again, 0.2, 1e-12);
	of = law("gilbert-elliott\nloss = 0.00000001%\nmean_burst = 1\n");
	cr_assert_float_eq(of.loss, 1e-10, 1e-20);
	cr_assert_eq(of.again, 0.0);
	cr_assert(of.loses && of.runs);
	/* neither begins nor ends: the good state for ever */
	of = law("gilbert-elliott\np = 0%\nr = 0%\nloss_good = 3%\n");
	cr_assert_float_eq(of.loss, 0.03, 1e-12);
	cr_assert_float_eq(of.again, 0.03, 1e-12);
	cr_assert(of.runs);
}

Test(law_of, four_states_have_their_balance)
{
	/* state 1, and state 3 a tenth as often: 1 : 0.1 */
	struct law of = law("markov-loss\np13 = 2%\np31 = 20%\n");

	cr_assert(of.loses);
	cr_assert_float_eq(of.loss, 0.1 / 1.1, 1e-12);
	cr_assert_float_eq(of.again, 0.8, 1e-12);
	/* state 4 is left at once: 1 : 0.1 : 0.05 */
	of = law("markov-loss\np13 = 2%\np31 = 20%\np14 = 5%\n");
	cr_assert_float_eq(of.loss, 0.15 / 1.15, 1e-12);
	/* only state 3 goes on losing: half the time, to state 2 or 1 else */
	of = law("markov-loss\np13 = 2%\np31 = 20%\np32 = 30%\np23 = 50%\n"
		 "p14 = 1%\n");
	cr_assert_float_eq(of.loss, 0.11 / 1.17, 1e-12);
	cr_assert_float_eq(of.again, 0.5 * 0.1 / 0.11, 1e-12);
	cr_assert(of.loses && !of.runs);
	/* state 2 is never met, wherever it would lead */
	of = law("markov-loss\np13 = 2%\np31 = 20%\np23 = 0%\n");
	cr_assert(of.loses);
	cr_assert_float_eq(of.loss, 0.1 / 1.1, 1e-12);
	/* nothing is ever lost */
	of = law("markov-loss\np13 = 0%\np31 = 20%\n");
	cr_assert(of.loses);
	cr_assert_eq(of.loss, 0.0);
	cr_assert_eq(of.again, 0.0);
	/* no way out of the burst: no long run */
	cr_assert_not(law("markov-loss\np13 = 0%\np31 = 0%\n").loses);
	cr_assert_not(
		law("markov-loss\np13 = 0%\np31 = 0%\np32 = 30%\n").loses);
}

Test(law_of, what_only_loses_delays_nothing)
{
	static const char *const rows[] = {
		"loss\nprobability = 5%\n",
		"gilbert-elliott\np = 5%\nr = 20%\n",
		"markov-loss\np13 = 2%\np31 = 20%\n",
		"periodic-loss\nevery = 4\n",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct law of = law(rows[i]);

		cr_assert(of.delays && of.bounded && of.keeps_order);
		cr_assert(of.stationary && !of.drawn);
		cr_assert_eq(of.mean, 0.0);
		cr_assert_eq(of.deviation, 0.0);
		cr_assert_eq(of.least, 0.0);
		cr_assert_eq(of.most, 0.0);
	}
}

Test(law_of, what_only_delays_loses_nothing)
{
	struct law of = law("delay\ndelay = 2.56s\n");

	cr_assert(of.loses && !of.runs && !of.drawn);
	cr_assert_eq(of.loss, 0.0);
	cr_assert_eq(of.mean, 2.56e9);
	cr_assert_eq(of.least, 2.56e9);
	cr_assert_eq(of.most, 2.56e9);
	cr_assert(of.delays && of.bounded && of.keeps_order && of.stationary);
	/* what the queue of a link loses hangs on the stream */
	cr_assert_not(law("token-bucket\nrate = 50kbit\n").loses);
	/* one without a law may do anything */
	of = law("asked\n");
	cr_assert(isinf(of.most));
	cr_assert_not(of.loses || of.delays || of.bounded || of.keeps_order);
}

Test(law_of, a_draw_may_change_the_order_where_it_varies_at_all)
{
	struct law of = law("jitter\nbase = 5ms\njitter = 0ms\n");

	cr_assert(of.keeps_order && of.delays && of.drawn && of.loses);
	cr_assert_eq(of.mean, 5e6);
	/* by one nanosecond is by something */
	cr_assert_not(
		law("jitter\nbase = 5ms\njitter = 0.000001ms\n").keeps_order);
	of = law("monotonic-jitter\nbase = 5ms\njitter = 0ms\n");
	cr_assert(of.keeps_order && of.delays && of.stationary && of.loses);
	of = law("monotonic-jitter\nbase = 5ms\njitter = 0.000001ms\n");
	cr_assert(of.keeps_order && of.bounded);
	cr_assert_not(of.delays, "who is held back hangs on the stream");
	cr_assert(of.runs, "each draw is its own");
	cr_assert_not(law("monotonic-jitter\nbase = 5ms\njitter = 1ms\n"
			  "correlation = 25%\n")
			      .runs);
}

Test(law_of, a_smooth_delay_is_held_where_it_falls_faster_than_time)
{
	static const struct {
		const char *rows;
		double held; /* of the normal law's lower tail */
		bool delays;
	} cases[] = {
		/* by its own choice of the time scale, of 1 ms at least */
		{ "jitter = 20ms\n", 8.891e-4, true },	/* -2.5 / 0.8 */
		{ "jitter = 390us\n", 6.752e-4, true }, /* -1000 / 312 */
		{ "jitter = 410us\n", 8.891e-4, true },
		{ "jitter = 20ms\ndistribution = normal\n", 3.167e-5, true },
		{ "jitter = 20ms\ndistribution = exponential\n", 9.866e-10,
		  false },
		/* as it is told */
		{ "jitter = 20ms\ntime_scale = 48ms\n", 1.3499e-3, true },
		{ "jitter = 20ms\ntime_scale = 45ms\n", 2.4579e-3, false },
		{ "jitter = 20ms\ntime_scale = 20ms\n"
		  "distribution = normal\n",
		  0.158655, false },
		/* what does not vary never falls */
		{ "jitter = 0ms\n", 0.0, true },
		{ "jitter = 0.000001ms\ntime_scale = 0.000001ms\n", 0.105650,
		  false },
	};
	char rows[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct law of;

		snprintf(rows, sizeof(rows), "smooth-jitter\nbase = 50ms\n%s",
			 cases[i].rows);
		of = law(rows);
		cr_assert(of.drawn && of.keeps_order && of.stationary);
		cr_assert_float_eq(of.held, cases[i].held, 1e-3 * cases[i].held,
				   "%s: %g", rows, of.held);
		cr_assert_eq(of.delays, cases[i].delays, "%s", rows);
	}
}

Test(law_of, delays_have_bounds)
{
	struct law of = law("sine\nmean = 100ms\namplitude = 30ms\n"
			    "period = 5s\n");

	cr_assert(of.bounded && !of.delays);
	cr_assert_float_eq(of.most, 130e6, 1e-3);
	of = law("outage\nat = 1s\nfor = 2s\n");
	cr_assert(of.bounded && of.keeps_order);
	cr_assert_eq(of.most, 0.0);
	of = law("outage\nat = 1s\nfor = 2s\nmode = hold\n");
	cr_assert_not(of.bounded);
	of = law("slot\ninterval = 20ms\n");
	cr_assert(of.keeps_order && !of.delays);
	of = law("token-bucket\nrate = 50kbit\nmax_wait = 300ms\n");
	cr_assert(of.bounded && of.keeps_order && of.stationary);
	cr_assert_eq(of.rate, 50e3);
	cr_assert_eq(of.most, 300e6);
}

Test(law_of, a_link_counts_what_it_is_told_to)
{
	static const struct {
		const char *rows;
		double bits;
	} cases[] = {
		{ "measure = ip\n", 8 * 68 },
		{ "measure = payload\n", 8 * 40 },
		{ "measure = ethernet\n", 8 * (68 + 14) },
		{ "measure = ip\noverhead = 4B\n", 8 * 72 },
		{ "measure = ethernet\npacket_size = 2000bit\n", 2000 },
		{ "packet_size = 2000bit\noverhead = 2B\n", 2016 },
	};
	char rows[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(rows, sizeof(rows), "token-bucket\nrate = 50kbit\n%s",
			 cases[i].rows);
		cr_assert_eq(law_bits(stage(rows), 40, 68), cases[i].bits, "%s",
			     rows);
	}
}

Test(law_of, settings_are_found_by_name_and_kind)
{
	const struct stage_plan *of =
		stage("outage\nat = 1s\nfor = 2s\nmode = hold\n");

	cr_assert(stage_is(of, "outage") && !stage_is(of, "outag"));
	cr_assert_eq(stage_whole(of, "mode"), 1, "the second choice");
	cr_assert_eq(stage_whole(of, "no-such"), 0);
	cr_assert_eq(stage_whole(of, "at"), 0, "a list is no number");
	cr_assert_eq(stage_part(of, "for"), 0.0, "nor is a time a share");
}

/* A dummynet curve that loses what is above 0.75. */
static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	static const char curve[] = "loss-level 0.75\ndelay prob\n"
				    "10 0\n110 1\n";

	(void)context;
	(void)name;
	(void)why;
	(void)why_size;
	*size = strlen(curve);
	return curve;
}

/* The law of a jitter that such a curve is drawn from. */
static struct law law_of_curve(const char *rows)
{
	char text[512];
	struct catalog catalog;
	struct arm_source source = { .file = "arm.ini",
				     .text = text,
				     .catalog = &catalog,
				     .load = load };
	struct err err = { 0 };
	struct arm *arm;
	struct law of;

	catalog_init(&catalog);
	snprintf(text, sizeof(text),
		 "[link]\nrobot = 10.0.0.2\n[uplink a]\nport = 1\n"
		 "chain = c\n[condition c]\nbase = 0ms\njitter = 1ms\n"
		 "distribution = table:curve\n%s",
		 rows);
	source.size = strlen(text);
	arm = arm_new(&source, &err, NULL);
	cr_assert(arm, "%s", err.n ? err.line[0] : "");
	of = law_of(&arm->channel[0].plan.chain[0]);
	arm_free(arm);
	err_fini(&err);
	return of;
}

Test(law_of, a_distribution_that_loses_is_a_loss_too)
{
	struct law of = law_of_curve("type = jitter\n");

	cr_assert_float_eq(of.loss, 0.25, 1e-12);
	cr_assert_float_eq(of.again, 0.25, 1e-12);
	cr_assert(of.runs, "each draw is its own");
	cr_assert_not(of.delays);
	of = law_of_curve("type = jitter\ncorrelation = 25%\n");
	cr_assert_float_eq(of.loss, 0.25, 1e-12);
	cr_assert_not(of.runs, "a draw hangs on the one before");
	of = law_of_curve("type = monotonic-jitter\n");
	cr_assert_float_eq(of.loss, 0.25, 1e-12);
	cr_assert_float_eq(of.again, 0.25, 1e-12);
	cr_assert(of.runs);
}
