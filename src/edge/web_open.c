/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_open.c - the page's server begins and ends; its connections
 *
 * Floor: edge.
 *
 * How it works
 *
 * libevent's HTTP server knows no bound on connections, so each gets a
 * bufferevent of ours, of which we hold a second reference.  When libevent is
 * done with a connection it takes its callbacks off the bufferevent; that is
 * how it is seen, at the next tick.  With WEB_PEERS of them the listener rests.
 */
#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edge/web_inside.h"
#include "edge/web_serve.h"

#define HEADERS_MAX 8192
#define BODY_MAX    65536
#define READ_AHEAD  (2 * BODY_MAX)
#define SEND_BUFFER 65536
#define SILENCE	    20 /* seconds without a byte */
/* A request, its answer and the rest after it take no longer. */
#define TURN_TIME (60 * NSEC_PER_S)

static bool is_over(const struct web_peer *peer)
{
	bufferevent_data_cb reads, writes;
	bufferevent_event_cb fails;

	bufferevent_getcb(peer->bev, &reads, &writes, &fails, NULL);
	return !reads && !writes && !fails;
}

static void forget(struct web_peer *peer)
{
	if (peer->stream)
		evhttp_request_free(peer->stream);
	bufferevent_decref(peer->bev);
}

void web_sweep(struct web *web, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < web->n_peers; i++) {
		struct web_peer *peer = &web->peer[i];

		if (is_over(peer)) {
			forget(peer);
			continue;
		}
		/* libevent sees that it is cut, and frees it */
		if (!peer->stream && now - peer->since > TURN_TIME)
			shutdown(bufferevent_getfd(peer->bev), SHUT_RDWR);
		web->peer[kept++] = *peer;
	}
	web->n_peers = kept;
	if (kept < WEB_PEERS)
		evconnlistener_enable(web->listener);
}

/* A bufferevent for a connection that was just made. */
static struct bufferevent *on_connection(struct event_base *base, void *context)
{
	struct web *web = context;
	struct bufferevent *bev;

	/* those that have ended may not have been swept yet */
	if (web->n_peers == WEB_PEERS)
		web_sweep(web, loop_clock());
	if (web->n_peers == WEB_PEERS)
		return NULL;
	bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	if (!bev)
		return NULL;
	bufferevent_setwatermark(bev, EV_READ, 0, READ_AHEAD);
	bufferevent_incref(bev);
	web->peer[web->n_peers++] =
		(struct web_peer){ .bev = bev, .since = loop_clock() };
	if (web->n_peers == WEB_PEERS)
		evconnlistener_disable(web->listener);
	return bev;
}

static int read_token(struct web_guard *guard, const char *name,
		      struct err *err)
{
	char text[TOKEN_MAX + 3];
	struct stat about;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return err_add(err, "token_file %s: %s", name, strerror(errno));
	if (fstat(fd, &about) || !S_ISREG(about.st_mode)) {
		close(fd);
		return err_add(err, "token_file %s is no file", name);
	}
	n = read(fd, text, sizeof(text));
	close(fd);
	if (about.st_mode & S_IRWXO)
		return err_add(err,
			       "token_file %s: everybody on this machine may "
			       "read it: chmod o= %s",
			       name, name);
	if (n >= 0 && web_guard_token(guard, text, (size_t)n))
		return 0;
	return err_add(err,
		       "token_file %s: its first line is no token, which is "
		       "%d to %d letters, digits and -._~",
		       name, TOKEN_MIN, TOKEN_MAX);
}

