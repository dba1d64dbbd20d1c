/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle_settings.c - all that a study can set in [vehicle]
 *
 * Floor: vehicle.
 */
#include "vehicle/vehicle_settings.h"

#include "vehicle/number.h"
#include "vehicle/text.h"

/* The name of a key is that of its member. */
#define ROW(member, kind, lo, hi, preset, text)                                \
	{                                                                      \
#member, kind, offsetof(struct vehicle_settings, member), lo,  \
			hi, preset, NULL, text                                 \
	}
#define CHOICE(member, choices, preset, text)                                  \
	{                                                                      \
#member, SETTING_CHOICE,                                       \
			offsetof(struct vehicle_settings, member), 0, 0,       \
			preset, choices, text                                  \
	}
#define EVERY(member, preset, text)                                            \
	ROW(member, SETTING_TIME, 0, 3600e9, preset, text)

#define FAR   1e5  /* m */
#define FAST  100  /* m/s */
#define TURN  100  /* rad/s */
#define STEEP 1e4  /* m/s^2, rad/s^2 */
#define PI    3.15 /* and a little, so that 180deg fits */

const struct setting vehicle_settings[] = {
	/* the machine */
	CHOICE(model,
	       "diff-drive|skid-steer|mecanum|ackermann|position-delta|"
	       "unite-waffle-pi",
	       "diff-drive", "Steering geometry, and the commands it takes"),
	ROW(preset, SETTING_TEXT, 0, 0, "",
	    "A robot whose values stand where the arm says nothing"),
	ROW(step, SETTING_TIME, 1e6, 1e8, "10ms",
	    "Period of the steps, at exact multiples since the trial began"),
	ROW(timeout, SETTING_TEXT, 0, 0, "500ms",
	    "How long a command holds before the vehicle brakes; off for ever"),
	CHOICE(apply, "hold|per-packet", "hold",
	       "Hold a command until the next, or move for packet_time by each "
	       "packet, so that a lost packet is lost distance"),
	ROW(packet_time, SETTING_TIME, 1e6, 1e9, "100ms",
	    "How long one packet moves the vehicle, where apply = per-packet"),
	ROW(start_x, SETTING_LENGTH, -FAR, FAR, "0m",
	    "Where the vehicle stands when a trial begins, in the map frame"),
	ROW(start_y, SETTING_LENGTH, -FAR, FAR, "0m", "The same, across"),
	ROW(start_yaw, SETTING_ANGLE, -2 * PI, 2 * PI, "0rad",
	    "The same, its heading, counter-clockwise from x"),

	/* steering geometry */
	ROW(wheel_radius, SETTING_LENGTH, 1e-3, 10, "0.033m",
	    "Radius of the wheels, as the controller believes it"),
	ROW(wheel_separation, SETTING_LENGTH, 1e-3, 10, "0.287m",
	    "Distance of the left from the right wheels"),
	ROW(wheelbase, SETTING_LENGTH, 1e-3, 20, "0.3302m",
	    "Distance of the front from the rear axle"),
	ROW(separation_multiplier, SETTING_NUMBER, 0.1, 10, "1",
	    "What the controller and odometry multiply the separation with"),
	ROW(steering_limit, SETTING_ANGLE, 1e-3, 1.5, "0.4189rad",
	    "Largest steering angle of a car, either way"),
	ROW(steering_rate, SETTING_TURN, 0, TURN, "3.2rad/s",
	    "How fast the steering moves; 0rad/s for at once"),
	CHOICE(speed_at, "rear-axle|front-wheel", "rear-axle",
	       "Where the commanded speed of a car is measured"),
	ROW(body_radius, SETTING_LENGTH, 0, 20, "0m",
	    "Radius of the footprint that collides; 0m for a point"),

	/* kinematic or dynamic behaviour */
	CHOICE(behaviour, "kinematic|dynamic", "kinematic",
	       "Rolls as its wheels say, or drifts as its tyres let it (the "
	       "single-track model of a car)"),
	CHOICE(integrator, "exact|midpoint|euler", "exact",
	       "How a velocity that is held over a step becomes a pose"),
	ROW(mass, SETTING_NUMBER, 1e-3, 1e5, "3.74", "Mass in kg, if dynamic"),
	ROW(inertia, SETTING_NUMBER, 1e-6, 1e6, "0.04712",
	    "Moment of inertia about z in kg m^2, if dynamic"),
	ROW(cg_front, SETTING_LENGTH, 1e-3, 10, "0.15875m",
	    "Centre of gravity to front axle, if dynamic"),
	ROW(cg_rear, SETTING_LENGTH, 1e-3, 10, "0.17145m",
	    "Centre of gravity to rear axle, if dynamic"),
	ROW(cg_height, SETTING_LENGTH, 0, 10, "0.074m",
	    "Centre of gravity above ground, if dynamic"),
	ROW(friction, SETTING_NUMBER, 1e-3, 10, "1.0489",
	    "Friction coefficient of tyre on ground, if dynamic"),
	ROW(stiffness_front, SETTING_NUMBER, 1e-3, 1e4, "4.718",
	    "Cornering stiffness of the front tyres in 1/rad, if dynamic"),
	ROW(stiffness_rear, SETTING_NUMBER, 1e-3, 1e4, "5.4562",
	    "Cornering stiffness of the rear tyres in 1/rad, if dynamic"),

	/* actuator response */
	ROW(max_speed, SETTING_SPEED, 0, FAST, "0m/s",
	    "Highest speed forward; 0m/s for no limit"),
	ROW(max_reverse, SETTING_SPEED, 0, FAST, "0m/s",
	    "Highest speed backward; 0m/s for the same as forward"),
	ROW(max_lateral, SETTING_SPEED, 0, FAST, "0m/s",
	    "Highest speed sideways; 0m/s for the same as forward"),
	ROW(max_turn, SETTING_TURN, 0, TURN, "0rad/s",
	    "Highest turning rate; 0rad/s for no limit"),
	ROW(acceleration, SETTING_NUMBER, 0, STEEP, "0",
	    "Highest acceleration in m/s^2; 0 for no limit"),
	ROW(deceleration, SETTING_NUMBER, 0, STEEP, "0",
	    "Strongest braking in m/s^2; 0 for the same as acceleration"),
	ROW(turn_acceleration, SETTING_NUMBER, 0, STEEP, "0",
	    "Highest turning acceleration in rad/s^2; 0 for no limit"),
	ROW(turn_deceleration, SETTING_NUMBER, 0, STEEP, "0",
	    "Strongest braking of a turn in rad/s^2; 0 for the same"),
	ROW(jerk, SETTING_NUMBER, 0, 1e6, "0",
	    "Highest jerk in m/s^3; 0 for no limit"),
	ROW(turn_jerk, SETTING_NUMBER, 0, 1e6, "0",
	    "Highest turning jerk in rad/s^3; 0 for no limit"),
	CHOICE(zero_crossing, "split|whole", "split",
	       "A step through zero: braking to zero and starting behind it, "
	       "or braking strength throughout"),
	ROW(wheel_speed, SETTING_SPEED, 0, FAST, "0m/s",
	    "Highest speed of a wheel's rim; 0m/s for no limit"),
	CHOICE(saturation, "scale|clip", "scale",
	       "A wheel beyond it slows all wheels and keeps the curve, or is "
	       "cut alone"),
	ROW(dead_time, SETTING_TIME, 0, 5e9, "0ms",
	    "Time before the drive begins to answer"),
	ROW(lag, SETTING_TIME, 0, 60e9, "0ms",
	    "Time constant with which the wheels follow"),
	CHOICE(goal, "finish|freeze", "finish",
	       "After the timeout a position goal is reached or given up"),

	/* wheel-ground interaction */
	ROW(ground_multiplier, SETTING_NUMBER, 0, 10, "0",
	    "What the ground makes of the separation; 0 for as the controller "
	    "believes"),
	ROW(icr_left, SETTING_LENGTH, 0, 20, "0m",
	    "Where the left side turns about, to the left; 0m for from "
	    "ground_multiplier"),
	ROW(icr_right, SETTING_LENGTH, -20, 0, "0m",
	    "Where the right side turns about, negative to the right; 0m the "
	    "same"),
	ROW(icr_x, SETTING_LENGTH, -20, 20, "0m",
	    "Where both turn about, ahead of the centre"),
	ROW(lateral_efficiency, SETTING_SHARE, 0, 1, "100%",
	    "What is left of a sideways motion on rollers"),
	ROW(radius_left, SETTING_NUMBER, 0.1, 10, "1",
	    "True radius of the left wheels over the believed one"),
	ROW(radius_right, SETTING_NUMBER, 0.1, 10, "1",
	    "True radius of the right wheels over the believed one"),
	ROW(slip, SETTING_SHARE, 0, 1, "0%",
	    "Share of the wheels' motion that is lost on the ground"),
	ROW(slip_per_g, SETTING_NUMBER, 0, 100, "0",
	    "Further slip per acceleration of 9.81 m/s^2"),
	ROW(wheel_noise, SETTING_SHARE, 0, 1, "0%",
	    "Largest random error of each wheel's motion in each step"),
	ROW(patches, SETTING_TEXT, 0, 0, "",
	    "Slippery rectangles: x1 y1 x2 y2 slip in metres, commas between"),
	ROW(disturbances, SETTING_SWITCH, 0, 0, "no",
	    "The wheel-terrain disturbances of unite-waffle-pi"),
	ROW(terrain, SETTING_SWITCH, 0, 0, "no",
	    "Whether unite-waffle-pi stands on terrain of the gradient below"),
	ROW(terrain_x, SETTING_NUMBER, -100, 100, "0",
	    "Rise of the terrain per metre along x"),
	ROW(terrain_y, SETTING_NUMBER, -100, 100, "0",
	    "Rise of the terrain per metre along y"),
	ROW(max_difference, SETTING_SPEED, 0, FAST, "0.0861m/s",
	    "Largest difference of the wheels that unite-waffle-pi turns by"),

	/* odometry */
	ROW(encoder_counts, SETTING_NUMBER, 0, 1e7, "0",
	    "Counts of an encoder in one turn of a wheel; 0 for exact ones"),
	ROW(encoder_noise, SETTING_SHARE, 0, 1, "0%",
	    "Standard deviation of the measured turn of a wheel in each step"),
	ROW(encoder_bias, SETTING_SHARE, 0, 1, "0%",
	    "Range of an error of each encoder, drawn once a trial"),
	ROW(odom_window, SETTING_COUNT, 1, 32, "1",
	    "Steps over which odometry averages its velocity"),

	/* world and sensors */
	ROW(world, SETTING_TEXT, 0, 0, "",
	    "File of the world: walls as .csv or .json, or a map as .yaml"),
	ROW(scan_beams, SETTING_COUNT, 1, BEAMS_MAX, "360",
	    "Beams of the lidar"),
	ROW(scan_part, SETTING_COUNT, 1, BEAMS_MAX, "120",
	    "Beams in one datagram"),
	ROW(scan_min, SETTING_LENGTH, 0, 1000, "0.12m", "Least range"),
	ROW(scan_max, SETTING_LENGTH, 1e-3, 1000, "3.5m", "Greatest range"),
	ROW(scan_from, SETTING_ANGLE, -2 * PI, 2 * PI, "-180deg",
	    "Direction of the first beam"),
	ROW(scan_fov, SETTING_ANGLE, 0, 2 * PI, "360deg",
	    "Angle that the beams cover, counter-clockwise"),
	ROW(scan_noise, SETTING_LENGTH, 0, 10, "0m",
	    "Standard deviation of a range"),
	ROW(scan_noise_share, SETTING_SHARE, 0, 1, "0%",
	    "Further standard deviation as a share of the range"),
	ROW(scan_dropout, SETTING_SHARE, 0, 1, "0%",
	    "Share of beams without a return"),
	ROW(scan_quantum, SETTING_LENGTH, 0, 1, "0m",
	    "Grid that ranges are rounded to; 0m for none"),
	ROW(lidar_x, SETTING_LENGTH, -10, 10, "0m",
	    "Where the lidar is mounted, ahead of the centre"),
	ROW(lidar_y, SETTING_LENGTH, -10, 10, "0m", "The same, to the left"),
	ROW(lidar_yaw, SETTING_ANGLE, -2 * PI, 2 * PI, "0rad",
	    "Where the lidar faces"),
	ROW(range_sensors, SETTING_TEXT, 0, 0, "",
	    "Range sensors: x y yaw fov min max in metres and radians, commas "
	    "between"),

	/* what is published */
	EVERY(odom_every, "20ms", "Period of the stream odom"),
	EVERY(state_every, "20ms", "Period of the stream state"),
	EVERY(scan_every, "100ms", "Period of the stream scan"),
	EVERY(truth_every, "0ms", "Period of the stream truth"),
	EVERY(range_every, "0ms", "Period of the stream range"),
	EVERY(lidar_every, "0ms",
	      "Period of the stream lidar, in the reference app's format"),
	ROW(wifi_every, SETTING_LENGTH, 0, 1000, "0m",
	    "Distance between samples of the stream wifi-sample, in the "
	    "reference app's format; 0m for none"),
	ROW(wifi_ssid, SETTING_TEXT, 0, 0, "farlink",
	    "Name of the network in those samples"),

	/* the operator's side */
	CHOICE(stale, "keep|drop", "keep",
	       "What becomes of a pose that is released after one sampled "
	       "later: it is shown, or passed over"),
};

const size_t n_vehicle_settings =
	sizeof(vehicle_settings) / sizeof(vehicle_settings[0]);
_Static_assert(sizeof(vehicle_settings) / sizeof(vehicle_settings[0]) ==
		       VEHICLE_ROWS,
	       "VEHICLE_ROWS counts the rows");

bool vehicle_settings_timeout(const char *text, nsec *timeout)
{
	static const struct unit {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "ns", 1 },	       { "us", 1000 },
		{ "ms", NSEC_PER_MS }, { "min", 60 * NSEC_PER_S },
		{ "s", NSEC_PER_S },   { "h", 3600 * NSEC_PER_S },
	};
	struct cursor c = { text, text };
	nsec value;

	while (*c.end)
		c.end++;
	*timeout = NSEC_NEVER;
	if (number_match(&c, "off"))
		return c.at == c.end;
	if (!number_read_ns(&c, &value))
		return false;
	number_skip(&c, " ");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (number_match(&c, units[i].name)) {
			/* the number was read as billionths of the unit */
			double ns = (double)value / 1e9 * (double)units[i].ns;

			*timeout = (nsec)llround(fmin(ns, (double)DELAY_MAX));
			return c.at == c.end && *timeout > 0;
		}
	return false;
}
