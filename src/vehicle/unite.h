/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * unite.h - the rover of the seed study, as it was driven there
 *
 * Floor: vehicle.
 *
 * It moves by each command for the time that the command says, and not at all
 * without one.  Its frame is Unity's, seen from above mirrored to ours: what it
 * calls left is the wheel on our right.  Here, and only here, arithmetic is in
 * float, as it is there.
 */
#ifndef VEHICLE_UNITE_H
#define VEHICLE_UNITE_H

#include "vehicle/model.h"

/**
 * struct unite - The rover
 * @settings:	Settings; borrowed
 * @x:		Unity's x
 * @z:		Unity's z: our y
 * @theta:	Unity's heading: ours, negative
 * @left:	Realised speed of the wheel that it calls left
 * @right:	The other one
 * @seed:	Phase of the disturbances
 */
struct unite {
	const struct vehicle_settings *settings;
	float x, z, theta, left, right;
	int32_t seed;
};

/**
 * unite_reset() - Begin a trial at rest
 * @unite:	With @settings set
 * @seed:	Seed of the vehicle; its low 31 bits are the phase
 */
void unite_reset(struct unite *unite, uint64_t seed);

/**
 * unite_apply() - Move by one command
 * @unite:	Rover
 * @command:	COMMAND_WHEELS_FOR
 * @now:	Time of the step, for the disturbances
 */
void unite_apply(struct unite *unite, const struct command *command, nsec now);

/**
 * unite_acceleration() - How fast its wheels change speed
 * @settings:	Settings
 *
 * Return: m/s^2; 2.5 where the settings have no limit.
 */
double unite_acceleration(const struct vehicle_settings *settings);

/**
 * unite_speed() - How fast disturbances may make a wheel
 * @settings:	Settings
 *
 * Return: m/s; 0.26 where the settings have no limit.
 */
double unite_speed(const struct vehicle_settings *settings);

/**
 * unite_pose() - Where it is, in our frame
 * @unite:	Rover
 *
 * Return: pose of ours.
 */
struct pose unite_pose(const struct unite *unite);

/**
 * unite_roughness() - Roughness that the rover feels
 * @settings:	Settings: terrain, and its gradients
 * @slope:	Set to the slope in degrees
 *
 * Return: 0.3 off terrain; 0.4 to 0.9 on it.
 */
float unite_roughness(const struct vehicle_settings *settings, float *slope);

#endif /* VEHICLE_UNITE_H */
