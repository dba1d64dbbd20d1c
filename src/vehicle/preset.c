/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * preset.c - robots whose values are known, and where from
 *
 * Floor: vehicle.
 *
 * Where sources disagree, the value is that of the robot's own controller,
 * since that is what odometry believes.  Lag and dead time are not stated by
 * any source and stay 0.
 */
#include "vehicle/preset.h"

#include <string.h>

static const struct preset_value rosbot_2r[] = {
	{ "model", "skid-steer" },
	{ "wheel_radius", "0.0425m" },
	{ "wheel_separation", "0.186m" },
	{ "wheelbase", "0.106m" },
	{ "separation_multiplier", "1.45" },
	{ "body_radius", "0.125m" },
	{ "max_speed", "0.9m/s" },
	{ "max_turn", "3rad/s" },
	{ "acceleration", "1" },
	{ "turn_acceleration", "4" },
	{ "wheel_speed", "1.02m/s" },
	{ "timeout", "500ms" },
	{ "encoder_counts", "1632.67" },
	{ "odom_every", "50ms" },
	{ "scan_beams", "800" },
	{ "scan_min", "0.2m" },
	{ "scan_max", "12m" },
	{ "lidar_x", "0.02m" },
	{ "range_sensors", "0.0926 0.05 0.2182 0.4363 0.01 0.9, "
			   "0.0926 -0.05 -0.2182 0.4363 0.01 0.9, "
			   "-0.0926 0.05 2.9234 0.4363 0.01 0.9, "
			   "-0.0926 -0.05 -2.9234 0.4363 0.01 0.9" },
	{ NULL, NULL },
};

static const struct preset_value rosbot_2r_mecanum[] = {
	{ "model", "mecanum" },		  { "wheel_radius", "0.047m" },
	{ "wheel_separation", "0.192m" }, { "wheelbase", "0.106m" },
	{ "separation_multiplier", "1" }, { "body_radius", "0.125m" },
	{ "max_speed", "0.9m/s" },	  { "max_lateral", "0.9m/s" },
	{ "max_turn", "3rad/s" },	  { "acceleration", "1" },
	{ "turn_acceleration", "4" },	  { "wheel_speed", "1.128m/s" },
	{ "timeout", "500ms" },		  { "encoder_counts", "1632.67" },
	{ "odom_every", "40ms" },	  { "scan_beams", "800" },
	{ "scan_min", "0.2m" },		  { "scan_max", "12m" },
	{ "lidar_x", "0.02m" },		  { NULL, NULL },
};

static const struct preset_value rosbot_xl[] = {
	{ "model", "skid-steer" },
	{ "wheel_radius", "0.048m" },
	{ "wheel_separation", "0.248m" },
	{ "wheelbase", "0.17m" },
	{ "separation_multiplier", "1.3" },
	{ "body_radius", "0.2m" },
	{ "max_speed", "0.8m/s" },
	{ "max_turn", "3.14rad/s" },
	{ "acceleration", "1" },
	{ "turn_acceleration", "4" },
	{ "wheel_speed", "1.44m/s" },
	{ "timeout", "500ms" },
	{ "encoder_counts", "3200" },
	{ "odom_every", "40ms" },
	{ NULL, NULL },
};

static const struct preset_value turtlebot3[] = {
	{ "model", "diff-drive" },	  { "wheel_radius", "0.033m" },
	{ "wheel_separation", "0.287m" }, { "separation_multiplier", "1" },
	{ "body_radius", "0.21m" },	  { "max_speed", "0.26m/s" },
	{ "max_turn", "1.82rad/s" },	  { "acceleration", "1" },
	{ "wheel_speed", "0.2661m/s" },	  { "timeout", "500ms" },
	{ "encoder_counts", "4096" },	  { "scan_beams", "360" },
	{ "scan_min", "0.12m" },	  { "scan_max", "3.5m" },
	{ "scan_every", "200ms" },	  { "scan_noise", "0.01m" },
	{ "lidar_x", "-0.064m" },	  { NULL, NULL },
};

static const struct preset_value husky_a200[] = {
	{ "model", "skid-steer" },
	{ "wheel_radius", "0.1651m" },
	{ "wheel_separation", "0.555m" },
	{ "wheelbase", "0.512m" },
	{ "separation_multiplier", "1.875" },
	{ "body_radius", "0.6m" },
	{ "max_speed", "1m/s" },
	{ "max_turn", "1rad/s" },
	{ "acceleration", "1" },
	{ "turn_acceleration", "1" },
	{ "timeout", "500ms" },
	{ NULL, NULL },
};

static const struct preset_value pioneer_3dx[] = {
	{ "model", "diff-drive" },	 { "wheel_radius", "0.0975m" },
	{ "wheel_separation", "0.33m" }, { "separation_multiplier", "1" },
	{ "body_radius", "0.25m" },	 { "max_speed", "1.2m/s" },
	{ "max_turn", "500deg/s" },	 { "wheel_speed", "1.2m/s" },
	{ "timeout", "600ms" },		 { "state_every", "100ms" },
	{ "odom_every", "100ms" },	 { NULL, NULL },
};

