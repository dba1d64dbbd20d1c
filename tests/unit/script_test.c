/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * script_test.c - a drive script as the reference app's datagrams
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vehicle/script.h"

#define MS   NSEC_PER_MS
#define ZERO "{\"vx\":0.0000,\"vy\":0.0000,\"wz\":0.0000}"

static struct script *begin(const char *csv,
			    const struct script_settings *settings)
{
	char why[128] = "";
	struct script *op =
		script_new(csv, strlen(csv), settings, why, sizeof(why));

	cr_assert(op, "%s", why);
	return op;
}

/* Take the next datagram, which must be this one. */
static void expect(struct script *op, nsec time, const char *text)
{
	struct script_datagram d;

	cr_assert_eq(script_next(op), time, "%lld", (long long)script_next(op));
	cr_assert_not(script_take(op, time - 1, &d));
	cr_assert(script_take(op, time, &d));
	cr_assert_eq(d.time, time);
	cr_assert_str_eq(d.bytes, text);
	cr_assert_eq(d.len, strlen(text));
}

static void expect_stops(struct script *op, nsec time, int n)
{
	for (int i = 0; i < n; i++)
		expect(op, time, ZERO);
}

Test(script, begins_and_ends_with_stops)
{
	struct script *op = begin("time,vx,vy,wz\n0,0.15,0,0.32\n"
				  "0.2,-0.1,0.05,-0.00004\n0.35,0,0,0\n",
				  &script_default);

	for (int round = 0; round < 2; round++) {
		expect_stops(op, 0, 10);
		expect(op, 0, "{\"vx\":0.1500,\"vy\":0.0000,\"wz\":0.3200}");
		expect(op, 100 * MS,
		       "{\"vx\":0.1500,\"vy\":0.0000,\"wz\":0.3200}");
		expect(op, 200 * MS,
		       "{\"vx\":-0.1000,\"vy\":0.0500,\"wz\":0.0000}");
		expect(op, 300 * MS,
		       "{\"vx\":-0.1000,\"vy\":0.0500,\"wz\":0.0000}");
		expect_stops(op, 350 * MS, 5);
		cr_assert_eq(script_next(op), NSEC_NEVER);
		script_reset(op);
	}
	script_free(op);
	script_free(NULL);
}

Test(script, sends_zeros_or_nothing_while_idle)
{
	struct script_settings silent = script_default;
	const char *csv = "0,0,0,0\n0.2,0.1,0,0\n0.3,0.0004,0,-0.0004\n1,0,0,0";
	struct script *op = begin(csv, &script_default);

	expect_stops(op, 0, 10);
	expect(op, 0, ZERO);
	expect(op, 100 * MS, ZERO);
	script_free(op);
	silent.idle = SCRIPT_IDLE_SILENCE;
	op = begin(csv, &silent);
	expect_stops(op, 0, 10);
	expect(op, 200 * MS, "{\"vx\":0.1000,\"vy\":0.0000,\"wz\":0.0000}");
	expect_stops(op, 1000 * MS, 5);
	script_free(op);
}

Test(script, keeps_its_rate_without_drift)
{
	struct script_settings fast = script_default;
	struct script_datagram d;
	struct script *op;
	int n = 0;

	fast.rate_mhz = 60000;
	fast.start_stops = fast.end_stops = 0;
	op = begin("0,1,0,0\n3600,0,0,0\n", &fast);
	while (script_take(op, NSEC_NEVER - 1, &d)) {
		cr_assert_eq(d.time, (int64_t)n * 1000000000 / 60);
		n++;
	}
	cr_assert_eq(n, 60 * 3600);
	cr_assert_eq(script_next(op), NSEC_NEVER);
	script_free(op);
}

Test(script, is_idle_before_its_first_line)
{
	struct script *op = begin("0.15,1,0,0\n0.3,0,0,0\n", &script_default);

	expect_stops(op, 0, 10);
	expect(op, 0, ZERO);
	expect(op, 100 * MS, ZERO);
	expect(op, 200 * MS, "{\"vx\":1.0000,\"vy\":0.0000,\"wz\":0.0000}");
	script_free(op);
}

