/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_path.h - say where a vehicle was and where the operator saw it
 *
 * Floor: roof.
 */
#ifndef CMD_PRINT_PATH_H
#define CMD_PRINT_PATH_H

#include <stdio.h>

#include "edge/path.h"

/**
 * print_path() - Say it, with how far that is apart
 * @to:		Where to
 * @path:	Path; NULL or an empty one says nothing
 */
void print_path(FILE *to, const struct path *path);

#endif /* CMD_PRINT_PATH_H */
