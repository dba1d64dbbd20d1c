/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * journal.c - the events of a record, replayed: changes on the way, stops
 *
 * Floor: roof.
 */
#include "cmd/journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "edge/csv.h"

struct journal_event {
	nsec now;
	const char *word, *detail;
};

static int take_event(struct journal *journal, const struct csv *csv,
		      struct err *err)
{
	struct journal_event *event;
	struct decimal time;
	int64_t now;

	if (csv->n != 3 || !decimal_read(csv->field[0], &time) || *time.unit ||
	    time.places || !decimal_scale(&time, 1, &now))
		return err_add(err,
			       "%s:%lu: an event is a time in ns, a word and a "
			       "detail",
			       csv->name, csv->line);
	if (journal->n == journal->room) {
		journal->room = journal->room ? 2 * journal->room : 256;
		journal->event =
			realloc(journal->event,
				journal->room * sizeof(*journal->event));
		if (!journal->event)
			abort();
	}
	event = &journal->event[journal->n++];
	event->now = now;
	event->word = store_text(&journal->store, csv->field[1]);
	event->detail = store_text(&journal->store, csv->field[2]);
	return 0;
}

int journal_open(struct journal *journal, const struct rederive_plan *plan,
		 struct err *err)
{
	char name[4096];
	struct csv csv;
	int got;

	journal->plan = plan;
	journal->stopped = NSEC_NEVER;
	snprintf(name, sizeof(name), "%s/events.csv", plan->folder);
	if (csv_open(&csv, name, err) < 0)
		return -1;
	got = csv_read(&csv, err);
	if (got == 1 && (csv.n != 3 || strcmp(csv.field[0], "time_ns") != 0))
		got = err_add(err,
			      "%s:1: its header is not "
			      "time_ns,event,detail",
			      name);
	while (got == 1 && (got = csv_read(&csv, err)) == 1 && !csv.cut)
		if (take_event(journal, &csv, err) < 0)
			got = -1;
	csv_close(&csv);
	return got < 0 ? -1 : 0;
}

/* The change that an event tells of, made to the session. */
static int replay(struct journal *journal, struct session *session,
		  const struct journal_event *event, struct err *err)
{
	const struct rederive_plan *plan = journal->plan;
	const struct arm *arm;
	struct err why = { 0 };

	if (strcmp(event->word, "arm") != 0)
		return 0;
	arm = plan->read_arm(plan->context, event->detail, &why);
	if (arm && !session_adopt(session, event->now, arm, &why))
		return 0;
	err_add(err,
		"%s: the change of the arm at %" PRId64 " ns cannot be "
		"replayed (%s): later packets cannot be verified",
		plan->folder, event->now, why.n ? why.line[0] : "no arm");
	err_fini(&why);
	return -1;
}

static bool is_start(const struct journal_event *event)
{
	return !strcmp(event->word, "trial-start");
}

int journal_trial(struct journal *journal, struct session *session,
		  const char *trial, struct err *err)
{
	journal->stopped = NSEC_NEVER;
	while (journal->at < journal->n) {
		const struct journal_event *event =
			&journal->event[journal->at++];

		if (is_start(event) && !strcmp(event->detail, trial))
			break;
		if (replay(journal, session, event, err) < 0)
			return -1;
	}
	for (size_t i = journal->at;
	     i < journal->n && !is_start(&journal->event[i]); i++)
		if (!strcmp(journal->event[i].word, "stopping") ||
		    !strcmp(journal->event[i].word, "trial-stop")) {
			journal->stopped = journal->event[i].now;
			break;
		}
	return 0;
}

int journal_advance(struct journal *journal, struct session *session, nsec now,
		    struct err *err)
{
	while (journal->at < journal->n &&
	       !is_start(&journal->event[journal->at]) &&
	       journal->event[journal->at].now <= now)
		if (replay(journal, session, &journal->event[journal->at++],
			   err) < 0)
			return -1;
	return 0;
}

nsec journal_stopped(const struct journal *journal)
{
	return journal->stopped;
}

void journal_close(struct journal *journal)
{
	free(journal->event);
	store_fini(&journal->store);
}
