/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * advice_bounds_test.c - from which figure on a warning is given, word for word
 *
 * Floor: tests.
 *
 * Forecasts are written by hand, each figure at its bound.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/forecast.h"
#include "tests/unit/bench.h"

#define ROBOT "[link]\nrobot = 192.0.2.1\n"
#define UP    "[uplink command]\nport = 5002\n"
#define DOWN  "[downlink video]\nport = 5002\n"
#define AT    "test.ini:3: [uplink command]: "

static struct bench bench;
static struct forecast forecast;
static struct err told;

static void leave(void)
{
	err_fini(&told);
	if (bench.session)
		bench_close(&bench);
	bench.session = NULL;
}

TestSuite(advice_bounds, .fini = leave);

/* A forecast of a channel of one stage in which all is well. */
static void begin(const char *channel, const char *condition)
{
	leave();
	bench_open(&bench,
		   ROBOT "%schain = a\nlimit_packets = 1000\n"
			 "[condition a]\ntype = %s\n",
		   channel, condition);
	forecast = (struct forecast){ .channel = &bench.arm[0]->channel[0],
				      .rate = 10.0,
				      .payload = 40,
				      .ip_bytes = 68,
				      .n_stages = 1 };
	forecast.stage[0].plan = &bench.arm[0]->channel[0].plan.chain[0];
	for (int i = 0; i < FORECAST_TIMEOUTS; i++)
		forecast.stops[i] = INFINITY;
}

/* The forecast is told by this one warning, or by none ("") */
static void advised(const char *warning)
{
	err_fini(&told);
	forecast_advise(&forecast, bench.arm[0], &told);
	cr_assert_eq(told.n, *warning ? 1 : 0, "%s",
		     told.n ? told.line[0] : "nothing");
	if (told.n)
		cr_assert_str_eq(told.line[0], warning);
}

#define JITTER "jitter\nbase = 50ms\njitter = 20ms"

Test(advice_bounds, one_late_packet_of_a_thousand_is_told)
{
	begin(UP, JITTER);
	advised("");
	forecast.reordered = 0.000999;
	advised("");
	forecast.reordered = 0.001;
	advised(AT "0.1 % of packets arrive behind a later one at 10 packets/s "
		   "of 40 bytes (assumed; the arm says no expect); a robot "
		   "takes a late command for a new one; smooth-jitter keeps "
		   "both order and distribution");
	forecast.rate_said = true;
	forecast.rate = 12.34567;
	advised(AT "0.1 % of packets arrive behind a later one at 12.35 "
		   "packets/s of 40 bytes (size assumed); a robot takes a late "
		   "command for a new one; smooth-jitter keeps both order and "
		   "distribution");
	forecast.size_said = true;
	begin(DOWN, "reorder\nprobability = 1%\npackets = 2");
	forecast.rate_said = forecast.size_said = true;
	forecast.reordered = 0.5;
	advised("test.ini:3: [downlink video]: 50 % of packets arrive behind a "
		"later one at 10 packets/s of 40 bytes");
}

Test(advice_bounds, a_mean_that_draws_below_zero_move_is_told)
{
	struct forecast_stage *stage = &forecast.stage[0];

	begin(UP, JITTER);
	stage->zero = 0.001;
	stage->shift = 999.0;
	advised("");
	stage->shift = 1000.0;
	advised(AT "[condition a]: 0.1 % of draws are below zero and floored "
		   "there: the mean is 50.001 ms instead of 50 ms");
	/* by three standard errors of a sample */
	stage->error = 2000.0;
	stage->shift = 5999.0;
	advised("");
	stage->shift = 6000.0;
	advised(AT "[condition a]: 0.1 % of draws are below zero and floored "
		   "there: the mean is 50.006 ms instead of 50 ms");
	stage->shift = -6000.0;
	advised(AT "[condition a]: 0.1 % of draws are below zero and floored "
		   "there: the mean is 49.994 ms instead of 50 ms");
	stage->zero = 0.000999;
	advised("");
}

