/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forecast_parts_test.c - what a forecast says of stages, bounds and stops
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/forecast.h"
#include "session/rehearsal.h"

#define MS NSEC_PER_MS

static struct catalog catalog;
static struct err err;
static struct arm *arm;

static void leave(void)
{
	arm_free(arm);
	arm = NULL;
	err_fini(&err);
}

TestSuite(forecast_parts, .fini = leave);

/* A dummynet curve that loses what is above 0.75, and a trace of a link that
 * delivers a packet each 100 ms.
 */
static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	const char *text =
		strcmp(name, "curve")
			? "100\n"
			: "loss-level 0.75\ndelay prob\n10 0\n110 1\n";

	(void)context;
	(void)why;
	(void)why_size;
	*size = strlen(text);
	return text;
}

static struct forecast ask(const char *head, const char *rows,
			   struct forecast_ask of)
{
	char text[2048];
	const struct arm_source source = {
		.file = "arm.ini",
		.text = text,
		.size = (size_t)snprintf(
			text, sizeof(text),
			"[arm]\nseed = 1\n%s[link]\nrobot = 192.0.2.1\n"
			"[uplink command]\nport = 5002\nchain = %s",
			head, rows),
		.catalog = &catalog,
		.load = load,
	};
	struct forecast forecast;

	leave();
	catalog_init(&catalog);
	arm = arm_new(&source, &err, NULL);
	cr_assert(arm, "%s: %s", rows, err.n ? err.line[0] : "");
	cr_assert(forecast_channel(&forecast, arm, 0, &of));
	return forecast;
}

static struct forecast foretell(const char *rows)
{
	return ask("", rows, (struct forecast_ask){ 0 });
}

/* What a plan does to 1000 packets at 10 a second. */
static struct rehearsed rehearsed(const struct channel_plan *plan)
{
	const struct rehearsal rehearsal = { .plan = plan,
					     .seed = 1,
					     .interval = 100 * MS,
					     .payload = 40,
					     .packets = 1000 };
	struct rehearsed seen;

	cr_assert(rehearse(&rehearsal, &seen));
	return seen;
}

Test(forecast_parts, a_bound_counts_waiting_sending_and_the_tick)
{
	struct forecast of = foretell("a\n[condition a]\ntype = token-bucket\n"
				      "rate = 54400bit\nmax_wait = 200ms\n");

	/* and 544 bits of its own */
	cr_assert_float_eq(of.bound, 210e6, 1e-3);
	of = foretell("a\n[condition a]\ntype = token-bucket\nrate = 1bit\n"
		      "max_wait = 200ms\n");
	cr_assert_float_eq(of.bound, 544.2e9, 1.0);
	of = ask("tick = 20ms\n",
		 "a\n[condition a]\ntype = delay\ndelay = 105ms\n",
		 (struct forecast_ask){ 0 });
	cr_assert_float_eq(of.bound, 125e6, 1e-3);
	cr_assert_eq(of.range_way, FORECAST_SIMULATION);
	cr_assert_float_eq(of.most, 120e6, 1e-3);
	cr_assert_float_eq(of.least, 120e6, 1e-3);
	/* where no law has one, what was seen */
	of = ask("",
		 "a\n[condition a]\ntype = jitter\nbase = 50ms\n"
		 "jitter = 5ms\ndistribution = normal\n",
		 (struct forecast_ask){ .packets = 1000 });
	cr_assert(isinf(of.most));
	cr_assert_eq(of.bound, rehearsed(&arm->channel[0].plan).most);
}

