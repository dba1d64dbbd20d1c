/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * exit_test.c - duplication and corruption at a channel's exit
 *
 * Floor: tests.
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

static struct catalog catalog;

static struct arm *arm_of(int seed, const char *chain, const char *settings)
{
	struct err err = { 0 }, warnings = { 0 };
	char text[1024];
	struct arm_source source = { .file = "test.ini",
				     .text = text,
				     .catalog = &catalog };
	struct arm *arm;

	snprintf(text, sizeof(text),
		 "[arm]\nseed = %d\n[link]\nrobot = 10.0.0.2\n"
		 "[uplink command]\nport = 5002\nchain = %s\n%s\n"
		 "[condition wifi]\ntype = jitter\nbase = 50ms\n"
		 "jitter = 20ms\n[condition even]\ntype = delay\n"
		 "delay = 50ms\n",
		 seed, chain, settings);
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
	struct arm *arm = arm_of(9, "wifi", settings);
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

/* What became of each of @LIFE packets, 1 ms apart: 1 copied, 2 corrupted. */
#define LIFE   400
#define CHANGE 150

struct life {
	uint8_t marks[LIFE];
	size_t n;
};

static void take_all(struct session *session, nsec now, struct life *life)
{
	struct packet *packet;

	while ((packet = session_take(session, now))) {
		cr_assert_lt(packet->id, LIFE);
		if (packet_is_copy(packet))
			life->marks[packet->id] |= 1;
		else if (!strcmp(packet->by, "corrupt"))
			life->marks[packet->id] |= 2;
		life->n += !packet_is_copy(packet);
		session_give(session, packet);
	}
}

/* A session that goes on with another arm at packet @CHANGE, if there is one;
 * packets are taken at once, or all at the end.
 */
static struct life live(struct arm *first, struct arm *second, bool at_once)
{
	const struct entry entry = { UPLINK, CHANNEL_NONE, 0 };
	struct err err = { 0 };
	struct session *session = session_new(first, "1", &err);
	struct life life = { .n = 0 };

