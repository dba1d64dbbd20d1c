/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * libraries.h - the libraries that a farlink runs with, and their versions
 *
 * Floor: edge.
 *
 * A library that is loaded at the start may be newer than the one that farlink
 * was built with: those that can be asked are asked.
 */
#ifndef EDGE_LIBRARIES_H
#define EDGE_LIBRARIES_H

#include <stddef.h>

/* No more than so many libraries. */
enum { LIBRARIES_MAX = 16 };

/**
 * struct library - A library
 * @name:	Its name
 * @built:	Version that farlink was built with, as configure found it;
 *		"unknown" if it did not
 * @running:	Version that runs now; "" if the library cannot be asked
 */
struct library {
	const char *name, *built;
	char running[32];
};

/**
 * libraries_get() - All libraries that this build has
 * @list:	Filled from the beginning
 *
 * Return: their number.
 */
size_t libraries_get(struct library list[LIBRARIES_MAX]);

#endif /* EDGE_LIBRARIES_H */
