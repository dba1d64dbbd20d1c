/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forecast_stream_test.c - what stream a forecast takes, and how it knows
 *
 * Floor: tests.
 *
 * Formulas are held against figures worked out by hand; what is simulated,
 * against a rehearsal of the same stream.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/seed.h"
#include "session/forecast.h"
#include "session/rehearsal.h"
#include "tests/unit/bench.h"

#define ROBOT "[link]\nrobot = 192.0.2.1\n"
#define UP    "[uplink command]\nport = 5002\n"
#define DOWN  "[downlink video]\nport = 5002\n"

static struct bench bench;

static void leave(void)
{
	if (bench.session)
		bench_close(&bench);
	bench.session = NULL;
}

TestSuite(forecast_stream, .fini = leave);

static struct forecast ask(const char *rows, const struct forecast_ask *of)
{
	struct forecast forecast;

	leave();
	bench_open(&bench, ROBOT "%s\n", rows);
	cr_assert(forecast_channel(&forecast, bench.arm[0], 0, of));
	return forecast;
}

/* As the arm says it, or as it is assumed to be. */
static struct forecast foretell(const char *rows)
{
	return ask(rows, &(struct forecast_ask){ 0 });
}

/* What is said of a stream, and what it is taken to be. */
static const struct {
	const char *rows;
	struct forecast_ask ask;
	double rate;
	uint32_t payload;
	bool rate_said, size_said;
} streams[] = {
	{ UP, { .rate = 0 }, 10.0, 40, false, false },
	{ DOWN, { .rate = 0 }, 30.0, 200, false, false },
	{ UP, { .rate = 0.5 }, 0.5, 40, true, false },
	{ DOWN, { .payload = 1 }, 30.0, 1, false, true },
	/* of 28 bytes of headers, and as many as are assumed */
	{ UP "expect = 1bit\n",
	  { .rate = 0 },
	  1.0 / (8 * 68),
	  40,
	  true,
	  false },
	{ UP "expect = 199999bit\n",
	  { .rate = 0 },
	  199999.0 / (8 * 68),
	  40,
	  true,
	  false },
	{ UP "expect = 200kbit\n",
	  { .rate = 0 },
	  200e3 / (8 * 1228),
	  1200,
	  true,
	  false },
	{ DOWN "expect = 1824bit\n", { .rate = 0 }, 1.0, 200, true, false },
	{ DOWN "expect = 10Mbit\n",
	  { .payload = 972 },
	  1250.0,
	  972,
	  true,
	  true },
	/* who asks knows better than the arm */
	{ DOWN "expect = 10Mbit\n", { .rate = 7.0 }, 7.0, 1200, true, false },
};

Test(forecast_stream, a_stream_is_as_it_is_said_or_assumed)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		struct forecast of = ask(streams[i].rows, &streams[i].ask);

		cr_assert_float_eq(of.rate, streams[i].rate, 1e-12 * of.rate,
				   "%zu: %g", i, of.rate);
		cr_assert_eq(of.payload, streams[i].payload, "%zu", i);
		cr_assert_eq(of.ip_bytes, streams[i].payload + 28);
		cr_assert_eq(of.rate_said, streams[i].rate_said, "%zu", i);
		cr_assert_eq(of.size_said, streams[i].size_said, "%zu", i);
		cr_assert_eq(of.simulated, 0, "an empty chain is plain");
	}
}

Test(forecast_stream, a_queue_is_what_enters_while_the_first_waits)
{
	static const struct {
		const char *delay;
		double packets;
	} cases[] = {
		{ "0ms", 0.0 },	  { "1ms", 1.0 },   { "100ms", 1.0 },
		{ "101ms", 2.0 }, { "250ms", 3.0 }, { "300ms", 3.0 },
	};
	char rows[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct forecast of;

		snprintf(rows, sizeof(rows),
			 UP "chain = a\n[condition a]\ntype = delay\n"
			    "delay = %s",
			 cases[i].delay);
		of = foretell(rows);
		cr_assert_eq(of.queue_way, FORECAST_FORMULA);
		cr_assert_eq(of.queue_packets, cases[i].packets, "%s: %g",
			     cases[i].delay, of.queue_packets);
		cr_assert_eq(of.queue_bytes, 68.0 * cases[i].packets);
		cr_assert_eq(of.simulated, 0);
		cr_assert(of.median < 0.0 && of.p99 < 0.0, "not known");
	}
}

