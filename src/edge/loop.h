/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * loop.h - the event loop: descriptors, signals, one precise timer, THE clock
 *
 * Floor: edge.
 *
 * All of libevent and every reading of a clock stand in loop.c.  Times are
 * CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef EDGE_LOOP_H
#define EDGE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"

struct loop;
struct timespec;

/**
 * loop_new() - Make a loop
 * @err:	Told why it cannot be
 *
 * Return: the loop, or NULL.
 */
struct loop *loop_new(struct err *err);

/**
 * loop_clock() - Read the monotonic clock
 *
 * Return: ns.
 */
int64_t loop_clock(void);

/**
 * loop_wall() - Read the wall clock
 *
 * Return: ns since 1970, UTC.
 */
int64_t loop_wall(void);

/**
 * loop_moved() - A kernel receive stamp, moved to the monotonic clock
 * @stamp:	Wall clock stamp of the kernel's; NULL if there was none
 * @now:	Monotonic now
 * @wall:	Wall clock at the same moment
 *
 * A stamp ahead of now or over one second old is not believed.
 *
 * Return: ns; @now where there is no stamp to believe.
 */
int64_t loop_moved(const struct timespec *stamp, int64_t now, int64_t wall);

/**
 * loop_watch() - Call somebody when a descriptor has something to read
 * @loop:	Loop
 * @fd:		Descriptor
 * @ready:	Called
 * @context:	Handed to @ready
 *
 * Return: false if it cannot be watched.
 */
bool loop_watch(struct loop *loop, int fd, void (*ready)(void *context),
		void *context);

/**
 * loop_unwatch() - Call nobody any more for a descriptor
 * @loop:	Loop
 * @fd:		Descriptor that loop_watch() took
 */
void loop_unwatch(struct loop *loop, int fd);

/**
 * loop_signal() - Call somebody on a signal
 * @loop:	Loop
 * @number:	Signal
 * @arrived:	Called, from the loop
 * @context:	Handed to @arrived
 *
 * Return: false if it cannot be caught.
 */
bool loop_signal(struct loop *loop, int number,
		 void (*arrived)(void *context, int number), void *context);

/**
 * loop_timer() - Set the one timer
 * @loop:	Loop
 * @when:	Monotonic; a time that has passed fires at once; INT64_MAX:
 *		never
 */
void loop_timer(struct loop *loop, int64_t when);

/**
 * loop_spin() - Spend the last of each wait for the timer awake
 * @loop:	Loop
 * @spin:	How much of it, ns
 *
 * The kernel wakes a thread some microseconds late; one that is awake is not.
 */
void loop_spin(struct loop *loop, int64_t spin);

/**
 * loop_run() - Go round until somebody stops it
 * @loop:	Loop
 * @turn:	Called after each wake-up, when all that was ready was handled
 * @context:	Handed to @turn
 */
void loop_run(struct loop *loop, void (*turn)(void *context), void *context);

/**
 * loop_stop() - End loop_run() after this turn
 * @loop:	Loop
 */
void loop_stop(struct loop *loop);

/**
 * loop_free() - Free a loop; descriptors stay open
 * @loop:	Loop, or NULL
 */
void loop_free(struct loop *loop);

#endif /* EDGE_LOOP_H */
