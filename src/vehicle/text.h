/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * text.h - write text into a room that cannot overflow
 *
 * Floor: vehicle.
 *
 * Numbers are written with a point as the decimal sign whatever the locale, and
 * never as NaN or infinite: what is not finite is written as 0.
 */
#ifndef VEHICLE_TEXT_H
#define VEHICLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct text - Text being written
 * @bytes:	Room; always ends in a zero byte
 * @size:	Of the room, above 0
 * @len:	Written so far, without the zero byte
 * @cut:	True once something did not fit; what did not is left out
 */
struct text {
	char *bytes;
	size_t size, len;
	bool cut;
};

/**
 * text_init() - Begin an empty text
 * @text:	Text
 * @bytes:	Room; borrowed
 * @size:	Of the room, above 0
 */
void text_init(struct text *text, char *bytes, size_t size);

/**
 * text_add() - Add words and whole numbers
 * @text:	Text
 * @format:	As for printf, but without floating point, which would follow
 *		the locale
 */
void text_add(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * text_fixed() - Add a number with a fixed count of decimals
 * @text:	Text
 * @value:	Number; rounded to the nearest, and never written as -0
 * @decimals:	0 to 9
 */
void text_fixed(struct text *text, double value, int decimals);

/**
 * text_number() - Add a number with at most nine decimals and no trailing zero
 * @text:	Text
 * @value:	Number
 */
void text_number(struct text *text, double value);

#endif /* VEHICLE_TEXT_H */
