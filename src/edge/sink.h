/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sink.h - a file that holds whole records only, whatever the disk does
 *
 * Floor: edge.
 */
#ifndef EDGE_SINK_H
#define EDGE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No record is longer. */
#define SINK_RECORD_MAX (72u * 1024u)

/**
 * struct sink - The file
 * @fd:		Its descriptor, or -1
 * @buffer:	Records not written yet: @n of them in @used bytes
 * @good:	Bytes of whole records in the file
 * @error:	errno of the first failure, or 0
 */
struct sink {
	int fd;
	char *buffer;
	size_t used;
	uint64_t n, good;
	int error;
};

/**
 * sink_open() - Create a file
 * @sink:	Sink
 * @name:	Name; the file must not be there
 *
 * Return: false with errno set.
 */
bool sink_open(struct sink *sink, const char *name);

/**
 * sink_room() - Where to write the next record, SINK_RECORD_MAX bytes
 * @sink:	Open sink
 * @lost:	Added to: records that had to be thrown away to make room
 *
 * Return: the room.
 */
char *sink_room(struct sink *sink, uint64_t *lost);

/**
 * sink_add() - The record of sink_room() is done
 * @sink:	Sink
 * @len:	Its bytes
 */
void sink_add(struct sink *sink, size_t len);

/**
 * sink_flush() - Write down what is in the buffer
 * @sink:	Sink
 *
 * A write that fails is undone, so that no half record stays in the file.
 *
 * Return: records lost.
 */
uint64_t sink_flush(struct sink *sink);

/**
 * sink_close() - Write down the rest, onto the disk, and close
 * @sink:	Sink; one that is not open does nothing
 *
 * Return: records lost.
 */
uint64_t sink_close(struct sink *sink);

#endif /* EDGE_SINK_H */
