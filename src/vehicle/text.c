/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * text.c - write text into a room that cannot overflow
 *
 * Floor: vehicle.
 */
#include "vehicle/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* What a number is cut to, in units of its last decimal. */
#define MOST 9e17

void text_init(struct text *text, char *bytes, size_t size)
{
	*text = (struct text){ .bytes = bytes, .size = size };
	bytes[0] = '\0';
}

void text_add(struct text *text, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text->bytes + text->len, text->size - text->len, format,
		      ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= text->size - text->len) {
		text->bytes[text->len] = '\0';
		text->cut = true;
		return;
	}
	text->len += (size_t)n;
}

static long long power_of_ten(int n)
{
	long long power = 1;

	while (n-- > 0)
		power *= 10;
	return power;
}

void text_fixed(struct text *text, double value, int decimals)
{
	long long scale = power_of_ten(decimals), units;
	double scaled = isfinite(value) ? value * (double)scale : 0.0;
	const char *sign;

	units = llround(fmax(-MOST, fmin(MOST, scaled)));
	sign = units < 0 ? "-" : "";
	units = units < 0 ? -units : units;
	if (decimals)
		text_add(text, "%s%lld.%0*lld", sign, units / scale, decimals,
			 units % scale);
	else
		text_add(text, "%s%lld", sign, units);
}

void text_number(struct text *text, double value)
{
	struct text copy = *text;

	text_fixed(&copy, value, 9);
	if (copy.cut) {
		text->cut = true;
		return;
	}
	while (copy.bytes[copy.len - 1] == '0')
		copy.bytes[--copy.len] = '\0';
	if (copy.bytes[copy.len - 1] == '.')
		copy.bytes[--copy.len] = '\0';
	*text = copy;
}
