/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * packet.c - IP and UDP headers around a payload: written and read
 *
 * Floor: core.
 *
 * Formats: RFC 791 (IPv4), RFC 8200 (IPv6), RFC 768 (UDP), RFC 1071 (checksum).
 */
#include "core/packet.h"

#include <arpa/inet.h>
#include <string.h>

#define HOPS 64

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint32_t get16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

uint32_t packet_room(int family, uint32_t payload)
{
	return payload + UDP_HEADER_BYTES +
	       (family == AF_INET ? IPV4_HEADER_BYTES : IPV6_HEADER_BYTES);
}

/* Sum of 16-bit words, as RFC 1071 has it, to be folded later. */
static uint64_t sum_of(const uint8_t *at, uint32_t bytes)
{
	uint64_t sum = 0;

	for (; bytes > 1; bytes -= 2, at += 2)
		sum += get16(at);
	if (bytes)
		sum += (uint32_t)at[0] << 8;
	return sum;
}

static uint16_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* The two words of an IPv4 address, for the sum. */
static uint32_t words_of(const struct in_addr *address)
{
	uint32_t host = ntohl(address->s_addr);

	return (host >> 16) + (host & 0xffff);
}

/* The checksum is summed up from what is known, not read back. */
static void build_v4(uint8_t *ip, uint32_t len, const struct sockaddr_in *from,
		     const struct sockaddr_in *to)
{
	const uint32_t first = 0x4500, hops = HOPS << 8 | IPPROTO_UDP;

	put16(ip, first);
	put16(ip + 2, len);
	/* no identification, no part of another */
	put16(ip + 4, 0);
	put16(ip + 6, 0);
	put16(ip + 8, hops);
	put16(ip + 10,
	      fold((uint64_t)first + len + hops + words_of(&from->sin_addr) +
		   words_of(&to->sin_addr)));
	memcpy(ip + 12, &from->sin_addr, sizeof(from->sin_addr));
	memcpy(ip + 16, &to->sin_addr, sizeof(to->sin_addr));
}

static void build_v6(uint8_t *ip, uint32_t len, const struct sockaddr_in6 *from,
		     const struct sockaddr_in6 *to)
{
	memset(ip, 0, IPV6_HEADER_BYTES);
	ip[0] = 0x60;
	put16(ip + 4, len - IPV6_HEADER_BYTES);
	ip[6] = IPPROTO_UDP;
	ip[7] = HOPS;
	memcpy(ip + 8, &from->sin6_addr, sizeof(from->sin6_addr));
	memcpy(ip + 24, &to->sin6_addr, sizeof(to->sin6_addr));
}

void packet_build(struct packet *packet, const union address *from,
		  const union address *to, uint32_t payload)
{
	bool v4 = to->any.sa_family == AF_INET;
	uint32_t header = v4 ? IPV4_HEADER_BYTES : IPV6_HEADER_BYTES;
	uint8_t *udp = packet->ip + header;

	packet->len = header + UDP_HEADER_BYTES + payload;
	packet->payload = (uint8_t)(header + UDP_HEADER_BYTES);
	if (v4)
		build_v4(packet->ip, packet->len, &from->v4, &to->v4);
	else
		build_v6(packet->ip, packet->len, &from->v6, &to->v6);
	memcpy(udp, &from->v4.sin_port, sizeof(from->v4.sin_port));
	memcpy(udp + 2, &to->v4.sin_port, sizeof(to->v4.sin_port));
	put16(udp + 4, UDP_HEADER_BYTES + payload);
	put16(udp + 6, 0);
}

void packet_checksum(struct packet *packet)
{
	uint8_t *ip = packet->ip;
	uint32_t udp_at = packet->payload - UDP_HEADER_BYTES;
	uint32_t udp_bytes = packet->len - udp_at;
	uint64_t sum = IPPROTO_UDP + udp_bytes;
	uint16_t folded;

	if (ip[0] >> 4 == 4) {
		put16(ip + 10, 0);
		put16(ip + 10, fold(sum_of(ip, (ip[0] & 0x0fu) * 4u)));
		sum += sum_of(ip + 12, 8);
	} else {
		sum += sum_of(ip + 8, 32);
	}
	put16(ip + udp_at + 6, 0);
	folded = fold(sum + sum_of(ip + udp_at, udp_bytes));
	/* 0 would mean "no checksum" */
	put16(ip + udp_at + 6, folded ? folded : 0xffff);
}

