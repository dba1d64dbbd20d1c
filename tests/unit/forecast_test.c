/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forecast_test.c - what is foretold is what happens
 *
 * Floor: tests.
 *
 * Formulas are held against the channel itself, fed in virtual time.  Bounds
 * are five standard errors; where one packet's figure hangs on the next ones',
 * the count of packets is divided by how many hang together.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "session/account.h"
#include "session/forecast.h"
#include "session/rehearsal.h"
#include "tests/unit/bench.h"

#define ROBOT "[link]\nrobot = 192.0.2.1\n"
#define UP    "[uplink command]\nport = 5002\n"

/* Forecast of the first channel of an arm. */
static struct forecast foretell(const struct arm *arm, double rate)
{
	struct forecast_ask ask = { .rate = rate };
	struct forecast forecast;

	cr_assert(forecast_channel(&forecast, arm, 0, &ask));
	return forecast;
}

/* What the channel does to @packets, so many per second. */
static struct rehearsed try(const struct arm *arm, double rate,
			    uint64_t packets)
{
	struct rehearsal rehearsal = {
		.plan = &arm->channel[0].plan,
		.seed = 99,
		.interval = (nsec)(1e9 / rate),
		.payload = 40,
		.packets = packets,
	};
	struct rehearsed seen;

	cr_assert(rehearse(&rehearsal, &seen));
	return seen;
}

