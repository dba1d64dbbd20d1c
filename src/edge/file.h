/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * file.h - read a whole file
 *
 * Floor: edge.
 */
#ifndef EDGE_FILE_H
#define EDGE_FILE_H

#include <stddef.h>

#include "core/store.h"

/* A file that an arm names is never longer; a mistake may well be. */
#define FILE_MOST (64u * 1024u * 1024u)

/**
 * file_read() - Read a whole file
 * @store:	Keeps the text
 * @name:	Name; "-" is standard input
 * @size:	Set to its size
 * @why:	Filled with the reason if it cannot be read
 * @why_size:	Of @why
 *
 * Return: the bytes, with a zero byte behind them, or NULL.
 */
const char *file_read(struct store *store, const char *name, size_t *size,
		      char *why, size_t why_size);

/**
 * file_read_plain() - As file_read(), of a regular file only
 * @store:	Keeps the text
 * @name:	Its name
 * @size:	Set to its size
 * @why:	Filled where it cannot be read
 * @why_size:	Of @why
 *
 * A pipe that nobody writes to would hold us for ever.
 *
 * Return: the text, or NULL with @why filled.
 */
const char *file_read_plain(struct store *store, const char *name, size_t *size,
			    char *why, size_t why_size);

#endif /* EDGE_FILE_H */
