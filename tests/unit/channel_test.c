/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * channel_test.c - order, release, ticks, limits and validity of one channel
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/bench.h"

#define LINK "[link]\nrobot = 10.0.0.2\n"
#define CHANNEL                                                                \
	LINK "[uplink command]\nport = 5002\n"                                 \
	     "chain = c\n"
#define ASKED "[condition c]\ntype = asked\n"
/* Three stages, each with a delay of its own. */
#define THREE                                                                  \
	LINK "[uplink command]\nport = 5002\nchain = a, b, c\n"                \
	     "[condition a]\ntype = asked\n"                                   \
	     "[condition b]\ntype = asked\nplace = 1\n"                        \
	     "[condition c]\ntype = asked\nplace = 2\n"

static void ask(struct bench *bench, nsec at, nsec delay)
{
	bench_ask(bench, at, 0, &delay, 1);
}

Test(channel, releases_at_the_due_time_and_not_before)
{
	struct bench bench;

	bench_open(&bench, CHANNEL "[condition c]\ntype = delay\ndelay = 1s\n");
	bench_put(&bench, 0, 0, 100);
	cr_assert_eq(bench_take(&bench, 500 * MS), 0);
	cr_assert_eq(session_next(bench.session), 1000 * MS);
	cr_assert_eq(bench_take(&bench, 1000 * MS - 1), 0);
	cr_assert_eq(bench_take(&bench, 1000 * MS), 1);
	cr_assert_eq(bench.out[0].due, 1000 * MS);
	cr_assert_eq(bench.out[0].ingress, 0);
	cr_assert_eq(bench.out[0].fate, FATE_RELEASED);
	cr_assert_str_eq(bench.out[0].by, "");
	cr_assert_eq(session_next(bench.session), NSEC_NEVER);
	bench_close(&bench);
}

Test(channel, suppresses_silently_and_names_the_condition)
{
	struct bench bench;

	bench_open(&bench, CHANNEL ASKED);
	ask(&bench, 5, DELAY_SUPPRESS);
	cr_assert_eq(bench_take(&bench, 5), 1);
	cr_assert_eq(bench.out[0].fate, FATE_SUPPRESSED);
	cr_assert_str_eq(bench.out[0].by, "c");
	cr_assert_eq(bench.out[0].due, NSEC_NEVER);
	cr_assert_eq(bench_take(&bench, 2000 * MS), 0);
	bench_close(&bench);
}

Test(channel, drops_a_delay_that_is_not_valid)
{
	const nsec bad[] = { DELAY_INVALID,
			     -5 * MS,
			     DELAY_SUPPRESS + 1,
			     DELAY_MAX + 1,
			     INT64_MAX,
			     delay_of(-1.0),
			     delay_of((double)NAN),
			     delay_of((double)INFINITY),
			     delay_of(-(double)INFINITY) };
	struct bench bench;
	const char *stage;

	bench_open(&bench, CHANNEL ASKED);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ask(&bench, (nsec)i, bad[i]);
		cr_assert_eq(bench_take(&bench, (nsec)i), 1);
		cr_assert_eq(bench.out[i].fate, FATE_DROPPED);
		cr_assert_str_eq(bench.out[i].by, "invalid");
		cr_assert_eq(bench.out[i].due, NSEC_NEVER);
		cr_assert_eq(channel_invalid(session_channel(bench.session, 0),
					     &stage),
			     bad[i]);
		cr_assert_str_eq(stage, "c");
	}
	ask(&bench, 100, DELAY_MAX);
	ask(&bench, 100, delay_of(-0.0));
	cr_assert_eq(bench_take(&bench, 100), 1, "-0.0 is 0");
	cr_assert_eq(bench_take(&bench, 100 + DELAY_MAX), 1);
	bench_close(&bench);
}

Test(channel, releases_by_due_time_and_then_by_arrival)
{
	static const nsec delay[] = { 2000 * MS, 1000 * MS, 2000 * MS,
				      1000 * MS, 1500 * MS };
	static const uint64_t order[] = { 1, 3, 4, 0, 2 };
	struct bench bench;

	bench_open(&bench, CHANNEL ASKED);
	for (size_t i = 0; i < 5; i++)
		ask(&bench, 0, delay[i]);
	cr_assert_eq(bench_take(&bench, 999 * MS), 0);
	cr_assert_eq(bench_take(&bench, 1000 * MS), 2);
	cr_assert_eq(bench_take(&bench, 2000 * MS), 3);
	for (size_t i = 0; i < 5; i++)
		cr_assert_eq(bench.out[i].mark, order[i]);
	bench_close(&bench);
}

