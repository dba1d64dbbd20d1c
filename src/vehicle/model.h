/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * model.h - what a drive model is: wheels from a wish, a motion from wheels
 *
 * Floor: vehicle.
 *
 * A model is four functions without memory.  Their directions are
 *
 *	command -> wish -> (limits) -> drive -> (ground) -> motion of the body
 *	                                    \-> (encoders) -> belief of odometry
 *
 * so that what the controller believes and what the ground does can differ.
 */
#ifndef VEHICLE_MODEL_H
#define VEHICLE_MODEL_H

#include "vehicle/command.h"
#include "vehicle/motion.h"
#include "vehicle/vehicle_settings.h"

#define WHEELS_MAX 4

/**
 * struct geometry - Effective geometry, the one place where it is made
 * @half:	Half the wheel separation, as the controller believes it
 * @left:	Where the left side turns about on this ground, to the left
 * @right:	The same of the right side; negative
 * @ahead:	Where both turn about, ahead of the centre
 * @arm:	Mecanum: half the wheelbase and half the separation together
 * @lateral:	What is left of a sideways motion on rollers
 * @wheelbase:	Front to rear axle
 * @half_track:	Half the distance of a car's rear wheels
 * @steering_limit: Largest steering angle
 * @speed_at:	Where a car's speed is measured
 */
struct geometry {
	double half;
	double left, right, ahead;
	double arm, lateral;
	double wheelbase, half_track, steering_limit;
	enum speed_at speed_at;
};

/**
 * struct wish - What is asked of the drive
 * @twist:	Motion of the body; a car heeds @vx only
 * @steering:	Steering angle, for a car
 */
struct wish {
	struct twist twist;
	double steering;
};

/**
 * struct drive - What the wheels do
 * @wheel:	Speed of each wheel at its rim, m/s
 * @steering:	Steering angle, for a car
 */
struct drive {
	double wheel[WHEELS_MAX];
	double steering;
};

/**
 * struct model - A drive model
 * @name:	As it stands after "model ="
 * @accepts:	Commands it takes: bits 1u << enum command_kind
 * @n_wheels:	How many of them there are
 * @left:	Which of them are on the left: bits 1u << wheel
 * @wheels:	Their names
 * @steers:	Whether the steering angle counts
 * @wish:	What a command asks for; returns whether the model can do all of
 *		it
 * @spin:	Wheels for a motion, as the controller believes them
 * @believe:	Motion from wheels, as odometry believes it
 * @move:	Motion from wheels, as the ground makes it
 */
struct model {
	const char *name;
	unsigned accepts;
	unsigned n_wheels;
	unsigned left;
	const char *wheels[WHEELS_MAX];
	bool steers;
	bool (*wish)(const struct geometry *geometry,
		     const struct command *command, struct wish *wish);
	void (*spin)(const struct geometry *geometry, const struct twist *twist,
		     struct drive *drive);
	void (*believe)(const struct geometry *geometry,
			const struct drive *drive, struct twist *twist);
	void (*move)(const struct geometry *geometry, const struct drive *drive,
		     struct twist *twist);
};

extern const struct model model_diff_drive, model_skid_steer, model_mecanum;
extern const struct model model_ackermann, model_position_delta, model_unite;

/**
 * model_get() - A model by its place
 * @kind:	Which
 *
 * Return: the model.
 */
const struct model *model_get(enum model_kind kind);

/**
 * model_geometry() - Effective geometry from the settings
 * @settings:	Settings
 * @geometry:	Set
 */
void model_geometry(const struct vehicle_settings *settings,
		    struct geometry *geometry);

/**
 * model_sides_spin() - Speeds of a left and a right side
 * @geometry:	Geometry
 * @twist:	Motion; @vy is not heeded
 * @drive:	Set: wheel 0 left, wheel 1 right
 */
void model_sides_spin(const struct geometry *geometry,
		      const struct twist *twist, struct drive *drive);

/**
 * model_sides_believe() - Motion from a left and a right side, nominal
 * @geometry:	Geometry
 * @drive:	Wheels
 * @twist:	Set
 */
void model_sides_believe(const struct geometry *geometry,
			 const struct drive *drive, struct twist *twist);

/**
 * model_sides_wish() - Wish from a twist or from the speeds of the two sides
 * @geometry:	Geometry
 * @command:	Command
 * @wish:	Set
 *
 * Return: false if a sideways motion was asked for, which stays undone.
 */
bool model_sides_wish(const struct geometry *geometry,
		      const struct command *command, struct wish *wish);

#endif /* VEHICLE_MODEL_H */
