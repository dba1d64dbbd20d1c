/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * control_client.h - the other end of a run's control socket
 *
 * Floor: edge.
 */
#ifndef EDGE_CONTROL_CLIENT_H
#define EDGE_CONTROL_CLIENT_H

#include <jansson.h>

#include "core/err.h"

/**
 * control_ask() - Send one order and wait for the reply
 * @named:	Path of the socket, or NULL: the usual one, which must then be
 *		of this user or of root
 * @line:	Line with its newline; @len bytes
 * @err:	Told why there is no reply
 *
 * Return: the reply, the caller's, or NULL.
 */
json_t *control_ask(const char *named, const char *line, size_t len,
		    struct err *err);

#endif /* EDGE_CONTROL_CLIENT_H */