	for (int i = 0; i < LIFE; i++) {
		nsec now = i * NSEC_PER_MS;

		if (i == CHANGE && second)
			cr_assert_eq(session_adopt(session, now, second, &err),
				     0);
		session_put(session, now, &entry, packet_of(session));
		if (at_once)
			take_all(session, now, &life);
	}
	take_all(session, NSEC_NEVER - 1, &life);
	cr_assert_eq(life.n, LIFE);
	session_free(session);
	arm_free(first);
	arm_free(second);
	return life;
}

/* The same, taken either way. */
static struct life changed(int seed, const char *from, int to_seed,
			   const char *to)
{
	struct life often = live(arm_of(seed, "even", from),
				 arm_of(to_seed, "even", to), true);
	struct life once = live(arm_of(seed, "even", from),
				arm_of(to_seed, "even", to), false);

	cr_assert_arr_eq(often.marks, once.marks, sizeof(often.marks));
	return often;
}

/* Without a change. */
static struct life kept(int seed, const char *settings)
{
	return live(arm_of(seed, "even", settings), NULL, true);
}

Test(exit, another_share_governs_what_enters_from_then_on)
{
	static const char *const keys[] = { "duplicate", "corrupt" };

	for (uint8_t k = 0; k < 2; k++) {
		char all[64];
		struct life life;

		snprintf(all, sizeof(all), "%s = 100%%", keys[k]);
		life = changed(9, "", 9, all);
		for (int i = 0; i < LIFE; i++)
			cr_assert_eq(life.marks[i], i < CHANGE ? 0 : k + 1,
				     "%s of %d", keys[k], i);
		life = changed(9, all, 9, "");
		for (int i = 0; i < LIFE; i++)
			cr_assert_eq(life.marks[i], i < CHANGE ? k + 1 : 0);
	}
}

Test(exit, a_change_of_one_share_leaves_the_draws_of_the_other)
{
	struct life corrupt = kept(9, "corrupt = 30%");
	struct life both = changed(9, "corrupt = 30%", 9,
				   "corrupt = 30%\nduplicate = 100%");

	for (int i = 0; i < LIFE; i++)
		cr_assert_eq(both.marks[i],
			     corrupt.marks[i] | (i < CHANGE ? 0 : 1));
}

Test(exit, draws_begin_with_the_first_packet_that_has_a_chance)
{
	static const char *const shares[] = { "duplicate = 30%",
					      "corrupt = 30%" };

	for (size_t k = 0; k < 2; k++) {
		struct life at_once = kept(9, shares[k]);
		struct life later = changed(9, "", 9, shares[k]);

		for (int i = CHANGE; i < LIFE; i++)
			cr_assert_eq(later.marks[i], at_once.marks[i - CHANGE]);
	}
}

Test(exit, another_seed_begins_anew_for_what_enters_from_then_on)
{
	static const char *const shares[] = {
		"duplicate = 30%",
		"corrupt = 30%",
		"duplicate = 30%\ncorrupt = 30%",
	};

	for (size_t k = 0; k < sizeof(shares) / sizeof(shares[0]); k++) {
		struct life before = kept(9, shares[k]);
		struct life after = kept(10, shares[k]);
		struct life both = changed(9, shares[k], 10, shares[k]);

		for (int i = 0; i < LIFE; i++)
			cr_assert_eq(both.marks[i],
				     i < CHANGE ? before.marks[i]
						: after.marks[i - CHANGE]);
		/* and where nothing was drawn before */
		both = changed(9, "", 10, shares[k]);
		for (int i = CHANGE; i < LIFE; i++)
			cr_assert_eq(both.marks[i], after.marks[i - CHANGE]);
	}
}

/* A packet whose payload begins so, when all are corrupted; taken out. */
static struct packet *corrupted(struct session *session, uint16_t head,
				bool sum)
{
	const struct entry entry = { UPLINK, CHANNEL_NONE, 0 };
	struct packet *packet = packet_of(session);
	uint8_t *payload = packet->ip + packet->payload;

	payload[0] = 0;
	payload[1] = 1;
	payload[2] = (uint8_t)(head >> 8);
	payload[3] = (uint8_t)head;
	payload[-2] = payload[-1] = 0;
	if (sum)
		packet_checksum(packet);
	session_put(session, 0, &entry, packet);
	packet = session_take(session, NSEC_NEVER - 1);
	cr_assert(packet && !strcmp(packet->by, "corrupt"));
	return packet;
}

Test(exit, a_checksum_is_mended_if_there_is_one)
{
	struct arm *arm = arm_of(9, "even", "corrupt = 100%");
	struct err err = { 0 };
	struct session *session = session_new(arm, "1", &err);
	struct packet *packet;

	/* all sums there are: those with a byte of zeros are sums too */
	for (uint32_t head = 0; head < 0x10000; head++) {
		packet = corrupted(session, (uint16_t)head, true);
		cr_assert(sum_is_right(packet), "%x", head);
		session_give(session, packet);
	}
	for (uint16_t head = 0; head < 100; head++) {
		packet = corrupted(session, head, false);
		cr_assert_eq(packet->ip[packet->payload - 1], 0);
		cr_assert_eq(packet->ip[packet->payload - 2], 0);
		session_give(session, packet);
	}
	session_free(session);
	arm_free(arm);
}

Test(exit, any_bit_of_the_payload_may_be_the_one)
{
	const struct entry entry = { UPLINK, CHANNEL_NONE, 0 };
	struct arm *arm = arm_of(9, "even", "corrupt = 100%");
	struct err err = { 0 };
	struct session *session = session_new(arm, "1", &err);
	unsigned hits[8 * PAYLOAD] = { 0 };

	/* 50 for each bit, and seven standard errors */
	for (int i = 0; i < 50 * 8 * PAYLOAD; i++) {
		struct packet *packet = packet_of(session);

		session_put(session, 0, &entry, packet);
		packet = session_take(session, NSEC_NEVER - 1);
		for (unsigned bit = 0; bit < 8 * PAYLOAD; bit++)
			hits[bit] += (packet->ip[packet->payload + bit / 8] ^
				      0x55u) >>
					     bit % 8 &
				     1u;
		session_give(session, packet);
	}
	for (unsigned bit = 0; bit < 8 * PAYLOAD; bit++)
		cr_assert(hits[bit] > 0 && hits[bit] < 100, "%u: %u", bit,
			  hits[bit]);
	session_free(session);
	arm_free(arm);
}

Test(exit, a_packet_without_payload_has_no_bit_to_change)
{
	const struct entry entry = { UPLINK, CHANNEL_NONE, 0 };
	struct arm *arm = arm_of(9, "even", "corrupt = 100%");
	struct err err = { 0 };
	struct session *session = session_new(arm, "1", &err);
	struct packet *packet =
		session_packet(session, packet_room(AF_INET, 0));
	union address from, to;

	cr_assert(address_parse("10.0.0.1:4000", &from));
	cr_assert(address_parse("10.0.0.2:5002", &to));
	packet_build(packet, &from, &to, 0);
	session_put(session, 0, &entry, packet);
	packet = session_take(session, NSEC_NEVER - 1);
	cr_assert_eq(packet->fate, FATE_RELEASED);
	cr_assert_str_empty(packet->by);
	session_give(session, packet);
	session_free(session);
	arm_free(arm);
}
