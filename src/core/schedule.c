/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * schedule.c - what waits, ordered by due time and then by arrival
 *
 * Floor: core.
 *
 * How it works
 *
 * A packet that is not before the last of the ring goes behind it; any other
 * goes into the heap.  So the ring is sorted by construction, and the first of
 * all is the lesser of the ring's head and the heap's top.  With a constant
 * delay the heap stays empty.
 */
#include "core/schedule.h"

#include <stdlib.h>

static inline bool before(const struct slot *a, const struct slot *b)
{
	if (a->due != b->due)
		return a->due < b->due;
	return a->packet->id < b->packet->id;
}

bool schedule_init(struct schedule *schedule, size_t capacity)
{
	*schedule = (struct schedule){ .capacity = capacity };
	schedule->ring = malloc(capacity * sizeof(*schedule->ring));
	schedule->heap = malloc(capacity * sizeof(*schedule->heap));
	if (schedule->ring && schedule->heap)
		return true;
	schedule_fini(schedule);
	return false;
}

static void heap_put(struct schedule *schedule, struct slot slot)
{
	struct slot *heap = schedule->heap;
	size_t at = schedule->heap_n++;

	while (at) {
		size_t above = (at - 1) / 2;

		if (!before(&slot, &heap[above]))
			break;
		heap[at] = heap[above];
		at = above;
	}
	heap[at] = slot;
}

static struct packet *heap_take(struct schedule *schedule)
{
	struct slot *heap = schedule->heap, last;
	struct packet *packet = heap[0].packet;
	size_t at = 0, below, n = --schedule->heap_n;

	last = heap[n];
	/* at n the last one still stands, before which nothing has to move */
	while ((below = 2 * at + 1) < n) {
		if (before(&heap[below + 1], &heap[below]))
			below++;
		if (!before(&heap[below], &last))
			break;
		heap[at] = heap[below];
		at = below;
	}
	heap[at] = last;
	return packet;
}

/* Place in the ring of the @n-th from its head. */
static inline size_t ring_at(const struct schedule *schedule, size_t n)
{
	size_t at = schedule->head + n;

	return at >= schedule->capacity ? at - schedule->capacity : at;
}

void schedule_put(struct schedule *schedule, struct packet *packet)
{
	struct slot slot = { packet->due, packet };

	if (schedule->ring_n &&
	    before(&slot,
		   &schedule->ring[ring_at(schedule, schedule->ring_n - 1)])) {
		heap_put(schedule, slot);
		return;
	}
	schedule->ring[ring_at(schedule, schedule->ring_n++)] = slot;
}

/* Whether the heap's top, not the ring's head, is first; one is not empty. */
static inline bool heap_first(const struct schedule *schedule)
{
	if (!schedule->heap_n || !schedule->ring_n)
		return schedule->heap_n != 0;
	return before(&schedule->heap[0], &schedule->ring[schedule->head]);
}

struct packet *schedule_first(const struct schedule *schedule)
{
	if (!schedule->heap_n && !schedule->ring_n)
		return NULL;
	return heap_first(schedule) ? schedule->heap[0].packet
				    : schedule->ring[schedule->head].packet;
}

struct packet *schedule_take(struct schedule *schedule)
{
	struct packet *packet;

	if (!schedule->heap_n && !schedule->ring_n)
		return NULL;
	if (heap_first(schedule))
		return heap_take(schedule);
	packet = schedule->ring[schedule->head].packet;
	schedule->head = ring_at(schedule, 1);
	schedule->ring_n--;
	return packet;
}

void schedule_fini(struct schedule *schedule)
{
	free(schedule->ring);
	free(schedule->heap);
	*schedule = (struct schedule){ 0 };
}
