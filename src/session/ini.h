/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ini.h - the text of an ini file as rows of section, key, value and line
 *
 * Floor: session.
 *
 * The reader is inih's; lines and names over its limits are refused here, since
 * inih would cut them.
 */
#ifndef SESSION_INI_H
#define SESSION_INI_H

#include "core/err.h"
#include "core/store.h"

/* Longest line, without its newline, and longest section or key. */
#define INI_LINE_MAX 190
#define INI_NAME_MAX 48

/**
 * struct ini_row - One key, or the beginning of a section
 * @section:	As between the brackets, spaces folded; the same pointer in all
 *		rows of one section
 * @key:	Key; NULL in the row that begins the section
 * @value:	Value; the lines of a continued one joined by a space
 * @line:	Line in the file, from 1; 0: from the command line
 * @used:	For the reader of the rows to mark
 */
struct ini_row {
	const char *section, *key, *value;
	int line;
	_Bool used;
};

/* Rows in the order of the file; freed with the store. */
struct ini {
	struct ini_row *row;
	size_t n, room;
};

/**
 * ini_read() - Read a text into rows
 * @ini:	All zeros; filled
 * @store:	Keeps the rows and their texts
 * @name:	Name of the file, for faults
 * @text:	Text
 * @size:	Its size
 * @err:	Told each fault: "NAME:LINE: …"
 *
 * Return: 0, or -1 with @err told.
 */
int ini_read(struct ini *ini, struct store *store, const char *name,
	     const char *text, size_t size, struct err *err);

/**
 * ini_set() - Replace or add one value: "SECTION.KEY=VALUE"
 * @ini:	Rows
 * @store:	Keeps texts
 * @setting:	As given; SECTION may be the second word alone ("wifi" for
 *		"condition wifi") where only one section ends in it
 * @err:	Told what is wrong
 *
 * Return: 0, or -1 with @err told.
 */
int ini_set(struct ini *ini, struct store *store, const char *setting,
	    struct err *err);

#endif /* SESSION_INI_H */
