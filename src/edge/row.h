/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * row.h - a row of packets.csv: what became of one packet
 *
 * Floor: edge.
 */
#ifndef EDGE_ROW_H
#define EDGE_ROW_H

#include "core/packet.h"
#include "edge/csv.h"

#define ROW_HEADER                                                             \
	"trial,id,direction,stream,size,ingress_ns,due_ns,released_ns,"        \
	"fate,by"

/* Longest trial id, stream or reason; what is longer is cut. */
#define ROW_TEXT 127
#define ROW_ROOM (3 * CSV_ROOM(ROW_TEXT) + 256)

/**
 * struct row - One packet
 * @trial:	Id of the trial
 * @stream:	Name of the stream; "" where it fits no channel
 * @by:		Who suppressed or dropped it, or ""
 * @id:		Place in the order of arrival
 * @ingress:	When it entered
 * @due:	When it was to leave, or NSEC_NEVER
 * @released:	When it left, or NSEC_NEVER
 * @size:	Bytes of its UDP payload
 * @direction:	UPLINK or DOWNLINK
 * @fate:	enum fate
 */
struct row {
	const char *trial, *stream, *by;
	uint64_t id;
	nsec ingress, due, released;
	uint32_t size;
	uint8_t direction, fate;
};

/**
 * row_print() - Write a row, with its newline
 * @row:	Row
 * @to:		Filled; ROW_ROOM bytes
 *
 * Return: bytes written; no zero byte is.
 */
size_t row_print(const struct row *row, char *to);

/**
 * row_parse() - Read a row out of a record of packets.csv
 * @csv:	Its latest record; the row's texts are those of the record
 * @row:	Filled
 * @err:	Told "NAME:LINE: …" what is wrong
 *
 * Return: 0, or -1 with @err told.
 */
int row_parse(const struct csv *csv, struct row *row, struct err *err);

/* "released", "suppressed" and so on */
const char *fate_name(enum fate fate);

#endif /* EDGE_ROW_H */
