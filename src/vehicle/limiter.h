/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * limiter.h - how fast a set value may change: jerk, acceleration, velocity
 *
 * Floor: vehicle.
 *
 * The three act in this order, so that the velocity limit has the last word.
 */
#ifndef VEHICLE_LIMITER_H
#define VEHICLE_LIMITER_H

#include <stdbool.h>

#include "vehicle/vehicle_settings.h"

/**
 * struct limits - Limits of one axis; INFINITY where there is none
 * @lo:		Lowest velocity
 * @hi:		Highest velocity
 * @speed_up:	Acceleration forward, from rest or while moving forward
 * @brake:	Deceleration while moving forward
 * @speed_up_back: Acceleration backward, from rest or while moving backward
 * @brake_back:	Deceleration while moving backward
 * @jerk_lo:	Lowest jerk, negative
 * @jerk_hi:	Highest jerk
 * @zero:	What happens in a step that passes through zero
 *
 * Accelerations are magnitudes.
 */
struct limits {
	double lo, hi;
	double speed_up, brake, speed_up_back, brake_back;
	double jerk_lo, jerk_hi;
	enum zero_crossing zero;
};

/**
 * struct limiter - One axis
 * @limits:	Its limits
 * @last:	Its last output
 * @before:	The one before
 */
struct limiter {
	struct limits limits;
	double last, before;
};

/* No limit at all. */
extern const struct limits limiter_none;

/**
 * limiter_is_sound() - Do the limits leave room for a value?
 * @limits:	Limits
 *
 * Return: false if one is NaN, a low one above a high one, or an acceleration
 * negative.
 */
bool limiter_is_sound(const struct limits *limits);

/**
 * limiter_apply() - Take one step towards a velocity
 * @limiter:	Axis
 * @wish:	Velocity, finite
 * @dt:		Seconds, above 0
 *
 * Return: the velocity that the limits allow.
 */
double limiter_apply(struct limiter *limiter, double wish, double dt);

/**
 * limiter_jerk() - The first stage alone
 * @limiter:	Axis
 * @wish:	Velocity
 * @dt:		Seconds
 *
 * A change that leads away from the wish's own direction is left alone, so that
 * a stop does not swing through zero.
 *
 * Return: the velocity that the jerk limits allow.
 */
double limiter_jerk(const struct limiter *limiter, double wish, double dt);

/**
 * limiter_acceleration() - The second stage alone
 * @limiter:	Axis
 * @wish:	Velocity
 * @dt:		Seconds
 *
 * Return: the velocity that the acceleration limits allow.
 */
double limiter_acceleration(const struct limiter *limiter, double wish,
			    double dt);

/**
 * limiter_velocity() - The third stage alone
 * @limits:	Limits
 * @wish:	Velocity
 *
 * Return: the velocity within the limits.
 */
double limiter_velocity(const struct limits *limits, double wish);

/**
 * limiter_settings() - Limits of the three axes of a body
 * @settings:	Settings
 * @limits:	Set: along, across, turn
 */
void limiter_settings(const struct vehicle_settings *settings,
		      struct limits limits[3]);

#endif /* VEHICLE_LIMITER_H */
