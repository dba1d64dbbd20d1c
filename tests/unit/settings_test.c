/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * settings_test.c - values with units: exact, bounded, explained
 *
 * Floor: tests.
 */
#include "core/settings.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "conditions/builtin.h"
#include "session/arm.h"

struct all {
	nsec time;
	int64_t rate, size, count;
	double share, number, length, angle, speed, turn;
	bool on;
	int choice;
	const char *text;
};

#define ROW(kind_, member, ...)                                                \
	{                                                                      \
		.name = #member, .kind = SETTING_##kind_,                      \
		.offset = offsetof(struct all, member), __VA_ARGS__            \
	}

static const struct setting table[] = {
	ROW(TIME, time, .hi = (double)DELAY_MAX),
	ROW(RATE, rate, .lo = 1, .hi = 1e12),
	ROW(SIZE, size, .hi = 8e9),
	ROW(COUNT, count, .lo = -5, .hi = 9e18),
	ROW(SHARE, share, .hi = 1.0),
	ROW(NUMBER, number, .lo = -10, .hi = 10),
	ROW(LENGTH, length, .hi = 100),
	ROW(ANGLE, angle, .lo = -4, .hi = 4),
	ROW(SPEED, speed, .hi = 50),
	ROW(TURN, turn, .hi = 10),
	ROW(SWITCH, on, .preset = "no"),
	ROW(CHOICE, choice, .choices = "payload|ip|ethernet"),
	ROW(TEXT, text, .preset = ""),
};
#define ROWS (sizeof(table) / sizeof(table[0]))

static struct all all;
static char why[512];
static struct store store;

static void free_store(void)
{
	store_fini(&store);
}

TestSuite(settings, .fini = free_store);

static bool parse(const char *name, const char *value)
{
	const struct settings_source source = { .store = &store };
	const struct setting *setting = settings_find(table, ROWS, name);

	cr_assert_not_null(setting);
	why[0] = '\0';
	return settings_parse(setting, &all, value, &source, why,
			      sizeof(why)) == 0;
}

/* The value is refused, with these words, and nothing is changed. */
static void refused(const char *name, const char *value, const char *words)
{
	struct all before = all;

	cr_assert(!parse(name, value), "%s = %s", name, value);
	cr_assert(strstr(why, words), "%s = %s: %s", name, value, why);
	cr_assert(!memcmp(&before, &all, sizeof(all)));
}

Test(settings, a_time_is_exact_in_every_unit)
{
	static const struct {
		const char *text;
		nsec ns;
	} as[] = { { "2.56s", 2560000000 },
		   { "200ms", 200000000 },
		   { "200 ms", 200000000 },
		   { "0ms", 0 },
		   { "-0ms", 0 },
		   { "1ns", 1 },
		   { "0.5ns", 1 },
		   { "0.4ns", 0 },
		   { "1.5us", 1500 },
		   { "1.5\xc2\xb5s", 1500 },
		   { "189.583615ms", 189583615 },
		   { "1.000000001s", 1000000001 },
		   { "0.1s", 100000000 },
		   { "0.5min", 30000000000 },
		   { "1h", DELAY_MAX },
		   { "3600s", DELAY_MAX } };

	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
		all.time = -1;
		cr_assert(parse("time", as[i].text), "%s: %s", as[i].text, why);
		cr_assert_eq(all.time, as[i].ns, "%s", as[i].text);
	}
}

Test(settings, every_decisecond_of_an_hour_is_exact)
{
	char text[32];

	for (nsec i = 0; i <= 36000; i++) {
		snprintf(text, sizeof(text), "%d.%ds", (int)(i / 10),
			 (int)(i % 10));
		cr_assert(parse("time", text));
		cr_assert_eq(all.time, i * 100 * NSEC_PER_MS);
	}
}