Test(channel, an_empty_chain_releases_at_once)
{
	struct bench bench;

	bench_open(&bench, LINK "[uplink command]\nport = 5002\n");
	bench_put(&bench, 7, 0, 0);
	bench_put(&bench, 7, 0, 65507);
	cr_assert_eq(session_next(bench.session), 7);
	cr_assert_eq(bench_take(&bench, 7), 2);
	cr_assert_eq(bench.out[0].due, 7);
	cr_assert_eq(bench.out[1].due, 7);
	cr_assert_eq(bench.out[0].bytes, 0);
	cr_assert_eq(bench.out[1].bytes, 65507);
	bench_close(&bench);
}

Test(channel, what_is_due_already_leaves_before_what_comes)
{
	static const uint64_t order[] = { 0, 2, 1, 3 };
	struct bench bench;

	bench_open(&bench, CHANNEL ASKED);
	ask(&bench, 0, 10);
	ask(&bench, 0, 20);
	/* neither was taken when these come */
	ask(&bench, 10, 0);
	ask(&bench, 20, 0);
	cr_assert_eq(bench_take(&bench, 20), 4);
	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(bench.out[i].mark, order[i]);
	bench_close(&bench);
}

Test(channel, a_suppressed_arrival_lets_out_what_is_due)
{
	struct bench bench;

	bench_open(&bench, CHANNEL ASKED);
	ask(&bench, 0, 10);
	ask(&bench, 10, DELAY_SUPPRESS);
	cr_assert_eq(bench_take(&bench, 10), 2);
	cr_assert_eq(bench.out[0].mark, 0);
	cr_assert_eq(bench.out[1].fate, FATE_SUPPRESSED);
	bench_close(&bench);
}

Test(channel, of_two_channels_due_at_one_instant_the_arms_first_goes_first)
{
	struct bench bench;

	bench_open(&bench, "[arm]\ntick = 20ms\n" LINK
			   "[downlink p]\nport = 1\nchain = c\n"
			   "[downlink v]\nport = 2\nchain = c\n" ASKED);
	bench_ask(&bench, 0, 1, &(nsec){ 10 * MS }, 1);
	bench_ask(&bench, 0, 0, &(nsec){ 15 * MS }, 1);
	cr_assert_eq(bench_take(&bench, 20 * MS), 2);
	cr_assert_eq(bench.out[0].channel, 0);
	cr_assert_eq(bench.out[1].channel, 1);
	bench_close(&bench);
}

Test(channel, of_5000_packets_at_2560_ms_each_leaves_128_ticks_later)
{
	const nsec tick = 20 * MS;
	struct bench bench;

	bench_open(&bench, "[arm]\ntick = 20ms\n" CHANNEL
			   "[condition c]\ntype = delay\ndelay = 2.56s\n");
	for (nsec k = 0; k < 5000; k++) {
		bench_take(&bench, k * tick);
		bench_put(&bench, k * tick, 0, 100);
		cr_assert_eq(
			channel_load(session_channel(bench.session, 0)).packets,
			k < 128 ? k + 1 : 128);
	}
	bench_take(&bench, NSEC_NEVER);
	for (size_t i = 0; i < 5000; i++) {
		const struct outcome *out = &bench.out[i];

		cr_assert_eq(out->mark, i);
		cr_assert_eq(out->due, ((nsec)i + 128) * tick);
		/* it was taken in the wake-up of that very tick */
		if (i < 5000 - 128)
			cr_assert_eq(out->taken, out->due);
	}
	bench_close(&bench);
}

