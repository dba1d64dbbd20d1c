/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * store.c - things that live as long as an arm and are freed together
 *
 * Floor: core.
 */
#include "core/store.h"

#include <stdlib.h>
#include <string.h>

struct store_block {
	struct store_block *before;
	max_align_t memory[];
};

void *store_get(struct store *store, size_t size)
{
	struct store_block *block;

	block = calloc(1, sizeof(*block) + size);
	if (!block)
		abort();
	block->before = store->last;
	store->last = block;
	return block->memory;
}

const char *store_text(struct store *store, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(store_get(store, size), text, size);
}

void store_fini(struct store *store)
{
	struct store_block *block, *before;

	for (block = store->last; block; block = before) {
		before = block->before;
		free(block);
	}
	store->last = NULL;
}
