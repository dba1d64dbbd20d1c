/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * table.h - what a run shows while it goes on
 *
 * Floor: roof.
 */
#ifndef CMD_TABLE_H
#define CMD_TABLE_H

#include <stdio.h>

#include "edge/live.h"

/**
 * table_begin() - Begin to show: a live table on a terminal, else lines
 */
void table_begin(void);

/**
 * table_is_hung_up() - Whether a terminal that we began on is gone
 *
 * Return: whether it is.
 */
bool table_is_hung_up(void);

/**
 * table_apart() - Draw the next table below what somebody else has written
 */
void table_apart(void);

/**
 * table_show() - Show how things stand
 * @view:	What to show
 */
void table_show(const struct live_view *view);

/**
 * table_end() - Write how things ended; messages go to stderr again
 * @view:	What to show
 * @to:		What will be shown below the table
 */
void table_end(const struct live_view *view, FILE *to);

#endif /* CMD_TABLE_H */
