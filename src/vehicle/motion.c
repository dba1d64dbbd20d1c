/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * motion.c - poses, twists, and how one is integrated into the other
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * With a twist held over a step the body runs along an arc of a circle.  Seen
 * from the pose at its start, the arc ends at
 *
 *	along  = (vx * s - vy * c) * dt,   across = (vx * c + vy * s) * dt
 *
 * with s = sin(turn) / turn and c = (1 - cos(turn)) / turn.  Both tend to a
 * limit as the turn tends to 0, where their series stand in, so that there is
 * no division by a small rate.
 */
#include "vehicle/motion.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Below this turn in one step the series are exact to the last digit. */
#define SMALL_TURN 1e-4

static void move(struct pose *pose, double along, double across, double yaw)
{
	double c = cos(yaw), s = sin(yaw);

	pose->x += along * c - across * s;
	pose->y += along * s + across * c;
}

static void advance_exact(struct pose *pose, const struct twist *twist,
			  double dt)
{
	double turn = twist->wz * dt, s, c;

	if (fabs(turn) < SMALL_TURN) {
		s = 1.0 - turn * turn / 6.0;
		c = turn / 2.0 * (1.0 - turn * turn / 12.0);
	} else {
		s = sin(turn) / turn;
		c = (1.0 - cos(turn)) / turn;
	}
	move(pose, (twist->vx * s - twist->vy * c) * dt,
	     (twist->vx * c + twist->vy * s) * dt, pose->yaw);
}

void motion_advance(struct pose *pose, const struct twist *twist, double dt,
		    enum integrator how)
{
	double turn = twist->wz * dt, yaw = pose->yaw;

	if (how == INTEGRATOR_EXACT)
		advance_exact(pose, twist, dt);
	else
		move(pose, twist->vx * dt, twist->vy * dt,
		     how == INTEGRATOR_MIDPOINT ? yaw + turn / 2.0 : yaw);
	pose->yaw = yaw + turn;
}

void motion_compose(struct pose *pose, const struct pose *delta)
{
	move(pose, delta->x, delta->y, pose->yaw);
	pose->yaw += delta->yaw;
}

double motion_wrap(double angle)
{
	double wrapped = remainder(angle, 2.0 * PI);

	return wrapped <= -PI ? PI : wrapped;
}

bool motion_is_still(const struct twist *twist)
{
	return fabs(twist->vx) <= 0.0 && fabs(twist->vy) <= 0.0 &&
	       fabs(twist->wz) <= 0.0;
}
