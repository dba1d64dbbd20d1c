/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * window.c - rows of a record put back into the order of arrival
 *
 * Floor: roof.
 */
#include "cmd/window.h"

#include <stdlib.h>

#define ROOM_FIRST 1024u
/* No arm lets so many wait; an id so far ahead is out of sequence. */
#define ROOM_MOST (UINT64_C(1) << 28)

static struct kept *slot(const struct window *window, uint64_t id)
{
	return &window->slots[id & (window->room - 1)];
}

static void grow(struct window *window, uint64_t id)
{
	struct window larger = *window;

	larger.room = window->room ? window->room : ROOM_FIRST;
	while (id - window->base >= larger.room)
		larger.room *= 2;
	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		abort();
	for (uint64_t i = window->base; i < window->top; i++)
		*slot(&larger, i) = *slot(window, i);
	free(window->slots);
	*window = larger;
}

struct kept *window_put(struct window *window, uint64_t id)
{
	struct kept *kept;

	if (id < window->base || id - window->base >= ROOM_MOST)
		return NULL;
	if (id - window->base >= window->room)
		grow(window, id);
	kept = slot(window, id);
	if (kept->there)
		return NULL;
	kept->there = true;
	if (id >= window->top)
		window->top = id + 1;
	return kept;
}

struct kept *window_at(const struct window *window, uint64_t id)
{
	if (id < window->base || id >= window->top || !slot(window, id)->there)
		return NULL;
	return slot(window, id);
}

void window_done(struct window *window, struct kept *kept)
{
	kept->done = true;
	while (window->base < window->fed && slot(window, window->base)->done) {
		*slot(window, window->base) = (struct kept){ 0 };
		window->base++;
	}
}

void window_fini(struct window *window)
{
	free(window->slots);
	*window = (struct window){ 0 };
}
