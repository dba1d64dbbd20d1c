/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * member.c - members of JSON objects, set and read
 *
 * Floor: edge.
 */
#include "edge/member.h"

#include <math.h>

bool member_is_text(const char *text)
{
	json_t *value = json_string(text);

	json_decref(value);
	return value != NULL;
}

json_t *member_text(const char *text)
{
	json_t *value = json_string(text);

	return value ? value : json_string("?");
}

void member_set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, member_text(text));
}

void member_set_count(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

void member_set_real(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key,
			    isfinite(value) ? json_real(value) : json_null());
}

json_t *member_time(double ns)
{
	return isfinite(ns) && ns >= 0 ? json_integer((json_int_t)llround(ns))
				       : json_null();
}

void member_set_time(json_t *object, const char *key, double ns)
{
	json_object_set_new(object, key, member_time(ns));
}

json_t *member_lines(const struct err *err)
{
	json_t *list = json_array();

	for (size_t i = 0; i < err->n; i++)
		json_array_append_new(list, member_text(err->line[i]));
	return list;
}

const char *member_get_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

json_int_t member_get_number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

uint64_t member_get_count(const json_t *object, const char *key)
{
	return (uint64_t)member_get_number(object, key);
}
