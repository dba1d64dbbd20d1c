/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * plugin.h - conditions loaded from shared objects
 *
 * Floor: edge.
 *
 * A loaded condition is the same file as a built-in one, built as a shared
 * object that exports one struct condition as CONDITION_SYMBOL.  From there on
 * nothing distinguishes it from a built-in.
 */
#ifndef EDGE_PLUGIN_H
#define EDGE_PLUGIN_H

#include "core/catalog.h"

/* Names the folder of plug-ins, instead of the one farlink was built with. */
#define PLUGIN_FOLDER_VARIABLE "FARLINK_CONDITIONS"

/**
 * plugin_find() - Load the condition that an arm names as its type
 * @catalog:	Catalog; a condition that is loaded is added to it
 * @type:	"./fade.so", a path, or "fade" for fade.so of the plug-in folder
 * @folder:	Where a relative path begins
 * @why:	Filled if it cannot be loaded
 * @size:	Of @why
 *
 * What is loaded stays loaded.
 *
 * Return: the condition; NULL with @why filled if there is such a file but it
 * is no condition of this ABI; NULL with @why empty if there is no such file.
 */
const struct condition *plugin_find(struct catalog *catalog, const char *type,
				    const char *folder, char *why, size_t size);

#endif /* EDGE_PLUGIN_H */
