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
	nsec timeout;

	cr_assert(vehicle_settings_timeout("500ms", &timeout));
	cr_assert_eq(timeout, 500 * NSEC_PER_MS);
	cr_assert(vehicle_settings_timeout("2.56s", &timeout));
	cr_assert_eq(timeout, 2560 * NSEC_PER_MS);
	cr_assert(vehicle_settings_timeout("1 min", &timeout));
	cr_assert_eq(timeout, 60 * NSEC_PER_S);
	cr_assert(vehicle_settings_timeout("off", &timeout));
	cr_assert_eq(timeout, NSEC_NEVER);
	cr_assert_not(vehicle_settings_timeout("0", &timeout));
	cr_assert_not(vehicle_settings_timeout("0ms", &timeout));
	cr_assert_not(vehicle_settings_timeout("-1s", &timeout));
	cr_assert_not(vehicle_settings_timeout("nan", &timeout));
	cr_assert_not(vehicle_settings_timeout("500", &timeout));
	cr_assert_not(vehicle_settings_timeout("5msx", &timeout));
	cr_assert_not(vehicle_settings_timeout("offf", &timeout));
	cr_assert_not(vehicle_settings_timeout("", &timeout));
}

static void assert_refused(struct garage *g, const char *part)
{
	char why[256];

	cr_assert_eq(vehicle_settings_check(&g->settings, why, sizeof(why)),
		     -1);
	cr_assert(strstr(why, part), "%s", why);
	garage_close(g);
}

Test(vehicle_settings, refuses_what_does_not_fit_together)
{
	struct garage g;

	garage_open(&g, "");
	g.settings.icr_left = 0.3;
	assert_refused(&g, "go together");
	garage_open(&g, "");
	g.settings.icr_left = 0.3;
	g.settings.icr_right = -0.3;
	assert_refused(&g, "skid-steer");
	garage_open(&g, "");
	g.settings.behaviour = BEHAVIOUR_DYNAMIC;
	assert_refused(&g, "ackermann");
	garage_open(&g, "");
	g.settings.scan_min = 5;
	assert_refused(&g, "scan_min");
	garage_open(&g, "");
	g.settings.timeout = "never";
	assert_refused(&g, "timeout");
	garage_open(&g, "");
	g.settings.patches = "1 2 3";
	assert_refused(&g, "patches");
	garage_open(&g, "");
	g.settings.range_every = 1;
	assert_refused(&g, "range_sensors");
	garage_open(&g, "");
	g.settings.wifi_ssid = "a\"b";
	assert_refused(&g, "quotes");
	garage_open(&g, "model = position-delta");
	g.settings.apply = APPLY_PER_PACKET;
	assert_refused(&g, "goal");
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
	struct garage g;

	garage_open(&g, "max_speed = 0.5m/s\nacceleration = 1");
	cr_assert_float_eq(choices_stopping(&g.settings), 0.375, TINY);
	garage_close(&g);
	garage_open(&g, "max_speed = 0.5m/s\ntimeout = off");
	cr_assert_eq(choices_stopping(&g.settings), INFINITY);
	garage_close(&g);
}