static int draw_token(struct web_guard *guard, struct err *err)
{
	unsigned char bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return err_add_machine(err, "no random token: %s",
				       strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(guard->token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

/* "ADDRESS:PORT"; port 0, which no other address has, is any that is free. */
static bool parse_listen(const char *text, union address *listen)
{
	size_t n = strlen(text);
	char address[ADDRESS_TEXT];

	if (n < 3 || strcmp(text + n - 2, ":0") != 0)
		return address_parse(text, listen) && address_port(listen);
	if (n - 2 >= sizeof(address))
		return false;
	memcpy(address, text, n - 2);
	address[n - 2] = '\0';
	return address_parse(address, listen) && !address_port(listen);
}

static int parse_or_tell(const char *text, union address *listen,
			 struct err *err)
{
	if (parse_listen(text, listen))
		return 0;
	return err_add(err,
		       "dashboard listen = %s is no address with a port, such "
		       "as 127.0.0.1:8088",
		       text);
}

int web_check(const char *listen, struct err *err)
{
	union address parsed;

	return parse_or_tell(listen, &parsed, err);
}

static int open_listener(struct web *web, const char *text, struct err *err)
{
	union address *listen = &web->guard.listen;
	const int size = SEND_BUFFER;
	socklen_t length = sizeof(*listen);

	if (parse_or_tell(text, listen, err) < 0)
		return -1;
	web->listener = evconnlistener_new_bind(
		web->base, NULL, NULL,
		LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC |
			LEV_OPT_REUSEABLE,
		16, &listen->any, (int)address_size(listen));
	if (!web->listener)
		return err_add_machine(err, "the page cannot listen at %s: %s",
				       text, strerror(errno));
	/* whom it accepts has it too: what waits is bounded in all */
	(void)setsockopt(evconnlistener_get_fd(web->listener), SOL_SOCKET,
			 SO_SNDBUF, &size, sizeof(size));
	getsockname(evconnlistener_get_fd(web->listener), &listen->any,
		    &length);
	return 0;
}

static int open_http(struct web *web, struct err *err)
{
	web->http = evhttp_new(web->base);
	if (!web->http)
		return err_add_machine(err, "no memory for the page");
	evhttp_set_max_headers_size(web->http, HEADERS_MAX);
	evhttp_set_max_body_size(web->http, BODY_MAX);
	evhttp_set_timeout(web->http, SILENCE);
	/* all that it knows, so that the answer is ours */
	evhttp_set_allowed_methods(web->http, 0xffff);
	evhttp_set_bevcb(web->http, on_connection, web);
	evhttp_set_gencb(web->http, web_serve, web);
	if (evhttp_bind_listener(web->http, web->listener))
		return 0;
	return err_add_machine(err, "the page cannot listen");
}

static void tell_where(const struct web *web, const char *token_file,
		       void (*say)(const char *format, ...))
{
	char at[ADDRESS_TEXT];

	address_print(&web->guard.listen, at);
	if (*token_file)
		say("the page is at http://%s/; its token is in %s", at,
		    token_file);
	else
		say("the page is at http://%s/#token=%s", at, web->guard.token);
}

struct web *web_open(struct event_base *base, struct desk *desk,
		     struct gauge *gauge, const struct arm *arm,
		     const char *listen, void (*say)(const char *format, ...),
		     struct err *err)
{
	const char *token_file = arm->dashboard.token_file;
	struct web *web = calloc(1, sizeof(*web));
	int failed;

	if (!web)
		abort();
	web->base = base;
	web->desk = desk;
	web->gauge = gauge;
	web->guard.hosts = arm->dashboard.hosts;
	web->status = calloc(1, sizeof(*web->status));
	web->pending = calloc(1, sizeof(*web->pending));
	if (!web->status || !web->pending)
		abort();
	failed = *token_file ? read_token(&web->guard, token_file, err)
			     : draw_token(&web->guard, err);
	if (failed || open_listener(web, listen, err) || open_http(web, err)) {
		web_close(web);
		return NULL;
	}
	tell_where(web, token_file, say);
	return web;
}

void web_close(struct web *web)
{
	if (!web)
		return;
	web_tell_end(web);
	if (web->http)
		evhttp_free(web->http); /* and the listener, if it has it */
	else if (web->listener)
		evconnlistener_free(web->listener);
	for (size_t i = 0; i < web->n_peers; i++)
		forget(&web->peer[i]);
	free(web->status);
	free(web->pending);
	free(web);
}
