/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * position_delta.c - a body that is told where to go, not how fast
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The body goes any way and has no steering geometry of its own: its three
 * "wheels" are its motion along, across, and in turning.  The goal is kept by
 * plant.c; goal_pursue() says how fast to go towards it.
 */
#include "vehicle/model.h"

static bool make_wish(const struct geometry *geometry,
		      const struct command *command, struct wish *wish)
{
	(void)geometry;
	(void)command;
	*wish = (struct wish){ .steering = 0.0 };
	return true;
}

static void spin(const struct geometry *geometry, const struct twist *twist,
		 struct drive *drive)
{
	drive->wheel[0] = twist->vx;
	drive->wheel[1] = twist->vy;
	drive->wheel[2] = twist->wz * geometry->half;
}

static void believe(const struct geometry *geometry, const struct drive *drive,
		    struct twist *twist)
{
	*twist = (struct twist){
		.vx = drive->wheel[0],
		.vy = drive->wheel[1],
		.wz = drive->wheel[2] / geometry->half,
	};
}

const struct model model_position_delta = {
	.name = "position-delta",
	.accepts = 1u << COMMAND_DELTA,
	.n_wheels = 3,
	.wheels = { "along", "across", "turn" },
	.wish = make_wish,
	.spin = spin,
	.believe = believe,
	.move = believe,
};
