/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * packet_test.c - headers written and read: whole, cut, garbled, extended
 *
 * Floor: tests.
 */
#include "core/packet.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/address.h"
#include "core/seed.h"

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

Test(packet, what_was_built_is_read_back)
{
	for (int i = 0; i < 2; i++) {
		struct packet *packet = built(ends[i][0], ends[i][1], "hello");
		union address from, to;
		char text[ADDRESS_TEXT];
		const char *why = NULL;
		uint32_t len = packet->len;
		uint8_t payload = packet->payload;

		cr_assert(packet_read(packet, &why));
		cr_assert_eq(packet->len, len);
		cr_assert_eq(packet->payload, payload);
		cr_assert(!memcmp(packet->ip + packet->payload, "hello", 5));
		packet_ends(packet, &from, &to);
		address_print(&from, text);
		cr_assert_str_eq(text, ends[i][0]);
		address_print(&to, text);
		cr_assert_str_eq(text, ends[i][1]);
		packet_ends(packet, NULL, NULL);
		free(packet);
	}
}

Test(packet, an_empty_payload_and_the_greatest_one_are_read_back)
{
	static char most[PAYLOAD_MAX + 1];
	const char *why;

	memset(most, 'x', PAYLOAD_MAX);
	for (int i = 0; i < 2; i++) {
		struct packet *packet = built(ends[i][0], ends[i][1], "");

		cr_assert(packet_read(packet, &why));
		cr_assert_eq(packet_payload_bytes(packet), 0);
		free(packet);
		packet = built(ends[i][0], ends[i][1], most);
		cr_assert(packet_read(packet, &why));
		cr_assert_eq(packet_payload_bytes(packet), PAYLOAD_MAX);
		free(packet);
	}
}

Test(packet, every_prefix_is_refused_with_a_reason)
{
	for (int i = 0; i < 2; i++) {
		struct packet *packet = built(ends[i][0], ends[i][1], "hello");

		for (uint32_t len = 0; len < packet->len; len++) {
			const char *why = NULL;

			cr_assert(!reads(packet->ip, len, &why), "%u", len);
			cr_assert_not_null(why);
			cr_assert_neq(*why, '\0');
		}
		free(packet);
	}
}

Test(packet, bytes_behind_the_packet_are_cut_off)
{
	for (int i = 0; i < 2; i++) {
		struct packet *packet = built(ends[i][0], ends[i][1], "hello");
		uint8_t padded[128] = { 0 };
		struct packet *more;
		const char *why;

		memcpy(padded, packet->ip, packet->len);
		more = bytes_of(padded, sizeof(padded));
		cr_assert(packet_read(more, &why));
		cr_assert_eq(more->len, packet->len);
		cr_assert_eq(packet_payload_bytes(more), 5);
		free(more);
		free(packet);
	}
}

Test(packet, what_lies_behind_the_datagram_is_cut_off_for_good)
{
	for (int i = 0; i < 2; i++) {
		struct packet *packet = built(ends[i][0], ends[i][1], "hello");
		uint8_t *udp = packet->ip + packet->payload - 8;
		uint32_t len = packet->len;
		const char *why = "";

		packet_checksum(packet);
		udp[5] = 8 + 3; /* "hel"; RFC 768 lets UDP be the shorter */
		cr_assert(packet_read(packet, &why));
		cr_assert_eq(packet->len, len - 2);
		cr_assert_eq(packet_payload_bytes(packet), 3);
		/* and now it is whole: whoever reads it again finds the same */
		cr_assert(packet_read(packet, &why), "%s", why);
		cr_assert_eq(packet_payload_bytes(packet), 3);
		free(packet);
	}
}

/* One field of a good packet changed. */
static void check_refused(int version, uint32_t at, uint8_t value,
			  const char *expected)
{
	struct packet *packet = built(ends[version][0], ends[version][1], "hi");
	const char *why = NULL;

	packet->ip[at] = value;
	cr_assert(!packet_read(packet, &why), "%s", expected);
	cr_assert_str_eq(why, expected);
	free(packet);
}

