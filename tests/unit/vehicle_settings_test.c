/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle_settings_test.c - the table, presets, checks, the four choices
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/settings.h"
#include "tests/unit/garage.h"
#include "vehicle/choices.h"
#include "vehicle/preset.h"

Test(vehicle_settings, every_preset_of_the_table_parses)
{
	struct vehicle_settings settings;
	struct store store = { NULL };
	struct settings_source source = { .store = &store };
	char why[256] = "";

	memset(&settings, 0, sizeof(settings));
	for (size_t i = 0; i < n_vehicle_settings; i++) {
		const struct setting *row = &vehicle_settings[i];

		cr_assert(row->preset && row->text);
		cr_assert_neq(row->text[strlen(row->text) - 1], '.');
		cr_assert_eq(settings_parse(row, &settings, row->preset,
					    &source, why, sizeof(why)),
			     0, "%s: %s", row->name, why);
		cr_assert_eq(settings_find(vehicle_settings, n_vehicle_settings,
					   row->name),
			     row, "%s is there twice", row->name);
	}
	cr_assert_eq(settings.model, MODEL_DIFF_DRIVE);
	cr_assert_eq(settings.step, 10 * NSEC_PER_MS);
	cr_assert_float_eq(settings.scan_from, -acos(-1.0), 1e-9);
	store_fini(&store);
}

Test(vehicle_settings, every_robot_parses_drives_and_is_reported)
{
	const struct preset *preset;
	size_t n = 0;

	for (; (preset = preset_get(n)); n++) {
		struct garage g;
		char lines[64];

		snprintf(lines, sizeof(lines), "preset = %s", preset->name);
		garage_start(&g, lines, NULL);
		cr_assert_str_eq(g.settings.preset, preset->name);
		cr_assert(preset->text[0] && preset->source[0]);
		for (int i = 0; i < CHOICES; i++) {
			char text[512];

			choices_print(&g.settings, (enum choice)i, text,
				      sizeof(text));
			cr_assert(strlen(text) > 3 &&
					  strlen(text) < sizeof(text) - 1,
				  "%s", text);
			cr_assert(strlen(choices_name((enum choice)i)) > 3);
		}
		garage_run(&g, NSEC_PER_S);
		garage_close(&g);
	}
	cr_assert_eq(n, 9);
	cr_assert_null(preset_get(9));
	cr_assert_null(preset_find("no-robot"));
}

Test(vehicle_settings, what_the_arm_says_overrides_its_preset)
{
	struct garage g;

	garage_open(&g, "max_speed = 0.15m/s\npreset = rosbot-2r");
	cr_assert_eq(g.settings.model, MODEL_SKID_STEER);
	cr_assert_float_eq(g.settings.max_speed, 0.15, TINY);
	cr_assert_float_eq(g.settings.max_turn, 3, TINY);
	garage_close(&g);
}

Test(vehicle_settings, timeout_is_a_time_or_off)
{
	static const struct {
		const char *text;
		nsec timeout;
	} good[] = {
		{ "500ms", 500 * NSEC_PER_MS },
		{ "2.56s", 2560 * NSEC_PER_MS },
		{ "1 min", 60 * NSEC_PER_S },
		{ "1h", 3600 * NSEC_PER_S },
		{ "3us", 3000 },
		{ "1ns", 1 },
		/* to the nearest, and an hour at most */
		{ "0.6ns", 1 },
		{ "1.5h", 3600 * NSEC_PER_S },
		{ "off", NSEC_NEVER },
	};
	static const char *const bad[] = { "0",	  "0ms",  "-1s",    "nan",
					   "500", "5msx", "offf",   "",
					   "ms",  "1 s ", "0.4 ns", "5 d" };
	nsec timeout;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cr_assert(vehicle_settings_timeout(good[i].text, &timeout),
			  "%s", good[i].text);
		cr_assert_eq(timeout, good[i].timeout, "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_not(vehicle_settings_timeout(bad[i], &timeout), "%s",
			      bad[i]);
}

/* Why settings are refused; "" if they are not. */
static const char *fault(const char *lines)
{
	static char why[256];
	struct garage g;
	int status;

	garage_read(&g, lines);
	status = vehicle_settings_check(&g.settings, why, sizeof(why));
	cr_assert_eq(status, why[0] ? -1 : 0, "%s: %s", lines, why);
	garage_close(&g);
	return why;
}

#define TOGETHER "icr_left and icr_right go together"
#define SKID	 "icr_left, icr_right and icr_x are for skid-steer"
#define SLIPPERY                                                               \
	"patches are at most 8 of \"x1 y1 x2 y2 slip\", commas between, slip " \
	"from 0 to 1"
#define RANGERS                                                                \
	"range_sensors are at most 16 of \"x y yaw fov min max\", commas "     \
	"between, min below max"
#define QUOTES "wifi_ssid has no quotes and no backslashes"