Test(channel, a_tick_rounds_the_exit_up)
{
	static const int delay[][2] = { { 0, 0 },      { 10, 20 },
					{ 20, 20 },    { 50, 60 },
					{ 130, 140 },  { 200, 200 },
					{ 250, 260 },  { 2550, 2560 },
					{ 2560, 2560 } };
	struct bench bench;

	bench_open(&bench, "[arm]\ntick = 20ms\n" CHANNEL ASKED);
	for (size_t i = 0; i < 9; i++) {
		nsec at = (nsec)i * 10000 * MS;

		ask(&bench, at, delay[i][0] * MS);
		bench_take(&bench, at + delay[i][1] * MS - 1);
		cr_assert_eq(bench.n, i);
		bench_take(&bench, at + delay[i][1] * MS);
		cr_assert_eq(bench.n, i + 1);
		cr_assert_eq(bench.out[i].due, at + delay[i][1] * MS);
	}
	/* between ticks too, and the multiples are of the trial's time */
	ask(&bench, 100007 * MS, 0);
	ask(&bench, 100007 * MS, 14 * MS);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[9].due, 100007 * MS);
	cr_assert_eq(bench.out[10].due, 100040 * MS);
	bench_close(&bench);
}

Test(channel, only_the_exit_of_a_chain_is_on_the_tick)
{
	struct bench bench;

	bench_open(&bench, "[arm]\ntick = 20ms\n" THREE);
	/* 5 + 5 + 5 = 15, so 20; rounded at each stage it would be 60 */
	bench_ask(&bench, 0, 0, (nsec[]){ 5 * MS, 5 * MS, 5 * MS }, 3);
	/* the last stage adds nothing, still on the tick */
	bench_ask(&bench, 0, 0, (nsec[]){ 5 * MS, 0, 0 }, 3);
	/* due before the one above and so ahead of it on the same tick */
	bench_ask(&bench, 0, 0, (nsec[]){ 0, 4 * MS, 0 }, 3);
	bench_ask(&bench, 0, 0, (nsec[]){ 0, 0, 0 }, 3);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[0].mark, 3);
	cr_assert_eq(bench.out[0].due, 0);
	cr_assert_eq(bench.out[1].mark, 2);
	cr_assert_eq(bench.out[2].mark, 1);
	cr_assert_eq(bench.out[3].mark, 0);
	for (size_t i = 1; i < 4; i++)
		cr_assert_eq(bench.out[i].due, 20 * MS);
	bench_close(&bench);
}

Test(channel, each_stage_acts_when_the_packet_reaches_it)
{
	struct bench bench;

	/* 5 ms of link each: if the link saw them in order of arrival, the
	 * second would wait for the first
	 */
	bench_open(&bench, LINK "[uplink command]\nport = 1\nchain = a, c\n"
				"[condition a]\ntype = asked\n"
				"[condition c]\ntype = token-bucket\n"
				"rate = 200kbit\npacket_size = 1000bit\n"
				"max_wait = 2ms\n");
	ask(&bench, 0, 100 * MS);
	ask(&bench, 1 * MS, 10 * MS);
	ask(&bench, 2 * MS, 101 * MS);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[0].mark, 1);
	cr_assert_eq(bench.out[0].due, 16 * MS);
	/* reached the link at 100; the other at 103 with 2 ms to wait */
	cr_assert_eq(bench.out[1].mark, 0);
	cr_assert_eq(bench.out[1].due, 105 * MS);
	cr_assert_eq(bench.out[2].mark, 2);
	cr_assert_eq(bench.out[2].due, 110 * MS);
	bench_close(&bench);
}

Test(channel, of_two_that_reach_a_stage_at_once_the_earlier_arrival_goes_first)
{
	static const nsec delay[2][2] = { { 0, 10 * MS }, { 10 * MS, 0 } };

	for (size_t i = 0; i < 2; i++) {
		struct bench bench;

		bench_open(&bench, LINK "[uplink u]\nport = 1\n"
					"chain = a, b, c\n"
					"[condition a]\ntype = asked\n"
					"[condition b]\ntype = asked\n"
					"place = 1\n"
					"[condition c]\ntype = token-bucket\n"
					"rate = 1Mbit\n"
					"packet_size = 5kbit\n");
		/* one waits in the first stage, the other in the second */
		bench_ask(&bench, 0, 0, delay[i], 2);
		bench_ask(&bench, 0, 0, delay[1 - i], 2);
		bench_take(&bench, NSEC_NEVER);
		cr_assert_eq(bench_of(&bench, 0)->due, 15 * MS);
		cr_assert_eq(bench_of(&bench, 1)->due, 20 * MS);
		bench_close(&bench);
	}
}

