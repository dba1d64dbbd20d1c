/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sensor.h - a lidar and range sensors, cast against the world
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_SENSOR_H
#define VEHICLE_SENSOR_H

#include "vehicle/motion.h"
#include "vehicle/vehicle_settings.h"
#include "vehicle/world.h"

/* What stands for no return, too near, or invalid: JSON has no infinity. */
#define SENSOR_NO_RETURN 0.0

/* A range sensor: where it is mounted, its cone, its limits. */
struct ranger {
	double x, y, yaw, fov, lo, hi;
};

/**
 * struct sensor - The sensors of a vehicle
 * @settings:	Settings; borrowed
 * @world:	World; borrowed, may be NULL
 * @ranger:	Range sensors
 * @n_rangers:	How many
 * @range:	Latest reading of each
 * @scan:	Latest scan: a range for each beam, or SENSOR_NO_RETURN
 * @n_beams:	How many
 * @too_close:	Beams of the latest scan that were below the least range
 * @rng:	Stream of the noise
 */
struct sensor {
	const struct vehicle_settings *settings;
	const struct world *world;
	struct ranger ranger[RANGERS_MAX];
	size_t n_rangers;
	double range[RANGERS_MAX];
	double scan[BEAMS_MAX];
	size_t n_beams;
	size_t too_close;
	struct rng rng;
};

/**
 * sensor_parse() - Read a list of range sensors
 * @sensor:	@ranger and @n_rangers are set
 * @text:	"x y yaw fov min max, ..."
 *
 * Return: false if it is no such list, or too long.
 */
bool sensor_parse(struct sensor *sensor, const char *text);

/**
 * sensor_step() - Angle between two beams
 * @settings:	Settings
 *
 * A full turn has no last beam over the first one.
 *
 * Return: radians.
 */
double sensor_step(const struct vehicle_settings *settings);

/**
 * sensor_reset() - Begin a trial
 * @sensor:	With @settings and @world set
 * @seed:	Seed of the vehicle
 */
void sensor_reset(struct sensor *sensor, uint64_t seed);

/**
 * sensor_scan() - Turn the lidar once
 * @sensor:	@scan and @too_close are set
 * @pose:	Where the body is
 *
 * Geometry, then noise, then rounding, then the limits; so noise never makes a
 * range beyond them.
 */
void sensor_scan(struct sensor *sensor, const struct pose *pose);

/**
 * sensor_range() - Read the range sensors
 * @sensor:	@range is set
 * @pose:	Where the body is
 */
void sensor_range(struct sensor *sensor, const struct pose *pose);

#endif /* VEHICLE_SENSOR_H */
