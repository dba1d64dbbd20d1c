/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * json_test.c - a walk over one object: paths, places, bounds, faults
 *
 * Floor: tests.
 */
#include "vehicle/json.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vehicle/text.h"

static char seen[1024];

/* What is visited, as "path@index=value;". */
static bool note(void *context, const struct json_value *value)
{
	struct text *text = context;

	text_add(text, "%s@%zu=", value->path, value->index);
	switch (value->kind) {
	case JSON_NUMBER:
		text_number(text, value->number);
		break;
	case JSON_STRING:
		text_add(text, "'%.*s'", (int)value->len, value->text);
		break;
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_NULL:
		text_add(text, "%c", "tfn"[value->kind - JSON_TRUE]);
		break;
	}
	text_add(text, ";");
	return !json_is(value, "stop");
}

static enum json_end walk(const char *json, size_t len)
{
	struct text text;

	text_init(&text, seen, sizeof(seen));
	return json_walk(json, len, note, &text);
}

static void visits(const char *json, enum json_end end, const char *what)
{
	cr_assert_eq(walk(json, strlen(json)), end, "%s", json);
	cr_assert_str_eq(seen, what, "%s", json);
}

Test(json, tells_each_value_with_its_path_and_place)
{
	visits(" {\"a\":1,\"b\":{\"c\":true,\"d\":{\"e\":\"x\"}},\"f\":null,"
	       "\"g\":false}\r\n",
	       JSON_END_DONE, "a@0=1;b.c@0=t;b.d.e@0='x';f@0=n;g@0=f;");
	visits("{\"a\":[5,6],\"b\":7,\"c\":[]}", JSON_END_DONE,
	       "a[]@0=5;a[]@1=6;b@0=7;");
	/* the place is that in the outermost array */
	visits("{\"w\":[{\"x\":1},{\"x\":2,\"y\":[8,9]},[3,4]]}", JSON_END_DONE,
	       "w[].x@0=1;w[].x@1=2;w[].y[]@1=8;w[].y[]@1=9;w[][]@2=3;"
	       "w[][]@2=4;");
	visits("{}", JSON_END_DONE, "");
}

Test(json, bears_every_blank_between_its_parts)
{
	visits("\t{ \"a\"\n:\r[ 1\t,\n2 ] , \"b\" : \"c d\" } ", JSON_END_DONE,
	       "a[]@0=1;a[]@1=2;b@0='c d';");
}

Test(json, leaves_strings_as_they_are_written)
{
	visits("{\"a\":\"q\\\"\\\\\",\"b\":\" \",\"c\":\"\"}", JSON_END_DONE,
	       "a@0='q\\\"\\\\';b@0=' ';c@0='';");
	visits("{\"a\":\"\x1f\"}", JSON_END_MALFORMED, "");
	visits("{\"a\":\"\n\"}", JSON_END_MALFORMED, "");
}

Test(json, stops_where_the_visitor_says)
{
	visits("{\"a\":1,\"b\":\"stop\",\"c\":2}", JSON_END_STOPPED,
	       "a@0=1;b@0='stop';");
}

Test(json, what_is_before_a_fault_was_visited)
{
	visits("{\"a\":1,\"b\":2", JSON_END_MALFORMED, "a@0=1;b@0=2;");
	visits("{\"a\":1,\"b\"}", JSON_END_MALFORMED, "a@0=1;");
	visits("{\"a\":1,,\"b\":2}", JSON_END_MALFORMED, "a@0=1;");
	visits("{\"a\":[1 2]}", JSON_END_MALFORMED, "a[]@0=1;");
	visits("{\"a\":[1,2}", JSON_END_MALFORMED, "a[]@0=1;a[]@1=2;");
	visits("{\"a\":1}{", JSON_END_MALFORMED, "a@0=1;");
	visits("{\"a\":1,\"b\":Infinity}", JSON_END_NOT_FINITE, "a@0=1;");
	visits("{\"a\":tru}", JSON_END_MALFORMED, "");
}

Test(json, a_key_is_a_key_and_no_path)
{
	visits("{\"\":1}", JSON_END_MALFORMED, "");
	visits("{\"a.b\":1}", JSON_END_MALFORMED, "");
	visits("{\"a[]\":1}", JSON_END_MALFORMED, "");
	visits("{1:1}", JSON_END_MALFORMED, "");
}

Test(json, is_eight_levels_deep_at_most)
{
	visits("{\"a\":[[[[[[[1]]]]]]]}", JSON_END_DONE,
	       "a[][][][][][][]@0=1;");
	visits("{\"a\":[[[[[[[[1]]]]]]]]}", JSON_END_MALFORMED, "");
	visits("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}"
	       "}}",
	       JSON_END_DONE, "a.a.a.a.a.a.a.a@0=1;");
	visits("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}"
	       "}}}",
	       JSON_END_MALFORMED, "");
}

/* A key of @n characters, what stands around it, and what is behind. */
static enum json_end long_path(int n, const char *rest)
{
	char key[JSON_PATH_MAX + 1], json[2 * JSON_PATH_MAX];

	memset(key, 'k', sizeof(key));
	snprintf(json, sizeof(json), "{\"%.*s\":%s}", n, key, rest);
	return walk(json, strlen(json));
}

Test(json, paths_are_shorter_than_their_room)
{
	/* each but the first adds two characters */
	static const char *const rests[] = { "1", "[1]", "{\"m\":1}" };

	for (int i = 0; i < 3; i++) {
		int most = JSON_PATH_MAX - 1 - (i ? 2 : 0);

		cr_assert_eq(long_path(most, rests[i]), JSON_END_DONE);
		cr_assert_eq(strcspn(seen, "@"), JSON_PATH_MAX - 1);
		cr_assert_eq(long_path(most + 1, rests[i]), JSON_END_MALFORMED);
	}
}

Test(json, nothing_behind_the_end_is_read)
{
	const char *json = "{\"a\":\"bc\",\"d\":[-1.5e1,true],\"e\":1}";

	for (size_t n = 0; n < strlen(json); n++) {
		/* a copy without a byte more, and then all that follows */
		char *cut = malloc(n + !n), before[sizeof(seen)];

		cr_assert(cut);
		memcpy(cut, json, n);
		cr_assert_eq(walk(cut, n), JSON_END_MALFORMED, "%zu", n);
		free(cut);
		snprintf(before, sizeof(before), "%s", seen);
		cr_assert_eq(walk(json, n), JSON_END_MALFORMED, "%zu", n);
		cr_assert_str_eq(seen, before, "%zu", n);
		/* a text is told once its quote is there, and not before */
		cr_assert_eq(strstr(seen, "bc") != NULL, n >= 9, "%zu: %s", n,
			     seen);
	}
}

Test(json, a_word_is_a_string_that_says_just_that)
{
	const struct json_value word = { .kind = JSON_STRING,
					 .path = "type",
					 .text = "odometry",
					 .len = 4 };
	struct json_value other = word;

	cr_assert(json_is(&word, "odom"));
	cr_assert_not(json_is(&word, "odo"));
	cr_assert_not(json_is(&word, "odome"));
	cr_assert_not(json_is(&word, "edom"));
	other.kind = JSON_TRUE;
	cr_assert_not(json_is(&other, "odom"));
}
