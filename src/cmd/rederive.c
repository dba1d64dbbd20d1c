/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rederive.c - a record's packets put through its arm again, and compared
 *
 * Floor: roof.
 *
 * How it works
 *
 * A channel's schedule is a function of the ingress times, in the order of
 * arrival, and of nothing else.  So rows are read until the next id is there,
 * that packet is put with its recorded ingress, and what the session settles is
 * compared with its row.
 *
 * Across channels, ids need not ascend in ingress: a datagram may be read after
 * a later one.  It is never older than a second then, so packets are taken only
 * up to a second ago, lest a channel acts beyond what still enters it.
 */
#include "cmd/rederive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare.h"
#include "cmd/journal.h"
#include "cmd/witness.h"
#include "edge/row.h"

#define LAG NSEC_PER_S

/* Duplicates, which have the ids of their originals: how many, and a sum over
 * ids and times.
 */
struct copies {
	uint64_t n, sum;
};

/**
 * struct derivation - What is going on
 * @journal:	What the events say: changes on the way, ends of trials
 * @witness:	What captures and summary say
 * @trial:	Present trial; @names keeps its texts
 * @latest:	Latest ingress put so far
 * @lag:	How far behind it packets are taken
 * @recorded:	Duplicates of the trial; @derived: those that its arm makes
 * @passed:	Whether the packet compared last is recorded to have been due
 */
struct derivation {
	const struct rederive_plan *plan;
	struct rederive_counts *counts;
	struct err *err;
	struct csv csv;
	struct session *session;
	struct window window;
	struct journal journal;
	struct witness witness;
	struct store names;
	const char *trial, *reasons[64];
	size_t n_reasons;
	nsec latest, lag;
	struct copies recorded, derived;
	bool passed;
};

static void add_copy(struct copies *copies, uint64_t id, nsec due)
{
	copies->n++;
	copies->sum += (id + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)due;
}

/* "packet 17 of trial 1 (uplink command)", before what is wrong with it. */
static int told(const struct derivation *derivation, uint64_t id,
		const struct kept *kept, struct err *why)
{
	const struct arm *arm = derivation->plan->arm;
	const char *stream = "no channel";

	if (kept->channel != CHANNEL_NONE)
		stream = arm->channel[kept->channel].plan.stream;
	err_add(derivation->err,
		"%s:%lu: packet %" PRIu64 " of trial %s (%s %s): %s",
		derivation->csv.name, kept->line, id, derivation->trial,
		direction_name((enum direction)kept->direction), stream,
		why->n ? why->line[0] : "?");
	err_fini(why);
	return -1;
}

/* A reason is kept once, however many packets it took. */
static const char *reason(struct derivation *derivation, const char *by)
{
	for (size_t i = 0; i < derivation->n_reasons; i++)
		if (!strcmp(derivation->reasons[i], by))
			return derivation->reasons[i];
	by = store_text(&derivation->names, by);
	if (derivation->n_reasons < 64)
		derivation->reasons[derivation->n_reasons++] = by;
	return by;
}

static int compare(struct derivation *derivation, struct packet *packet)
{
	struct kept *kept = window_at(&derivation->window, packet->id);
	struct err why = { 0 };
	int same = 0;

	if (packet_is_copy(packet)) { /* it follows its original */
		if (derivation->passed)
			add_copy(&derivation->derived, packet->id, packet->due);
		session_give(derivation->session, packet);
		return 0;
	}
	derivation->passed =
		kept->fate == FATE_RELEASED || !strcmp(kept->by, "send");
	if (kept->channel != CHANNEL_NONE)
		same = compare_packet(kept, packet,
				      journal_stopped(&derivation->journal),
				      &why);
	if (same < 0)
		told(derivation, packet->id, kept, &why);
	else
		derivation->counts->packets++;
	session_give(derivation->session, packet);
	window_done(&derivation->window, kept);
	return same;
}

static int take_until(struct derivation *derivation, nsec now)
{
	struct packet *packet;

	while ((packet = session_take(derivation->session, now)))
		if (compare(derivation, packet) < 0)
			return -1;
	return 0;
}

