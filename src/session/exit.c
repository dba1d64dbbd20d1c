/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * exit.c - what a channel's settings do to a packet that it releases
 *
 * Floor: session.
 *
 * Duplication and corruption are no conditions: they change how often and with
 * which bytes a packet is delivered, not when.  Each has a random stream of its
 * own, of the key "SEED/DIRECTION/STREAM/duplicate" or ".../corrupt", and takes
 * the same count of numbers for every released packet.
 *
 * A copy has the id of its original, and "duplicate" as its reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/seed.h"
#include "session/inside.h"

static void seed_one(const struct session *session, size_t channel,
		     const char *what, struct rng *rng)
{
	const struct channel_plan *plan = &session->arm->channel[channel].plan;
	char key[512];

	snprintf(key, sizeof(key), "%" PRIu64 "/%s/%s/%s", session->seed,
		 direction_name(plan->direction), plan->stream, what);
	seed_key(rng, seed_hash(key));
}

void exit_reset(struct session *session)
{
	for (size_t i = 0; i < session->n_channels; i++) {
		seed_one(session, i, "duplicate", &session->exit[i].duplicate);
		seed_one(session, i, "corrupt", &session->exit[i].corrupt);
	}
}

/* One bit of the payload, any of them. */
static void flip_bit(struct packet *packet, double where)
{
	uint32_t bytes = packet_payload_bytes(packet);
	uint8_t *udp = packet->ip + packet->payload - UDP_HEADER_BYTES;
	uint32_t bit;

	if (!bytes)
		return;
	bit = (uint32_t)(where * 8.0 * bytes);
	packet->ip[packet->payload + bit / 8] ^= (uint8_t)(1u << bit % 8);
	packet->by = "corrupt";
	/* a checksum that is there must be right, or the receiver drops it */
	if (udp[6] || udp[7])
		packet_checksum(packet);
}

static struct packet *copy_of(struct session *session,
			      const struct packet *packet)
{
	struct packet *copy = session_packet(session, packet->len);

	if (!copy)
		return NULL; /* the pool is sized so that this cannot be */
	memcpy(copy, packet, offsetof(struct packet, ip) + packet->len);
	copy->next = NULL;
	copy->by = BY_DUPLICATE;
	return copy;
}

struct packet *exit_apply(struct session *session, struct packet *packet)
{
	const struct arm_channel *channel =
		&session->arm->channel[packet->channel];
	struct channel_exit *exit = &session->exit[packet->channel];
	double share, where, twice;

	if (channel->corrupt <= 0.0 && channel->duplicate <= 0.0)
		return NULL;
	share = rng_uniform(&exit->corrupt);
	where = rng_uniform(&exit->corrupt);
	twice = rng_uniform(&exit->duplicate);
	if (share < channel->corrupt)
		flip_bit(packet, where);
	return twice < channel->duplicate ? copy_of(session, packet) : NULL;
}
