/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * tally_test.c - counts, reasons, order, gaps and bursts
 *
 * Floor: tests.
 */
#include "core/tally.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct tally tally;

static void add(uint64_t id, enum fate fate, const char *by, nsec ingress,
		nsec due, nsec released)
{
	const struct packet packet = { .id = id,
				       .place = (uint32_t)id + 1,
				       .fate = (uint8_t)fate,
				       .by = by,
				       .ingress = ingress,
				       .due = due,
				       .len = 128,
				       .payload = 28 };

	tally_add(&tally, &packet, released);
}

static void release(uint64_t id, nsec due)
{
	add(id, FATE_RELEASED, "", 0, due, NSEC_NEVER);
}

static void lose(uint64_t id)
{
	add(id, FATE_SUPPRESSED, "wifi", 0, NSEC_NEVER, NSEC_NEVER);
}

Test(tally, counts_each_fate_once)
{
	release(0, 1);
	add(1, FATE_FORWARDED, "", 0, 0, 0);
	lose(2);
	add(3, FATE_DROPPED, "limit", 0, NSEC_NEVER, NSEC_NEVER);
	add(4, FATE_DROPPED, "invalid", 0, NSEC_NEVER, NSEC_NEVER);
	add(5, FATE_DROPPED, "limit", 0, NSEC_NEVER, NSEC_NEVER);
	cr_assert_eq(tally.in, 6);
	cr_assert_eq(tally.bytes, 600);
	cr_assert_eq(tally.released, 2);
	cr_assert_eq(tally.suppressed, 1);
	cr_assert_eq(tally.dropped, 3);
	cr_assert_eq(tally_of(&tally, "limit"), 2);
	cr_assert_eq(tally_of(&tally, "invalid"), 1);
	cr_assert_eq(tally_of(&tally, "wifi"), 1);
	cr_assert_eq(tally_of(&tally, "cell"), 0);
}

Test(tally, a_name_is_told_by_its_letters)
{
	char one[] = "wifi", two[] = "wifi";

	add(0, FATE_SUPPRESSED, one, 0, NSEC_NEVER, NSEC_NEVER);
	add(1, FATE_SUPPRESSED, two, 0, NSEC_NEVER, NSEC_NEVER);
	cr_assert_eq(tally.n_reasons, 1);
	cr_assert_eq(tally_of(&tally, "wifi"), 2);
}

Test(tally, more_reasons_than_it_holds_share_the_last)
{
	static char names[TALLY_REASONS + 10][8];
	uint64_t sum = 0;

	for (size_t i = 0; i < TALLY_REASONS + 10; i++) {
		snprintf(names[i], sizeof(names[i]), "c%zu", i);
		add(i, FATE_SUPPRESSED, names[i], 0, NSEC_NEVER, NSEC_NEVER);
	}
	cr_assert_eq(tally.n_reasons, TALLY_REASONS);
	for (size_t i = 0; i < tally.n_reasons; i++)
		sum += tally.reason[i].n;
	cr_assert_eq(sum, tally.suppressed);
	cr_assert_eq(tally_of(&tally, "c0"), 1);
}

Test(tally, late_is_what_leaves_behind_a_later_one)
{
	static const uint64_t order[] = { 0, 4, 2, 1, 5, 3, 7, 6 };

	for (size_t i = 0; i < 8; i++)
		release(order[i], (nsec)i);
	/* 2, 1, 3 and 6 */
	cr_assert_eq(tally.late, 4);
	cr_assert_eq(tally.latest_id, 8);
}

Test(tally, in_order_nothing_is_late_whatever_is_lost)
{
	release(0, 0);
	lose(5);
	release(3, 1);
	release(7, 1);
	cr_assert_eq(tally.late, 0);
}

Test(tally, the_longest_gap_is_between_two_releases)
{
	release(0, 1000);
	cr_assert_eq(tally.longest_gap, 0, "none before the first");
	release(1, 1010);
	lose(2);
	release(3, 1050);
	release(4, 1060);
	cr_assert_eq(tally.longest_gap, 40);
	/* in a live run by when they really left */
	add(5, FATE_RELEASED, "", 0, 1070, 1200);
	cr_assert_eq(tally.longest_gap, 140);
}

Test(tally, a_burst_is_a_run_of_what_did_not_pass)
{
	lose(1);
	release(0, 0); /* delayed: settled between two that were lost */
	lose(2);
	add(3, FATE_DROPPED, "limit", 0, NSEC_NEVER, NSEC_NEVER);
	release(4, 1);
	lose(5);
	release(6, 2);
	cr_assert_eq(tally.bursts, 2);
	cr_assert_eq(tally.suppressed + tally.dropped, 4);
}

Test(tally, delay_and_error_are_of_the_released)
{
	add(0, FATE_RELEASED, "", 100, 150, 157);
	add(1, FATE_RELEASED, "", 100, 170, NSEC_NEVER);
	lose(2);
	cr_assert_eq(tally.delay.n, 2);
	cr_assert_eq(tally.delay.least, 50);
	cr_assert_eq(tally.delay.most, 70);
	cr_assert_eq(tally.error.n, 1);
	cr_assert_eq(tally.error.most, 7);
}

Test(tally, neither_a_copy_nor_a_stop_of_ours_is_a_packet_of_the_stream)
{
	const struct packet copy = { .id = 1,
				     .by = BY_DUPLICATE,
				     .fate = FATE_RELEASED,
				     .due = 90,
				     .len = 128,
				     .payload = 28 };

	release(0, 10);
	tally_add(&tally, &copy, NSEC_NEVER);
	add(2, FATE_INJECTED, "", 0, 0, 95);
	cr_assert_eq(tally.copies, 1);
	cr_assert_eq(tally.in, 1);
	cr_assert_eq(tally.released, 1);
	cr_assert_eq(tally.bytes, 100);
	cr_assert_eq(tally.longest_gap, 0);
	cr_assert_eq(tally.delay.n, 1);
}

Test(tally, the_last_reason_has_its_own_place)
{
	static char names[TALLY_REASONS][8];

	for (size_t i = 0; i < TALLY_REASONS; i++) {
		snprintf(names[i], sizeof(names[i]), "c%zu", i);
		add(i, FATE_SUPPRESSED, names[i], 0, NSEC_NEVER, NSEC_NEVER);
	}
	for (size_t i = 0; i < TALLY_REASONS; i++)
		cr_assert_eq(tally_of(&tally, names[i]), 1);
}
