/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * curve.h - distributions from files: netem's table and dummynet's curve
 *
 * Floor: core.
 */
#ifndef CORE_CURVE_H
#define CORE_CURVE_H

#include "conditions/condition.h"
#include "core/lines.h"
#include "core/store.h"

/**
 * curve_read() - Read a distribution table
 * @law:	Filled; unchanged after a fault
 * @lines:	The file, at its beginning: numbers are netem's table, in units
 *		of 1/8192 of the scale; words are dummynet's curve, in ms
 * @store:	Keeps the table
 *
 * Return: 0, or -1 with the fault noted in @lines.
 */
int curve_read(struct distribution *law, struct lines *lines,
	       struct store *store);

#endif /* CORE_CURVE_H */
