/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_order_test.c - slot gathers packets, reorder lets some fall behind
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "conditions/noise.h"
#include "core/seed.h"
#include "tests/unit/bench.h"
#include "tests/unit/rig.h"

Test(slot, releases_at_its_openings)
{
	struct rig rig = { 0 };

	rig_open(&rig, "slot", "interval = 20ms\n", 61);
	cr_assert_eq(rig_turn(&rig, 0), 0, "slot 0 opens at 0");
	cr_assert_eq(rig_turn(&rig, 1), 20 * MS - 1);
	cr_assert_eq(rig_turn(&rig, 15 * MS), 5 * MS);
	cr_assert_eq(rig_turn(&rig, 20 * MS), 0);
	cr_assert_eq(rig_turn(&rig, 3600 * SEC + MS), 19 * MS);
	rig_close(&rig);
}

Test(slot, has_room_for_so_many_packets)
{
	struct rig rig = { 0 };
	static const int slots[] = { 1, 1, 2, 2, 3, 3, 4 };

	rig_open(&rig, "slot", "interval = 20ms\npackets = 2\n", 62);
	for (int i = 0; i < 7; i++)
		cr_assert_eq(rig_turn(&rig, MS), slots[i] * 20 * MS - MS);
	/* slot 4 has one already */
	cr_assert_eq(rig_turn(&rig, 70 * MS), 10 * MS);
	cr_assert_eq(rig_turn(&rig, 70 * MS), 30 * MS);
	rig_close(&rig);
}

Test(slot, has_room_for_so_many_bytes)
{
	struct rig rig = { 0 };

	rig_open(&rig, "slot", "interval = 20ms\nbytes = 1000B\n", 63);
	rig.turn.ip_bytes = 600;
	cr_assert_eq(rig_turn(&rig, MS), 19 * MS);
	rig.turn.ip_bytes = 400;
	cr_assert_eq(rig_turn(&rig, MS), 19 * MS);
	rig.turn.ip_bytes = 1;
	cr_assert_eq(rig_turn(&rig, MS), 39 * MS);
	/* larger than any slot: one to itself */
	rig.turn.ip_bytes = 5000;
	cr_assert_eq(rig_turn(&rig, MS), 59 * MS);
	rig.turn.ip_bytes = 1;
	cr_assert_eq(rig_turn(&rig, MS), 79 * MS);
	rig_close(&rig);
}

Test(slot, strays_uniformly_and_keeps_order)
{
	struct rig rig = { 0 }, again = { 0 };
	struct moments stray = { 0 };
	nsec last = 0;

	rig_open(&rig, "slot", "interval = 20ms\njitter = 10ms\n", 64);
	rig_open(&again, "slot", "interval = 20ms\njitter = 10ms\n", 64);
	for (int i = 0; i < 400000; i++) {
		nsec now = i * 7 * MS, due = now + rig_turn(&rig, now);

		cr_assert_geq(due, now);
		cr_assert_geq(due, last);
		cr_assert_leq(due, now + 40 * MS);
		if (due != last) {
			nsec from = (due + 10 * MS) % (20 * MS) - 10 * MS;

			moments_add(&stray, (double)from / 1e6);
		}
		last = due;
		/* openings do not depend on traffic */
		if (i % 100 == 0)
			cr_assert_eq(rig_turn(&again, now) + now, due);
	}
	cr_assert_float_eq(moments_deviation(&stray), 10.0 / sqrt(3.0), 0.1);
	rig_close(&rig);
	rig_close(&again);
}

Test(slot, of_no_interval_is_always_open)
{
	struct rig rig = { 0 };

	rig_open(&rig, "slot", "interval = 0ms\n", 65);
	cr_assert_eq(rig_turn(&rig, 17), 0);
	rig_close(&rig);
}

Test(slot, begins_anew_when_its_interval_changes)
{
	struct rig rig = { 0 };

	rig_open(&rig, "slot", "interval = 1ms\n", 66);
	cr_assert_eq(rig_turn(&rig, 100 * SEC), 0);
	rig_change(&rig, "interval = 50ms\n");
	cr_assert_eq(rig_turn(&rig, 100 * SEC + MS), 49 * MS);
	rig_close(&rig);
}

Test(slot, counts_anew_when_its_interval_changes)
{
	struct rig rig = { 0 };

	rig_open(&rig, "slot", "interval = 20ms\npackets = 1\n", 66);
	cr_assert_eq(rig_turn(&rig, 0), 0);
	cr_assert_eq(rig_turn(&rig, 0), 20 * MS);
	rig_change(&rig, "interval = 30ms\npackets = 1\n");
	cr_assert_eq(rig_turn(&rig, 0), 0);
	cr_assert_eq(rig_turn(&rig, 0), 30 * MS);
	rig_close(&rig);
}

Test(slot, what_would_wait_for_more_than_an_hour_takes_no_room)
{
	struct rig rig = { 0 };

	rig_open(&rig, "slot", "interval = 1h\npackets = 1\n", 66);
	cr_assert_eq(rig_turn(&rig, 0), 0);
	cr_assert_eq(rig_turn(&rig, 0), DELAY_MAX);
	cr_assert_gt(rig_turn(&rig, 0), DELAY_MAX);
	cr_assert_eq(rig_turn(&rig, 3600 * SEC), DELAY_MAX);
	rig_close(&rig);
}

