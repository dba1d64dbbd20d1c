/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * account_test.c - what a study must report of a channel, word for word
 *
 * Floor: tests.
 */
#include "session/account.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PM "\xc2\xb1"

static struct catalog catalog;

/* A condition that the program knows nothing of but its table. */
static const struct setting fade_table[] = {
	{ .name = "depth",
	  .kind = SETTING_TIME,
	  .offset = 0,
	  .hi = 1e9,
	  .preset = "3ms",
	  .text = "How deep" },
	{ .name = "times",
	  .kind = SETTING_COUNT,
	  .offset = sizeof(nsec),
	  .hi = 10,
	  .preset = "4",
	  .text = "How often" },
};

static nsec fade(const struct turn *turn)
{
	(void)turn;
	return 0;
}

static const struct condition fading = {
	.abi = CONDITION_ABI,
	.name = "fade",
	.text = "comes and goes",
	.settings = fade_table,
	.n_settings = 2,
	.settings_size = sizeof(nsec) + sizeof(int64_t),
	.apply = fade,
};

/* Any file that an arm names. */
static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	const char *text =
		strstr(name, ".csv") ? "delay_ms\n10\n20\n" : "10\n20\n";

	(void)context;
	(void)why;
	(void)why_size;
	if (strstr(name, "outages"))
		text = "at_s,for_s\n1,2\n";
	*size = strlen(text);
	return text;
}

/* The words for the first channel of an arm. */
static struct account words(const char *channel)
{
	char text[2048];
	struct arm_source source = { .file = "arm.ini",
				     .text = text,
				     .catalog = &catalog,
				     .load = load };
	struct account account;
	struct err err = { 0 };
	struct arm *arm;

	catalog_init(&catalog);
	cr_assert(catalog_add(&catalog, &fading));
	snprintf(text, sizeof(text), "[link]\nrobot = 10.0.0.2\n%s", channel);
	source.size = strlen(text);
	arm = arm_new(&source, &err, NULL);
	cr_assert(arm, "%s: %s", channel, err.n ? err.line[0] : "");
	account_channel(&account, &arm->channel[0]);
	arm_free(arm);
	err_fini(&err);
	return account;
}

/* Words for a chain of one condition. */
static struct account told(const char *rows)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "[uplink a]\nport = 1\nchain = c\n[condition c]\ntype = %s\n",
		 rows);
	return words(text);
}

/* A condition that delays: magnitude, and how it goes in time. */
static void delays(const char *rows, const char *magnitude,
		   const char *temporal)
{
	struct account account = told(rows);

	cr_assert_str_eq(account.magnitude, magnitude);
	cr_assert_str_eq(account.temporal, temporal);
	cr_assert_str_eq(account.further, "none");
	cr_assert(account.delayed && !account.impaired);
}

/* A condition that does something else. */
static void impairs(const char *rows, const char *further)
{
	struct account account = told(rows);

	cr_assert_str_eq(account.further, further);
	cr_assert_str_eq(account.magnitude, "no delay of its own");
	cr_assert_str_eq(account.temporal, "constant");
	cr_assert(account.impaired && !account.delayed);
}

Test(account, the_baseline_is_nothing_at_all)
{
	struct account account = words("[downlink video]\nport = 9\n");

	cr_assert_str_eq(account.stream, "video");
	cr_assert_str_eq(account.direction, "downlink (robot to operator)");
	cr_assert_str_eq(account.magnitude, "none: undegraded baseline");
	cr_assert_str_eq(account.temporal, "constant");
	cr_assert_str_eq(account.further, "none");
	cr_assert(!account.delayed && !account.impaired);
	account = words("[uplink command]\nport = 9\n");
	cr_assert_str_eq(account.direction, "uplink (operator to robot)");
}

Test(account, delays_are_told_by_magnitude_and_time)
{
	delays("delay\ndelay = 2.56s\n", "2560 ms", "constant");
	delays("jitter\nbase = 200ms\njitter = 60ms\n",
	       "200 ms " PM " 60 ms (uniform)",
	       "drawn anew for each packet; packets may overtake each other");
	delays("jitter\nbase = 200ms\njitter = 60ms\ncorrelation = 25%\n"
	       "distribution = normal\nframe_gap = 2ms\n",
	       "200 ms with a standard deviation of 60 ms (normal)",
	       "drawn anew for each packet with a correlation of 25 % from "
	       "packet to packet, packets less than 2 ms apart sharing one "
	       "draw; packets may overtake each other");
	delays("monotonic-jitter\nbase = 20ms\njitter = 5ms\n",
	       "20 ms " PM " 5 ms (uniform)",
	       "drawn anew for each packet; order kept by holding packets "
	       "back");
	delays("smooth-jitter\nbase = 20ms\njitter = 5ms\n",
	       "20 ms " PM " 5 ms (uniform)",
	       "a smooth random function of trial time; order kept");
	delays("smooth-jitter\nbase = 20ms\njitter = 5ms\ntime_scale = 1s\n",
	       "20 ms " PM " 5 ms (uniform)",
	       "a smooth random function of trial time with a time scale of "
	       "1000 ms; order kept");
	delays("sine\nmean = 100ms\namplitude = 50ms\nperiod = 10s\n",
	       "100 ms " PM " 50 ms",
	       "sinusoidal over trial time with a period of 10 s");
}

