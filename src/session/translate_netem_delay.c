/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_netem_delay.c - what a tc-netem line delays
 *
 * Floor: session.
 *
 * Order of the stages: netem draws the delay when a packet comes, makes it wait
 * for the rate behind that, and for a slot when it is due.
 */
#include <inttypes.h>
#include <string.h>

#include "session/law.h"
#include "session/netem.h"
#include "session/translate_netem.h"

#define LIMIT_PRESET 1000
/* The largest jitter that netem keeps: 31 bits of nanoseconds. */
#define JITTER_MAX INT64_C(2147483647)

/* The tables that tc ships are not of standard deviation 1. */
static const struct netem_table {
	const char *name, *law;
	double mean, deviation;
	const char *range;
} tables[] = {
	{ "normal", "normal", 0.0, 1.0, "-4 to +3.52" },
	{ "pareto", "pareto", -0.0335, 0.82, "cut at +4" },
	{ "paretonormal", "normal", 0.0, 0.834, "cut at +4" },
	{ "experimental", "normal", 0.0, 0.879, "cut at +4" },
};

static void write_table(const struct netem_line *line, struct translating *t,
			struct text *text)
{
	const struct netem_table *table = NULL;
	struct said mean, deviation;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].name, line->table))
			table = &tables[i];
	if (!strcmp(line->table, "uniform")) {
		text_add(text, "distribution = uniform\n");
		translate_note(t, "distribution uniform: tc refuses it, as no "
				  "uniform.dist is shipped; uniform is what "
				  "netem does without a distribution, and what "
				  "the arm does.");
		return;
	}
	text_add(text,
		 "; netem's own table:\n"
		 "; distribution = table:/usr/lib/tc/%s.dist\n"
		 "distribution = %s\n",
		 line->table, table ? table->law : "normal");
	if (!table) {
		translate_note(t,
			       "distribution %s is a table of your own: put "
			       "%s.dist beside the arm and write "
			       "distribution = table:%s.dist; until then "
			       "the arm draws a normal one.  netem cuts "
			       "tables at 4 jitters and keeps 16 bits.",
			       line->table, line->table, line->table);
		return;
	}
	translate_note(
		t,
		"distribution %s: the table that tc ships (in jitters: "
		"%s) made a mean of %s and a standard deviation of %s.  "
		"The arm draws a %s one whose standard deviation is "
		"the jitter as written; the table itself can be named "
		"instead.",
		table->name, table->range,
		said_delay(&mean, (double)line->delay +
					  table->mean * (double)line->jitter),
		said_delay(&deviation, table->deviation * (double)line->jitter),
		table->law);
}

static bool has_table(const struct netem_line *line)
{
	return line->table && line->delay && line->jitter;
}

/* What netem draws, as a law: its tables are near enough to normal. */
static struct spread spread_of(const struct netem_line *line)
{
	struct spread spread = { .base = (double)line->delay,
				 .jitter = (double)line->jitter };

	if (has_table(line) && strcmp(line->table, "uniform") != 0)
		spread.distribution.kind = strcmp(line->table, "pareto")
						   ? DISTRIBUTION_NORMAL
						   : DISTRIBUTION_PARETO;
	return spread;
}

static void note_order(const struct netem_line *line, struct translating *t)
{
	struct spread spread = spread_of(line);
	struct said slow, medium, fast;

	translate_note(t,
		       "jitter reorders: of evenly spaced packets %s arrive "
		       "behind a later one at 10 packets/s, %s at 100, %s at "
		       "1000.  The arm does the same (type = jitter); for "
		       "order kept with the same distribution write type = "
		       "smooth-jitter and no correlation.",
		       said_share(&slow, law_reordered(&spread, 1e8, 0.0)),
		       said_share(&medium, law_reordered(&spread, 1e7, 0.0)),
		       said_share(&fast, law_reordered(&spread, 1e6, 0.0)));
}

