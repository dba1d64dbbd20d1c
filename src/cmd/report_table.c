/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report_table.c - the numbers of a report as a table, one a row
 *
 * Floor: roof.
 */
#include "cmd/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "edge/csv.h"

#define PATH_ROOM 256
/* Objects within objects, at most. */
#define LEVELS 8

/* Whose numbers these are: the first columns of a row. */
struct whose {
	const char *record, *trial, *direction, *stream;
	FILE *to;
};

static void put(FILE *to, const char *text)
{
	char *room = malloc(CSV_ROOM(strlen(text)));

	if (!room)
		abort();
	(void)fwrite(room, 1, csv_print(room, text), to);
	free(room);
}

static const char *unit_of(const char *path)
{
	size_t len = strlen(path);

	if (len > 3 && !strcmp(path + len - 3, "_ns"))
		return "ns";
	if (len > 3 && !strcmp(path + len - 3, "_hz"))
		return "Hz";
	if (len > 2 && !strcmp(path + len - 2, "_m"))
		return "m";
	if (len > 6 && !strcmp(path + len - 6, "_bytes"))
		return "B";
	return "";
}

static void row(const struct whose *whose, const char *path,
		const json_t *value)
{
	const char *const texts[] = {
		whose->record, whose->trial, whose->direction,
		whose->stream, path,	     unit_of(path)
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put(whose->to, texts[i]);
		fputc(',', whose->to);
	}
	if (json_is_integer(value))
		fprintf(whose->to, "%" JSON_INTEGER_FORMAT,
			json_integer_value(value));
	else if (json_is_real(value))
		fprintf(whose->to, "%.15g", json_real_value(value));
	else if (json_is_boolean(value))
		put(whose->to, json_is_true(value) ? "true" : "false");
	else
		put(whose->to, json_string_value(value));
	fputc('\n', whose->to);
}

static bool is_plain(const json_t *value)
{
	return json_is_number(value) || json_is_boolean(value) ||
	       json_is_string(value);
}

/* An object or a list within which we are, and where in it. */
struct level {
	char path[PATH_ROOM];
	json_t *value;
	void *at;
	size_t index;
};

/* What comes next in an object or a list, and its path; NULL at the end. */
static json_t *next_of(struct level *level, char *path)
{
	json_t *value;

	if (json_is_array(level->value)) {
		void *first;

		value = json_array_get(level->value, level->index++);
		/* of a list, each has what it is for as its first member */
		first = json_object_iter(value);
		snprintf(path, PATH_ROOM, "%.200s.%" JSON_INTEGER_FORMAT "ms",
			 level->path,
			 json_integer_value(json_object_iter_value(first)) /
				 NSEC_PER_MS);
		return value;
	}
	level->at = level->at ? json_object_iter_next(level->value, level->at)
			      : json_object_iter(level->value);
	if (!level->at)
		return NULL;
	snprintf(path, PATH_ROOM, "%.120s%s%.120s", level->path,
		 *level->path ? "." : "", json_object_iter_key(level->at));
	return json_object_iter_value(level->at);
}

/* The members of an object, those of objects in it by a path with points. */
static void rows(const struct whose *whose, const char *above, json_t *object)
{
	struct level stack[LEVELS] = { { .value = object } };
	size_t depth = 1;

	snprintf(stack[0].path, PATH_ROOM, "%s", above);
	while (depth) {
		char path[PATH_ROOM];
		json_t *value = next_of(&stack[depth - 1], path);

		if (!value) {
			depth--;
		} else if (is_plain(value)) {
			row(whose, path, value);
		} else if (depth < LEVELS) {
			struct level *level = &stack[depth++];

			*level = (struct level){ .value = value };
			memcpy(level->path, path, PATH_ROOM);
		}
	}
}

static void trial_rows(struct whose whose, const json_t *trial)
{
	const char *key;
	json_t *value, *channel;
	size_t i;

	json_object_foreach((json_t *)trial, key, value)
	{
		if (is_plain(value) && strcmp(key, "trial") != 0)
			row(&whose, key, value);
		else if (!strcmp(key, "vehicle") && json_is_object(value))
			rows(&whose, key, value);
	}
	json_array_foreach(json_object_get(trial, "channels"), i, channel)
	{
		whose.direction = json_string_value(
			json_object_get(channel, "direction"));
		whose.stream =
			json_string_value(json_object_get(channel, "stream"));
		rows(&whose, "", channel);
	}
}

void report_table(const json_t *report, FILE *to)
{
	json_t *record, *trial;
	size_t r, t;

	fputs("record,trial,direction,stream,quantity,unit,value\n", to);
	json_array_foreach(json_object_get(report, "records"), r, record)
	{
		struct whose whose = {
			.direction = "", .stream = "", .trial = "", .to = to
		};
		json_t *verification = json_object_get(record, "verification");

		whose.record =
			json_string_value(json_object_get(record, "record"));
		rows(&whose, "arm", json_object_get(record, "arm"));
		rows(&whose, "verification", verification);
		json_array_foreach(json_object_get(record, "trials"), t, trial)
		{
			whose.trial = json_string_value(
				json_object_get(trial, "trial"));
			trial_rows(whose, trial);
		}
	}
}
