/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * lines_test.c - lines of a text, faults that name them, and lists of faults
 *
 * Floor: tests.
 */
#include "core/lines.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "core/store.h"

static char why[128];

/* The first @n bytes of a text. */
static struct lines part(const char *text, size_t n)
{
	return (struct lines){ .file = "f",
			       .at = text,
			       .end = text + n,
			       .why = why,
			       .size = sizeof(why) };
}

static struct lines all(const char *text)
{
	return part(text, strlen(text));
}

Test(lines, come_without_their_ends_and_the_blanks_around_them)
{
	struct lines lines = all("\tone two \r\n\n  \t \n\r\nlast\r");
	static const char *const texts[] = { "one two", "", "", "", "last" };

	for (size_t i = 0; i < 5; i++) {
		cr_assert(lines_next(&lines));
		cr_assert_str_eq(lines.text, texts[i]);
		cr_assert_eq(lines.line, i + 1);
	}
	cr_assert_not(lines_next(&lines));
	cr_assert_not(lines.faulty);
	/* no line is begun behind the last end */
	lines = all("x\n");
	cr_assert(lines_next(&lines));
	cr_assert_not(lines_next(&lines));
	cr_assert_eq(lines.line, 1);
}

Test(lines, nothing_beyond_the_end_is_read)
{
	struct lines lines = part("1\n     2\n", 4);

	cr_assert_eq(lines_left(&lines), 2);
	cr_assert(lines_next(&lines));
	cr_assert_str_eq(lines.text, "1");
	cr_assert(lines_next(&lines), "%s", why);
	cr_assert_str_eq(lines.text, "");
	cr_assert_not(lines_next(&lines));
	lines = part("1\n2\n", 3);
	cr_assert_eq(lines_left(&lines), 2);
	lines = part("1\n2\n", 0);
	cr_assert_eq(lines_left(&lines), 1);
	cr_assert_not(lines_next(&lines));
}

Test(lines, of_data_are_neither_blank_nor_comments)
{
	struct lines lines = all("# a\n\n #b\na # c\n##\n0\n");

	cr_assert(lines_data(&lines));
	cr_assert_str_eq(lines.text, "a # c");
	cr_assert_eq(lines.line, 4);
	cr_assert(lines_data(&lines));
	cr_assert_str_eq(lines.text, "0");
	cr_assert_not(lines_data(&lines));
	cr_assert_eq(lines.line, 6);
}

Test(lines, end_at_one_that_is_too_long_or_has_a_zero_byte)
{
	char text[600];
	struct lines lines;

	snprintf(text, sizeof(text), "x\n%*s%255s\n%256s\n", 20, "", "1", "y");
	memset(text + 22, '1', 255);
	memset(text + 22 + 256, '2', 256);
	lines = all(text);
	cr_assert(lines_next(&lines));
	cr_assert(lines_next(&lines), "%s", why);
	cr_assert_eq(strlen(lines.text), LINE_MAX_BYTES);
	cr_assert_not(lines_next(&lines));
	cr_assert(lines.faulty);
	cr_assert_str_eq(why, "f:3: a line of 256 bytes; it has at most 255");
	cr_assert_str_eq(lines.text, "");
	cr_assert_not(lines_data(&lines), "and no more is read");
	lines = part("1\0\n2\n", 5);
	cr_assert_not(lines_next(&lines));
	cr_assert_str_eq(why, "f:1: a zero byte; the file is text");
	cr_assert_not(lines_next(&lines));
	cr_assert_eq(lines.line, 1);
}

Test(lines, a_fault_fits_into_its_room)
{
	static const char *const cut[] = {
		"########", "",	     "f",      "f:",	  "f:0",
		"f:0:",	    "f:0: ", "f:0: a", "f:0: ab", "f:0: ab"
	};
	struct lines lines = all("");

	for (size_t size = 0; size < 10; size++) {
		memset(why, '#', sizeof(why));
		why[20] = '\0';
		lines.size = size;
		lines.faulty = false;
		cr_assert_eq(lines_fault(&lines, "%s", "ab"), -1);
		cr_assert(lines.faulty);
		cr_assert_eq(strncmp(why, cut[size], 8), 0, "%zu: %s", size,
			     why);
		cr_assert_eq(strspn(why + size, "#"), 20 - size);
	}
}

Test(lines, faults_are_kept_one_by_one)
{
	struct err err = { 0 };

	cr_assert_eq(err_add(&err, "%s:%d", "a", 1), -1);
	cr_assert_not(err.machine);
	cr_assert_eq(err_add(&err, "%s", ""), -1);
	cr_assert_eq(err_add_machine(&err, "no %s", "memory"), -1);
	cr_assert(err.machine);
	cr_assert_eq(err.n, 3);
	cr_assert_str_eq(err.line[0], "a:1");
	cr_assert_str_eq(err.line[1], "");
	cr_assert_str_eq(err.line[2], "no memory");
	err_fini(&err);
	cr_assert_eq(err.n, 0);
	cr_assert_null(err.line);
	cr_assert_not(err.machine);
	/* who wants no list is told all the same */
	cr_assert_eq(err_add(NULL, "x"), -1);
	cr_assert_eq(err_add_machine(NULL, "x"), -1);
}

Test(lines, of_more_than_1000_faults_the_first_are_kept)
{
	struct err err = { 0 };

	for (int i = 0; i < 1001; i++)
		cr_assert_eq(err_add(&err, "%d", i), -1);
	cr_assert_eq(err.n, 1000);
	cr_assert_str_eq(err.line[0], "0");
	cr_assert_str_eq(err.line[999], "999");
	err_fini(&err);
}

Test(lines, a_store_keeps_all_it_was_given)
{
	struct store store = { 0 };
	const char *texts[100];
	char text[16];

	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "%0*d", i % 12 + 1, i);
		texts[i] = store_text(&store, text);
		memset(store_get(&store, 40), 0xff, 40);
	}
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "%0*d", i % 12 + 1, i);
		cr_assert_str_eq(texts[i], text);
	}
	for (const char *at = store_get(&store, 64), *end = at + 64; at < end;)
		cr_assert_eq(*at++, 0);
	store_fini(&store);
	cr_assert_null(store.last);
}