static void note_floor(const struct netem_line *line, struct translating *t)
{
	struct spread spread = spread_of(line);
	struct law law = { 0 };
	struct said share, mean, asked;

	law_spread(&spread, &law);
	if (law.zero < 1e-4)
		return;
	translate_note(t,
		       "%s of delays come out negative and are sent at once, "
		       "so the mean was %s, not %s.  The arm floors them at "
		       "zero, which is the same.",
		       said_share(&share, law.zero),
		       said_delay(&mean, law.mean),
		       said_delay(&asked, (double)line->delay));
}

/* Returns whether any of the correlation was left. */
static bool note_correlation(const struct netem_line *line,
			     struct translating *t)
{
	struct netem_delay left = { 0.0, 0.0 };
	struct said asked, got, jitter, mean;

	/* a table is indexed by the low bits, where nothing is left */
	if (!has_table(line))
		left = netem_delay(line->jitter < JITTER_MAX ? line->jitter
							     : JITTER_MAX,
				   line->correlation);
	said_share(&asked, line->correlation);
	said_delay(&jitter, (double)line->jitter);
	if (fabs(left.correlation) < 0.05 && fabs(left.mean) < 0.05) {
		translate_note(t,
			       "the delay's correlation of %s had no effect at "
			       "a jitter of %s: netem keeps only the low bits "
			       "of the blend, which are random.  The arm "
			       "correlates as asked; leave correlation out to "
			       "repeat what was done.",
			       asked.text, jitter.text);
		return false;
	}
	translate_note(
		t,
		"the delay's correlation of %s came to %s at a jitter "
		"of %s, and moved the mean to %s.  The arm correlates as "
		"asked and keeps the mean.",
		asked.text, said_number(&got, left.correlation, 2), jitter.text,
		said_delay(&mean, (double)line->delay +
					  left.mean * (double)line->jitter));
	return true;
}

static void write_jitter(const struct netem_line *line, struct translating *t)
{
	/* with a rate netem keeps order, and so does the arm */
	struct text *text =
		translate_begin(t, line->rate ? "monotonic-jitter" : "jitter");
	bool alike = false; /* draws that follow each other */

	translate_row_time(text, "base", line->delay);
	translate_row_time(text, "jitter", line->jitter);
	if (has_table(line))
		write_table(line, t, text);
	else
		translate_note(t, "jitter without a distribution is uniform, "
				  "delay \xc2\xb1 jitter; the arm's too.");
	if (line->correlation >= 1.0) {
		alike = true;
		translate_note(t, "the delay's correlation of 100 %% never "
				  "changes from what netem drew first, "
				  "unseeded: all packets had one delay.  The "
				  "arm draws each on its own.");
	} else if (line->correlation > 0.0) {
		translate_row_share(text, "correlation", line->correlation);
		alike = note_correlation(line, t);
	}
	if (line->jitter > JITTER_MAX)
		translate_note(t, "netem cut the jitter to 2.147 s; the arm "
				  "does not.");
	note_floor(line, t);
	if (!line->rate && !alike)
		note_order(line, t);
	if (line->rate)
		translate_note(t,
			       "rate behind jitter keeps order by holding "
			       "packets back, which raises the mean and "
			       "shrinks the spread, the more so the faster "
			       "the stream (asked for 50 \xc2\xb1 20 ms at "
			       "1000 packets/s, netem made 64 ms with a "
			       "standard deviation of 3.5 ms).  The arm does "
			       "the same (monotonic-jitter); smooth-jitter "
			       "keeps both.");
}

