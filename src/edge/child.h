/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * child.h - another farlink, run to its end
 *
 * Floor: edge.
 */
#ifndef EDGE_CHILD_H
#define EDGE_CHILD_H

#include <stdbool.h>

#include "core/err.h"

/**
 * struct child_end - How it ended
 * @status:	Its exit status, or 128 and the signal that killed it
 * @told:	A signal that came for it meanwhile: SIGINT, SIGTERM, SIGHUP;
 *		or 0
 */
struct child_end {
	int status, told;
};

/**
 * child_run() - Run this very program with other arguments, and wait
 * @argv:	Arguments, the first of them its name, with NULL behind them
 * @end:	Filled
 * @err:	Told why it could not be started
 *
 * It has our stdin, stdout and stderr, and ends cleanly if we die.  Signals
 * that would end us end it instead: SIGINT as it is, the others as SIGTERM.
 *
 * Return: 0, or -1 with @err told.
 */
int child_run(char *const *argv, struct child_end *end, struct err *err);

#endif /* EDGE_CHILD_H */
