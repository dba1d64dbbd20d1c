/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live.h - a session driven by the clock and by a front
 *
 * Floor: edge.
 */
#ifndef EDGE_LIVE_H
#define EDGE_LIVE_H

#include "core/tally.h"
#include "edge/front.h"
#include "edge/path.h"
#include "edge/record.h"

/**
 * struct live_view - What a watcher is shown, once a second and at the end
 * @session:	Session
 * @tallies:	One for each channel, and one for packets that fit none
 * @counts:	What the front has seen
 * @now:	Trial time
 * @lost:	Rows and captured packets that the record lost
 * @path:	Where the vehicle model went, or NULL
 */
struct live_view {
	const struct session *session;
	const struct tally *tallies;
	struct front_counts counts;
	nsec now;
	uint64_t lost;
	const struct path *path;
};

/**
 * struct live_plan - What runs
 * @arm:	Arm; borrowed
 * @front:	How packets get in and out
 * @folder:	Folder of the record, or NULL
 * @duration:	Ends by itself then; NSEC_NEVER: on a signal
 * @loopback:	Everything on 127.0.0.1, the vehicle model in the robot's place
 * @drive:	A drive script's text: an operator inside, in the headset's
 *		place; or NULL
 * @drive_size:	Its size
 * @drive_name:	Its name, for faults
 * @ready:	Called when all is open, before anything is taken in; or NULL
 * @stopping:	Called when the end begins, before the front stops; or NULL
 * @watch:	Called once a second, or NULL
 * @hung_up:	Called on SIGHUP: whether it means that the terminal is gone,
 *		and the run is over; or NULL
 * @reread:	Called on another SIGHUP: the arm read anew, or NULL
 * @context:	Handed to all of them
 */
struct live_plan {
	struct arm *arm;
	const struct front_kind *front;
	const char *folder;
	nsec duration;
	bool loopback;
	const char *drive, *drive_name;
	size_t drive_size;
	void (*ready)(void *context);
	void (*stopping)(void *context);
	void (*watch)(void *context, const struct live_view *view);
	bool (*hung_up)(void *context);
	struct arm *(*reread)(void *context);
	void *context;
};

/**
 * live_run() - Run until the duration is over or a signal says so
 * @plan:	What runs
 * @end:	Called with the last view and the verdict's report, before all
 *		is freed; or NULL
 * @err:	Told why it could not run, or what the record could not write
 *
 * Return: 0, or -1 with @err told.
 */
int live_run(const struct live_plan *plan,
	     void (*end)(void *context, const struct live_view *view,
			 const struct trial_report *report),
	     struct err *err);

#endif /* EDGE_LIVE_H */
