/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * settings_units_test.c - units of every kind, bounds and numbers as printed
 *
 * Floor: tests.
 */
#include "core/settings.h"

#include <criterion/criterion.h>

static char why[512];
static struct store store;

static void free_store(void)
{
	store_fini(&store);
}

TestSuite(settings_units, .fini = free_store);

#define ROW(kind_, member, ...)                                                \
	{                                                                      \
		.name = #member, .kind = SETTING_##kind_,                      \
		.offset = offsetof(struct all, member), __VA_ARGS__            \
	}

/* One value of a kind, in the unit of its member. */
static double value_of(enum setting_kind kind, const char *text)
{
	const struct setting row = { .kind = kind, .hi = 1e18 };
	const struct settings_source source = { .store = &store };
	bool whole = kind == SETTING_TIME || kind == SETTING_RATE ||
		     kind == SETTING_SIZE || kind == SETTING_COUNT;
	int64_t number = 0;
	double part = 0;

	cr_assert_eq(settings_parse(&row, whole ? (void *)&number : &part, text,
				    &source, why, sizeof(why)),
		     0, "%s", why);
	return whole ? (double)number : part;
}

Test(settings_units, every_unit_is_as_large_as_it_says)
{
	static const double pi = 3.14159265358979323846;
	const struct {
		enum setting_kind kind;
		const char *text;
		double value;
	} as[] = { { SETTING_TIME, "3ns", 3 },
		   { SETTING_TIME, "3us", 3e3 },
		   { SETTING_TIME, "3\xc2\xb5s", 3e3 },
		   { SETTING_TIME, "3ms", 3e6 },
		   { SETTING_TIME, "3s", 3e9 },
		   { SETTING_TIME, "3min", 180e9 },
		   { SETTING_TIME, "3h", 10800e9 },
		   { SETTING_RATE, "3bit", 3 },
		   { SETTING_RATE, "3kbit", 3e3 },
		   { SETTING_RATE, "3Mbit", 3e6 },
		   { SETTING_RATE, "3Gbit", 3e9 },
		   { SETTING_RATE, "3bit/s", 3 },
		   { SETTING_RATE, "3kbit/s", 3e3 },
		   { SETTING_RATE, "3Mbit/s", 3e6 },
		   { SETTING_RATE, "3Gbit/s", 3e9 },
		   { SETTING_SIZE, "3bit", 3 },
		   { SETTING_SIZE, "3kbit", 3e3 },
		   { SETTING_SIZE, "3Mbit", 3e6 },
		   { SETTING_SIZE, "3B", 24 },
		   { SETTING_SIZE, "3kB", 24e3 },
		   { SETTING_SIZE, "3KiB", 24576 },
		   { SETTING_SIZE, "3MB", 24e6 },
		   { SETTING_SIZE, "3MiB", 25165824 },
		   { SETTING_SIZE, "3GiB", 25769803776 },
		   { SETTING_SHARE, "3%", 0.03 },
		   { SETTING_COUNT, "3", 3 },
		   { SETTING_NUMBER, "3", 3 },
		   { SETTING_LENGTH, "3m", 3 },
		   { SETTING_LENGTH, "3cm", 0.03 },
		   { SETTING_LENGTH, "3mm", 0.003 },
		   { SETTING_ANGLE, "3rad", 3 },
		   { SETTING_ANGLE, "90deg", pi / 2 },
		   { SETTING_SPEED, "3m/s", 3 },
		   { SETTING_SPEED, "3cm/s", 0.03 },
		   { SETTING_TURN, "3rad/s", 3 },
		   { SETTING_TURN, "90deg/s", pi / 2 } };

	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++)
		cr_assert_eq(value_of(as[i].kind, as[i].text), as[i].value,
			     "%s: %.17g", as[i].text,
			     value_of(as[i].kind, as[i].text));
}

Test(settings_units, bounds_are_written_in_the_first_unit_of_the_kind)
{
	const struct {
		struct setting row;
		const char *text;
	} as[] = {
		{ { .kind = SETTING_TIME, .lo = 1, .hi = 36e11 },
		  "0.000001ms to 3600000ms" },
		{ { .kind = SETTING_RATE, .lo = 1, .hi = 1e12 },
		  "1bit to 1000000000000bit" },
		{ { .kind = SETTING_SIZE, .lo = 8, .hi = 8e9 },
		  "1B to 1000000000B" },
		/* no whole bytes */
		{ { .kind = SETTING_SIZE, .lo = 1, .hi = 12 },
		  "1bit to 12bit" },
		{ { .kind = SETTING_COUNT, .lo = -5, .hi = 9e18 },
		  "-5 to 9000000000000000000" },
		{ { .kind = SETTING_SHARE, .hi = 1 }, "0% to 100%" },
		{ { .kind = SETTING_SPEED, .hi = 50 }, "0m/s to 50m/s" },
		{ { .kind = SETTING_SWITCH }, "" },
		{ { .kind = SETTING_CHOICE, .choices = "a|b" }, "" },
		{ { .kind = SETTING_TEXT }, "" },
	};
	char text[128];

	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
		settings_bounds(&as[i].row, text, sizeof(text));
		cr_assert_str_eq(text, as[i].text);
	}
}

Test(settings_units, a_number_is_printed_with_the_digits_that_it_has)
{
	static const struct {
		double number;
		const char *text;
	} as[] = { { 0, "0" },
		   { -0.5, "-0.5" },
		   { 0.1, "0.1" },
		   { 100, "100" },
		   { 1234567.125, "1234567.125" },
		   { 123456789012345, "123456789012345" },
		   { 0.1 + 0.2, "0.3" }, /* to 15 digits */
		   { 2.0 / 3.0, "0.666666666666667" },
		   { 1e-17, "0.00000000000000001" },
		   { 1e-18, "0" },
		   { 8e18, "8000000000000000000" },
		   { 1e19, "10000000000000000000" },
		   { -1e22, "-10000000000000000000000" } };
	const struct setting row = { .kind = SETTING_NUMBER };
	char text[64];

	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
		settings_print(&row, &as[i].number, text, sizeof(text));
		cr_assert_str_eq(text, as[i].text, "%s", text);
	}
}

Test(settings_units, presets_stand_where_an_arm_says_nothing)
{
	struct all {
		nsec time;
		int64_t count;
		double share;
		const char *text;
		int choice;
	} all = { .count = 7, .share = 0.5 };
	const struct setting rows[] = {
		ROW(TIME, time, .hi = 1e9, .preset = "20ms"),
		ROW(COUNT, count, .hi = 9, .preset = ""),
		ROW(SHARE, share, .hi = 1),
		ROW(TEXT, text, .preset = ""),
		ROW(CHOICE, choice, .choices = "a|b", .preset = "b"),
	};
	const struct settings_source source = { .store = &store };

	settings_preset(rows, sizeof(rows) / sizeof(rows[0]), &all, &source);
	cr_assert_eq(all.time, 20 * NSEC_PER_MS);
	cr_assert_eq(all.count, 7);
	cr_assert_eq(all.share, 0.5);
	cr_assert_str_eq(all.text, "");
	cr_assert_eq(all.choice, 1);
}
