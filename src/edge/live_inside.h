/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live_inside.h - what the files of the live driver share
 *
 * Floor: edge.
 */
#ifndef EDGE_LIVE_INSIDE_H
#define EDGE_LIVE_INSIDE_H

#include "edge/guard.h"
#include "edge/live.h"
#include "edge/log.h"

/* An arm that was adopted: it lives as long as the run. */
struct kept_arm {
	struct kept_arm *next;
	struct arm *arm;
};

/**
 * struct live - A run
 * @run_start:	Monotonic time at which it began
 * @start:	The same of the present trial
 * @trial:	Id of the present trial; @between: it is none
 * @trials:	Ids that were used; @n_trials of them, @n_between are not trials
 * @changes:	Changes of the arm in the present trial
 * @lost_before: Rows lost before it
 * @before:	What the front had seen when the trial began; @seen: at the
 *		latest report, which is where the next trial's counts begin
 * @steered:	The desk starts and stops trials
 * @arms:	Adopted on the way, the latest first; @n_arms of them
 */
struct live {
	const struct live_plan *plan;
	struct loop *loop;
	struct session *session;
	struct front *front;
	struct record *record;
	struct guard *guard;
	struct exchange *exchange;
	struct desk *desk;
	struct feed *feed;
	struct path *path; /* where the vehicle went, or NULL */
	bool vehicle;	   /* in the robot's place, inside */
	struct tally *tallies;
	size_t n_channels;
	int64_t run_start, start, wall_ahead;
	char trial[128];
	bool between, steered;
	char **trials;
	size_t n_trials, n_between;
	uint64_t changes, lost_before;
	struct front_counts before, seen;
	nsec next_second, drive_over;
	uint64_t clock_steps;
	bool stopping, stopped_robot;
	struct kept_arm *arms;
	size_t n_arms;
	struct log_limit limit_limit, invalid_limit;
	uint64_t refused; /* commands, as told at @refused_at */
	int64_t refused_at;
};

/**
 * live_now() - Trial time
 * @live:	Live driver
 *
 * Return: ns.
 */
nsec live_now(const struct live *live);

/**
 * live_event() - Write an event down, and tell those who watch
 * @live:	Live driver
 * @event:	One word
 * @detail:	Anything, or ""
 */
void live_event(struct live *live, const char *event, const char *detail);

/* The same, with the trial time at which it was. */
void live_event_at(struct live *live, nsec now, const char *event,
		   const char *detail);

/**
 * live_release() - Take all that is due, and send it
 * @live:	Live driver
 */
void live_release(struct live *live);

/**
 * live_inject() - Send stops of our own
 * @live:	Live driver of an arm with [safety]
 * @count:	How many
 * @by:		Why
 */
void live_inject(struct live *live, int64_t count, const char *by);

/**
 * live_flush() - Drop what waits in channels
 * @live:	Live driver
 * @only:	EXIT_DROP: those that a stop drops; negative: all
 * @by:		"reset" or "shutdown"
 */
void live_flush(struct live *live, int only, const char *by);

/**
 * live_stop() - Begin the end of the run
 * @live:	Live driver
 * @why:	For the record
 */
void live_stop(struct live *live, const char *why);

/**
 * live_begin() - Begin a trial, at once
 * @live:	Live driver; nothing is inside
 * @id:		Its id
 * @between:	It is none, but what passes between two
 */
void live_begin(struct live *live, const char *id, bool between);

/**
 * live_report() - What is known of the present trial
 * @live:	Live driver
 * @report:	Filled
 */
void live_report(struct live *live, struct trial_report *report);

/**
 * live_switch() - End the present trial, and begin another
 * @live:	Live driver
 * @id:		Its id, or "" for what passes between two trials
 */
void live_switch(struct live *live, const char *id);

/**
 * live_is_used() - Whether a trial of the run has had an id
 * @live:	Live driver
 * @id:		The id
 *
 * Return: whether.
 */
bool live_is_used(const struct live *live, const char *id);

/**
 * live_act() - Do an errand
 * @context:	struct live
 * @errand:	Errand
 */
void live_act(void *context, struct errand *errand);

/**
 * live_open() - Open all that a run needs, in the order that it needs it
 * @live:	Live driver with @plan set
 * @user:	Who the front tells
 * @stop:	Called on SIGINT and SIGTERM
 * @hung_up:	Called on SIGHUP
 * @err:	Told what cannot be
 *
 * Return: 0, or -1; live_close() closes what was opened.
 */
int live_open(struct live *live, const struct front_user *user,
	      void (*stop)(void *context, int number),
	      void (*hung_up)(void *context, int number), struct err *err);

/**
 * live_close() - Close all, in the reverse order
 * @live:	Live driver
 * @err:	Told what the record could not write
 */
void live_close(struct live *live, struct err *err);

/**
 * live_tell_refused() - Say and write down what the vehicle model refused
 * @live:	Live driver
 * @last:	It is the end; else at most once a second
 */
void live_tell_refused(struct live *live, bool last);

#endif /* EDGE_LIVE_INSIDE_H */
