/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * motion.h - poses, twists, and how one is integrated into the other
 *
 * Floor: vehicle.
 *
 * x is forward, y left, z up; yaw is counter-clockwise; metres, radians,
 * seconds.  A yaw is kept unwrapped and is wrapped only where it is published.
 */
#ifndef VEHICLE_MOTION_H
#define VEHICLE_MOTION_H

#include <stdbool.h>

/* Where a body is, in a fixed frame. */
struct pose {
	double x, y, yaw;
};

/* How a body moves, in its own frame: m/s, m/s, rad/s. */
struct twist {
	double vx, vy, wz;
};

/* How a twist that is held over a step becomes a change of pose. */
enum integrator {
	INTEGRATOR_EXACT,    /* along the arc; independent of the step */
	INTEGRATOR_MIDPOINT, /* along the heading at half the step */
	INTEGRATOR_EULER,    /* along the heading at the step's start */
};

/**
 * motion_advance() - Move a pose by a twist held for a time
 * @pose:	Moved
 * @twist:	In the body's frame
 * @dt:		Seconds, above 0
 * @how:	Integrator
 */
void motion_advance(struct pose *pose, const struct twist *twist, double dt,
		    enum integrator how);

/**
 * motion_compose() - Move a pose by a displacement in its own frame
 * @pose:	Moved
 * @delta:	Displacement: along, across, turn
 */
void motion_compose(struct pose *pose, const struct pose *delta);

/**
 * motion_wrap() - The same angle within (-pi, pi]
 * @angle:	Radians
 *
 * Return: radians.
 */
double motion_wrap(double angle);

/**
 * motion_is_still() - Is nothing moving at all?
 * @twist:	Twist
 *
 * Return: true if all three are exactly zero.
 */
bool motion_is_still(const struct twist *twist);

#endif /* VEHICLE_MOTION_H */
