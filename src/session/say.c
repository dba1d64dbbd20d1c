/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * say.c - quantities as a person reads them
 *
 * Floor: session.
 */
#include "session/say.h"

#define DECIMALS_MAX 9

void say_number(struct text *text, double value, int digits)
{
	double size = fabs(value);
	int decimals = digits - 1;

	for (; size >= 10.0 && decimals > 0; size /= 10.0)
		decimals--;
	for (; size > 0.0 && size < 1.0 && decimals < DECIMALS_MAX;
	     size *= 10.0)
		decimals++;
	/* round first, so that the zeros that rounding leaves go too */
	value = round(value * pow(10.0, decimals)) / pow(10.0, decimals);
	text_number(text, value);
}

void say_delay(struct text *text, double ns)
{
	if (!isfinite(ns)) {
		text_add(text, "unbounded");
		return;
	}
	text_number(text, round(ns / 1e3) / 1e3);
	text_add(text, " ms");
}

void say_span(struct text *text, double seconds)
{
	static const struct {
		double from, scale;
		const char *unit;
	} units[] = { { 2 * 86400.0, 86400.0, "days" },
		      { 2 * 3600.0, 3600.0, "h" },
		      { 180.0, 60.0, "min" },
		      { 1.0, 1.0, "s" },
		      { 0.0, 1e-3, "ms" } };
	size_t i = 0;

	if (!isfinite(seconds) || seconds > 1e12) {
		text_add(text, "never");
		return;
	}
	while (seconds < units[i].from)
		i++;
	/* three digits for what is counted in seconds, two above */
	say_number(text, seconds / units[i].scale, i < 3 ? 2 : 3);
	text_add(text, " %s", units[i].unit);
}

void say_share(struct text *text, double share)
{
	if (share > 0.0 && share < 1e-8) {
		text_add(text, "under 0.000001 %%");
		return;
	}
	/* 99.98 % is not 100 % */
	say_number(text, 100.0 * share, share > 0.99 && share < 1.0 ? 5 : 3);
	text_add(text, " %%");
}

static void say_thousands(struct text *text, double value,
			  const char *const *units, const char *after)
{
	while (value >= 999.95 && units[1]) {
		value /= 1000.0;
		units++;
	}
	say_number(text, value, 4);
	text_add(text, " %s%s", *units, after);
}

void say_rate(struct text *text, double rate)
{
	static const char *const units[] = { "bit", "kbit", "Mbit", "Gbit",
					     NULL };

	say_thousands(text, rate, units, "/s");
}

void say_bytes(struct text *text, double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", NULL };

	say_thousands(text, bytes, units, "");
}

const char *said_number(struct said *said, double number, int digits)
{
	struct text text;

	text_init(&text, said->text, sizeof(said->text));
	if (isfinite(number))
		say_number(&text, number, digits);
	else
		text_add(&text, "endless");
	return said->text;
}

const char *said_delay(struct said *said, double ns)
{
	struct text text;

	text_init(&text, said->text, sizeof(said->text));
	say_delay(&text, ns);
	return said->text;
}

const char *said_share(struct said *said, double share)
{
	struct text text;

	text_init(&text, said->text, sizeof(said->text));
	say_share(&text, share);
	return said->text;
}
