/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * store.h - things that live as long as an arm and are freed together
 *
 * Floor: core.
 */
#ifndef CORE_STORE_H
#define CORE_STORE_H

#include <stddef.h>

struct store_block;

/* A store; all zeros is an empty one. */
struct store {
	struct store_block *last;
};

/**
 * store_get() - Memory of zeros that lives as long as the store
 * @store:	Store
 * @size:	Bytes
 *
 * Return: the memory, never NULL (out of memory ends the program: this is
 * start-up).
 */
void *store_get(struct store *store, size_t size);

/**
 * store_text() - A copy of a text that lives as long as the store
 * @store:	Store
 * @text:	Text
 *
 * Return: the copy.
 */
const char *store_text(struct store *store, const char *text);

/**
 * store_fini() - Free all of it
 * @store:	Store; empty again afterwards
 */
void store_fini(struct store *store);

#endif /* CORE_STORE_H */
