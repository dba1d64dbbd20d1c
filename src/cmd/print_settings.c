/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_settings.c - tables of settings as text, JSON and manual page
 *
 * Floor: roof.
 */
#include "cmd/print_settings.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "core/settings.h"

#define COLUMNS 76
#define INDENT	8

/* What stands where the arm says nothing, in words. */
static const char *preset_of(const struct setting *setting)
{
	if (!setting->preset)
		return "required";
	return setting->preset[0] ? setting->preset : "none";
}

/* "time, 0ms to 3600000ms", "yes|no" */
static void say_values(const struct setting *setting, char *text, size_t size)
{
	char bounds[192];

	settings_bounds(setting, bounds, sizeof(bounds));
	if (setting->kind == SETTING_CHOICE)
		snprintf(text, size, "%s", setting->choices);
	else if (setting->kind == SETTING_SWITCH)
		snprintf(text, size, "yes|no");
	else
		snprintf(text, size, "%s%s%s", settings_kind(setting->kind),
			 *bounds ? ", " : "", bounds);
}

/* Words, wrapped and indented. */
static void print_wrapped(const char *words)
{
	size_t column = 0;

	while (*words) {
		size_t len = strcspn(words, " ");

		if (!column || column + 1 + len > COLUMNS) {
			printf("%s%*s", column ? "\n" : "", INDENT, "");
			column = INDENT;
		} else {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)len, words);
		column += len;
		words += len;
		words += strspn(words, " ");
	}
	putchar('\n');
}

void print_settings_list(const struct settings_entry *entry, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%-17s %s\n", entry[i].name, entry[i].text);
	printf("\nfarlink conditions NAME lists the settings of one.\n");
}

static void print_head(const struct settings_entry *entry)
{
	if (entry->section)
		printf("[%s%s] - %s\n", entry->name,
		       entry->named ? " NAME" : "", entry->text);
	else
		printf("type = %s - %s\n", entry->name, entry->text);
}

void print_settings_text(const struct settings_entry *entry, size_t n)
{
	char values[512];

	for (size_t i = 0; i < n; i++) {
		if (i)
			putchar('\n');
		print_head(&entry[i]);
		for (size_t s = 0; s < entry[i].n; s++) {
			const struct setting *setting = &entry[i].table[s];

			say_values(setting, values, sizeof(values));
			printf("\n    %s (%s; %s%s)\n", setting->name, values,
			       setting->preset ? "default " : "",
			       preset_of(setting));
			print_wrapped(setting->text);
		}
	}
}

static json_t *json_of(const struct setting *setting)
{
	json_t *object = json_object();
	char bounds[192];

	settings_bounds(setting, bounds, sizeof(bounds));
	json_object_set_new(object, "name", json_string(setting->name));
	json_object_set_new(object, "kind",
			    json_string(settings_kind(setting->kind)));
	json_object_set_new(object, "bounds",
			    *bounds ? json_string(bounds) : json_null());
	json_object_set_new(object, "choices",
			    setting->kind == SETTING_CHOICE
				    ? json_string(setting->choices)
				    : json_null());
	json_object_set_new(object, "required", json_boolean(!setting->preset));
	json_object_set_new(object, "default",
			    setting->preset ? json_string(setting->preset)
					    : json_null());
	json_object_set_new(object, "text", json_string(setting->text));
	return object;
}

void print_settings_json(const struct settings_entry *entry, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *object = json_object(), *settings = json_array();

		json_object_set_new(object, "name", json_string(entry[i].name));
		json_object_set_new(object, "text", json_string(entry[i].text));
		for (size_t s = 0; s < entry[i].n; s++)
			json_array_append_new(settings,
					      json_of(&entry[i].table[s]));
		json_object_set_new(object, "settings", settings);
		json_array_append_new(array, object);
	}
	json_dumpf(array, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(array);
}

/* A sentence for mdoc: capital letter first, full stop last; what would be a
 * request at the beginning of a line, or an escape, is kept from being one.
 */
static void print_man_sentence(const char *words)
{
	if (*words == '.' || *words == '\'')
		printf("\\&");
	for (size_t i = 0; words[i]; i++) {
		if (words[i] == '\\')
			printf("\\e");
		else if (!i && *words >= 'a' && *words <= 'z')
			putchar(*words - 'a' + 'A');
		else
			putchar(words[i]);
	}
	printf(".\n");
}

void print_settings_man(const struct settings_entry *entry, size_t n)
{
	char values[512];

	for (size_t i = 0; i < n; i++) {
		if (entry[i].section)
			printf(".Ss [%s%s]\n", entry[i].name,
			       entry[i].named ? " NAME" : "");
		else
			printf(".Ss %s\n", entry[i].name);
		print_man_sentence(entry[i].text);
		printf(".Bl -tag -width Ds\n");
		for (size_t s = 0; s < entry[i].n; s++) {
			const struct setting *setting = &entry[i].table[s];

			say_values(setting, values, sizeof(values));
			printf(".It Cm %s Pq %s ; %s%s\n", setting->name,
			       values, setting->preset ? "default " : "",
			       preset_of(setting));
			print_man_sentence(setting->text);
		}
		printf(".El\n");
	}
}
