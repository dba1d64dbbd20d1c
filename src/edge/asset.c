/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * asset.c - the files of the pages, which the program has in it
 *
 * Floor: edge.
 */
#include "edge/asset.h"

#include <string.h>

const struct asset *asset_find(const char *name)
{
	for (size_t i = 0; i < n_assets; i++)
		if (!strcmp(assets[i].name, name))
			return &assets[i];
	return NULL;
}
