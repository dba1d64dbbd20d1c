/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * child.h - another farlink, run to its end
 *
 * Floor: edge.
 */
#ifndef EDGE_CHILD_H
#define EDGE_CHILD_H

#include "core/err.h"

/**
 * child_run() - Run this very program with other arguments, and wait
 * @argv:	Arguments, the first of them its name, with NULL behind them
 * @err:	Told why it could not be started
 *
 * It has our stdin, stdout and stderr, and ends cleanly if we die.  Signals
 * that would end us end it instead: SIGINT as it is, the others as SIGTERM.
 *
 * Return: its exit status, or 128 and the signal that killed it; -1 with @err
 * told where it could not be started.
 */
int child_run(char *const *argv, struct err *err);

#endif /* EDGE_CHILD_H */
