/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * settings.c - read and print settings by their tables
 *
 * Floor: core.
 */
#include "core/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "core/series.h"

#define DEGREE (3.14159265358979323846 / 180.0)

/* One way to write a unit.  @whole: of int64_t kinds; @part: of doubles. */
struct unit {
	const char *name;
	int64_t whole;
	double part;
};

/**
 * struct kind - How values of one kind are written
 * @name:	In words
 * @like:	Examples, for messages
 * @units:	Its units, the one to print in first; none: a bare number
 */
struct kind {
	const char *name, *like;
	struct unit units[16];
};

/* A unit of the kinds that are int64_t, and one of those that are double. */
#define WHOLE(is, times)                                                       \
	{                                                                      \
		.name = (is), .whole = (times)                                 \
	}
#define PART(is, times)                                                        \
	{                                                                      \
		.name = (is), .part = (times)                                  \
	}

static const struct kind kinds[] = {
	[SETTING_TIME] = { "time",
			   "200ms or 2.56s",
			   { WHOLE("ms", 1000000), WHOLE("ns", 1),
			     WHOLE("us", 1000), WHOLE("\xc2\xb5s", 1000),
			     WHOLE("s", 1000000000), WHOLE("min", 60000000000),
			     WHOLE("h", 3600000000000) } },
	[SETTING_RATE] = { "rate",
			   "50kbit or 1.5Mbit",
			   { WHOLE("bit", 1), WHOLE("kbit", 1000),
			     WHOLE("Mbit", 1000000), WHOLE("Gbit", 1000000000),
			     WHOLE("bit/s", 1), WHOLE("kbit/s", 1000),
			     WHOLE("Mbit/s", 1000000),
			     WHOLE("Gbit/s", 1000000000) } },
	[SETTING_SIZE] = { "size",
			   "1500B, 64KiB or 2000bit",
			   { WHOLE("B", 8), WHOLE("bit", 1),
			     WHOLE("kbit", 1000), WHOLE("Mbit", 1000000),
			     WHOLE("kB", 8000), WHOLE("KiB", 8192),
			     WHOLE("MB", 8000000), WHOLE("MiB", 8388608),
			     WHOLE("GiB", 8589934592) } },
	[SETTING_SHARE] = { "share", "1% or 0.5%", { PART("%", 0.01) } },
	[SETTING_COUNT] = { "count", "100", { WHOLE("", 1) } },
	[SETTING_NUMBER] = { "number", "0.5", { PART("", 1.0) } },
	[SETTING_LENGTH] = { "length",
			     "0.2m or 35mm",
			     { PART("m", 1.0), PART("cm", 0.01),
			       PART("mm", 0.001) } },
	[SETTING_ANGLE] = { "angle",
			    "0.5rad or 30deg",
			    { PART("rad", 1.0), PART("deg", DEGREE) } },
	[SETTING_SPEED] = { "speed",
			    "0.26m/s",
			    { PART("m/s", 1.0), PART("cm/s", 0.01) } },
	[SETTING_TURN] = { "turning speed",
			   "0.5rad/s or 30deg/s",
			   { PART("rad/s", 1.0), PART("deg/s", DEGREE) } },
	[SETTING_SWITCH] = { .name = "switch", .like = "yes or no" },
	[SETTING_CHOICE] = { .name = "choice", .like = "" },
	[SETTING_TEXT] = { .name = "text", .like = "" },
	[SETTING_TIMES] = { .name = "list of times", .like = "10s, 30s" },
	[SETTING_COUNTS] = { .name = "list of counts", .like = "3, 7" },
	[SETTING_POINTS] = { .name = "list of time and delay",
			     .like = "0s 100ms, 10s 200ms" },
	[SETTING_POINTS_FILE] = { .name = "file", .like = "ramp.csv" },
	[SETTING_SPANS_FILE] = { .name = "file", .like = "outages.csv" },
	[SETTING_TRACE_FILE] = { .name = "file", .like = "cell.trace" },
	[SETTING_SERIES_FILE] = { .name = "file", .like = "delays.csv" },
	[SETTING_DISTRIBUTION] = { .name = "distribution",
				   .like = "normal or table:FILE" },
};