/* A packet to fill; what is settled already makes room where it must. */
static struct packet *new_packet(struct derivation *derivation, uint32_t len)
{
	struct packet *packet = session_packet(derivation->session, len);

	for (nsec lag = derivation->lag; !packet && lag > 0; lag /= 8) {
		if (take_until(derivation, derivation->latest - lag / 8) < 0)
			return NULL;
		packet = session_packet(derivation->session, len);
	}
	if (!packet)
		err_add_machine(derivation->err, "%s: no room for a packet",
				derivation->plan->folder);
	return packet;
}

static int feed(struct derivation *derivation)
{
	uint64_t id = derivation->window.fed++;
	struct kept *kept = window_at(&derivation->window, id);
	struct err why = { 0 };
	struct witness_packet like;
	struct packet *packet;

	if (journal_advance(&derivation->journal, derivation->session,
			    kept->ingress, derivation->err) < 0)
		return -1;
	if (witness_next(&derivation->witness, kept, &like, &why) < 0)
		return told(derivation, id, kept, &why);
	packet = new_packet(derivation, like.len);
	if (!packet)
		return -1;
	if (like.ip)
		memcpy(packet->ip, like.ip, like.len);
	else
		memset(packet->ip, 0, like.len);
	packet->payload = like.payload;
	if (kept->channel == CHANNEL_NONE)
		session_refuse(derivation->session, kept->ingress,
			       (enum direction)kept->direction, packet);
	else
		session_put_channel(derivation->session, kept->ingress,
				    kept->channel, packet);
	if (kept->ingress > derivation->latest)
		derivation->latest = kept->ingress;
	return take_until(derivation, derivation->latest - derivation->lag);
}

static int finish_trial(struct derivation *derivation)
{
	struct window *window = &derivation->window;

	if (!derivation->trial)
		return 0;
	if (window->fed < window->top)
		return err_add(derivation->err,
			       "%s: packet %" PRIu64 " of trial %s is not "
			       "there, but packet %" PRIu64 " is: rows were "
			       "lost",
			       derivation->csv.name, window->fed,
			       derivation->trial, window->top - 1);
	if (take_until(derivation, NSEC_NEVER) < 0)
		return -1;
	window_fini(window);
	if (derivation->recorded.n != derivation->derived.n ||
	    derivation->recorded.sum != derivation->derived.sum)
		return err_add(derivation->err,
			       "%s: trial %s: %" PRIu64
			       " duplicates are recorded; re-derived are "
			       "%" PRIu64 ", or others",
			       derivation->csv.name, derivation->trial,
			       derivation->recorded.n, derivation->derived.n);
	derivation->recorded = derivation->derived = (struct copies){ 0 };
	derivation->counts->trials++;
	/* changes that no packet came after: the summary has the last seed */
	if (journal_advance(&derivation->journal, derivation->session,
			    NSEC_NEVER, derivation->err) < 0)
		return -1;
	return witness_trial(&derivation->witness, derivation->trial,
			     session_seed(derivation->session),
			     derivation->err);
}

static int begin_trial(struct derivation *derivation, const char *trial)
{
	if (finish_trial(derivation) < 0)
		return -1;
	derivation->trial = store_text(&derivation->names, trial);
	derivation->latest = 0;
	if (journal_trial(&derivation->journal, derivation->session, trial,
			  derivation->err) < 0)
		return -1;
	session_reset(derivation->session, trial);
	return witness_begin(&derivation->witness, trial, derivation->err);
}

static int find_channel(const struct derivation *derivation,
			const struct row *row, uint16_t *channel)
{
	const struct arm *arm = derivation->plan->arm;

	*channel = CHANNEL_NONE;
	if (!*row->stream)
		return 0;
	for (uint16_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].plan.direction == row->direction &&
		    !strcmp(arm->channel[i].plan.stream, row->stream)) {
			*channel = i;
			return 0;
		}
	return err_add(derivation->err, "%s:%lu: the arm has no channel %s %s",
		       derivation->csv.name, derivation->csv.line,
		       direction_name((enum direction)row->direction),
		       row->stream);
}

