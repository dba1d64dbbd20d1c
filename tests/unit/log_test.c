/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * log_test.c - what is handed over is written whole, in order, or is counted
 *
 * Floor: tests.
 */
#include "edge/log.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST (1u << 20)

static struct err err;
static int reader;
static char *text;

/* stderr is a pipe that is read only here. */
static void begin(void)
{
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	close(ends[1]);
	reader = ends[0];
	text = calloc(1, MOST + 1);
	cr_assert(text);
}

static void end(void)
{
	free(text);
	close(reader);
}

TestSuite(log, .init = begin, .fini = end, .timeout = 20);

static size_t hear(size_t at, size_t size)
{
	while (size) {
		ssize_t n = read(reader, text + at, size);

		cr_assert_gt(n, 0);
		at += (size_t)n;
		size -= (size_t)n;
	}
	text[at] = '\0';
	return at;
}

/* Numbered lines until one is not taken: their bytes. */
static size_t fill(int width, unsigned *n)
{
	char line[1100];
	size_t all = 0;

	for (*n = 0;; ++*n) {
		size_t size = (size_t)snprintf(line, sizeof(line), "%0*u\n",
					       width, *n);

		cr_assert_lt(all, MOST);
		if (!log_write(STDERR_FILENO, line, size))
			return all;
		all += size;
	}
}

/* The next @n lines are whole, and numbered. */
static const char *follow(const char *at, int width, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		cr_assert_eq(strtoul(at, NULL, 10), i);
		cr_assert_eq(at[width], '\n');
		at += width + 1;
	}
	return at;
}

Test(log, nobody_waits_for_a_reader_and_each_line_is_whole)
{
	unsigned before, n;
	size_t all;
	const char *at;

	all = fill(1000, &before); /* the pipe takes no more */
	cr_assert_eq(log_begin(&err), 0);
	all += fill(1000, &n);
	cr_assert_gt(n, 64);
	cr_assert_eq(hear(0, all), all);
	at = follow(text, 1000, before);
	at = follow(at, 1000, n);
	cr_assert_eq(*at, '\0');
	log_end();
}

Test(log, messages_that_were_not_taken_are_told_with_the_next)
{
	static const char after[] = "farlink: 2 messages are missing here: "
				    "they could not be written\n"
				    "farlink: there is room\n";
	unsigned n;
	size_t all;

	all = fill(1000, &n);
	cr_assert_eq(log_begin(&err), 0);
	all += fill(1000, &n);
	all += fill(6, &n);
	log_say("there is none");
	log_say("nor now");
	cr_assert_eq(hear(0, all), all);
	log_say("there is room");
	log_end();
	hear(0, strlen(after));
	cr_assert_str_eq(text, after);
}

Test(log, before_and_after_it_is_written_at_once)
{
	static const char both[] = "farlink: before\nfarlink: after\n";

	log_say("before");
	cr_assert_eq(log_begin(&err), 0);
	log_end();
	log_end();
	log_say("after");
	cr_assert_eq(hear(0, strlen(both)), strlen(both));
	cr_assert_str_eq(text, both);
}