Test(settings, a_time_that_is_none_is_refused)
{
	refused("time", "200", "no unit");
	refused("time", "0", "no unit");
	refused("time", "", "no plain number");
	refused("time", "ms", "no plain number");
	refused("time", "NaN", "no plain number");
	refused("time", "nan ms", "no plain number");
	refused("time", "inf", "no plain number");
	refused("time", "-inf s", "no plain number");
	refused("time", "1e999", "e999");
	refused("time", "1e3ms", "e3ms");
	refused("time", "0x10ms", "x10ms");
	refused("time", "1,5ms", ",5ms");
	refused("time", "1 000ms", "000ms");
	refused("time", "200msec", "msec");
	refused("time", "200MS", "MS");
	refused("time", "200m", "'m'");
	refused("time", "200kbit", "kbit");
	refused("time", "200ms 5", "ms 5");
	refused("time", "200%", "%");
	refused("time", "1234567890123456789s", "no plain number");
}

Test(settings, a_time_out_of_range_is_refused_with_its_bounds)
{
	refused("time", "-5ms", "out of range");
	refused("time", "-1ns", "out of range");
	refused("time", "3600.000000001s", "out of range");
	refused("time", "2h", "out of range");
	cr_assert(strstr(why, "3600000ms") || strstr(why, "1h"), "%s", why);
	refused("time", "99999999999h", "too large");
}

Test(settings, a_rate_and_a_size_are_exact)
{
	cr_assert(parse("rate", "50kbit") && all.rate == 50000);
	cr_assert(parse("rate", "1.5Mbit") && all.rate == 1500000);
	cr_assert(parse("rate", "0.000000001Gbit") && all.rate == 1);
	cr_assert(parse("rate", "9.6kbit/s") && all.rate == 9600);
	cr_assert(parse("rate", "1000Gbit") && all.rate == 1000000000000);
	refused("rate", "50k", "'k'");
	refused("rate", "50kB", "kB");
	refused("rate", "50000", "no unit");
	refused("rate", "0bit", "out of range");
	refused("rate", "0.4bit", "out of range");
	cr_assert(parse("size", "1500B") && all.size == 12000);
	cr_assert(parse("size", "2000bit") && all.size == 2000);
	cr_assert(parse("size", "64KiB") && all.size == 524288);
	cr_assert(parse("size", "64kB") && all.size == 512000);
	cr_assert(parse("size", "1kbit") && all.size == 1000);
	refused("size", "1500", "no unit");
	refused("size", "1500b", "'b'");
	refused("size", "-1B", "out of range");
}

Test(settings, a_share_has_a_percent_sign)
{
	cr_assert(parse("share", "1%") && all.share == 0.01);
	cr_assert(parse("share", "0.5%") && all.share == 0.005);
	cr_assert(parse("share", "100%") && all.share == 1.0);
	cr_assert(parse("share", "0%") && all.share == 0.0);
	cr_assert(parse("share", "7%") && all.share == 0.07, "%.17g",
		  all.share);
	refused("share", "0.01", "no unit");
	refused("share", "101%", "out of range");
	refused("share", "-1%", "out of range");
	refused("share", "100.0000001%", "out of range");
}

Test(settings, a_count_and_a_number_are_bare)
{
	cr_assert(parse("count", "100") && all.count == 100);
	cr_assert(parse("count", "-5") && all.count == -5);
	cr_assert(parse("number", "0.287") && all.number == 0.287);
	cr_assert(parse("number", "-0.26") && all.number == -0.26);
	refused("count", "100ms", "no plain number");
	refused("count", "-6", "out of range");
	refused("count", "1e3", "no plain number");
	refused("count", "1.5", "whole");
	refused("number", "1%", "no plain number");
	refused("number", "10.1", "out of range");
}

Test(settings, lengths_angles_and_speeds_have_units)
{
	cr_assert(parse("length", "0.2m") && all.length == 0.2);
	cr_assert(parse("length", "35mm") && all.length == 0.035);
	cr_assert(parse("length", "12cm") && all.length == 0.12);
	cr_assert(parse("speed", "0.26m/s") && all.speed == 0.26);
	cr_assert(parse("turn", "0.5rad/s") && all.turn == 0.5);
	cr_assert(parse("angle", "180deg"));
	cr_assert_eq(all.angle, 3.14159265358979323846);
	refused("length", "0.2", "no unit");
	refused("angle", "30", "no unit");
	refused("speed", "1m", "'m'");
}

