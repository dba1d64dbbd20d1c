/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * exit_test.c - duplication and corruption at a channel's exit
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/session.h"

#define PACKETS 20000
#define PAYLOAD 40

struct seen {
	uint64_t released, copies, corrupt, wrong;
	uint64_t ids; /* of which packets were copied or corrupted */
	nsec due;     /* all dues together */
};

static struct arm *arm_of(const char *settings)
{
	struct catalog catalog;
	struct err err = { 0 }, warnings = { 0 };
	char text[1024];
	struct arm_source source = { .file = "test.ini",
				     .text = text,
				     .catalog = &catalog };
	struct arm *arm;

	snprintf(text, sizeof(text),
		 "[arm]\nseed = 9\n[link]\nrobot = 10.0.0.2\n"
		 "[uplink command]\nport = 5002\nchain = wifi\n%s\n"
		 "[condition wifi]\ntype = jitter\nbase = 50ms\n"
		 "jitter = 20ms\n",
		 settings);
	source.size = strlen(text);
	catalog_init(&catalog);
	arm = arm_new(&source, &err, &warnings);
	cr_assert(arm, "%s", err.n ? err.line[0] : "");
	err_fini(&warnings);
	return arm;
}

static struct packet *packet_of(struct session *session)
{
	union address from, to;
	struct packet *packet =
		session_packet(session, packet_room(AF_INET, PAYLOAD));

	cr_assert(address_parse("10.0.0.1:4000", &from));
	cr_assert(address_parse("10.0.0.2:5002", &to));
	packet_build(packet, &from, &to, PAYLOAD);
	memset(packet->ip + packet->payload, 0x55, PAYLOAD);
	packet_checksum(packet);
	return packet;
}

static unsigned changed_bits(const struct packet *packet)
{
	unsigned n = 0;

	for (unsigned i = 0; i < PAYLOAD; i++)
		n += (unsigned)__builtin_popcount(
			packet->ip[packet->payload + i] ^ 0x55u);
	return n;
}

/* A checksum is right if making it anew changes nothing. */
static bool sum_is_right(struct packet *packet)
{
	uint8_t before[2], *sum = packet->ip + packet->payload - 2;

	memcpy(before, sum, 2);
	packet_checksum(packet);
	return !memcmp(before, sum, 2);
}

static void look(struct seen *seen, struct packet *packet)
{
	bool copy = packet_is_copy(packet);
	bool corrupt = !strcmp(packet->by, "corrupt");

	cr_assert_eq(packet->fate, FATE_RELEASED);
	seen->released += !copy;
	seen->copies += copy;
	seen->corrupt += corrupt;
	seen->due += packet->due;
	if (!copy && changed_bits(packet) != corrupt)
		seen->wrong++;
	if (!sum_is_right(packet))
		seen->wrong++;
	if (copy || corrupt)
		seen->ids += packet->id * packet->id;
}

static struct seen run(const char *settings)
{
	const struct entry entry = { UPLINK, CHANNEL_NONE, 0 };
	struct arm *arm = arm_of(settings);
	struct err err = { 0 };
	struct session *session = session_new(arm, "1", &err);
	struct seen seen = { 0 };
	struct packet *packet;

	cr_assert(session);
	for (int i = 0; i < PACKETS; i++) {
		nsec now = i * NSEC_PER_MS;

		session_put(session, now, &entry, packet_of(session));
		while ((packet = session_take(session, now))) {
			look(&seen, packet);
			session_give(session, packet);
		}
	}
	while ((packet = session_take(session, NSEC_NEVER - 1))) {
		look(&seen, packet);
		session_give(session, packet);
	}
	session_free(session);
	arm_free(arm);
	return seen;
}

/* Five standard errors of a share of all packets. */
static void near(uint64_t n, double share)
{
	double error = sqrt(PACKETS * share * (1.0 - share));

	cr_expect(fabs((double)n - PACKETS * share) < 5.0 * error,
		  "%lu of %d, asked was %g", (unsigned long)n, PACKETS, share);
}

Test(exit, nothing_is_copied_or_changed_by_default)
{
	const struct seen seen = run("");

	cr_expect_eq(seen.released, PACKETS);
	cr_expect_eq(seen.copies + seen.corrupt + seen.wrong, 0);
}

Test(exit, a_share_is_delivered_twice_unchanged)
{
	const struct seen seen = run("duplicate = 10%");

	cr_expect_eq(seen.released, PACKETS);
	cr_expect_eq(seen.wrong, 0);
	near(seen.copies, 0.1);
}

Test(exit, a_share_has_one_bit_changed_and_its_checksum_mended)
{
	const struct seen seen = run("corrupt = 5%");

	cr_expect_eq(seen.released, PACKETS);
	cr_expect_eq(seen.wrong, 0);
	near(seen.corrupt, 0.05);
}

Test(exit, everything_at_one_hundred_percent)
{
	const struct seen seen = run("duplicate = 100%\ncorrupt = 100%");

	cr_expect_eq(seen.copies, PACKETS);
	cr_expect_eq(seen.corrupt, PACKETS);
	cr_expect_eq(seen.wrong, 0);
}

Test(exit, the_chain_draws_the_same_with_and_without)
{
	const struct seen plain = run(""), both = run("corrupt = 50%");

	cr_expect_eq(plain.due, both.due);
}

Test(exit, each_has_a_stream_of_its_own)
{
	const struct seen alone = run("duplicate = 10%");
	const struct seen both = run("duplicate = 10%\ncorrupt = 0%");
	const struct seen more = run("duplicate = 10%\ncorrupt = 30%");

	cr_expect_eq(alone.ids, both.ids);
	cr_expect_eq(alone.copies, more.copies);
}

Test(exit, the_same_seed_does_the_same)
{
	const struct seen one = run("duplicate = 20%\ncorrupt = 20%");
	const struct seen two = run("duplicate = 20%\ncorrupt = 20%");

	cr_expect_eq(one.ids, two.ids);
	cr_expect_eq(one.due, two.due);
}
