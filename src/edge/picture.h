/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * picture.h - a path as a picture (SVG), with walls and axes in metres
 *
 * Floor: edge.
 */
#ifndef EDGE_PICTURE_H
#define EDGE_PICTURE_H

#include "core/err.h"
#include "edge/path.h"

/**
 * picture_write() - Write a path as path.svg
 * @path:	Path
 * @arm:	Arm, for its name and its world
 * @folder:	Folder of the record; an existing file is refused
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told.
 */
int picture_write(const struct path *path, const struct arm *arm,
		  const char *folder, struct err *err);

#endif /* EDGE_PICTURE_H */
