/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * control.c - the socket by which a run is steered
 *
 * Floor: edge.
 */
#include "edge/control.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "session/order.h"

#define CLIENTS_MAX 16
#define BACKLOG	    128
/* A client that reads nothing is left when so much waits for it. */
#define UNREAD_MAX (4u << 20)

struct client {
	struct client *next;
	struct control *control;
	struct bufferevent *line;
	bool full; /* it said too much: left once it has the answer */
};

struct control {
	struct event_base *base;
	struct desk *desk;
	struct evconnlistener *listener;
	struct client *clients; /* the latest first */
	unsigned n_clients;
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	dev_t device;
	ino_t inode;
};

void control_path(char *path, size_t size)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");

	if (!getuid())
		snprintf(path, size, "/run/farlink.sock");
	else if (folder && *folder == '/')
		snprintf(path, size, "%s/farlink.sock", folder);
	else
		snprintf(path, size, "/tmp/farlink-%u.sock",
			 (unsigned)getuid());
}

static void free_client(struct client *client)
{
	bufferevent_free(client->line);
	free(client);
}

static void leave(struct client *client)
{
	struct control *control = client->control;
	struct client **link = &control->clients;

	while (*link != client)
		link = &(*link)->next;
	*link = client->next;
	control->n_clients--;
	free_client(client);
}

static void answer(struct client *client, json_t *reply)
{
	char *text = json_dumps(reply, JSON_COMPACT);
	struct evbuffer *out = bufferevent_get_output(client->line);

	json_decref(reply);
	if (!text)
		abort();
	evbuffer_add(out, text, strlen(text));
	evbuffer_add(out, "\n", 1);
	free(text);
}

static void refuse_long(struct client *client)
{
	client->full = true;
	bufferevent_disable(client->line, EV_READ);
	answer(client, json_pack("{s:b,s:[s]}", "ok", 0, "error",
				 "a line has at most 65535 bytes"));
}

static void on_read(struct bufferevent *line, void *context)
{
	struct client *client = context;
	struct evbuffer *in = bufferevent_get_input(line);
	size_t len;
	char *text;

	while (evbuffer_get_length(bufferevent_get_output(line)) < UNREAD_MAX &&
	       (text = evbuffer_readln(in, &len, EVBUFFER_EOL_CRLF))) {
		/* a zero byte would end the line for us, not for its writer */
		if (strlen(text) != len)
			answer(client,
			       json_pack("{s:b,s:[s]}", "ok", 0, "error",
					 "a line has no zero bytes"));
		else
			answer(client, desk_order(client->control->desk, text));
		free(text);
	}
	if (evbuffer_get_length(bufferevent_get_output(line)) >= UNREAD_MAX)
		leave(client);
	else if (evbuffer_get_length(in) >= ORDER_LINE)
		refuse_long(client);
}

static void on_written(struct bufferevent *line, void *context)
{
	struct client *client = context;

	(void)line;
	if (client->full)
		leave(client);
}

static void on_event(struct bufferevent *line, short what, void *context)
{
	(void)line;
	if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
		leave(context);
}

/* Where all places are taken, whoever has been there longest goes. */
static void make_room(struct control *control)
{
	struct client *oldest = control->clients;

	if (control->n_clients < CLIENTS_MAX)
		return;
	while (oldest->next)
		oldest = oldest->next;
	leave(oldest);
}

static void on_client(struct evconnlistener *listener, evutil_socket_t fd,
		      struct sockaddr *from, int size, void *context)
{
	struct control *control = context;
	struct client *client = calloc(1, sizeof(*client));

	(void)listener;
	(void)from;
	(void)size;
	if (!client)
		abort();
	make_room(control);
	client->control = control;
	client->line = bufferevent_socket_new(control->base, fd,
					      BEV_OPT_CLOSE_ON_FREE);
	if (!client->line)
		abort();
	client->next = control->clients;
	control->clients = client;
	control->n_clients++;
	bufferevent_setwatermark(client->line, EV_READ, 0, ORDER_LINE);
	bufferevent_setcb(client->line, on_read, on_written, on_event, client);
	bufferevent_enable(client->line, EV_READ | EV_WRITE);
}

