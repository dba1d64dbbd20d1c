/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * session_test.c - routing, strays, trials and stops of a session
 *
 * Floor: tests.
 */
#include "session/session.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/bench.h"

#define LINK "[link]\nrobot = 10.0.0.2\n"
#define DELAYED                                                                \
	"[uplink a]\nport = 5002\nchain = w\non_change = %s\n"                 \
	"[condition w]\ntype = delay\ndelay = %dms\n"

/* A packet of its own that enters as a front would hand it over. */
static void enter(struct bench *bench, nsec at, const struct entry *entry,
		  const char *to_text, uint32_t bytes)
{
	struct packet *packet =
		session_packet(bench->session, packet_room(AF_INET, bytes));
	union address from, to;

	cr_assert(address_parse("10.0.0.1:9", &from));
	cr_assert(address_parse(to_text, &to));
	packet_build(packet, &from, &to, bytes);
	session_put(bench->session, at, entry, packet);
}

static struct packet *next(struct bench *bench, nsec now)
{
	static struct packet *last;

	session_give(bench->session, last);
	last = session_take(bench->session, now);
	return last;
}

static const struct entry up = { UPLINK, CHANNEL_NONE, 0 };
static const struct entry down = { DOWNLINK, CHANNEL_NONE, 0 };

Test(session, a_packet_goes_where_its_port_says)
{
	struct bench bench;
	struct packet *packet;

	bench_open(&bench, LINK "[uplink a]\nport = 5002\n"
				"[uplink b]\nport = 5003\n"
				"[downlink c]\nport = 5002\n");
	enter(&bench, 3, &down, "10.0.0.2:5002", 4);
	enter(&bench, 4, &up, "10.0.0.2:5003", 0);
	packet = next(&bench, 10);
	cr_assert_eq(packet->channel, 2);
	cr_assert_eq(packet->direction, DOWNLINK);
	cr_assert_eq(packet->id, 0);
	cr_assert_eq(packet->fate, FATE_RELEASED);
	packet = next(&bench, 10);
	cr_assert_eq(packet->channel, 1);
	cr_assert_eq(packet->direction, UPLINK);
	cr_assert_eq(packet->id, 1);
	cr_assert_eq(packet->ingress, 4);
	cr_assert_null(next(&bench, 10));
	bench_close(&bench);
}

Test(session, a_stray_is_dropped_or_forwarded_as_the_arm_says)
{
	static const char *const unmatched[] = { "drop", "forward" };

	for (int i = 0; i < 2; i++) {
		struct bench bench;
		struct packet *packet;

		bench_open(&bench,
			   "[arm]\nunmatched = %s\n" LINK
			   "[uplink a]\nport = 5002\n",
			   unmatched[i]);
		enter(&bench, 7, &up, "10.0.0.2:1", 4);
		cr_assert_eq(session_next(bench.session), 7);
		packet = next(&bench, 7);
		cr_assert_eq(packet->channel, CHANNEL_NONE);
		cr_assert_eq(packet->ingress, 7);
		cr_assert_eq(packet->fate, i ? FATE_FORWARDED : FATE_DROPPED);
		cr_assert_str_eq(packet->by, i ? "" : "unmatched");
		cr_assert_eq(packet->due, i ? 7 : NSEC_NEVER);
		cr_assert_null(next(&bench, 7));
		cr_assert_eq(session_next(bench.session), NSEC_NEVER);
		bench_close(&bench);
	}
}

Test(session, a_refused_packet_comes_out_as_that)
{
	struct bench bench;
	struct packet *packet;

	bench_open(&bench, LINK "[uplink a]\nport = 5002\n");
	session_refuse(bench.session, 5, UPLINK,
		       session_packet(bench.session, 40));
	session_refuse(bench.session, -5, DOWNLINK,
		       session_packet(bench.session, 0));
	packet = next(&bench, 5);
	cr_assert_eq(packet->fate, FATE_DROPPED);
	cr_assert_str_eq(packet->by, "refused");
	cr_assert_eq(packet->direction, UPLINK);
	cr_assert_eq(packet->ingress, 5);
	packet = next(&bench, 5);
	cr_assert_eq(packet->direction, DOWNLINK);
	cr_assert_eq(packet->ingress, 0, "the trial began at 0");
	cr_assert_eq(packet->id, 1);
	cr_assert_null(next(&bench, 5));
	bench_close(&bench);
}

