/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_settings.h - tables of settings as text, JSON and manual page
 *
 * Floor: roof.
 */
#ifndef CMD_PRINT_SETTINGS_H
#define CMD_PRINT_SETTINGS_H

#include "conditions/condition.h"

/**
 * struct settings_entry - One condition, or one kind of section
 * @name:	Its name
 * @text:	What it is or does
 * @table:	Its settings; @n rows
 * @section:	It is a kind of section, written in brackets
 * @named:	Such a section has a name of its own behind the word
 */
struct settings_entry {
	const char *name, *text;
	const struct setting *table;
	size_t n;
	bool section, named;
};

/**
 * print_settings_list() - A line for each
 * @entry:	What to print; @n of them
 */
void print_settings_list(const struct settings_entry *entry, size_t n);

/**
 * print_settings_text() - Each with all its settings, for a terminal
 * @entry:	What to print; @n of them
 */
void print_settings_text(const struct settings_entry *entry, size_t n);

/**
 * print_settings_json() - All as one JSON array
 * @entry:	What to print; @n of them
 */
void print_settings_json(const struct settings_entry *entry, size_t n);

/**
 * print_settings_man() - As the subsections of a manual page, in mdoc
 * @entry:	What to print; @n of them
 */
void print_settings_man(const struct settings_entry *entry, size_t n);

#endif /* CMD_PRINT_SETTINGS_H */
