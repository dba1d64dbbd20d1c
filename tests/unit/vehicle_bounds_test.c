/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle_bounds_test.c - the least and the most that an arm may ask for
 *
 * Floor: tests.
 *
 * The bounds stand in the manual, and arms rely on them: to narrow one refuses
 * an arm that was good.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "core/settings.h"
#include "vehicle/vehicle_settings.h"

/* In m, rad, kg, ns and shares of one. */
static const struct {
	const char *name;
	double least, most;
} bounds[] = { { "step", 1e6, 1e8 },
	       { "packet_time", 1e6, 1e9 },
	       { "start_x", -1e5, 1e5 },
	       { "start_y", -1e5, 1e5 },
	       { "start_yaw", -6.3, 6.3 },
	       { "wheel_radius", 1e-3, 10 },
	       { "wheel_separation", 1e-3, 10 },
	       { "wheelbase", 1e-3, 20 },
	       { "separation_multiplier", 0.1, 10 },
	       { "steering_limit", 1e-3, 1.5 },
	       { "steering_rate", 0, 100 },
	       { "body_radius", 0, 20 },
	       { "mass", 1e-3, 1e5 },
	       { "inertia", 1e-6, 1e6 },
	       { "cg_front", 1e-3, 10 },
	       { "cg_rear", 1e-3, 10 },
	       { "cg_height", 0, 10 },
	       { "friction", 1e-3, 10 },
	       { "stiffness_front", 1e-3, 1e4 },
	       { "stiffness_rear", 1e-3, 1e4 },
	       { "max_speed", 0, 100 },
	       { "max_reverse", 0, 100 },
	       { "max_lateral", 0, 100 },
	       { "max_turn", 0, 100 },
	       { "acceleration", 0, 1e4 },
	       { "deceleration", 0, 1e4 },
	       { "turn_acceleration", 0, 1e4 },
	       { "turn_deceleration", 0, 1e4 },
	       { "jerk", 0, 1e6 },
	       { "turn_jerk", 0, 1e6 },
	       { "wheel_speed", 0, 100 },
	       { "dead_time", 0, 5e9 },
	       { "lag", 0, 60e9 },
	       { "ground_multiplier", 0, 10 },
	       { "icr_left", 0, 20 },
	       { "icr_right", -20, 0 },
	       { "icr_x", -20, 20 },
	       { "lateral_efficiency", 0, 1 },
	       { "radius_left", 0.1, 10 },
	       { "radius_right", 0.1, 10 },
	       { "slip", 0, 1 },
	       { "slip_per_g", 0, 100 },
	       { "wheel_noise", 0, 1 },
	       { "terrain_x", -100, 100 },
	       { "terrain_y", -100, 100 },
	       { "max_difference", 0, 100 },
	       { "encoder_counts", 0, 1e7 },
	       { "encoder_noise", 0, 1 },
	       { "encoder_bias", 0, 1 },
	       { "odom_window", 1, 32 },
	       { "scan_beams", 1, 2000 },
	       { "scan_part", 1, 2000 },
	       { "scan_min", 0, 1000 },
	       { "scan_max", 1e-3, 1000 },
	       { "scan_from", -6.3, 6.3 },
	       { "scan_fov", 0, 6.3 },
	       { "scan_noise", 0, 10 },
	       { "scan_noise_share", 0, 1 },
	       { "scan_dropout", 0, 1 },
	       { "scan_quantum", 0, 1 },
	       { "lidar_x", -10, 10 },
	       { "lidar_y", -10, 10 },
	       { "lidar_yaw", -6.3, 6.3 },
	       { "wifi_every", 0, 1000 } };
#define BOUNDS (sizeof(bounds) / sizeof(bounds[0]))

Test(vehicle_bounds, are_those_of_the_manual)
{
	for (size_t i = 0; i < BOUNDS; i++) {
		const struct setting *row = settings_find(
			vehicle_settings, n_vehicle_settings, bounds[i].name);

		cr_assert(row, "there is no %s", bounds[i].name);
		cr_assert_float_eq(row->lo, bounds[i].least, 1e-9, "%s: %g",
				   row->name, row->lo);
		cr_assert_float_eq(row->hi, bounds[i].most, 1e-9, "%s: %g",
				   row->name, row->hi);
	}
}

/* Every number has its bounds above; what is published, every so often, is not
 * told one by one.
 */
Test(vehicle_bounds, of_all_that_is_not_a_word)
{
	for (size_t i = 0; i < n_vehicle_settings; i++) {
		const struct setting *row = &vehicle_settings[i];
		size_t n = 0;

		if (row->kind == SETTING_TEXT || row->kind == SETTING_CHOICE ||
		    row->kind == SETTING_SWITCH)
			continue;
		while (n < BOUNDS && strcmp(bounds[n].name, row->name) != 0)
			n++;
		if (n == BOUNDS) {
			cr_assert_eq(row->kind, SETTING_TIME, "%s", row->name);
			cr_assert_eq(row->lo, 0.0);
			cr_assert_eq(row->hi, 3600e9);
		}
	}
}