Test(channel, a_condition_in_the_middle_suppresses_in_its_turn)
{
	struct bench bench;

	bench_open(&bench, THREE);
	bench_ask(&bench, 0, 0, (nsec[]){ 10, DELAY_SUPPRESS, 5 }, 3);
	bench_ask(&bench, 0, 0, (nsec[]){ 3, 4, DELAY_MAX + 1 }, 3);
	bench_ask(&bench, 0, 0, (nsec[]){ 10, 0, 1 }, 3);
	cr_assert_eq(bench_take(&bench, 6), 0);
	cr_assert_eq(bench_take(&bench, 7), 1);
	cr_assert_str_eq(bench.out[0].by, "invalid");
	cr_assert_eq(bench.out[0].due, NSEC_NEVER);
	cr_assert_eq(bench_take(&bench, 10), 1);
	cr_assert_str_eq(bench.out[1].by, "b");
	cr_assert_eq(bench_take(&bench, 11), 1);
	cr_assert_eq(bench.out[2].due, 11);
	bench_close(&bench);
}

Test(channel, a_chain_of_the_greatest_length_adds_up)
{
	nsec delay[CHAIN_MAX];
	char text[4096] = LINK "[uplink command]\nport = 1\nchain =";
	struct bench bench;

	for (int i = 0; i < CHAIN_MAX; i++) {
		delay[i] = (nsec)1 << i;
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s c%d\n", i ? "  ," : "", i);
	}
	for (int i = 0; i < CHAIN_MAX; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "[condition c%d]\ntype = asked\nplace = %d\n", i, i);
	bench_open(&bench, "%s", text);
	for (int i = 0; i < 10; i++)
		bench_ask(&bench, i, 0, delay, CHAIN_MAX);
	bench_take(&bench, NSEC_NEVER);
	for (size_t i = 0; i < 10; i++) {
		cr_assert_eq(bench.out[i].mark, i);
		cr_assert_eq(bench.out[i].due,
			     (nsec)i + ((nsec)1 << CHAIN_MAX) - 1);
	}
	bench_close(&bench);
}

Test(channel, the_newcomer_over_the_limit_of_packets_is_dropped)
{
	struct bench bench;

	bench_open(&bench, CHANNEL "limit_packets = 1\n"
				   "[condition c]\ntype = delay\n"
				   "delay = 10ms\n");
	for (nsec i = 0; i < 100; i++)
		bench_put(&bench, i * MS, 0, 100);
	bench_take(&bench, NSEC_NEVER);
	/* what is due at the very instant makes room */
	for (size_t i = 0; i < 100; i++) {
		const struct outcome *out = bench_of(&bench, i);

		cr_assert_eq(out->fate, i % 10 ? FATE_DROPPED : FATE_RELEASED);
		cr_assert_str_eq(out->by, i % 10 ? "limit" : "");
		cr_assert_eq(out->due,
			     i % 10 ? NSEC_NEVER : (nsec)(i + 10) * MS);
	}
	bench_close(&bench);
}

Test(channel, the_newcomer_over_the_limit_of_bytes_is_dropped)
{
	struct bench bench;

	/* 128 bytes of IP a packet: seven fit into 1000 */
	bench_open(&bench, CHANNEL "limit_bytes = 1000B\n"
				   "[condition c]\ntype = delay\n"
				   "delay = 10ms\n");
	for (int i = 0; i < 9; i++)
		bench_put(&bench, 0, 0, 100);
	bench_put(&bench, 0, 0, 76); /* 896 + 104 is 1000 */
	bench_put(&bench, 0, 0, 0);
	bench_put(&bench, 10 * MS, 0, 973);
	bench_put(&bench, 10 * MS, 0, 972);
	bench_take(&bench, NSEC_NEVER);
	for (size_t i = 0; i < 13; i++)
		cr_assert_eq(bench_of(&bench, i)->fate,
			     i < 7 || i == 9 || i == 12 ? FATE_RELEASED
							: FATE_DROPPED,
			     "%zu", i);
	cr_assert_eq(bench_count(&bench, FATE_DROPPED, "limit"), 4);
	bench_close(&bench);
}

