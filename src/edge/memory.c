/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * memory.c - libraries have memory, or there is no program
 *
 * Floor: edge.
 */
#include "edge/memory.h"

#include <event2/event.h>
#include <jansson.h>
#include <stdlib.h>

static void *get(size_t size)
{
	void *memory = malloc(size ? size : 1);

	if (!memory)
		abort();
	return memory;
}

static void *resize(void *memory, size_t size)
{
	memory = realloc(memory, size ? size : 1);
	if (!memory)
		abort();
	return memory;
}

void memory_begin(void)
{
	json_set_alloc_funcs(get, free);
	event_set_mem_functions(get, resize, free);
}
