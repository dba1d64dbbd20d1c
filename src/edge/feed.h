/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * feed.h - what a run tells those who watch it, as it happens
 *
 * Floor: edge.
 *
 * The thread of the packets puts, another one takes.  Nothing waits: what does
 * not fit is not shown, and counted.
 */
#ifndef EDGE_FEED_H
#define EDGE_FEED_H

#include "core/packet.h"
#include "edge/ring.h"
#include "vehicle/reconstruction.h"
#include "vehicle/vehicle.h"

struct feed;

/* What an item is about. */
enum feed_kind {
	FEED_TRIAL,  /* a trial begins: all that follows is in it */
	FEED_PACKET, /* a packet is settled */
	FEED_STEP,   /* the vehicle made a step */
	FEED_VIEW,   /* the operator's view changed */
	FEED_EVENT,  /* an event, as in events.csv, or a message ("warning") */
};

/* @channel is that of the arm, or its number of channels where it fits none. */
struct feed_packet {
	uint64_t id;
	nsec ingress, due, released; /* NSEC_NEVER where there is none */
	uint32_t size;		     /* payload bytes */
	uint16_t channel;
	uint8_t direction, fate;
	bool copy; /* a duplicate, delivered besides its original */
};

struct feed_view {
	nsec now, sampled;
	struct pose pose;
};

#define FEED_TEXT 1024u

/* @text is the word and then the detail, both ended by a zero byte; the item
 * has room for no more than these.
 */
struct feed_event {
	nsec now;
	uint32_t detail_at;
	char text[2 * FEED_TEXT];
};

/**
 * struct feed_item - One item
 * @kind:	What it is about
 * @between:	FEED_TRIAL: it is no trial, but what passes between two
 * @trial:	FEED_TRIAL: its id
 */
struct feed_item {
	uint32_t kind;
	bool between;
	union {
		char trial[128];
		struct feed_packet packet;
		struct vehicle_row step;
		struct feed_view view;
		struct feed_event event;
	};
};

/**
 * feed_new() - Make a feed
 *
 * Return: the feed, or NULL if there is not the memory.
 */
struct feed *feed_new(void);

/* To put; a feed of NULL does nothing. */
void feed_trial(struct feed *feed, const char *trial, bool between);
void feed_packet(struct feed *feed, const struct packet *packet, size_t channel,
		 nsec released);
void feed_step(struct feed *feed, const struct vehicle_row *row);
void feed_view(struct feed *feed, nsec now,
	       const struct reconstruction_view *view);
void feed_event(struct feed *feed, nsec now, const char *word,
		const char *detail);

/**
 * feed_first() - Look at the oldest item
 * @feed:	Feed
 *
 * Return: the item, the taker's until feed_take(), or NULL.
 */
const struct feed_item *feed_first(struct feed *feed);

/**
 * feed_take() - Done with the oldest item
 * @feed:	Feed whose feed_first() was not NULL
 */
void feed_take(struct feed *feed);

/**
 * feed_lost() - Items that did not fit
 * @feed:	Feed
 *
 * Return: how many.
 */
uint64_t feed_lost(const struct feed *feed);

/**
 * feed_free() - Free a feed
 * @feed:	Feed, or NULL
 */
void feed_free(struct feed *feed);

#endif /* EDGE_FEED_H */
