/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sender.h - an unconnected socket that sends commands and reads nothing
 *
 * Floor: edge.
 */
#ifndef EDGE_SENDER_H
#define EDGE_SENDER_H

#include <stddef.h>
#include <stdint.h>

#include "core/address.h"
#include "core/err.h"

/**
 * struct sender - A sender
 * @fd:		Socket, on a port that the kernel chose
 * @to:		Where it sends to
 * @sent:	Datagrams that left
 * @errors:	Datagrams that could not
 */
struct sender {
	int fd;
	union address to;
	uint64_t sent, errors;
};

/**
 * sender_open() - Open the socket
 * @sender:	Filled
 * @to:		Where it sends to
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told.
 */
int sender_open(struct sender *sender, const union address *to,
		struct err *err);

/**
 * sender_send() - Send a datagram; one that cannot be sent is counted
 * @sender:	Sender
 * @bytes:	Payload; @size of them
 */
void sender_send(struct sender *sender, const void *bytes, size_t size);

/**
 * sender_close() - Close the socket
 * @sender:	Sender
 */
void sender_close(struct sender *sender);

#endif /* EDGE_SENDER_H */
