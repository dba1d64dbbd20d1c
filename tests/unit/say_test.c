/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * say_test.c - quantities read as a person writes them
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>

#include "session/say.h"

/* What one of the functions adds to an empty text. */
#define SAID(words, add, ...)                                                  \
	do {                                                                   \
		struct text text_;                                             \
		char room_[64];                                                \
		text_init(&text_, room_, sizeof(room_));                       \
		add(&text_, __VA_ARGS__);                                      \
		cr_assert_str_eq(room_, words);                                \
	} while (0)

Test(say, numbers_have_the_digits_that_were_asked_for)
{
	SAID("0", say_number, 0.0, 3);
	SAID("1.23", say_number, 1.2345, 3);
	SAID("9.99", say_number, 9.9949, 3);
	SAID("10", say_number, 9.996, 3);
	SAID("10.5", say_number, 10.456, 3);
	SAID("12.3", say_number, 12.345, 3);
	SAID("100", say_number, 100.4, 3);
	SAID("123", say_number, 123.45, 3);
	SAID("-123", say_number, -123.45, 3);
	SAID("100", say_number, 99.96, 3);
	SAID("1.2", say_number, 1.2345, 2);
	SAID("0.123", say_number, 0.12345, 3);
	SAID("0.0956", say_number, 0.09561, 3);
	SAID("0.0123", say_number, 0.012345, 3);
	/* digits before the point are never cut */
	SAID("1234567", say_number, 1234567.0, 3);
	SAID("1235", say_number, 1234.5, 1);
	/* nine decimals and no more */
	SAID("0.000000012", say_number, 1.234e-8, 3);
	SAID("0", say_number, 4.6e-10, 1);
}

Test(say, shares_are_percentages_that_keep_what_is_rare)
{
	SAID("0 %", say_share, 0.0);
	SAID("under 0.000001 %", say_share, 0.99e-8);
	SAID("0.000001 %", say_share, 1e-8);
	SAID("0.105 %", say_share, 0.00105);
	SAID("1.73 %", say_share, 0.0173);
	SAID("12.3 %", say_share, 0.12345);
	SAID("50 %", say_share, 0.5);
	SAID("98.9 %", say_share, 0.98941);
	/* nearly all is not all */
	SAID("99.041 %", say_share, 0.99041);
	SAID("99.984 %", say_share, 0.9998412);
	SAID("100 %", say_share, 1.0);
}

Test(say, delays_are_milliseconds_to_the_microsecond)
{
	struct said said;

	SAID("2560 ms", say_delay, 2.56e9);
	SAID("34.641 ms", say_delay, 34641016.0);
	SAID("0.001 ms", say_delay, 1499.0);
	SAID("0.002 ms", say_delay, 1500.0);
	SAID("0 ms", say_delay, 499.0);
	cr_assert_str_eq(said_delay(&said, 2.56e9), "2560 ms");
	cr_assert_str_eq(said_share(&said, 0.0173), "1.73 %");
	cr_assert_str_eq(said_number(&said, 99.94, 3), "99.9");
}

Test(say, spans_have_the_unit_that_fits)
{
	SAID("0 ms", say_span, 0.0);
	SAID("12.3 ms", say_span, 0.012345);
	SAID("999 ms", say_span, 0.999);
	SAID("1 s", say_span, 1.0);
	SAID("12.3 s", say_span, 12.345);
	SAID("179 s", say_span, 179.0);
	SAID("3 min", say_span, 180.0);
	SAID("3.3 min", say_span, 200.0);
	SAID("120 min", say_span, 7199.0);
	SAID("2 h", say_span, 7200.0);
	SAID("3.1 h", say_span, 11300.0);
	SAID("48 h", say_span, 172799.0);
	SAID("2 days", say_span, 172800.0);
	SAID("3.9 days", say_span, 333333.0);
	SAID("11574074 days", say_span, 1e12);
	SAID("never", say_span, 1.001e12);
	SAID("never", say_span, INFINITY);
}

Test(say, rates_and_sizes_have_the_unit_that_fits)
{
	SAID("0 bit/s", say_rate, 0.0);
	SAID("999.9 bit/s", say_rate, 999.9);
	SAID("1 kbit/s", say_rate, 1000.0);
	SAID("50 kbit/s", say_rate, 50e3);
	SAID("1.235 Mbit/s", say_rate, 1234567.0);
	/* what four digits would make 1000 has the next unit */
	SAID("999.9 kbit/s", say_rate, 999949.0);
	SAID("1 Mbit/s", say_rate, 999950.0);
	SAID("12000 Gbit/s", say_rate, 12e12);
	SAID("40 B", say_bytes, 40.0);
	SAID("1.5 kB", say_bytes, 1500.0);
	SAID("33.55 MB", say_bytes, 33554432.0);
	SAID("12000 GB", say_bytes, 12e12);
}

Test(say, what_has_no_number_has_a_word)
{
	struct said said;

	cr_assert_str_eq(said_delay(&said, INFINITY), "unbounded");
	cr_assert_str_eq(said_number(&said, INFINITY, 3), "endless");
}
