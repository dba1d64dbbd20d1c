/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * build_robot.c - what [vehicle] and [safety] of an arm say
 *
 * Floor: session.
 */
#include "session/build.h"

#include <stdio.h>
#include <string.h>

#include "vehicle/preset.h"
#include "vehicle/world.h"

/* A row of the section, as if the arm had it. */
static void set_key(struct build *build, const struct ini_row *row)
{
	struct vehicle_settings *settings = &build->arm->vehicle.settings;

	if (!build_key(build, row, vehicle_settings, n_vehicle_settings,
		       settings))
		build_unknown(build, row, vehicle_settings, n_vehicle_settings,
			      "");
}

/* The values of the robot that "preset" names. */
static void set_preset(struct build *build, const struct ini_row *row)
{
	const struct preset *preset = preset_find(row->value);
	char names[512] = "write one of";
	size_t at = strlen(names);

	if (!preset) {
		for (size_t i = 0; preset_get(i) && at < sizeof(names); i++)
			at += (size_t)snprintf(names + at, sizeof(names) - at,
					       "%s %s", i ? "," : "",
					       preset_get(i)->name);
		err_add(build->err, "%s: preset = %s: %s",
			build_where(build, row->line), row->value, names);
		return;
	}
	for (const struct preset_value *value = preset->values; value->key;
	     value++) {
		const struct ini_row like = { .section = row->section,
					      .key = value->key,
					      .value = value->value,
					      .line = row->line };

		set_key(build, &like);
	}
}

/* Read the world, and the image that a map of it names. */
static void load_world(struct build *build, int line)
{
	struct arm_vehicle *vehicle = &build->arm->vehicle;
	const char *name = vehicle->settings.world;
	char why[256] = "", image[256];
	size_t len = strlen(name);

	if (!len)
		return;
	vehicle->world =
		build_load(build, name, &vehicle->world_size, why, sizeof(why));
	if (!vehicle->world) {
		build_fault(build, line, "world", name, why);
		return;
	}
	if (len < 5 || strcmp(name + len - 5, ".yaml") != 0)
		return;
	if (!world_image(vehicle->world, vehicle->world_size, image,
			 sizeof(image))) {
		/* it is the YAML that is wrong, and this says where */
		world_free(world_parse_map(vehicle->world, vehicle->world_size,
					   (const uint8_t *)"", 0, why,
					   sizeof(why)));
		build_fault(build, line, "world", name, why);
		return;
	}
	vehicle->image = build_load(build, image, &vehicle->image_size, why,
				    sizeof(why));
	if (!vehicle->image)
		build_fault(build, line, "world", name, why);
}

struct world *arm_world(const struct arm *arm, char *why, size_t size)
{
	const struct arm_vehicle *vehicle = &arm->vehicle;

	why[0] = '\0';
	if (vehicle->image)
		return world_parse_map(vehicle->world, vehicle->world_size,
				       (const uint8_t *)vehicle->image,
				       vehicle->image_size, why, size);
	if (vehicle->world)
		return world_parse_walls(vehicle->world, vehicle->world_size,
					 why, size);
	return NULL;
}

void build_vehicle(struct build *build, struct ini_row *rows, size_t n,
		   int line)
{
	struct arm_vehicle *vehicle = &build->arm->vehicle;
	size_t faults = build->err->n;
	struct world *world;
	char why[512] = "";

	build_presets(build, vehicle_settings, n_vehicle_settings,
		      &vehicle->settings);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].key, "preset"))
			set_preset(build, &rows[i]);
	for (size_t i = 0; i < n; i++)
		set_key(build, &rows[i]);
	if (build->err->n != faults)
		return;
	load_world(build, line);
	if (vehicle_settings_check(&vehicle->settings, why, sizeof(why)) < 0)
		err_add(build->err, "%s: [vehicle] %s",
			build_where(build, line), why);
	if (build->err->n != faults)
		return;
	world = arm_world(build->arm, why, sizeof(why));
	if (*why)
		build_fault(build, line, "world", vehicle->settings.world, why);
	world_free(world);
}

void build_safety(struct build *build, int line)
{
	struct arm *arm = build->arm;
	struct arm_safety *safety = &arm->safety;

	safety->channel = CHANNEL_NONE;
	safety->deadman = NSEC_NEVER;
	if (!safety->active)
		return;
	if (strcmp(safety->deadman_text, "off") != 0) {
		static const struct setting time = { .name = "deadman",
						     .kind = SETTING_TIME,
						     .lo = 1e6,
						     .hi = (double)DELAY_MAX };
		char why[256];

		if (settings_parse(&time, &safety->deadman,
				   safety->deadman_text, NULL, why,
				   sizeof(why)) < 0)
			build_fault(build, line, "deadman",
				    safety->deadman_text, why);
	}
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].plan.direction == UPLINK &&
		    !strcmp(arm->channel[i].plan.stream, safety->stream))
			safety->channel = (uint16_t)i;
	if (safety->channel == CHANNEL_NONE)
		build_fault(build, line, "stream", safety->stream,
			    "there is no [uplink …] of this name; name the "
			    "stream that carries commands");
	else if (arm->channel[safety->channel].rule.reply != CHANNEL_NONE)
		build_fault(build, line, "stream", safety->stream,
			    "it is a reply and has no fixed destination; name "
			    "a stream with a port");
}
