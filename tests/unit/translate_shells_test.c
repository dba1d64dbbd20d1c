/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_shells_test.c - mahimahi's shells, and lines that end too early
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "session/translate.h"

#define WORDS 32

static char copy[512];
static const char *word[WORDS];
static struct translation made;
static struct err err;

static void forget(void)
{
	translation_fini(&made);
	err_fini(&err);
}

TestSuite(translate_shells, .fini = forget);

static int put(const char *text)
{
	struct translate_ask ask = { .word = word,
				     .direction = TRANSLATE_UPLINK };

	forget();
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *at = copy; *at && ask.n < WORDS;) {
		word[ask.n++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	return translate(&made, &ask, &err);
}

/* It becomes an arm with these rows. */
static void becomes(const char *text, const char *rows)
{
	cr_assert_eq(put(text), 0, "%s: %s", text, err.n ? err.line[0] : "");
	cr_assert_not_null(strstr(made.arm, rows), "%s:\n%s", text, made.arm);
}

/* A note says so. */
static bool noted(const char *words)
{
	for (size_t i = 0; i < made.notes.n; i++)
		if (strstr(made.notes.line[i], words))
			return true;
	return false;
}

/* One fault that begins so and has these words. */
static void refuses(const char *text, const char *begins, const char *has)
{
	cr_assert_eq(put(text), -1, "%s", text);
	cr_assert_eq(err.n, 1);
	cr_assert_eq(strncmp(err.line[0], begins, strlen(begins)), 0, "%s: %s",
		     text, err.line[0]);
	cr_assert_not_null(strstr(err.line[0], has), "%s", err.line[0]);
}

Test(translate_shells, a_delay_is_an_hour_at_most)
{
	becomes("mm-delay 3600000", "delay = 3600000ms\n");
	refuses("mm-delay 3600001", "word 2, '3600001'", "an hour at most");
	refuses("mm-delay", "the line ends too early", "whole milliseconds");
	refuses("mm-delay 1.5", "word 2, '1.5'", "a whole number");
}

Test(translate_shells, a_loss_is_a_share_of_one)
{
	becomes("mm-loss downlink 1", "probability = 100%\n");
	becomes("mm-loss uplink 0", "probability = 0%\n");
	refuses("mm-loss uplink 1.01", "word 3, '1.01'", "a loss of 0 to 1");
	refuses("mm-loss uplink -0.1", "word 3, '-0.1'", "a loss of 0 to 1");
	refuses("mm-loss uplink", "the line ends too early", "0.1 for 10%");
	refuses("mm-loss", "the line ends too early", "uplink or downlink");
}

Test(translate_shells, on_and_off_become_regular_outages_of_those_means)
{
	becomes("mm-onoff uplink 10 2.5",
		"at = 10000ms\nfor = 2500ms\nevery = 12500ms\n");
	cr_assert(noted("exponential distributions"));
	becomes("mm-onoff downlink 3600 0",
		"at = 3600000ms\nfor = 0ms\nevery = 3600000ms\n");
	refuses("mm-onoff uplink 3601 1", "word 3, '3601'", "in seconds");
	refuses("mm-onoff uplink 1 -1", "word 4, '-1'", "in seconds");
	refuses("mm-onoff uplink 1s 1", "word 3, '1s'", "in seconds");
	refuses("mm-onoff uplink 1", "the line ends too early", "in seconds");
	refuses("mm-onoff 1 1", "word 2, '1'", "uplink or downlink");
}

Test(translate_shells, a_links_queues_become_limits)
{
	becomes("mm-link up.trace down.trace --uplink-queue=droptail "
		"--uplink-queue-args=packets=100",
		"limit_packets = 100\n");
	cr_assert(noted("the arm's counts all that is in the channel"));
	becomes("mm-link u d --downlink-queue-args=bytes=64000",
		"limit_bytes = 64000B\n");
	becomes("mm-link u d --uplink-queue-args=packets=7,bytes=900",
		"limit_packets = 7\n");
	cr_assert_not_null(strstr(made.arm, "limit_bytes = 900B\n"));
	/* no number, or none that can be one: no limit */
	becomes("mm-link u d --uplink-queue-args=packets=",
		"file = u\nopportunity = 1504B\n");
	cr_assert_null(strstr(made.arm, "limit_packets"));
	put("mm-link u d --uplink-queue-args=packets=1234567890123");
	cr_assert_null(strstr(made.arm, "limit_packets"));
	becomes("mm-link u d --uplink-queue-args=packets=123456789012",
		"limit_packets = 123456789012\n");
}

Test(translate_shells, a_limit_is_that_of_its_side)
{
	const char *up, *down, *limit;

	becomes("mm-link u d --downlink-queue-args=packets=9",
		"limit_packets = 9\n");
	up = strstr(made.arm, "[uplink ");
	down = strstr(made.arm, "[downlink ");
	limit = strstr(made.arm, "limit_packets");
	cr_assert(up && down && limit);
	cr_assert(up < down ? limit > down : limit < up);
	becomes("mm-link u d --uplink-queue-args=packets=9",
		"limit_packets = 9\n");
	limit = strstr(made.arm, "limit_packets");
	down = strstr(made.arm, "[downlink ");
	cr_assert(limit && down && limit < down);
}

Test(translate_shells, what_an_arm_has_no_other_word_for_is_noted)
{
	becomes("mm-link u d --uplink-queue=codel", "file = u\n");
	cr_assert(noted("queue codel: the arm drops the newcomer"));
	becomes("mm-link u d --uplink-queue=infinite --uplink-log=x.log "
		"--meter-uplink-delay --once",
		"once = yes\n");
	cr_assert_not(noted("queue infinite"));
	cr_assert(noted("the arm's link is closed then"));
	refuses("mm-link u d --uplink-loss=1", "word 4, '--uplink-loss=1'",
		"mm-link has no such option");
	refuses("mm-link --once u d", "word 2, '--once'",
		"expected two traces");
}

Test(translate_shells, the_command_inside_is_left_out)
{
	becomes("mm-link u d -- mm-delay 5", "delay = 5ms\n");
	becomes("mm-delay 5 -- ping 10.0.0.1", "delay = 5ms\n");
	cr_assert(noted("the command 'ping' and what follows it"));
	becomes("mm-delay 5 --", "delay = 5ms\n");
	cr_assert_not(noted("the command"));
	refuses("mm-delay 5 mm-record x", "word 3, 'mm-record'",
		"expected mm-delay, mm-loss, mm-onoff or mm-link");
}

Test(translate_shells, a_line_that_ends_too_early_says_what_is_missing)
{
	static const struct {
		const char *line, *missing;
	} cases[] = {
		{ "delay 10ms 5ms distribution", "names a table" },
		{ "loss gemodel", "probability of a burst" },
		{ "loss state", "probability of a burst" },
		{ "slot distribution", "names a table" },
		{ "slot distribution normal", "a mean" },
		{ "slot distribution normal 10ms", "a jitter" },
		{ "slot", "a least time between slots" },
		{ "slot 10ms packets", "packets of a slot" },
		{ "slot 10ms bytes", "bytes of a slot" },
		{ "rate", "a rate" },
		{ "delay 1ms seed", "a seed" },
		{ "limit", "" },
		{ "corrupt", "" },
		{ "duplicate", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refuses(cases[i].line, "the line ends too early",
			cases[i].missing);
}

Test(translate_shells, what_stands_behind_a_number_is_read_as_one)
{
	refuses("delay 10ms 5x", "word 3, '5x'", "a jitter");
	refuses("loss gemodel 5% 2x", "word 4, '2x'", "a probability");
	refuses("rate 1mbit 1.5", "word 3, '1.5'", "a whole number");
	refuses("rate 1mbit 1 1.5", "word 4, '1.5'", "a whole number");
	refuses("rate 1mbit 1 1 1.5", "word 5, '1.5'", "a whole number");
	refuses("slot 10ms 5x", "word 3, '5x'", "a greatest time");
	refuses("slot 10ms bytes 5x", "word 4, '5x'", "bytes of a slot");
	refuses("delay 10ms 3601s", "word 3, '3601s'", "an hour at most");
}

Test(translate_shells, models_are_taken_whole_or_with_presets)
{
	becomes("loss gemodel 5% 25%", "p = 5%\nr = 25%\nloss_bad = 100%\n");
	becomes("loss state 2% 20%", "p13 = 2%\np31 = 20%\np32 = 0%\n");
	becomes("loss state 40% 20% 30% 50% 60%",
		"p13 = 40%\np31 = 20%\np32 = 30%\np23 = 50%\np14 = 60%\n");
	refuses("loss state 40% 20% 30% 50% 61%", "word 3, '40%'",
		"leave the same state");
	refuses("loss state 2% 60% 41%", "word 3, '2%'",
		"leave the same state");
	becomes("slot distribution normal 20ms 30ms",
		"interval = 25ms\njitter = 12.5ms\n");
	cr_assert(noted("draws the time between slots uniformly"));
}

Test(translate_shells, every_unit_of_tc_is_its_own)
{
	static const struct {
		const char *line, *rows;
	} cases[] = {
		{ "rate 1000", "rate = 1000bit\n" },
		{ "rate 7bit", "rate = 7bit\n" },
		{ "rate 1kbit", "rate = 1000bit\n" },
		{ "rate 1mbit", "rate = 1000000bit\n" },
		{ "rate 1gbit", "rate = 1000000000bit\n" },
		{ "rate 1kibit", "rate = 1024bit\n" },
		{ "rate 1mibit", "rate = 1048576bit\n" },
		{ "rate 1gibit", "rate = 1073741824bit\n" },
		{ "rate 1bps", "rate = 8bit\n" },
		{ "rate 1kbps", "rate = 8000bit\n" },
		{ "rate 1mbps", "rate = 8000000bit\n" },
		{ "rate 1gbps", "rate = 8000000000bit\n" },
		{ "rate 1kibps", "rate = 8192bit\n" },
		{ "rate 1mibps", "rate = 8388608bit\n" },
		{ "rate 1gibps", "rate = 8589934592bit\n" },
		{ "rate 1000gbit", "rate = 1000000000000bit\n" },
		{ "tbf rate 1gbit burst 1000 latency 1ms", "burst = 1000B\n" },
		{ "tbf rate 1gbit burst 9000b latency 1ms", "burst = 9000B\n" },
		{ "tbf rate 1gbit burst 2k latency 1ms", "burst = 2048B\n" },
		{ "tbf rate 1gbit burst 2kb latency 1ms", "burst = 2048B\n" },
		{ "tbf rate 1gbit burst 1m latency 1ms", "burst = 1048576B\n" },
		{ "tbf rate 1gbit burst 1mb latency 1ms",
		  "burst = 1048576B\n" },
		{ "tbf rate 1gbit burst 16kbit latency 1ms",
		  "burst = 2048B\n" },
		{ "tbf rate 1gbit burst 1mbit latency 1ms",
		  "burst = 131072B\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		becomes(cases[i].line, cases[i].rows);
	refuses("rate 1001gbit", "word 2, '1001gbit'", "1bit to 1000gbit");
	refuses("loss 100.1%", "word 2, '100.1%'", "0% to 100%");
}
