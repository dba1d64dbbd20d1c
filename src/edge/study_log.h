/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_log.h - the log of a study: a row for each event, never changed after
 *
 * Floor: edge.
 */
#ifndef EDGE_STUDY_LOG_H
#define EDGE_STUDY_LOG_H

#include "core/store.h"
#include "session/study_progress.h"

/**
 * struct study_log - A log that was read
 * @name:	Its file
 * @event:	Events in their order; @n of them
 * @cut:	The file ends within a row; @quoted: within a text in quotes
 * @fd:		Where to append, locked; or -1
 */
struct study_log {
	char *name;
	struct study_event *event;
	size_t n;
	bool cut, quoted;
	int fd;
	/* the rest is study_log.c's own */
	size_t room;
	struct store store;
};

/**
 * study_log_open() - Read a log, and lock it for writing
 * @log:	Filled
 * @name:	Its file; where there is none, nothing happened yet
 * @write:	Whether rows will be appended: the log is this process's until
 *		it is closed, and another one that wants to write is refused
 * @err:	Told what is wrong
 *
 * Return: 0, or -1 with @err told; study_log_close() in both cases.
 */
int study_log_open(struct study_log *log, const char *name, bool write,
		   struct err *err);

/**
 * study_log_append() - Write a row, and wait until it is on the disk
 * @log:	Log that was opened for writing
 * @event:	Event; @utc is now, whatever it says
 * @err:	Told why it could not be written
 *
 * Return: 0, or -1 with @err told.
 */
int study_log_append(struct study_log *log, const struct study_event *event,
		     struct err *err);

/**
 * study_log_close() - Free what was read, and unlock
 * @log:	Log
 */
void study_log_close(struct study_log *log);

#endif /* EDGE_STUDY_LOG_H */
