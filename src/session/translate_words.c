/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_words.c - read words as tc writes times, shares, rates and sizes
 *
 * Floor: session.
 */
#include "session/translate_build.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/decimal.h"

/* A unit and how many of the smallest it is. */
struct tc_unit {
	const char *name;
	int64_t scale;
};

const char *translate_word(const struct translating *t)
{
	return t->at < t->ask->n ? t->ask->word[t->at] : NULL;
}

bool translate_is(struct translating *t, const char *keyword)
{
	const char *word = translate_word(t);

	if (!word || !*word || strncmp(word, keyword, strlen(word)) != 0)
		return false;
	t->at++;
	return true;
}

bool translate_number_next(const struct translating *t)
{
	const char *word = translate_word(t);

	return word && *word >= '0' && *word <= '9';
}

bool translate_fault(struct translating *t, const char *word, const char *why)
{
	if (word)
		err_add(t->err, "word %zu, '%s': %s", t->at + 1, word, why);
	else
		err_add(t->err, "the line ends too early: %s", why);
	return false;
}

/* Take a number with one of the units; "" among them allows none. */
static bool take(struct translating *t, const char *what,
		 const struct tc_unit *units, const char *like, int64_t *value)
{
	const char *word = translate_word(t);
	struct decimal decimal;
	char why[256];

	snprintf(why, sizeof(why), "expected %s, such as %s", what, like);
	if (!word || !decimal_read(word, &decimal) || decimal.negative)
		return translate_fault(t, word, why);
	while (units->name && strcasecmp(units->name, decimal.unit))
		units++;
	if (!units->name || !decimal_scale(&decimal, units->scale, value))
		return translate_fault(t, word, why);
	t->at++;
	return true;
}

bool translate_time(struct translating *t, const char *what, nsec *time)
{
	static const struct tc_unit units[] = {
		{ "ms", 1000000 },
		{ "msec", 1000000 },
		{ "msecs", 1000000 },
		{ "us", 1000 },
		{ "usec", 1000 },
		{ "usecs", 1000 },
		{ "s", 1000000000 },
		{ "sec", 1000000000 },
		{ "secs", 1000000000 },
		{ "ns", 1 },
		{ "nsec", 1 },
		{ "nsecs", 1 },
		{ NULL, 0 },
	};
	const char *word = translate_word(t);
	struct decimal decimal;

	if (word && decimal_read(word, &decimal) && !*decimal.unit &&
	    decimal.digits)
		return translate_fault(
			t, word,
			"a time without a unit means microseconds to older tc "
			"and nanoseconds to newer; write us or ns behind it");
	if (word && decimal_read(word, &decimal) && !*decimal.unit) {
		*time = 0;
		t->at++;
		return true;
	}
	return take(t, what, units, "50ms or 100us", time);
}

bool translate_share(struct translating *t, const char *what, double *share)
{
	const char *word = translate_word(t);
	struct decimal decimal;
	char why[256];

	snprintf(why, sizeof(why), "expected %s of 0%% to 100%%, such as 1%%",
		 what);
	if (!word || !decimal_read(word, &decimal) || decimal.negative ||
	    (*decimal.unit && strcmp(decimal.unit, "%")))
		return translate_fault(t, word, why);
	*share = decimal_double(&decimal) / 100.0;
	if (*share > 1.0)
		return translate_fault(t, word, why);
	t->at++;
	return true;
}

bool translate_rate(struct translating *t, const char *what, int64_t *rate)
{
	static const struct tc_unit units[] = {
		{ "", 1 },
		{ "bit", 1 },
		{ "kbit", 1000 },
		{ "mbit", 1000000 },
		{ "gbit", 1000000000 },
		{ "kibit", 1024 },
		{ "mibit", 1048576 },
		{ "gibit", 1073741824 },
		{ "bps", 8 },
		{ "kbps", 8000 },
		{ "mbps", 8000000 },
		{ "gbps", 8000000000 },
		{ "kibps", 8192 },
		{ "mibps", 8388608 },
		{ "gibps", 8589934592 },
		{ NULL, 0 },
	};
	const char *word = translate_word(t);

	if (!take(t, what, units, "1mbit", rate))
		return false;
	if (*rate > 0 && *rate <= 1000000000000)
		return true;
	t->at--;
	return translate_fault(t, word, "a rate is 1bit to 1000gbit");
}

bool translate_size(struct translating *t, const char *what, int64_t *bytes)
{
	static const struct tc_unit units[] = {
		{ "", 1 },	 { "b", 1 },	     { "k", 1024 },
		{ "kb", 1024 },	 { "m", 1048576 },   { "mb", 1048576 },
		{ "kbit", 128 }, { "mbit", 131072 }, { NULL, 0 },
	};

	return take(t, what, units, "1600 or 32kb", bytes);
}

bool translate_count(struct translating *t, const char *what, int64_t *count)
{
	static const struct tc_unit units[] = { { "", 1 }, { NULL, 0 } };
	const char *word = translate_word(t);
	struct decimal decimal;

	if (word && decimal_read(word, &decimal) && decimal.places)
		return translate_fault(t, word, "expected a whole number");
	return take(t, what, units, "100", count);
}
