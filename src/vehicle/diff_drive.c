/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * diff_drive.c - two driven wheels on one axle, and a caster
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The centre goes with the mean of the two wheels and turns with their
 * difference.  The wheels do not slide sideways, so the ground turns the body
 * about points on the axle; only their distance can differ from the nominal.
 */
#include "vehicle/model.h"

static void move(const struct geometry *geometry, const struct drive *drive,
		 struct twist *twist)
{
	double left = drive->wheel[0], right = drive->wheel[1];

	*twist = (struct twist){
		.vx = (left + right) / 2.0,
		.wz = (right - left) / (geometry->left - geometry->right),
	};
}

const struct model model_diff_drive = {
	.name = "diff-drive",
	.accepts = 1u << COMMAND_TWIST | 1u << COMMAND_WHEELS,
	.n_wheels = 2,
	.left = 1u << 0,
	.wheels = { "left", "right" },
	.wish = model_sides_wish,
	.spin = model_sides_spin,
	.believe = model_sides_believe,
	.move = move,
};
