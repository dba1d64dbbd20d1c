/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * journal.h - the events of a record, replayed: changes on the way, stops
 *
 * Floor: roof.
 *
 * A change at a time governs packets that entered then or later.  Event "arm"
 * has as its detail the file of the record that keeps the arm.
 */
#ifndef CMD_JOURNAL_H
#define CMD_JOURNAL_H

#include "cmd/rederive.h"

struct journal_event;

/**
 * struct journal - Events of a record; all zeros is none
 * @event:	Events, @n of them; those before @at are behind us
 * @stopped:	When the present trial was stopped, or NSEC_NEVER
 */
struct journal {
	const struct rederive_plan *plan;
	struct store store;
	struct journal_event *event;
	size_t n, room, at;
	nsec stopped;
};

/**
 * journal_open() - Read events.csv
 * @journal:	All zeros; filled
 * @plan:	What is compared; borrowed
 * @err:	Told what is wrong with it
 *
 * Return: 0, or -1 with @err told; journal_close() in both cases.
 */
int journal_open(struct journal *journal, const struct rederive_plan *plan,
		 struct err *err);

/**
 * journal_trial() - Go on to the start of a trial
 * @journal:	Journal
 * @session:	Session, told the changes on the way
 * @trial:	Its id
 * @err:	Told why a change cannot be replayed
 *
 * Return: 0, or -1 with @err told.
 */
int journal_trial(struct journal *journal, struct session *session,
		  const char *trial, struct err *err);

/**
 * journal_advance() - Make the changes that were made up to a time
 * @journal:	Journal
 * @session:	Session
 * @now:	Trial time
 * @err:	Told why one cannot be replayed
 *
 * Return: 0, or -1 with @err told.
 */
int journal_advance(struct journal *journal, struct session *session, nsec now,
		    struct err *err);

/* When the present trial was stopped, or NSEC_NEVER. */
nsec journal_stopped(const struct journal *journal);

/**
 * journal_close() - Free the events
 * @journal:	Journal
 */
void journal_close(struct journal *journal);

#endif /* CMD_JOURNAL_H */
