/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * catalog.h - the conditions that an arm can name
 *
 * Floor: core.
 */
#ifndef CORE_CATALOG_H
#define CORE_CATALOG_H

#include "conditions/condition.h"

#define CATALOG_MAX 64

/* Conditions by name; a loaded one is added to the built-in ones. */
struct catalog {
	const struct condition *list[CATALOG_MAX];
	size_t n;
};

/**
 * catalog_init() - A catalog of the built-in conditions
 * @catalog:	Catalog
 */
void catalog_init(struct catalog *catalog);

/**
 * catalog_find() - Condition of a name
 * @catalog:	Catalog
 * @name:	Name
 *
 * Return: the condition, or NULL.
 */
const struct condition *catalog_find(const struct catalog *catalog,
				     const char *name);

/**
 * catalog_add() - Add a condition
 * @catalog:	Catalog
 * @condition:	Condition; borrowed
 *
 * Return: false if the catalog is full or has one of that name.
 */
bool catalog_add(struct catalog *catalog, const struct condition *condition);

#endif /* CORE_CATALOG_H */
