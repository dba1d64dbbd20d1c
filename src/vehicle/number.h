/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * number.h - decimal numbers in text, whatever the locale
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_NUMBER_H
#define VEHICLE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct cursor - A place in a text that need not end in a zero byte
 * @at:		Next character
 * @end:	Behind the last one
 */
struct cursor {
	const char *at, *end;
};

/**
 * number_read() - Read a number as JSON writes it: -1, 0.25, 1e-3
 * @cursor:	Moved behind the number, where there is one
 * @value:	Set; infinite if the number is too large for a double
 *
 * Correctly rounded up to 15 digits with an exponent of at most 22.
 *
 * Return: false if there is no number here.
 */
bool number_read(struct cursor *cursor, double *value);

/**
 * number_read_ns() - Read seconds as nanoseconds, without rounding on the way
 * @cursor:	Moved behind the number, where there is one
 * @ns:		Set
 *
 * Return: false if there is no plain, non-negative decimal of at most nine
 * places and nine digits before the point.
 */
bool number_read_ns(struct cursor *cursor, int64_t *ns);

/**
 * number_skip() - Pass over blanks
 * @cursor:	Moved
 * @blanks:	What counts as one
 */
void number_skip(struct cursor *cursor, const char *blanks);

/**
 * number_match() - Pass over a word, if it is there
 * @cursor:	Moved
 * @word:	Word
 *
 * Return: true if it was.
 */
bool number_match(struct cursor *cursor, const char *word);

#endif /* VEHICLE_NUMBER_H */