Test(packet, a_field_that_cannot_be_is_refused)
{
	check_refused(0, 0, 0x44, "IPv4 header length out of range");
	check_refused(0, 0, 0x4f, "IPv4 header length out of range");
	check_refused(0, 0, 0x55, "neither IPv4 nor IPv6");
	check_refused(0, 0, 0x05, "neither IPv4 nor IPv6");
	check_refused(0, 2, 0xff, "cut short");
	check_refused(0, 3, 19, "IPv4 header length out of range");
	check_refused(0, 3, 20, "shorter than a UDP header");
	check_refused(0, 3, 27, "shorter than a UDP header");
	check_refused(0, 6, 0x20, "a fragment"); /* more to come */
	check_refused(0, 7, 0x01, "a fragment"); /* one of the later */
	check_refused(0, 9, 6, "not UDP");
	check_refused(0, 25, 7, "UDP length out of range");
	check_refused(0, 25, 11, "UDP length out of range");
	check_refused(0, 24, 1, "UDP length out of range");
	check_refused(1, 4, 1, "cut short");
	check_refused(1, 6, 58, "not UDP");
	check_refused(1, 6, 44, "a fragment");
	check_refused(1, 5, 7, "shorter than a UDP header");
	check_refused(1, 45, 7, "UDP length out of range");
}

Test(packet, do_not_fragment_is_no_fragment)
{
	struct packet *packet = built(ends[0][0], ends[0][1], "hi");
	const char *why;

	packet->ip[6] = 0x40;
	cr_assert(packet_read(packet, &why));
	free(packet);
}

Test(packet, ipv4_options_are_passed_over)
{
	struct packet *packet = built(ends[0][0], ends[0][1], "hello");
	uint8_t bytes[128] = { 0 };
	struct packet *longer;
	const char *why;
	union address to;

	memcpy(bytes, packet->ip, 20);
	bytes[0] = 0x4f; /* 40 bytes of options */
	bytes[3] = (uint8_t)(packet->len + 40);
	memcpy(bytes + 60, packet->ip + 20, packet->len - 20);
	longer = bytes_of(bytes, packet->len + 40);
	cr_assert(packet_read(longer, &why));
	cr_assert(!memcmp(longer->ip + longer->payload, "hello", 5));
	packet_ends(longer, NULL, &to);
	cr_assert_eq(address_port(&to), 5002);
	free(longer);
	free(packet);
}

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

Test(packet, ipv6_extension_headers_are_passed_over)
{
	static const uint8_t kinds[] = { 0, 43, 60 };
	const char *why;
	union address to;

	for (unsigned i = 0; i < 3; i++) {
		for (unsigned n = 0; n < 5; n++) {
			struct packet *packet = extended(n, kinds[i], 1);

			cr_assert(packet_read(packet, &why));
			cr_assert(!memcmp(packet->ip + packet->payload, "hello",
					  5));
			packet_ends(packet, NULL, &to);
			cr_assert_eq(address_port(&to), 65535);
			free(packet);
		}
	}
}

Test(packet, every_prefix_of_an_extended_packet_is_refused)
{
	struct packet *packet = extended(3, 0, 2);
	const char *why;

	for (uint32_t len = 0; len < packet->len; len++) {
		cr_assert(!reads(packet->ip, len, &why));
		/* the length of the header mended, so that only they lack */
		if (len < 40)
			continue;
		packet->ip[5] = (uint8_t)(len - 40);
		cr_assert(!reads(packet->ip, len, &why));
		packet->ip[5] = (uint8_t)(packet->len - 40);
	}
	free(packet);
}

Test(packet, extension_headers_without_an_end_are_refused)
{
	struct packet *packet = extended(40, 60, 0);
	const char *why;

	cr_assert(!packet_read(packet, &why));
	cr_assert_str_eq(why, "extension headers too long");
	free(packet);
	packet = extended(1, 60, 255);
	cr_assert(!packet_read(packet, &why));
	cr_assert_str_eq(why, "extension headers too long");
	free(packet);
}

/* By hand, RFC 1071: the words of pseudo header, header and payload. */
Test(packet, the_checksums_are_those_worked_out_by_hand)
{
	struct packet *packet = built("192.0.2.1:5000", "192.0.2.2:5002", "hi");
	/* c000 + 0201 + c000 + 0202 + 0011 + 000a = 1841e
	 * + 1388 + 138a + 000a + 6869 = 213a3; 13a3 + 2 = 13a5; its complement
	 */
	const uint8_t udp[] = { 0xec, 0x5a };
	/* 4500 + 001e + 0000 + 0000 + 4011 + c000 + 0201 + c000 + 0202 = 20932;
	 * 0932 + 2 = 0934; its complement
	 */
	const uint8_t ip[] = { 0xf6, 0xcb };

	packet_checksum(packet);
	cr_assert(!memcmp(packet->ip + 26, udp, 2), "%02x%02x", packet->ip[26],
		  packet->ip[27]);
	cr_assert(!memcmp(packet->ip + 10, ip, 2));
	packet_checksum(packet);
	cr_assert(!memcmp(packet->ip + 26, udp, 2), "made twice is made once");
	free(packet);
	/* one byte more is padded with a zero: 6100 and a length of 9, twice */
	packet = built("192.0.2.1:5000", "192.0.2.2:5002", "a");
	packet_checksum(packet);
	/* 213a3 - 6869 + 6100 - 2 = 20c38; 0c3a; its complement */
	cr_assert_eq(packet->ip[26], 0xf3);
	cr_assert_eq(packet->ip[27], 0xc5);
	free(packet);
}

