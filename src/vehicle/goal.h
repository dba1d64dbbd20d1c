/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * goal.h - a goal pose, and how fast to go towards it
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_GOAL_H
#define VEHICLE_GOAL_H

#include "vehicle/motion.h"

/* Strengths of a pursuit: greatest speed and strongest braking; or INFINITY. */
struct pace {
	double speed, brake;
};

/**
 * goal_pursue() - Velocity towards a goal that can still stop there
 * @goal:	Goal
 * @here:	Where odometry believes the body to be
 * @pace:	Limits of a straight line and of a turn
 * @dt:		Length of the step, seconds
 *
 * The body goes in a straight line while it turns.  The speed is the greatest
 * from which braking in whole steps ends on the goal, so nothing overshoots.
 *
 * Return: the twist for this step, in the body's frame at the step's middle.
 */
struct twist goal_pursue(const struct pose *goal, const struct pose *here,
			 const struct pace pace[2], double dt);

#endif /* VEHICLE_GOAL_H */