/* Whether the row begins another trial. */
static bool is_new_trial(const struct derivation *derivation,
			 const struct row *row)
{
	const struct window *window = &derivation->window;

	if (!derivation->trial || strcmp(row->trial, derivation->trial) != 0)
		return true;
	return row->id < window->fed && window->fed == window->top &&
	       witness_repeats(&derivation->witness);
}

static int take_row(struct derivation *derivation, const struct row *row)
{
	struct kept *kept;
	uint16_t channel;

	if (is_new_trial(derivation, row) &&
	    begin_trial(derivation, row->trial) < 0)
		return -1;
	if (find_channel(derivation, row, &channel) < 0)
		return -1;
	witness_count(&derivation->witness, row, channel);
	if (!strcmp(row->by, BY_DUPLICATE)) {
		add_copy(&derivation->recorded, row->id, row->due);
		return 0;
	}
	/* a stop of ours has its place in the sequence, but no channel */
	if (row->fate == FATE_INJECTED)
		channel = CHANNEL_NONE;
	kept = window_put(&derivation->window, row->id);
	if (!kept)
		return err_add(derivation->err,
			       "%s:%lu: packet %" PRIu64 " of trial %s stands "
			       "there twice, or is out of sequence",
			       derivation->csv.name, derivation->csv.line,
			       row->id, row->trial);
	kept->by = reason(derivation, row->by);
	kept->line = derivation->csv.line;
	kept->ingress = row->ingress;
	kept->due = row->due;
	kept->released = row->released;
	kept->size = row->size;
	kept->channel = channel;
	kept->direction = row->direction;
	kept->fate = row->fate;
	while (window_at(&derivation->window, derivation->window.fed))
		if (feed(derivation) < 0)
			return -1;
	return 0;
}

static int read_header(struct derivation *derivation)
{
	static const char header[] = ROW_HEADER;
	struct csv *csv = &derivation->csv;
	const char *at = header;
	int got = csv_read(csv, derivation->err);

	for (size_t i = 0; got == 1 && i < csv->n; i++) {
		size_t len = strcspn(at, ",");

		if (strlen(csv->field[i]) != len ||
		    memcmp(csv->field[i], at, len) != 0)
			break;
		at += len + (at[len] == ',');
	}
	if (got == 1 && !*at)
		return 0;
	return err_add(derivation->err, "%s:1: its header is not %s", csv->name,
		       header);
}

static int read_rows(struct derivation *derivation)
{
	struct csv *csv = &derivation->csv;
	struct row row;
	int got;

	if (read_header(derivation) < 0)
		return -1;
	while ((got = csv_read(csv, derivation->err)) == 1) {
		if (csv->cut)
			return err_add(derivation->err,
				       "%s:%lu: the last row is cut off: the "
				       "run did not end by itself",
				       csv->name, csv->line);
		if (row_parse(csv, &row, derivation->err) < 0 ||
		    take_row(derivation, &row) < 0)
			return -1;
	}
	if (got < 0 || finish_trial(derivation) < 0)
		return -1;
	return witness_end(&derivation->witness, derivation->err);
}

int rederive(const struct rederive_plan *plan, struct rederive_counts *counts,
	     struct err *err)
{
	struct derivation *derivation = calloc(1, sizeof(*derivation));
	char name[4096];
	int same = -1;

	if (!derivation)
		abort();
	*counts = (struct rederive_counts){ 0 };
	derivation->plan = plan;
	derivation->counts = counts;
	derivation->err = err;
	if (strcmp(plan->manifest->command, "simulate") != 0)
		derivation->lag = LAG;
	snprintf(name, sizeof(name), "%s/packets.csv", plan->folder);
	derivation->session = session_new(plan->arm, "", err);
	if (derivation->session && !csv_open(&derivation->csv, name, err)) {
		if (!journal_open(&derivation->journal, plan, err) &&
		    !witness_open(&derivation->witness, plan, err))
			same = read_rows(derivation);
		csv_close(&derivation->csv);
	}
	journal_close(&derivation->journal);
	witness_close(&derivation->witness);
	window_fini(&derivation->window);
	session_free(derivation->session);
	store_fini(&derivation->names);
	free(derivation);
	return same;
}
