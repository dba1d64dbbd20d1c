/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * log.h - messages to whoever watches, never more than they can read
 *
 * Floor: edge.
 *
 * All of this is for one thread: that of the packets.
 */
#ifndef EDGE_LOG_H
#define EDGE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/**
 * log_begin() - From here on nobody waits for a reader, nor for a disk
 * @err:	Told why that cannot be
 *
 * What log_write() is given is written by a thread of its own, until log_end().
 *
 * Return: 0, or -1 with @err told.
 */
int log_begin(struct err *err);

/**
 * log_end() - Have all written, and write directly from here on
 *
 * Where nobody reads it is given up after a second.  Without log_begin() there
 * is nothing to do.
 */
void log_end(void);

/**
 * log_write() - Write without making packets wait
 * @fd:		STDOUT_FILENO or STDERR_FILENO
 * @text:	Text; @size bytes
 *
 * Between log_begin() and log_end() it is handed over whole or not at all: if
 * the reader has stopped, a pager, a terminal after Ctrl-S, the disk of a file,
 * what waits for it is bounded.  Otherwise what the reader takes at once is
 * written here.
 *
 * Return: whether all was taken.
 */
bool log_write(int fd, const char *text, size_t size);

/**
 * log_say() - Say something: "farlink: …" to stderr
 * @format:	As for printf, without a newline
 *
 * One that was not taken is counted, and told with the next one that is.
 */
void log_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * struct log_limit - At most one message of a kind in a second; zeros at first
 * @last:	When the last one was said
 * @kept:	How many were kept back since
 */
struct log_limit {
	int64_t last;
	uint64_t kept;
};

/**
 * log_limited() - Say something that packets cause
 * @limit:	Of this kind of message
 * @now:	Any clock of nanoseconds
 * @format:	As for printf, without a newline
 *
 * Return: whether it was said.
 */
bool log_limited(struct log_limit *limit, int64_t now, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * log_sink() - Hand messages to somebody else: the live table
 * @sink:	Called with each message; NULL: stderr again
 * @context:	Handed to @sink
 */
void log_sink(void (*sink)(void *context, const char *message), void *context);

/**
 * log_listener() - Hand messages to one more, besides where they go
 * @listener:	Called with each message; NULL: nobody
 * @context:	Handed to @listener
 */
void log_listener(void (*listener)(void *context, const char *message),
		  void *context);

#endif /* EDGE_LOG_H */
