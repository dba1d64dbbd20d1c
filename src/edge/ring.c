/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ring.c - a bounded queue of items between two threads
 *
 * Floor: edge.
 *
 * How it works
 *
 * An item is a word of 8 bytes with its length and then its bytes, padded to 8.
 * One that does not fit before the end of the memory begins at the start again,
 * with SKIP in the word before the gap.  Both counters only grow.
 */
#include "edge/ring.h"

#include <stdlib.h>

#define WORD sizeof(uint64_t)
#define SKIP UINT64_MAX

bool ring_init(struct ring *ring, size_t size)
{
	ring->memory = malloc(size);
	ring->size = size;
	ring->next = 0;
	atomic_init(&ring->head, 0);
	atomic_init(&ring->tail, 0);
	return ring->memory != NULL;
}

static size_t padded(size_t len)
{
	return WORD + (len + WORD - 1) / WORD * WORD;
}

static uint64_t *word_at(struct ring *ring, size_t at)
{
	return (uint64_t *)(void *)(ring->memory + (at & (ring->size - 1)));
}

void *ring_room(struct ring *ring, size_t len)
{
	size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	size_t to_end = ring->size - (head & (ring->size - 1));
	size_t need = padded(len), skip = need > to_end ? to_end : 0;

	if (need + skip > ring->size - (head - tail))
		return NULL;
	if (skip)
		*word_at(ring, head) = SKIP;
	*word_at(ring, head + skip) = len;
	ring->next = head + skip + need;
	return word_at(ring, head + skip) + 1;
}

void ring_put(struct ring *ring)
{
	atomic_store_explicit(&ring->head, ring->next, memory_order_release);
}

void *ring_first(struct ring *ring, size_t *len)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	size_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	uint64_t *word;

	if (head == tail)
		return NULL;
	word = word_at(ring, tail);
	if (*word == SKIP) /* the memory's start follows, in the same put */
		word = word_at(ring, 0);
	*len = (size_t)*word;
	return word + 1;
}

void ring_take(struct ring *ring)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	if (*word_at(ring, tail) == SKIP)
		tail += ring->size - (tail & (ring->size - 1));
	tail += padded((size_t)*word_at(ring, tail));
	atomic_store_explicit(&ring->tail, tail, memory_order_release);
}

void ring_fini(struct ring *ring)
{
	free(ring->memory);
	ring->memory = NULL;
}
