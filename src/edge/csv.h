/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * csv.h - comma-separated values (RFC 4180), read as a stream and written
 *
 * Floor: edge.
 */
#ifndef EDGE_CSV_H
#define EDGE_CSV_H

#include <stdint.h>

#include "core/err.h"

#define CSV_FIELDS 24

/**
 * struct csv - A file that is being read
 * @name:	Its name, for faults
 * @line:	Line in which the latest record began, from 1
 * @cut:	The latest record had no newline: the file's end is cut off
 * @n:		Fields of the latest record
 * @field:	Their texts, valid until the next csv_read()
 */
struct csv {
	const char *name;
	unsigned long line;
	_Bool cut;
	size_t n;
	char *field[CSV_FIELDS];
	/* the rest is csv.c's own */
	int fd;
	char *buffer;
	size_t at, end, room;
	uint64_t taken;
	unsigned long next_line;
	_Bool ended;
};

/**
 * csv_open() - Open a file
 * @csv:	Filled
 * @name:	Its name, borrowed; "-" is standard input
 * @err:	Told why it cannot be read
 *
 * Return: 0, or -1 with @err told.
 */
int csv_open(struct csv *csv, const char *name, struct err *err);

/**
 * csv_read() - Read the next record; empty lines are passed over
 * @csv:	File
 * @err:	Told "NAME:LINE: …" what is wrong
 *
 * Return: 1; 0 at the end; -1 with @err told.
 */
int csv_read(struct csv *csv, struct err *err);

/**
 * csv_offset() - How far the reading is
 * @csv:	File
 *
 * Return: bytes that were read so far.
 */
uint64_t csv_offset(const struct csv *csv);

/**
 * csv_size() - How long the file is
 * @csv:	File
 *
 * Return: bytes; 0 where nobody knows.
 */
uint64_t csv_size(const struct csv *csv);

/**
 * csv_close() - Close the file
 * @csv:	File; one that csv_open() refused does nothing
 */
void csv_close(struct csv *csv);

/* Room that csv_print() needs for a text of this length. */
#define CSV_ROOM(len) (2 * (len) + 3)

/**
 * csv_print() - Write one field, quoted where it must be
 * @to:		Filled; CSV_ROOM() of the text
 * @text:	Text
 *
 * Return: bytes written; no zero byte is.
 */
size_t csv_print(char *to, const char *text);

#endif /* EDGE_CSV_H */
