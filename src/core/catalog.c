/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * catalog.c - the conditions that an arm can name
 *
 * Floor: core.
 */
#include "core/catalog.h"

#include <string.h>

#include "conditions/builtin.h"

void catalog_init(struct catalog *catalog)
{
	catalog->n = 0;
	for (size_t i = 0; builtin_conditions[i]; i++)
		(void)catalog_add(catalog, builtin_conditions[i]);
}

const struct condition *catalog_find(const struct catalog *catalog,
				     const char *name)
{
	for (size_t i = 0; i < catalog->n; i++)
		if (!strcmp(catalog->list[i]->name, name))
			return catalog->list[i];
	return NULL;
}

bool catalog_add(struct catalog *catalog, const struct condition *condition)
{
	if (catalog->n == CATALOG_MAX || catalog_find(catalog, condition->name))
		return false;
	catalog->list[catalog->n++] = condition;
	return true;
}
