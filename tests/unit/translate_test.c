/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_test.c - lines of other tools become arms, with the truth beside
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/seed.h"
#include "session/netem.h"
#include "session/translate.h"
#include "tests/unit/bench.h"

#define WORDS 64

/* A line cut into words, and what came of it. */
struct line {
	char copy[512];
	const char *word[WORDS];
	struct translation made;
	struct err err;
	int status;
};

static void put(struct line *line, const char *text,
		enum translate_direction direction)
{
	struct translate_ask ask = { .word = line->word,
				     .direction = direction };

	*line = (struct line){ 0 };
	snprintf(line->copy, sizeof(line->copy), "%s", text);
	for (char *at = line->copy; *at;) {
		line->word[ask.n++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	line->status = translate(&line->made, &ask, &line->err);
}

static void end(struct line *line)
{
	translation_fini(&line->made);
	err_fini(&line->err);
}

static bool noted(const struct line *line, const char *words)
{
	for (size_t i = 0; i < line->made.notes.n; i++)
		if (strstr(line->made.notes.line[i], words))
			return true;
	return false;
}

/* The line becomes an arm that has these rows. */
static void becomes(const char *text, const char *rows)
{
	struct line line;

	put(&line, text, TRANSLATE_UPLINK);
	cr_assert_eq(line.status, 0, "%s: %s", text,
		     line.err.n ? line.err.line[0] : "");
	cr_assert_not_null(strstr(line.made.arm, rows), "%s:\n%s", text,
			   line.made.arm);
	end(&line);
}

/* The line has a note with these words. */
static void tells(const char *text, const char *words)
{
	struct line line;

	put(&line, text, TRANSLATE_UPLINK);
	cr_assert_eq(line.status, 0);
	cr_assert(noted(&line, words), "%s: no note says '%s':\n%s", text,
		  words, line.made.arm);
	cr_assert_not_null(strstr(line.made.arm, "\n; - "));
	end(&line);
}

/* The line is refused with a fault that begins like this. */
static void refuses(const char *text, const char *fault)
{
	struct line line;

	put(&line, text, TRANSLATE_UPLINK);
	cr_assert_eq(line.status, -1, "%s", text);
	cr_assert_eq(line.err.n, 1);
	cr_assert_eq(strncmp(line.err.line[0], fault, strlen(fault)), 0,
		     "%s: %s", text, line.err.line[0]);
	end(&line);
}

/* The kernel's own integers, many times. */
static double kernel_share(double probability, double correlation, int n,
			   struct rng *rng)
{
	uint64_t rho = (uint64_t)llround(correlation * 4294967295.0) + 1;
	uint64_t limit = (uint64_t)llround(probability * 4294967295.0);
	uint64_t blend = rng_next(rng) >> 32;
	int hits = 0;

	for (int i = 0; i < n; i++) {
		blend = ((4294967296u - rho) * (rng_next(rng) >> 32) +
			 rho * blend) >>
			32;
		hits += blend <= limit;
	}
	return (double)hits / n;
}

Test(translate, correlation_destroys_the_rate_of_netem)
{
	static const struct {
		double probability, correlation;
		double known, digit; /* known to half of this */
	} cases[] = {
		{ 0.10, 0.25, 0.0175, 1e-4 },
		{ 0.10, 0.50, 0.00108, 1e-5 },
		{ 0.25, 0.50, 0.069, 1e-3 },
		{ 0.05, 0.25, 0.0019, 1e-4 },
	};
	struct rng rng;

	seed_key(&rng, 20260817);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const int n = 4000000;
		double p = cases[i].probability, c = cases[i].correlation;
		double share = netem_share(p, c);
		double seen = kernel_share(p, c, n, &rng);

		cr_assert_float_eq(share, cases[i].known, cases[i].digit / 2.0);
		/* losses follow each other a little: twice the variance */
		cr_assert_float_eq(share, seen, 5.0 * sqrt(2.0 * share / n));
	}
	cr_assert_float_eq(netem_share(0.1, 0.0), 0.1, 1e-12);
	cr_assert_lt(netem_share(0.003, 0.25), 1e-6);
	cr_assert_lt(netem_share(0.1, 0.9), 1e-9);
	cr_assert_float_eq(netem_share(0.5, 0.5), 0.5, 1e-9);
}

Test(translate, correlation_of_a_delay_has_no_effect_where_people_use_it)
{
	static const double correlations[] = { 0.25, 0.5, 0.9 };

	for (int i = 0; i < 3; i++) {
		struct netem_delay left = netem_delay(20 * MS, correlations[i]);

		/* 40 000 draws: 5 standard errors */
		cr_assert_float_eq(left.correlation, 0.0, 0.025);
		cr_assert_float_eq(left.mean, 0.0, 0.015);
	}
	cr_assert_gt(netem_delay(500 * MS, 0.9).correlation, 0.3);
	cr_assert_lt(netem_delay(500 * MS, 0.99).mean, -0.5);
}

Test(translate, every_line_becomes_an_arm_that_checks)
{
	static const char *const lines[] = {
		"delay 50ms 10ms 25% distribution normal loss 1%",
		"tc qdisc add dev eth0 root netem delay 100ms",
		"sudo tc qdisc replace dev eth0 parent 1:1 handle 10: netem "
		"limit 5000 delay 1s 100ms distribution pareto",
		"netem delay 50ms 20ms distribution paretonormal",
		"netem delay 50ms 20ms distribution mine",
		"delay 0ms 10ms",
		"delay 3s 2.5s",
		"loss 10% 25%",
		"loss 0%",
		"loss 100%",
		"loss 10% 100%",
		"loss random 1%",
		"loss gemodel 2%",
		"loss gemodel 2% 20%",
		"loss gemodel 5% 25% 70% 1%",
		"loss state 2% 20% 30% 50% 1%",
		"loss state 2%",
		"corrupt 10% 25% duplicate 1% 50%",
		"delay 50ms reorder 25% 50%",
		"delay 50ms reorder 100% gap 5",
		"rate 100kbit 20 100 5",
		"delay 50ms 20ms rate 1mbit limit 50",
		"delay 10ms slot 10ms 20ms packets 5 bytes 9000",
		"slot distribution normal 20ms 30ms",
		"delay 1ms seed 42 ecn",
		"tbf rate 12mbit burst 3000 limit 75000",
		"tc qdisc add dev eth0 root tbf rate 1mbit burst 5kb/8 "
		"latency 70ms peakrate 2mbit minburst 1540",
		"tc qdisc add dev eth0 root handle 1: netem delay 10ms "
		"tc qdisc add dev eth0 parent 1: tbf rate 1mbit burst 2kb "
		"latency 50ms",
		"mm-delay 50",
		"mm-delay 20 mm-loss uplink 0.1 mm-loss downlink 0.05 bash",
		"mm-onoff downlink 10 2.5",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		for (int d = TRANSLATE_UPLINK; d <= TRANSLATE_BOTH; d++) {
			struct line line;
			struct bench bench;

			put(&line, lines[i], (enum translate_direction)d);
			cr_assert_eq(line.status, 0, "%s: %s", lines[i],
				     line.err.n ? line.err.line[0] : "");
			/* a fault of the arm fails the test */
			bench_open(&bench, "%s", line.made.arm);
			cr_assert_eq(bench.arm[0]->n_channels, 2);
			bench_close(&bench);
			end(&line);
		}
}

Test(translate, the_arm_says_what_the_line_asked_for)
{
	becomes("loss 10% 25%", "type = loss\nprobability = 10%\n"
				"correlation = 25%\n");
	becomes("delay 50ms 10ms 25% distribution normal",
		"distribution = normal\ncorrelation = 25%\n");
	becomes("delay 100us", "delay = 0.1ms\n");
	becomes("delay 1.5s", "delay = 1500ms\n");
	becomes("loss 0.1", "probability = 0.1%\n");
	becomes("rate 1mbps", "rate = 8000000bit\n");
	becomes("rate 1mbit", "measure = ethernet\n");
	becomes("loss gemodel 2%", "p = 2%\nr = 98%\nloss_bad = 100%\n");
	becomes("loss gemodel 5% 25% 70% 1%",
		"p = 5%\nr = 25%\nloss_bad = 70%\nloss_good = 1%\n");
	becomes("loss state 2%", "p13 = 2%\np31 = 98%\np32 = 0%\np23 = 100%\n"
				 "p14 = 0%\n");
	becomes("corrupt 10% duplicate 1%", "corrupt = 10%\nduplicate = 1%\n");
	becomes("delay 50ms seed 42", "seed = 42\n");
	/* those that do not overtake are held */
	becomes("delay 50ms reorder 25%", "probability = 75%\nhold = 50ms\n");
	becomes("delay 50ms reorder 100% gap 5", "probability = 80%\n");
	/* with a rate netem keeps order */
	becomes("delay 50ms 20ms rate 1mbit", "type = monotonic-jitter\n");
	becomes("delay 50ms limit 500", "limit_packets = 500\n");
	becomes("slot 10ms 20ms", "interval = 15ms\njitter = 5ms\n");
	/* 75000 - 3000 bytes at 12 Mbit/s */
	becomes("tbf rate 12mbit burst 3000 limit 75000",
		"rate = 12000000bit\nburst = 3000B\nmax_wait = 48ms\n");
	becomes("tbf rate 1mbit burst 32kb latency 70ms",
		"burst = 32768B\nmax_wait = 70ms\n");
	becomes("mm-loss uplink 0.1", "probability = 10%\n");
	becomes("mm-link a.trace b.trace --once",
		"file = a.trace\nopportunity = 1504B\nonce = yes\n");
	/* shortened words, as tc takes them */
	becomes("del 10ms lo 1%", "chain = loss, delay\n");
}

Test(translate, loss_comes_before_delay_and_rate_behind_it)
{
	becomes("rate 1mbit delay 50ms loss 1%",
		"[uplink command]\nport = 5002\n"
		"chain = loss, delay, token-bucket\n");
	becomes("mm-delay 10 mm-delay 20", "chain = delay, delay-2\n");
}

Test(translate, a_direction_is_chosen)
{
	struct line line;

	put(&line, "delay 50ms", TRANSLATE_DOWNLINK);
	cr_assert_not_null(
		strstr(line.made.arm, "reply = command\nchain = delay\n"));
	cr_assert_null(strstr(line.made.arm, "port = 5002\nchain"));
	cr_assert(noted(&line, "on the downlink alone"));
	end(&line);
	put(&line, "delay 50ms", TRANSLATE_BOTH);
	cr_assert_not_null(
		strstr(line.made.arm, "port = 5002\nchain = delay\n"));
	cr_assert_not_null(
		strstr(line.made.arm, "reply = command\nchain = delay\n"));
	end(&line);
	/* mahimahi says itself where it acts */
	put(&line, "mm-loss downlink 0.5", TRANSLATE_UPLINK);
	cr_assert_not_null(
		strstr(line.made.arm, "reply = command\nchain = loss\n"));
	end(&line);
}

Test(translate, the_notes_say_what_the_line_really_did)
{
	tells("loss 10% 25%", "netem really lost 1.75 %");
	tells("loss 10% 50%", "netem really lost 0.108 %");
	tells("delay 50ms reorder 25% 50%", "netem did it to 6.94 % of");
	tells("delay 50ms 10ms 25%", "correlation of 25 % had no effect");
	tells("delay 500ms 500ms 99%", "moved the mean");
	tells("delay 50ms 20ms", "34 % at 100, 79.8 % at 1000");
	tells("delay 10ms 20ms", "the mean was 11.25 ms, not 10 ms");
	tells("delay 10ms 10ms distribution normal", "the mean was 10.833 ms");
	tells("delay 100ms", "above 10000 packets/s");
	tells("delay 50ms 10ms distribution pareto",
	      "a mean of 49.665 ms and a standard deviation of 8.2 ms");
	tells("delay 50ms 10ms distribution uniform", "tc refuses it");
	tells("delay 50ms distribution normal", "had no effect");
	tells("delay 3s 2.5s", "2.147 s");
	tells("corrupt 10% 25%", "was loss");
	tells("corrupt 10% 25%", "lost 1.75 %");
	tells("loss gemodel 2% 20%", "loses 9.09 %");
	tells("loss state 2% 20% 30% 50% 1%", "loses 9.4 %");
	tells("loss state 0% 0% 0% 0% 1%", "loses 0.99 %");
	tells("loss state 2% 0%", "loses 100 %");
	tells("loss state 2% 0% 30% 50%", "loses 62.5 %");
	tells("loss state 2% 20% 30% 0%", "loses 0 %");
	tells("delay 50ms 20ms rate 1mbit", "raises the mean");
	tells("tbf rate 1mbit burst 32kb latency 70ms", "full at the start");
	tells("mm-delay 50", "adds 100 ms to a round trip");
	tells("mm-delay 50 bash", "'bash'");
}

Test(translate, what_is_not_understood_is_named)
{
	refuses("delay", "the line ends too early");
	refuses("delay 100", "word 2, '100'");
	refuses("delay fast", "word 2, 'fast'");
	refuses("delay 50ms bogus 3", "word 3, 'bogus'");
	refuses("loss 101%", "word 2, '101%'");
	refuses("loss -1%", "word 2, '-1%'");
	refuses("loss 1ms", "word 2, '1ms'");
	refuses("loss state 60% 20% 30% 50% 50%", "word 3, '60%'");
	refuses("reorder 25%", "the line ends too early: reorder needs");
	refuses("delay 10ms gap 5", "the line ends too early: gap needs");
	refuses("delay 2h", "word 2, '2h'");
	refuses("delay 4000s", "word 2, '4000s'");
	refuses("rate 0bit", "word 2, '0bit'");
	refuses("limit 1.5", "word 2, '1.5'");
	refuses("tc filter add dev eth0", "word 2, 'filter'");
	refuses("tc qdisc del dev eth0 root", "word 3, 'del'");
	refuses("tbf rate 1mbit burst 32kb", "the line ends too early: tbf");
	refuses("tbf speed 1mbit", "word 2, 'speed'");
	refuses("tc qdisc add dev eth0 root htb default 1", "word 7, 'htb'");
	refuses("mm-webrecord dir", "word 1, 'mm-webrecord'");
	refuses("mm-loss sideways 0.1", "word 2, 'sideways'");
	refuses("mm-loss uplink 10%", "word 3, '10%'");
	refuses("mm-link up.trace", "the line ends too early");
	refuses("mm-link a b --fast", "word 4, '--fast'");
}

Test(translate, a_long_line_is_refused_not_cut)
{
	const char *word[WORDS];
	struct translate_ask ask = { .word = word };
	struct translation made;
	struct err err = { 0 };
	char big[400];

	while (ask.n + 2 <= WORDS) {
		word[ask.n++] = "mm-delay";
		word[ask.n++] = "1";
	}
	cr_assert_eq(translate(&made, &ask, &err), 0);
	translation_fini(&made);
	memset(big, '1', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	word[1] = big;
	cr_assert_eq(translate(&made, &ask, &err), -1);
	cr_assert_eq(err.n, 1);
	translation_fini(&made);
	err_fini(&err);
}

Test(translate, more_conditions_than_an_arm_takes_are_refused)
{
	enum { MANY = 33 };
	const char *word[2 * MANY];
	struct translate_ask ask = { .word = word };
	struct translation made;
	struct err err = { 0 };

	while (ask.n < 2 * MANY) {
		word[ask.n++] = "mm-delay";
		word[ask.n++] = "1";
	}
	cr_assert_eq(translate(&made, &ask, &err), -1);
	cr_assert_not_null(strstr(err.line[0], "too many conditions"));
	translation_fini(&made);
	err_fini(&err);
}
