/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle_settings.h - all that a study can set in [vehicle]
 *
 * Floor: vehicle.
 *
 * Fill a struct vehicle_settings by the table, first with the presets of its
 * rows, then with the values of a robot's preset (vehicle/preset.h), then with
 * what the arm says; then ask vehicle_settings_check().
 *
 * A limit of 0 is no limit; an `…_every` of 0 publishes nothing.
 */
#ifndef VEHICLE_VEHICLE_SETTINGS_H
#define VEHICLE_VEHICLE_SETTINGS_H

#include "conditions/condition.h"

#include "vehicle/motion.h"

/* In the order of the choices of `model`. */
enum model_kind {
	MODEL_DIFF_DRIVE,
	MODEL_SKID_STEER,
	MODEL_MECANUM,
	MODEL_ACKERMANN,
	MODEL_POSITION_DELTA,
	MODEL_UNITE,
};
#define MODELS 6

/* Whether a command holds until the next, or moves for a time and no longer. */
enum apply { APPLY_HOLD, APPLY_PER_PACKET };

enum behaviour { BEHAVIOUR_KINEMATIC, BEHAVIOUR_DYNAMIC };

/* Where the commanded speed of a car is measured. */
enum speed_at { SPEED_AT_REAR_AXLE, SPEED_AT_FRONT_WHEEL };

/* A step that brakes through zero: two limits in proportion, or one for all. */
enum zero_crossing { ZERO_CROSSING_SPLIT, ZERO_CROSSING_WHOLE };

/* Wheels that are too fast: slow all, keeping the curve, or cut each. */
enum saturation { SATURATION_SCALE, SATURATION_CLIP };

/* What becomes of a goal when no command comes any more. */
enum goal { GOAL_FINISH, GOAL_FREEZE };

#define PATCHES_MAX 8
#define RANGERS_MAX 16
#define BEAMS_MAX   2000

/**
 * struct vehicle_settings - What the table below fills
 *
 * Each member is explained by its row of the table.
 */
struct vehicle_settings {
	/* the machine */
	int model;
	const char *preset;
	nsec step;
	const char *timeout;
	int apply;
	nsec packet_time;
	double start_x, start_y, start_yaw;

	/* steering geometry */
	double wheel_radius;
	double wheel_separation;
	double wheelbase;
	double separation_multiplier;
	double steering_limit;
	double steering_rate;
	int speed_at;
	double body_radius;

	/* kinematic or dynamic behaviour */
	int behaviour;
	int integrator;
	double mass;
	double inertia;
	double cg_front;
	double cg_rear;
	double cg_height;
	double friction;
	double stiffness_front;
	double stiffness_rear;

	/* actuator response */
	double max_speed;
	double max_reverse;
	double max_lateral;
	double max_turn;
	double acceleration;
	double deceleration;
	double turn_acceleration;
	double turn_deceleration;
	double jerk;
	double turn_jerk;
	int zero_crossing;
	double wheel_speed;
	int saturation;
	nsec dead_time;
	nsec lag;
	int goal;

	/* wheel-ground interaction */
	double ground_multiplier;
	double icr_left, icr_right, icr_x;
	double lateral_efficiency;
	double radius_left, radius_right;
	double slip;
	double slip_per_g;
	double wheel_noise;
	const char *patches;
	bool disturbances;
	bool terrain;
	double terrain_x, terrain_y;
	double max_difference;

	/* odometry */
	double encoder_counts;
	double encoder_noise;
	double encoder_bias;
	int64_t odom_window;

	/* world and sensors */
	const char *world;
	int64_t scan_beams;
	int64_t scan_part;
	double scan_min, scan_max;
	double scan_from, scan_fov;
	double scan_noise;
	double scan_noise_share;
	double scan_dropout;
	double scan_quantum;
	double lidar_x, lidar_y, lidar_yaw;
	const char *range_sensors;

	/* what is published */
	nsec odom_every, state_every, scan_every, truth_every, range_every;
	nsec lidar_every;
	double wifi_every;
	const char *wifi_ssid;

	/* the operator's side */
	int stale;
};

/* The table, and its count of rows. */
extern const struct setting vehicle_settings[];
extern const size_t n_vehicle_settings;
#define VEHICLE_ROWS 87

/**
 * vehicle_settings_check() - Do the settings fit together?
 * @settings:	Settings
 * @why:	Filled with what is wrong and what would be right
 * @size:	Of @why
 *
 * Return: 0, or -1.
 */
int vehicle_settings_check(const struct vehicle_settings *settings, char *why,
			   size_t size);

/**
 * vehicle_settings_timeout() - Read the timeout
 * @text:	"500ms" or "off"
 * @timeout:	Set; NSEC_NEVER for "off"
 *
 * Return: false if it is neither, or not above 0.
 */
bool vehicle_settings_timeout(const char *text, nsec *timeout);

#endif /* VEHICLE_VEHICLE_SETTINGS_H */
