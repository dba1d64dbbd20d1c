/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * mecanum.c - four wheels with rollers at 45 degrees, that go any way
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Wheels are front left, front right, rear left, rear right.  Forward is their
 * sum; sideways and turning are the two patterns of signs that differ.  The
 * fourth pattern is zero for a rigid body.  Rollers slip more sideways than
 * along: the ground leaves only a share of a sideways motion.
 */
#include "vehicle/model.h"

static bool make_wish(const struct geometry *geometry,
		      const struct command *command, struct wish *wish)
{
	const double *value = command->value;

	(void)geometry;
	*wish = (struct wish){ .twist = { value[0], value[1], value[2] } };
	return true;
}

static void spin(const struct geometry *geometry, const struct twist *twist,
		 struct drive *drive)
{
	double vx = twist->vx, vy = twist->vy;
	double turn = geometry->arm * twist->wz;

	drive->wheel[0] = vx - vy - turn;
	drive->wheel[1] = vx + vy + turn;
	drive->wheel[2] = vx + vy - turn;
	drive->wheel[3] = vx - vy + turn;
}

static void believe(const struct geometry *geometry, const struct drive *drive,
		    struct twist *twist)
{
	const double *w = drive->wheel;

	*twist = (struct twist){
		.vx = (w[0] + w[1] + w[2] + w[3]) / 4.0,
		.vy = (-w[0] + w[1] + w[2] - w[3]) / 4.0,
		.wz = (-w[0] + w[1] - w[2] + w[3]) / (4.0 * geometry->arm),
	};
}

static void move(const struct geometry *geometry, const struct drive *drive,
		 struct twist *twist)
{
	believe(geometry, drive, twist);
	twist->vy *= geometry->lateral;
	/* the ground's separation takes the place of the believed one */
	twist->wz *= geometry->arm / (geometry->arm - geometry->half +
				      (geometry->left - geometry->right) / 2.0);
}

const struct model model_mecanum = {
	.name = "mecanum",
	.accepts = 1u << COMMAND_TWIST,
	.n_wheels = 4,
	.left = 1u << 0 | 1u << 2,
	.wheels = { "front_left", "front_right", "rear_left", "rear_right" },
	.wish = make_wish,
	.spin = spin,
	.believe = believe,
	.move = move,
};