/* Those that overtake are spared the delay: the others are held for it. */
static void write_reorder(const struct netem_line *line, struct translating *t)
{
	double share = line->reorder.share, real, gap = (double)line->gap;
	struct text *text = translate_begin(t, "reorder");
	struct said asked, got, delay;

	real = netem_share(share, line->reorder.correlation);
	if (gap > 1.0) {
		share = share > 0.0 ? 1.0 / (gap - 1.0 + 1.0 / share) : 0.0;
		real = real > 0.0 ? 1.0 / (gap - 1.0 + 1.0 / real) : 0.0;
	}
	translate_row_share(text, "probability", 1.0 - share);
	translate_row_time(text, "hold", line->delay);
	said_share(&asked, share);
	said_share(&got, real);
	translate_note(
		t,
		"reorder: a packet that overtakes is sent at once, early "
		"by the whole delay of %s, so how many it overtakes is "
		"delay times packet rate.  Asked for %s, netem did it to "
		"%s of packets.  The arm holds all others for the delay "
		"(probability = 100 %% less that share), which is the "
		"same.",
		said_delay(&delay, (double)line->delay), asked.text, got.text);
	if (gap > 1.0)
		translate_note(t,
			       "gap %" PRId64 ": netem lets a packet overtake "
			       "only after %" PRId64
			       " were delayed, regularly; "
			       "the arm draws the same share at random.",
			       line->gap, line->gap - 1);
	if (line->jitter)
		translate_note(t, "jitter together with reorder: the arm holds "
				  "packets for the delay alone.  A jitter of "
				  "its own reorders too.");
}

static void write_rate(const struct netem_line *line, struct translating *t)
{
	struct text *text = translate_begin(t, "token-bucket");

	text_add(text, "rate = %" PRId64 "bit\nmeasure = ethernet\n",
		 line->rate);
	if (line->overhead)
		text_add(text, "overhead = %" PRId64 "B\n", line->overhead);
	translate_row_time(text, "max_wait", DELAY_MAX / 2);
	translate_note(t, "rate serialises Ethernet frames (the IP packet and "
			  "14 bytes) behind the delay, without a burst, and "
			  "its queue ends only at limit.  The arm does the "
			  "same; max_wait bounds the wait in time.");
	if (line->cell)
		translate_note(t,
			       "cells of %" PRId64 " bytes: the arm counts "
			       "packets as they are, without rounding up to "
			       "cells.",
			       line->cell);
}

static void write_slot(const struct netem_line *line, struct translating *t)
{
	struct text *text = translate_begin(t, "slot");
	nsec middle = (line->slot_least + line->slot_most) / 2;
	nsec jitter = (line->slot_most - line->slot_least) / 2;

	translate_row_time(text, "interval", middle);
	translate_row_time(text, "jitter",
			   jitter < middle / 2 ? jitter : middle / 2);
	if (line->slot_packets)
		translate_row_count(text, "packets", line->slot_packets);
	if (line->slot_bytes)
		text_add(text, "bytes = %" PRId64 "B\n", line->slot_bytes);
	translate_note(t,
		       "slot: netem draws each slot from the last one, "
		       "unseeded; the arm's slots stray around a steady "
		       "clock, by the seed%s.",
		       jitter > middle / 2 ? ", by half the interval at most"
					   : "");
}

static void note_limit(const struct netem_line *line, struct translating *t)
{
	int64_t limit = line->limit ? line->limit : LIMIT_PRESET;
	struct said cap;

	if (line->limit || line->rate)
		translate_channel_row(t, "limit_packets = %" PRId64, limit);
	if (line->delay)
		translate_note(
			t,
			"limit %" PRId64 "%s counts packets in delay: above "
			"%s packets/s netem drops the rest and says nothing.  "
			"%s",
			limit,
			line->limit ? "" : " (tc's own, as none is given)",
			said_number(&cap,
				    (double)limit * 1e9 / (double)line->delay,
				    3),
			line->limit || line->rate
				? "The arm drops the same, as limit, and says "
				  "so."
				: "The arm has no such limit: it holds 100000 "
				  "packets.");
	else if (line->rate)
		translate_note(t,
			       "limit %" PRId64 " packets is the queue of "
			       "the rate; the arm has the same.",
			       limit);
}

void netem_line_delays(const struct netem_line *line, struct translating *t)
{
	struct text *text;

	if (line->reorder.said) {
		write_reorder(line, t);
	} else if (line->jitter) {
		write_jitter(line, t);
	} else if (line->delay) {
		text = translate_begin(t, "delay");
		translate_row_time(text, "delay", line->delay);
	}
	if (line->rate)
		write_rate(line, t);
	if (line->slot_most)
		write_slot(line, t);
	note_limit(line, t);
}
