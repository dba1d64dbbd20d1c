/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * lines.c - the lines of a text file, and faults that name them
 *
 * Floor: core.
 */
#include "core/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

bool lines_next(struct lines *lines)
{
	const char *from = lines->at, *end;
	size_t len;

	if (from == lines->end || lines->faulty)
		return false;
	lines->line++;
	end = memchr(from, '\n', (size_t)(lines->end - from));
	lines->at = end ? end + 1 : lines->end;
	if (!end)
		end = lines->end;
	while (from < end && is_blank(*from))
		from++;
	while (from < end && is_blank(end[-1]))
		end--;
	len = (size_t)(end - from);
	lines->text[0] = '\0';
	if (len > LINE_MAX_BYTES) {
		lines_fault(lines, "a line of %zu bytes; it has at most %d",
			    len, LINE_MAX_BYTES);
		return false;
	}
	if (memchr(from, '\0', len)) {
		lines_fault(lines, "a zero byte; the file is text");
		return false;
	}
	memcpy(lines->text, from, len);
	lines->text[len] = '\0';
	return true;
}

bool lines_data(struct lines *lines)
{
	while (lines_next(lines))
		if (lines->text[0] && lines->text[0] != '#')
			return true;
	return false;
}

size_t lines_left(const struct lines *lines)
{
	size_t n = 1;

	for (const char *at = lines->at; at < lines->end; at++)
		n += *at == '\n';
	return n;
}

int lines_fault(struct lines *lines, const char *format, ...)
{
	va_list args;
	int n;

	lines->faulty = true;
	if (!lines->size)
		return -1;
	n = snprintf(lines->why, lines->size, "%s:%zu: ", lines->file,
		     lines->line);
	if (n < 0 || (size_t)n >= lines->size)
		return -1;
	va_start(args, format);
	(void)vsnprintf(lines->why + n, lines->size - (size_t)n, format, args);
	va_end(args);
	return -1;
}
