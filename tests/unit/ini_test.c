/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ini_test.c - rows of a text, and what is refused with its line
 *
 * Floor: tests.
 */
#include "session/ini.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct store store;
static struct ini ini;
static struct err err;

static void free_all(void)
{
	store_fini(&store);
	err_fini(&err);
}

TestSuite(ini, .fini = free_all);

static int read_bytes(const char *text, size_t size)
{
	/* a copy of exactly that size, so that a sanitizer sees a byte too far
	 */
	char *copy = malloc(size ? size : 1);
	int result;

	memcpy(copy, text, size);
	store_fini(&store);
	err_fini(&err);
	ini = (struct ini){ 0 };
	result = ini_read(&ini, &store, "arm.ini", copy, size, &err);
	free(copy);
	cr_assert_eq(result<0, err.n> 0);
	return result;
}

static int read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

/* The value of a key in the first section of a name, or NULL. */
static const char *value_of(const char *section, const char *key)
{
	for (size_t i = 0; i < ini.n; i++)
		if (ini.row[i].key && !strcmp(ini.row[i].section, section) &&
		    !strcmp(ini.row[i].key, key))
			return ini.row[i].value;
	return NULL;
}

/* The text is refused, with one fault that begins so. */
static void refused(const char *text, const char *fault)
{
	cr_assert_lt(read_text(text), 0, "%s", text);
	cr_assert_eq(err.n, 1, "%zu faults", err.n);
	cr_assert(!strncmp(err.line[0], fault, strlen(fault)), "%s",
		  err.line[0]);
}

Test(ini, rows_keep_their_order_and_lines)
{
	cr_assert_eq(read_text("[arm]\nname = x\n\n; words\n[uplink  a ]\n"
			       "port=5002\n chain = c\n"),
		     0);
	cr_assert_eq(ini.n, 5);
	cr_assert_null(ini.row[0].key);
	cr_assert_str_eq(ini.row[0].section, "arm");
	cr_assert_eq(ini.row[0].line, 1);
	cr_assert_str_eq(ini.row[1].key, "name");
	cr_assert_str_eq(ini.row[1].value, "x");
	cr_assert_eq(ini.row[1].line, 2);
	cr_assert_str_eq(ini.row[2].section, "uplink a", "spaces are folded");
	cr_assert_eq(ini.row[2].line, 5);
	cr_assert_str_eq(ini.row[3].value, "5002");
	cr_assert_eq(ini.row[3].line, 6);
	cr_assert_str_eq(ini.row[4].key, "chain", "an indented key is one");
	cr_assert_eq(ini.row[4].line, 7);
	cr_assert_eq(ini.row[4].section, ini.row[2].section);
}

Test(ini, an_empty_text_has_no_rows)
{
	static const char *const texts[] = { "",
					     "\n",
					     "\n\n\n",
					     "  \t \n",
					     "; only words",
					     "# and these\n",
					     "\xef\xbb\xbf",
					     "\r\n" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_assert_eq(read_text(texts[i]), 0);
		cr_assert_eq(ini.n, 0);
	}
}

Test(ini, a_mark_of_byte_order_and_dos_lines_are_taken)
{
	cr_assert_eq(read_text("\xef\xbb\xbf[arm]\r\nname = x y\r\nseed = 1"),
		     0);
	cr_assert_str_eq(value_of("arm", "name"), "x y");
	cr_assert_str_eq(value_of("arm", "seed"), "1");
}

Test(ini, the_last_line_needs_no_end)
{
	cr_assert_eq(read_text("[arm]\nname = x"), 0);
	cr_assert_str_eq(value_of("arm", "name"), "x");
	cr_assert_eq(read_text("[arm]"), 0);
	cr_assert_eq(ini.n, 1);
}

Test(ini, words_behind_a_semicolon_are_passed_over)
{
	cr_assert_eq(read_text("[arm] ; first\nname = x ; words\n"
			       "description = a;b\n# port = 1\n"),
		     0);
	cr_assert_str_eq(value_of("arm", "name"), "x");
	cr_assert_str_eq(value_of("arm", "description"), "a;b");
	cr_assert_eq(ini.n, 3);
}

Test(ini, an_indented_line_goes_on_with_the_one_before)
{
	cr_assert_eq(read_text("[uplink a]\nmatch = udp[8:1] = 0x7b\n"
			       "\tand udp[9:1] = 0x22\n\n   or len > 5\n"
			       "port = 1\n"),
		     0);
	cr_assert_str_eq(value_of("uplink a", "match"),
			 "udp[8:1] = 0x7b and udp[9:1] = 0x22 or len > 5");
	cr_assert_str_eq(value_of("uplink a", "port"), "1");
	cr_assert_eq(ini.n, 3);
}

