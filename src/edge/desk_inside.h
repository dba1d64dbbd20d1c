/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * desk_inside.h - what the files of the desk share
 *
 * Floor: edge.
 */
#ifndef EDGE_DESK_INSIDE_H
#define EDGE_DESK_INSIDE_H

#include <pthread.h>

#include "core/store.h"
#include "edge/desk.h"

struct event;
struct event_base;

/**
 * struct desk - The desk
 * @arm:	Arm that governs, as far as the desk has seen to it
 * @file:	File that it came from, if another than at the start
 * @sets:	Changes to it since; @n_sets of them, kept in @store
 * @bell:	Rung when @ends or @rereads is set
 */
struct desk {
	struct desk_plan plan;
	const struct arm *arm;
	const char *file;
	struct store store;
	const char **sets;
	size_t n_sets;
	struct event_base *base;
	struct event *rung, *tick;
	struct control *control;
	struct gauge *gauge;
	struct web *web;
	struct feed *feed;
	pthread_t thread;
	int bell;
	_Atomic bool ends, rereads;
	bool runs;
};

/**
 * desk_do_reread() - Read the arm's file anew, and adopt it
 * @desk:	Desk; its own thread
 */
void desk_do_reread(struct desk *desk);

#endif /* EDGE_DESK_INSIDE_H */
