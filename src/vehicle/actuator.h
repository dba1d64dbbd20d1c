/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * actuator.h - what lies between a set value and the wheels
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_ACTUATOR_H
#define VEHICLE_ACTUATOR_H

#include "vehicle/model.h"

/**
 * struct dead_time - Wishes on their way to the drive
 * @delay:	How long one is on the way
 * @ring:	Wishes with the time from which they hold
 * @size:	Room of @ring
 * @first:	Oldest of them, which holds now or will hold first
 * @n:		How many there are
 *
 * Times are stored, not places, so the delay does not depend on the step.
 */
struct dead_time {
	nsec delay;
	struct moment {
		nsec at;
		struct wish wish;
	} * ring;
	size_t size, first, n;
};

/**
 * actuator_room() - Room that a ring needs
 * @delay:	Dead time
 * @step:	Shortest time between two wishes
 *
 * Return: a count of struct moment.
 */
size_t actuator_room(nsec delay, nsec step);

/**
 * actuator_delay() - Put a wish in, take the one that holds now out
 * @dead:	Wishes on their way
 * @now:	Time, not before any earlier one
 * @wish:	In: asked for now.  Out: asked for a dead time ago, or rest
 */
void actuator_delay(struct dead_time *dead, nsec now, struct wish *wish);

/**
 * actuator_lag() - Let a value follow another as a first-order lag
 * @value:	Value now
 * @aim:	What it follows, held over the step
 * @dt:		Seconds
 * @tau:	Time constant in seconds; 0 to follow at once
 *
 * Exact for any step: two halves are the same as the whole.
 *
 * Return: the value at the step's end.
 */
double actuator_lag(double value, double aim, double dt, double tau);

/**
 * actuator_saturate() - Bring wheels back within their limit
 * @wheel:	Speeds
 * @n:		How many
 * @limit:	Greatest, either way; 0 for none
 * @how:	All in proportion, or each alone
 *
 * Return: the factor of the wheel that was cut most; 1 where none was.
 */
double actuator_saturate(double *wheel, unsigned n, double limit,
			 enum saturation how);

/**
 * actuator_slew() - Move an angle towards another at a limited rate
 * @angle:	Angle now
 * @aim:	Where to
 * @most:	Greatest change; 0 for no limit
 *
 * Return: the angle after it.
 */
double actuator_slew(double angle, double aim, double most);

#endif /* VEHICLE_ACTUATOR_H */