Test(ini, an_indented_line_of_words_or_a_section_is_no_continuation)
{
	cr_assert_eq(read_text("[a]\nx = 1\n   ; words\n  [b]\n  y = 2\n"), 0);
	cr_assert_str_eq(value_of("a", "x"), "1");
	cr_assert_str_eq(value_of("b", "y"), "2");
	/* nothing to go on with: behind a section it must be a key */
	refused("[a]\n  words\n", "arm.ini:2: ");
	refused("  words\n", "arm.ini:1: ");
}

Test(ini, words_behind_a_continued_line_are_passed_over)
{
	cr_assert_eq(read_text("[a]\nx = 1\n  or a;b  \t ; words\n"
			       "  or c; d\n  \t or 2"),
		     0);
	cr_assert_str_eq(value_of("a", "x"), "1 or a;b or c; d or 2");
}

Test(ini, an_indented_line_is_a_key_by_a_word_and_an_equals_sign)
{
	cr_assert_eq(read_text("[a]\nx = 1\n  == 5\n  (y) = 2\n  b : 3\n"
			       "  y_2 \t= 4\n  5=6\n"),
		     0);
	cr_assert_str_eq(value_of("a", "x"), "1 == 5 (y) = 2 b : 3");
	cr_assert_str_eq(value_of("a", "y_2"), "4");
	cr_assert_str_eq(value_of("a", "5"), "6");
	/* a word at the very end of the text, with nothing behind it */
	cr_assert_eq(read_text("[a]\nx = 1\n  words"), 0);
	cr_assert_str_eq(value_of("a", "x"), "1 words");
	cr_assert_eq(read_text("[a]\nx = 1\n  words  "), 0);
	cr_assert_str_eq(value_of("a", "x"), "1 words");
}

Test(ini, an_empty_value_is_one)
{
	cr_assert_eq(read_text("[arm]\nname =\n"), 0);
	cr_assert_str_eq(value_of("arm", "name"), "");
}

Test(ini, what_cannot_be_read_is_refused_with_its_line)
{
	refused("[arm]\nname\n", "arm.ini:2: neither [section] nor key");
	refused("name = x\n", "arm.ini:1: name stands before any section");
	refused("[arm\n", "arm.ini:1: a section begins");
	refused("[arm] name = x\n", "arm.ini:1: ");
	refused("[arm]\nname ; = x\n", "arm.ini:2: ");
	refused("[arm]\n= x\n", "arm.ini:2: neither [section] nor key");
	refused("[arm]\n==x\n", "arm.ini:2: neither [section] nor key");
	/* not indented, so that it goes on with nothing */
	refused("[arm]\na = 1\nwords\n",
		"arm.ini:3: neither [section] nor key");
	refused("[arm]\na = 1\nb = 2\na = 3\n",
		"arm.ini:4: a stands already in line 2");
	refused("[a]\nx = 1\n[b]\nx = 1\n[ a ]\ny = 1\n",
		"arm.ini:5: section [a] stands already in line 1");
}

Test(ini, a_semicolon_behind_a_letter_is_one_of_the_name)
{
	cr_assert_eq(read_text("[a]\nb;c = 1\nd; e : 2\n"), 0);
	cr_assert_str_eq(value_of("a", "b;c"), "1");
	cr_assert_str_eq(value_of("a", "d; e"), "2");
	/* behind a blank it begins words: each such line is told */
	cr_assert_lt(read_text("[a]\nb ; = 1\nc ;d = 2\ne = 3\n"), 0);
	cr_assert_eq(err.n, 2);
	cr_assert(!strncmp(err.line[0], "arm.ini:2:", 10));
	cr_assert(!strncmp(err.line[1], "arm.ini:3:", 10));
	cr_assert_eq(ini.n, 2);
}

Test(ini, a_zero_byte_is_refused)
{
	static const char text[] = "[arm]\nname = x\0y\nseed = 1\n";

	cr_assert_lt(read_bytes(text, sizeof(text) - 1), 0);
	cr_assert_eq(err.n, 1);
	cr_assert_str_eq(err.line[0],
			 "arm.ini:2: a zero byte; this is no text file");
	cr_assert_null(value_of("arm", "name"), "nothing of the line is taken");
	cr_assert_str_eq(value_of("arm", "seed"), "1", "and reading goes on");
}

/* "[arm]", then "name = " and so many letters, then a key. */
static char *long_line(const char *before, size_t letters)
{
	size_t at = strlen(before);
	char *text = malloc(at + letters + 64);

	memcpy(text, before, at);
	memset(text + at, 'x', letters);
	strcpy(text + at + letters, "\nseed = 1\n");
	return text;
}

