/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * notify.c - tell a service manager how it stands, by sd_notify(3)'s protocol
 *
 * Floor: edge.
 *
 * How it works
 *
 * One datagram for each message, lines of NAME=VALUE, to the socket whose path
 * stands in $NOTIFY_SOCKET; one that begins with '@' is in the abstract
 * namespace, its '@' standing for a zero byte.
 */
#include "edge/notify.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the watchdog is meant for this process. */
static bool is_watched(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");

	if (!usec || !strtoull(usec, NULL, 10))
		return false;
	return !pid || strtol(pid, NULL, 10) == (long)getpid();
}

void notify_open(struct notify *notify)
{
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len = path ? strlen(path) : 0;

	*notify = (struct notify){ .fd = -1, .watched = is_watched() };
	if (len > 1 && len < sizeof(notify->to.sun_path) &&
	    (*path == '/' || *path == '@')) {
		notify->to.sun_family = AF_UNIX;
		memcpy(notify->to.sun_path, path, len);
		if (*path == '@')
			notify->to.sun_path[0] = '\0';
		notify->len =
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				    len + (*path == '/'));
		notify->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	}
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

bool notify_say(const struct notify *notify, const char *format, ...)
{
	char text[512];
	va_list list;
	ssize_t sent;
	int len;

	if (notify->fd < 0)
		return false;
	va_start(list, format);
	len = vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	if (len <= 0)
		return false;
	if ((size_t)len >= sizeof(text))
		len = (int)sizeof(text) - 1;
	do
		sent = sendto(notify->fd, text, (size_t)len,
			      MSG_NOSIGNAL | MSG_DONTWAIT,
			      (const struct sockaddr *)&notify->to,
			      notify->len);
	while (sent < 0 && errno == EINTR);
	return sent >= 0;
}

void notify_close(struct notify *notify)
{
	if (notify->fd >= 0)
		close(notify->fd);
	notify->fd = -1;
}
