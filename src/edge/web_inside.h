/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_inside.h - what the files of the page's server share
 *
 * Floor: edge.
 */
#ifndef EDGE_WEB_INSIDE_H
#define EDGE_WEB_INSIDE_H

#include "edge/web.h"
#include "edge/web_guard.h"

struct bufferevent;
struct evbuffer;
struct evconnlistener;
struct evhttp;
struct evhttp_request;

#define WEB_PEERS 32
/* What may wait for one who does not read. */
#define WEB_BACKLOG (1u << 20)

/**
 * struct web_peer - A connection
 * @bev:	Its bytes; one reference is ours, so that it can be looked at
 *		when libevent is done with it
 * @since:	When it was made, or was served last
 * @stream:	What it watches by, or NULL
 * @pending:	It watches packets in flight too
 */
struct web_peer {
	struct bufferevent *bev;
	int64_t since;
	struct evhttp_request *stream;
	bool pending;
};

/**
 * struct web - The page's server
 * @status:	Latest status, and room for the next
 * @pending:	Room for packets in flight
 * @bins:	Bins and @events that those who watch were told
 * @state_at:	When those who watch were told the state
 * @status_at:	When the run was asked for @status; @pending_at, for @pending
 *		with @pending_most packets of a channel
 * @ticks:	Ticks so far
 */
struct web {
	struct event_base *base;
	struct desk *desk;
	struct gauge *gauge;
	struct web_guard guard;
	struct evconnlistener *listener;
	struct evhttp *http;
	struct web_peer peer[WEB_PEERS];
	size_t n_peers;
	struct status *status;
	struct pending *pending;
	uint64_t bins, events, ticks;
	int64_t state_at, status_at, pending_at;
	size_t pending_most;
};

/**
 * web_state() - Ask how the run stands
 * @web:	Server; @status is filled and the gauge told
 *
 * Return: what /state.json gives, the caller's; NULL if the run answers no
 * more.
 */
json_t *web_state(struct web *web);

/**
 * web_pending() - Ask what is in flight
 * @web:	Server; @pending is filled
 * @most:	Most packets of each channel
 *
 * Return: false if the run answers no more.
 */
bool web_pending(struct web *web, size_t most);

/**
 * web_watch() - Begin to tell somebody what is new
 * @web:	Server
 * @peer:	Its connection
 * @request:	What it asked by
 * @pending:	Packets in flight too
 */
void web_watch(struct web *web, struct web_peer *peer,
	       struct evhttp_request *request, bool pending);

/**
 * web_tell_end() - Tell those who watch that the run has ended
 * @web:	Server
 */
void web_tell_end(struct web *web);

/**
 * web_sweep() - Forget connections that have ended, end those that take too
 *	long
 * @web:	Server
 * @now:	Monotonic
 */
void web_sweep(struct web *web, int64_t now);

/**
 * web_headers() - Set the headers that every answer has
 * @request:	Request
 * @type:	Media type
 * @keep:	How long a browser may keep it: a value of Cache-Control
 */
void web_headers(struct evhttp_request *request, const char *type,
		 const char *keep);

/**
 * web_metrics() - What the run does, in Prometheus' text format 0.0.4
 * @web:	Server whose @status is fresh
 * @to:		Written to
 */
void web_metrics(const struct web *web, struct evbuffer *to);

#endif /* EDGE_WEB_INSIDE_H */
