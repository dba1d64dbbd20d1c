/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * precision.h - what a machine may give for exact releases, if it is told to
 *
 * Floor: edge.
 *
 * None of it changes when a packet is due, only how late it leaves.
 */
#ifndef EDGE_PRECISION_H
#define EDGE_PRECISION_H

#include <sched.h>

#include "core/err.h"
#include "core/packet.h"

/* The options of the command line, for getopt_long(). */
enum precision_option {
	PRECISION_REALTIME = 0x100,
	PRECISION_LOCK,
	PRECISION_CPU,
	PRECISION_SPIN,
};

/**
 * struct precision - What was asked for
 * @priority:	Real-time priority of the thread that releases; 0: none
 * @lock:	All memory stays in the machine's memory
 * @cpus:	Cores on which that thread may run, as they were named; or NULL
 * @set:	The same for the kernel
 * @spin:	The last of each wait is spent awake
 */
struct precision {
	int priority;
	bool lock;
	const char *cpus;
	cpu_set_t set;
	nsec spin;
};

/**
 * precision_option() - Take an option of the command line
 * @precision:	Changed
 * @option:	Which
 * @value:	Its value, or NULL
 * @err:	Told what is wrong with it
 *
 * Return: 0, or -1 with @err told.
 */
int precision_option(struct precision *precision, enum precision_option option,
		     const char *value, struct err *err);

/**
 * precision_apply() - Take what the machine may refuse: priority and memory
 * @precision:	What was asked for; NULL is nothing
 * @err:	Told what was refused, with the remedy
 *
 * For the calling thread.  Threads and processes that it starts have no
 * priority.
 *
 * Return: 0, or -1 with @err told.
 */
int precision_apply(const struct precision *precision, struct err *err);

/**
 * precision_pin() - Keep the calling thread, and what it starts, on its cores
 * @precision:	What was asked for; NULL is nothing
 * @err:	Told what was refused
 *
 * Return: 0, or -1 with @err told.
 */
int precision_pin(const struct precision *precision, struct err *err);

#endif /* EDGE_PRECISION_H */
