/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * transparent_senders.c - a socket for each address that is sent from
 *
 * Floor: edge.
 */
#include "edge/transparent_senders.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BUCKETS 256

struct sender {
	struct udp udp;
	union address from;
	uint64_t used;
	struct sender *next;
};

/**
 * struct senders - The sockets
 * @sender:	All; @n of them are open
 * @bucket:	They, by address
 * @clock:	Counts the calls
 * @latest:	The one that was asked for last
 */
struct senders {
	struct sender sender[SENDERS_MAX];
	size_t n;
	struct sender *bucket[BUCKETS];
	uint64_t clock;
	struct sender *latest;
};

struct senders *senders_new(void)
{
	struct senders *senders = calloc(1, sizeof(*senders));

	if (!senders)
		abort();
	return senders;
}

static bool same(const union address *a, const union address *b)
{
	return a->any.sa_family == b->any.sa_family && address_same(a, b);
}

static struct sender **bucket_of(struct senders *senders,
				 const union address *from)
{
	const uint8_t *byte = from->v6.sin6_addr.s6_addr;
	unsigned hash = address_port(from), n = 16;

	if (from->any.sa_family == AF_INET) {
		byte = (const uint8_t *)&from->v4.sin_addr;
		n = 4;
	}
	while (n--)
		hash = hash * 31 + byte[n];
	return &senders->bucket[(hash ^ hash >> 8) % BUCKETS];
}

/* A free place; where there is none, that of the socket longest unused. */
static struct sender *make_room(struct senders *senders)
{
	struct sender *oldest = &senders->sender[0], **at;

	if (senders->n < SENDERS_MAX)
		return &senders->sender[senders->n++];
	for (size_t i = 1; i < senders->n; i++)
		if (senders->sender[i].used < oldest->used)
			oldest = &senders->sender[i];
	for (at = bucket_of(senders, &oldest->from); *at != oldest;)
		at = &(*at)->next;
	*at = oldest->next;
	udp_close(&oldest->udp);
	return oldest;
}

struct udp *senders_get(struct senders *senders, const union address *from)
{
	struct sender **bucket = NULL, *sender = senders->latest;
	const int least = 1;
	struct udp udp;

	if (!sender || !same(&sender->from, from)) {
		bucket = bucket_of(senders, from);
		for (sender = *bucket; sender; sender = sender->next)
			if (same(&sender->from, from))
				break;
	}
	if (!sender) {
		if (udp_open_foreign(&udp, from, "", NULL) < 0)
			return NULL;
		/* nobody reads it: what strays to it must not pile up */
		(void)setsockopt(udp.fd, SOL_SOCKET, SO_RCVBUF, &least,
				 sizeof(least));
		sender = make_room(senders);
		bucket = bucket_of(senders, from);
		*sender = (struct sender){ .udp = udp,
					   .from = *from,
					   .next = *bucket };
		*bucket = sender;
	}
	sender->used = ++senders->clock;
	senders->latest = sender;
	return &sender->udp;
}

void senders_free(struct senders *senders)
{
	if (!senders)
		return;
	for (size_t i = 0; i < senders->n; i++)
		udp_close(&senders->sender[i].udp);
	free(senders);
}
