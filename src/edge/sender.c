/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sender.c - an unconnected socket that sends commands and reads nothing
 *
 * Floor: edge.
 */
#include "edge/sender.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int sender_open(struct sender *sender, const union address *to, struct err *err)
{
	*sender = (struct sender){ .to = *to };
	sender->fd = socket(to->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (sender->fd < 0)
		return err_add_machine(err, "no socket to send from: %s",
				       strerror(errno));
	return 0;
}

void sender_send(struct sender *sender, const void *bytes, size_t size)
{
	if (sendto(sender->fd, bytes, size, MSG_DONTWAIT, &sender->to.any,
		   address_size(&sender->to)) < 0)
		sender->errors++;
	else
		sender->sent++;
}

void sender_close(struct sender *sender)
{
	if (sender->fd >= 0)
		close(sender->fd);
	sender->fd = -1;
}