Test(account, losses_are_told_with_their_runs)
{
	impairs("loss\nprobability = 1.5%\n",
		"1.5 % of packets lost, each on its own");
	/* again: 0.1 + 0.5 * 0.9 = 0.55; 1 / 0.45 = 2.22 in a row */
	impairs("loss\nprobability = 10%\ncorrelation = 50%\n",
		"10 % of packets lost, with a correlation of 50 % from packet "
		"to packet (2.22 in a row on average)");
	/* once one is lost all are: a run without an end has no mean */
	impairs("loss\nprobability = 100%\ncorrelation = 50%\n",
		"100 % of packets lost, with a correlation of 50 % from packet "
		"to packet");
	impairs("gilbert-elliott\nloss = 2%\nmean_burst = 5\n",
		"2 % of packets lost (5 in a row on average) by a "
		"Gilbert-Elliott model");
	/* p / (p + r) = 1/6, runs of 1 / r = 4 */
	impairs("gilbert-elliott\np = 5%\nr = 25%\n",
		"16.7 % of packets lost (4 in a row on average) by a "
		"Gilbert-Elliott model");
	/* nothing leads out of state 1 */
	impairs("markov-loss\np13 = 0%\np31 = 50%\n",
		"0 % of packets lost by a 4-state Markov model");
	impairs("periodic-loss\nevery = 10\n", "one packet in 10 lost");
	impairs("periodic-loss\npackets = 3, 5\n", "packets 3, 5 lost");
}

Test(account, links_are_told_with_what_they_count)
{
	impairs("token-bucket\nrate = 50kbit\nmax_wait = 200ms\n",
		"a serialising link of 50 kbit/s (ip size counts), dropping "
		"what would wait longer than 200 ms");
	impairs("token-bucket\nrate = 1.5Mbit\npacket_size = 2000bit\n"
		"burst = 4kB\nmax_wait = 1s\n",
		"a serialising link of 1.5 Mbit/s that counts each packet as "
		"250 B, with an allowance of 4 kB, dropping what would wait "
		"longer than 1000 ms");
	impairs("token-bucket\nrate = 1.5Mbit\npacket_size = 1bit\n"
		"max_wait = 1s\n",
		"a serialising link of 1.5 Mbit/s that counts each packet as "
		"0.125 B, dropping what would wait longer than 1000 ms");
	impairs("link-trace\nfile = cell.trace\n",
		"a link that delivers 1.504 kB at each time of the trace "
		"cell.trace, again and again");
	impairs("link-trace\nfile = cell.trace\nonce = yes\n"
		"opportunity = 500B\n",
		"a link that delivers 500 B at each time of the trace "
		"cell.trace, once");
	impairs("slot\ninterval = 10ms\n",
		"releases gathered into slots every 10 ms");
	impairs("slot\ninterval = 10ms\njitter = 2ms\npackets = 5\n"
		"bytes = 9kB\n",
		"releases gathered into slots every 10 ms " PM " 2 ms, at most "
		"5 packets each, at most 9 kB each");
	impairs("slot\ninterval = 10ms\npackets = 1\n",
		"releases gathered into slots every 10 ms, at most 1 packets "
		"each");
}

Test(account, outages_and_reordering_are_told)
{
	impairs("outage\nat = 10s\nfor = 2s\n",
		"outages of 2 s at 10s, packets dropped");
	impairs("outage\nat = 10s\nfor = 500ms\nevery = 60s\nmode = hold\n",
		"outages of 500 ms at 10s and again every 60 s, packets held "
		"until the end");
	impairs("outage\nfile = outages.txt\n",
		"outages at the times of outages.txt, packets dropped");
	impairs("reorder\nprobability = 2%\npackets = 3\n",
		"2 % of packets held back until 3 have overtaken");
	impairs("reorder\nprobability = 2%\nhold = 15ms\n",
		"2 % of packets held back for 15 ms");
}

Test(account, what_follows_a_file_is_told_by_its_settings)
{
	struct account account = told("replay\nfile = delays.csv\n");

	cr_assert(account.delayed && !account.impaired);
	cr_assert_not_null(strstr(account.magnitude, "file = delays.csv"));
	cr_assert_not_null(strchr(account.temporal, ' '));
	account = told("profile\npoints = 0s 10ms, 5s 40ms\n");
	cr_assert(account.delayed && !account.impaired);
	cr_assert_not_null(strstr(account.magnitude, "points = "));
	cr_assert_not_null(strstr(account.magnitude, ", "));
}

Test(account, what_is_not_known_here_is_told_by_its_own_sentence)
{
	impairs("fade\n", "fade: comes and goes (depth = 3ms, times = 4)");
	impairs("fade\ndepth = 1s\n",
		"fade: comes and goes (depth = 1000ms, times = 4)");
}

Test(account, stages_and_the_channel_itself_are_told_in_order)
{
	struct account account =
		words("[uplink a]\nport = 1\nchain = d, l, d, b\n"
		      "duplicate = 0.5%\ncorrupt = 0.1%\n"
		      "[condition d]\ntype = delay\ndelay = 100ms\n"
		      "[condition l]\ntype = loss\nprobability = 1%\n"
		      "[condition b]\ntype = periodic-loss\nevery = 4\n"
		      "[arm]\ntick = 20ms\n");

	cr_assert_str_eq(account.magnitude, "100 ms; 100 ms");
	cr_assert_str_eq(account.temporal,
			 "constant; constant; released at multiples of 20 ms");
	cr_assert_str_eq(account.further,
			 "1 % of packets lost, each on its own; one packet in "
			 "4 lost; 0.5 % of packets delivered twice; 0.1 % of "
			 "packets delivered with one bit of the payload "
			 "changed");
}
