/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live_open.c - all that a run needs, opened and closed
 *
 * Floor: edge.
 */
#include "edge/live_inside.h"

#include "edge/picture.h"
#include "edge/privilege.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_step(void *context, const struct vehicle_row *row)
{
	struct live *live = context;

	record_step(live->record, live->session, row);
	feed_step(live->feed, row);
	path_step(live->path, row, session_is_scripted(live->session));
}

static void on_view(void *context, nsec now,
		    const struct reconstruction_view *view)
{
	struct live *live = context;

	record_view(live->record, live->session, now, view);
	feed_view(live->feed, now, view);
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

	live->session = session_new(plan->arm, "1", err);
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
	live_event(live, "guard-lost", "");
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
		.precision = plan->precision,
		.monotonic_ns = live->start,
		.utc_ns = live->start + live->wall_ahead,
	};

	if (!plan->folder)
		return 0;
	live->record = record_open(&record, err);
	return live->record ? 0 : -1;
}

/* The last thing that is opened: its thread may ask at once. */
static int open_desk(struct live *live, struct err *err)
{
	const struct live_plan *plan = live->plan;
	struct desk_plan desk = {
		.arm = plan->arm,
		.control = plan->control,
		.control_is_usual = plan->control_is_usual,
		.listen = plan->listen,
		.act = live_act,
		.live = live,
		.record = live->record,
		.read_arm = plan->read_arm,
		.context = plan->context,
	};

	if (!plan->read_arm)
		return 0;
	live->exchange = exchange_new(live->loop, err);
	if (!live->exchange)
		return -1;
	desk.exchange = live->exchange;
	live->desk = desk_open(&desk, log_say, err);
	live->feed = desk_feed(live->desk);
	return live->desk ? 0 : -1;
}

/* What is said is told to those who watch, too. */
static void on_said(void *context, const char *message)
{
	struct live *live = context;

	feed_event(live->feed, live_now(live), "said", message);
}

/* All that needs more is done.  In a front's hands are its privileges; a relay
 * keeps those for large buffers and low ports, as for a robot that moves.
 */
static void confine(struct live *live)
{
	int error;

	if (live->plan->sandbox == SANDBOX_RELAY &&
	    !privilege_keep(PRIVILEGE_DIVERT))
		log_say("privileges could not be dropped");
	error = sandbox_enter(live->plan->sandbox);
	if (error)
		log_say("there is no sandbox, the kernel does not take it: %s",
			strerror(error));
}

int live_open(struct live *live, const struct front_user *user,
	      void (*stop)(void *context, int number),
	      void (*hung_up)(void *context, int number), struct err *err)
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
	/* before there is a record; but what is started stays unpinned */
	if (precision_apply(live->plan->precision, err) < 0 ||
	    open_guard(live, err) < 0 || open_record(live, err) < 0 ||
	    log_begin(err) < 0 || precision_pin(live->plan->precision, err) < 0)
		return -1;
	if (live->plan->precision)
		loop_spin(live->loop, live->plan->precision->spin);
	if (!loop_signal(live->loop, SIGINT, stop, live) ||
	    !loop_signal(live->loop, SIGTERM, stop, live) ||
	    !loop_signal(live->loop, SIGHUP, hung_up, live))
		return err_add_machine(err, "signals cannot be caught");
	log_listener(on_said, live);
	if (open_desk(live, err) < 0)
		return -1;
	confine(live);
	return 0;
}

void live_close(struct live *live, struct err *err)
{
	log_listener(NULL, NULL);
	log_end();
	exchange_end(live->exchange);
	desk_close(live->desk);
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
	exchange_free(live->exchange);
	while (live->arms) {
		struct kept_arm *kept = live->arms;

		live->arms = kept->next;
		arm_free(kept->arm);
		free(kept);
	}
	for (size_t i = 0; i < live->n_trials; i++)
		free(live->trials[i]);
	free(live->trials);
}