Test(vehicle_settings, refuses_what_does_not_fit_together)
{
	static const char *const rows[][2] = {
		{ "model = skid-steer\nicr_left = 0.3m", TOGETHER },
		{ "model = skid-steer\nicr_right = -0.3m", TOGETHER },
		{ "icr_left = 0.3m\nicr_right = -0.3m", SKID },
		{ "model = mecanum\nicr_x = 0.1m", SKID },
		{ "icr_x = -0.1m", SKID },
		{ "behaviour = dynamic",
		  "behaviour = dynamic is for ackermann" },
		{ "model = ackermann\nbehaviour = dynamic\n"
		  "speed_at = front-wheel",
		  "behaviour = dynamic needs speed_at = rear-axle" },
		{ "disturbances = yes",
		  "disturbances are those of unite-waffle-pi" },
		{ "model = position-delta\napply = per-packet",
		  "a position-delta is a goal: apply = hold" },
		{ "timeout = never",
		  "timeout is a time above 0, such as 500ms, or off" },
		{ "patches = 1 2 3", SLIPPERY },
		{ "range_sensors = 0 0 0 0 1 1", RANGERS },
		{ "range_every = 10ms", "range_every needs range_sensors" },
		{ "scan_min = 5m", "scan_min is below scan_max" },
		{ "scan_min = 3.5m", "scan_min is below scan_max" },
		{ "wifi_ssid = a\"b", QUOTES },
		{ "wifi_ssid = \"b", QUOTES },
		{ "wifi_ssid = b\\", QUOTES },
		{ "wifi_ssid = \x1f", QUOTES },
		{ "wifi_ssid = 3456789a123456789b123456789c12345",
		  "wifi_ssid has at most 32 bytes" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_str_eq(fault(rows[i][0]), rows[i][1], "%s",
				 rows[i][0]);
}

Test(vehicle_settings, takes_what_just_fits)
{
	static const char *const rows[] = {
		"model = skid-steer\nicr_left = 0.3m\nicr_right = -0.3m",
		"model = skid-steer\nicr_x = -0.1m",
		"model = ackermann\nbehaviour = dynamic",
		"model = ackermann\nspeed_at = front-wheel",
		"model = unite-waffle-pi\ndisturbances = yes",
		"apply = per-packet",
		"range_every = 10ms\nrange_sensors = 0 0 0 0 0 1",
		"scan_min = 3.499m",
		"wifi_ssid = two words",
		"wifi_ssid = 3456789a123456789b123456789c1234",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_str_eq(fault(rows[i]), "", "%s", rows[i]);
}

Test(vehicle_settings, choices_make_defaults_explicit)
{
	struct garage g;
	char text[512];

	garage_open(&g, "preset = husky-a200\nground_multiplier = 1.2");
	choices_print(&g.settings, CHOICE_GEOMETRY, text, sizeof(text));
	cr_assert_str_eq(text, "skid-steer, separation 0.555 m, times 1.875 "
			       "for the controller, wheel radius 0.1651 m");
	choices_print(&g.settings, CHOICE_BEHAVIOUR, text, sizeof(text));
	cr_assert_str_eq(text, "kinematic, exact arcs, step 10 ms");
	choices_print(&g.settings, CHOICE_ACTUATOR, text, sizeof(text));
	cr_assert_str_eq(
		text,
		"timeout 500ms, dead time 0 ms, lag 0 ms, jerk unlimited, "
		"acceleration 1 m/s^2, braking 1 m/s^2, speed 1 m/s, turning "
		"acceleration 1 rad/s^2, turn 1 rad/s, wheels unlimited");
	choices_print(&g.settings, CHOICE_GROUND, text, sizeof(text));
	cr_assert_str_eq(
		text,
		"slip 0 %, slip per g 0, turns about 0.333 m, and -0.333 m, "
		"ahead 0 m, true radius left 1, right 1, wheel noise 0 %, "
		"patches none");
	garage_close(&g);
}

/* A choice in words is just this. */
static void prints(const char *lines, enum choice choice, const char *words)
{
	struct garage g;
	char text[512];

	garage_open(&g, lines);
	choices_print(&g.settings, choice, text, sizeof(text));
	cr_assert_str_eq(text, words, "%s", lines);
	garage_close(&g);
}

Test(vehicle_settings, choices_tell_every_number_in_its_unit)
{
	prints("model = ackermann\ntimeout = off\ndead_time = 30ms\n"
	       "lag = 150ms\njerk = 4\nacceleration = 2\n"
	       "deceleration = 0.5\nmax_speed = 3m/s\nwheel_speed = 5m/s",
	       CHOICE_ACTUATOR,
	       "timeout off, dead time 30 ms, lag 150 ms, jerk 4 m/s^3, "
	       "acceleration 2 m/s^2, braking 0.5 m/s^2, speed 3 m/s, turning "
	       "acceleration unlimited, turn unlimited, wheels 5 m/s (all "
	       "slowed, curve kept), steering rate 3.2 rad/s");
	prints("", CHOICE_GROUND,
	       "slip 0 %, slip per g 0, turns about 0.1435 m, and -0.1435 m, "
	       "ahead 0 m, true radius left 1, right 1, wheel noise 0 %, "
	       "patches none");
	prints("model = mecanum\nslip = 5%\nslip_per_g = 0.25\n"
	       "lateral_efficiency = 80%\nradius_left = 0.99\n"
	       "radius_right = 1.02\nwheel_noise = 3%\n"
	       "patches = 0 0 1 1 0.5",
	       CHOICE_GROUND,
	       "slip 5 %, slip per g 0.25, sideways efficiency 80 %, true "
	       "radius left 0.99, right 1.02, wheel noise 3 %, patches 0 0 1 1 "
	       "0.5");
	prints("preset = rosbot-2r-mecanum", CHOICE_GEOMETRY,
	       "mecanum, wheelbase 0.106 m, separation 0.192 m, times 1 for "
	       "the controller, wheel radius 0.047 m");
}

Test(vehicle_settings, choices_tell_what_the_seeds_rover_is)
{
	prints("preset = unite-waffle-pi", CHOICE_BEHAVIOUR,
	       "kinematic, explicit Euler steps in float, one for each "
	       "command, step 20 ms");
	prints("preset = unite-waffle-pi", CHOICE_ACTUATOR,
	       "timeout off, moves by each packet and not without one, "
	       "acceleration of each wheel 2.5 m/s^2, wheels 0.26 m/s (if "
	       "disturbed), difference of wheels 0.0861 m/s");
	prints("preset = unite-waffle-pi\ndisturbances = yes\n"
	       "acceleration = 0.5\nmax_speed = 0.5m/s",
	       CHOICE_ACTUATOR,
	       "timeout off, moves by each packet and not without one, "
	       "acceleration of each wheel 0.5 m/s^2, wheels 0.5 m/s, "
	       "difference of wheels 0.0861 m/s");
	prints("preset = unite-waffle-pi", CHOICE_GROUND,
	       "none, wheels roll without slip");
	prints("preset = unite-waffle-pi\ndisturbances = yes", CHOICE_GROUND,
	       "disturbances of the demo study");
}

/* A choice in words has these in it. */
static void says(const char *lines, enum choice choice, const char *words)
{
	struct garage g;
	char text[512];

	garage_open(&g, lines);
	choices_print(&g.settings, choice, text, sizeof(text));
	cr_assert_not_null(strstr(text, words), "%s: %s", lines, text);
	garage_close(&g);
}

Test(vehicle_settings, choices_name_what_only_some_models_have)
{
	says("model = position-delta", CHOICE_GEOMETRY,
	     "position-delta, a body without wheels that goes any way");
	says("model = ackermann\nwheelbase = 0.33m\nwheel_separation = 0.2m\n"
	     "steering_limit = 0.4rad\nspeed_at = front-wheel",
	     CHOICE_GEOMETRY,
	     "wheelbase 0.33 m, track 0.2 m, steering within 0.4 rad, speed at "
	     "the front wheel");
	says("model = ackermann\nbehaviour = dynamic\nmass = 3.5\n"
	     "inertia = 0.04\nfriction = 0.9",
	     CHOICE_BEHAVIOUR,
	     "dynamic, linear single track, mass 3.5 kg, inertia 0.04 kg m^2, "
	     "friction 0.9, Runge-Kutta steps of at most 1 ms");
	says("model = ackermann", CHOICE_ACTUATOR, "steering rate");
	says("integrator = midpoint", CHOICE_BEHAVIOUR,
	     "kinematic, the midpoint rule");
	says("apply = per-packet", CHOICE_ACTUATOR,
	     ", moves by each packet and not without one");
	says("wheel_speed = 1m/s\nsaturation = clip", CHOICE_ACTUATOR,
	     "wheels 1 m/s (each cut alone)");
	says("model = mecanum\nlateral_efficiency = 80%", CHOICE_GROUND,
	     "sideways efficiency 80 %");
	says("model = unite-waffle-pi\nterrain = yes\nterrain_x = 0.1\n"
	     "terrain_y = 0.2",
	     CHOICE_GROUND, "terrain rising 0.1 along x, rising 0.2 along y");
}

Test(vehicle_settings, stopping_distance_is_foretold)
{
	static const struct {
		const char *lines;
		double metres;
	} rows[] = {
		{ "max_speed = 0.5m/s\nacceleration = 1", 0.375 },
		{ "max_speed = 0.5m/s\nacceleration = 1\n"
		  "deceleration = 0.5",
		  0.5 },
		{ "max_speed = 0.5m/s\nacceleration = 1\ndead_time = 100ms",
		  0.425 },
		/* without a limit it stands at once */
		{ "max_speed = 0.5m/s", 0.25 },
		{ "max_speed = 0.5m/s\ntimeout = off", INFINITY },
		{ "max_speed = 0m/s", INFINITY },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct garage g;
		double metres;

		garage_open(&g, rows[i].lines);
		metres = choices_stopping(&g.settings);
		cr_assert(metres == rows[i].metres ||
				  fabs(metres - rows[i].metres) < TINY,
			  "%s: %g", rows[i].lines, metres);
		garage_close(&g);
	}
}