Test(ini, a_line_is_whole_or_refused_but_never_cut)
{
	for (size_t n = 150; n < 10000; n += n < 250 ? 1 : 611) {
		char *text = long_line("[arm]\nname = ", n);

		if (n + 7 <= INI_LINE_MAX) {
			cr_assert_eq(read_text(text), 0);
			cr_assert_eq(strlen(value_of("arm", "name")), n);
		} else {
			char fault[64];

			snprintf(fault, sizeof(fault),
				 "arm.ini:2: %zu characters", n + 7);
			refused(text, fault);
			cr_assert_null(value_of("arm", "name"));
		}
		cr_assert_str_eq(value_of("arm", "seed"), "1");
		free(text);
	}
}

Test(ini, a_comment_may_have_any_length)
{
	char *text = long_line("[arm]\n; ", 10000);

	cr_assert_eq(read_text(text), 0);
	cr_assert_str_eq(value_of("arm", "seed"), "1");
	cr_assert_eq(ini.n, 2);
	free(text);
}

Test(ini, a_name_is_whole_or_refused_but_never_cut)
{
	for (size_t n = 1; n < 120; n++) {
		char text[400], name[128];

		memset(name, 'n', n);
		name[n] = '\0';
		snprintf(text, sizeof(text), "[arm]\n%s = 1\n", name);
		if (n <= INI_NAME_MAX) {
			cr_assert_eq(read_text(text), 0, "%zu", n);
			cr_assert_str_eq(value_of("arm", name), "1");
		} else {
			refused(text, "arm.ini:2: a key has at most 48 ");
			cr_assert_eq(ini.n, 1, "and is not taken");
		}
		snprintf(text, sizeof(text), "[%s]\na = 1\n", name);
		if (n <= INI_NAME_MAX) {
			cr_assert_eq(read_text(text), 0);
			cr_assert_str_eq(value_of(name, "a"), "1");
		} else {
			refused(text, "arm.ini:1: a section's name has");
		}
	}
}

Test(ini, blanks_in_a_name_count_and_those_behind_it_do_not)
{
	char text[400], name[INI_NAME_MAX + 2];

	memset(name, 'n', INI_NAME_MAX);
	name[INI_NAME_MAX] = '\0';
	name[1] = ' ';
	snprintf(text, sizeof(text), "[arm]\n%s \t = 1\n", name);
	cr_assert_eq(read_text(text), 0);
	cr_assert_str_eq(value_of("arm", name), "1");
	strcat(name, "n");
	snprintf(text, sizeof(text), "[arm]\n%s=1\n", name);
	refused(text, "arm.ini:2: a key has at most 48 characters");
	/* any of them is as good as one space */
	cr_assert_eq(read_text("[uplink \t a]\nmy \t key = 1\n"), 0);
	cr_assert_str_eq(value_of("uplink a", "my key"), "1");
}

Test(ini, a_continuation_does_not_cut_either)
{
	char *text = long_line("[arm]\nname = a\n  ", 150), *more;
	size_t n = 0;

	cr_assert_eq(read_text(text), 0);
	cr_assert_eq(strlen(value_of("arm", "name")), 152);
	free(text);
	/* a hundred lines of a hundred letters */
	more = malloc(20000);
	n += (size_t)sprintf(more, "[arm]\nname = a\n");
	for (int i = 0; i < 100; i++) {
		more[n++] = ' ';
		memset(more + n, 'b', 100);
		n += 100;
		more[n++] = '\n';
	}
	more[n] = '\0';
	cr_assert_eq(read_text(more), 0);
	cr_assert_eq(strlen(value_of("arm", "name")), 1 + 100 * 101);
	free(more);
}

Test(ini, all_faults_are_told)
{
	cr_assert_lt(read_text("x = 1\n[a]\nwords\n[a]\ny = 1\ny = 2\n"), 0);
	cr_assert_eq(err.n, 4);
	cr_assert(!strncmp(err.line[0], "arm.ini:1:", 10));
	cr_assert(!strncmp(err.line[1], "arm.ini:3:", 10));
	cr_assert(!strncmp(err.line[2], "arm.ini:4:", 10));
	cr_assert(!strncmp(err.line[3], "arm.ini:6:", 10));
}

/* "[a]", so many keys less one, and a comment. */
static char *many_rows(size_t rows)
{
	char *text = malloc(16 * rows + 32);
	size_t at = (size_t)sprintf(text, "[a]\n");

	for (size_t i = 1; i < rows; i++)
		at += (size_t)sprintf(text + at, "k%zu = 1\n", i);
	strcpy(text + at, "; words");
	return text;
}