Test(advice_bounds, packets_held_back_for_order_are_told)
{
	struct forecast_stage *stage = &forecast.stage[0];

	begin(UP, "monotonic-jitter\nbase = 50ms\njitter = 20ms");
	stage->held = 0.000999;
	stage->shift = 1e6;
	advised("");
	stage->held = 0.001;
	advised(AT "[condition a]: 0.1 % of packets are held back for the one "
		   "before, at 10 packets/s of 40 bytes (assumed; the arm says "
		   "no expect): the mean is 51 ms instead of 50 ms; "
		   "smooth-jitter keeps order without that");
	stage->shift = 0.0;
	stage->zero = 0.001;
	advised(AT "[condition a]: 0.1 % of draws are below zero and floored "
		   "there, and 0.1 % of packets are held back for the one "
		   "before, at 10 packets/s of 40 bytes (assumed; the arm says "
		   "no expect); smooth-jitter keeps order without that");
}

Test(advice_bounds, a_link_is_told_as_soon_as_the_stream_has_more)
{
	begin(DOWN, "token-bucket\nrate = 5440bit\nmax_wait = 300ms");
	forecast.stage[0].law = law_of(forecast.stage[0].plan);
	advised(""); /* 10 of 68 bytes a second */
	forecast.rate = 20.0;
	advised("test.ini:3: [downlink video]: [condition a]: the link carries "
		"5.44 kbit/s, the stream has 10.88 kbit/s at 20 packets/s of "
		"40 bytes (assumed; the arm says no expect): 50 % is lost, and "
		"what passes waits for about 300 ms");
	begin(DOWN, "token-bucket\nrate = 1bit");
	forecast.stage[0].law = law_of(forecast.stage[0].plan);
	advised("test.ini:3: [downlink video]: [condition a]: the link carries "
		"1 bit/s, the stream has 5.44 kbit/s at 10 packets/s of 40 "
		"bytes (assumed; the arm says no expect): 99.982 % is lost, "
		"and what passes waits for about 200 ms");
}

#define GAPS                                                                   \
	AT "at 20 packets/s of 40 bytes (assumed; the arm says no expect), "   \
	   "gaps outlast a robot's time-out of "
#define HALTS "; it then halts by itself"

