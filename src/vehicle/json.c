/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * json.c - walk over one JSON object without building it
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * A loop with a stack of open objects and arrays, no recursion.  The path is
 * kept as text: opening a member adds to it, and the stack remembers how long
 * it was before.
 */
#include "vehicle/json.h"

#include <math.h>
#include <string.h>

#include "vehicle/number.h"

#define BLANKS " \t\r\n"

/**
 * struct level - An open object or array
 * @close:	What ends it: '}' or ']'
 * @path:	Length of the path that leads to it
 * @n:		Values in it so far
 */
struct level {
	char close;
	size_t path;
	size_t n;
};

struct walk {
	struct cursor in;
	char path[JSON_PATH_MAX];
	size_t path_len;
	struct level level[JSON_DEPTH_MAX];
	size_t depth;
	bool (*visit)(void *context, const struct json_value *value);
	void *context;
};

static bool add_path(struct walk *walk, const char *text, size_t len)
{
	if (walk->path_len + len >= sizeof(walk->path))
		return false;
	memcpy(walk->path + walk->path_len, text, len);
	walk->path_len += len;
	walk->path[walk->path_len] = '\0';
	return true;
}

static void cut_path(struct walk *walk, size_t len)
{
	walk->path_len = len;
	walk->path[len] = '\0';
}

/* A string in quotes; escapes are passed over, control characters refused. */
static bool read_string(struct walk *walk, const char **text, size_t *len)
{
	struct cursor *in = &walk->in;

	if (!number_match(in, "\""))
		return false;
	*text = in->at;
	while (in->at < in->end && *in->at != '"') {
		if ((unsigned char)*in->at < 0x20)
			return false;
		if (*in->at == '\\' && ++in->at == in->end)
			return false;
		in->at++;
	}
	*len = (size_t)(in->at - *text);
	return number_match(in, "\"");
}

static enum json_end visit_number(struct walk *walk, struct json_value *value)
{
	if (number_match(&walk->in, "NaN") ||
	    number_match(&walk->in, "Infinity") ||
	    number_match(&walk->in, "-Infinity"))
		return JSON_END_NOT_FINITE;
	if (!number_read(&walk->in, &value->number))
		return JSON_END_MALFORMED;
	if (!isfinite(value->number))
		return JSON_END_NOT_FINITE;
	value->kind = JSON_NUMBER;
	return JSON_END_DONE;
}

static enum json_end visit_value(struct walk *walk)
{
	struct json_value value = { .path = walk->path };
	enum json_end end = JSON_END_DONE;

	for (size_t i = 0; i < walk->depth; i++)
		if (walk->level[i].close == ']') {
			value.index = walk->level[i].n;
			break;
		}
	if (walk->in.at < walk->in.end && *walk->in.at == '"') {
		value.kind = JSON_STRING;
		if (!read_string(walk, &value.text, &value.len))
			return JSON_END_MALFORMED;
	} else if (number_match(&walk->in, "true")) {
		value.kind = JSON_TRUE;
	} else if (number_match(&walk->in, "false")) {
		value.kind = JSON_FALSE;
	} else if (number_match(&walk->in, "null")) {
		value.kind = JSON_NULL;
	} else {
		end = visit_number(walk, &value);
	}
	if (end == JSON_END_DONE && !walk->visit(walk->context, &value))
		end = JSON_END_STOPPED;
	return end;
}

static bool open_level(struct walk *walk, char close)
{
	struct level *level;

	if (walk->depth == JSON_DEPTH_MAX)
		return false;
	level = &walk->level[walk->depth++];
	*level = (struct level){ .close = close, .path = walk->path_len };
	return close == '}' || add_path(walk, "[]", 2);
}

/* The key and the colon before a member of an object. */
static bool read_key(struct walk *walk)
{
	const struct level *level = &walk->level[walk->depth - 1];
	const char *text;
	size_t len;

	cut_path(walk, level->path);
	number_skip(&walk->in, BLANKS);
	if (!read_string(walk, &text, &len))
		return false;
	/* a key with a dot in it must not pass for a path */
	if (!len || memchr(text, '.', len) || memchr(text, '[', len))
		return false;
	if (level->path && !add_path(walk, ".", 1))
		return false;
	if (!add_path(walk, text, len))
		return false;
	number_skip(&walk->in, BLANKS);
	return number_match(&walk->in, ":");
}

/* One value, or the opening of one that has values in it. */
static enum json_end read_value(struct walk *walk)
{
	enum json_end end;

	number_skip(&walk->in, BLANKS);
	if (number_match(&walk->in, "{"))
		return open_level(walk, '}') ? JSON_END_DONE
					     : JSON_END_MALFORMED;
	if (number_match(&walk->in, "["))
		return open_level(walk, ']') ? JSON_END_DONE
					     : JSON_END_MALFORMED;
	end = visit_value(walk);
	walk->level[walk->depth - 1].n++;
	return end;
}

/* One step within the innermost object or array. */
static enum json_end step(struct walk *walk)
{
	struct level *level = &walk->level[walk->depth - 1];
	const char close[2] = { level->close, '\0' };

	number_skip(&walk->in, BLANKS);
	if (number_match(&walk->in, close)) {
		cut_path(walk, level->path);
		if (--walk->depth)
			walk->level[walk->depth - 1].n++;
		return JSON_END_DONE;
	}
	if (level->n && !number_match(&walk->in, ","))
		return JSON_END_MALFORMED;
	if (level->close == '}' && !read_key(walk))
		return JSON_END_MALFORMED;
	return read_value(walk);
}

enum json_end json_walk(const char *json, size_t len,
			bool (*visit)(void *context,
				      const struct json_value *value),
			void *context)
{
	struct walk walk = { .in = { json, json + len },
			     .visit = visit,
			     .context = context };
	enum json_end end = JSON_END_DONE;

	number_skip(&walk.in, BLANKS);
	if (!number_match(&walk.in, "{") || !open_level(&walk, '}'))
		return JSON_END_MALFORMED;
	while (walk.depth && end == JSON_END_DONE)
		end = step(&walk);
	number_skip(&walk.in, BLANKS);
	if (end == JSON_END_DONE && walk.in.at != walk.in.end)
		return JSON_END_MALFORMED;
	return end;
}

bool json_is(const struct json_value *value, const char *word)
{
	return value->kind == JSON_STRING && value->len == strlen(word) &&
	       memcmp(value->text, word, value->len) == 0;
}
