/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * command_test.c - commands read from datagrams, and what is refused
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vehicle/command.h"

#define ALL 0x1fu

static struct command command;

static enum command_reject parse(const char *text, unsigned accepts)
{
	return command_parse(&command, text, strlen(text), accepts);
}

static void assert_command(const char *text, enum command_kind kind, double a,
			   double b, double c)
{
	enum command_reject reject = parse(text, ALL);

	cr_assert_eq(reject, REJECT_NONE, "%s: %s", text,
		     command_reason(reject));
	cr_assert_eq(command.kind, kind);
	cr_assert_eq(command.value[0], a);
	cr_assert_eq(command.value[1], b);
	if (kind != COMMAND_WHEELS && kind != COMMAND_STEERING)
		cr_assert_eq(command.value[2], c);
}

Test(command, knows_its_five_shapes)
{
	assert_command("{\"vx\":0.1500,\"vy\":0.0000,\"wz\":0.3200}",
		       COMMAND_TWIST, 0.15, 0, 0.32);
	assert_command("{\"left\":-0.1,\"right\":0.2}", COMMAND_WHEELS, -0.1,
		       0.2, 0);
	assert_command("{\"left\":-0.1,\"right\":0.2,\"dt\":0.02}",
		       COMMAND_WHEELS_FOR, -0.1, 0.2, 0.02);
	assert_command("{\"speed\":1.5,\"steering_angle\":-0.3}",
		       COMMAND_STEERING, 1.5, -0.3, 0);
	assert_command("{\"dx\":1,\"dy\":2,\"dyaw\":3}", COMMAND_DELTA, 1, 2,
		       3);
}

Test(command, bears_spaces_order_and_other_keys)
{
	assert_command(" { \"wz\" : 3 ,\r\n\t\"vy\":2, \"vx\":1 } \n",
		       COMMAND_TWIST, 1, 2, 3);
	assert_command("{\"seq\":7,\"vx\":1,\"who\":\"a \\\"b\\\\\",\"vy\":2,"
		       "\"ok\":true,\"wz\":3}",
		       COMMAND_TWIST, 1, 2, 3);
}

Test(command, reads_numbers_as_written)
{
	assert_command("{\"vx\":-0.0000,\"vy\":1e-1,\"wz\":2.5E+2}",
		       COMMAND_TWIST, 0, 0.1, 250);
	cr_assert(signbit(command.value[0]));
	assert_command("{\"vx\":0.1,\"vy\":0.300000000000004,\"wz\":12345678}",
		       COMMAND_TWIST, 0.1, 0.300000000000004, 12345678);
	assert_command("{\"vx\":1e-400,\"vy\":0e99999,\"wz\":1}", COMMAND_TWIST,
		       0, 0, 1);
}

Test(command, refuses_what_is_no_number)
{
	cr_assert_eq(parse("{\"vx\":NaN,\"vy\":0,\"wz\":0}", ALL),
		     REJECT_NOT_FINITE);
	cr_assert_eq(parse("{\"vx\":0,\"vy\":Infinity,\"wz\":0}", ALL),
		     REJECT_NOT_FINITE);
	cr_assert_eq(parse("{\"vx\":0,\"vy\":0,\"wz\":-Infinity}", ALL),
		     REJECT_NOT_FINITE);
	cr_assert_eq(parse("{\"vx\":1e999,\"vy\":0,\"wz\":0}", ALL),
		     REJECT_NOT_FINITE);
	cr_assert_eq(parse("{\"vx\":null,\"vy\":0,\"wz\":0}", ALL),
		     REJECT_MISSING);
	cr_assert_eq(parse("{\"vx\":\"1\",\"vy\":0,\"wz\":0}", ALL),
		     REJECT_MISSING);
	cr_assert_eq(parse("{\"vx\":1,\"vy\":0,\"wz\":0,\"t\":null}", ALL),
		     REJECT_MISSING);
}

Test(command, refuses_missing_double_and_mixed_keys)
{
	cr_assert_eq(parse("{}", ALL), REJECT_MISSING);
	cr_assert_eq(parse("{\"vx\":1,\"vy\":0}", ALL), REJECT_MISSING);
	cr_assert_eq(parse("{\"vx\":1,\"vx\":1,\"vy\":0,\"wz\":0}", ALL),
		     REJECT_DUPLICATE);
	cr_assert_eq(parse("{\"vx\":1,\"vy\":0,\"wz\":0,\"left\":1}", ALL),
		     REJECT_TYPE);
	cr_assert_eq(parse("{\"VX\":1,\"vy\":0,\"wz\":0}", ALL),
		     REJECT_MISSING);
}

Test(command, refuses_another_type)
{
	const char *twist = "{\"vx\":1,\"vy\":0,\"wz\":0}";

	cr_assert_eq(parse(twist, 1u << COMMAND_DELTA), REJECT_TYPE);
	cr_assert_eq(parse(twist, 1u << COMMAND_TWIST), REJECT_NONE);
	cr_assert_eq(
		parse("{\"left\":1,\"right\":1}", 1u << COMMAND_WHEELS_FOR),
		REJECT_TYPE);
}

