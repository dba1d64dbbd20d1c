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

#define TRIAL "1"
struct live {
	const struct live_plan *plan;
	struct loop *loop;
	struct session *session;
	struct front *front;
	struct record *record;
	struct guard *guard;
	struct path *path; /* where the vehicle went, or NULL */
	bool vehicle;	   /* in the robot's place, inside */
	struct tally *tallies;
	size_t n_channels;
	int64_t start, wall_ahead;
	nsec next_second, drive_over;
	uint64_t clock_steps;
	bool stopping, stopped_robot;
	struct arm *arms[64]; /* adopted on the way; freed at the end */
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
 * live_open() - Open all that a run needs, in the order that it needs it
 * @live:	Live driver with @plan set
 * @user:	Who the front tells
 * @stop:	Called on SIGINT and SIGTERM
 * @reread:	Called on SIGHUP
 * @err:	Told what cannot be
 *
 * Return: 0, or -1; live_close() closes what was opened.
 */
int live_open(struct live *live, const struct front_user *user,
	      void (*stop)(void *context, int number),
	      void (*reread)(void *context, int number), struct err *err);

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
