/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_netem_test.c - figures and bounds of what a tc line becomes
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/translate.h"

#define WORDS 512

static char copy[8192];
static const char *word[WORDS];
static struct translation made;
static struct err err;

static void forget(void)
{
	translation_fini(&made);
	err_fini(&err);
}

TestSuite(translate_netem, .fini = forget);

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

static bool noted(const char *words)
{
	for (size_t i = 0; i < made.notes.n; i++)
		if (strstr(made.notes.line[i], words))
			return true;
	return false;
}

/* One of its notes has these words. */
static void tells(const char *text, const char *words)
{
	cr_assert_eq(put(text), 0, "%s: %s", text, err.n ? err.line[0] : "");
	cr_assert(noted(words), "%s: '%s'\n%s", text, words, made.arm);
}

/* None of its notes has these words. */
static void silent(const char *text, const char *words)
{
	cr_assert_eq(put(text), 0, "%s: %s", text, err.n ? err.line[0] : "");
	cr_assert_not(noted(words), "%s: '%s'\n%s", text, words, made.arm);
}

/* It is refused with this one fault. */
static void refuses(const char *text, const char *fault)
{
	cr_assert_eq(put(text), -1, "%s", text);
	cr_assert_eq(err.n, 1);
	cr_assert_str_eq(err.line[0], fault);
}

Test(translate_netem, a_line_becomes_a_whole_arm)
{
	cr_assert_eq(put("sudo tc qdisc change dev eth0 root netem loss 5%"),
		     0);
	cr_assert_str_eq(
		made.arm,
		"; Translated by farlink from\n;\n"
		";   sudo tc qdisc change dev eth0 root netem loss 5%\n;\n"
		"; What that really did, and what this arm does:\n;\n"
		"; - tc acts on all that leaves one interface, ARP and other "
		"programs\n"
		";   included, and on one direction only; its delay is "
		"one-way. The arm has it\n"
		";   on the uplink alone (--direction uplink, downlink or both "
		"chooses), and\n"
		";   on one stream.\n"
		"; - loss 5 %: each packet on its own, and the arm the same.\n"
		"\n[arm]\nname = translated\nseed = 1\n"
		"\n[link]\nmode = relay\n; the robot's address:\n"
		"robot = 192.168.1.20\nheadset = learn\n"
		"\n[uplink command]\nport = 5002\nchain = loss\n"
		"\n[downlink answer]\nreply = command\n"
		"\n[condition loss]\ntype = loss\nprobability = 5%\n");
}

Test(translate_netem, comments_are_filled_up_to_77_columns)
{
	size_t wrapped = 0;

	cr_assert_eq(put("delay 50ms 20ms loss 10% 25% rate 1mbit 20 100 5 "
			 "slot 10ms 30ms packets 5 bytes 9000 duplicate 1%"),
		     0);
	for (const char *line = made.arm, *next; *line == ';'; line = next) {
		size_t len, first;

		next = strchr(line, '\n') + 1;
		len = (size_t)(next - 1 - line);
		cr_assert_leq(len, 77, "%.*s", (int)len, line);
		cr_assert_null(memmem(line + 4, len > 4 ? len - 4 : 0, "  ", 2),
			       "%.*s", (int)len, line);
		if (strncmp(next, ";   ", 4) != 0 || len < 2)
			continue;
		first = strcspn(next + 4, " \n");
		cr_assert_gt(len + 1 + first, 77, "%.*s", (int)len, line);
		wrapped++;
	}
	cr_assert_geq(wrapped, 15);
}