Test(command, refuses_a_time_that_is_none)
{
	cr_assert_eq(parse("{\"left\":1,\"right\":1,\"dt\":0}", ALL),
		     REJECT_RANGE);
	cr_assert_eq(parse("{\"left\":1,\"right\":1,\"dt\":-0.02}", ALL),
		     REJECT_RANGE);
	cr_assert_eq(parse("{\"left\":1,\"right\":1,\"dt\":1.001}", ALL),
		     REJECT_RANGE);
	/* a second is one, and the shortest that a text can say */
	cr_assert_eq(parse("{\"left\":1,\"right\":1,\"dt\":1}", ALL),
		     REJECT_NONE);
	cr_assert_eq(parse("{\"left\":1,\"right\":1,\"dt\":1e-9}", ALL),
		     REJECT_NONE);
}

Test(command, refuses_what_is_no_json)
{
	const char *const bad[] = {
		"",
		" ",
		"[]",
		"1",
		"{",
		"}",
		"{\"vx\":1,\"vy\":0,\"wz\":0",
		"{\"vx\":1,\"vy\":0,\"wz\":0}}",
		"{\"vx\":1,\"vy\":0,\"wz\":0,}",
		"{\"vx\":1 \"vy\":0,\"wz\":0}",
		"{vx:1,vy:0,wz:0}",
		"{'vx':1,'vy':0,'wz':0}",
		"{\"vx\":01,\"vy\":0,\"wz\":0}",
		"{\"vx\":+1,\"vy\":0,\"wz\":0}",
		"{\"vx\":.5,\"vy\":0,\"wz\":0}",
		"{\"vx\":5.,\"vy\":0,\"wz\":0}",
		"{\"vx\":1e,\"vy\":0,\"wz\":0}",
		"{\"vx\":0x1,\"vy\":0,\"wz\":0}",
		"{\"vx\":0,15,\"vy\":0,\"wz\":0}",
		"{\"vx\":{\"vx\":1},\"vy\":0,\"wz\":0}",
		"{\"vx\":[1],\"vy\":0,\"wz\":0}",
		"{\"vx\":1,\"vy\":0,\"wz\":0} x",
		"{\"vx\":1,\"vy\":0,\"wz\":0,\"a\":\"\x01\"}",
		"{\"vx\":1,\"vy\":0,\"wz\":0,\"a\":\"\\",
		"{\"a.b\":1}",
		"{\"\":1}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_eq(parse(bad[i], ALL), REJECT_MALFORMED, "%s: %s",
			     bad[i], command_reason(parse(bad[i], ALL)));
}

Test(command, refuses_depth_and_length)
{
	char deep[64] = "{\"a\":", longer[COMMAND_BYTES_MAX + 2];

	memset(deep + 5, '[', 40);
	cr_assert_eq(parse(deep, ALL), REJECT_MALFORMED);
	memset(longer, ' ', sizeof(longer));
	memcpy(longer, "{\"vx\":1,\"vy\":0,\"wz\":0}", 22);
	cr_assert_eq(command_parse(&command, longer, COMMAND_BYTES_MAX, ALL),
		     REJECT_NONE);
	cr_assert_eq(
		command_parse(&command, longer, COMMAND_BYTES_MAX + 1, ALL),
		REJECT_MALFORMED);
}

Test(command, every_cut_of_a_command_is_refused)
{
	const char *text = "{\"vx\":0.1500,\"vy\":0.0000,\"wz\":0.3200}";

	for (size_t n = 0; n < strlen(text); n++) {
		/* a copy, so that a read behind the end is seen */
		char *cut = malloc(n + !n);

		cr_assert(cut);
		memcpy(cut, text, n);
		cr_assert_eq(command_parse(&command, cut, n, ALL),
			     REJECT_MALFORMED);
		free(cut);
	}
}

Test(command, leaves_the_command_alone_when_it_refuses)
{
	parse("{\"vx\":1,\"vy\":2,\"wz\":3}", ALL);
	parse("{\"vx\":4,\"vy\":5,\"wz\":NaN}", ALL);
	cr_assert_eq(command.value[0], 1);
	cr_assert_eq(command.value[1], 2);
}

Test(command, has_a_word_for_each_reason_and_shape)
{
	static const char *const reasons[REJECTS] = {
		"none",	     "malformed",  "type",  "missing",
		"duplicate", "not-finite", "range",
	};
	static const char *const shapes[] = {
		"{\"vx\",\"vy\",\"wz\"}",      "{\"left\",\"right\"}",
		"{\"left\",\"right\",\"dt\"}", "{\"speed\",\"steering_angle\"}",
		"{\"dx\",\"dy\",\"dyaw\"}",
	};

	for (int i = 0; i < REJECTS; i++)
		cr_assert_str_eq(command_reason((enum command_reject)i),
				 reasons[i]);
	for (int i = 0; i < 5; i++)
		cr_assert_str_eq(command_keys((enum command_kind)i), shapes[i]);
}