Test(advice_bounds, time_outs_of_the_same_gaps_are_told_together)
{
	static const struct {
		double stops[FORECAST_TIMEOUTS];
		const char *gaps;
	} cases[] = {
		{ { 100, 101, 101.01, 5000, 5000, 5000 },
		  GAPS
		  "0.25 to 0.35 s every 100 s, of 0.5 s every 101 s" HALTS },
		{ { 3600, 3637, 4000, 4000, 4000, 4000 },
		  GAPS "0.25 s every 60 min" HALTS },
		{ { 10, 20, 30, 40, 50, 60 },
		  GAPS
		  "0.25 s every 10 s, of 0.35 s every 20 s, of 0.5 s every "
		  "30 s, of 0.6 s every 40 s, of 1 s every 50 s, of 2 s "
		  "every 60 s" HALTS },
		{ { 10, 10, 10, 10, 10, 10 },
		  GAPS "0.25 to 2 s every 10 s" HALTS },
		{ { 10, 20, 20, 20, 30, 30 },
		  GAPS
		  "0.25 s every 10 s, of 0.35 to 0.6 s every 20 s, of 1 to "
		  "2 s every 30 s" HALTS },
		{ { 3601, 3601, 3601, 3601, 3601, 3601 }, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(UP, JITTER);
		forecast.rate = 20.0;
		memcpy(forecast.stops, cases[i].stops, sizeof(forecast.stops));
		advised(cases[i].gaps);
	}
	begin(DOWN, JITTER);
	forecast.stops[5] = 10.0;
	advised("");
}

Test(advice_bounds, a_stream_slower_than_the_time_out_has_no_gaps)
{
	begin(UP, JITTER);
	for (int i = 0; i < FORECAST_TIMEOUTS; i++)
		forecast.stops[i] = 10.0;
	/* a packet each 0.5 s is just in time for a robot of 0.5 s */
	forecast.rate = 2.0;
	advised(AT "at 2 packets/s of 40 bytes (assumed; the arm says no "
		   "expect), gaps outlast a robot's time-out of 0.6 to 2 s "
		   "every 10 s" HALTS);
	forecast.rate = 1.0;
	advised(AT "at 1 packets/s of 40 bytes (assumed; the arm says no "
		   "expect), gaps outlast a robot's time-out of 2 s every 10 "
		   "s" HALTS);
	forecast.rate = 0.5;
	advised("");
}

Test(advice_bounds, stops_that_are_cut_are_counted)
{
	begin(UP, JITTER);
	forecast.start_cut = 1;
	forecast.cut_by = "link";
	advised(AT "stop datagrams are sent in one burst, and of 10 at the "
		   "start 1 are cut by condition link; raise its max_wait or "
		   "burst");
	forecast.end_cut = 4;
	advised(AT "stop datagrams are sent in one burst, and of 10 at the "
		   "start 1, of 5 at the end 4 are cut by condition link; "
		   "raise its max_wait or burst");
	forecast.start_cut = 0;
	forecast.end_cut = 5;
	forecast.cut_by = "limit";
	advised(AT "stop datagrams are sent in one burst, and of 5 at the end "
		   "5 are cut by the channel's limits: the robot is not "
		   "halted; raise limit_packets");
}

Test(advice_bounds, any_loss_to_limits_and_invalid_delays_is_told)
{
	begin(UP, JITTER);
	forecast.limited = 1e-6;
	advised(AT "limit_packets = 1000 and limit_bytes turn delay into loss: "
		   "0.0001 % of packets find no room at 10 packets/s of 40 "
		   "bytes (assumed; the arm says no expect)");
	forecast.limited = 0.0;
	forecast.invalid = 1e-6;
	advised(AT "0.0001 % of packets are dropped because a condition asks "
		   "for a delay that is negative or over an hour");
	forecast.invalid = 0.0;
	forecast.loss = 0.999999;
	advised("");
	forecast.loss = 1.0;
	advised(AT "no packet passes");
}

/* Warnings of an arm whose first stream is cut off once, at 1000 packets/s of
 * 1228 bytes: the gap comes every so long, as long as is looked at.
 */
static const char *gap_of(const char *rest, const char *chain)
{
	static char said[256];
	const char *at;

	leave();
	bench_open(&bench,
		   ROBOT UP "expect = 9824kbit\nchain = cut%s\n"
			    "[condition cut]\ntype = outage\nat = 100ms\n"
			    "for = 300ms\n"
			    "[condition none]\ntype = delay\ndelay = 0ms\n%s",
		   chain, rest);
	err_fini(&told);
	forecast_warnings(bench.arm[0], &told);
	cr_assert_eq(told.n, 1);
	at = strstr(told.line[0], " every ");
	cr_assert(at, "%s", told.line[0]);
	snprintf(said, sizeof(said), "%s", at);
	return said;
}

Test(advice_bounds, a_check_looks_at_60_000_packets_through_all_stages)
{
#define NONE4  ", none, none, none, none"
#define NONE28 NONE4 NONE4 NONE4 NONE4 NONE4 NONE4 NONE4
	static const char other[] =
		"[downlink video]\nport = 1\nchain = none" NONE28 "\n"
		"[downlink odom]\nport = 2\nchain = none" NONE28 "\n"
		"[downlink none]\nport = 3\n";

	cr_assert_str_eq(gap_of("", ""), " every 60 s" HALTS);
	cr_assert_str_eq(gap_of("", ", none"), " every 30 s" HALTS);
	cr_assert_str_eq(gap_of("[downlink b]\nport = 1\nchain = none\n", ""),
			 " every 30 s" HALTS);
	/* but at 1000 packets at least */
	cr_assert_str_eq(gap_of(other, NONE28), " every 1 s" HALTS);
}

/* What is wrong with the limits of an arm; "" if nothing is. */
static const char *limits(const char *rows)
{
	static char said[512];

	leave();
	bench_open(&bench, ROBOT UP "%s\n", rows);
	cr_assert_eq(forecast_limits(bench.arm[0], &told), told.n ? -1 : 0);
	cr_assert_leq(told.n, 1);
	snprintf(said, sizeof(said), "%s", told.n ? told.line[0] : "");
	return said;
}

#define SECOND "chain = a\n[condition a]\ntype = delay\ndelay = 1s"

Test(advice_bounds, what_fills_the_limits_exactly_fits)
{
	cr_assert_str_eq(limits("expect = 8Mbit\nlimit_bytes = 1MB\n" SECOND),
			 "");
	cr_assert_str_eq(
		limits("expect = 8Mbit\nlimit_bytes = 900kB\n" SECOND),
		AT "at expect = 8 Mbit/s the chain holds 1 MB, or 667 packets "
		   "of 1500 bytes, and the limits are 900 kB and 100000 "
		   "packets; raise limit_bytes or limit_packets");
	cr_assert_str_eq(
		limits("expect = 12Mbit\nlimit_packets = 1000\n" SECOND), "");
	cr_assert_str_eq(
		limits("expect = 12Mbit\nlimit_packets = 999\n" SECOND),
		AT "at expect = 12 Mbit/s the chain holds 1.5 MB, or 1000 "
		   "packets of 1500 bytes, and the limits are 33.55 MB and 999 "
		   "packets; raise limit_bytes or limit_packets");
	cr_assert_neq(*limits("expect = 8Mbit\nlimit_bytes = 999999B\n" SECOND),
		      '\0');
	/* without a bound by formula, by what a simulation sees: 1 s */
	cr_assert_str_eq(limits("expect = 12Mbit\nlimit_bytes = 1600kB\n"
				"chain = a\n[condition a]\ntype = jitter\n"
				"base = 1s\njitter = 1us\n"
				"distribution = normal"),
			 "");
	cr_assert_neq(*limits("expect = 12Mbit\nlimit_bytes = 1400kB\n"
			      "chain = a\n[condition a]\ntype = jitter\n"
			      "base = 1s\njitter = 1us\n"
			      "distribution = normal"),
		      '\0');
	/* the least that can be expected counts too */
	cr_assert_str_eq(limits("expect = 1bit\nlimit_bytes = 450B\n"
				"chain = a\n[condition a]\ntype = delay\n"
				"delay = 1h"),
			 "");
	cr_assert_neq(*limits("expect = 1bit\nlimit_bytes = 449B\n"
			      "chain = a\n[condition a]\ntype = delay\n"
			      "delay = 1h"),
		      '\0');
}

Test(advice_bounds, a_tick_and_a_slow_link_hold_what_they_can)
{
	/* up to a tick at the exit, whatever the chain */
	cr_assert_str_eq(limits("expect = 8Mbit\nlimit_bytes = 1MB\n"
				"[arm]\ntick = 1s"),
			 "");
	cr_assert_neq(*limits("expect = 8Mbit\nlimit_bytes = 999999B\n"
			      "[arm]\ntick = 1s"),
		      '\0');
	/* of one bit per second, whatever the stream has: 1800 bits */
	cr_assert_str_eq(limits("expect = 8Mbit\nlimit_bytes = 225B\n"
				"chain = a\n[condition a]\n"
				"type = token-bucket\nrate = 1bit\n"
				"max_wait = 1800s"),
			 "");
	/* a link that is faster holds what the stream has */
	cr_assert_neq(*limits("expect = 8Mbit\nlimit_bytes = 999999B\n"
			      "chain = a\n[condition a]\n"
			      "type = token-bucket\nrate = 9Mbit\n"
			      "max_wait = 1s"),
		      '\0');
}
