/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * decimal.h - decimals with a unit, read and written exactly
 *
 * Floor: core.
 */
#ifndef CORE_DECIMAL_H
#define CORE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct decimal - A number as written: @digits / 10^@places, then @unit
 * @negative:	Has a minus sign
 * @digits:	All digits as one number
 * @places:	How many of them stand behind the point
 * @unit:	What follows, without spaces before it
 */
struct decimal {
	bool negative;
	uint64_t digits;
	unsigned places;
	const char *unit;
};

/**
 * decimal_read() - Read a plain decimal: no exponent, no NaN, any locale
 * @text:	Text; spaces before it and between number and unit are passed
 *		over
 * @decimal:	Set
 *
 * Return: false if there is no number, or it has more than 18 digits.
 */
bool decimal_read(const char *text, struct decimal *decimal);

/**
 * decimal_scale() - The number times a whole factor
 * @decimal:	Number
 * @factor:	Factor, for example nanoseconds in the unit
 * @value:	Set to the product, rounded to the nearest
 *
 * Return: false if it does not fit.
 */
bool decimal_scale(const struct decimal *decimal, int64_t factor,
		   int64_t *value);

/**
 * decimal_double() - The number as a double
 * @decimal:	Number
 *
 * Return: the nearest double.
 */
double decimal_double(const struct decimal *decimal);

/**
 * decimal_print() - Write value / scale without a trailing zero
 * @text:	Filled
 * @size:	Of @text
 * @value:	Value
 * @scale:	A power of ten
 */
void decimal_print(char *text, size_t size, int64_t value, int64_t scale);

#endif /* CORE_DECIMAL_H */
