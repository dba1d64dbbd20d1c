/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * schedule_test.c - order by due time and arrival, against a sorted list
 *
 * Floor: tests.
 */
#include "core/schedule.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/seed.h"

#define CAPACITY 256

/* Packets that need no bytes, and a list that is kept by searching. */
static struct packet *packets[CAPACITY];

static void make_packets(void)
{
	for (size_t i = 0; i < CAPACITY; i++) {
		packets[i] = calloc(1, sizeof(struct packet));
		packets[i]->id = i;
	}
}

static void free_packets(void)
{
	for (size_t i = 0; i < CAPACITY; i++)
		free(packets[i]);
}

TestSuite(schedule, .init = make_packets, .fini = free_packets);

static bool before(const struct packet *a, const struct packet *b)
{
	return a->due != b->due ? a->due < b->due : a->id < b->id;
}

static void put(struct schedule *schedule, size_t i, nsec due)
{
	packets[i]->due = due;
	schedule_put(schedule, packets[i]);
}

Test(schedule, is_empty_at_first)
{
	struct schedule schedule;

	cr_assert(schedule_init(&schedule, 1));
	cr_assert_eq(schedule_next(&schedule), NSEC_NEVER);
	cr_assert_null(schedule_first(&schedule));
	cr_assert_null(schedule_take(&schedule));
	schedule_fini(&schedule);
}

Test(schedule, equal_times_keep_their_order)
{
	struct schedule schedule;

	cr_assert(schedule_init(&schedule, CAPACITY));
	for (size_t i = 0; i < CAPACITY; i++)
		put(&schedule, i, 5);
	for (size_t i = 0; i < CAPACITY; i++)
		cr_assert_eq(schedule_take(&schedule)->id, i);
	schedule_fini(&schedule);
}

Test(schedule, equal_times_go_by_id_not_by_when_they_were_put)
{
	struct schedule schedule;

	cr_assert(schedule_init(&schedule, CAPACITY));
	for (size_t i = CAPACITY; i-- > 0;)
		put(&schedule, i, 5);
	for (size_t i = 0; i < CAPACITY; i++)
		cr_assert_eq(schedule_take(&schedule)->id, i);
	schedule_fini(&schedule);
}

Test(schedule, holds_as_many_as_it_says_in_any_order)
{
	struct schedule schedule;

	cr_assert(schedule_init(&schedule, CAPACITY));
	for (int up = 0; up < 2; up++) {
		for (size_t i = 0; i < CAPACITY; i++)
			put(&schedule, i, up ? (nsec)i : -(nsec)i);
		for (size_t i = 0; i < CAPACITY; i++)
			cr_assert_eq(schedule_take(&schedule)->id,
				     up ? i : CAPACITY - 1 - i);
		cr_assert_null(schedule_take(&schedule));
	}
	schedule_fini(&schedule);
}

Test(schedule, a_capacity_of_one_works_for_ever)
{
	struct schedule schedule;

	cr_assert(schedule_init(&schedule, 1));
	for (size_t i = 0; i < 3 * CAPACITY; i++) {
		put(&schedule, i % CAPACITY, (nsec)(i * 7 % 13));
		cr_assert_eq(schedule_next(&schedule), (nsec)(i * 7 % 13));
		cr_assert_eq(schedule_take(&schedule), packets[i % CAPACITY]);
	}
	schedule_fini(&schedule);
}

Test(schedule, times_at_the_ends_of_the_range_are_in_order)
{
	struct schedule schedule;

	cr_assert(schedule_init(&schedule, CAPACITY));
	put(&schedule, 0, NSEC_NEVER - 1);
	put(&schedule, 1, INT64_MIN);
	put(&schedule, 2, 0);
	put(&schedule, 3, INT64_MAX - 2);
	cr_assert_eq(schedule_take(&schedule)->id, 1);
	cr_assert_eq(schedule_take(&schedule)->id, 2);
	cr_assert_eq(schedule_take(&schedule)->id, 3);
	cr_assert_eq(schedule_take(&schedule)->id, 0);
	schedule_fini(&schedule);
}

/* Random puts and takes; @spread of the times chooses ring or heap. */
static void compare_with_list(uint64_t seed, size_t capacity, nsec spread)
{
	const struct packet *list[CAPACITY] = { NULL };
	bool used[CAPACITY] = { false };
	struct schedule schedule;
	struct rng rng;
	size_t n = 0;

	seed_key(&rng, seed);
	cr_assert(schedule_init(&schedule, capacity));
	for (nsec step = 0; step < 2000; step++) {
		size_t least = 0;

		if (n < capacity && rng_uniform(&rng) < 0.55) {
			size_t i = rng_next(&rng) % CAPACITY;

			while (used[i])
				i = (i + 1) % CAPACITY;
			used[i] = true;
			put(&schedule, i,
			    step + (nsec)(rng_next(&rng) %
					  (uint64_t)(spread + 1)));
			list[n++] = packets[i];
		}
		for (size_t i = 1; i < n; i++)
			if (before(list[i], list[least]))
				least = i;
		cr_assert_eq(schedule_first(&schedule), n ? list[least] : NULL);
		cr_assert_eq(schedule_next(&schedule),
			     n ? list[least]->due : NSEC_NEVER);
		if (rng_uniform(&rng) >= 0.5)
			continue;
		cr_assert_eq(schedule_take(&schedule), n ? list[least] : NULL);
		if (n) {
			used[list[least]->id] = false;
			list[least] = list[--n];
		}
	}
	while (n--)
		cr_assert_not_null(schedule_take(&schedule));
	cr_assert_null(schedule_take(&schedule));
	schedule_fini(&schedule);
}

Test(schedule, is_that_of_a_sorted_list)
{
	static const size_t capacities[] = { 1, 2, 3, 17, CAPACITY };
	static const nsec spreads[] = { 0, 1, 5, 100, 1000000 };

	for (uint64_t seed = 0; seed < 100; seed++)
		compare_with_list(seed, capacities[seed % 5],
				  spreads[seed / 5 % 5]);
}
