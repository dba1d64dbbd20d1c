/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * text_test.c - numbers written and read, whatever the locale
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "vehicle/number.h"
#include "vehicle/text.h"

static char room[64];

static const char *fixed(double value, int decimals)
{
	struct text text;

	text_init(&text, room, sizeof(room));
	text_fixed(&text, value, decimals);
	return room;
}

static const char *number(double value)
{
	struct text text;

	text_init(&text, room, sizeof(room));
	text_number(&text, value);
	return room;
}

Test(text, writes_fixed_decimals)
{
	cr_assert_str_eq(fixed(0.15, 4), "0.1500");
	cr_assert_str_eq(fixed(-12.34567, 3), "-12.346");
	cr_assert_str_eq(fixed(1.9999, 2), "2.00");
	cr_assert_str_eq(fixed(41.5, 0), "42");
	cr_assert_str_eq(fixed(1e-9, 9), "0.000000001");
}

Test(text, writes_no_negative_zero_and_nothing_infinite)
{
	cr_assert_str_eq(fixed(-0.0, 4), "0.0000");
	cr_assert_str_eq(fixed(-0.00004, 4), "0.0000");
	cr_assert_str_eq(fixed(NAN, 2), "0.00");
	cr_assert_str_eq(fixed(-INFINITY, 2), "0.00");
	cr_assert(strlen(fixed(1e300, 9)) < sizeof(room));
}

Test(text, writes_numbers_without_trailing_zeros)
{
	cr_assert_str_eq(number(0.555), "0.555");
	cr_assert_str_eq(number(10), "10");
	cr_assert_str_eq(number(-1.5), "-1.5");
	cr_assert_str_eq(number(0), "0");
}

Test(text, writes_nine_decimals_and_no_more)
{
	cr_assert_str_eq(number(0.123456789), "0.123456789");
	cr_assert_str_eq(number(2.0000000004), "2");
	cr_assert_str_eq(number(-1e-9), "-0.000000001");
	cr_assert_str_eq(fixed(1.0, 0), "1");
	cr_assert_str_eq(fixed(-1.0, 0), "-1");
	cr_assert_str_eq(fixed(-0.0001, 4), "-0.0001");
}

Test(text, begins_empty_and_fills_its_room_to_the_last_byte)
{
	struct text text;
	char small[8] = "old text";

	text_init(&text, small, sizeof(small));
	cr_assert_str_eq(small, "");
	/* nothing is nothing, even where there is no room */
	text_add(&text, "%s", "");
	cr_assert_not(text.cut);
	text_add(&text, "1234567");
	cr_assert_not(text.cut);
	cr_assert_str_eq(small, "1234567");
	text_add(&text, "%s", "");
	cr_assert_not(text.cut);
	text_add(&text, "8");
	cr_assert(text.cut);
	cr_assert_str_eq(small, "1234567");
}

Test(text, leaves_out_what_does_not_fit)
{
	struct text text;
	char small[8];

	text_init(&text, small, sizeof(small));
	text_add(&text, "abc");
	text_add(&text, "defgh");
	cr_assert(text.cut);
	cr_assert_str_eq(small, "abc");
	text_number(&text, 0.123456789);
	cr_assert_str_eq(small, "abc");
	text_add(&text, "%d", 1234);
	cr_assert_str_eq(small, "abc1234");
}

static bool read(const char *from, double *value)
{
	struct cursor c = { from, from + strlen(from) };

	return number_read(&c, value) && c.at == c.end;
}

Test(text, reads_back_what_it_wrote)
{
	for (int i = -20000; i < 20000; i += 7) {
		double value, want = i / 10000.0;

		cr_assert(read(fixed(want, 4), &value));
		cr_assert_eq(value, want);
	}
}

/* Whole numbers and powers of ten are exact, or their quotient is rounded once;
 * of what is beyond, the nearest but for a unit of the last digit.
 */
