/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * member.h - members of JSON objects, set and read
 *
 * Floor: edge.
 *
 * JSON has neither numbers without a bound nor text that is not UTF-8, and
 * names of files and of sections need not be that.  What to write instead is
 * decided here, for all that farlink writes: null, and "?".
 */
#ifndef EDGE_MEMBER_H
#define EDGE_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "core/err.h"

/**
 * member_set_text() - Set a member to a text
 * @object:	Object
 * @key:	Name of the member
 * @text:	Its value; "?" stands for one that is not UTF-8
 */
void member_set_text(json_t *object, const char *key, const char *text);

/**
 * member_set_count() - Set a member to a whole number
 * @object:	Object
 * @key:	Name of the member
 * @value:	Its value
 */
void member_set_count(json_t *object, const char *key, uint64_t value);

/**
 * member_set_real() - Set a member to a number that need not be whole
 * @object:	Object
 * @key:	Name of the member
 * @value:	Its value; null stands for one that is not finite
 */
void member_set_real(json_t *object, const char *key, double value);

/**
 * member_set_time() - Set a member to a time
 * @object:	Object
 * @key:	Name of the member
 * @ns:		Its value, as member_time() has it
 */
void member_set_time(json_t *object, const char *key, double ns);

/**
 * member_is_text() - Whether JSON can have a text
 * @text:	The text
 *
 * Return: false where it is not UTF-8.
 */
bool member_is_text(const char *text);

/**
 * member_text() - A text as a value
 * @text:	The text
 *
 * Return: @text, or "?" where it is not UTF-8.
 */
json_t *member_text(const char *text);

/**
 * member_time() - A time as a value
 * @ns:		Nanoseconds
 *
 * Return: @ns as a whole number, or null where it is negative or not finite.
 */
json_t *member_time(double ns);

/**
 * member_lines() - What an err was told, as a value
 * @err:	What was told
 *
 * Return: an array of its lines; "?" stands for one that is not UTF-8.
 */
json_t *member_lines(const struct err *err);

/**
 * member_get_text() - Read a member that is a text
 * @object:	Object, or NULL
 * @key:	Name of the member
 *
 * Return: the text, which lives as long as the member; NULL if there is none.
 */
const char *member_get_text(const json_t *object, const char *key);

/**
 * member_get_number() - Read a member that is a whole number
 * @object:	Object, or NULL
 * @key:	Name of the member
 *
 * Return: the number, or 0 if there is none.
 */
json_int_t member_get_number(const json_t *object, const char *key);

/**
 * member_get_count() - Read a member that member_set_count() wrote
 * @object:	Object, or NULL
 * @key:	Name of the member
 *
 * Return: the number, or 0 if there is none.
 */
uint64_t member_get_count(const json_t *object, const char *key);

#endif /* EDGE_MEMBER_H */