Test(channel, limits_hold_for_the_stages_of_a_chain_together)
{
	struct bench bench;

	bench_open(&bench, THREE "[uplink u]\nport = 1\nlimit_packets = 3\n"
				 "chain = a, b, c\n");
	for (nsec i = 0; i < 5; i++)
		bench_ask(&bench, i, 1, (nsec[]){ 10 * i, 10, 10 }, 3);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench_count(&bench, FATE_DROPPED, "limit"), 2);
	cr_assert_eq(bench_of(&bench, 3)->fate, FATE_DROPPED);
	cr_assert_eq(bench_of(&bench, 4)->fate, FATE_DROPPED);
	bench_close(&bench);
}

static void count(const struct packet *packet, void *context)
{
	(void)packet;
	++*(int *)context;
}

Test(channel, a_flush_drops_all_that_waits_once)
{
	const struct channel *channel;
	struct bench bench;
	int n = 0;

	bench_open(&bench, THREE);
	channel = session_channel(bench.session, 0);
	bench_ask(&bench, 0, 0, (nsec[]){ 100, 0, 0 }, 3);
	bench_ask(&bench, 0, 0, (nsec[]){ 0, 100, 0 }, 3);
	bench_ask(&bench, 0, 0, (nsec[]){ 0, 0, 100 }, 3);
	bench_ask(&bench, 0, 0, (nsec[]){ 0, 0, 50 }, 3);
	channel_each(channel, count, &n);
	cr_assert_eq(n, 4);
	cr_assert_eq(channel_load(channel).packets, 4);
	cr_assert_eq(channel_load(channel).bytes, 4 * (28 + 32));
	session_flush(bench.session, 0, "shutdown");
	cr_assert_eq(channel_load(channel).packets, 0);
	cr_assert_eq(channel_load(channel).bytes, 0);
	cr_assert_eq(bench_take(&bench, 0), 4);
	cr_assert_eq(bench_count(&bench, FATE_DROPPED, "shutdown"), 4);
	/* when it would have left is known behind the last stage only */
	cr_assert_eq(bench_of(&bench, 3)->due, 50);
	cr_assert_eq(bench_of(&bench, 2)->due, 100);
	cr_assert_eq(bench_of(&bench, 1)->due, NSEC_NEVER);
	cr_assert_eq(bench_of(&bench, 0)->due, NSEC_NEVER);
	session_flush(bench.session, 0, "shutdown");
	cr_assert_eq(bench_take(&bench, NSEC_NEVER), 0);
	bench_close(&bench);
}

Test(channel, what_enters_late_is_moved_up_to_what_was_done)
{
	struct bench bench;

	bench_open(&bench, CHANNEL ASKED);
	ask(&bench, 0, 50);
	bench_take(&bench, 100);
	ask(&bench, 40, 0);
	ask(&bench, 60, 0);
	bench_take(&bench, 100);
	cr_assert_eq(bench_of(&bench, 1)->ingress, 50);
	cr_assert_eq(bench_of(&bench, 1)->due, 50);
	cr_assert_eq(bench_of(&bench, 2)->ingress, 60);
	ask(&bench, -5, 0);
	bench_take(&bench, 100);
	cr_assert_eq(bench_of(&bench, 3)->ingress, 60);
	bench_close(&bench);
}

Test(channel, times_of_a_year_do_not_overflow)
{
	const nsec year = INT64_C(365) * 86400 * NSEC_PER_S;
	struct bench bench;

	bench_open(&bench, "[arm]\ntick = 10s\n" CHANNEL ASKED);
	for (nsec i = 0; i < 100; i++) {
		ask(&bench, i * year + 1, DELAY_MAX);
		bench_take(&bench, NSEC_NEVER);
		cr_assert_eq(bench.out[i].due % (10 * NSEC_PER_S), 0);
		cr_assert_gt(bench.out[i].due, i * year + DELAY_MAX);
		cr_assert_leq(bench.out[i].due,
			      i * year + DELAY_MAX + 10 * NSEC_PER_S);
	}
	bench_close(&bench);
}
