/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * decimal.c - decimals with a unit, read and written exactly
 *
 * Floor: core.
 */
#include "core/decimal.h"

#include <inttypes.h>
#include <stdio.h>

/* 10^18 is the largest power of ten that an int64_t holds. */
#define PLACES_MAX 18u

__extension__ typedef __int128 wide;

bool decimal_read(const char *text, struct decimal *decimal)
{
	unsigned significant = 0;
	bool point = false, any = false;

	*decimal = (struct decimal){ 0 };
	while (*text == ' ' || *text == '\t')
		text++;
	if (*text == '-' || *text == '+')
		decimal->negative = *text++ == '-';
	for (;; text++) {
		if (*text == '.' && !point) {
			point = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			break;
		any = true;
		decimal->digits =
			decimal->digits * 10u + (uint64_t)(*text - '0');
		decimal->places += point;
		significant += significant || *text != '0';
		if (significant > PLACES_MAX || decimal->places > PLACES_MAX)
			return false;
	}
	while (*text == ' ' || *text == '\t')
		text++;
	decimal->unit = text;
	return any;
}

static int64_t ten_to(unsigned places)
{
	int64_t power = 1;

	while (places--)
		power *= 10;
	return power;
}

bool decimal_scale(const struct decimal *decimal, int64_t factor,
		   int64_t *value)
{
	wide product = (wide)decimal->digits * factor;
	wide power = ten_to(decimal->places);

	product = (product + power / 2) / power;
	if (product > INT64_MAX)
		return false;
	*value = (int64_t)(decimal->negative ? -product : product);
	return true;
}

double decimal_double(const struct decimal *decimal)
{
	double value =
		(double)decimal->digits / (double)ten_to(decimal->places);

	return decimal->negative ? -value : value;
}

void decimal_print(char *text, size_t size, int64_t value, int64_t scale)
{
	uint64_t whole = value < 0 ? -(uint64_t)value : (uint64_t)value;
	uint64_t rest = whole % (uint64_t)scale;
	int places = 0;

	whole /= (uint64_t)scale;
	/* no int64_t has more than 19, which the compiler cannot know */
	for (int64_t left = scale; left > 1 && places < 19; left /= 10)
		places++;
	while (places && rest % 10 == 0) {
		rest /= 10;
		places--;
	}
	if (places)
		snprintf(text, size, "%s%" PRIu64 ".%0*" PRIu64,
			 value < 0 ? "-" : "", whole, places, rest);
	else
		snprintf(text, size, "%s%" PRIu64, value < 0 ? "-" : "", whole);
}
