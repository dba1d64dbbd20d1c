/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ring.h - a bounded queue of items between two threads
 *
 * Floor: edge.
 *
 * One thread puts, one takes.  Items have any size; neither side allocates,
 * waits or makes a system call.
 */
#ifndef EDGE_RING_H
#define EDGE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct ring - The queue
 * @memory:	@size bytes, a power of two
 * @next:	Where the putter's open item ends; the putter's
 * @head:	Bytes ever put; the putter writes it
 * @tail:	Bytes ever taken; the taker writes it
 */
struct ring {
	uint8_t *memory;
	size_t size, next;
	_Alignas(64) _Atomic size_t head;
	_Alignas(64) _Atomic size_t tail;
};

/**
 * ring_init() - Make an empty queue
 * @ring:	Queue
 * @size:	Bytes, a power of two; pages are touched only when they are used
 *
 * Return: false if there is not the memory.
 */
bool ring_init(struct ring *ring, size_t size);

/**
 * ring_room() - Open an item
 * @ring:	Queue
 * @len:	Its bytes
 *
 * Return: where to write it, aligned to 8, or NULL if there is no room.
 */
void *ring_room(struct ring *ring, size_t len);

/**
 * ring_put() - Hand over the item that ring_room() opened
 * @ring:	Queue
 */
void ring_put(struct ring *ring);

/**
 * ring_first() - Look at the oldest item
 * @ring:	Queue
 * @len:	Set to its bytes
 *
 * Return: the item, the taker's until ring_take(), or NULL.
 */
void *ring_first(struct ring *ring, size_t *len);

/**
 * ring_take() - Give back the room of the oldest item
 * @ring:	Queue whose ring_first() was not NULL
 */
void ring_take(struct ring *ring);

/**
 * ring_fini() - Free the memory
 * @ring:	Queue
 */
void ring_fini(struct ring *ring);

#endif /* EDGE_RING_H */
