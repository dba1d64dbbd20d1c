/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * single_track.h - a car whose tyres slide: the dynamic single-track model
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_SINGLE_TRACK_H
#define VEHICLE_SINGLE_TRACK_H

#include "vehicle/motion.h"
#include "vehicle/vehicle_settings.h"

/* Places in a state: the order of the CommonRoad models. */
enum track_state {
	TRACK_X,
	TRACK_Y,
	TRACK_STEERING,
	TRACK_SPEED,
	TRACK_YAW,
	TRACK_YAW_RATE,
	TRACK_SIDESLIP,
};
#define TRACK_STATES 7

/**
 * struct single_track - State of the car
 * @state:	At the centre of gravity, in the order of enum track_state
 * @dynamic:	Whether it is fast enough for tyres to matter
 */
struct single_track {
	double state[TRACK_STATES];
	bool dynamic;
};

/**
 * single_track_rate() - Rate of change of a state
 * @settings:	Mass, inertia, centre of gravity, tyres
 * @state:	State; its speed must not be near 0
 * @input:	Rate of the steering, rad/s; acceleration, m/s^2
 * @rate:	Set
 */
void single_track_rate(const struct vehicle_settings *settings,
		       const double state[TRACK_STATES], const double input[2],
		       double rate[TRACK_STATES]);

/**
 * single_track_reset() - Rest at a pose
 * @track:	Car
 * @settings:	Settings
 * @pose:	Pose of the rear axle
 */
void single_track_reset(struct single_track *track,
			const struct vehicle_settings *settings,
			const struct pose *pose);

/**
 * single_track_step() - Move for a time
 * @track:	Car
 * @settings:	Settings
 * @speed:	Speed at the step's end
 * @steering:	Steering angle at the step's end
 * @dt:		Seconds
 */
void single_track_step(struct single_track *track,
		       const struct vehicle_settings *settings, double speed,
		       double steering, double dt);

/**
 * single_track_get() - Pose and motion of the rear axle
 * @track:	Car
 * @settings:	Settings
 * @pose:	Set
 * @twist:	Set
 */
void single_track_get(const struct single_track *track,
		      const struct vehicle_settings *settings,
		      struct pose *pose, struct twist *twist);

#endif /* VEHICLE_SINGLE_TRACK_H */
