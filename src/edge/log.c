/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * log.c - messages to whoever watches, never more than they can read
 *
 * Floor: edge.
 */
#include "edge/log.h"

#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_NS INT64_C(1000000000)

static void (*sink_of)(void *context, const char *message);
static void *sink_context;
static void (*listener_of)(void *context, const char *message);
static void *listener_context;

bool log_write(int fd, const char *text, size_t size)
{
	while (size) {
		struct pollfd ready = { .fd = fd, .events = POLLOUT };
		size_t piece = size < PIPE_BUF ? size : PIPE_BUF;
		ssize_t n;

		/* where poll says so, a pipe has room for this much */
		if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT))
			return false;
		n = write(fd, text, piece);
		if (n <= 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

static void say(const char *format, va_list args, uint64_t kept)
{
	static const char prefix[] = "farlink: ";
	char line[1100], *text = line + sizeof(prefix) - 1;
	size_t n;

	memcpy(line, prefix, sizeof(prefix));
	vsnprintf(text, 1024, format, args);
	n = strlen(text);
	if (kept)
		n += (size_t)snprintf(text + n, 64, " (and %" PRIu64 " more)",
				      kept);
	if (listener_of)
		listener_of(listener_context, text);
	if (sink_of) {
		sink_of(sink_context, text);
		return;
	}
	text[n++] = '\n';
	(void)log_write(STDERR_FILENO, line, (size_t)(text - line) + n);
}

void log_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args, 0);
	va_end(args);
}

bool log_limited(struct log_limit *limit, int64_t now, const char *format, ...)
{
	va_list args;

	if (limit->last && now - limit->last < LIMIT_NS) {
		limit->kept++;
		return false;
	}
	va_start(args, format);
	say(format, args, limit->kept);
	va_end(args);
	limit->last = now;
	limit->kept = 0;
	return true;
}

void log_sink(void (*sink)(void *context, const char *message), void *context)
{
	sink_of = sink;
	sink_context = context;
}

void log_listener(void (*listener)(void *context, const char *message),
		  void *context)
{
	listener_of = listener;
	listener_context = context;
}
