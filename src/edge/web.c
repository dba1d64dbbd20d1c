/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web.c - what the page's server answers
 *
 * Floor: edge.
 */
#include "edge/web.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "edge/asset.h"
#include "edge/status.h"
#include "edge/web_inside.h"
#include "edge/web_serve.h"

/* Bins that a chart can show. */
#define HISTORY_BINS 600
#define PENDING_MOST 1024
#define FRESH	     (20 * NSEC_PER_MS)

/* A request on its way: what was found out about it. */
struct visit {
	struct web *web;
	struct evhttp_request *request;
	struct web_peer *peer;
	struct evkeyvalq query;
};

struct route {
	const char *path;
	enum web_path kind;
	void (*serve)(struct visit *visit);
	const char *asset;
};

void web_headers(struct evhttp_request *request, const char *type,
		 const char *keep)
{
	static const char *const always[][2] = {
		{ "Content-Security-Policy",
		  "default-src 'none'; script-src 'self'; style-src 'self'; "
		  "connect-src 'self'; img-src 'self' data:; "
		  "frame-ancestors 'none'; base-uri 'none'; "
		  "form-action 'none'" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cross-Origin-Opener-Policy", "same-origin" },
	};
	struct evkeyvalq *headers = evhttp_request_get_output_headers(request);

	evhttp_add_header(headers, "Content-Type", type);
	evhttp_add_header(headers, "Cache-Control", keep);
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		evhttp_add_header(headers, always[i][0], always[i][1]);
}

/* Send an answer; @body is freed. */
static void answer(struct evhttp_request *request, int status,
		   struct evbuffer *body)
{
	struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
	char size[32];

	if (evhttp_request_get_command(request) == EVHTTP_REQ_HEAD) {
		snprintf(size, sizeof(size), "%zu", evbuffer_get_length(body));
		evhttp_add_header(headers, "Content-Length", size);
		evbuffer_drain(body, evbuffer_get_length(body));
	}
	evhttp_send_reply(request, status, NULL, body);
	evbuffer_free(body);
}

static struct evbuffer *buffer_new(void)
{
	struct evbuffer *buffer = evbuffer_new();

	if (!buffer)
		abort();
	return buffer;
}

/* Answer with JSON, which is freed. */
static void answer_json(struct evhttp_request *request, int status,
			json_t *json)
{
	struct evbuffer *body = buffer_new();
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(12));

	json_decref(json);
	if (text)
		evbuffer_add(body, text, strlen(text));
	evbuffer_add(body, "\n", 1);
	free(text);
	web_headers(request, "application/json", "no-store");
	answer(request, status, body);
}

static void refuse(struct evhttp_request *request, int status, const char *why)
{
	answer_json(request, status,
		    json_pack("{s:b, s:[s]}", "ok", 0, "error", why));
}

static void refuse_ended(struct evhttp_request *request)
{
	refuse(request, HTTP_SERVUNAVAIL, "the run is ending");
}

/* An errand takes the run's thread some microseconds: however often somebody
 * asks, it is not done more often than this.
 */
static bool is_fresh(int64_t at)
{
	return at && loop_clock() - at < FRESH;
}

static bool do_errand(struct web *web, struct errand *errand, int64_t *at)
{
	bool done = desk_errand(web->desk, errand);

	err_fini(&errand->err);
	*at = done ? loop_clock() : 0;
	return done;
}

json_t *web_state(struct web *web)
{
	struct errand errand = { .kind = ERRAND_STATUS, .status = web->status };
	json_t *state, *channels;

	if (!is_fresh(web->status_at) &&
	    !do_errand(web, &errand, &web->status_at))
		return NULL;
	gauge_note(web->gauge, web->status);
	state = status_json(web->status);
	channels = json_object_get(state, "channels");
	for (size_t i = 0;
	     i < json_array_size(channels) && i < gauge_places(web->gauge);
	     i++) {
		json_t *more = gauge_channel_json(web->gauge, i);

		json_object_update(json_array_get(channels, i), more);
		json_decref(more);
	}
	json_object_set_new(state, "judgement", gauge_verdict_json(web->gauge));
	json_object_set_new(
		state, "feed_lost",
		json_integer((json_int_t)feed_lost(desk_feed(web->desk))));
	return state;
}

