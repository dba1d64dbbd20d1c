/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * odometry.h - where the vehicle believes it is, from its wheels alone
 *
 * Floor: vehicle.
 *
 * Nothing here can see where the body truly is: a wheel that slips has turned
 * all the same.
 */
#ifndef VEHICLE_ODOMETRY_H
#define VEHICLE_ODOMETRY_H

#include "vehicle/model.h"

#define ODOMETRY_WINDOW_MAX 32

/**
 * struct odometry - Belief
 * @model:	Drive model
 * @settings:	Settings; borrowed
 * @geometry:	Geometry
 * @pose:	Where it believes it is, from 0 at the start of a trial
 * @twist:	How it believes it moves, averaged over the window
 * @turned:	How far each wheel has turned, as its encoder feels it, rad
 * @counted:	The same in whole counts
 * @bias:	Error of each encoder in this trial
 * @recent:	Twists of the last steps
 * @n:		How many steps there were
 * @rng:	Stream of the encoder noise
 */
struct odometry {
	const struct model *model;
	const struct vehicle_settings *settings;
	const struct geometry *geometry;
	struct pose pose;
	struct twist twist;
	double turned[WHEELS_MAX];
	double counted[WHEELS_MAX];
	double bias[WHEELS_MAX];
	struct twist recent[ODOMETRY_WINDOW_MAX];
	uint64_t n;
	struct rng rng;
};

/**
 * odometry_reset() - Begin a trial
 * @odometry:	With @model, @settings and @geometry set
 * @seed:	Seed of the vehicle
 */
void odometry_reset(struct odometry *odometry, uint64_t seed);

/**
 * odometry_update() - Read the encoders after a step
 * @odometry:	Belief
 * @drive:	Speeds of the wheels over the step, at the rim, and the steering
 *		angle
 * @dt:		Seconds
 */
void odometry_update(struct odometry *odometry, const struct drive *drive,
		     double dt);

/**
 * odometry_counts() - Counts of an encoder
 * @turned:	Angle in radians
 * @counts:	Counts in one turn of the wheel
 *
 * Return: whole counts, downwards.
 */
double odometry_counts(double turned, double counts);

#endif /* VEHICLE_ODOMETRY_H */