Test(forecast_stream, nothing_is_simulated_where_a_constant_delay_fits)
{
	static const struct {
		const char *rows;
		bool plain;
	} cases[] = {
		/* three wait when another comes */
		{ "chain = a\nlimit_packets = 4\n", true },
		{ "chain = a\nlimit_packets = 3\n", false },
		{ "chain = a\nlimit_bytes = 272B\n", true },
		{ "chain = a\nlimit_bytes = 271B\n", false },
		/* an hour at most */
		{ "chain = b\n", true },
		{ "chain = b, c\n", false },
		/* a draw that does not vary is still one */
		{ "chain = d\n", false },
		{ "chain = a, e\n", true },
		{ "chain = a, e, e\n", false },
	};
	char rows[512];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct forecast_ask few = { .packets = 20 };

		snprintf(rows, sizeof(rows),
			 UP "%s[condition a]\ntype = delay\ndelay = 300ms\n"
			    "[condition b]\ntype = delay\ndelay = 1h\n"
			    "[condition c]\ntype = delay\ndelay = 1us\n"
			    "[condition d]\ntype = jitter\nbase = 5ms\n"
			    "jitter = 0ms\n"
			    "[condition e]\ntype = loss\nprobability = 10%%\n",
			 cases[i].rows);
		cr_assert_eq(ask(rows, &few).simulated,
			     cases[i].plain ? 0u : 20u, "%s", cases[i].rows);
	}
}

/* Whose packets are counted: an outage, which needs a trial's clock, and a
 * draw, which does not.
 */
#define CLOCK "chain = a\n[condition a]\ntype = outage\nat = 1s\nfor = 1s\n"
#define DRAWN                                                                  \
	"chain = a\n[condition a]\ntype = monotonic-jitter\nbase = 1ms\n"      \
	"jitter = 1ms\n"