Test(ini, a_file_of_too_many_rows_is_refused_once)
{
	char *text = many_rows(10000);

	cr_assert_eq(read_text(text), 0);
	cr_assert_eq(ini.n, 10000);
	free(text);
	text = many_rows(10001);
	refused(text, "arm.ini:10001: more than 10000 sections and keys");
	/* the last line is one too */
	*strchr(text, ';') = '\0';
	refused(text, "arm.ini:10001: more than 10000 sections and keys");
	free(text);
}

static int set(const char *setting)
{
	err_fini(&err);
	return ini_set(&ini, &store, setting, &err);
}

Test(ini, a_set_replaces_or_adds_in_its_section)
{
	cr_assert_eq(read_text("[arm]\nname = x\n[condition wifi]\n"
			       "delay = 1ms\n[uplink a]\nport = 1\n"),
		     0);
	cr_assert_eq(set("arm.name=y"), 0);
	cr_assert_eq(set("condition wifi.delay=2ms"), 0);
	cr_assert_eq(set(" wifi . delay =3ms"), 0, "by the second word");
	cr_assert_eq(set("arm.seed=7"), 0);
	cr_assert_eq(set("link.robot=internal"), 0);
	cr_assert_eq(set("a.to=10.0.0.1:5=x"), 0);
	cr_assert_str_eq(value_of("arm", "name"), "y");
	cr_assert_str_eq(value_of("condition wifi", "delay"), "3ms");
	cr_assert_str_eq(value_of("arm", "seed"), "7");
	cr_assert_str_eq(value_of("link", "robot"), "internal");
	cr_assert_str_eq(value_of("uplink a", "to"), "10.0.0.1:5=x");
	/* rows of a section stand together, behind its first */
	for (size_t i = 1; i < ini.n; i++)
		if (ini.row[i].key)
			cr_assert_str_eq(ini.row[i].section,
					 ini.row[i - 1].section);
	cr_assert_null(ini.row[0].key);
	for (size_t i = 0; i < ini.n; i++)
		if (ini.row[i].key && !strcmp(ini.row[i].key, "seed"))
			cr_assert_eq(ini.row[i].line, 0);
}

Test(ini, a_set_adds_behind_the_last_key_of_its_section)
{
	cr_assert_eq(read_text("[arm]\n[condition w]\na = 1\nb = 2\n"), 0);
	cr_assert_eq(set("arm.seed=7"), 0);
	cr_assert_eq(set("w.c=3"), 0);
	cr_assert_eq(ini.n, 6);
	cr_assert_str_eq(ini.row[1].key, "seed");
	cr_assert_str_eq(ini.row[1].section, "arm");
	cr_assert_null(ini.row[2].key);
	cr_assert_str_eq(ini.row[3].key, "a");
	cr_assert_str_eq(ini.row[4].key, "b");
	cr_assert_str_eq(ini.row[5].key, "c");
	cr_assert_str_eq(ini.row[5].section, "condition w");
	/* one that was there keeps its place */
	cr_assert_eq(set("w.a=4"), 0);
	cr_assert_str_eq(ini.row[3].value, "4");
	cr_assert_eq(ini.n, 6);
}

Test(ini, a_set_makes_room_where_there_is_none)
{
	/* whatever room rows come in, one of these fills it */
	for (size_t rows = 1; rows < 140; rows++) {
		char *text = many_rows(rows);

		cr_assert_eq(read_text(text), 0);
		cr_assert_eq(set("a.more=2"), 0);
		cr_assert_eq(ini.n, rows + 1);
		cr_assert_str_eq(ini.row[rows].key, "more");
		cr_assert_eq(set("b.first=3"), 0);
		cr_assert_eq(ini.n, rows + 3);
		cr_assert_str_eq(value_of("b", "first"), "3");
		for (size_t i = 1; i < rows; i++)
			cr_assert_str_eq(ini.row[i].value, "1");
		free(text);
	}
}

Test(ini, a_set_that_names_nothing_or_too_much_is_refused)
{
	cr_assert_eq(read_text("[uplink a]\nport = 1\n[downlink a]\n"
			       "port = 2\n"),
		     0);
	cr_assert_lt(set("a.port=3"), 0);
	cr_assert_str_eq(err.line[0],
			 "--set a.port=3: 'a' names 2 sections; write it "
			 "whole, for example 'condition a'");
	cr_assert_eq(set("uplink a.port=3"), 0);
	cr_assert_str_eq(value_of("uplink a", "port"), "3");
	cr_assert_str_eq(value_of("downlink a", "port"), "2");
	cr_assert_lt(set("port"), 0);
	cr_assert_lt(set("port=3"), 0);
	cr_assert_lt(set("=3"), 0);
	cr_assert_lt(set(""), 0);
	cr_assert_lt(set("port=a.b"), 0);
	cr_assert_lt(set("a"), 0);
	cr_assert_lt(set(".x=1"), 0);
	cr_assert_lt(set("arm.=1"), 0);
}
