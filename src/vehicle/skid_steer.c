/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * skid_steer.c - two sides that do not steer, and slide sideways to turn
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Each side turns about an instantaneous centre of its own (Martínez and
 * others, 2005): the left one at (ahead, left), the right one at (ahead,
 * right).  They lie outside the wheels, so the body turns less than its wheels
 * say; and where they lie off the middle, it slides.  Without such positions an
 * effective separation stands for them.  Odometry knows nothing of either.
 */
#include "vehicle/model.h"

static void move(const struct geometry *geometry, const struct drive *drive,
		 struct twist *twist)
{
	double left = drive->wheel[0], right = drive->wheel[1];
	double across = geometry->left - geometry->right;
	double wz = (right - left) / across;

	*twist = (struct twist){
		.vx = (right * geometry->left - left * geometry->right) /
		      across,
		.vy = -wz * geometry->ahead,
		.wz = wz,
	};
}

const struct model model_skid_steer = {
	.name = "skid-steer",
	.accepts = 1u << COMMAND_TWIST | 1u << COMMAND_WHEELS,
	.n_wheels = 2,
	.left = 1u << 0,
	.wheels = { "left", "right" },
	.wish = model_sides_wish,
	.spin = model_sides_spin,
	.believe = model_sides_believe,
	.move = move,
};
