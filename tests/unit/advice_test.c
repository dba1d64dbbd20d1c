/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * advice_test.c - warnings that check gives of an arm, with their figures
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/forecast.h"
#include "tests/unit/bench.h"

#define ROBOT "[link]\nrobot = 192.0.2.1\n"
#define UP    "[uplink command]\nport = 5002\nchain = a\n"
#define DOWN  "[downlink video]\nport = 5002\nchain = a\n"
#define A     "[condition a]\ntype = "

static struct err warnings;

static void forget(void)
{
	err_fini(&warnings);
}

TestSuite(advice, .fini = forget);

/* All warnings of an arm. */
static void advise(const char *rows)
{
	struct bench bench;

	err_fini(&warnings);
	bench_open(&bench, ROBOT "%s\n", rows);
	forecast_warnings(bench.arm[0], &warnings);
	bench_close(&bench);
}

/* What stands behind these words in a warning that has them, or NULL. */
static const char *behind(const char *words)
{
	for (size_t i = 0; i < warnings.n; i++) {
		const char *at = strstr(warnings.line[i], words);

		if (at)
			return at + strlen(words);
	}
	return NULL;
}

/* The number that stands before these words. */
static double before(const char *words)
{
	for (size_t i = 0; i < warnings.n; i++) {
		const char *line = warnings.line[i];
		const char *at = strstr(line, words);

		if (!at)
			continue;
		while (at > line && strchr("0123456789.", at[-1]))
			at--;
		return strtod(at, NULL);
	}
	cr_assert(0, "no warning has '%s'", words);
	return 0.0;
}

Test(advice, jitter_wider_than_the_gap_reorders)
{
	/* 68 bytes of IP at 25 packets/s, draws over 80 ms: two neighbours
	 * change places with (1 - 40/80)^2 / 2 = 12.5 %, and no others
	 */
	advise(UP "expect = 13.6kbit\n" A "jitter\nbase = 100ms\n"
		  "jitter = 40ms\n");
	cr_assert_float_eq(before(" % of packets arrive behind a later one"),
			   12.5, 0.1);
	cr_assert(behind("a robot takes a late command for a new one; "
			 "smooth-jitter keeps both order and distribution"));
	/* nobody is told of late commands on the way back */
	advise(DOWN "expect = 45.6kbit\n" A "jitter\nbase = 100ms\n"
		    "jitter = 40ms\n");
	cr_assert(behind("arrive behind a later one"));
	cr_assert_not(behind("a robot takes"));
	/* what reorders by intent is not told to be smooth */
	advise(DOWN "expect = 16kbit\n" A "reorder\nprobability = 10%\n"
		    "packets = 2\n");
	cr_assert_not(behind("smooth-jitter"));
	/* draws over less than the gap of assumed packets: nothing */
	advise(UP A "jitter\nbase = 100ms\njitter = 40ms\n");
	cr_assert_eq(warnings.n, 0);
}

Test(advice, draws_below_zero_are_told_with_the_mean_they_move)
{
	/* a third of base 10 +- 30 is below zero: from -20 to 40, the mean of
	 * what is floored is 40 * 40 / (2 * 60) = 13.333 ms
	 */
	advise(DOWN A "jitter\nbase = 10ms\njitter = 30ms\n");
	cr_assert_float_eq(
		before(" % of draws are below zero and floored there"),
		100.0 / 3.0, 0.05);
	cr_assert_not_null(behind(": the mean is "));
	cr_assert_float_eq(strtod(behind(": the mean is "), NULL), 40.0 / 3.0,
			   0.001);
	cr_assert(behind(" ms instead of 10 ms"));
	cr_assert_not(behind("held back"));
	/* the same in microseconds moves the mean by less than is told */
	advise(DOWN A "jitter\nbase = 1us\njitter = 3us\n");
	cr_assert_eq(warnings.n, 0);
	/* symmetrical above zero: nothing to say */
	advise(DOWN A "jitter\nbase = 30ms\njitter = 30ms\n");
	cr_assert_not(behind("below zero"));
}

