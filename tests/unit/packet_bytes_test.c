/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * packet_bytes_test.c - headers byte by byte, and where a cut one ends
 *
 * Floor: tests.
 */
#include "core/packet.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/address.h"

/* A packet of exactly @len bytes, so that a sanitizer sees a byte too far. */
static struct packet *bytes_of(const uint8_t *bytes, uint32_t len)
{
	struct packet *packet = calloc(1, offsetof(struct packet, ip) + len);

	cr_assert_not_null(packet);
	packet->len = len;
	if (len)
		memcpy(packet->ip, bytes, len);
	return packet;
}

static bool reads(const uint8_t *bytes, uint32_t len, const char **why)
{
	struct packet *packet = bytes_of(bytes, len);
	bool good = packet_read(packet, why);

	free(packet);
	return good;
}

static struct packet *built(const char *from_text, const char *to_text,
			    const char *payload)
{
	uint32_t bytes = (uint32_t)strlen(payload);
	union address from, to;
	struct packet *packet;

	cr_assert(address_parse(from_text, &from));
	cr_assert(address_parse(to_text, &to));
	packet = bytes_of(NULL, 0);
	packet = realloc(packet, offsetof(struct packet, ip) +
					 packet_room(to.any.sa_family, bytes));
	packet_build(packet, &from, &to, bytes);
	cr_assert_eq(packet->len, packet_room(to.any.sa_family, bytes));
	cr_assert_eq(packet_payload_bytes(packet), bytes);
	memcpy(packet->ip + packet->payload, payload, bytes);
	return packet;
}

static const char *const ends[][2] = {
	{ "192.0.2.1:40000", "192.0.2.2:5002" },
	{ "[2001:db8::1]:40000", "[2001:db8::2]:65535" },
};

/* An IPv6 packet with @n extension headers, each of @kind and @words * 8 + 8
 * bytes, before the UDP header.
 */
static struct packet *extended(unsigned n, uint8_t kind, uint8_t words)
{
	struct packet *packet = built(ends[1][0], ends[1][1], "hello");
	uint32_t each = 8u + words * 8u, extra = n * each;
	struct packet *longer = bytes_of(NULL, 0);

	longer = realloc(longer,
			 offsetof(struct packet, ip) + packet->len + extra);
	longer->len = packet->len + extra;
	memset(longer->ip, 0, longer->len);
	memcpy(longer->ip, packet->ip, 40);
	memcpy(longer->ip + 40 + extra, packet->ip + 40, packet->len - 40);
	longer->ip[4] = (uint8_t)((longer->len - 40) >> 8);
	longer->ip[5] = (uint8_t)(longer->len - 40);
	if (n)
		longer->ip[6] = kind;
	for (unsigned i = 0; i < n; i++) {
		longer->ip[40 + i * each] = i + 1 < n ? kind : 17;
		longer->ip[40 + i * each + 1] = words;
	}
	free(packet);
	return longer;
}

/* Headers written over memory that was used before; the payload stays. */
static void check_built(int version, const uint8_t *expected, uint32_t header)
{
	struct packet *packet = bytes_of(NULL, 0);
	uint32_t len = header + 3;
	union address from, to;

	packet = realloc(packet, offsetof(struct packet, ip) + len);
	memset(packet->ip, 0xaa, len);
	cr_assert(address_parse(ends[version][0], &from));
	cr_assert(address_parse(ends[version][1], &to));
	packet_build(packet, &from, &to, 3);
	cr_assert_eq(packet->len, len);
	cr_assert_eq(packet->payload, header);
	for (uint32_t i = 0; i < len; i++)
		cr_assert_eq(packet->ip[i], i < header ? expected[i] : 0xaa,
			     "byte %u: %02x", i, packet->ip[i]);
	free(packet);
}

Test(packet_bytes, headers_are_those_of_the_standards)
{
	static const uint8_t v4[] = { 0x45, 0,	  0,	31,   0,    0,	 0,
				      0,    64,	  17,	0xf6, 0xca, 192, 0,
				      2,    1,	  192,	0,    2,    2,	 0x9c,
				      0x40, 0x13, 0x8a, 0,    11,   0,	 0 };
	static const uint8_t v6[] = { 0x60, 0,	  0,	0,    0, 11, 17, 64,
				      0x20, 1,	  0x0d, 0xb8, 0, 0,  0,	 0,
				      0,    0,	  0,	0,    0, 0,  0,	 1,
				      0x20, 1,	  0x0d, 0xb8, 0, 0,  0,	 0,
				      0,    0,	  0,	0,    0, 0,  0,	 2,
				      0x9c, 0x40, 0xff, 0xff, 0, 11, 0,	 0 };

	check_built(0, v4, sizeof(v4));
	check_built(1, v6, sizeof(v6));
}