Test(translate_netem, words_and_lines_have_a_longest)
{
	static const char cut[] =
		"the line is too long for one arm; translate its parts";
	static char many[sizeof(copy)];
	char text[256], name[122];

	memset(name, 'x', 121);
	name[121] = '\0';
	snprintf(text, sizeof(text), "delay 5ms 1ms distribution %s", name);
	refuses(text, "word 5 is over 120 characters");
	snprintf(text, sizeof(text), "delay 5ms 1ms distribution %s", name + 1);
	cr_assert_eq(put(text), 0);
	/* no room for the rows of so many conditions with such names */
	for (int letters = 10; letters <= 74; letters += 64) {
		*many = '\0';
		for (int i = 0; i < 32; i++) {
			strcat(many, "netem d 3599.99999999s 3599.9999999s "
				     "33.3333333% di ");
			strcat(many, name + 121 - letters);
			strcat(many, " ");
		}
		if (letters == 10)
			cr_assert_eq(put(many), 0);
		else
			refuses(many, cut);
	}
	/* nor for a comment of so many words */
	*many = '\0';
	for (int i = 0; i < 27; i++) {
		strcat(many, "tc qdisc add dev ");
		strcat(many, name + 1);
		strcat(many, " root netem loss 1% ");
	}
	refuses(many, cut);
	refuses("", "there is nothing to translate; give a line such as "
		    "'delay 50ms 10ms loss 1%'");
	cr_assert_eq(put("tc qdisc add dev"), -1);
	cr_assert_not_null(strstr(err.line[0], "word 4, 'dev': netem has no "));
}

Test(translate_netem, what_follows_belongs_to_the_next_tool)
{
	becomes("tbf rate 1mbit burst 5kb latency 1ms mm-delay 5",
		"chain = token-bucket, delay\n");
	becomes("tbf rate 1mbit burst 5kb latency 1ms sudo tc qdisc add dev "
		"eth0 root netem loss 1%",
		"chain = token-bucket, loss\n");
	becomes("loss 1% mm-delay 5", "chain = loss, delay\n");
	becomes("loss 1% tbf rate 1mbit burst 5kb latency 1ms",
		"chain = loss, token-bucket\n");
	becomes("loss 1% netem loss 2% sudo tc qdisc add netem loss 3%",
		"chain = loss, loss-2, loss-3\n");
}

Test(translate_netem, a_channel_has_each_row_once)
{
	becomes("netem limit 7 corrupt 1% duplicate 2% "
		"netem limit 8 corrupt 3% duplicate 4%",
		"port = 5002\ncorrupt = 1%\nduplicate = 2%\n"
		"limit_packets = 7\n\n[downlink");
	cr_assert(noted("limit_packets = 8: a channel has one such row"));
	cr_assert(noted("corrupt = 3%: a channel has one such row"));
	cr_assert(noted("duplicate = 4%: a channel has one such row"));
}

