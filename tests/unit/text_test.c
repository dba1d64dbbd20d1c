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
	const char *const texts[] = { "0", "0.1", "2.56", "123456789.987654321",
				      ".5" };
	const int64_t want[] = { 0, 100000000, 2560000000, 123456789987654321,
				 500000000 };
	int64_t ns;

	for (int i = 0; i < 5; i++) {
		struct cursor c = { texts[i], texts[i] + strlen(texts[i]) };

		cr_assert(number_read_ns(&c, &ns));
		cr_assert_eq(ns, want[i]);
		cr_assert_eq(c.at, c.end);
	}
}