/* The checksum of an IPv4 header by the bytes; a good one gives ffff. */
static uint32_t header_sum(const struct packet *packet)
{
	uint32_t sum = 0, n = (packet->ip[0] & 15u) * 4u;

	for (uint32_t i = 0; i < n; i++)
		sum += i & 1 ? packet->ip[i] : packet->ip[i] * 256u;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

Test(packet_bytes, the_sum_of_a_header_holds_for_all_addresses_and_when_cut)
{
	static const char *const hosts[] = { "255.254.253.252:1",
					     "1.2.3.4:65535", "0.0.0.0:7",
					     "255.255.255.255:9" };
	const char *why;

	for (size_t i = 0; i < 16; i++) {
		struct packet *packet =
			built(hosts[i % 4], hosts[i / 4], "hello");
		struct packet *longer;
		uint8_t bytes[64];
		uint32_t len = packet->len;

		cr_assert_eq(header_sum(packet), 0xffff);
		/* with 4 bytes of options, and 2 of the payload too many */
		memcpy(bytes, packet->ip, 20);
		memset(bytes + 20, 1, 4);
		memcpy(bytes + 24, packet->ip + 20, len - 20);
		bytes[0] = 0x46;
		bytes[3] = (uint8_t)(len + 4);
		bytes[24 + 5] = 8 + 3;
		longer = bytes_of(bytes, len + 4);
		cr_assert(packet_read(longer, &why), "%s", why);
		cr_assert_eq(longer->len, len + 2);
		cr_assert_eq(longer->ip[3], len + 2);
		cr_assert_eq(header_sum(longer), 0xffff);
		free(longer);
		free(packet);
	}
}

/* The first @len bytes, the length in the header mended, are refused. */
static void check_cut(struct packet *packet, uint32_t len, const char *expected)
{
	bool v4 = packet->ip[0] >> 4 == 4;
	const char *why = "";

	packet->ip[v4 ? 2 : 4] = 0;
	packet->ip[v4 ? 3 : 5] = (uint8_t)(v4 ? len : len - 40);
	cr_assert(!reads(packet->ip, len, &why), "%u", len);
	cr_assert_str_eq(why, expected, "%u: %s", len, why);
}

Test(packet_bytes, what_is_cut_says_what_it_lacks)
{
	struct packet *v4 = built(ends[0][0], ends[0][1], "hello");
	struct packet *v6 = extended(2, 60, 0); /* two of 8 bytes */
	const char *why = "";

	cr_assert(!reads(v4->ip, 0, &why));
	cr_assert_str_eq(why, "empty");
	for (uint32_t len = 1; len < 20; len++)
		check_cut(v4, len, "shorter than an IPv4 header");
	for (uint32_t len = 20; len < 28; len++)
		check_cut(v4, len, "shorter than a UDP header");
	for (uint32_t len = 28; len < v4->len; len++)
		check_cut(v4, len, "UDP length out of range");
	cr_assert(!reads(v6->ip, 39, &why));
	cr_assert_str_eq(why, "shorter than an IPv6 header");
	cr_assert(!reads(v6->ip, 40, &why));
	cr_assert_str_eq(why, "cut short");
	for (uint32_t len = 40; len < 56; len++)
		check_cut(v6, len, "cut short");
	for (uint32_t len = 56; len < 64; len++)
		check_cut(v6, len, "shorter than a UDP header");
	for (uint32_t len = 64; len < v6->len; len++)
		check_cut(v6, len, "UDP length out of range");
	free(v4);
	free(v6);
}

Test(packet_bytes, extension_headers_reach_up_to_byte_240)
{
	struct packet *packet = extended(25, 60, 0);
	const char *why = "";

	cr_assert(packet_read(packet, &why), "%s", why);
	cr_assert_eq(packet->payload, 248);
	free(packet);
	packet = extended(26, 60, 0);
	cr_assert(!packet_read(packet, &why));
	cr_assert_str_eq(why, "extension headers too long");
	free(packet);
}

Test(packet_bytes, ends_are_addresses_and_ports_and_nothing_else)
{
	for (int i = 0; i < 2; i++) {
		struct packet *packet = built(ends[i][0], ends[i][1], "");
		union address from, to, expected;

		memset(&from, 0xaa, sizeof(from));
		memset(&to, 0xaa, sizeof(to));
		packet_ends(packet, &from, &to);
		cr_assert(address_parse(ends[i][0], &expected));
		cr_assert(!memcmp(&from, &expected, sizeof(from)));
		cr_assert(address_parse(ends[i][1], &expected));
		cr_assert(!memcmp(&to, &expected, sizeof(to)));
		/* one of them may not be wanted */
		memset(&to, 0xaa, sizeof(to));
		packet_ends(packet, NULL, &to);
		cr_assert(!memcmp(&to, &expected, sizeof(to)));
		free(packet);
	}
}
