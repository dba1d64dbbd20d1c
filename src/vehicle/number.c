/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * number.c - decimal numbers in text, whatever the locale
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The first 18 significant digits are gathered into a whole number, and a power
 * of ten says where the point is.  Where the whole number fits in a double and
 * the power is exact in one, one multiplication or division rounds correctly.
 */
#include "vehicle/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX   18
#define EXPONENT_MAX 9999
#define EXACT_WHOLE  (UINT64_C(1) << 53)
#define EXACT_POWER  22

/* What was read so far: @whole * 10^@exponent. */
struct reading {
	uint64_t whole;
	int digits;
	int exponent;
};

static bool is_digit(const struct cursor *cursor)
{
	return cursor->at < cursor->end && *cursor->at >= '0' &&
	       *cursor->at <= '9';
}

static bool is_here(const struct cursor *cursor, char c)
{
	return cursor->at < cursor->end && *cursor->at == c;
}

/* Take a run of digits; @step is 1 before the point and 0 behind it. */
static size_t take_digits(struct cursor *cursor, struct reading *reading,
			  int step)
{
	size_t n = 0;

	for (; is_digit(cursor); cursor->at++, n++) {
		unsigned digit = (unsigned)(*cursor->at - '0');

		if (reading->digits >= DIGITS_MAX) {
			/* too fine to matter; only its place counts */
			reading->exponent += step;
			continue;
		}
		reading->whole = reading->whole * 10u + digit;
		if (reading->whole)
			reading->digits++;
		reading->exponent -= 1 - step;
	}
	return n;
}

static bool take_exponent(struct cursor *cursor, struct reading *reading)
{
	bool negative = false;
	int exponent = 0;

	if (!is_here(cursor, 'e') && !is_here(cursor, 'E'))
		return true;
	cursor->at++;
	if (is_here(cursor, '-') || is_here(cursor, '+'))
		negative = *cursor->at++ == '-';
	if (!is_digit(cursor))
		return false;
	for (; is_digit(cursor); cursor->at++)
		if (exponent < EXPONENT_MAX)
			exponent = exponent * 10 + (*cursor->at - '0');
	reading->exponent += negative ? -exponent : exponent;
	return true;
}

static double worth(const struct reading *reading)
{
	double whole = (double)reading->whole;
	int exponent = reading->exponent, half = exponent / 2;

	if (!reading->whole)
		return 0.0;
	if (reading->whole <= EXACT_WHOLE && abs(exponent) <= EXACT_POWER)
		return exponent < 0 ? whole / pow(10.0, -exponent)
				    : whole * pow(10.0, exponent);
	/* in two steps, so that 1e-310 does not lose its power on the way */
	return whole * pow(10.0, half) * pow(10.0, exponent - half);
}

bool number_read(struct cursor *cursor, double *value)
{
	struct cursor c = *cursor;
	struct reading reading = { 0 };
	bool negative = is_here(&c, '-');
	const char *first;

	if (negative)
		c.at++;
	first = c.at;
	if (!take_digits(&c, &reading, 1))
		return false;
	if (*first == '0' && c.at - first > 1)
		return false;
	if (is_here(&c, '.')) {
		c.at++;
		if (!take_digits(&c, &reading, 0))
			return false;
	}
	if (!take_exponent(&c, &reading))
		return false;
	*value = negative ? -worth(&reading) : worth(&reading);
	*cursor = c;
	return true;
}

bool number_read_ns(struct cursor *cursor, int64_t *ns)
{
	struct cursor c = *cursor;
	int64_t total = 0, unit = 1000000000;
	int whole = 0, places = 0;

	for (; is_digit(&c) && whole < 9; c.at++, whole++)
		total = total * 10 + (*c.at - '0');
	if (is_here(&c, '.'))
		for (c.at++; is_digit(&c) && places < 9; c.at++, places++) {
			total = total * 10 + (*c.at - '0');
			unit /= 10;
		}
	if (whole + places == 0 || is_digit(&c))
		return false;
	*ns = total * unit;
	*cursor = c;
	return true;
}

void number_skip(struct cursor *cursor, const char *blanks)
{
	while (cursor->at < cursor->end && *cursor->at &&
	       strchr(blanks, *cursor->at))
		cursor->at++;
}

bool number_match(struct cursor *cursor, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(cursor->end - cursor->at) < n ||
	    memcmp(cursor->at, word, n) != 0)
		return false;
	cursor->at += n;
	return true;
}
