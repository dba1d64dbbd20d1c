/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * guard.h - a process that stops the robot if the proxy dies
 *
 * Floor: edge.
 *
 * The guard holds a socket towards the robot and a line to the proxy, nothing
 * else.  When the line breaks without a farewell (kill -9, a crash), it sends
 * the stops.
 */
#ifndef EDGE_GUARD_H
#define EDGE_GUARD_H

#include "core/address.h"
#include "core/err.h"

struct guard;

/**
 * struct guard_plan - What the guard is to do
 * @fd:		Socket to send from; the guard has a copy
 * @to:		Where the robot takes commands
 * @stop:	Payload that halts it
 * @count:	How many stops
 * @events:	File of events to add a row to, or NULL
 * @start:	Monotonic time that is 0 there
 */
struct guard_plan {
	int fd;
	union address to;
	const char *stop;
	unsigned count;
	const char *events;
	int64_t start;
};

/**
 * guard_start() - Start the guard; before any thread is
 * @plan:	What it is to do; borrowed for the call
 * @err:	Told why it cannot be
 *
 * Return: the guard, or NULL.
 */
struct guard *guard_start(const struct guard_plan *plan, struct err *err);

/**
 * guard_fd() - A descriptor that becomes readable when the guard dies
 * @guard:	Guard
 *
 * Return: the descriptor.
 */
int guard_fd(const struct guard *guard);

/**
 * guard_send_to() - The robot is at another address from now on
 * @guard:	Guard, or NULL
 * @to:		Where it takes commands
 */
void guard_send_to(struct guard *guard, const union address *to);

/**
 * guard_start_at() - Another trial began
 * @guard:	Guard, or NULL
 * @start:	Monotonic time that is 0 in the file of events from now on
 */
void guard_start_at(struct guard *guard, int64_t start);

/**
 * guard_end() - Take leave: the proxy sends its stops itself
 * @guard:	Guard, or NULL; freed
 */
void guard_end(struct guard *guard);

#endif /* EDGE_GUARD_H */
