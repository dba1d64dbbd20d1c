/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * folder.h - folders that are made, and names that tell the time
 *
 * Floor: edge.
 */
#ifndef EDGE_FOLDER_H
#define EDGE_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/**
 * folder_make() - Make a folder, and those above it, unless they are there
 * @name:	Its name
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told.
 */
int folder_make(const char *name, struct err *err);

/**
 * folder_name() - A folder's name with the time filled in
 * @pattern:	Name with %Y %m %d %H %M %S in it, as strftime(3) has them, and
 *		%% for a percent sign
 * @utc_ns:	UTC, ns since 1970
 * @name:	Filled
 * @size:	Of @name
 * @err:	Told what else stands behind a percent sign, or that it is too
 *		long
 *
 * Return: 0, or -1 with @err told.
 */
int folder_name(const char *pattern, int64_t utc_ns, char *name, size_t size,
		struct err *err);

#endif /* EDGE_FOLDER_H */
