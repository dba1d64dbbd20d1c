/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * json.h - walk over one JSON object without building it
 *
 * Floor: vehicle.
 *
 * The walk tells a visitor each value that is not an object or an array, with
 * the path that leads to it: "pose.position.x", "ranges[]", "walls[].x1".  It
 * allocates nothing, and every length and depth is bounded, so that a datagram
 * from anywhere may be walked.
 */
#ifndef VEHICLE_JSON_H
#define VEHICLE_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* What is longer or deeper is malformed. */
#define JSON_PATH_MAX  96
#define JSON_DEPTH_MAX 8

enum json_kind { JSON_NUMBER, JSON_STRING, JSON_TRUE, JSON_FALSE, JSON_NULL };

/**
 * struct json_value - One value, borrowed for the length of a visit
 * @kind:	Which kind
 * @path:	Keys that lead to it, with '.' between and "[]" for an array
 * @index:	Place in the array around it, of nested ones the outermost
 * @number:	For JSON_NUMBER
 * @text:	For JSON_STRING: as written, with escapes; no zero byte behind
 * @len:	Of @text
 */
struct json_value {
	enum json_kind kind;
	const char *path;
	size_t index;
	double number;
	const char *text;
	size_t len;
};

/* Why a walk ended. */
enum json_end {
	JSON_END_DONE,
	JSON_END_MALFORMED,
	JSON_END_NOT_FINITE, /* NaN, Infinity, or a number too large */
	JSON_END_STOPPED,    /* the visitor said so */
};

/**
 * json_walk() - Visit every value of one object
 * @json:	Text; spaces around the object are passed over
 * @len:	Its length
 * @visit:	Called for each value in the order of the text; returns false to
 *		stop
 * @context:	Handed to @visit
 *
 * Values before a fault have been visited when the fault is found.
 *
 * Return: why it ended.
 */
enum json_end json_walk(const char *json, size_t len,
			bool (*visit)(void *context,
				      const struct json_value *value),
			void *context);

/**
 * json_is() - Is a string this word?
 * @value:	Value
 * @word:	Word
 *
 * Return: true if it is a string and says just that.
 */
bool json_is(const struct json_value *value, const char *word);

#endif /* VEHICLE_JSON_H */
