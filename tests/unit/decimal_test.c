/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * decimal_test.c - decimals with a unit, exact in and out
 *
 * Floor: tests.
 */
#include "core/decimal.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/seed.h"
#include "tests/unit/bench.h"

static int64_t scaled(const char *text, int64_t factor)
{
	struct decimal decimal;
	int64_t value = 0;

	cr_assert(decimal_read(text, &decimal), "'%s'", text);
	cr_assert(decimal_scale(&decimal, factor, &value), "'%s'", text);
	return value;
}

Test(decimal, is_read_exactly)
{
	cr_assert_eq(scaled("2.56", 1000000000), 2560000000);
	cr_assert_eq(scaled("0.1", 10), 1);
	cr_assert_eq(scaled("200", 1000000), 200000000);
	cr_assert_eq(scaled("1234567.891234567", 1000000000),
		     INT64_C(1234567891234567));
	cr_assert_eq(scaled(".5", 10), 5);
	cr_assert_eq(scaled("5.", 10), 50);
	cr_assert_eq(scaled("+7", 1), 7);
	cr_assert_eq(scaled("-7.25", 100), -725);
	cr_assert_eq(scaled("-0", 1), 0);
	cr_assert_eq(scaled("000000000000000000000000000000005", 1), 5);
	cr_assert_eq(scaled("999999999999999999", 1),
		     INT64_C(999999999999999999));
	cr_assert_eq(
		scaled("0.000000000000000001", INT64_C(1000000000000000000)),
		1);
}

Test(decimal, is_rounded_to_the_nearest)
{
	cr_assert_eq(scaled("0.4", 1), 0);
	cr_assert_eq(scaled("0.5", 1), 1);
	cr_assert_eq(scaled("1.4999999999999999", 1), 1);
	cr_assert_eq(scaled("-0.5", 1), -1);
	cr_assert_eq(scaled("-0.4", 1), 0);
}

Test(decimal, gives_its_unit_without_spaces_before_it)
{
	static const char *const texts[][2] = {
		{ "200ms", "ms" },
		{ "200 ms", "ms" },
		{ " \t200\t ms", "ms" },
		{ "5", "" },
		{ "5 ", "" },
		{ "1e999", "e999" },
		{ "0x10", "x10" },
		{ "1,5ms", ",5ms" },
		{ "1.2.3", ".3" },
		{ "50%", "%" },
		{ "5\xc2\xb5s", "\xc2\xb5s" },
	};
	struct decimal decimal;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_assert(decimal_read(texts[i][0], &decimal));
		cr_assert_str_eq(decimal.unit, texts[i][1]);
	}
}

Test(decimal, what_is_no_plain_number_is_refused)
{
	static const char *const texts[] = {
		"",
		" ",
		"-",
		"+",
		".",
		"-.",
		"ms",
		"NaN",
		"nan",
		"inf",
		"-inf",
		"--5",
		"+-5",
		"\xe2\x88\x9e",
		"e5",
		"1234567890123456789",
		"1234567890.123456789",
		"0.0000000000000000001",
		"\xd9\xa1",
	};
	struct decimal decimal;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(!decimal_read(texts[i], &decimal), "'%s'", texts[i]);
}

Test(decimal, what_does_not_fit_is_said)
{
	struct decimal decimal;
	int64_t value = 77;

	cr_assert(decimal_read("9999999999999", &decimal));
	cr_assert(!decimal_scale(&decimal, 1000000000, &value));
	decimal.negative = true;
	cr_assert(!decimal_scale(&decimal, 1000000000, &value));
	cr_assert(decimal_read("999999999999999999", &decimal));
	cr_assert(!decimal_scale(&decimal, 3600000000000, &value));
	cr_assert_eq(value, 77);
	cr_assert(decimal_scale(&decimal, 9, &value));
	cr_assert_eq(value, INT64_C(8999999999999999991));
	/* 60247241209 x 153092023 is 2^63 - 1 */
	cr_assert(decimal_read("60247241209", &decimal));
	cr_assert(decimal_scale(&decimal, 153092023, &value));
	cr_assert_eq(value, INT64_MAX);
	decimal.negative = true;
	cr_assert(decimal_scale(&decimal, 153092023, &value));
	cr_assert_eq(value, -INT64_MAX);
	cr_assert(decimal_read("60247241209.0000001", &decimal));
	cr_assert(!decimal_scale(&decimal, 153092023, &value));
}

Test(decimal, is_the_nearest_double)
{
	static const char *const texts[] = {
		"0.1", "0.287", "2.56",		 "0.0861", "1234.5678", "0.3",
		"7",   "0.07",	"123456789.123", "-0.26",  "0.015625"
	};
	struct decimal decimal;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_assert(decimal_read(texts[i], &decimal));
		cr_assert_eq(decimal_double(&decimal), strtod(texts[i], NULL),
			     "%s", texts[i]);
	}
}

Test(decimal, is_written_without_trailing_zeros)
{
	static const struct {
		int64_t value, scale;
		const char *text;
	} as[] = {
		{ 2560000000, 1000000, "2560" },
		{ 189583615, 1000000, "189.583615" },
		{ 1500, 1000, "1.5" },
		{ 5, 1000, "0.005" },
		{ 0, 1000000, "0" },
		{ -5, 10, "-0.5" },
		{ 42, 1, "42" },
		{ 1000, 1, "1000" },
		{ 1, INT64_C(1000000000000000000), "0.000000000000000001" },
		{ -1, 1, "-1" },
		{ INT64_MAX, 1000000000, "9223372036.854775807" },
		{ INT64_MIN, 1, "-9223372036854775808" },
	};
	char text[64];

	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
		decimal_print(text, sizeof(text), as[i].value, as[i].scale);
		cr_assert_str_eq(text, as[i].text);
	}
}

Test(decimal, what_is_written_is_read_back)
{
	struct rng rng;
	char text[64];

	seed_key(&rng, 3);
	for (int i = 0; i < 20000; i++) {
		int64_t scale = 1, value;

		for (int64_t n = bench_random(&rng, 12); n > 0; n--)
			scale *= 10;
		value = bench_random(&rng, INT64_C(99999999999999999));
		value >>= bench_random(&rng, 56);
		if (bench_random(&rng, 1))
			value = -value;
		decimal_print(text, sizeof(text), value, scale);
		cr_assert_eq(scaled(text, scale), value, "%s", text);
	}
}

Test(decimal, too_little_room_cuts_and_does_no_harm)
{
	char text[4] = "zzz";

	decimal_print(text, sizeof(text), 123456, 1000);
	cr_assert_str_eq(text, "123");
}
