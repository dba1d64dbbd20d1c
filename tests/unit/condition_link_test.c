/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_link_test.c - link-trace against schedules worked by hand
 *
 * Floor: tests.
 *
 * A packet of 1500 bytes counts 1504, all of a chance.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/rig.h"

static const struct rig_file files[] = { { "12mbit", "1\n" },
					 { "three", "5\n5\n10\n" },
					 { "zero", "0\n4\n" },
					 { NULL, NULL } };

struct check {
	nsec at, leaves; /* DELAY_SUPPRESS: not at all */
	uint32_t ip_bytes;
};

static void leaves(const char *settings, const struct check *checks, size_t n)
{
	struct rig rig = { .files = files };

	rig_open(&rig, "link-trace", settings, 51);
	for (size_t i = 0; i < n; i++) {
		nsec delay;

		rig.turn.ip_bytes = checks[i].ip_bytes;
		delay = rig_turn(&rig, checks[i].at);
		if (delay != DELAY_SUPPRESS)
			delay += checks[i].at;
		cr_assert_eq(delay, checks[i].leaves, "packet %zu: %ld", i,
			     delay);
	}
	rig_close(&rig);
}

#define LEAVES(settings, ...)                                                  \
	do {                                                                   \
		const struct check checks[] = { __VA_ARGS__ };                 \
		leaves(settings, checks, sizeof(checks) / sizeof(checks[0]));  \
	} while (0)

Test(link_trace, carries_one_full_packet_a_chance)
{
	/* 12 Mbit/s: a packet a ms, behind those that came before */
	LEAVES("file = 12mbit\n", { 0, MS, 1500 }, { 0, 2 * MS, 1500 },
	       { 0, 3 * MS, 1500 }, { 2500000, 4 * MS, 1500 },
	       { 9500000, 10 * MS, 1500 });
}

Test(link_trace, has_small_packets_share_a_chance)
{
	/* 752 with the 4 bytes: two fill a chance */
	LEAVES("file = 12mbit\n", { 0, MS, 748 }, { 0, MS, 748 },
	       { 0, 2 * MS, 748 }, { 1500000, 2 * MS, 748 },
	       { 1600000, 3 * MS, 748 });
}

Test(link_trace, begins_a_packet_that_does_not_fit)
{
	/* 1004 + 504: 500 of the second go with the first, 4 with the next;
	 * then 1500 are left, of which 1004 + 496 go, and so on
	 */
	LEAVES("file = 12mbit\n", { 0, MS, 1000 }, { 0, 2 * MS, 500 },
	       { 0, 2 * MS, 1000 }, { 0, 2 * MS, 492 }, { 0, 3 * MS, 1 });
	/* 3 x 1504 and one byte more */
	LEAVES("file = 12mbit\n", { 0, 4 * MS, 4509 }, { 0, 4 * MS, 1499 },
	       { 0, 5 * MS, 1 });
}

Test(link_trace, loses_what_nobody_used)
{
	LEAVES("file = 12mbit\n", { 0, MS, 100 },
	       /* the rest of chance 1 went by; this needs chance 2 whole */
	       { MS, 2 * MS, 1500 }, { MS, 3 * MS, 1500 });
}

Test(link_trace, serves_what_came_before_a_chance_not_with_it)
{
	LEAVES("file = 12mbit\n", { MS - 1, MS, 100 }, { MS, 2 * MS, 100 },
	       { 2 * MS + 1, 3 * MS, 100 });
}

Test(link_trace, repeats_with_the_time_of_its_last_line)
{
	/* chances: 5, 5, 10, 15, 15, 20, 25, 25, … */
	LEAVES("file = three\n", { 0, 5 * MS, 1500 }, { 0, 5 * MS, 1500 },
	       { 0, 10 * MS, 1500 }, { 0, 15 * MS, 1500 }, { 0, 15 * MS, 1500 },
	       { 0, 20 * MS, 1500 }, { 7 * MS, 25 * MS, 1500 },
	       { 26 * MS, 30 * MS, 1500 });
	/* a line 0 is the last line of the round before, once more */
	LEAVES("file = zero\n", { 0, 4 * MS, 1500 }, { 0, 4 * MS, 1500 },
	       { 0, 8 * MS, 1500 }, { 0, 8 * MS, 1500 });
}

Test(link_trace, goes_on_after_hours_of_silence)
{
	LEAVES("file = three\n", { 0, 5 * MS, 1500 },
	       { 36000 * SEC, 36000 * SEC + 5 * MS, 1500 },
	       { 36000 * SEC + 5 * MS, 36000 * SEC + 10 * MS, 1500 });
}

Test(link_trace, once_is_closed_behind_the_last_line)
{
	LEAVES("file = three\nonce = yes\n", { 0, 5 * MS, 1500 },
	       { 6 * MS, DELAY_SUPPRESS, 1501 }, { 6 * MS, 10 * MS, 1500 },
	       { 6 * MS, DELAY_SUPPRESS, 1 }, { 10 * MS, DELAY_SUPPRESS, 1 },
	       { 99 * SEC, DELAY_SUPPRESS, 1 });
}

