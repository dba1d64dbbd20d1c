/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * classify_test.c - to which channel a packet belongs
 *
 * Floor: tests.
 */
#include "core/classify.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/address.h"

#define PORTS(...)                                                             \
	.ports = (const struct port_range[]){ __VA_ARGS__ },                   \
	.n_ports = sizeof((const struct port_range[]){ __VA_ARGS__ }) /        \
		   sizeof(struct port_range)

static const struct entry up = { UPLINK, CHANNEL_NONE, 0 };
static const struct entry down = { DOWNLINK, CHANNEL_NONE, 0 };

static struct classifier *make(const struct rule *rules, size_t n)
{
	struct err err = { 0 };
	struct classifier *classifier = classifier_new(rules, n, &err);

	cr_assert(classifier, "%s", err.n ? err.line[0] : "");
	cr_assert_eq(err.n, 0);
	return classifier;
}

/* Where a packet goes that says @payload. */
static uint16_t place_of(const struct classifier *classifier,
			 const struct entry *entry, const char *from_text,
			 const char *to_text, const char *payload)
{
	uint32_t bytes = (uint32_t)strlen(payload);
	struct packet *packet = calloc(1, sizeof(*packet) + 200);
	union address from, to;
	uint16_t place;

	cr_assert(address_parse(from_text, &from));
	cr_assert(address_parse(to_text, &to));
	packet_build(packet, &from, &to, bytes);
	memcpy(packet->ip + packet->payload, payload, bytes);
	place = classify(classifier, entry, packet);
	free(packet);
	return place;
}

static uint16_t port(const struct classifier *classifier,
		     const struct entry *entry, int number)
{
	char text[64];

	snprintf(text, sizeof(text), "10.0.0.2:%d", number);
	return place_of(classifier, entry, "10.0.0.1:9", text, "x");
}

Test(classify, goes_by_direction_and_port)
{
	const struct rule rules[] = {
		{ UPLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE },
		{ DOWNLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE },
		{ UPLINK, PORTS({ 7, 7 }, { 6000, 6010 }, { 65535, 65535 }),
		  .reply = CHANNEL_NONE },
	};
	struct classifier *classifier = make(rules, 3);

	cr_assert_eq(port(classifier, &up, 5002), 0);
	cr_assert_eq(port(classifier, &down, 5002), 1);
	cr_assert_eq(port(classifier, &up, 5003), CHANNEL_NONE);
	cr_assert_eq(port(classifier, &up, 7), 2);
	cr_assert_eq(port(classifier, &up, 5999), CHANNEL_NONE);
	cr_assert_eq(port(classifier, &up, 6000), 2);
	cr_assert_eq(port(classifier, &up, 6010), 2);
	cr_assert_eq(port(classifier, &up, 6011), CHANNEL_NONE);
	cr_assert_eq(port(classifier, &up, 65535), 2);
	cr_assert_eq(port(classifier, &down, 7), CHANNEL_NONE);
	classifier_free(classifier);
}

Test(classify, the_port_of_the_arm_counts_where_the_front_knows_it)
{
	const struct rule rules[] = {
		{ UPLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE },
		{ UPLINK, PORTS({ 5003, 5003 }), .reply = CHANNEL_NONE },
	};
	const struct entry entry = { UPLINK, CHANNEL_NONE, 5003 };
	struct classifier *classifier = make(rules, 2);

	cr_assert_eq(port(classifier, &entry, 5002), 1);
	classifier_free(classifier);
}

Test(classify, a_match_shares_a_port_of_either_version)
{
	const struct rule rules[] = {
		{ UPLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE,
		  .match = "udp[8:1] = 0x7b" },
		{ UPLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE,
		  .match = "ip6[48:1] = 0x7b" },
		{ UPLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE,
		  .match = "greater 60" },
		{ UPLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE },
	};
	static const char *const v4[] = { "10.0.0.1:9", "10.0.0.2:5002" };
	static const char *const v6[] = { "[fd00::1]:9", "[fd00::2]:5002" };
	struct classifier *classifier = make(rules, 4);

	cr_assert_eq(place_of(classifier, &up, v4[0], v4[1], "{}"), 0);
	cr_assert_eq(place_of(classifier, &up, v6[0], v6[1], "{}"), 1);
	cr_assert_eq(place_of(classifier, &up, v4[0], v4[1], "ping"), 3);
	cr_assert_eq(place_of(classifier, &up, v4[0], v4[1], ""), 3);
	cr_assert_eq(place_of(classifier, &up, v4[0], v4[1],
			      "[12345678901234567890123456789012"),
		     2);
	cr_assert_eq(place_of(classifier, &up, v6[0], v6[1],
			      "[12345678901234567890123456789012"),
		     2);
	classifier_free(classifier);
}

