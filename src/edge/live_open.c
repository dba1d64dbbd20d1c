/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live_open.c - all that a run needs, opened and closed
 *
 * Floor: edge.
 */
#include "edge/live_inside.h"

#include "edge/picture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void on_step(void *context, const struct vehicle_row *row)
{
	struct live *live = context;

	record_step(live->record, live->session, row);
	path_step(live->path, row, session_is_scripted(live->session));
}

static void on_view(void *context, nsec now,
		    const struct reconstruction_view *view)
{
	struct live *live = context;

	record_view(live->record, live->session, now, view);
	if (live->path)
		path_view(live->path, view);
}

/* The session, with whoever lives in it. */
static int open_session(struct live *live, struct err *err)
{
	const struct live_plan *plan = live->plan;
	const struct session_plan who = {
		.vehicle = live->vehicle,
		.stops = plan->arm->safety.active,
		.drive = plan->drive,
		.drive_size = plan->drive_size,
		.drive_name = plan->drive_name,
		.watch = { on_step, on_view, live },
	};

	live->session = session_new(plan->arm, TRIAL, err);
	if (!live->session)
		return -1;
	if (!who.vehicle && !who.stops && !who.drive)
		return 0;
	return session_inhabit(live->session, &who, err);
}

static void guard_died(void *context)
{
	struct live *live = context;

	log_say("the guard process died: if farlink dies too, nobody stops "
		"the robot");
	record_event(live->record, live_now(live), "guard-lost", "");
	loop_unwatch(live->loop, guard_fd(live->guard));
}

/* Before any thread is started. */
static int open_guard(struct live *live, struct err *err)
{
	const struct arm_safety *safety = &live->plan->arm->safety;
	char events[4096];
	struct guard_plan plan = { .stop = safety->stop,
				   .count = (unsigned)safety->on_exit,
				   .start = live->start };

	if (!safety->active || !safety->on_exit)
		return 0;
	plan.fd = live->plan->front->robot_end(live->front, safety->channel,
					       &plan.to);
	if (plan.fd < 0)
		return 0; /* the vehicle model ends with the proxy */
	if (live->plan->folder) {
		snprintf(events, sizeof(events), "%s/events.csv",
			 live->plan->folder);
		plan.events = events;
	}
	live->guard = guard_start(&plan, err);
	if (!live->guard)
		return -1;
	if (!loop_watch(live->loop, guard_fd(live->guard), guard_died, live))
		return err_add_machine(err, "the guard cannot be watched");
	return 0;
}

static int open_front(struct live *live, const struct front_user *user,
		      struct err *err)
{
	const struct front_plan front = {
		.loop = live->loop,
		.session = live->session,
		.user = *user,
		.loopback = live->plan->loopback,
		.vehicle = live->vehicle,
	};

	live->front = live->plan->front->open(&front, err);
	return live->front ? 0 : -1;
}

static int open_record(struct live *live, struct err *err)
{
	const struct live_plan *plan = live->plan;
	const struct record_plan record = {
		.folder = plan->folder,
		.arm = plan->arm,
		.command = "run",
		.pcap = plan->arm->record.pcap,
		.vehicle = live->vehicle || plan->drive,
		.monotonic_ns = live->start,
		.utc_ns = live->start + live->wall_ahead,
	};

	if (!plan->folder)
		return 0;
	live->record = record_open(&record, err);
	return live->record ? 0 : -1;
}

int live_open(struct live *live, const struct front_user *user,
	      void (*stop)(void *context, int number),
	      void (*reread)(void *context, int number), struct err *err)
{
	const struct arm *arm = live->plan->arm;

	live->vehicle = live->plan->loopback || arm->link.internal;
	live->n_channels = arm->n_channels;
	if (live->vehicle)
		live->path = path_new(arm);
	live->tallies = calloc(live->n_channels + 1, sizeof(*live->tallies));
	if (!live->tallies)
		abort();
	live->loop = loop_new(err);
	if (!live->loop || open_session(live, err) < 0 ||
	    open_front(live, user, err) < 0)
		return -1;
	live->start = loop_clock();
	live->wall_ahead = loop_wall() - live->start;
	if (open_guard(live, err) < 0 || open_record(live, err) < 0)
		return -1;
	if (!loop_signal(live->loop, SIGINT, stop, live) ||
	    !loop_signal(live->loop, SIGTERM, stop, live) ||
	    !loop_signal(live->loop, SIGHUP, reread, live))
		return err_add_machine(err, "signals cannot be caught");
	return 0;
}

void live_close(struct live *live, struct err *err)
{
	guard_end(live->guard);
	record_close(live->record, err);
	/* a vehicle that turned has a record that was opened */
	if (live->plan->folder && live->path && live->path->turned)
		(void)picture_write(live->path, live->plan->arm,
				    live->plan->folder, err);
	path_free(live->path);
	if (live->front)
		live->plan->front->close(live->front);
	session_free(live->session);
	loop_free(live->loop);
	free(live->tallies);
	for (size_t i = 0; i < live->n_arms; i++)
		arm_free(live->arms[i]);
}