Test(forecast_parts, bursts_and_gaps_are_those_of_the_one_loss)
{
	struct forecast of = foretell("l, d\n[condition l]\ntype = loss\n"
				      "probability = 20%\n[condition d]\n"
				      "type = delay\ndelay = 1ms\n");

	cr_assert_float_eq(of.burst, 1.25, 1e-12);
	/* two lost in a row outlast 0.25 s: 0.1 / (0.2 * 0.8 * 0.2) */
	cr_assert_float_eq(of.stops[0], 3.125, 1e-9);
	cr_assert_float_eq(of.stops[1], 15.625, 1e-9);
	cr_assert_float_eq(of.stops[2], 390.625, 1e-6);
	cr_assert_float_eq(of.stops[3], 1953.125, 1e-6);
	cr_assert(isfinite(of.stops[5]));
	of = foretell("l\n[condition l]\ntype = loss\nprobability = 100%\n");
	cr_assert(isinf(of.burst) && isinf(of.stops[0]));
	of = foretell("d\n[condition d]\ntype = delay\ndelay = 1ms\n");
	cr_assert_eq(of.burst, 0.0);
	cr_assert(isinf(of.stops[0]) && isinf(of.stops[5]));
}

Test(forecast_parts, a_stage_that_draws_is_told_by_its_law_or_alone)
{
	static const char draws[] =
		"[condition d]\ntype = delay\ndelay = 30ms\n"
		"[condition j]\ntype = jitter\nbase = 10ms\njitter = 30ms\n"
		"[condition s]\ntype = smooth-jitter\nbase = 50ms\n"
		"jitter = 20ms\n"
		"[condition m]\ntype = monotonic-jitter\nbase = 40ms\n"
		"jitter = 100ms\n";
	char rows[1024];
	struct channel_plan plan;
	struct rehearsed seen;
	struct forecast of;
	double n;

	snprintf(rows, sizeof(rows), "d, j, s, m\n%s", draws);
	of = ask("tick = 20ms\n", rows,
		 (struct forecast_ask){ .packets = 1000 });
	cr_assert_eq(of.n_stages, 4);
	cr_assert_str_eq(of.stage[0].plan->name, "d");
	cr_assert_eq(of.stage[0].zero, 0.0);
	cr_assert_eq(of.stage[0].held, 0.0);
	cr_assert_eq(of.stage[0].shift, 0.0);
	/* a third of the draws is below zero; see advice_test */
	cr_assert_float_eq(of.stage[1].zero, 1.0 / 3.0, 1e-9);
	cr_assert_eq(of.stage[1].held, 0.0);
	cr_assert_float_eq(of.stage[1].shift, 10e6 / 3.0, 10.0);
	cr_assert_eq(of.stage[1].way, FORECAST_FORMULA);
	cr_assert_eq(of.stage[1].error, 0.0);
	cr_assert_eq(of.stage[2].zero, 0.0);
	cr_assert_float_eq(of.stage[2].held, 8.89e-4, 1e-5);
	cr_assert_float_eq(of.stage[2].shift, 0.0, 1e-3);
	/* alone, and without the tick of the channel's exit */
	plan = arm->channel[0].plan;
	plan.chain = &plan.chain[3];
	plan.n_chain = 1;
	plan.tick = 0;
	seen = rehearsed(&plan);
	n = (double)seen.released;
	cr_assert_eq(of.stage[3].way, FORECAST_SIMULATION);
	cr_assert_eq(of.stage[3].zero, (double)seen.zero / n);
	cr_assert_eq(of.stage[3].held, (double)seen.held / n);
	cr_assert_gt(of.stage[3].held, 0.05);
	cr_assert_eq(of.stage[3].shift, seen.mean - 40e6);
	cr_assert_eq(of.stage[3].error, seen.deviation / sqrt(n));
}

Test(forecast_parts, a_draw_that_loses_is_simulated_but_holds_none)
{
	struct forecast of = ask("",
				 "j\n[condition j]\ntype = jitter\nbase = 0ms\n"
				 "jitter = 1ms\ndistribution = table:curve\n",
				 (struct forecast_ask){ .packets = 1000 });

	cr_assert_eq(of.stage[0].way, FORECAST_SIMULATION);
	cr_assert_eq(of.stage[0].held, 0.0);
	cr_assert_float_eq(of.loss, 0.25, 1e-12);
	cr_assert_eq(of.loss_way, FORECAST_FORMULA);
}