Test(link_trace, begins_where_start_says)
{
	/* at 7 ms of the trace: chances at 3, 8, 8, 13, … */
	LEAVES("file = three\nstart = 7ms\n", { 0, 3 * MS, 1500 },
	       { 0, 8 * MS, 1500 }, { 0, 8 * MS, 1500 }, { 0, 13 * MS, 1500 });
	LEAVES("file = three\nstart = 1000007ms\n", { 0, 3 * MS, 1500 });
	LEAVES("file = three\nstart = 7ms\nonce = yes\n", { 0, 3 * MS, 1500 },
	       { 0, DELAY_SUPPRESS, 1500 });
}

Test(link_trace, suppresses_what_would_leave_too_late)
{
	LEAVES("file = 12mbit\nmax_wait = 2ms\n", { 0, MS, 1500 },
	       { 0, 2 * MS, 1500 }, { 0, DELAY_SUPPRESS, 1500 },
	       /* what is suppressed used nothing */
	       { MS, 3 * MS, 1500 }, { MS, DELAY_SUPPRESS, 100 });
	LEAVES("file = 12mbit\nmax_wait = 0ms\n", { 0, DELAY_SUPPRESS, 1 });
}

Test(link_trace, has_chances_of_another_size)
{
	LEAVES("file = 12mbit\nopportunity = 104B\n", { 0, MS, 100 },
	       { 0, 2 * MS, 50 }, { 0, 2 * MS, 46 }, { 0, 3 * MS, 1 });
}

Test(link_trace, has_the_rate_of_its_trace)
{
	struct rig rig = { .files = files };
	nsec last = 0;

	/* 3 chances in 10 ms, 1504 bytes each, over 1000 s of packets of 200 */
	rig_open(&rig, "link-trace", "file = three\nmax_wait = 1s\n", 52);
	rig.turn.ip_bytes = 200;
	for (int i = 0; i < 3000000; i++) {
		nsec now = i * INT64_C(333333), delay = rig_turn(&rig, now);

		if (delay == DELAY_SUPPRESS)
			continue;
		cr_assert_geq(now + delay, last);
		last = now + delay;
	}
	rig_close(&rig);
	/* 3000 packets/s of 204 bytes are 612 kB/s offered against 451 */
	rig = (struct rig){ .files = files };
	rig_open(&rig, "link-trace", "file = three\n", 53);
	rig.turn.ip_bytes = 200;
	for (int i = 0; i < 300000; i++)
		last = rig_turn(&rig, 0);
	cr_assert_float_eq((double)last / 1e9, 300000 * 204.0 / 451200.0,
			   0.010);
	rig_close(&rig);
}

Test(token_bucket, goes_on_with_another_rate)
{
	struct rig rig = { 0 };

	rig_open(&rig, "token-bucket",
		 "rate = 1000000007bit\npacket_size = 999999937bit\n"
		 "max_wait = 100s\n",
		 3);
	cr_assert_eq(rig_turn(&rig, 0), 999999931);
	/* of the nanosecond begun there is left what the new rate knows */
	rig_change(&rig, "rate = 7bit\npacket_size = 7bit\n"
			 "max_wait = 100s\n");
	cr_assert_eq(rig_turn(&rig, 0), 1999999931);
	cr_assert_eq(rig_turn(&rig, 0), 2999999931);
	rig_close(&rig);
}

Test(token_bucket, forgets_what_is_no_part_of_the_new_rate)
{
	struct rig rig = { 0 };

	/* a third of a nanosecond is left, which counts one of 1/3 ns */
	rig_open(&rig, "token-bucket",
		 "rate = 3bit\npacket_size = 1bit\nmax_wait = 100s\n", 3);
	cr_assert_eq(rig_turn(&rig, 0), 333333334);
	rig_change(&rig, "rate = 1bit\npacket_size = 1bit\n"
			 "max_wait = 100s\n");
	cr_assert_eq(rig_turn(&rig, 0), 1333333333);
	rig_close(&rig);
}

Test(token_bucket, a_given_size_has_its_overhead_too)
{
	struct rig rig = { 0 };

	rig_open(&rig, "token-bucket",
		 "rate = 9600bit\npacket_size = 1000B\noverhead = 200B\n", 3);
	cr_assert_eq(rig_turn(&rig, 0), SEC);
	rig_close(&rig);
}

Test(token_bucket, an_allowance_is_no_wait)
{
	struct rig rig = { 0 };

	/* one packet passes, one may begin to wait */
	rig_open(&rig, "token-bucket",
		 "rate = 8kbit\npacket_size = 1000B\nburst = 1000B\n"
		 "max_wait = 0ms\n",
		 3);
	cr_assert_eq(rig_turn(&rig, 0), 0);
	cr_assert_eq(rig_turn(&rig, 0), SEC);
	cr_assert_eq(rig_turn(&rig, 0), DELAY_SUPPRESS);
	cr_assert_eq(rig_turn(&rig, SEC - 1), DELAY_SUPPRESS);
	cr_assert_eq(rig_turn(&rig, SEC), SEC);
	rig_close(&rig);
}

Test(token_bucket, has_a_rate)
{
	char why[RIG_WHY];

	cr_assert(*rig_fault("token-bucket", "rate = 0bit\n", NULL, why));
	cr_assert_str_empty(
		rig_fault("token-bucket", "rate = 1bit\n", NULL, why));
}