Test(classify, a_match_may_look_at_addresses_and_ports)
{
	const struct rule rules[] = {
		{ UPLINK, PORTS({ 1, 65535 }), .reply = CHANNEL_NONE,
		  .match = "ip6 and udp dst port 7" },
		{ UPLINK, PORTS({ 1, 65535 }), .reply = CHANNEL_NONE,
		  .match = "src host 10.0.0.1" },
	};
	struct classifier *classifier = make(rules, 2);

	cr_assert_eq(
		place_of(classifier, &up, "[fd00::1]:9", "[fd00::2]:7", "x"),
		0);
	cr_assert_eq(port(classifier, &up, 7), 1);
	cr_assert_eq(place_of(classifier, &up, "10.0.0.3:9", "10.0.0.2:7", "x"),
		     CHANNEL_NONE);
	classifier_free(classifier);
}

Test(classify, a_reply_comes_from_the_port_that_was_asked)
{
	const struct rule rules[] = {
		{ UPLINK, PORTS({ 5002, 5002 }), .reply = CHANNEL_NONE },
		{ DOWNLINK, .reply = 0, .match = "udp[8:1] = 0x7b" },
		{ DOWNLINK, .reply = 0 },
		{ DOWNLINK, PORTS({ 5007, 5007 }), .reply = CHANNEL_NONE },
	};
	const struct entry on_socket = { DOWNLINK, 0, 0 };
	const struct entry other_socket = { DOWNLINK, 3, 0 };
	const struct entry on_port = { DOWNLINK, CHANNEL_NONE, 5007 };
	struct classifier *classifier = make(rules, 4);
	static const char robot[] = "10.0.0.2:5002", back[] = "10.0.0.1:9";

	/* a relay knows on which socket it came in */
	cr_assert_eq(place_of(classifier, &on_socket, robot, back, "{}"), 1);
	cr_assert_eq(place_of(classifier, &on_socket, robot, back, "x"), 2);
	cr_assert_eq(place_of(classifier, &on_socket, "10.0.0.2:99", back, "x"),
		     2, "whatever its port");
	cr_assert_eq(place_of(classifier, &other_socket, robot, back, "x"),
		     CHANNEL_NONE);
	/* a transparent front has the packet's own ports */
	cr_assert_eq(place_of(classifier, &down, robot, back, "{}"), 1);
	cr_assert_eq(place_of(classifier, &down, "10.0.0.2:99", back, "{}"),
		     CHANNEL_NONE);
	/* a port that the proxy listens at is no reply */
	cr_assert_eq(place_of(classifier, &on_port, robot, back, "{}"), 3);
	cr_assert_eq(place_of(classifier, &up, robot, back, "{}"),
		     CHANNEL_NONE);
	classifier_free(classifier);
}

Test(classify, every_match_that_does_not_compile_is_told)
{
	const struct rule rules[] = {
		{ UPLINK, PORTS({ 1, 1 }), .reply = CHANNEL_NONE,
		  .match = "udp[", .where = "arm.ini:5" },
		{ UPLINK, PORTS({ 2, 2 }), .reply = CHANNEL_NONE,
		  .match = "udp", .where = "arm.ini:7" },
		{ UPLINK, PORTS({ 3, 3 }), .reply = CHANNEL_NONE,
		  .match = "port 70000", .where = "arm.ini:9" },
	};
	struct err err = { 0 };

	cr_assert_null(classifier_new(rules, 3, &err));
	cr_assert_eq(err.n, 2);
	cr_assert_eq(strncmp(err.line[0], "arm.ini:5: match = udp[: ", 24), 0);
	cr_assert_eq(strncmp(err.line[1], "arm.ini:9: ", 11), 0);
	cr_assert(!err.machine);
	err_fini(&err);
}

Test(classify, no_rule_fits_nothing)
{
	struct classifier *classifier = make(NULL, 0);

	cr_assert_eq(port(classifier, &up, 5002), CHANNEL_NONE);
	classifier_free(classifier);
	classifier_free(NULL);
}
