/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_stream.c - /events: what is new, to those who watch
 *
 * Floor: edge.
 *
 * How it works
 *
 * Each event is written once and copied to all who watch.  For one who does
 * not read, WEB_BACKLOG bytes wait at most, then the connection is cut; a
 * browser connects anew by itself.
 */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "edge/web_inside.h"

#define STATE_EVERY   (500 * NSEC_PER_MS)
#define PENDING_MOST  60
#define WRITE_SECONDS 20
/* Ticks between two: of poses, and of packets in flight. */
#define POSE_TICKS    2
#define PENDING_TICKS 2
/* Bins that are told at once; a page that missed more reads the history. */
#define BINS_AT_ONCE 20

static size_t waits(const struct web_peer *peer)
{
	return evbuffer_get_length(bufferevent_get_output(peer->bev));
}

static void send_to(struct web_peer *peer, const char *text, size_t size)
{
	struct evbuffer *buffer;

	if (waits(peer) > WEB_BACKLOG) {
		struct evhttp_request *stream = peer->stream;

		peer->stream = NULL;
		evhttp_connection_free(evhttp_request_get_connection(stream));
		evhttp_request_free(stream);
		return;
	}
	buffer = evbuffer_new();
	if (!buffer)
		return;
	evbuffer_add(buffer, text, size);
	evhttp_send_reply_chunk(peer->stream, buffer);
	evbuffer_free(buffer);
}

/* @only: to those who watch packets in flight. */
static void tell(struct web *web, const char *event, json_t *data, bool only)
{
	char *json = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9));
	struct evbuffer *text = evbuffer_new();

	json_decref(data);
	if (json && text) {
		evbuffer_add_printf(text, "event: %s\ndata: ", event);
		evbuffer_add(text, json, strlen(json));
		evbuffer_add(text, "\n\n", 2);
		for (size_t i = 0; i < web->n_peers; i++)
			if (web->peer[i].stream &&
			    (!only || web->peer[i].pending))
				send_to(&web->peer[i],
					(char *)evbuffer_pullup(text, -1),
					evbuffer_get_length(text));
	}
	if (text)
		evbuffer_free(text);
	free(json);
}

void web_watch(struct web *web, struct web_peer *peer,
	       struct evhttp_request *request, bool pending)
{
	static const char hello[] = "retry: 1000\n\n";
	const struct timeval patience = { .tv_sec = WRITE_SECONDS };

	web_headers(request, "text/event-stream", "no-store");
	/* when the connection ends, web_sweep() frees it, not libevent */
	evhttp_request_own(request);
	evhttp_send_reply_start(request, HTTP_OK, "OK");
	/* it says nothing more itself */
	bufferevent_set_timeouts(peer->bev, NULL, &patience);
	peer->stream = request;
	peer->pending = pending;
	send_to(peer, hello, sizeof(hello) - 1);
	web->state_at = 0; /* it is told at once */
}

static bool is_watched(const struct web *web, bool pending)
{
	for (size_t i = 0; i < web->n_peers; i++)
		if (web->peer[i].stream && (!pending || web->peer[i].pending))
			return true;
	return false;
}

/* Short, since it comes often: [CHANNEL, ID, INGRESS, DUE, STAGE, STAGES]. */
static json_t *flight_json(const struct pending *pending)
{
	json_t *packets = json_array();

	for (size_t i = 0; i < pending->n; i++) {
		const struct pending_packet *packet = &pending->packet[i];

		json_array_append_new(
			packets,
			json_pack("[i, I, I, I, i, i]", (int)packet->channel,
				  (json_int_t)packet->id,
				  (json_int_t)packet->ingress,
				  (json_int_t)packet->due, (int)packet->stage,
				  (int)packet->stages));
	}
	return json_pack("{s:I, s:I, s:o}", "now_ns", (json_int_t)pending->now,
			 "all", (json_int_t)pending->all, "packets", packets);
}

static void tell_bins(struct web *web)
{
	uint64_t bins = gauge_bins(web->gauge);

	if (bins - web->bins > BINS_AT_ONCE)
		web->bins = bins - BINS_AT_ONCE;
	while (web->bins < bins) {
		json_t *bin = gauge_bin_json(web->gauge, bins - ++web->bins);

		if (bin)
			tell(web, "bin", bin, false);
	}
}

static void tell_events(struct web *web)
{
	uint64_t events = gauge_events(web->gauge);

	if (events - web->events > GAUGE_EVENTS)
		web->events = events - GAUGE_EVENTS;
	while (web->events < events) {
		json_t *event = gauge_event_json(web->gauge, web->events++);

		if (event)
			tell(web, "event", event, false);
	}
}

static void tell_all(struct web *web)
{
	json_t *poses;

	tell_bins(web);
	tell_events(web);
	if (web->ticks % POSE_TICKS == 0) {
		poses = gauge_poses_json(web->gauge);
		if (poses)
			tell(web, "path", poses, false);
	}
	if (web->ticks % PENDING_TICKS == 0 && is_watched(web, true) &&
	    web_pending(web, PENDING_MOST))
		tell(web, "pending", flight_json(web->pending), true);
}

void web_tick(struct web *web)
{
	int64_t now = loop_clock();
	bool watched;
	json_t *state;

	if (!web)
		return;
	web_sweep(web, now);
	watched = is_watched(web, false);
	web->ticks++;
	if (now - web->state_at >= STATE_EVERY) {
		web->state_at = now;
		state = web_state(web);
		if (state && watched)
			tell(web, "state", state, false);
		else
			json_decref(state);
	}
	if (watched) {
		tell_all(web);
	} else {
		web->bins = gauge_bins(web->gauge);
		web->events = gauge_events(web->gauge);
	}
}

void web_tell_end(struct web *web)
{
	tell(web, "end", json_object(), false);
	for (size_t i = 0; i < web->n_peers; i++) {
		struct bufferevent *bev = web->peer[i].bev;
		struct evbuffer *out = bufferevent_get_output(bev);

		if (!web->peer[i].stream)
			continue;
		/* nobody goes round any more to write it */
		evbuffer_unfreeze(out, 1);
		(void)!evbuffer_write(out, bufferevent_getfd(bev));
		evbuffer_freeze(out, 1);
	}
}