bool web_pending(struct web *web, size_t most)
{
	struct errand errand = { .kind = ERRAND_PENDING,
				 .most = most,
				 .pending = web->pending };

	if (is_fresh(web->pending_at) && most <= web->pending_most)
		return true;
	web->pending_most = most;
	return do_errand(web, &errand, &web->pending_at);
}

static void serve_state(struct visit *visit)
{
	json_t *state = web_state(visit->web);

	if (state)
		answer_json(visit->request, HTTP_OK, state);
	else
		refuse_ended(visit->request);
}

static void serve_history(struct visit *visit)
{
	answer_json(visit->request, HTTP_OK,
		    gauge_history_json(visit->web->gauge, HISTORY_BINS));
}

static void serve_pending(struct visit *visit)
{
	struct web *web = visit->web;

	if (web_pending(web, PENDING_MOST))
		answer_json(visit->request, HTTP_OK,
			    status_pending_json(web->pending,
						gauge_arm(web->gauge)));
	else
		refuse_ended(visit->request);
}

static void serve_metrics(struct visit *visit)
{
	json_t *state = web_state(visit->web);
	struct evbuffer *body;

	if (!state) {
		refuse_ended(visit->request);
		return;
	}
	json_decref(state);
	body = buffer_new();
	web_metrics(visit->web, body);
	web_headers(visit->request, "text/plain; version=0.0.4; charset=utf-8",
		    "no-store");
	answer(visit->request, HTTP_OK, body);
}

static void serve_events(struct visit *visit)
{
	const char *pending = evhttp_find_header(&visit->query, "pending");

	if (evhttp_request_get_command(visit->request) == EVHTTP_REQ_HEAD) {
		web_headers(visit->request, "text/event-stream", "no-store");
		evhttp_send_reply(visit->request, HTTP_OK, NULL, NULL);
		return;
	}
	if (visit->peer)
		web_watch(visit->web, visit->peer, visit->request,
			  pending && !strcmp(pending, "1"));
	else
		refuse(visit->request, HTTP_SERVUNAVAIL,
		       "too many connections");
}

/* One line, of which the end may be left out. */
static char *line_of(struct evhttp_request *request)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(request);
	size_t n = evbuffer_get_length(body);
	char *line = malloc(n + 1);

	if (!line)
		abort();
	evbuffer_remove(body, line, n);
	if (n && line[n - 1] == '\n')
		n--;
	if (n && line[n - 1] == '\r')
		n--;
	line[n] = '\0';
	if (n && strlen(line) == n && !strpbrk(line, "\r\n"))
		return line;
	free(line);
	return NULL;
}

static void serve_order(struct visit *visit)
{
	char *line = line_of(visit->request);
	json_t *reply;

	if (!line) {
		refuse(visit->request, HTTP_BADREQUEST,
		       "an order is one line of text");
		return;
	}
	reply = desk_order(visit->web->desk, line);
	free(line);
	visit->web->status_at = visit->web->pending_at = 0;
	answer_json(visit->request,
		    json_is_true(json_object_get(reply, "ok")) ? HTTP_OK : 422,
		    reply);
}

static void serve_asset(struct evhttp_request *request, const char *name)
{
	const struct asset *asset = asset_find(name);
	struct evbuffer *body;

	if (!asset) {
		refuse(request, HTTP_NOTFOUND, "it is not built in");
		return;
	}
	body = buffer_new();
	evbuffer_add_reference(body, asset->bytes, asset->size, NULL, NULL);
	web_headers(request, asset->type, "no-cache");
	answer(request, HTTP_OK, body);
}