Test(translate_netem, times_have_the_units_of_tc)
{
	static const struct {
		const char *line, *rows;
	} cases[] = {
		{ "delay 2ms", "delay = 2ms\n" },
		{ "delay 2msec", "delay = 2ms\n" },
		{ "delay 2msecs", "delay = 2ms\n" },
		{ "delay 7us", "delay = 0.007ms\n" },
		{ "delay 7usec", "delay = 0.007ms\n" },
		{ "delay 7usecs", "delay = 0.007ms\n" },
		{ "delay 3s", "delay = 3000ms\n" },
		{ "delay 3sec", "delay = 3000ms\n" },
		{ "delay 3secs", "delay = 3000ms\n" },
		{ "delay 9ns", "delay = 0.000009ms\n" },
		{ "delay 9nsec", "delay = 0.000009ms\n" },
		{ "delay 9nsecs", "delay = 0.000009ms\n" },
		{ "delay 3600s", "delay = 3600000ms\n" },
		/* nothing needs no unit */
		{ "delay 0 3600s", "base = 0ms\njitter = 3600000ms\n" },
		{ "delay 5ms 0", "delay = 5ms\n" },
		{ "delay 5ms 9ms 9", "jitter = 9ms\ncorrelation = 9%\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		becomes(cases[i].line, cases[i].rows);
	refuses("delay 3600.000000001s",
		"word 2, '3600.000000001s': an arm delays by an hour at most");
	refuses("delay 1ms 3601s",
		"word 3, '3601s': an arm delays by an hour at most");
	refuses("rate 1000000000001",
		"word 2, '1000000000001': a rate is 1bit to 1000gbit");
}

Test(translate_netem, models_of_loss_have_the_presets_of_tc)
{
	becomes("loss gemodel 5%",
		"p = 5%\nr = 95%\nloss_bad = 100%\nloss_good = 0%\n");
	becomes("loss gemodel 5% 25%",
		"p = 5%\nr = 25%\nloss_bad = 100%\nloss_good = 0%\n");
	becomes("loss gemodel 5% 25% 70%",
		"p = 5%\nr = 25%\nloss_bad = 70%\nloss_good = 0%\n");
	becomes("loss state 2%",
		"p13 = 2%\np31 = 98%\np32 = 0%\np23 = 100%\np14 = 0%\n");
	becomes("loss state 2% 20%",
		"p13 = 2%\np31 = 20%\np32 = 0%\np23 = 100%\np14 = 0%\n");
	becomes("loss state 2% 60% 40%",
		"p13 = 2%\np31 = 60%\np32 = 40%\np23 = 100%\np14 = 0%\n");
	becomes("loss state 2% 20% 30% 50%",
		"p13 = 2%\np31 = 20%\np32 = 30%\np23 = 50%\np14 = 0%\n");
	/* no more than they have */
	cr_assert_eq(put("loss gemodel 1% 2% 3% 4% 5%"), -1);
	cr_assert_not_null(strstr(err.line[0], "word 7, '5%': netem has no"));
	cr_assert_eq(put("loss state 1% 2% 3% 4% 5% 6%"), -1);
	cr_assert_not_null(strstr(err.line[0], "word 8, '6%': netem has no"));
}

Test(translate_netem, losses_are_told_in_figures)
{
	/* 1 / (0.9 * 0.75) */
	tells("loss 10% 25%",
	      "loss 10 % with correlation 25 %: netem really lost 1.75 %.");
	cr_assert(noted("loses 10 % with that correlation, 1.48 in a row"));
	tells("loss 100% 25%", "correlation, endless in a row on average");
	becomes("loss 5% 100%", "probability = 5%\n");
	cr_assert_null(strstr(made.arm, "correlation = "));
	cr_assert(noted("a correlation of 100 % never changes"));
	silent("loss 5% 99.99%", "of 100 %");
	tells("loss 5%", "loss 5 %: each packet on its own");
	/* (25 * 1 + 5 * 70) / 30 */
	tells("loss gemodel 5% 25% 70% 1%",
	      "loses 12.5 %; a stay in the bad state lasts 4 packets");
	tells("loss gemodel 5% 0% 70% 1%", "loses 70 %; a stay in the bad "
					   "state lasts endless packets");
	tells("loss gemodel 0% 0% 50% 3%", "loses 3 %; a stay");
	tells("loss gemodel 5% 7%", "lasts 14.3 packets");
	/* 0.1 / (1 + 0.1 * 1.6) */
	tells("loss state 2% 20% 30% 50%", "loses 8.62 %");
	/* 0.02 / 0.2: no way to state 2, or none from it into 3 */
	tells("loss state 2% 20% 0% 50%", "loses 9.09 %");
	tells("loss state 2% 20% 0% 0%", "loses 9.09 %");
	tells("loss state 0% 20% 30% 0% 1%", "loses 0.99 %");
	tells("loss state 0% 0% 30% 50%", "loses 0 %");
	tells("loss state 2% 0% 0% 50%", "loses 100 %");
	tells("loss state 2% 0% 0% 0%", "loses 100 %");
	tells("corrupt 10% 25%", "probability = 1.75 %");
	tells("corrupt 10%", "saw none of them and lost 10 %.");
	tells("duplicate 1%", "duplicate 1 %: netem puts the copy in");
	tells("duplicate 1% 5%", "duplicate 1 %, its correlation without ");
}

Test(translate_netem, order_and_the_floor_are_told_in_figures)
{
	/* draws over 400 ms, ten and a hundred times as far apart */
	tells("delay 500ms 200ms", "34 % arrive behind a later one at 10 "
				   "packets/s, 79.8 % at 100, 93.7 % at 1000.");
	/* twelve in a hundred thousand are told, five are not */
	silent("delay 10ms 10.001ms", "come out negative");
	tells("delay 10ms 10.0024ms", "0.012 % of delays come out negative");
	tells("delay 0 10ms",
	      "50 % of delays come out negative and are sent at once, so the "
	      "mean was 2.5 ms, not 0 ms.");
	/* a pareto one is as steep below as it is long above */
	silent("delay 10ms 10ms distribution pareto", "come out negative");
	silent("delay 10ms 10ms distribution uniform", "come out negative");
	tells("delay 10ms 10ms distribution normal", "15.9 % of delays");
}

Test(translate_netem, tables_of_tc_are_told_in_figures)
{
	static const struct {
		const char *name, *words, *law;
	} cases[] = {
		{ "normal",
		  "(in jitters: -4 to +3.52) made a mean of 50 ms and a "
		  "standard deviation of 10 ms.  The arm draws a normal one",
		  "distribution = normal\n" },
		{ "pareto",
		  "(in jitters: cut at +4) made a mean of 49.665 ms and a "
		  "standard deviation of 8.2 ms.  The arm draws a pareto one",
		  "distribution = pareto\n" },
		{ "paretonormal",
		  "(in jitters: cut at +4) made a mean of 50 ms and a standard "
		  "deviation of 8.34 ms.  The arm draws a normal one",
		  "distribution = normal\n" },
		{ "experimental",
		  "(in jitters: cut at +4) made a mean of 50 ms and a standard "
		  "deviation of 8.79 ms.  The arm draws a normal one",
		  "distribution = normal\n" },
		{ "mine", "put mine.dist beside the arm",
		  "; distribution = table:/usr/lib/tc/mine.dist\n"
		  "distribution = normal\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[128];

		snprintf(text, sizeof(text), "delay 50ms 10ms distribution %s",
			 cases[i].name);
		becomes(text, cases[i].law);
		cr_assert(noted(cases[i].words), "%s", made.arm);
		cr_assert_not(noted("had no effect"));
	}
	tells("delay 50ms distribution normal", "distribution normal had no ");
	tells("delay 0 10ms distribution normal",
	      "distribution normal had no ");
}

Test(translate_netem, a_correlation_of_the_delay_is_what_was_left_of_it)
{
	becomes("delay 50ms 10ms 25%", "correlation = 25%\n");
	cr_assert(noted("correlation of 25 % had no effect at a jitter of "
			"10 ms"));
	cr_assert(noted("jitter reorders"));
	becomes("delay 500ms 500ms 99%", "correlation = 99%\n");
	cr_assert(noted("correlation of 99 % came to 0.84 at a jitter of 500 "
			"ms, and moved the mean to 196.835 ms."));
	cr_assert_not(noted("jitter reorders"));
	/* one of the two may be left without the other */
	tells("delay 3s 2147483647ns 50%", "correlation of 50 % came to 0.49 ");
	tells("delay 1ms 1ns 50%", "correlation of 50 % came to -0.0033 ");
	/* a table goes by the low bits, where nothing is left */
	tells("delay 500ms 500ms 99% distribution normal",
	      "correlation of 99 % had no effect");
	becomes("delay 50ms 10ms 100%", "jitter = 10ms\n");
	cr_assert_null(strstr(made.arm, "correlation = "));
	cr_assert(noted("all packets had one delay.  The arm draws each "));
	cr_assert_not(noted("jitter reorders"));
	/* 31 bits of nanoseconds */
	silent("delay 3s 2147483647ns", "cut the jitter");
	tells("delay 3s 2147483648ns", "cut the jitter to 2.147 s");
	/* with a rate the order is kept */
	silent("delay 50ms 20ms rate 1mbit", "jitter reorders");
}

Test(translate_netem, a_gap_makes_the_share_smaller)
{
	becomes("delay 50ms reorder 25%", "probability = 75%\n");
	/* every second one at most: 1 / (2 - 1 + 4) */
	becomes("delay 50ms reorder 25% gap 2",
		"probability = 80%\nhold = 50ms\n");
	cr_assert(noted("Asked for 20 %, netem did it to 20 % of packets."));
	cr_assert(noted("gap 2: netem lets a packet overtake only after 1 "));
	becomes("delay 50ms reorder 25% gap 1", "probability = 75%\n");
	cr_assert_not(noted("gap 1"));
	becomes("delay 50ms reorder 0% gap 5", "probability = 100%\n");
	cr_assert(noted("Asked for 0 %, netem did it to 0 % of packets."));
	/* 1 / (2 - 1 + 1 / 0.069425) */
	tells("delay 50ms reorder 25% 50% gap 2", "netem did it to 6.49 % of");
	silent("delay 50ms reorder 25%", "jitter together with reorder");
	tells("delay 50ms 5ms reorder 25%", "jitter together with reorder");
}

Test(translate_netem, a_rate_counts_frames_and_overheads)
{
	becomes("rate 100kbit 20 100 5",
		"rate = 100000bit\nmeasure = ethernet\noverhead = 20B\n"
		"max_wait = 1800000ms\n");
	cr_assert(noted("cells of 100 bytes: the arm counts"));
	becomes("rate 100kbit", "measure = ethernet\nmax_wait = 1800000ms\n");
	cr_assert_not(noted("cells of"));
}

Test(translate_netem, slots_stray_by_half_the_interval_at_most)
{
	becomes("slot 10ms", "interval = 10ms\njitter = 0ms\n");
	becomes("slot 20ms 24ms", "interval = 22ms\njitter = 2ms\n");
	becomes("slot 10ms 30ms packets 5 bytes 9000",
		"interval = 20ms\njitter = 10ms\npackets = 5\n"
		"bytes = 9000B\n");
	cr_assert_not(noted("by half the interval at most"));
	becomes("slot 10ms 31ms", "interval = 20.5ms\njitter = 10.25ms\n");
	cr_assert(noted("by the seed, by half the interval at most."));
	becomes("slot distribution normal 20.000001ms 30ms",
		"interval = 25ms\n");
	becomes("slot distribution normal 20ms 5ms",
		"interval = 20ms\njitter = 5ms\n");
	silent("delay 1ms", "slot");
	cr_assert_null(strstr(made.arm, "slot"));
}

Test(translate_netem, a_limit_is_told_as_a_rate)
{
	tells("delay 30ms",
	      "limit 1000 (tc's own, as none is given) counts packets in "
	      "delay: above 33333 packets/s netem drops the rest and says "
	      "nothing.  The arm has no such limit: it holds 100000 packets.");
	cr_assert_null(strstr(made.arm, "limit_packets"));
	tells("delay 30ms limit 50",
	      "limit 50 counts packets in delay: above 1667 packets/s netem "
	      "drops the rest and says nothing.  The arm drops the same");
	tells("delay 30ms limit 5", "above 167 packets/s");
	becomes("delay 30ms rate 1mbit", "limit_packets = 1000\n");
	cr_assert(noted("The arm drops the same, as limit, and says so."));
	becomes("rate 1mbit limit 7", "limit_packets = 7\n");
	cr_assert(noted("limit 7 packets is the queue of the rate"));
	becomes("loss 1% limit 7", "limit_packets = 7\n");
	cr_assert_not(noted("limit 7"));
}

Test(translate_netem, a_bucket_waits_for_what_its_queue_holds)
{
	becomes("tbf rate 1mbit burst 3000 limit 1000 overhead 24",
		"burst = 3000B\nmax_wait = 0ms\nmeasure = ethernet\n"
		"initial = full\noverhead = 24B\n");
	cr_assert(noted("its queue of limit bytes, a wait of 0 ms"));
	/* half an hour is the longest */
	becomes("tbf rate 1bit burst 1 limit 100000 peakrate 2mbit mtu 1540/8",
		"rate = 1bit\nburst = 1B\nmax_wait = 1800000ms\n");
	cr_assert_not_null(
		strstr(made.arm, "rate = 2000000bit\nburst = 1540B\n"
				 "max_wait = 1800000ms\nmeasure = ethernet\n"));
	tells("tbf rate 1mbit burst 5kb/8 latency 70ms",
	      "does not fit its queue, a wait of 70 ms;");
	cr_assert(noted("full at the start: 5120 bytes"));
	silent("tbf rate 1mbit burst 5kb latency 70ms", "peakrate");
	refuses("tbf rate 1mbit latency 1ms",
		"the line ends too early: tbf needs rate and burst");
	refuses("tbf burst 5kb latency 1ms",
		"the line ends too early: tbf needs rate and burst");
	refuses("tbf rate 1mbit burst 5kb latency 1ms limit 9kb",
		"the line ends too early: tbf needs either limit or latency");
	refuses("tbf rate 1mbit burst 5kb latency 1ms peakrate 2mbit",
		"the line ends too early: peakrate needs mtu");
	refuses("tbf rate 1mbit burst 5x/8 latency 1ms",
		"word 5, '5x/8': expected a burst, such as 1600 or 32kb");
}
