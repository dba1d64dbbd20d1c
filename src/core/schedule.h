/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * schedule.h - what waits, ordered by due time and then by arrival
 *
 * Floor: core.
 *
 * Two parts under one interface: a ring for what comes in order (a constant
 * delay costs a few nanoseconds at any length), and a binary heap for the rest.
 * Both compare (due, id), so the order out is the same as of one heap.
 */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/packet.h"

struct slot {
	nsec due;
	struct packet *packet;
};

/**
 * struct schedule - What waits
 * @capacity:	Most packets it holds
 * @ring:	Those in order, from @head on, @ring_n of them
 * @heap:	The others, @heap_n of them
 */
struct schedule {
	size_t capacity, head, ring_n, heap_n;
	struct slot *ring, *heap;
};

/**
 * schedule_init() - Make an empty schedule
 * @schedule:	Schedule
 * @capacity:	Most packets it will hold, at least 1
 *
 * Return: false if there is not the memory.
 */
bool schedule_init(struct schedule *schedule, size_t capacity);

/**
 * schedule_put() - Add a packet
 * @schedule:	Schedule, not full
 * @packet:	Packet, with @due and @id set; the schedule holds it
 */
void schedule_put(struct schedule *schedule, struct packet *packet);

/**
 * schedule_first() - Look at what leaves next
 * @schedule:	Schedule
 *
 * Return: the packet with the least (due, id), or NULL.
 */
struct packet *schedule_first(const struct schedule *schedule);

/**
 * schedule_next() - When the next one leaves
 * @schedule:	Schedule
 *
 * Return: its due time, or NSEC_NEVER.
 */
static inline nsec schedule_next(const struct schedule *schedule)
{
	nsec next = schedule->ring_n ? schedule->ring[schedule->head].due
				     : NSEC_NEVER;

	if (schedule->heap_n && schedule->heap[0].due < next)
		next = schedule->heap[0].due;
	return next;
}

/**
 * schedule_take() - Take what leaves next
 * @schedule:	Schedule
 *
 * Return: the packet, now the caller's, or NULL.
 */
struct packet *schedule_take(struct schedule *schedule);

/**
 * schedule_fini() - Free the arrays
 * @schedule:	Schedule, empty
 */
void schedule_fini(struct schedule *schedule);

#endif /* CORE_SCHEDULE_H */
