/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * channel_inside_test.c - generations of settings, counts, and what waits
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>

#include "core/channel.h"
#include "tests/unit/bench.h"

#define LINK "[link]\nrobot = 10.0.0.2\n"
#define DELAYED                                                                \
	LINK "[uplink a]\nport = 5002\nchain = w\non_change = keep-order\n"    \
	     "[condition w]\ntype = delay\ndelay = %dms\n"
#define ASKED                                                                  \
	LINK "[uplink a]\nport = 5002\nchain = w, d\non_change = keep-order\n" \
	     "[condition w]\ntype = asked\n"                                   \
	     "[condition d]\ntype = delay\ndelay = %dns\n"

static void ask(struct bench *bench, nsec at, nsec delay)
{
	bench_ask(bench, at, 0, &delay, 1);
}

Test(channel_inside, order_is_kept_over_two_changes)
{
	struct bench bench;

	bench_open(&bench, DELAYED, 10);
	bench_adopt(&bench, 0, DELAYED, 100);
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 1 * MS, DELAYED, 50);
	bench_put(&bench, 1 * MS, 0, 8);
	bench_adopt(&bench, 2 * MS, DELAYED, 0);
	bench_put(&bench, 2 * MS, 0, 8);
	bench_put(&bench, 101 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	for (uint64_t mark = 0; mark < 3; mark++)
		cr_assert_eq(bench_of(&bench, mark)->due, 100 * MS);
	cr_assert_eq(bench_of(&bench, 3)->due, 101 * MS);
	bench_close(&bench);
}

Test(channel_inside, of_one_time_packets_may_overtake_behind_a_change)
{
	struct bench bench;

	bench_open(&bench, ASKED, 0);
	ask(&bench, 0, 50 * MS);
	cr_assert_eq(bench_adopt(&bench, 1 * MS, ASKED, 1), 0);
	ask(&bench, 1 * MS, 200 * MS);
	ask(&bench, 2 * MS, 100 * MS);
	ask(&bench, 3 * MS, 10 * MS);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench_of(&bench, 1)->due, 201 * MS + 1);
	cr_assert_eq(bench_of(&bench, 2)->due, 102 * MS + 1, "before packet 1");
	cr_assert_eq(bench_of(&bench, 3)->due, 50 * MS + 1,
		     "not before packet 0");
	bench_close(&bench);
}

Test(channel_inside, each_that_left_makes_room_for_one_change_more)
{
	struct bench bench;
	int taken = 0, n;

	bench_open(&bench, DELAYED, 1000);
	for (n = 0; n < 50; n++) {
		bench_put(&bench, n * MS, 0, 8);
		if (bench_adopt(&bench, n * MS, DELAYED, 1001 + n))
			break;
		taken++;
	}
	cr_assert(taken > 0 && taken < 50);
	for (int i = 0; i < taken; i++) {
		bench_take(&bench, (1000 + 2 * i) * MS - 1);
		cr_assert_neq(bench_adopt(&bench, (1000 + 2 * i) * MS - 1,
					  DELAYED, 1100),
			      0);
		bench_take(&bench, (1000 + 2 * i) * MS);
		cr_assert_eq(
			bench_adopt(&bench, (1000 + 2 * i) * MS, DELAYED, 2000),
			0, "%d", i);
		bench_put(&bench, (1000 + 2 * i) * MS, 0, 8);
	}
	bench_take(&bench, NSEC_NEVER);
	bench_close(&bench);
}

Test(channel_inside, a_condition_counts_in_its_own_places)
{
	struct bench bench;
	const struct channel *channel;
	uint64_t floored, held;

	/* half of the draws are below 0, and every one is another */
	bench_open(&bench, LINK "[uplink a]\nport = 5002\nchain = n, m\n"
				"[condition n]\ntype = delay\ndelay = 0ms\n"
				"[condition m]\ntype = monotonic-jitter\n"
				"base = 0ms\njitter = 100ms\n");
	for (int i = 0; i < 100; i++)
		bench_put(&bench, i * 50 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	channel = session_channel(bench.session, 0);
	floored = channel_count(channel, 1, 0);
	held = channel_count(channel, 1, 1);
	cr_assert(floored > 30 && floored < 70, "%lu", floored);
	cr_assert(held > 10 && held < floored, "%lu", held);
	bench_close(&bench);
}

static void add_id(const struct packet *packet, void *context)
{
	uint64_t *sum = context;

	*sum = *sum * 10 + packet->id % 10 + 1;
}

Test(channel_inside, what_waits_is_looked_at_one_by_one)
{
	struct bench bench;
	uint64_t sum = 0;

	bench_open(&bench, ASKED, 0);
	for (int i = 0; i < 5; i++)
		ask(&bench, i * MS, 10 * MS);
	ask(&bench, 5 * MS, 7 * MS); /* overtakes two */
	bench_take(&bench, 11 * MS);
	cr_assert_eq(bench.n, 2);
	session_each(bench.session, 0, add_id, &sum);
	cr_assert_eq(sum, 3456);
	bench_take(&bench, NSEC_NEVER);
	session_each(bench.session, 0, add_id, &sum);
	cr_assert_eq(sum, 3456, "nothing more");
	bench_close(&bench);
}
