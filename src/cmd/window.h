/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * window.h - rows of a record put back into the order of arrival
 *
 * Floor: roof.
 *
 * Rows stand in the order in which packets were settled.  The window keeps
 * those between the first that is not compared yet and the latest that was
 * read, so that its size follows what waited in the run, not the run's length.
 */
#ifndef CMD_WINDOW_H
#define CMD_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#include "core/packet.h"

/**
 * struct kept - A row that was read
 * @by:		Its reason
 * @line:	Line in packets.csv
 * @there:	The row was read
 * @done:	It was compared
 */
struct kept {
	const char *by;
	nsec ingress, due, released;
	unsigned long line;
	uint32_t size;
	uint16_t channel;
	uint8_t direction, fate;
	bool there, done;
};

/**
 * struct window - Rows by id; all zeros is an empty one
 * @base:	Least id that may still be needed
 * @fed:	Next id to be put through the arm
 * @top:	One more than the greatest id that was read
 */
struct window {
	struct kept *slots;
	size_t room;
	uint64_t base, fed, top;
};

/**
 * window_put() - Room for the row of a packet
 * @window:	Window
 * @id:		Its id
 *
 * Return: the room, all zeros but @there, or NULL if there is such a row
 * already, or the id is far out of sequence.
 */
struct kept *window_put(struct window *window, uint64_t id);

/**
 * window_at() - Row of a packet
 * @window:	Window
 * @id:		Its id
 *
 * Return: the row, or NULL.
 */
struct kept *window_at(const struct window *window, uint64_t id);

/**
 * window_done() - A row was compared
 * @window:	Window
 * @kept:	Row
 */
void window_done(struct window *window, struct kept *kept);

/**
 * window_fini() - Free the rows; empty again afterwards
 * @window:	Window
 */
void window_fini(struct window *window);

#endif /* CMD_WINDOW_H */
