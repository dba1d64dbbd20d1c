/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * transparent_senders.h - a socket for each address that is sent from
 *
 * Floor: edge.
 *
 * They are unconnected: to a connected one the kernel would hand what is
 * diverted, past the listener.  There is a bound; the one that was not needed
 * for longest goes first.
 */
#ifndef EDGE_TRANSPARENT_SENDERS_H
#define EDGE_TRANSPARENT_SENDERS_H

#include "edge/udp.h"

#define SENDERS_MAX 256

struct senders;

/**
 * senders_new() - No socket yet
 *
 * Return: the senders.
 */
struct senders *senders_new(void);

/**
 * senders_get() - The socket that sends from an address
 * @senders:	Senders
 * @from:	Address and port
 *
 * Return: the socket, until the next call; or NULL with errno told.
 */
struct udp *senders_get(struct senders *senders, const union address *from);

/**
 * senders_free() - Close all
 * @senders:	Senders, or NULL
 */
void senders_free(struct senders *senders);

#endif /* EDGE_TRANSPARENT_SENDERS_H */