Test(forecast_stream, ten_minutes_are_simulated_but_not_too_many_packets)
{
	static const struct {
		const char *rows;
		struct forecast_ask ask;
		uint64_t packets;
		nsec interval;
	} cases[] = {
		{ UP CLOCK, { .rate = 0 }, 6000, 100 * MS },
		{ UP CLOCK, { .duration = 7 * NSEC_PER_S }, 70, 100 * MS },
		{ UP CLOCK, { .packets = 6000 }, 6000, 100 * MS },
		{ UP CLOCK, { .packets = 5999 }, 5999, 100 * MS },
		{ UP CLOCK, { .packets = 1 }, 1, 100 * MS },
		/* less than one packet is one */
		{ UP CLOCK, { .duration = 1 }, 1, 100 * MS },
		/* what is drawn wants a sample, whatever the clock */
		{ UP DRAWN, { .rate = 0 }, 20000, 100 * MS },
		{ UP DRAWN, { .rate = 40.0 }, 24000, 25 * MS },
		{ UP DRAWN, { .duration = 7 * NSEC_PER_S }, 70, 100 * MS },
		/* 600 000 packets would be too many */
		{ UP CLOCK, { .rate = 1000.0 }, 400000, MS },
		/* nor is any stream faster than the clock is fine */
		{ UP CLOCK, { .rate = 3e9, .packets = 10 }, 10, 1 },
		{ UP CLOCK, { .rate = 2.1e9, .packets = 10 }, 10, 1 },
		{ UP CLOCK, { .rate = 3.0, .packets = 3 }, 3, 333333333 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct forecast of = ask(cases[i].rows, &cases[i].ask);

		cr_assert_eq(of.simulated, cases[i].packets, "%zu: %llu", i,
			     (unsigned long long)of.simulated);
		cr_assert_eq(of.duration,
			     (nsec)cases[i].packets * cases[i].interval);
	}
}

Test(forecast_stream, the_seed_is_that_of_the_first_trial)
{
	static const char text[] = "[arm]\nseed = 77\ntrials = %s\n" UP DRAWN;
	const struct forecast_ask few = { .packets = 1000 };
	static const char *const trials[] = { "same", "derived" };
	char rows[512];

	for (size_t i = 0; i < 2; i++) {
		struct rehearsal rehearsal = { .seed = i ? seed_trial(77, "1")
							 : 77,
					       .interval = 100 * MS,
					       .payload = 40,
					       .packets = 1000 };
		struct rehearsed seen;
		struct forecast of;

		snprintf(rows, sizeof(rows), text, trials[i]);
		of = ask(rows, &few);
		rehearsal.plan = &bench.arm[0]->channel[0].plan;
		cr_assert(rehearse(&rehearsal, &seen));
		cr_assert_eq(of.mean, seen.mean);
		cr_assert_eq(of.median, seen.median);
	}
}

/* Which figures of a chain are known by formula: d delay, l loss, b burst, o
 * order, s stops, q queue.
 */
static const struct {
	const char *chain, *known;
} ways[] = {
	{ "still", "dlbosq" },
	{ "wild", "dlbo" },
	{ "tiny", "dlbo" },
	{ "same, wild", "dlbo" },
	{ "wild, still", "dlbo" },
	{ "still, tiny", "dlbo" },
	{ "wild, wild", "dlb" },
	{ "wild, less", "dlb" },
	{ "near", "dlb" },
	{ "frames", "dlb" },
	{ "smooth", "dlbo" },
	{ "less", "dlbosq" },
	{ "less, still", "dlbosq" },
	{ "less, less", "dloq" },
	{ "bursts", "dlbosq" },
	{ "states", "dlboq" },
	{ "held", "lbo" },
	{ "wild, cut", "" },
	{ "link", "o" },
	{ "wait, wild", "" },
	{ "other", "" },
};

#define CONDITIONS                                                             \
	"[condition still]\ntype = delay\ndelay = 50ms\n"                      \
	"[condition wild]\ntype = jitter\nbase = 50ms\njitter = 40ms\n"        \
	"[condition tiny]\ntype = jitter\nbase = 50ms\njitter = 0.000001ms\n"  \
	"[condition same]\ntype = jitter\nbase = 50ms\njitter = 0ms\n"         \
	"[condition near]\ntype = jitter\nbase = 50ms\njitter = 40ms\n"        \
	"correlation = 25%\n"                                                  \
	"[condition frames]\ntype = jitter\nbase = 50ms\njitter = 40ms\n"      \
	"frame_gap = 0.000001ms\n"                                             \
	"[condition smooth]\ntype = smooth-jitter\nbase = 50ms\n"              \
	"jitter = 40ms\n"                                                      \
	"[condition held]\ntype = monotonic-jitter\nbase = 50ms\n"             \
	"jitter = 60ms\n"                                                      \
	"[condition less]\ntype = loss\nprobability = 20%\n"                   \
	"[condition bursts]\ntype = gilbert-elliott\np = 5%\nr = 25%\n"        \
	"[condition states]\ntype = gilbert-elliott\np = 5%\nr = 25%\n"        \
	"loss_bad = 50%\n"                                                     \
	"[condition link]\ntype = token-bucket\nrate = 5kbit\n"                \
	"[condition cut]\ntype = outage\nat = 1s\nfor = 1s\nevery = 5s\n"      \
	"[condition wait]\ntype = outage\nat = 1s\nfor = 1s\nmode = hold\n"    \
	"[condition other]\ntype = asked\n"

/* "dlbosq", as far as known. */
static const char *known(const struct forecast *of)
{
	static char text[8];
	const struct {
		enum forecast_way way;
		char letter;
	} all[] = { { of->delay_way, 'd' }, { of->loss_way, 'l' },
		    { of->burst_way, 'b' }, { of->order_way, 'o' },
		    { of->stops_way, 's' }, { of->queue_way, 'q' } };
	size_t n = 0;

	for (size_t i = 0; i < 6; i++)
		if (all[i].way == FORECAST_FORMULA)
			text[n++] = all[i].letter;
	text[n] = '\0';
	return text;
}

Test(forecast_stream, what_is_known_by_formula)
{
	const struct forecast_ask few = { .rate = 100.0, .packets = 500 };
	char rows[4096];

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct forecast of;

		snprintf(rows, sizeof(rows), UP "chain = %s\n%s", ways[i].chain,
			 CONDITIONS);
		of = ask(rows, &few);
		cr_assert_str_eq(known(&of), ways[i].known, "%s: %s",
				 ways[i].chain, known(&of));
	}
}