/* Remove a socket that nobody listens at any more. */
static int clear_path(const struct sockaddr_un *at, struct err *err)
{
	struct stat found;
	int fd, failed;

	if (lstat(at->sun_path, &found) < 0)
		return 0;
	if (!S_ISSOCK(found.st_mode))
		return err_add(err,
			       "%s: is there and is no socket; name another "
			       "path for the control socket",
			       at->sun_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	failed = fd < 0 ||
		 connect(fd, (const struct sockaddr *)at, sizeof(*at)) < 0;
	failed = failed ? errno : 0;
	if (fd >= 0)
		close(fd);
	if (failed == ECONNREFUSED && !unlink(at->sun_path))
		return 0;
	return err_add(err,
		       "%s: another run listens there; name another path for "
		       "the control socket: --control PATH",
		       at->sun_path);
}

static int give_to(const char *path, const char *group, struct err *err)
{
	const struct group *found;

	if (!*group)
		return 0;
	found = getgrnam(group);
	if (!found)
		return err_add(err, "[control] group: there is no group %s",
			       group);
	if (!chown(path, (uid_t)-1, found->gr_gid))
		return 0;
	return err_add(err, "[control] group: %s cannot be given to %s: %s",
		       path, group, strerror(errno));
}

static int listen_at(const struct sockaddr_un *at, struct err *err)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mode_t before = umask(0117);
	bool bound =
		fd >= 0 && !bind(fd, (const struct sockaddr *)at, sizeof(*at));
	int error = errno;

	umask(before);
	if (bound && !listen(fd, BACKLOG))
		return fd;
	err_add_machine(err, "%s: no control socket can be made there: %s",
			at->sun_path, strerror(bound ? errno : error));
	if (fd >= 0)
		close(fd);
	return -1;
}

struct control *control_open(struct event_base *base, struct desk *desk,
			     const char *path, const char *group,
			     struct err *err)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct control *control;
	struct stat made;
	int fd;

	if (strlen(path) >= sizeof(at.sun_path)) {
		err_add(err, "%s: the path of a socket has at most %zu bytes",
			path, sizeof(at.sun_path) - 1);
		return NULL;
	}
	memcpy(at.sun_path, path, strlen(path));
	if (clear_path(&at, err) < 0)
		return NULL;
	fd = listen_at(&at, err);
	if (fd < 0)
		return NULL;
	control = calloc(1, sizeof(*control));
	if (!control)
		abort();
	control->base = base;
	control->desk = desk;
	memcpy(control->path, at.sun_path, sizeof(control->path));
	if (!lstat(path, &made)) {
		control->device = made.st_dev;
		control->inode = made.st_ino;
	}
	control->listener = evconnlistener_new(base, on_client, control,
					       LEV_OPT_CLOSE_ON_FREE, 0, fd);
	if (!control->listener)
		abort();
	if (!give_to(path, group, err))
		return control;
	control_close(control);
	return NULL;
}

/* What the kernel takes of the last answers, which tell of the end. */
static void hand_out(struct client *client)
{
	struct evbuffer *out = bufferevent_get_output(client->line);

	(void)evbuffer_write(out, bufferevent_getfd(client->line));
}

void control_close(struct control *control)
{
	struct client *client, *next;
	struct stat found;

	if (!control)
		return;
	evconnlistener_free(control->listener);
	for (client = control->clients; client; client = next) {
		next = client->next;
		hand_out(client);
		free_client(client);
	}
	/* unless another has taken the place meanwhile */
	if (!lstat(control->path, &found) && found.st_dev == control->device &&
	    found.st_ino == control->inode)
		unlink(control->path);
	free(control);
}