static const struct preset_value turtlebot4[] = {
	{ "model", "diff-drive" },
	{ "wheel_radius", "0.03575m" },
	{ "wheel_separation", "0.233m" },
	{ "separation_multiplier", "1" },
	{ "body_radius", "0.171m" },
	{ "max_speed", "0.306m/s" },
	{ "max_turn", "1.9rad/s" },
	{ "acceleration", "0.9" },
	{ "turn_acceleration", "7.725" },
	{ "wheel_speed", "0.306m/s" },
	{ "timeout", "500ms" },
	{ "encoder_counts", "508.8" },
	{ "odom_every", "50ms" },
	{ "scan_beams", "640" },
	{ "scan_min", "0.164m" },
	{ "scan_max", "12m" },
	{ NULL, NULL },
};

static const struct preset_value f1tenth[] = {
	{ "model", "ackermann" },
	{ "wheel_radius", "0.05m" },
	{ "wheel_separation", "0.2032m" },
	{ "wheelbase", "0.3302m" },
	{ "steering_limit", "0.4189rad" },
	{ "steering_rate", "3.2rad/s" },
	{ "body_radius", "0.29m" },
	{ "max_speed", "20m/s" },
	{ "max_reverse", "5m/s" },
	{ "acceleration", "9.51" },
	{ "mass", "3.74" },
	{ "inertia", "0.04712" },
	{ "cg_front", "0.15875m" },
	{ "cg_rear", "0.17145m" },
	{ "cg_height", "0.074m" },
	{ "friction", "1.0489" },
	{ "stiffness_front", "4.718" },
	{ "stiffness_rear", "5.4562" },
	{ "timeout", "200ms" },
	{ "scan_beams", "1080" },
	{ "scan_from", "-2.35rad" },
	{ "scan_fov", "4.7rad" },
	{ "scan_max", "30m" },
	{ "scan_noise", "0.01m" },
	{ "lidar_x", "0.275m" },
	{ NULL, NULL },
};

static const struct preset_value unite_waffle_pi[] = {
	{ "model", "unite-waffle-pi" },
	{ "wheel_separation", "0.287m" },
	{ "max_speed", "0.26m/s" },
	{ "acceleration", "2.5" },
	{ "max_difference", "0.0861m/s" },
	{ "step", "20ms" },
	{ "timeout", "off" },
	{ NULL, NULL },
};

static const struct preset presets[] = {
	{ "rosbot-2r", "Husarion ROSbot 2R with plain wheels",
	  "husarion/rosbot_ros 5b024d7; wheels at 24 rad/s from its URDF",
	  rosbot_2r },
	{ "rosbot-2r-mecanum", "Husarion ROSbot 2R with mecanum wheels",
	  "husarion/rosbot_ros 5b024d7; wheels at 24 rad/s from its URDF",
	  rosbot_2r_mecanum },
	{ "rosbot-xl", "Husarion ROSbot XL with plain wheels",
	  "husarion/rosbot_xl_ros 2356b5f; footprint estimated", rosbot_xl },
	{ "turtlebot3-waffle-pi", "ROBOTIS TurtleBot3 Waffle Pi",
	  "ROBOTIS-GIT/turtlebot3 da785b7, its e-manual, OpenCR 68ec75d",
	  turtlebot3 },
	{ "husky-a200", "Clearpath Husky A200",
	  "clearpathrobotics/clearpath_common 2f04d13; footprint estimated",
	  husky_a200 },
	{ "pioneer-3dx", "Pioneer 3-DX",
	  "AriaCoda b0d02e0, rosaria c289f1d, Webots reference manual; its "
	  "accelerations are in its firmware and not known here",
	  pioneer_3dx },
	{ "turtlebot4", "TurtleBot 4 on an iRobot Create 3, safety on",
	  "iRobotEducation/create3_sim 7df657e, turtlebot4 d688175",
	  turtlebot4 },
	{ "f1tenth", "F1TENTH car of a tenth of the size",
	  "f1tenth_gym 4fdb9c7; timeout of f1tenth_system ae64e05; wheel "
	  "radius estimated",
	  f1tenth },
	{ "unite-waffle-pi", "The rover of the UNITE demo study",
	  "UNITE demo, TurtleBot3-WafflePi-Moon asset", unite_waffle_pi },
};

#define PRESETS (sizeof(presets) / sizeof(presets[0]))

const struct preset *preset_get(size_t i)
{
	return i < PRESETS ? &presets[i] : NULL;
}

const struct preset *preset_find(const char *name)
{
	for (size_t i = 0; i < PRESETS; i++)
		if (strcmp(presets[i].name, name) == 0)
			return &presets[i];
	return NULL;
}