static const struct route routes[] = {
	{ "/", WEB_FILE, NULL, "page.html" },
	{ "/page.css", WEB_FILE, NULL, "page.css" },
	{ "/page.js", WEB_FILE, NULL, "page.js" },
	{ "/page-draw.js", WEB_FILE, NULL, "page-draw.js" },
	{ "/chart.js", WEB_FILE, NULL, "chart.js" },
	{ "/state.json", WEB_DATA, serve_state, NULL },
	{ "/history.json", WEB_DATA, serve_history, NULL },
	{ "/pending.json", WEB_DATA, serve_pending, NULL },
	{ "/metrics", WEB_DATA, serve_metrics, NULL },
	{ "/events", WEB_STREAM, serve_events, NULL },
	{ "/order", WEB_ORDER, serve_order, NULL },
};

static const struct route *route_to(const char *path)
{
	for (size_t i = 0; path && i < sizeof(routes) / sizeof(routes[0]); i++)
		if (!strcmp(routes[i].path, path))
			return &routes[i];
	return NULL;
}

static struct web_peer *peer_of(struct web *web, struct evhttp_request *request)
{
	struct bufferevent *bev = evhttp_connection_get_bufferevent(
		evhttp_request_get_connection(request));

	for (size_t i = 0; i < web->n_peers; i++)
		if (web->peer[i].bev == bev)
			return &web->peer[i];
	return NULL;
}

/* How often a header is there; once at most is in order. */
static int count_of(const struct evkeyvalq *headers, const char *name)
{
	const struct evkeyval *header;
	int n = 0;

	for (header = headers->tqh_first; header;
	     header = header->next.tqe_next)
		n += !strcasecmp(header->key, name);
	return n;
}

/* Is it a method that the path has?  Else the answer is given. */
static bool is_method_right(struct evhttp_request *request,
			    const struct route *route)
{
	enum evhttp_cmd_type method = evhttp_request_get_command(request);
	bool post = route->kind == WEB_ORDER;

	if (post ? method == EVHTTP_REQ_POST
		 : method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD)
		return true;
	evhttp_add_header(evhttp_request_get_output_headers(request), "Allow",
			  post ? "POST" : "GET, HEAD");
	refuse(request, HTTP_BADMETHOD,
	       post ? "it takes POST" : "it takes GET and HEAD");
	return false;
}

static void serve_guarded(struct visit *visit, const struct route *route)
{
	const struct evkeyvalq *headers =
		evhttp_request_get_input_headers(visit->request);
	const struct web_request asked = {
		.path = route ? route->kind : WEB_DATA,
		.host = evhttp_find_header(headers, "Host"),
		.origin = evhttp_find_header(headers, "Origin"),
		.site = evhttp_find_header(headers, "Sec-Fetch-Site"),
		.type = evhttp_find_header(headers, "Content-Type"),
		.authorization = evhttp_find_header(headers, "Authorization"),
		.token = evhttp_find_header(headers, "X-Farlink-Token"),
		.query = evhttp_find_header(&visit->query, "token"),
	};
	const char *why;
	int status = web_guard_judge(&visit->web->guard, &asked, &why);

	if (count_of(headers, "Host") > 1 || count_of(headers, "Origin") > 1)
		refuse(visit->request, HTTP_BADREQUEST,
		       "Host and Origin are there once at most");
	else if (status != HTTP_OK)
		refuse(visit->request, status, why);
	else if (!route)
		refuse(visit->request, HTTP_NOTFOUND, "there is no such path");
	else if (route->serve)
		route->serve(visit);
	else
		serve_asset(visit->request, route->asset);
}

void web_serve(struct evhttp_request *request, void *context)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	struct visit visit = { .web = context, .request = request };
	const char *query = uri ? evhttp_uri_get_query(uri) : NULL;
	const struct route *route;

	visit.peer = peer_of(visit.web, request);
	if (visit.peer)
		visit.peer->since = loop_clock();
	if (!uri || evhttp_uri_get_host(uri)) {
		refuse(request, HTTP_BADREQUEST,
		       "the address is a path, without a host");
		return;
	}
	route = route_to(evhttp_uri_get_path(uri));
	if (route && !is_method_right(request, route))
		return;
	if (evhttp_parse_query_str(query ? query : "", &visit.query)) {
		refuse(request, HTTP_BADREQUEST, "the query is malformed");
		return;
	}
	serve_guarded(&visit, route);
	evhttp_clear_headers(&visit.query);
}
