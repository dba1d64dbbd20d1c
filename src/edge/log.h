/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * log.h - messages to whoever watches, never more than they can read
 *
 * Floor: edge.
 */
#ifndef EDGE_LOG_H
#define EDGE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * log_write() - Write what a descriptor takes without making us wait
 * @fd:		Descriptor, such as STDOUT_FILENO
 * @text:	Text; @size bytes
 *
 * Packets must not wait for a reader that has stopped: a pager, a terminal
 * after Ctrl-S.
 *
 * Return: whether all was written.
 */
bool log_write(int fd, const char *text, size_t size);

/**
 * log_say() - Say something: "farlink: …" to stderr
 * @format:	As for printf, without a newline
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
