/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live.h - a session driven by the clock and by a front
 *
 * Floor: edge.
 */
#ifndef EDGE_LIVE_H
#define EDGE_LIVE_H

#include "core/tally.h"
#include "edge/desk.h"
#include "edge/front.h"
#include "edge/path.h"
#include "edge/precision.h"
#include "edge/record.h"
#include "edge/sandbox.h"

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
 * @precision:	What is asked of the machine; or NULL
 * @sandbox:	What it gives up once all is open
 * @duration:	Ends by itself then; NSEC_NEVER: on a signal
 * @loopback:	Everything on 127.0.0.1, the vehicle model in the robot's place
 * @drive:	A drive script's text: an operator inside, in the headset's
 *		place; or NULL
 * @drive_size:	Its size
 * @drive_name:	Its name, for faults
 * @trial:	Id of the first trial; NULL: "1"
 * @waits:	No trial runs until one is started by the desk
 * @control:	Path of the control socket, or NULL; @control_is_usual: the run
 *		can do without
 * @listen:	ADDRESS:PORT of the page, or NULL
 * @read_arm:	For the desk: reads the arm of a file, or of @text where that is
 *		not NULL, with changes; NULL with @err told; NULL: no desk
 * @trial_ended: Called when a trial that is not the last one is over, or NULL
 * @ready:	Called when all is open, before anything is taken in; or NULL
 * @stopping:	Called when the end begins, before the front stops; or NULL
 * @watch:	Called once a second, or NULL
 * @hung_up:	Called on SIGHUP: whether it means that the terminal is gone,
 *		and the run is over; or NULL
 * @context:	Handed to all of them
 */
struct live_plan {
	struct arm *arm;
	const struct front_kind *front;
	const char *folder;
	const struct precision *precision;
	enum sandbox sandbox;
	nsec duration;
	bool loopback;
	const char *drive, *drive_name;
	size_t drive_size;
	const char *trial, *control, *listen;
	bool waits, control_is_usual;
	struct arm *(*read_arm)(void *context, const struct desk_source *source,
				struct err *err);
	void (*trial_ended)(void *context, const struct trial_report *report);
	void (*ready)(void *context);
	void (*stopping)(void *context);
	void (*watch)(void *context, const struct live_view *view);
	bool (*hung_up)(void *context);
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