Test(settings, a_word_is_one_of_its_choices_whole)
{
	cr_assert(parse("choice", "payload") && all.choice == 0);
	cr_assert(parse("choice", "ip") && all.choice == 1);
	cr_assert(parse("choice", "ethernet") && all.choice == 2);
	refused("choice", "eth", "payload|ip|ethernet");
	refused("choice", "IP", "none of");
	refused("choice", "payload|ip", "none of");
	refused("choice", "", "none of");
	cr_assert(parse("on", "yes") && all.on);
	cr_assert(parse("on", "no") && !all.on);
	cr_assert(parse("on", "on") && all.on);
	refused("on", "1", "yes");
	refused("on", "Yes", "yes");
}

Test(settings, a_text_is_kept_as_written)
{
	char text[] = "what \xc3\xa9ver";

	cr_assert(parse("text", text));
	text[0] = 'X';
	cr_assert_str_eq(all.text, "what \xc3\xa9ver");
}

Test(settings, what_is_printed_is_read_back_the_same)
{
	static const char *const values[][2] = {
		{ "time", "189.583615ms" },
		{ "time", "2560ms" },
		{ "rate", "50000bit" },
		{ "size", "1500B" },
		{ "size", "2001bit" },
		{ "share", "0.5%" },
		{ "share", "7%" },
		{ "count", "-5" },
		{ "number", "0.287" },
		{ "length", "0.035m" },
		{ "speed", "0.26m/s" },
		{ "choice", "ip" },
		{ "number", "0.00001" },
		{ "number", "-0.0000123" },
		{ "share", "0.0000001%" },
		{ "number", "3.14159265358979" },
		{ "on", "yes" },
		{ "text", "words" },
	};
	char text[128];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const struct setting *setting =
			settings_find(table, ROWS, values[i][0]);
		struct all first;

		cr_assert(parse(values[i][0], values[i][1]), "%s", why);
		first = all;
		settings_print(setting, &all, text, sizeof(text));
		cr_assert(parse(values[i][0], text), "%s", why);
		if (setting->kind != SETTING_TEXT)
			cr_assert(!memcmp(&first, &all, sizeof(all)), "%s",
				  text);
	}
}

Test(settings, the_locale_changes_nothing)
{
	static const char *const locales[] = { "de_DE.UTF-8", "de_DE",
					       "fr_FR.UTF-8", "nl_BE.UTF-8" };
	const char *set = NULL;
	char text[64];

	for (size_t i = 0; i < 4 && !set; i++)
		set = setlocale(LC_ALL, locales[i]);
	if (!set)
		cr_skip_test("no locale with a decimal comma here");
	cr_assert(parse("time", "2.56s") && all.time == 2560000000);
	cr_assert(parse("number", "0.287") && all.number == 0.287);
	settings_print(settings_find(table, ROWS, "number"), &all, text,
		       sizeof(text));
	cr_assert_str_eq(text, "0.287");
	settings_print(settings_find(table, ROWS, "time"), &all, text,
		       sizeof(text));
	cr_assert_str_eq(text, "2560ms");
	refused("number", "0,287", "no plain number");
}

/* Presets of a table are read, and within its own bounds. */
static void check_presets(const struct setting *rows, size_t n, size_t size)
{
	const struct settings_source source = { .store = &store };
	void *into = store_get(&store, size + 1);

	for (size_t i = 0; i < n; i++) {
		cr_assert_not_null(rows[i].name);
		cr_assert_not_null(rows[i].text, "%s", rows[i].name);
		cr_assert(strlen(rows[i].text) > 10 &&
				  rows[i].text[strlen(rows[i].text) - 1] != '.',
			  "%s", rows[i].name);
		cr_assert_eq(settings_find(rows, n, rows[i].name), &rows[i],
			     "%s stands twice", rows[i].name);
		if (!rows[i].preset || !rows[i].preset[0])
			continue;
		cr_assert_eq(settings_parse(&rows[i], into, rows[i].preset,
					    &source, why, sizeof(why)),
			     0, "%s: %s", rows[i].name, why);
	}
}

