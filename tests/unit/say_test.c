/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * say_test.c - quantities read as a person writes them
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>

#include "session/say.h"

Test(say, quantities_read_well)
{
	static const struct {
		double value;
		const char *text;
	} shares[] = { { 0.0, "0 %" },	     { 1.0, "100 %" },
		       { 0.0173, "1.73 %" }, { 0.99984, "99.984 %" },
		       { 0.5, "50 %" },	     { 0.00105, "0.105 %" } };
	struct said said;

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		cr_assert_str_eq(said_share(&said, shares[i].value),
				 shares[i].text);
	cr_assert_str_eq(said_delay(&said, 2.56e9), "2560 ms");
	cr_assert_str_eq(said_delay(&said, 34641016.0), "34.641 ms");
	cr_assert_str_eq(said_number(&said, 1234567.0, 3), "1234567");
	cr_assert_str_eq(said_number(&said, 99.96, 3), "100");
}

Test(say, rates_and_sizes_have_the_unit_that_fits)
{
	char room[64];
	struct text text;

	text_init(&text, room, sizeof(room));
	say_rate(&text, 50e3);
	text_add(&text, ", ");
	say_rate(&text, 999999.9);
	text_add(&text, ", ");
	say_bytes(&text, 40.0);
	text_add(&text, ", ");
	say_bytes(&text, 33554432.0);
	cr_assert_str_eq(room, "50 kbit/s, 1 Mbit/s, 40 B, 33.55 MB");
}

Test(say, what_has_no_number_has_a_word)
{
	struct said said;
	char room[64];
	struct text text;

	cr_assert_str_eq(said_delay(&said, INFINITY), "unbounded");
	cr_assert_str_eq(said_number(&said, INFINITY, 3), "endless");
	text_init(&text, room, sizeof(room));
	say_span(&text, INFINITY);
	cr_assert_str_eq(room, "never");
}