Test(script, a_script_of_one_moment_only_stops)
{
	struct script *op = begin("0,1,0,0\n", &script_default);

	expect_stops(op, 0, 15);
	cr_assert_eq(script_next(op), NSEC_NEVER);
	script_free(op);
}

Test(script, before_its_only_line_it_asks_for_nothing)
{
	struct script *op = begin("0.15,1,0,0\n", &script_default);

	expect_stops(op, 0, 10);
	expect(op, 0, ZERO);
	expect(op, 100 * MS, ZERO);
	expect_stops(op, 150 * MS, 5);
	script_free(op);
}

Test(script, of_lines_at_one_time_the_last_holds)
{
	struct script *op = begin("0,1,0,0\n0,2,0,0\n0,10000,-10000,0\n"
				  "0.1,0,0,0\n0.1,0,0,0\n",
				  &script_default);

	expect_stops(op, 0, 10);
	expect(op, 0, "{\"vx\":10000.0000,\"vy\":-10000.0000,\"wz\":0.0000}");
	expect_stops(op, 100 * MS, 5);
	script_free(op);
}

Test(script, has_a_million_lines_at_most)
{
	static const char line[] = "0,0,0,0\n";
	size_t each = sizeof(line) - 1, len = (1000000 + 1) * each;
	char *csv = malloc(len), why[64];

	cr_assert(csv);
	for (size_t at = 0; at < len; at += each)
		memcpy(csv + at, line, each);
	cr_assert_null(script_new(csv, len, &script_default, why, sizeof(why)));
	cr_assert_str_eq(why, "line 1000001: the script is too long");
	free(csv);
}

Test(script, refuses_scripts_that_are_none)
{
	const char *const bad[][2] = {
		{ "", "no line" },
		{ "time,vx,vy,wz\n", "no line" },
		{ "0,1,0\n", "line 1: a line is time,vx,vy,wz" },
		{ "0,1,0,0,0\n", "line 1: a line is" },
		{ "0,1,0,x\n", "line 1: speeds" },
		{ "0,nan,0,0\n", "line 1: speeds" },
		{ "0,1e9,0,0\n", "line 1: speeds" },
		{ "0,0,-10000.1,0\n", "line 1: speeds" },
		{ "-1,0,0,0\n", "line 1: time" },
		{ "0.0000000001,0,0,0\n", "line 1: time" },
		{ "# a\n1,0,0,0\n0.5,0,0,0\n", "line 3: times" },
		{ "t,x\n0,1,0,0\n", "line 1: time" },
	};
	char why[128];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert_null(script_new(bad[i][0], strlen(bad[i][0]),
					  &script_default, why, sizeof(why)),
			       "%s", bad[i][0]);
		cr_assert(strstr(why, bad[i][1]), "%s", why);
	}
}

Test(script, bears_spaces_comments_and_carriage_returns)
{
	struct script *op = begin("time,vx,vy,wz\r\n\r\n# go\r\n"
				  " 0 , 0.5 , 0 , 0 \r\n0.1,0,0,0\r\n",
				  &script_default);

	expect_stops(op, 0, 10);
	expect(op, 0, "{\"vx\":0.5000,\"vy\":0.0000,\"wz\":0.0000}");
	expect_stops(op, 100 * MS, 5);
	script_free(op);
}

Test(script, is_idle_only_if_all_three_speeds_are_zero)
{
	/* what would be written as 0.0005 is not idle */
	static const char *const lines[] = { "0.0005,0,0", "0,0.0005,0",
					     "0,0,-0.0005",
					     "0.00049,-0.00049,0.00049" };
	const struct script_settings silent = {
		.rate_mhz = 10000,
		.idle = SCRIPT_IDLE_SILENCE,
	};
	char csv[64], why[128];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct script *op;

		snprintf(csv, sizeof(csv), "0,%s\n1,0,0,0\n", lines[i]);
		op = script_new(csv, strlen(csv), &silent, why, sizeof(why));
		cr_assert(op, "%s", why);
		cr_assert_eq(script_next(op) == 0, i < 3, "%s", lines[i]);
		script_free(op);
	}
}
