/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pool_test.c - memory for packets: apart, returned, exhausted, recovered
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/packet.h"
#include "core/seed.h"

#define LEN_MOST 65575u
#define HELD	 2000

static uint8_t pattern(const struct packet *packet)
{
	return (uint8_t)(packet->id * 131u + 17u);
}

/* Every byte of it is written, so that an overlap shows. */
static void mark(struct packet *packet, uint64_t id)
{
	packet->id = id;
	memset(packet->ip, pattern(packet), packet->len);
}

static void check(const struct packet *packet, uint64_t id, uint32_t len)
{
	cr_assert_eq(packet->id, id);
	cr_assert_eq(packet->len, len);
	for (uint32_t i = 0; i < len; i++)
		cr_assert_eq(packet->ip[i], pattern(packet));
}

Test(pool, a_packet_is_zeros_but_its_length)
{
	struct pool *pool = pool_new(10000, 10);
	struct packet *packet = pool_get(pool, 100);

	memset(packet, 0xff, sizeof(*packet) + 100);
	pool_put(pool, packet);
	cr_assert_eq(pool_get(pool, 100), packet, "the same memory again");
	cr_assert_eq(packet->len, 100);
	cr_assert(!packet->id && !packet->ingress && !packet->due &&
		  !packet->by && !packet->next && !packet->channel &&
		  !packet->payload && !packet->stage && !packet->fate &&
		  !packet->chain);
	pool_free(pool);
}

Test(pool, takes_nothing_back_without_a_fuss)
{
	struct pool *pool = pool_new(0, 0);

	pool_put(pool, NULL);
	cr_assert_eq(pool_used(pool), 0);
	pool_free(pool);
	pool_free(NULL);
}

Test(pool, every_length_fits_its_class)
{
	struct pool *pool = pool_new(1 << 20, 100);

	for (uint32_t len = 0; len <= LEN_MOST; len += len < 3000 ? 1 : 61) {
		struct packet *a = pool_get(pool, len);
		struct packet *b = pool_get(pool, len);
		uint8_t *first = (uint8_t *)(a < b ? a : b);
		uint8_t *second = (uint8_t *)(a < b ? b : a);

		cr_assert((uintptr_t)a % _Alignof(max_align_t) == 0);
		cr_assert(second - first >=
			  (ptrdiff_t)(offsetof(struct packet, ip) + len));
		pool_put(pool, a);
		pool_put(pool, b);
	}
	cr_assert_eq(pool_used(pool), 0);
	pool_free(pool);
}

/* Sizes as they come in a study: commands, video fragments, and any. */
static uint32_t random_len(struct rng *rng)
{
	switch (rng_next(rng) % 4) {
	case 0:
		return 28 + (uint32_t)(rng_next(rng) % 100);
	case 1:
		return 1200 + (uint32_t)(rng_next(rng) % 300);
	case 2:
		return (uint32_t)(rng_next(rng) % 9000);
	default:
		return (uint32_t)(rng_next(rng) % (LEN_MOST + 1));
	}
}

Test(pool, never_hands_out_memory_that_overlaps)
{
	static struct packet *held[HELD];
	static uint32_t lens[HELD];
	struct pool *pool = pool_new((uint64_t)HELD * LEN_MOST, HELD);
	struct rng rng;
	uint64_t n = 0;

	seed_key(&rng, 1);
	for (uint64_t step = 0; step < 20000; step++) {
		size_t i = rng_next(&rng) % HELD;

		if (held[i]) {
			check(held[i], i, lens[i]);
			pool_put(pool, held[i]);
			held[i] = NULL;
			n--;
		} else {
			lens[i] = random_len(&rng);
			held[i] = pool_get(pool, lens[i]);
			cr_assert_not_null(held[i]);
			mark(held[i], i);
			n++;
		}
		cr_assert_eq(pool_used(pool), n);
	}
	for (size_t i = 0; i < HELD; i++) {
		if (held[i])
			check(held[i], i, lens[i]);
		pool_put(pool, held[i]);
	}
	cr_assert_eq(pool_used(pool), 0);
	pool_free(pool);
}

/* Take packets of one length until there are no more; give them all back. */
static uint64_t fill(struct pool *pool, uint32_t len)
{
	struct packet *packet, *held = NULL;
	uint64_t n = 0;

	while ((packet = pool_get(pool, len))) {
		packet->next = held;
		held = packet;
		n++;
	}
	cr_assert_eq(pool_used(pool), n);
	cr_assert_null(pool_get(pool, len), "and stays exhausted");
	for (; held; held = packet) {
		packet = held->next;
		pool_put(pool, held);
	}
	cr_assert_eq(pool_used(pool), 0);
	return n;
}

Test(pool, exhausted_it_says_so_and_recovers_for_any_size)
{
	static const uint32_t lens[] = { 60, 1500, LEN_MOST, 60, 9000, 1500 };
	struct pool *pool = pool_new(1 << 20, 1000);
	uint64_t small, large;

	for (size_t i = 0; i < 6; i++)
		cr_assert_gt(fill(pool, lens[i]), 0);
	small = fill(pool, 60);
	large = fill(pool, LEN_MOST);
	for (int i = 0; i < 5; i++) {
		cr_assert_eq(fill(pool, 60), small, "nothing leaks");
		cr_assert_eq(fill(pool, LEN_MOST), large);
	}
	pool_free(pool);
}

Test(pool, one_packet_given_back_makes_room_for_one_of_its_size)
{
	struct pool *pool = pool_new(1, 1);
	struct packet *last = NULL, *packet;

	while ((packet = pool_get(pool, LEN_MOST)))
		last = packet;
	pool_put(pool, last);
	cr_assert_eq(pool_get(pool, LEN_MOST - 20), last);
	cr_assert_null(pool_get(pool, LEN_MOST));
	pool_free(pool);
}

/* So many that the pages kept in reserve for each class do not hide a lack:
 * of all lengths this one wastes most at the ends of pages.
 */
Test(pool, holds_what_it_was_made_for_of_the_worst_size)
{
	const uint32_t len = 49110;
	const uint64_t packets = 31000;
	struct pool *pool = pool_new(len * packets, packets);

	if (!pool)
		cr_skip_test("not the memory for it");
	for (uint64_t n = 0; n < packets; n++)
		cr_assert_not_null(pool_get(pool, len));
	pool_free(pool);
}
