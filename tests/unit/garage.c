/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * garage.c - a vehicle with its settings written as in an arm, for tests
 *
 * Floor: tests.
 */
#include "tests/unit/garage.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/settings.h"
#include "vehicle/preset.h"

static void set(struct garage *garage, const char *key, const char *value)
{
	struct settings_source source = { .store = &garage->store };
	const struct setting *setting =
		settings_find(vehicle_settings, n_vehicle_settings, key);
	char why[256] = "";

	cr_assert(setting, "%s is no setting", key);
	cr_assert_eq(settings_parse(setting, &garage->settings, value, &source,
				    why, sizeof(why)),
		     0, "%s = %s: %s", key, value, why);
}

static void apply_preset(struct garage *garage, const char *name)
{
	const struct preset *preset = preset_find(name);

	cr_assert(preset, "%s is no preset", name);
	for (const struct preset_value *v = preset->values; v->key; v++)
		set(garage, v->key, v->value);
}

/* Call set() for each line; or only find the preset. */
static void read_lines(struct garage *garage, const char *lines, int presets)
{
	char copy[2048], *line, *rest = copy;

	cr_assert(strlen(lines) < sizeof(copy));
	snprintf(copy, sizeof(copy), "%s", lines);
	while ((line = strtok_r(rest, "\n", &rest))) {
		char *value = strstr(line, " = ");

		cr_assert(value, "no setting: %s", line);
		*value = '\0';
		value += 3;
		if (presets && strcmp(line, "preset") == 0)
			apply_preset(garage, value);
		else if (!presets)
			set(garage, line, value);
	}
}

void garage_read(struct garage *garage, const char *lines)
{
	struct settings_source source = { .store = &garage->store };

	memset(garage, 0, sizeof(*garage));
	settings_preset(vehicle_settings, n_vehicle_settings, &garage->settings,
			&source);
	read_lines(garage, lines, 1);
	read_lines(garage, lines, 0);
}

void garage_open(struct garage *garage, const char *lines)
{
	char why[256];

	garage_read(garage, lines);
	cr_assert_eq(
		vehicle_settings_check(&garage->settings, why, sizeof(why)), 0,
		"%s", why);
}

void garage_start(struct garage *garage, const char *lines, const char *walls)
{
	struct world *world = NULL;
	char why[256] = "";

	garage_open(garage, lines);
	if (walls) {
		world = world_parse_walls(walls, strlen(walls), why,
					  sizeof(why));
		cr_assert(world, "%s", why);
	}
	garage->vehicle = vehicle_new(&garage->settings, world, 1);
	cr_assert(garage->vehicle);
}

void garage_put(struct garage *garage, nsec at, const char *payload)
{
	vehicle_put(garage->vehicle, at, payload, strlen(payload));
}

static void see(struct garage *garage, const struct publication *publication)
{
	if (!publication->stream) {
		garage->row = *publication->row;
		garage->rows++;
		return;
	}
	cr_assert(publication->len > 0);
	garage->bytes += publication->len;
	for (size_t i = 0; i < publication->len; i++)
		garage->hash = (garage->hash ^ (uint8_t)publication->bytes[i]) *
			       UINT64_C(0x100000001b3);
}

void garage_run(struct garage *garage, nsec until)
{
	struct publication publication;

	while (vehicle_take(garage->vehicle, until, &publication))
		see(garage, &publication);
}

void garage_drive(struct garage *garage, nsec from, nsec until, nsec every,
		  const char *payload)
{
	for (nsec at = from; at < until; at += every) {
		garage_run(garage, at - 1);
		garage_put(garage, at, payload);
	}
	garage_run(garage, until);
}

void garage_close(struct garage *garage)
{
	vehicle_free(garage->vehicle);
	store_fini(&garage->store);
}
