/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * notify.h - tell a service manager how it stands, by sd_notify(3)'s protocol
 *
 * Floor: edge.
 *
 * Where no manager asks for it ($NOTIFY_SOCKET), nothing is done.
 */
#ifndef EDGE_NOTIFY_H
#define EDGE_NOTIFY_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/**
 * struct notify - A manager that wants to know
 * @fd:		Socket, or -1
 * @to:		The manager's; @len bytes
 * @watched:	It wants to be told again and again that we are well
 */
struct notify {
	int fd;
	struct sockaddr_un to;
	socklen_t len;
	bool watched;
};

/**
 * notify_open() - Look whether a manager wants to know
 * @notify:	Filled
 *
 * The variables that it set are taken out of the environment, so that whatever
 * we start does not speak for us.
 */
void notify_open(struct notify *notify);

/**
 * notify_say() - Tell it something, without waiting for it
 * @notify:	Manager, or none
 * @format:	As for printf: "READY=1\nSTATUS=…"
 *
 * Return: whether it was told.
 */
bool notify_say(const struct notify *notify, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * notify_close() - Nothing more is said
 * @notify:	Manager, or none
 */
void notify_close(struct notify *notify);

#endif /* EDGE_NOTIFY_H */
