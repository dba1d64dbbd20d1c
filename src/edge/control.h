/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * control.h - the socket by which a run is steered
 *
 * Floor: edge.
 *
 * A line in, a line out: farlink-control(5).  Clients are few, bounded in what
 * they may leave unsent and unread, and can do nothing by being slow.
 */
#ifndef EDGE_CONTROL_H
#define EDGE_CONTROL_H

#include "core/err.h"
#include "edge/desk.h"

struct control;
struct event_base;

/**
 * control_path() - Where the socket is if nobody says: in the user's runtime
 *	folder
 * @path:	Filled
 * @size:	Of @path
 */
void control_path(char *path, size_t size);

/**
 * control_open() - Make the socket and listen
 * @base:	Event base of the desk
 * @desk:	Does the orders
 * @path:	Where; a socket that nobody listens at is replaced
 * @group:	Group whose members may connect, or ""
 * @err:	Told why it cannot be
 *
 * Return: the socket, or NULL.
 */
struct control *control_open(struct event_base *base, struct desk *desk,
			     const char *path, const char *group,
			     struct err *err);

/**
 * control_close() - Hand out what was answered, close, remove the socket
 * @control:	Socket, or NULL
 */
void control_close(struct control *control);

#endif /* EDGE_CONTROL_H */