Test(session, a_reply_finds_its_channel)
{
	const struct entry on_socket = { DOWNLINK, 0, 0 };
	struct bench bench;

	bench_open(&bench, LINK "[uplink a]\nport = 5002\n"
				"[downlink r]\nreply = a\n");
	enter(&bench, 0, &on_socket, "10.0.0.1:9", 4);
	cr_assert_eq(next(&bench, 0)->channel, 1);
	cr_assert_null(next(&bench, 0));
	bench_close(&bench);
}

Test(session, the_pool_runs_out_and_recovers)
{
	struct packet *packet, *held = NULL;
	struct bench bench;
	size_t n = 0;

	bench_open(&bench, LINK "[uplink a]\nport = 5002\n"
				"limit_packets = 1\nlimit_bytes = 8B\n");
	while ((packet = session_packet(bench.session, 65000))) {
		packet->next = held;
		held = packet;
		n++;
	}
	cr_assert_gt(n, 100);
	session_give(bench.session, NULL);
	packet = held->next;
	session_give(bench.session, held);
	held = session_packet(bench.session, 65000);
	cr_assert_not_null(held);
	held->next = packet;
	for (; held; held = packet) {
		packet = held->next;
		session_give(bench.session, held);
	}
	bench_put(&bench, 0, 0, 8);
	bench_take(&bench, 0);
	cr_assert_str_eq(bench.out[0].by, "limit", "36 bytes, of 8");
	bench_close(&bench);
}

Test(session, nothing_stays_in_the_pool_whatever_its_fate)
{
	const nsec delays[] = { 0, 5, DELAY_SUPPRESS, DELAY_INVALID, 500 };
	struct bench bench;

	/* the pool has room for a few thousand of these */
	bench_open(&bench, LINK "[uplink a]\nport = 1\nchain = c\n"
				"limit_packets = 2\nlimit_bytes = 4kB\n"
				"[condition c]\ntype = asked\n");
	for (nsec i = 0; i < 60000; i++) {
		bench_ask(&bench, i, 0, &delays[i % 5], 1);
		bench_put(&bench, i, 0, 1400);
		if (i % 7 == 0)
			session_flush(bench.session, 0, "reset");
		bench_take(&bench, i);
	}
	bench_take(&bench, NSEC_NEVER);
	cr_assert_gt(bench_count(&bench, FATE_RELEASED, NULL), 1000);
	cr_assert_gt(bench_count(&bench, FATE_SUPPRESSED, "c"), 1000);
	cr_assert_gt(bench_count(&bench, FATE_DROPPED, "invalid"), 1000);
	cr_assert_gt(bench_count(&bench, FATE_DROPPED, "limit"), 1000);
	cr_assert_gt(bench_count(&bench, FATE_DROPPED, "reset"), 1000);
	bench_close(&bench);
}

Test(session, a_trial_begins_at_zero_with_id_zero)
{
	struct bench bench;

	bench_open(&bench, LINK DELAYED, "keep-order", 100);
	cr_assert_str_eq(session_trial(bench.session), "1");
	bench_put(&bench, 500 * MS, 0, 8);
	session_flush(bench.session, 0, "reset");
	bench_take(&bench, 500 * MS);
	cr_assert_eq(bench_count(&bench, FATE_DROPPED, "reset"), 1);
	bench_reset(&bench, "P01 second");
	cr_assert_str_eq(session_trial(bench.session), "P01 second");
	bench_put(&bench, 1 * MS, 0, 0); /* without a mark: by its id */
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[0].mark, 0);
	cr_assert_eq(bench.out[0].ingress, 1 * MS);
	cr_assert_eq(bench.out[0].due, 101 * MS);
	bench_close(&bench);
}

