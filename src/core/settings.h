/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * settings.h - read and print settings by their tables
 *
 * Floor: core.
 *
 * A struct setting (conditions/condition.h) says all there is to know of one
 * key.  Numbers are read as decimals without rounding on the way: 2.56s is
 * 2 560 000 000 ns exactly, whatever the locale.
 */
#ifndef CORE_SETTINGS_H
#define CORE_SETTINGS_H

#include "conditions/condition.h"
#include "core/store.h"

/**
 * struct settings_source - Where values that stand in other files come from
 * @store:	Keeps texts and lists
 * @load:	Loads a file for a setting: returns its text (of the store, with
 *		a zero byte behind it) and sets @size, or NULL with @why filled.
 *		NULL: no files can be read here
 * @context:	Handed to @load
 */
struct settings_source {
	struct store *store;
	const char *(*load)(void *context, const char *name, size_t *size,
			    char *why, size_t why_size);
	void *context;
};

/**
 * settings_find() - Row of a key
 * @table:	Table
 * @n:		Rows
 * @name:	Key
 *
 * Return: the row, or NULL.
 */
const struct setting *settings_find(const struct setting *table, size_t n,
				    const char *name);

/**
 * settings_parse() - Read one value into its member
 * @setting:	Row
 * @into:	The settings that the table fills
 * @value:	As written in the arm
 * @source:	Where texts are kept and files come from
 * @why:	Filled with what is wrong and what would be right
 * @size:	Of @why
 *
 * Return: 0, or -1 with @why filled and the member unchanged.
 */
int settings_parse(const struct setting *setting, void *into, const char *value,
		   const struct settings_source *source, char *why,
		   size_t size);

/**
 * settings_preset() - Fill in what stands where an arm says nothing
 * @table:	Table
 * @n:		Rows
 * @into:	The settings that the table fills
 * @source:	Where texts are kept
 */
void settings_preset(const struct setting *table, size_t n, void *into,
		     const struct settings_source *source);

/**
 * settings_print() - Write a value as an arm would have it
 * @setting:	Row
 * @from:	The settings that the table fills
 * @text:	Filled
 * @size:	Of @text
 */
void settings_print(const struct setting *setting, const void *from, char *text,
		    size_t size);

/**
 * settings_bounds() - Write the bounds of a setting: "0ns to 1h"
 * @setting:	Row
 * @text:	Filled; empty where the kind has none
 * @size:	Of @text
 */
void settings_bounds(const struct setting *setting, char *text, size_t size);

/**
 * settings_kind() - What a kind of setting is, with its unit, in words
 * @kind:	Kind
 *
 * Return: for example "time".
 */
const char *settings_kind(enum setting_kind kind);

#endif /* CORE_SETTINGS_H */
