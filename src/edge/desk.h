/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * desk.h - the thread that talks to experimenters: control socket and page
 *
 * Floor: edge.
 *
 * It has an event base of its own and no part in the packets.  What it wants
 * of the run it asks by errands; what happens it hears from the feed.
 */
#ifndef EDGE_DESK_H
#define EDGE_DESK_H

#include <jansson.h>

#include "edge/errand.h"
#include "edge/exchange.h"
#include "edge/feed.h"

struct desk;
struct record;

/**
 * struct desk_source - What an arm is read from
 * @file:	File, or the name of one for faults
 * @text:	Text instead of the file's, or NULL; @size bytes
 * @sets:	Changes besides those that the run was started with; @n_sets
 */
struct desk_source {
	const char *file, *text;
	size_t size;
	const char *const *sets;
	size_t n_sets;
};

/**
 * struct desk_plan - What a desk is opened for
 * @arm:	Arm at the start; borrowed
 * @control:	Path of the control socket, or NULL; @control_is_usual: it can
 *		do without, and says why
 * @listen:	ADDRESS:PORT of the page, or NULL
 * @exchange:	Exchange with the run's thread
 * @act:	Does an errand; called by the run's thread; @live is handed to
 *		it
 * @record:	Where adopted arms are kept, or NULL
 * @read_arm:	Reads and checks an arm, or returns NULL with @err told;
 *		@context is handed to it
 */
struct desk_plan {
	const struct arm *arm;
	const char *control, *listen;
	bool control_is_usual;
	struct exchange *exchange;
	void (*act)(void *live, struct errand *errand);
	void *live;
	struct record *record;
	struct arm *(*read_arm)(void *context, const struct desk_source *source,
				struct err *err);
	void *context;
};

/**
 * desk_open() - Open the socket and the page, and start the thread
 * @plan:	What it is opened for; its pointers outlive the desk
 * @say:	Told where it can be reached, a line each
 * @err:	Told what cannot be
 *
 * Return: the desk, or NULL.
 */
struct desk *desk_open(const struct desk_plan *plan,
		       void (*say)(const char *format, ...), struct err *err);

/**
 * desk_feed() - Feed that the run puts into
 * @desk:	Desk, or NULL
 *
 * Return: the feed, or NULL where nobody watches.
 */
struct feed *desk_feed(struct desk *desk);

/**
 * desk_reread() - Have the arm file read anew, and adopted; any thread
 * @desk:	Desk
 */
void desk_reread(struct desk *desk);

/**
 * desk_order() - Do what a line of the control protocol asks
 * @desk:	Desk; its own thread
 * @line:	Line without its end; changed
 *
 * Return: the reply, the caller's: {"ok": true, …} or {"ok": false, "error":
 * [TEXT, …]}.
 */
json_t *desk_order(struct desk *desk, char *line);

/**
 * desk_errand() - Have an errand done
 * @desk:	Desk; its own thread
 * @errand:	Errand
 *
 * Return: whether it was done; else @errand->err is told.
 */
bool desk_errand(struct desk *desk, struct errand *errand);

/**
 * desk_close() - End the thread, close all; the exchange has ended
 * @desk:	Desk, or NULL
 */
void desk_close(struct desk *desk);

#endif /* EDGE_DESK_H */
