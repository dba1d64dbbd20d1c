/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * simulate_drive.c - farlink simulate --drive: an operator and a vehicle
 *
 * Floor: roof.
 *
 * The same order of things as live: stops of [safety] at time 0; the script;
 * two seconds for the vehicle to come to rest once the uplink is empty; what
 * waits by each channel's policy; stops of [safety] behind the last command;
 * and what is still on its way down arrives.
 */
#include "cmd/simulation.h"

#include "edge/file.h"

#define REST (2 * NSEC_PER_S)

static void on_step(void *context, const struct vehicle_row *row)
{
	struct simulation *simulation = context;

	record_step(simulation->record, simulation->session, row);
	path_step(simulation->path, row,
		  session_is_scripted(simulation->session));
	if (row->time > simulation->end)
		simulation->end = row->time;
}

static void on_view(void *context, nsec now,
		    const struct reconstruction_view *view)
{
	struct simulation *simulation = context;

	record_view(simulation->record, simulation->session, now, view);
	path_view(simulation->path, view);
}

int simulation_open_drive(struct simulation *simulation, struct err *err)
{
	const char *name = simulation->options->drive;
	struct session_plan who = { .vehicle = true,
				    .stops = simulation->arm->safety.active,
				    .drive_name = name,
				    .watch = { on_step, on_view, simulation } };
	struct store store = { 0 };
	char why[256];
	int status;

	simulation->path = path_new(simulation->arm);
	who.drive = file_read(&store, name, &who.drive_size, why, sizeof(why));
	if (who.drive)
		status = session_inhabit(simulation->session, &who, err);
	else
		status = err_add(err, "%s: %s; name a drive script", name, why);
	store_fini(&store);
	return status;
}

static void inject(struct simulation *simulation, nsec now, int64_t count,
		   const char *by)
{
	if (!simulation->arm->safety.active)
		return;
	while (count-- > 0)
		session_inject(simulation->session, now, by);
}

/* Take what comes next, before a time; returns when that was. */
static nsec take_next(struct simulation *simulation, nsec before)
{
	nsec next = session_next(simulation->session);

	if (next >= before)
		return before;
	simulation_take_until(simulation, next);
	return next;
}

static bool uplink_waits(const struct simulation *simulation)
{
	const struct arm *arm = simulation->arm;

	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].plan.direction == UPLINK &&
		    session_load(simulation->session, (uint16_t)i).packets)
			return true;
	return false;
}

void simulation_drive(struct simulation *simulation)
{
	const struct arm_safety *safety = &simulation->arm->safety;
	struct session *session = simulation->session;
	nsec duration = simulation->options->duration, now = 0;

	inject(simulation, 0, safety->on_start, "on_start");
	while (session_is_driven(session) && now < duration)
		now = take_next(simulation, duration);
	if (duration == NSEC_NEVER) {
		now += REST;
		simulation_stop(simulation, now, "the drive is over");
	} else {
		now = duration;
		simulation_stop(simulation, now, "the time is over");
	}
	session_end_script(session);
	while (uplink_waits(simulation))
		now = take_next(simulation, NSEC_NEVER);
	simulation_take_until(simulation, now);
	inject(simulation, now, safety->on_exit, "on_exit");
	session_retire(session);
	simulation_take_until(simulation, NSEC_NEVER);
}