/* Whether any warning has these words. */
static bool warned(const struct arm *arm, const char *words)
{
	struct err warnings = { 0 };
	bool found = false;

	forecast_warnings(arm, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		found |= strstr(warnings.line[i], words) != NULL;
	err_fini(&warnings);
	return found;
}

static size_t count_warnings(const struct arm *arm)
{
	struct err warnings = { 0 };
	size_t n;

	forecast_warnings(arm, &warnings);
	n = warnings.n;
	err_fini(&warnings);
	return n;
}

Test(forecast, moments_by_formula_are_those_of_the_channel)
{
	static const char *const names[] = { "uniform",	    "normal",
					     "exponential", "lognormal",
					     "weibull",	    "gamma" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const uint64_t n = 40000;
		struct bench bench;
		struct forecast forecast;
		struct rehearsed seen;
		double error;

		/* some of it below zero */
		bench_open(&bench,
			   ROBOT UP "chain = a\n[condition a]\ntype = jitter\n"
				    "base = 30ms\njitter = 25ms\n"
				    "distribution = %s\n",
			   names[i]);
		forecast = foretell(bench.arm[0], 10.0);
		seen = try(bench.arm[0], 10.0, n);
		cr_assert_eq(forecast.delay_way, FORECAST_FORMULA);
		error = forecast.deviation / sqrt((double)n);
		cr_assert_float_eq(forecast.mean, seen.mean, 5.0 * error,
				   "%s: %f, %f", names[i], forecast.mean,
				   seen.mean);
		/* of the deviation: with a fourth moment of up to 20 */
		cr_assert_float_eq(forecast.deviation, seen.deviation,
				   5.0 * error * sqrt(20.0) / 2.0, "%s: %f, %f",
				   names[i], forecast.deviation,
				   seen.deviation);
		bench_close(&bench);
	}
}

Test(forecast, a_share_of_the_packets_is_overtaken)
{
	static const struct {
		double rate, share; /* of 50 +- 20 ms */
	} known[] = { { 100.0, 0.34 }, { 200.0, 0.54 }, { 1000.0, 0.80 } };
	struct bench bench;

	bench_open(&bench, ROBOT UP "chain = a\n[condition a]\ntype = jitter\n"
				    "base = 50ms\njitter = 20ms\n");
	for (size_t i = 0; i < 3; i++) {
		const uint64_t n = 100000;
		struct forecast forecast =
			foretell(bench.arm[0], known[i].rate);
		struct rehearsed seen = try(bench.arm[0], known[i].rate, n);
		double p = known[i].share, together = known[i].rate * 0.04 + 1;

		cr_assert_eq(forecast.order_way, FORECAST_FORMULA);
		cr_assert_float_eq(forecast.reordered, p, 0.005);
		cr_assert_float_eq(
			forecast.reordered, (double)seen.late / (double)n,
			5.0 * sqrt(p * (1 - p) * together / (double)n));
	}
	cr_assert(warned(bench.arm[0], "behind a later one") ==
		  (foretell(bench.arm[0], 0.0).reordered > 0.001));
	bench_close(&bench);
}

Test(forecast, keeping_order_by_holding_back_raises_the_mean)
{
	static const struct {
		double rate, mean, deviation; /* of 50 +- 20 ms */
	} known[] = { { 100.0, 53.2e6, 9.3e6 },
		      { 250.0, 57.5e6, 6.8e6 },
		      { 1000.0, 62.9e6, 3.9e6 } };
	struct bench bench;

	bench_open(&bench, ROBOT UP
		   "chain = a\n[condition a]\ntype = monotonic-jitter\n"
		   "base = 50ms\njitter = 20ms\n");
	for (size_t i = 0; i < 3; i++) {
		struct forecast forecast =
			foretell(bench.arm[0], known[i].rate);
		double together = known[i].rate * 0.04 + 1.0;
		double error = 5.0 * known[i].deviation *
			       sqrt(together / (double)forecast.simulated);

		cr_assert_eq(forecast.delay_way, FORECAST_SIMULATION);
		/* the known ones are rounded to 0.1 ms */
		cr_assert_float_eq(forecast.mean, known[i].mean,
				   error + 0.05e6);
		cr_assert_float_eq(forecast.deviation, known[i].deviation,
				   error + 0.05e6);
		cr_assert_eq(forecast.reordered, 0.0);
		cr_assert_gt(forecast.stage[0].held, 0.2);
		cr_assert_float_eq(forecast.stage[0].shift,
				   forecast.mean - 50e6, 1.0);
	}
	bench_close(&bench);
}

Test(forecast, stops_by_formula_are_those_of_the_channel)
{
	struct bench bench;
	struct forecast forecast;
	struct rehearsal rehearsal = { .seed = 5,
				       .interval = 100 * MS,
				       .payload = 40,
				       .packets = 200000 };
	struct rehearsed seen;

	bench_open(&bench,
		   ROBOT UP "chain = a, b\n[condition a]\ntype = delay\n"
			    "delay = 50ms\n[condition b]\ntype = loss\n"
			    "probability = 20%%\ncorrelation = 30%%\n");
	forecast = foretell(bench.arm[0], 10.0);
	rehearsal.plan = &bench.arm[0]->channel[0].plan;
	for (int i = 0; i < FORECAST_TIMEOUTS; i++)
		rehearsal.timeouts[i] = (nsec)(forecast_timeouts[i] * 1e9);
	cr_assert(rehearse(&rehearsal, &seen));
	cr_assert_eq(forecast.stops_way, FORECAST_FORMULA);
	for (int i = 0; i < 4; i++) {
		double expected = 20000.0 / forecast.stops[i];

		cr_assert_gt(expected, 30.0);
		cr_assert_float_eq((double)seen.gaps[i], expected,
				   5.0 * sqrt(expected));
	}
	bench_close(&bench);
}

Test(forecast, laws_of_loss_are_the_closed_formulas)
{
	static const struct {
		const char *settings;
		double loss, burst;
	} known[] = {
		{ "type = loss\nprobability = 10%", 0.1, 1.0 / 0.9 },
		{ "type = loss\nprobability = 10%\ncorrelation = 50%", 0.1,
		  1.0 / (0.9 * 0.5) },
		{ "type = gilbert-elliott\np = 2%\nr = 20%", 1.0 / 11.0, 5.0 },
		{ "type = gilbert-elliott\nloss = 5%\nmean_burst = 4", 0.05,
		  4.0 },
		{ "type = gilbert-elliott\np = 5%\nr = 25%\nloss_bad = 70%\n"
		  "loss_good = 1%",
		  0.125, 0.0 },
		{ "type = markov-loss\np13 = 2%\np31 = 20%\np32 = 30%\n"
		  "p23 = 50%\np14 = 1%",
		  0.11 / 1.17, 0.0 },
		{ "type = periodic-loss\nevery = 20", 0.05, 1.0 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const uint64_t n = 400000;
		struct bench bench;
		struct forecast forecast;
		struct rehearsed seen;
		double bursts, together = 12.0;

		bench_open(&bench, ROBOT UP "chain = a\n[condition a]\n%s\n",
			   known[i].settings);
		forecast = foretell(bench.arm[0], 10.0);
		seen = try(bench.arm[0], 10.0, n);
		cr_assert_eq(forecast.loss_way, FORECAST_FORMULA);
		cr_assert_eq(forecast.burst_way, FORECAST_FORMULA);
		/* only where a run ends by the same chance after each loss */
		cr_assert_eq(forecast.stops_way, known[i].burst > 0.0
							 ? FORECAST_FORMULA
							 : FORECAST_SIMULATION);
		cr_assert_float_eq(forecast.loss, known[i].loss, 1e-9);
		if (known[i].burst > 0.0)
			cr_assert_float_eq(forecast.burst, known[i].burst,
					   1e-9);
		cr_assert_float_eq(
			(double)seen.lost / (double)n, forecast.loss,
			5.0 * sqrt(forecast.loss * together / (double)n));
		/* a run's length has a deviation of at most 2 means */
		bursts = (double)seen.bursts;
		cr_assert_float_eq((double)seen.lost / bursts, forecast.burst,
				   5.0 * 2.0 * forecast.burst / sqrt(bursts),
				   "%s", known[i].settings);
		bench_close(&bench);
	}
}

Test(forecast, an_empty_chain_is_the_baseline)
{
	struct account account;
	struct forecast forecast;
	struct bench bench;

	bench_open(&bench, ROBOT UP);
	forecast = foretell(bench.arm[0], 0.0);
	cr_assert_eq(forecast.simulated, 0);
	cr_assert_eq(forecast.mean, 0.0);
	cr_assert_eq(forecast.most, 0.0);
	cr_assert_eq(forecast.loss, 0.0);
	cr_assert_eq(forecast.delay_way, FORECAST_FORMULA);
	cr_assert_eq(count_warnings(bench.arm[0]), 0);
	account_channel(&account, &bench.arm[0]->channel[0]);
	cr_assert_not_null(strstr(account.magnitude, "baseline"));
	cr_assert_not(account.delayed || account.impaired);
	bench_close(&bench);
}

Test(forecast, stages_add_up)
{
	struct bench bench;
	struct forecast forecast;

	bench_open(&bench, ROBOT UP
		   "chain = a, b, c, c\n"
		   "[condition a]\ntype = delay\ndelay = 100ms\n"
		   "[condition b]\ntype = jitter\nbase = 50ms\njitter = 30ms\n"
		   "[condition c]\ntype = loss\nprobability = 10%%\n");
	forecast = foretell(bench.arm[0], 10.0);
	cr_assert_float_eq(forecast.mean, 150e6, 1.0);
	cr_assert_float_eq(forecast.deviation, 30e6 / sqrt(3.0), 10.0);
	cr_assert_float_eq(forecast.least, 120e6, 1.0);
	cr_assert_float_eq(forecast.most, 180e6, 1.0);
	cr_assert_float_eq(forecast.loss, 0.19, 1e-9);
	/* two kinds of loss have no run of a simple law */
	cr_assert_eq(forecast.burst_way, FORECAST_SIMULATION);
	bench_close(&bench);
}

Test(forecast, a_condition_without_a_law_is_simulated)
{
	struct bench bench;
	struct forecast forecast;

	bench_open(&bench, ROBOT UP "chain = a, b\n"
				    "[condition a]\ntype = asked\nplace = 0\n"
				    "[condition b]\ntype = delay\n"
				    "delay = 7ms\n");
	forecast = foretell(bench.arm[0], 50.0);
	cr_assert_eq(forecast.delay_way, FORECAST_SIMULATION);
	cr_assert_eq(forecast.loss_way, FORECAST_SIMULATION);
	cr_assert_eq(forecast.simulated, 600 * 50);
	cr_assert_float_eq(forecast.mean, 7e6, 1.0); /* zeros ask for none */
	bench_close(&bench);
}

Test(forecast, what_follows_the_clock_is_seen_over_a_trial)
{
	struct bench bench;
	struct forecast forecast;

	bench_open(&bench, ROBOT UP "chain = a\n[condition a]\ntype = outage\n"
				    "at = 10s, 40s\nfor = 2s\nevery = 60s\n");
	forecast = foretell(bench.arm[0], 30.0);
	cr_assert_eq(forecast.loss_way, FORECAST_SIMULATION);
	/* 4 s of each 60 s; a packet at an edge counts or not */
	cr_assert_float_eq(forecast.loss, 4.0 / 60.0, 2.0 * 20.0 / 18000.0);
	cr_assert_float_eq(forecast.stops[5], 30.0, 0.1);
	bench_close(&bench);
}

Test(forecast, a_link_slower_than_the_stream_is_told)
{
	struct bench bench;
	struct forecast forecast;

	bench_open(&bench,
		   ROBOT UP "expect = 100kbit\nchain = a\n[condition a]\n"
			    "type = token-bucket\nrate = 50kbit\n");
	forecast = foretell(bench.arm[0], 0.0);
	/* every second packet, but for the queue at the start */
	cr_assert_float_eq(forecast.loss, 0.5,
			   20.0 / (double)forecast.simulated);
	/* the queue is full: its 200 ms and the packet's own 10.88 */
	cr_assert_leq(forecast.most, 210.88e6);
	cr_assert_gt(forecast.mean, 200e6);
	cr_assert(warned(bench.arm[0], "the link carries 50 kbit/s, the stream "
				       "has 100 kbit/s"));
	bench_close(&bench);
}

Test(forecast, a_burst_of_stops_meets_the_link)
{
	struct bench bench;
	struct forecast forecast;

	/* 40 ms each: the 7th of ten would wait for 240 ms */
	bench_open(&bench,
		   ROBOT UP "chain = a\n[condition a]\ntype = token-bucket\n"
			    "rate = 50kbit\npacket_size = 2000bit\n");
	forecast = foretell(bench.arm[0], 10.0);
	cr_assert_eq(forecast.start_cut, 4);
	cr_assert_eq(forecast.end_cut, 0);
	cr_assert_str_eq(forecast.cut_by, "a");
	cr_assert(warned(bench.arm[0], "of 10 at the start 4 are cut"));
	bench_close(&bench);
}

Test(forecast, random_loss_is_not_taken_for_a_cut)
{
	struct bench bench;
	struct forecast forecast;

	bench_open(&bench, ROBOT UP "chain = a\n[condition a]\ntype = loss\n"
				    "probability = 60%%\n");
	forecast = foretell(bench.arm[0], 10.0);
	cr_assert_eq(forecast.start_cut + forecast.end_cut, 0);
	cr_assert(warned(bench.arm[0], "halts by itself"));
	bench_close(&bench);
}

Test(forecast, limits_that_turn_delay_into_loss_are_told)
{
	struct err err = { 0 };
	struct bench bench;
	struct forecast forecast;

	bench_open(&bench,
		   ROBOT UP "limit_packets = 100\nchain = a\n"
			    "[condition a]\ntype = delay\ndelay = 2s\n");
	forecast = foretell(bench.arm[0], 100.0);
	/* 200 wait where there is room for 100 */
	cr_assert_float_eq(forecast.limited, 0.5,
			   200.0 / (double)forecast.simulated);
	cr_assert_float_eq(forecast.loss, forecast.limited, 1e-12);
	cr_assert_eq(forecast.loss_way, FORECAST_SIMULATION);
	/* nothing declared: no fault */
	cr_assert_eq(forecast_limits(bench.arm[0], &err), 0);
	bench_close(&bench);
}

Test(forecast, a_declared_rate_must_fit_the_limits)
{
	static const struct {
		const char *rows;
		bool fits;
	} cases[] = {
		/* 32 MiB are 26.8 s of 10 Mbit/s */
		{ "expect = 10Mbit\nchain = a\n"
		  "[condition a]\ntype = delay\ndelay = 26s",
		  true },
		{ "expect = 10Mbit\nchain = a\n"
		  "[condition a]\ntype = delay\ndelay = 27s",
		  false },
		/* 10 000 packets of 1500 bytes are 120 Mbit */
		{ "expect = 10Mbit\nlimit_packets = 10000\nchain = a\n"
		  "[condition a]\ntype = delay\ndelay = 13s",
		  false },
		/* a link's queue holds its own rate, not the stream's */
		{ "expect = 100Mbit\nchain = a\n[condition a]\n"
		  "type = token-bucket\nrate = 1Mbit\nmax_wait = 60s",
		  true },
		/* without a bound in the law, what is simulated */
		{ "expect = 10Mbit\nchain = a\n[condition a]\ntype = jitter\n"
		  "base = 60s\njitter = 1s\ndistribution = normal",
		  false },
		{ "expect = 10Mbit\nchain = a\n[condition a]\ntype = jitter\n"
		  "base = 10s\njitter = 1s\ndistribution = normal",
		  true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		struct bench bench;

		bench_open(&bench, ROBOT UP "%s\n", cases[i].rows);
		cr_assert_eq(forecast_limits(bench.arm[0], &err),
			     cases[i].fits ? 0 : -1, "%s", cases[i].rows);
		cr_assert_eq(err.n, cases[i].fits ? 0 : 1);
		err_fini(&err);
		bench_close(&bench);
	}
}

Test(forecast, smooth_jitter_keeps_what_was_asked_for)
{
	struct bench bench;
	struct forecast forecast;

	bench_open(&bench,
		   ROBOT UP "chain = a\n[condition a]\ntype = smooth-jitter\n"
			    "base = 50ms\njitter = 20ms\n");
	forecast = foretell(bench.arm[0], 1000.0);
	cr_assert_eq(forecast.delay_way, FORECAST_FORMULA);
	cr_assert_eq(forecast.reordered, 0.0);
	cr_assert_lt(forecast.stage[0].held, 0.001);
	cr_assert_eq(count_warnings(bench.arm[0]), 0);
	bench_close(&bench);

	/* 20 ms is 1.25 of the steepest slope */
	bench_open(&bench,
		   ROBOT UP "chain = a\n[condition a]\ntype = smooth-jitter\n"
			    "base = 50ms\njitter = 20ms\n"
			    "time_scale = 20ms\n");
	forecast = foretell(bench.arm[0], 1000.0);
	cr_assert_eq(forecast.delay_way, FORECAST_SIMULATION);
	cr_assert_gt(forecast.stage[0].held, 0.02);
	bench_close(&bench);
}

Test(forecast, a_forecast_repeats)
{
	struct bench bench;
	struct forecast a, b;

	bench_open(&bench,
		   ROBOT UP "chain = a, b\n[condition a]\n"
			    "type = monotonic-jitter\nbase = 50ms\n"
			    "jitter = 50ms\n[condition b]\n"
			    "type = gilbert-elliott\np = 5%%\nr = 25%%\n");
	a = foretell(bench.arm[0], 50.0);
	b = foretell(bench.arm[0], 50.0);
	cr_assert_eq(a.mean, b.mean);
	cr_assert_eq(a.median, b.median);
	cr_assert_eq(a.queue_packets, b.queue_packets);
	bench_close(&bench);
}