Test(slot, opens_where_the_noise_of_its_place_says)
{
	struct rig rig = { 0 };
	uint64_t key;

	rig_open(&rig, "slot", "interval = 20ms\njitter = 10ms\n", 72);
	seed_key(&rig.rng, 73);
	key = noise_key(&rig.rng);
	seed_key(&rig.rng, 73);
	rig.condition->reset(&rig.turn);
	for (int64_t i = 1; i < 1000; i++) {
		nsec now = i * 20 * MS - 10 * MS;
		double stray = 2.0 * noise_at(key, (uint64_t)i) - 1.0;

		cr_assert_eq(now + rig_turn(&rig, now),
			     i * 20 * MS + (nsec)(stray * 1e7));
	}
	rig_close(&rig);
}

Test(slot, refuses_to_open_out_of_turn)
{
	char why[RIG_WHY];

	cr_assert_str_not_empty(rig_fault(
		"slot", "interval = 20ms\njitter = 11ms\n", NULL, why));
}

Test(reorder, holds_its_share_for_its_time)
{
	enum { N = 100000 };
	struct rig rig = { 0 };
	int held = 0;

	rig_open(&rig, "reorder", "probability = 5%\nhold = 30ms\n", 67);
	for (int i = 0; i < N; i++) {
		nsec delay = rig_turn(&rig, i * MS);

		cr_assert(delay == 0 || delay == 30 * MS);
		held += delay != 0;
	}
	cr_assert_float_eq(held, N * 0.05, 5.0 * sqrt(N * 0.05 * 0.95));
	cr_assert_eq(rig_count(&rig, "held"), held);
	rig_close(&rig);
}

Test(reorder, a_chance_of_0_percent_holds_none)
{
	struct rig rig = { 0 };

	rig_open(&rig, "reorder", "probability = 0%\nhold = 30ms\n", 67);
	rig.rng = (struct rng){ 0 }; /* which draws 0 for ever */
	cr_assert_eq(rig_turn(&rig, 0), 0);
	rig_change(&rig, "probability = 0.01%\nhold = 30ms\n");
	cr_assert_eq(rig_turn(&rig, 0), 30 * MS);
	rig_close(&rig);
}

Test(reorder, counts_the_shortest_hold_and_none_that_is_zero)
{
	struct rig rig = { 0 };

	rig_open(&rig, "reorder", "probability = 100%\nhold = 0.000001ms\n",
		 67);
	cr_assert_eq(rig_turn(&rig, 0), 1);
	cr_assert_eq(rig_count(&rig, "held"), 1);
	rig_close(&rig);
}

/* How many packets with a greater mark left before the one at @i. */
static int overtaken(const struct bench *bench, size_t i)
{
	int n = 0;

	for (size_t k = 0; k < i; k++)
		n += bench->out[k].mark > bench->out[i].mark;
	return n;
}

Test(reorder, lets_so_many_packets_overtake)
{
	struct bench bench;
	int behind = 0;

	bench_open(&bench,
		   "[link]\nrobot = 10.0.0.2\n[uplink command]\nport = 5002\n"
		   "chain = r\n[condition r]\ntype = reorder\n"
		   "probability = 2%%\npackets = 3\n");
	bench_feed(&bench, 2000, 20 * MS, 0, 100);
	cr_assert_eq(bench.n, 2000);
	for (size_t i = 0; i < bench.n; i++) {
		const struct outcome *out = &bench.out[i];

		if (out->due == out->ingress)
			continue;
		/* one less where one of the three was held itself */
		behind += overtaken(&bench, i) == 3;
		if (out->mark + 4 < 2000)
			cr_assert_geq(overtaken(&bench, i), 1);
	}
	cr_assert_gt(behind, 20);
	bench_close(&bench);
}

Test(reorder, knows_no_gap_at_the_first_packet)
{
	struct rig rig = { 0 };

	rig_open(&rig, "reorder", "probability = 100%\npackets = 2\n", 68);
	cr_assert_eq(rig_turn(&rig, 5 * SEC), 0);
	cr_assert_eq(rig_turn(&rig, 5 * SEC + 10 * MS), 25 * MS);
	cr_assert_eq(rig_turn(&rig, 5 * SEC + 30 * MS), 37500000);
	rig_close(&rig);
}

Test(reorder, of_zero_does_nothing_and_of_two_minds_is_refused)
{
	struct rig rig = { 0 };
	char why[RIG_WHY];

	rig_open(&rig, "reorder", "probability = 100%\n", 69);
	cr_assert_eq(rig_turn(&rig, 0), 0);
	cr_assert_eq(rig_count(&rig, "held"), 0);
	rig_close(&rig);
	cr_assert_str_not_empty(rig_fault(
		"reorder", "probability = 1%\nhold = 1ms\npackets = 3\n", NULL,
		why));
}

Test(slot, opens_around_its_steady_clock)
{
	struct rig rig = { 0 };
	double least = 1, most = -1;

	rig_open(&rig, "slot", "interval = 20ms\njitter = 5ms\n", 71);
	for (int i = 1; i < 2000; i++) {
		/* half an interval before its time no other slot can open */
		nsec now = i * 20 * MS - 10 * MS;
		double off = (double)(now + rig_turn(&rig, now) - i * 20 * MS);

		cr_assert(fabs(off) <= 5e6, "%d: %g", i, off);
		least = fmin(least, off / 5e6);
		most = fmax(most, off / 5e6);
	}
	/* of 2000 draws the outermost 1 % are not all missed */
	cr_assert(least < -0.98 && most > 0.98, "%g to %g", least, most);
	rig_close(&rig);
}
