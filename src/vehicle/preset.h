/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * preset.h - robots whose values are known, and where from
 *
 * Floor: vehicle.
 *
 * A preset is a list of keys and values, written as in an arm.  Feed them to
 * the table of settings after its own presets and before what the arm says.
 */
#ifndef VEHICLE_PRESET_H
#define VEHICLE_PRESET_H

#include <stddef.h>

/* One line of a preset; the last one of a list has no key. */
struct preset_value {
	const char *key, *value;
};

/**
 * struct preset - A robot
 * @name:	As it stands after "preset ="
 * @text:	What it is, in one sentence without a full stop
 * @source:	Where its values come from
 * @values:	The values
 */
struct preset {
	const char *name;
	const char *text;
	const char *source;
	const struct preset_value *values;
};

/**
 * preset_find() - A preset by its name
 * @name:	Name
 *
 * Return: the preset, or NULL.
 */
const struct preset *preset_find(const char *name);

/**
 * preset_get() - A preset by its place
 * @i:		Place, from 0
 *
 * Return: the preset, or NULL behind the last one.
 */
const struct preset *preset_get(size_t i);

#endif /* VEHICLE_PRESET_H */
