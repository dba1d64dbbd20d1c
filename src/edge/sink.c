/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sink.c - a file that holds whole records only, whatever the disk does
 *
 * Floor: edge.
 */
#include "edge/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES (256u * 1024u)

bool sink_open(struct sink *sink, const char *name)
{
	*sink = (struct sink){ .fd = -1 };
	sink->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (sink->fd < 0)
		return false;
	sink->buffer = malloc(BUFFER_BYTES);
	if (sink->buffer)
		return true;
	close(sink->fd);
	sink->fd = -1;
	errno = ENOMEM;
	return false;
}

char *sink_room(struct sink *sink, uint64_t *lost)
{
	if (BUFFER_BYTES - sink->used < SINK_RECORD_MAX)
		*lost += sink_flush(sink);
	return sink->buffer + sink->used;
}

void sink_add(struct sink *sink, size_t len)
{
	sink->used += len;
	sink->n++;
}

/* Written at the end of what is good, over what an earlier try left there. */
static bool write_all(const struct sink *sink)
{
	size_t at = 0;

	while (at < sink->used) {
		ssize_t n = pwrite(sink->fd, sink->buffer + at, sink->used - at,
				   (off_t)(sink->good + at));

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			at += (size_t)n;
	}
	return true;
}

uint64_t sink_flush(struct sink *sink)
{
	uint64_t lost = 0;

	if (!sink->used)
		return 0;
	if (write_all(sink)) {
		sink->good += sink->used;
	} else {
		if (!sink->error)
			sink->error = errno;
		lost = sink->n;
		while (ftruncate(sink->fd, (off_t)sink->good) < 0 &&
		       errno == EINTR)
			;
	}
	sink->used = 0;
	sink->n = 0;
	return lost;
}

uint64_t sink_close(struct sink *sink)
{
	uint64_t lost;

	if (sink->fd < 0 || !sink->buffer)
		return 0;
	lost = sink_flush(sink);
	if (fsync(sink->fd) < 0 && errno != EINVAL && !sink->error)
		sink->error = errno;
	if (close(sink->fd) < 0 && errno != EINTR && !sink->error)
		sink->error = errno;
	free(sink->buffer);
	sink->fd = -1;
	sink->buffer = NULL;
	return lost;
}
