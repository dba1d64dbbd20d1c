/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * packet.c - whatever bytes claim to be an IP packet, read and put through
 *
 * Floor: tests.
 */
#include <stdlib.h>
#include <string.h>

#include "core/address.h"
#include "core/catalog.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] = "[arm]\nunmatched = forward\n"
			   "[link]\nrobot = 10.0.0.2\n"
			   "[uplink a]\nport = 5002\n"
			   "match = udp[8:1] = 0x7b or ip6[48:1] = 0x7b\n"
			   "chain = d, b\nlimit_packets = 5\n"
			   "limit_bytes = 2kB\n"
			   "[uplink b]\nport = 1-9000\nchain = d\n"
			   "[downlink r]\nreply = b\n"
			   "[condition d]\ntype = delay\ndelay = 10ms\n"
			   "[condition b]\ntype = token-bucket\n"
			   "rate = 1Mbit\n";

static void hold(bool what)
{
	if (!what)
		abort();
}

/* A copy of exactly its size, so that a byte too far is seen. */
static struct packet *packet_of(const uint8_t *data, size_t size)
{
	struct packet *packet = calloc(1, sizeof(*packet) + size);

	hold(packet);
	packet->len = (uint32_t)size;
	if (size)
		memcpy(packet->ip, data, size);
	return packet;
}

/* What packet_read() promises of what it took. */
static void check_read(struct packet *packet)
{
	uint32_t len = packet->len, payload = packet->payload;
	union address from, to;
	char written[ADDRESS_TEXT];
	const char *why = NULL;

	hold(payload >= 28 && payload <= len);
	packet_ends(packet, &from, &to);
	hold(from.any.sa_family == to.any.sa_family);
	address_print(&from, written);
	hold(written[0] != '\0');
	packet_checksum(packet);
	hold(packet_read(packet, &why));
	hold(packet->len == len && packet->payload == payload);
}

/* In both directions, at once and late; each comes out once, unchanged. */
static void put_through(struct session *session, const struct packet *packet)
{
	const struct entry entries[] = { { UPLINK, CHANNEL_NONE, 0 },
					 { DOWNLINK, CHANNEL_NONE, 0 },
					 { DOWNLINK, 1, 0 },
					 { UPLINK, CHANNEL_NONE, 5002 } };
	struct packet *out;
	size_t n = 0;

	for (size_t i = 0; i < 4; i++) {
		struct packet *in = session_packet(session, packet->len);

		hold(in);
		memcpy(in->ip, packet->ip, packet->len);
		in->payload = packet->payload;
		session_put(session, (nsec)i * NSEC_PER_MS, &entries[i], in);
	}
	while ((out = session_take(session, NSEC_NEVER))) {
		hold(out->len == packet->len);
		hold(!memcmp(out->ip, packet->ip, packet->len));
		hold(out->fate != FATE_QUEUED);
		session_give(session, out);
		n++;
	}
	hold(n == 4);
	session_reset(session, "1");
}

static struct session *the_session(void)
{
	static struct session *session;
	static struct catalog catalog;
	const struct arm_source source = { .file = "fuzz.ini",
					   .text = text,
					   .size = sizeof(text) - 1,
					   .catalog = &catalog };
	struct err err = { 0 }, warnings = { 0 };
	struct arm *arm;

	if (session)
		return session;
	catalog_init(&catalog);
	arm = arm_new(&source, &err, &warnings);
	hold(arm);
	session = session_new(arm, "1", &err);
	hold(session);
	err_fini(&warnings);
	return session;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct packet *packet;
	const char *why = NULL;

	if (size > PAYLOAD_MAX + 68)
		return 0;
	packet = packet_of(data, size);
	if (packet_read(packet, &why)) {
		check_read(packet);
		put_through(the_session(), packet);
	} else {
		hold(why && *why);
	}
	free(packet);
	return 0;
}
