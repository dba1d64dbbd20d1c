/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * timetable.h - a schedule of packets in a CSV file, read as a stream
 *
 * Floor: edge.
 *
 * The header is time,direction,stream,size, and payload where there is one.
 * Times are seconds of trial time with up to nine decimals, ascending.  A
 * payload is text, or bytes written 0x7b00; its size may then be left out.
 */
#ifndef EDGE_TIMETABLE_H
#define EDGE_TIMETABLE_H

#include "edge/csv.h"
#include "session/arm.h"

/**
 * struct timetable - A file that is being read
 * @csv:	The file
 * @arm:	Whose channels it names
 * @columns:	4, or 5 with a payload
 * @latest:	Time of the latest row
 * @channel:	Channel of the latest row, where the next is looked for first
 */
struct timetable {
	struct csv csv;
	const struct arm *arm;
	size_t columns;
	nsec latest;
	uint16_t channel;
};

/**
 * struct timetable_row - One packet to come
 * @time:	When it enters
 * @channel:	Place of its channel in the arm
 * @size:	Bytes of payload
 * @payload:	The payload, valid until the next row, or NULL for zeros
 */
struct timetable_row {
	nsec time;
	uint16_t channel;
	uint32_t size;
	const uint8_t *payload;
};

/**
 * timetable_open() - Open a file and read its header
 * @timetable:	Filled
 * @name:	Name, borrowed; "-" is standard input
 * @arm:	Whose channels it names; borrowed
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told; timetable_close() in both cases.
 */
int timetable_open(struct timetable *timetable, const char *name,
		   const struct arm *arm, struct err *err);

/**
 * timetable_read() - Read the next row
 * @timetable:	File
 * @row:	Filled
 * @err:	Told "NAME:LINE: …" what is wrong
 *
 * Return: 1; 0 at the end; -1 with @err told.
 */
int timetable_read(struct timetable *timetable, struct timetable_row *row,
		   struct err *err);

/**
 * timetable_close() - Close the file
 * @timetable:	File
 */
void timetable_close(struct timetable *timetable);

#endif /* EDGE_TIMETABLE_H */