/* Where the UDP header of an IPv4 packet begins, or 0 with @why. */
static uint32_t udp_of_v4(struct packet *packet, const char **why)
{
	const uint8_t *ip = packet->ip;
	uint32_t header, total;

	if (packet->len < IPV4_HEADER_BYTES)
		return *why = "shorter than an IPv4 header", 0;
	header = (ip[0] & 0x0fu) * 4u;
	total = get16(ip + 2);
	if (header < IPV4_HEADER_BYTES || header > total)
		return *why = "IPv4 header length out of range", 0;
	if (total > packet->len)
		return *why = "cut short", 0;
	if (get16(ip + 6) & 0x3fffu)
		return *why = "a fragment", 0;
	if (ip[9] != IPPROTO_UDP)
		return *why = "not UDP", 0;
	packet->len = total;
	return header;
}

/* The same of an IPv6 packet, past its extension headers. */
static uint32_t udp_of_v6(struct packet *packet, const char **why)
{
	const uint8_t *ip = packet->ip;
	uint32_t at = IPV6_HEADER_BYTES, total;
	uint8_t next;

	if (packet->len < IPV6_HEADER_BYTES)
		return *why = "shorter than an IPv6 header", 0;
	total = IPV6_HEADER_BYTES + get16(ip + 4);
	if (total > packet->len)
		return *why = "cut short", 0;
	packet->len = total;
	for (next = ip[6]; next != IPPROTO_UDP;) {
		if (next == IPPROTO_FRAGMENT)
			return *why = "a fragment", 0;
		if (next != IPPROTO_HOPOPTS && next != IPPROTO_ROUTING &&
		    next != IPPROTO_DSTOPTS)
			return *why = "not UDP", 0;
		if (at + 8 > total)
			return *why = "cut short", 0;
		next = ip[at];
		at += 8u + ip[at + 1] * 8u;
		if (at > UINT8_MAX - UDP_HEADER_BYTES)
			return *why = "extension headers too long", 0;
	}
	return at;
}

/* The IP packet ends with its datagram; what may lie behind goes. */
static void shorten(struct packet *packet, uint32_t len)
{
	uint8_t *ip = packet->ip;

	if (len == packet->len)
		return;
	packet->len = len;
	if (ip[0] >> 4 == 4) {
		put16(ip + 2, len);
		put16(ip + 10, 0);
		put16(ip + 10, fold(sum_of(ip, (ip[0] & 0x0fu) * 4u)));
	} else {
		put16(ip + 4, len - IPV6_HEADER_BYTES);
	}
}

bool packet_read(struct packet *packet, const char **why)
{
	uint32_t udp, udp_bytes;

	if (!packet->len)
		return *why = "empty", false;
	switch (packet->ip[0] >> 4) {
	case 4:
		udp = udp_of_v4(packet, why);
		break;
	case 6:
		udp = udp_of_v6(packet, why);
		break;
	default:
		return *why = "neither IPv4 nor IPv6", false;
	}
	if (!udp)
		return false;
	if (udp + UDP_HEADER_BYTES > packet->len)
		return *why = "shorter than a UDP header", false;
	udp_bytes = get16(packet->ip + udp + 4);
	if (udp_bytes < UDP_HEADER_BYTES || udp + udp_bytes > packet->len)
		return *why = "UDP length out of range", false;
	shorten(packet, udp + udp_bytes);
	packet->payload = (uint8_t)(udp + UDP_HEADER_BYTES);
	return true;
}

void packet_ends(const struct packet *packet, union address *from,
		 union address *to)
{
	const uint8_t *ip = packet->ip;
	const uint8_t *ports = ip + packet->payload - UDP_HEADER_BYTES;
	bool v4 = ip[0] >> 4 == 4;
	union address *end[2] = { from, to };

	for (unsigned i = 0; i < 2; i++) {
		if (!end[i])
			continue;
		memset(end[i], 0, sizeof(*end[i]));
		memcpy(&end[i]->v4.sin_port, ports + 2 * i,
		       sizeof(end[i]->v4.sin_port));
		end[i]->any.sa_family = v4 ? AF_INET : AF_INET6;
		if (v4)
			memcpy(&end[i]->v4.sin_addr, ip + 12 + 4 * i,
			       sizeof(end[i]->v4.sin_addr));
		else
			memcpy(&end[i]->v6.sin6_addr, ip + 8 + 16 * i,
			       sizeof(end[i]->v6.sin6_addr));
	}
}