Test(settings, every_preset_of_ours_is_good)
{
	for (size_t i = 0; builtin_conditions[i]; i++)
		check_presets(builtin_conditions[i]->settings,
			      builtin_conditions[i]->n_settings,
			      builtin_conditions[i]->settings_size);
	for (size_t i = 0; i < n_arm_sections; i++)
		check_presets(arm_sections[i].table, arm_sections[i].n,
			      arm_sections[i].size);
}

Test(settings, a_fault_says_what_was_found_and_what_would_be_right)
{
	static const char *const as[][3] = {
		{ "time", "x", "'x' is no plain number; write 200ms or 2.56s" },
		{ "time", "5",
		  "'5' has no unit; a time is written 200ms or 2.56s" },
		{ "time", "5kbit",
		  "'kbit' is no unit of a time; write 200ms or 2.56s" },
		{ "share", "5",
		  "'5' has no unit; a share is written 1% or 0.5%" },
		{ "rate", "5kB",
		  "'kB' is no unit of a rate; write 50kbit or 1.5Mbit" },
		{ "size", "5",
		  "'5' has no unit; a size is written 1500B, "
		  "64KiB or 2000bit" },
		{ "turn", "5rad",
		  "'rad' is no unit of a turning speed; write "
		  "0.5rad/s or 30deg/s" },
		{ "count", "5s", "'5s' is no plain number; write 100" },
		{ "number", "5s", "'5s' is no plain number; write 0.5" },
		{ "count", "5.0", "'5.0' is no whole number; write 100" },
		{ "time", "9999999999h", "'9999999999h' is too large" },
		{ "time", "3600000.000001ms",
		  "'3600000.000001ms' is out of range; it is 0ms to "
		  "3600000ms" },
		{ "rate", "0bit",
		  "'0bit' is out of range; it is 1bit to "
		  "1000000000000bit" },
		{ "size", "-1bit",
		  "'-1bit' is out of range; it is 0B to 1000000000B" },
		{ "share", "100.1%",
		  "'100.1%' is out of range; it is 0% to 100%" },
		{ "number", "-10.5",
		  "'-10.5' is out of range; it is -10 to 10" },
		{ "angle", "5rad",
		  "'5rad' is out of range; it is -4rad to 4rad" },
		{ "choice", "udp", "'udp' is none of payload|ip|ethernet" },
		{ "on", "y", "'y' is neither yes nor no" },
	};

	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
		refused(as[i][0], as[i][1], "");
		cr_assert_str_eq(why, as[i][2]);
	}
}

Test(settings, bounds_themselves_are_within)
{
	cr_assert(parse("time", "0ms") && parse("time", "3600000ms"));
	cr_assert(parse("rate", "1bit") && parse("rate", "1000Gbit"));
	cr_assert(parse("count", "-5") && all.count == -5);
	cr_assert(parse("share", "0%") && parse("share", "100%"));
	cr_assert(parse("number", "-10") && parse("number", "10"));
}

Test(settings, a_word_is_printed_whole)
{
	static const char *const words[] = { "payload", "ip", "ethernet" };
	const struct setting *choice = settings_find(table, ROWS, "choice");
	const struct setting *on = settings_find(table, ROWS, "on");
	char text[64];

	for (all.choice = 0; all.choice < 3; all.choice++) {
		settings_print(choice, &all, text, sizeof(text));
		cr_assert_str_eq(text, words[all.choice]);
	}
	settings_print(on, &all, text, sizeof(text));
	cr_assert_str_eq(text, "no");
	cr_assert(parse("on", "off") && !all.on);
}
