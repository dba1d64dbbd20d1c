/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * stick.c - a stick and two triggers as a motion, as the reference app has it
 *
 * Floor: vehicle.
 */
#include "vehicle/stick.h"

#include <math.h>

/* What is left of a deflection behind the dead zone, 0 to 1. */
static double rescale(double deflection, double dead)
{
	/* nor where it is no number */
	if (!(deflection > dead))
		return 0.0;
	return (fmin(deflection, 1.0) - dead) / (1.0 - dead);
}

struct twist stick_twist(const struct stick *stick, double speed, double turn)
{
	double out = hypot(stick->forward, stick->left);
	double along = rescale(out, STICK_DEAD) * speed;
	struct twist twist = { 0 };

	if (along > 0.0) {
		twist.vx = along * stick->forward / out;
		twist.vy = along * stick->left / out;
	}
	twist.wz = turn * (rescale(stick->turn_left, TRIGGER_DEAD) -
			   rescale(stick->turn_right, TRIGGER_DEAD));
	return twist;
}
