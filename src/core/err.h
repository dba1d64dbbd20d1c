/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * err.h - a list of faults: what is wrong, where, and what would be right
 *
 * Floor: core.
 *
 * Start-up code adds to a list and goes on, so that a user is told all faults
 * at once.  Nothing is printed here; the roof does that.
 */
#ifndef CORE_ERR_H
#define CORE_ERR_H

#include <stdarg.h>
#include <stddef.h>

/**
 * struct err - Faults found so far; all zeros is an empty list
 * @n:		How many
 * @line:	Their texts, without a newline
 * @machine:	True once a fault is the machine's (exit 1), not the user's
 */
struct err {
	size_t n;
	char **line;
	_Bool machine;
};

/**
 * err_add() - Note a fault of the user's
 * @err:	List; NULL to note nothing
 * @format:	As for printf
 *
 * Return: -1, so that a caller can return it on.
 */
int err_add(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * err_add_machine() - Note a fault of the machine's: no permission, no memory
 * @err:	List; NULL to note nothing
 * @format:	As for printf
 *
 * Return: -1.
 */
int err_add_machine(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * err_fini() - Free the texts
 * @err:	List; empty again afterwards
 */
void err_fini(struct err *err);

#endif /* CORE_ERR_H */