Test(session, a_long_trial_id_is_no_harm)
{
	char id[1000];
	struct bench bench;

	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	bench_open(&bench, LINK "[uplink a]\nport = 5002\n");
	bench_reset(&bench, id);
	cr_assert_eq(strncmp(session_trial(bench.session), id,
			     strlen(session_trial(bench.session))),
		     0);
	bench_close(&bench);
}

Test(session, at_one_time_the_arms_order_decides)
{
	struct bench bench;

	bench_open(&bench, LINK "[uplink a]\nport = 1\nchain = w\n"
				"[uplink b]\nport = 2\nchain = w\n"
				"[condition w]\ntype = delay\ndelay = 5ms\n");
	bench_put(&bench, 0, 1, 8);
	bench_put(&bench, 0, 0, 8);
	bench_take(&bench, 5 * MS);
	cr_assert_eq(bench.n, 2);
	cr_assert_eq(bench.out[0].channel, 0);
	cr_assert_eq(bench.out[1].channel, 1);
	bench_close(&bench);
}

Test(session, the_operator_sends_before_what_is_due_is_delivered)
{
	static const char script[] = "0,0.1,0,0\n1,0.1,0,0\n";
	const struct session_plan plan = { .drive = script,
					   .drive_size = sizeof(script) - 1,
					   .drive_name = "script" };
	struct err err = { 0 };
	struct bench bench;

	bench_open(&bench, LINK "[uplink command]\nport = 5002\n"
				"[uplink voice]\nport = 2\nchain = w\n"
				"[condition w]\ntype = delay\n"
				"delay = 100ms\n");
	cr_assert_eq(session_inhabit(bench.session, &plan, &err), 0);
	enter(&bench, 0, &up, "10.0.0.2:2", 4);
	while (next(&bench, 100 * MS - 1))
		;
	cr_assert_eq(session_next(bench.session), 100 * MS);
	cr_assert_eq(next(&bench, 100 * MS)->channel, 0);
	cr_assert_eq(next(&bench, 100 * MS)->channel, 1);
	cr_assert_null(next(&bench, 100 * MS));
	session_retire(bench.session);
	bench_close(&bench);
}

Test(session, one_direction_is_held_up_to_a_time)
{
	struct bench bench;

	bench_open(&bench, LINK "[uplink a]\nport = 1\n"
				"[downlink b]\nport = 2\n"
				"[uplink c]\nport = 3\n");
	session_hold(bench.session, UPLINK, 50 * MS);
	for (uint16_t i = 0; i < 3; i++)
		bench_put(&bench, 45 * MS, i, 8);
	bench_take(&bench, 50 * MS);
	cr_assert_eq(bench_of(&bench, 0)->due, 50 * MS);
	cr_assert_eq(bench_of(&bench, 1)->due, 45 * MS);
	cr_assert_eq(bench_of(&bench, 2)->due, 50 * MS);
	bench_close(&bench);
}

Test(session, a_stop_goes_where_its_stream_goes)
{
	static const struct {
		const char *rows, *to;
	} cases[] = {
		{ "port = 5002, 5004\n", "10.0.0.2:5002" },
		{ "port = 5002\nto = 10.0.0.9\n", "10.0.0.9:5002" },
		{ "port = 5002\nto = 10.0.0.9:7\n", "10.0.0.9:7" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[ADDRESS_TEXT];
		union address from, to;
		struct bench bench;
		struct packet *packet;

		bench_open(&bench,
			   LINK "[uplink command]\n%s[safety]\nstop = halt\n",
			   cases[i].rows);
		session_inject(bench.session, 3, "on_start");
		packet = next(&bench, 3);
		cr_assert_eq(packet->fate, FATE_INJECTED);
		cr_assert_str_eq(packet->by, "on_start");
		cr_assert_eq(packet->channel, 0);
		cr_assert_eq(packet->due, 3);
		packet_ends(packet, &from, &to);
		address_print(&to, text);
		cr_assert_str_eq(text, cases[i].to);
		cr_assert_eq(packet_payload_bytes(packet), 4);
		cr_assert_eq(memcmp(packet->ip + packet->payload, "halt", 4),
			     0);
		cr_assert_null(next(&bench, 3));
		bench_close(&bench);
	}
}
