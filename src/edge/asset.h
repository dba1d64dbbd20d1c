/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * asset.h - the files of the pages, which the program has in it
 *
 * Floor: edge.
 *
 * src/page/embed.sh makes the table of them when farlink is built: those of
 * src/page/, and the library that draws charts.
 */
#ifndef EDGE_ASSET_H
#define EDGE_ASSET_H

#include <stddef.h>

/**
 * struct asset - A file
 * @name:	Its name, without a folder
 * @type:	Its media type
 * @bytes:	What is in it, @size bytes; no zero byte follows
 */
struct asset {
	const char *name, *type;
	const unsigned char *bytes;
	size_t size;
};

/* All of them; made by embed.sh. */
extern const struct asset assets[];
extern const size_t n_assets;

/**
 * asset_find() - A file by its name
 * @name:	Its name
 *
 * Return: the file, or NULL if there is none of that name.
 */
const struct asset *asset_find(const char *name);

#endif /* EDGE_ASSET_H */