/* How many of the stops at the start and at the end are cut, and by whom. */
static void cuts(const char *rows, uint64_t packets, unsigned start,
		 unsigned end, const char *by)
{
	struct forecast of =
		ask("", rows, (struct forecast_ask){ .packets = packets });

	cr_assert_eq(of.start_cut, start, "%s: %u", rows, of.start_cut);
	cr_assert_eq(of.end_cut, end, "%s: %u", rows, of.end_cut);
	if (by)
		cr_assert_str_eq(of.cut_by, by);
	else
		cr_assert_null(of.cut_by);
}

Test(forecast_parts, stops_behind_ten_seconds_of_the_stream_are_cut)
{
	/* 544 bits take 108.8 ms, packets come each 100 ms: the i-th waits for
	 * 8.8 i ms, the last of a hundred for 871.2; behind it one of five
	 * waits for less than a second
	 */
	cuts("a\n[condition a]\ntype = token-bucket\nrate = 5kbit\n"
	     "max_wait = 1s\n",
	     0, 0, 4, "a");
	/* behind the fewer ones that are looked at none waits so long */
	cuts("a\n[condition a]\ntype = token-bucket\nrate = 5kbit\n"
	     "max_wait = 1s\n",
	     50, 0, 0, NULL);
	/* of ten at once, the sixth and those behind it */
	cuts("a\n[condition a]\ntype = token-bucket\nrate = 5kbit\n"
	     "max_wait = 500ms\n",
	     1, 5, 1, "a");
	cuts("a\n[condition a]\ntype = token-bucket\nrate = 1bit\n", 0, 9, 5,
	     "a");
}

Test(forecast_parts, stops_are_cut_by_links_and_limits_and_not_by_chance)
{
	/* three wait for a second, when nothing else fits */
	cuts("d\nlimit_packets = 3\n[condition d]\ntype = delay\n"
	     "delay = 1s\n",
	     0, 7, 5, "limit");
	/* a trace lets one pass each 100 ms, and holds what may wait */
	cuts("t\n[condition t]\ntype = link-trace\nfile = trace\n"
	     "opportunity = 72B\nmax_wait = 300ms\n",
	     1, 7, 3, "t");
	cuts("l\n[condition l]\ntype = loss\nprobability = 100%\n", 0, 0, 0,
	     NULL);
	/* as many at the start as at the end are still some */
	cuts("d\nlimit_packets = 5\n[condition d]\ntype = delay\n"
	     "delay = 1s\n",
	     0, 5, 5, "limit");
}

Test(forecast_parts, a_chain_of_all_the_stages_that_there_may_be)
{
	char rows[1024] = "j";
	struct forecast of;

	for (int i = 1; i < CHAIN_MAX; i++)
		strcat(rows, i % 16 ? ", n" : "\n , n");
	strcat(rows, "\n[condition j]\ntype = jitter\nbase = 50ms\n"
		     "jitter = 40ms\n[condition n]\ntype = delay\n"
		     "delay = 1ms\n");
	of = ask("", rows,
		 (struct forecast_ask){ .rate = 25.0, .packets = 100 });
	cr_assert_eq(of.n_stages, CHAIN_MAX);
	cr_assert_float_eq(of.mean, 81e6, 1e-3);
	cr_assert_eq(of.order_way, FORECAST_FORMULA);
	cr_assert_float_eq(of.reordered, 0.125, 1e-6);
	cr_assert_eq(of.start_cut + of.end_cut, 0);
	/* and of none that draws */
	rows[0] = 'n';
	of = foretell(rows);
	cr_assert_float_eq(of.mean, 32e6, 1e-3);
	cr_assert_eq(of.simulated, 0);
}
