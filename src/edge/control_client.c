/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * control_client.c - the other end of a run's control socket
 *
 * Floor: edge.
 */
#include "edge/control_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "edge/control.h"

/* A run answers at once; one that does not is stuck. */
#define PATIENCE_S 30

/* Where nobody named the socket, it must be ours or root's. */
static int check_owner(int fd, const char *path, struct err *err)
{
	struct ucred owner;
	socklen_t size = sizeof(owner);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &owner, &size) < 0)
		return err_add_machine(err, "%s: %s", path, strerror(errno));
	if (!owner.uid || owner.uid == getuid())
		return 0;
	return err_add(err,
		       "%s: is of another user; if that is meant, name it: "
		       "--socket %s",
		       path, path);
}

static int connect_to(const char *named, struct err *err)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (named && strlen(named) >= sizeof(at.sun_path)) {
		err_add(err, "%s: the path of a socket has at most %zu bytes",
			named, sizeof(at.sun_path) - 1);
		goto fail;
	}
	if (named)
		memcpy(at.sun_path, named, strlen(named));
	else
		control_path(at.sun_path, sizeof(at.sun_path));
	if (fd < 0 ||
	    connect(fd, (const struct sockaddr *)&at, sizeof(at)) < 0) {
		err_add(err,
			"%s: %s; is there a run? its socket is named by "
			"farlink run --control PATH and farlink ctl --socket "
			"PATH",
			at.sun_path, strerror(errno));
		goto fail;
	}
	if (!named && check_owner(fd, at.sun_path, err) < 0)
		goto fail;
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
			 sizeof(patience));
	return fd;
fail:
	if (fd >= 0)
		close(fd);
	return -1;
}

static json_t *ask(int fd, const char *line, size_t len, struct err *err)
{
	FILE *from = fdopen(fd, "r");
	char *reply = NULL;
	size_t room = 0;
	json_t *object = NULL;
	ssize_t got = -1;

	if (!from)
		abort();
	errno = 0;
	if (send(fd, line, len, MSG_NOSIGNAL) == (ssize_t)len)
		got = getline(&reply, &room, from);
	if (got > 0)
		object = json_loadb(reply, (size_t)got, 0, NULL);
	if (!object)
		err_add_machine(err, "the run gave no answer%s%s",
				errno ? ": " : "",
				errno ? strerror(errno) : "");
	free(reply);
	fclose(from);
	return object;
}

json_t *control_ask(const char *named, const char *line, size_t len,
		    struct err *err)
{
	int fd = connect_to(named, err);

	return fd < 0 ? NULL : ask(fd, line, len, err);
}
