/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * csv.c - comma-separated values (RFC 4180), read as a stream and written
 *
 * Floor: edge.
 */
#include "edge/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256u * 1024u)
/* A payload in hexadecimal digits, and then some. */
#define RECORD_MAX (1024u * 1024u)

int csv_open(struct csv *csv, const char *name, struct err *err)
{
	*csv = (struct csv){ .name = name, .fd = -1, .next_line = 1 };
	csv->fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC)
				    : STDIN_FILENO;
	if (csv->fd < 0)
		return err_add(err, "%s: %s; name a CSV file that can be read",
			       name, strerror(errno));
	csv->room = BUFFER_BYTES;
	csv->buffer = malloc(csv->room + 1);
	if (!csv->buffer)
		abort();
	return 0;
}

/* More of the file behind what is in the buffer; false at its end. */
static int fill(struct csv *csv, struct err *err)
{
	ssize_t n;

	if (csv->at) {
		memmove(csv->buffer, csv->buffer + csv->at, csv->end - csv->at);
		csv->end -= csv->at;
		csv->at = 0;
	}
	if (csv->end == csv->room) {
		if (csv->room >= RECORD_MAX)
			return err_add(err,
				       "%s:%lu: a record of over %u bytes; a "
				       "quote may be missing",
				       csv->name, csv->next_line, RECORD_MAX);
		csv->room *= 2;
		csv->buffer = realloc(csv->buffer, csv->room + 1);
		if (!csv->buffer)
			abort();
	}
	do
		n = read(csv->fd, csv->buffer + csv->end, csv->room - csv->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_add_machine(err, "%s: %s", csv->name,
				       strerror(errno));
	csv->end += (size_t)n;
	csv->taken += (uint64_t)n;
	csv->ended = n == 0;
	return 0;
}

/* Length of the record at @at without its newline, or SIZE_MAX: not all there.
 * A newline within quotes does not end it.
 */
static size_t record_len(const struct csv *csv)
{
	const char *from = csv->buffer + csv->at, *at = from;
	const char *end = csv->buffer + csv->end;
	_Bool quoted = 0;

	for (;;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline)
			return SIZE_MAX;
		while ((at = memchr(at, '"', (size_t)(newline - at)))) {
			quoted = !quoted;
			at++;
		}
		if (!quoted)
			return (size_t)(newline - from);
		at = newline + 1;
	}
}

/* A quoted field, unquoted in place; returns what follows it, or NULL. */
static char *unquote(char *at)
{
	char *to = at++;

	for (;; at++) {
		if (!*at)
			return NULL;
		if (*at == '"' && *++at != '"')
			break;
		*to++ = *at;
	}
	*to = '\0';
	return at;
}

static int split(struct csv *csv, char *at, struct err *err)
{
	for (csv->n = 0;;) {
		char *after;

		if (csv->n == CSV_FIELDS)
			return err_add(err, "%s:%lu: more than %d fields",
				       csv->name, csv->line, CSV_FIELDS);
		csv->field[csv->n++] = at;
		after = *at == '"' ? unquote(at) : at + strcspn(at, ",");
		if (!after || (*after && *after != ','))
			return err_add(err,
				       "%s:%lu: field %zu: write \"…\", with "
				       "a quote inside doubled",
				       csv->name, csv->line, csv->n);
		if (!*after)
			return 1;
		*after = '\0';
		at = after + 1;
	}
}

int csv_read(struct csv *csv, struct err *err)
{
	char *record;
	size_t len, next;

	do {
		while ((len = record_len(csv)) == SIZE_MAX && !csv->ended)
			if (fill(csv, err) < 0)
				return -1;
		csv->cut = len == SIZE_MAX;
		if (csv->cut && csv->at == csv->end)
			return 0;
		if (csv->cut)
			len = csv->end - csv->at;
		record = csv->buffer + csv->at;
		next = csv->at + len + !csv->cut;
		csv->line = csv->next_line;
		for (char *c = record;
		     (c = memchr(c, '\n', (size_t)(csv->buffer + next - c)));
		     c++)
			csv->next_line++;
		csv->at = next;
		if (len && record[len - 1] == '\r')
			len--;
	} while (!len);
	if (memchr(record, '\0', len))
		return err_add(err, "%s:%lu: a zero byte; this is no text file",
			       csv->name, csv->line);
	record[len] = '\0';
	if (csv->line == 1 && !strncmp(record, "\xef\xbb\xbf", 3))
		record += 3;
	return split(csv, record, err);
}

uint64_t csv_offset(const struct csv *csv)
{
	return csv->taken;
}

uint64_t csv_size(const struct csv *csv)
{
	struct stat file;

	if (fstat(csv->fd, &file) < 0 || !S_ISREG(file.st_mode))
		return 0;
	return (uint64_t)file.st_size;
}

void csv_close(struct csv *csv)
{
	if (csv->fd > STDIN_FILENO)
		close(csv->fd);
	free(csv->buffer);
	csv->buffer = NULL;
	csv->fd = -1;
}

size_t csv_print(char *to, const char *text)
{
	size_t len = strlen(text);
	char *at = to;

	if (text[strcspn(text, ",\"\r\n")] == '\0') {
		memcpy(to, text, len);
		return len;
	}
	*at++ = '"';
	for (; *text; text++) {
		if (*text == '"')
			*at++ = '"';
		*at++ = *text;
	}
	*at++ = '"';
	return (size_t)(at - to);
}