const char *settings_kind(enum setting_kind kind)
{
	return kinds[kind].name;
}

const struct setting *settings_find(const struct setting *table, size_t n,
				    const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

static bool is_whole(enum setting_kind kind)
{
	return kind == SETTING_TIME || kind == SETTING_RATE ||
	       kind == SETTING_SIZE || kind == SETTING_COUNT;
}

static bool is_number(enum setting_kind kind)
{
	return kinds[kind].units[0].name != NULL;
}

/* Print a double as an arm would have it: no exponent, whatever the locale. */
static void print_real(char *text, size_t size, double value)
{
	int64_t scale = 1;

	while (scale < INT64_C(100000000000000000) &&
	       fabs(round(value * (double)scale) / (double)scale - value) >
		       fabs(value) * 1e-15)
		scale *= 10;
	if (fabs(value) * (double)scale < 9e18)
		decimal_print(text, size, (int64_t)round(value * (double)scale),
			      scale);
	else
		snprintf(text, size, "%.0f", value);
}

/* Print a number of the kind's own unit, in its first unit. */
static void print_number(const struct setting *setting, double value,
			 int64_t whole, char *text, size_t size)
{
	const struct unit *unit = kinds[setting->kind].units;

	if (is_whole(setting->kind)) {
		if (setting->kind == SETTING_SIZE && whole % 8)
			unit++;
		decimal_print(text, size, whole,
			      setting->kind == SETTING_TIME ? unit->whole : 1);
		if (setting->kind == SETTING_SIZE)
			decimal_print(text, size, whole / unit->whole, 1);
	} else {
		print_real(text, size, value / unit->part);
	}
	snprintf(text + strlen(text), size - strlen(text), "%s", unit->name);
}

void settings_bounds(const struct setting *setting, char *text, size_t size)
{
	char lo[64], hi[64];

	text[0] = '\0';
	if (!is_number(setting->kind))
		return;
	print_number(setting, setting->lo, (int64_t)setting->lo, lo,
		     sizeof(lo));
	print_number(setting, setting->hi, (int64_t)setting->hi, hi,
		     sizeof(hi));
	snprintf(text, size, "%s to %s", lo, hi);
}

/* Read a number with its unit into @whole or @part, by the kind. */
static int read_number(const struct setting *setting, const char *value,
		       int64_t *whole, double *part, char *why, size_t size)
{
	const struct kind *kind = &kinds[setting->kind];
	const struct unit *unit = kind->units;
	struct decimal decimal;

	if (!decimal_read(value, &decimal)) {
		snprintf(why, size, "'%s' is no plain number; write %s", value,
			 kind->like);
		return -1;
	}
	while (unit->name && strcmp(unit->name, decimal.unit))
		unit++;
	if (!unit->name) {
		if (!*decimal.unit)
			snprintf(why, size,
				 "'%s' has no unit; a %s is written %s", value,
				 kind->name, kind->like);
		else if (kind->units->name && *kind->units->name)
			snprintf(why, size, "'%s' is no unit of a %s; write %s",
				 decimal.unit, kind->name, kind->like);
		else
			snprintf(why, size, "'%s' is no plain number; write %s",
				 value, kind->like);
		return -1;
	}
	if (setting->kind == SETTING_COUNT && decimal.places) {
		snprintf(why, size, "'%s' is no whole number; write %s", value,
			 kind->like);
		return -1;
	}
	if (!is_whole(setting->kind)) {
		*part = decimal_double(&decimal) * unit->part;
		return 0;
	}
	if (!decimal_scale(&decimal, unit->whole, whole)) {
		snprintf(why, size, "'%s' is too large", value);
		return -1;
	}
	*part = (double)*whole;
	return 0;
}

static int parse_number(const struct setting *setting, void *member,
			const char *value, char *why, size_t size)
{
	char bounds[160];
	int64_t whole = 0;
	double part;

	if (read_number(setting, value, &whole, &part, why, size))
		return -1;
	if (part < setting->lo || part > setting->hi) {
		settings_bounds(setting, bounds, sizeof(bounds));
		snprintf(why, size, "'%s' is out of range; it is %s", value,
			 bounds);
		return -1;
	}
	if (is_whole(setting->kind))
		memcpy(member, &whole, sizeof(whole));
	else
		memcpy(member, &part, sizeof(part));
	return 0;
}

static int parse_choice(const struct setting *setting, int *member,
			const char *value, char *why, size_t size)
{
	const char *word = setting->choices;
	size_t len = strlen(value);

	for (int i = 0;; i++) {
		size_t end = strcspn(word, "|");

		if (end == len && !memcmp(word, value, len)) {
			*member = i;
			return 0;
		}
		if (!word[end])
			break;
		word += end + 1;
	}
	snprintf(why, size, "'%s' is none of %s", value, setting->choices);
	return -1;
}

static int parse_switch(bool *member, const char *value, char *why, size_t size)
{
	if (!strcmp(value, "yes") || !strcmp(value, "on"))
		*member = true;
	else if (!strcmp(value, "no") || !strcmp(value, "off"))
		*member = false;
	else
		return snprintf(why, size, "'%s' is neither yes nor no", value),
		       -1;
	return 0;
}

int settings_parse(const struct setting *setting, void *into, const char *value,
		   const struct settings_source *source, char *why, size_t size)
{
	void *member = (char *)into + setting->offset;
	const char *text;

	if (is_number(setting->kind))
		return parse_number(setting, member, value, why, size);
	switch (setting->kind) {
	case SETTING_CHOICE:
		return parse_choice(setting, member, value, why, size);
	case SETTING_SWITCH:
		return parse_switch(member, value, why, size);
	case SETTING_TEXT:
		text = store_text(source->store, value);
		memcpy(member, &text, sizeof(text));
		return 0;
	default:
		return series_parse(setting, member, value, source, why, size);
	}
}

void settings_preset(const struct setting *table, size_t n, void *into,
		     const struct settings_source *source)
{
	char why[256];

	for (size_t i = 0; i < n; i++) {
		if (!table[i].preset ||
		    (!table[i].preset[0] && table[i].kind != SETTING_TEXT))
			continue;
		/* a preset that does not parse is caught by the tests */
		(void)settings_parse(&table[i], into, table[i].preset, source,
				     why, sizeof(why));
	}
}

static void print_choice(const struct setting *setting, int choice, char *text,
			 size_t size)
{
	const char *word = setting->choices;

	while (choice-- > 0)
		word += strcspn(word, "|") + 1;
	snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
}

void settings_print(const struct setting *setting, const void *from, char *text,
		    size_t size)
{
	const char *member = (const char *)from + setting->offset;
	const char *word;
	int64_t whole = 0;
	double part = 0;
	int choice;

	if (is_number(setting->kind)) {
		if (is_whole(setting->kind))
			memcpy(&whole, member, sizeof(whole));
		else
			memcpy(&part, member, sizeof(part));
		print_number(setting, part, whole, text, size);
		return;
	}
	switch (setting->kind) {
	case SETTING_CHOICE:
		memcpy(&choice, member, sizeof(choice));
		print_choice(setting, choice, text, size);
		break;
	case SETTING_SWITCH:
		snprintf(text, size, "%s", *member ? "yes" : "no");
		break;
	case SETTING_TEXT:
		memcpy(&word, member, sizeof(word));
		snprintf(text, size, "%s", word ? word : "");
		break;
	default:
		series_print(setting, member, text, size);
		break;
	}
}