/* Sum over pseudo header and datagram; a good one gives ffff. */
static uint32_t sum_of(const struct packet *packet)
{
	bool v4 = packet->ip[0] >> 4 == 4;
	uint32_t udp = packet->payload - 8u, n = packet->len - udp;
	uint32_t at = v4 ? 12 : 8, sum = 17 + n;

	for (uint32_t i = at; i < at + (v4 ? 8 : 32); i++)
		sum += i & 1 ? packet->ip[i] : packet->ip[i] * 256u;
	for (uint32_t i = 0; i < n; i++)
		sum += i & 1 ? packet->ip[udp + i] : packet->ip[udp + i] * 256u;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

Test(packet, a_receiver_agrees_with_the_checksum)
{
	struct rng rng;
	char payload[41];

	seed_key(&rng, 1);
	for (int i = 0; i < 2000; i++) {
		size_t n = rng_next(&rng) % sizeof(payload);
		struct packet *packet;

		for (size_t k = 0; k < n; k++)
			payload[k] = (char)(1 + rng_next(&rng) % 255);
		payload[n < 40 ? n : 40] = '\0';
		packet = built(ends[i % 2][0], ends[i % 2][1], payload);
		packet_checksum(packet);
		cr_assert_eq(sum_of(packet), 0xffff);
		/* 0 would say that there is none */
		cr_assert(packet->ip[packet->payload - 2u] ||
			  packet->ip[packet->payload - 1u]);
		free(packet);
	}
}

Test(packet, a_checksum_of_zero_is_sent_as_ones)
{
	/* the payload that brings the sum to ffff: 13a5 - 6869 + ec5a + 6869 */
	struct packet *packet = built("192.0.2.1:5000", "192.0.2.2:5002", "hi");

	packet->ip[28] = 0x54; /* 6869 + ec5a = 154c3, with the carry 54c4 */
	packet->ip[29] = 0xc4;
	packet_checksum(packet);
	cr_assert_eq(packet->ip[26], 0xff);
	cr_assert_eq(packet->ip[27], 0xff);
	free(packet);
}

/* What packet_read() promises of whatever it took. */
static void check_read(struct packet *packet)
{
	uint32_t before = packet->len;
	const char *why = NULL;
	union address from, to;
	uint32_t len;

	if (!packet_read(packet, &why)) {
		cr_assert_not_null(why);
		return;
	}
	len = packet->len;
	cr_assert_leq(len, before);
	cr_assert_geq(packet->payload, 28);
	cr_assert_leq(packet->payload, len);
	packet_ends(packet, &from, &to);
	cr_assert_eq(from.any.sa_family, to.any.sa_family);
	cr_assert(packet_read(packet, &why), "again: %s", why);
	cr_assert_eq(packet->len, len);
	packet_checksum(packet);
	cr_assert(packet_read(packet, &why));
}

Test(packet, random_and_garbled_bytes_do_no_harm)
{
	struct rng rng;

	seed_key(&rng, 5);
	for (int i = 0; i < 100000; i++) {
		uint8_t bytes[96];
		uint32_t len = (uint32_t)(rng_next(&rng) % sizeof(bytes));
		struct packet *good, *packet;

		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)rng_next(&rng);
		if (i % 2) { /* a good packet with one or two bytes changed */
			good = i % 4 == 1 ? built(ends[0][0], ends[0][1], "abc")
					  : extended(1, 0, 0);
			len = good->len;
			memcpy(bytes, good->ip, len);
			bytes[rng_next(&rng) % len] = (uint8_t)rng_next(&rng);
			bytes[rng_next(&rng) % len] ^=
				(uint8_t)(1u << rng_next(&rng) % 8);
			free(good);
		}
		packet = bytes_of(bytes, len);
		check_read(packet);
		free(packet);
	}
}
