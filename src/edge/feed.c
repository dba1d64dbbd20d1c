/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * feed.c - what a run tells those who watch it, as it happens
 *
 * Floor: edge.
 */
#include "edge/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a million packets a second for 50 ms. */
#define FEED_BYTES (8u << 20)

struct feed {
	struct ring ring;
	_Atomic uint64_t lost;
};

struct feed *feed_new(void)
{
	struct feed *feed = aligned_alloc(64, (sizeof(*feed) + 63) / 64 * 64);

	if (!feed)
		return NULL;
	memset(feed, 0, sizeof(*feed));
	if (ring_init(&feed->ring, FEED_BYTES))
		return feed;
	free(feed);
	return NULL;
}

/* Room for an item of a kind; @size bytes behind its head. */
static struct feed_item *room_for(struct feed *feed, enum feed_kind kind,
				  size_t size)
{
	struct feed_item *item;

	if (!feed)
		return NULL;
	item = ring_room(&feed->ring, offsetof(struct feed_item, trial) + size);
	if (item)
		item->kind = kind;
	else
		atomic_fetch_add(&feed->lost, 1);
	return item;
}

void feed_trial(struct feed *feed, const char *trial, bool between)
{
	struct feed_item *item =
		room_for(feed, FEED_TRIAL, sizeof(item->trial));

	if (!item)
		return;
	item->between = between;
	snprintf(item->trial, sizeof(item->trial), "%s", trial);
	ring_put(&feed->ring);
}

void feed_packet(struct feed *feed, const struct packet *packet, size_t channel,
		 nsec released)
{
	struct feed_item *item =
		room_for(feed, FEED_PACKET, sizeof(item->packet));

	if (!item)
		return;
	item->packet = (struct feed_packet){
		.id = packet->id,
		.ingress = packet->ingress,
		.due = packet->due,
		.released = released,
		.size = packet_payload_bytes(packet),
		.channel = (uint16_t)channel,
		.direction = packet->direction,
		.fate = packet->fate,
		.copy = packet_is_copy(packet),
	};
	ring_put(&feed->ring);
}

void feed_step(struct feed *feed, const struct vehicle_row *row)
{
	struct feed_item *item = room_for(feed, FEED_STEP, sizeof(item->step));

	if (!item)
		return;
	item->step = *row;
	ring_put(&feed->ring);
}

void feed_view(struct feed *feed, nsec now,
	       const struct reconstruction_view *view)
{
	struct feed_item *item;

	if (!view->has_pose)
		return;
	item = room_for(feed, FEED_VIEW, sizeof(item->view));
	if (!item)
		return;
	item->view = (struct feed_view){ now, view->sampled, view->pose };
	ring_put(&feed->ring);
}

void feed_event(struct feed *feed, nsec now, const char *word,
		const char *detail)
{
	size_t word_size = strnlen(word, FEED_TEXT - 1) + 1;
	size_t detail_size = strnlen(detail, FEED_TEXT - 1) + 1;
	struct feed_item *item = room_for(feed, FEED_EVENT,
					  offsetof(struct feed_event, text) +
						  word_size + detail_size);

	if (!item)
		return;
	item->event.now = now;
	item->event.detail_at = (uint32_t)word_size;
	snprintf(item->event.text, word_size, "%s", word);
	snprintf(item->event.text + word_size, detail_size, "%s", detail);
	ring_put(&feed->ring);
}

const struct feed_item *feed_first(struct feed *feed)
{
	size_t len;

	return ring_first(&feed->ring, &len);
}

void feed_take(struct feed *feed)
{
	ring_take(&feed->ring);
}

uint64_t feed_lost(const struct feed *feed)
{
	return atomic_load(&feed->lost);
}

void feed_free(struct feed *feed)
{
	if (!feed)
		return;
	ring_fini(&feed->ring);
	free(feed);
}
