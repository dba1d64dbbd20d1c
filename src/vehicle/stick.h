/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * stick.h - a stick and two triggers as a motion, as the reference app has it
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_STICK_H
#define VEHICLE_STICK_H

#include "vehicle/motion.h"

/* Parts of the full deflection that count as none. */
#define STICK_DEAD   0.15
#define TRIGGER_DEAD 0.05

/**
 * struct stick - How the controls are held
 * @forward:	-1 to 1
 * @left:	-1 to 1
 * @turn_left:	Trigger, 0 to 1
 * @turn_right:	Trigger, 0 to 1
 */
struct stick {
	double forward, left, turn_left, turn_right;
};

/**
 * stick_twist() - The motion that is asked for
 * @stick:	Controls; what is out of bounds counts as the bound
 * @speed:	Of the stick at its end, m/s
 * @turn:	Of a trigger at its end, rad/s
 *
 * The stick's dead zone is a disc, a trigger's an interval; behind it the speed
 * begins at 0.
 *
 * Return: the motion.
 */
struct twist stick_twist(const struct stick *stick, double speed, double turn);

#endif /* VEHICLE_STICK_H */
