/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * packet.h - a whole IP packet with its story, and the pool it lives in
 *
 * Floor: core.
 *
 * Every front hands over whole IP packets (link type RAW), so that filters,
 * captures and records see the same bytes.  A packet belongs to whoever was
 * handed it last.
 */
#ifndef CORE_PACKET_H
#define CORE_PACKET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "conditions/condition.h"

#define UDP_HEADER_BYTES  8u
#define IPV4_HEADER_BYTES 20u
#define IPV6_HEADER_BYTES 40u
/* The largest UDP payload over IPv4; what both versions can carry. */
#define PAYLOAD_MAX 65507u

enum direction { UPLINK, DOWNLINK };
#define DIRECTIONS 2

/* What became of a packet. */
enum fate {
	FATE_QUEUED,	 /* not settled yet */
	FATE_RELEASED,	 /* left when it was due */
	FATE_SUPPRESSED, /* a condition said so */
	FATE_DROPPED,	 /* something else said so: see @by */
	FATE_FORWARDED,	 /* matched no channel, and unmatched = forward */
	FATE_INJECTED,	 /* our own: a stop */
};

/**
 * struct packet - One packet and its story
 * @id:		Place in the order of arrival, from 0 at each trial's start
 * @ingress:	When it entered
 * @due:	When it leaves the stage it is in; once settled as released,
 *		when it was scheduled to leave; NSEC_NEVER where there is none
 * @by:		Who suppressed or dropped it; "" where nobody did
 * @next:	For whoever holds it
 * @len:	Bytes of the IP packet
 * @place:	Place in the order of arrival at its channel, from 1; 0: it has
 *		none
 * @channel:	Place of its channel in the arm, or CHANNEL_NONE
 * @payload:	Where the UDP payload begins in @ip
 * @stage:	Stage of the chain that it goes on to
 * @direction:	UPLINK or DOWNLINK
 * @fate:	enum fate
 * @chain:	Generation of the channel's settings that governs it
 * @way:	For the front: by which way it came in
 * @ip:		The bytes, from the IP header on
 */
struct packet {
	uint64_t id;
	nsec ingress;
	nsec due;
	const char *by;
	struct packet *next;
	uint32_t len, place;
	uint16_t channel;
	uint8_t payload;
	uint8_t stage;
	uint8_t direction;
	uint8_t fate;
	uint16_t chain, way;
	uint8_t ip[];
};

#define CHANNEL_NONE UINT16_MAX
/* It did not come in by a front: it was made in the session. */
#define WAY_INSIDE UINT16_MAX

/* By whom a packet is that was delivered besides its original. */
#define BY_DUPLICATE "duplicate"

/* Whether a packet was delivered besides its original. */
static inline bool packet_is_copy(const struct packet *packet)
{
	return packet->by && !strcmp(packet->by, BY_DUPLICATE);
}

/* Size of the UDP payload. */
static inline uint32_t packet_payload_bytes(const struct packet *packet)
{
	return packet->len - packet->payload;
}

/* One end of a datagram: an IPv4 or IPv6 socket address. */
union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/**
 * packet_room() - Bytes that a packet around a payload takes
 * @family:	AF_INET or AF_INET6
 * @payload:	Bytes of payload
 *
 * Return: bytes of the IP packet.
 */
uint32_t packet_room(int family, uint32_t payload);

/**
 * packet_build() - Write the IP and UDP headers around a payload
 * @packet:	Packet with room for packet_room(); @len, @payload and the
 *		header bytes are written, the payload itself is the caller's to
 *		copy
 * @from:	Source; of the family of @to
 * @to:		Destination
 * @payload:	Bytes of payload, at most PAYLOAD_MAX
 *
 * The UDP checksum is left 0; packet_checksum() makes it where it is needed.
 */
void packet_build(struct packet *packet, const union address *from,
		  const union address *to, uint32_t payload);

/**
 * packet_checksum() - Write the UDP (and IPv4 header) checksums
 * @packet:	Packet as packet_build() or packet_read() left it
 */
void packet_checksum(struct packet *packet);

/**
 * packet_read() - Find the payload of an IP packet that came from outside
 * @packet:	Packet with @ip and @len filled; @payload is written, and @len
 *		cut to what the headers say
 * @why:	Set to a short reason when it is not a whole UDP packet
 *
 * Every length is checked.  IPv6 extension headers are passed over; a fragment
 * is refused.  Where the datagram ends before the IP packet does, the IP packet
 * is shortened to it, so that it is read the same again.
 *
 * Return: true if it is a whole UDP packet.
 */
bool packet_read(struct packet *packet, const char **why);

/**
 * packet_ends() - Source and destination of a packet
 * @packet:	Packet that packet_read() or packet_build() took
 * @from:	Set to the source, or NULL
 * @to:		Set to the destination, or NULL
 */
void packet_ends(const struct packet *packet, union address *from,
		 union address *to);

/* UDP port of an address, in host order. */
static inline uint16_t address_port(const union address *address)
{
	return ntohs(address->v4.sin_port); /* at the same place in v6 */
}

/**
 * struct pool - Packets cut to size, out of memory reserved at start
 *
 * Opaque; see packet.c for how it works.
 */
struct pool;

/**
 * pool_new() - Reserve memory for packets
 * @bytes:	Bytes of IP packets it is to hold
 * @packets:	How many packets it is to hold
 *
 * Pages are touched only when they are used.
 *
 * Return: the pool, or NULL if the machine refuses.
 */
struct pool *pool_new(uint64_t bytes, uint64_t packets);

/**
 * pool_get() - Take a packet
 * @pool:	Pool
 * @len:	Bytes of IP packet, at most 65 575
 *
 * Return: a packet with all fields zero but @len, or NULL if the pool is full.
 */
struct packet *pool_get(struct pool *pool, uint32_t len);

/**
 * pool_put() - Give a packet back
 * @pool:	Pool it came from
 * @packet:	Packet; NULL does nothing
 */
void pool_put(struct pool *pool, struct packet *packet);

/**
 * pool_used() - Packets that are out
 * @pool:	Pool
 *
 * Return: how many were taken and not given back.
 */
uint64_t pool_used(const struct pool *pool);

/**
 * pool_free() - Free the pool with everything in it
 * @pool:	Pool, or NULL
 */
void pool_free(struct pool *pool);

#endif /* CORE_PACKET_H */
