/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * err.c - a list of faults
 *
 * Floor: core.
 */
#include "core/err.h"

#include <stdio.h>
#include <stdlib.h>

/* A file of a million faults is one fault too many to read. */
#define FAULTS_MAX 1000

__attribute__((format(printf, 2, 0))) static void add(struct err *err,
						      const char *format,
						      va_list args)
{
	va_list again;
	char **line;
	int size;

	if (!err || err->n >= FAULTS_MAX)
		return;
	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	line = realloc(err->line, (err->n + 1) * sizeof(*line));
	if (!line)
		abort();
	err->line = line;
	line[err->n] = malloc((size_t)size + 1);
	if (!line[err->n])
		abort();
	vsnprintf(line[err->n], (size_t)size + 1, format, args);
	err->n++;
}

int err_add(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(err, format, args);
	va_end(args);
	return -1;
}

int err_add_machine(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(err, format, args);
	va_end(args);
	if (err)
		err->machine = 1;
	return -1;
}

void err_fini(struct err *err)
{
	for (size_t i = 0; i < err->n; i++)
		free(err->line[i]);
	free(err->line);
	*err = (struct err){ 0 };
}