Test(advice, holding_back_is_told_with_the_mean_it_moves)
{
	advise(UP "expect = 54.4kbit\n" A "monotonic-jitter\nbase = 50ms\n"
		  "jitter = 60ms\n");
	cr_assert_gt(before(" % of packets are held back for the one before"),
		     30.0);
	/* order kept at eleven packets in a spread of 110 ms moves it up */
	cr_assert_gt(strtod(behind(": the mean is "), NULL), 70.0);
	cr_assert(behind("; smooth-jitter keeps order without that"));
	/* packets 100 ms apart: few are held, and a twelfth is floored */
	advise(UP A "monotonic-jitter\nbase = 50ms\njitter = 60ms\n");
	cr_assert_float_eq(before(" % of draws are below zero and floored "
				  "there, and "),
			   100.0 / 12.0, 1.5);
	advise(DOWN "expect = 320kbit\n" A "smooth-jitter\nbase = 50ms\n"
		    "jitter = 20ms\ntime_scale = 10ms\n");
	cr_assert(behind("; a longer time_scale avoids that"));
}

Test(advice, a_stream_is_said_as_far_as_it_is_known)
{
	advise(DOWN A "token-bucket\nrate = 1kbit\n");
	cr_assert(behind("(assumed; the arm says no expect)"));
	cr_assert_not(behind("(size assumed)"));
	advise(DOWN "expect = 100kbit\n" A "token-bucket\nrate = 25kbit\n");
	cr_assert(behind("(size assumed)"));
	cr_assert_not(behind("(assumed;"));
	/* three quarters do not pass */
	cr_assert(behind(": 75 % is lost, and what passes waits for about "));
}

Test(advice, a_link_that_carries_its_stream_is_not_told)
{
	advise(DOWN "expect = 50kbit\n" A "token-bucket\nrate = 50kbit\n");
	cr_assert_not(behind("the link carries"));
	/* half is lost before, so that the link has enough */
	advise("[downlink video]\nport = 5002\nchain = l, a\n"
	       "expect = 100kbit\n[condition l]\ntype = loss\n"
	       "probability = 60%\n" A "token-bucket\nrate = 50kbit\n");
	cr_assert_not(behind("the link carries"));
}

Test(advice, stops_that_do_not_pass_are_told)
{
	/* no place for more than three packets at once */
	advise(UP "limit_packets = 3\n" A "delay\ndelay = 1s\n");
	cr_assert(behind("of 10 at the start 7, of 5 at the end "));
	cr_assert(behind("are cut by the channel's limits"));
	cr_assert(behind("; raise limit_packets"));
	cr_assert(behind("limit_packets = 3 and limit_bytes turn delay into "
			 "loss: "));
	advise(UP A "token-bucket\nrate = 50kbit\npacket_size = 2000bit\n");
	cr_assert(behind("cut by condition a; raise its max_wait or burst"));
	cr_assert_not(behind("at the end"));
	/* on the way back there are no stops */
	advise(DOWN "limit_packets = 3\n" A "delay\ndelay = 10ms\n");
	cr_assert_not(behind("stop datagrams"));
}

Test(advice, time_outs_are_those_that_robots_have)
{
	static const double known[] = { 0.25, 0.35, 0.5, 0.6, 1.0, 2.0 };

	for (int i = 0; i < FORECAST_TIMEOUTS; i++)
		cr_assert_float_eq(forecast_timeouts[i], known[i], 1e-12);
}

Test(advice, a_channel_that_lets_nothing_pass_is_told)
{
	advise(DOWN A "loss\nprobability = 100%\n");
	cr_assert(behind("no packet passes"));
	advise(DOWN A "loss\nprobability = 99%\n");
	cr_assert_not(behind("no packet passes"));
}

Test(advice, gaps_that_outlast_a_robot_are_told_on_the_way_there_only)
{
	advise(UP A "gilbert-elliott\nloss = 20%\nmean_burst = 20\n");
	cr_assert(behind("gaps outlast a robot's time-out of "));
	cr_assert(behind("; it then halts by itself"));
	advise(DOWN A "gilbert-elliott\nloss = 20%\nmean_burst = 20\n");
	cr_assert_not(behind("gaps outlast"));
	/* an outage of 10 s outlasts all of them at once: one range */
	advise(UP A "outage\nat = 10s\nfor = 10s\nevery = 100s\n");
	cr_assert(behind(" to "));
	cr_assert(behind(" s every 100 s; it then halts by itself"));
}