Test(text, reads_numbers_as_the_machine_does)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{ "9007199254740992", 9007199254740992.0 },
		{ "9007199254740992e22", 9007199254740992e22 },
		{ "9007199254740989e22", 9007199254740989e22 },
		{ "9007199254740991e-22", 9007199254740991e-22 },
		{ "9007199254740992e-2", 90071992547409.92 },
		{ "123456789012345678", 123456789012345678.0 },
		{ "1e22", 1e22 },
		{ "1e0", 1.0 },
		{ "1e1", 10.0 },
		{ "3e-1", 0.3 },
		{ "7e-22", 7e-22 },
		{ "7e+2", 700.0 },
		{ "0.7E2", 70.0 },
		{ "-123.456", -123.456 },
		{ "0.1", 0.1 },
		{ "0.000001", 0.000001 },
		{ "0e0", 0.0 },
		{ "900", 900.0 },
		{ "99.99", 99.99 },
		{ "1e308", 1e308 },
		{ "1e-307", 1e-307 },
	};
	double value;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert(read(rows[i].text, &value), "%s", rows[i].text);
		if (i < sizeof(rows) / sizeof(rows[0]) - 2)
			cr_assert_eq(value, rows[i].value, "%s", rows[i].text);
		else
			cr_assert_float_eq(value / rows[i].value, 1, 1e-15);
	}
}

Test(text, a_number_ends_where_its_text_ends)
{
	const char *text = "12.5e3";
	const double want[] = { 0, 1, 12, 0, 12.5, 0, 12500 };

	/* what is behind is neither read nor missed */
	for (size_t n = 0; n <= 6; n++) {
		struct cursor c = { text, text + n };
		double value = -1;
		bool is_number = number_read(&c, &value);

		cr_assert_eq(is_number, n != 0 && n != 3 && n != 5, "%zu", n);
		cr_assert_eq(value, is_number ? want[n] : -1, "%zu", n);
		cr_assert_eq(c.at - text, is_number ? (long)n : 0, "%zu", n);
	}
}

Test(text, reads_numbers_of_any_size)
{
	double value;

	cr_assert(read("123456789012345678901234567890", &value));
	cr_assert_float_eq(value / 1.2345678901234568e29, 1, 1e-15);
	cr_assert(read("0.000000000000000000000000000001", &value));
	cr_assert_float_eq(value / 1e-30, 1, 1e-15);
	cr_assert(read("1e-320", &value) && value > 0);
	cr_assert(read("1e-99999999999", &value));
	cr_assert_eq(value, 0);
	cr_assert(read("-1e99999999999", &value));
	cr_assert_eq(value, -INFINITY);
	cr_assert_not(read("", &value));
	cr_assert_not(read("-", &value));
	cr_assert_not(read("1.e5", &value));
}

Test(text, reads_seconds_as_nanoseconds)
{
	static const struct {
		const char *text;
		int64_t ns;
	} rows[] = {
		{ "0", 0 },
		{ "1", 1000000000 },
		{ "0.1", 100000000 },
		{ "2.56", 2560000000 },
		{ ".5", 500000000 },
		{ "7.", 7000000000 },
		{ "0.000000001", 1 },
		{ "123456789.987654321", 123456789987654321 },
		{ "999999999", 999999999000000000 },
		/* a place or a digit too many, or none */
		{ "0.0000000001", -1 },
		{ "1.1234567890", -1 },
		{ "1234567890", -1 },
		{ "0000000001", -1 },
		{ ".", -1 },
		{ "", -1 },
		{ "-1", -1 },
		{ "x", -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = rows[i].text;
		struct cursor c = { text, text + strlen(text) };
		int64_t ns = -1;

		cr_assert_eq(number_read_ns(&c, &ns), rows[i].ns >= 0, "%s",
			     text);
		cr_assert_eq(ns, rows[i].ns, "%s", text);
		cr_assert_eq(c.at, ns < 0 ? text : c.end, "%s", text);
	}
}