/* What is simulated is told as a rehearsal has it. */
static void as_rehearsed(const struct forecast *of,
			 const struct rehearsed *seen, double packets)
{
	double released = (double)seen->released;

	cr_assert_eq(of->simulated, packets);
	cr_assert_eq(of->median, seen->median);
	cr_assert_eq(of->p99, seen->p99);
	cr_assert_eq(of->limited, (double)seen->limited / packets);
	cr_assert_eq(of->invalid, (double)seen->invalid / packets);
	if (of->delay_way)
		cr_assert(of->mean == seen->mean &&
			  of->deviation == seen->deviation);
	if (of->range_way)
		cr_assert(of->least == seen->least && of->most == seen->most);
	if (of->loss_way)
		cr_assert_eq(of->loss, (double)seen->lost / packets);
	if (of->burst_way)
		cr_assert_eq(of->burst,
			     seen->bursts
				     ? (double)seen->lost / (double)seen->bursts
				     : 0.0);
	if (of->order_way)
		cr_assert_eq(of->reordered,
			     released > 0.0 ? (double)seen->late / released
					    : 0.0);
	if (of->queue_way)
		cr_assert(of->queue_packets == (double)seen->queue_packets &&
			  of->queue_bytes == (double)seen->queue_bytes);
	for (int i = 0; of->stops_way && i < FORECAST_TIMEOUTS; i++)
		cr_assert_eq(of->stops[i],
			     seen->gaps[i] ? (double)of->duration * 1e-9 /
						     (double)seen->gaps[i]
					   : INFINITY);
}

Test(forecast_stream, what_is_not_is_told_as_a_rehearsal_has_it)
{
	const struct forecast_ask few = { .rate = 20.0, .packets = 2000 };
	static const char *const more[] = { "", "limit_packets = 1\n" };
	const size_t n = sizeof(ways) / sizeof(ways[0]);
	char rows[4096];

	/* with room enough, and with room for one packet */
	for (size_t i = 0; i < 2 * n; i++) {
		struct rehearsal rehearsal = { .seed = 1,
					       .interval = 50 * MS,
					       .payload = 40,
					       .packets = 2000 };
		struct rehearsed seen;
		struct forecast of;

		snprintf(rows, sizeof(rows), UP "chain = %s\n%s%s",
			 ways[i % n].chain, more[i / n], CONDITIONS);
		of = ask(rows, &few);
		if (!of.simulated)
			continue;
		rehearsal.plan = &bench.arm[0]->channel[0].plan;
		for (int t = 0; t < FORECAST_TIMEOUTS; t++)
			rehearsal.timeouts[t] =
				(nsec)(forecast_timeouts[t] * 1e9);
		cr_assert(rehearse(&rehearsal, &seen));
		as_rehearsed(&of, &seen, 2000.0);
		/* what the limits drop is known by no formula */
		if (seen.limited)
			cr_assert(of.delay_way && of.loss_way && of.burst_way &&
				  of.order_way && of.stops_way && of.range_way);
	}
}
