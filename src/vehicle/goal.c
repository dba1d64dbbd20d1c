/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * goal.c - a goal pose, and how fast to go towards it
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * From a speed v, braking by b in steps of dt, a body covers
 *
 *	v dt + (v - b dt) dt + ...  =  v^2 / 2b + v dt / 2
 *
 * before it stands.  Solved for v with the distance that is left, this is the
 * speed to have now.
 */
#include "vehicle/goal.h"

#include <math.h>

static double speed_for(double distance, const struct pace *pace, double dt)
{
	double speed = distance / dt, step = pace->brake * dt;

	if (isfinite(step))
		speed = fmin(speed,
			     step * (sqrt(0.25 + 2.0 * distance / (step * dt)) -
				     0.5));
	return fmin(speed, pace->speed);
}

struct twist goal_pursue(const struct pose *goal, const struct pose *here,
			 const struct pace pace[2], double dt)
{
	double dx = goal->x - here->x, dy = goal->y - here->y;
	double turn = goal->yaw - here->yaw, distance = hypot(dx, dy);
	double v = speed_for(distance, &pace[0], dt);
	double wz = speed_for(fabs(turn), &pace[1], dt);
	struct twist twist = { .wz = turn < 0.0 ? -wz : wz };
	double yaw = here->yaw + twist.wz * dt / 2.0;

	if (distance > 0.0) {
		twist.vx = v * (dx * cos(yaw) + dy * sin(yaw)) / distance;
		twist.vy = v * (dy * cos(yaw) - dx * sin(yaw)) / distance;
	}
	return twist;
}
