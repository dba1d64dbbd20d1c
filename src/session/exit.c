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
 * Packets that wait while the arm changes keep the settings that they entered
 * under, whenever they are taken out: so a record can be derived again.
 *
 * A copy has the id of its original, and "duplicate" as its reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Random streams of its own, from their beginning. */
static void begin_draws(const struct session *session, size_t channel,
			struct exit_terms *terms)
{
	seed_one(session, channel, "duplicate", &terms->own.duplicate);
	seed_one(session, channel, "corrupt", &terms->own.corrupt);
	terms->draws = &terms->own;
}

static void add_terms(struct session *session, size_t channel, nsec from,
		      bool anew)
{
	const struct arm_channel *as = &session->arm->channel[channel];
	struct channel_exit *exit = &session->exit[channel];
	struct exit_terms *terms = calloc(1, sizeof(*terms));

	if (!terms)
		abort();
	terms->before = exit->latest;
	terms->from = from;
	terms->duplicate = as->duplicate;
	terms->corrupt = as->corrupt;
	if (anew)
		begin_draws(session, channel, terms);
	else
		terms->draws = exit->latest->draws;
	exit->latest = terms;
}

void exit_fini(struct session *session)
{
	for (size_t i = 0; session->exit && i < session->n_channels; i++) {
		struct channel_exit *exit = &session->exit[i];

		while (exit->latest) {
			struct exit_terms *terms = exit->latest;

			exit->latest = terms->before;
			free(terms);
		}
	}
}

void exit_reset(struct session *session)
{
	exit_fini(session);
	for (size_t i = 0; i < session->n_channels; i++)
		add_terms(session, i, 0, true);
}

void exit_adopt(struct session *session, nsec now, bool anew)
{
	for (size_t i = 0; i < session->n_channels; i++) {
		const struct arm_channel *as = &session->arm->channel[i];
		const struct exit_terms *terms = session->exit[i].latest;

		if (anew || terms->duplicate != as->duplicate ||
		    terms->corrupt != as->corrupt)
			add_terms(session, i, now, anew);
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

/* The terms that a packet entered under. */
static struct exit_terms *terms_of(const struct channel_exit *exit,
				   const struct packet *packet)
{
	struct exit_terms *terms = exit->latest;

	while (terms->before && packet->ingress < terms->from)
		terms = terms->before;
	return terms;
}

struct packet *exit_apply(struct session *session, struct packet *packet)
{
	const struct exit_terms *terms =
		terms_of(&session->exit[packet->channel], packet);
	double share, where, twice;

	if (terms->corrupt <= 0.0 && terms->duplicate <= 0.0)
		return NULL;
	share = rng_uniform(&terms->draws->corrupt);
	where = rng_uniform(&terms->draws->corrupt);
	twice = rng_uniform(&terms->draws->duplicate);
	if (share < terms->corrupt)
		flip_bit(packet, where);
	return twice < terms->duplicate ? copy_of(session, packet) : NULL;
}
