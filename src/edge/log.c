/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * log.c - messages to whoever watches, never more than they can read
 *
 * Floor: edge.
 */
#include "edge/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LIMIT_NS INT64_C(1000000000)

static void (*sink_of)(void *context, const char *message);
static void *sink_context;

static void say(const char *format, va_list args, uint64_t kept)
{
	char text[1024];
	size_t n;

	vsnprintf(text, sizeof(text), format, args);
	n = strlen(text);
	if (kept)
		snprintf(text + n, sizeof(text) - n, " (and %" PRIu64 " more)",
			 kept);
	if (sink_of)
		sink_of(sink_context, text);
	else
		fprintf(stderr, "farlink: %s\n", text);
}

void log_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args, 0);
	va_end(args);
}

void log_limited(struct log_limit *limit, int64_t now, const char *format, ...)
{
	va_list args;

	if (limit->last && now - limit->last < LIMIT_NS) {
		limit->kept++;
		return;
	}
	va_start(args, format);
	say(format, args, limit->kept);
	va_end(args);
	limit->last = now;
	limit->kept = 0;
}

void log_sink(void (*sink)(void *context, const char *message), void *context)
{
	sink_of = sink;
	sink_context = context;
}
