/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * place_test.c - chains that follow one another at one place of an arm
 *
 * Floor: tests.
 */
#include "session/place.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/bench.h"

#define ARM                                                                    \
	"[link]\nrobot = 10.0.0.2\n"                                           \
	"[uplink a]\nport = 5002\non_change = %s\nchain = %s\n"                \
	"[condition slow]\ntype = delay\ndelay = 100ms\n"                      \
	"[condition half]\ntype = delay\ndelay = 50ms\n"                       \
	"[condition none]\ntype = delay\ndelay = 0ms\n"

static struct bench bench;

static const char *released_or_by(uint64_t mark)
{
	const struct outcome *out = bench_of(&bench, mark);

	return out->fate == FATE_RELEASED ? "released" : out->by;
}

Test(place, nothing_is_taken_before_it_is_due)
{
	struct place place = { 0 };
	struct packet *packet;
	union address end;

	bench_open(&bench, ARM, "overtake", "slow");
	cr_assert(place_init(&place, &bench.arm[0]->channel[0].plan, 1));
	cr_assert_eq(place_next(&place), NSEC_NEVER);
	cr_assert_null(place_take(&place, NSEC_NEVER - 1));
	packet = session_packet(bench.session, packet_room(AF_INET, 8));
	cr_assert(address_parse("10.0.0.1:9", &end));
	packet_build(packet, &end, &end, 8);
	channel_put(place.channel, 0, packet);
	cr_assert_eq(place_next(&place), 100 * MS);
	cr_assert_null(place_take(&place, 100 * MS - 1));
	cr_assert_eq(place_take(&place, 100 * MS), packet);
	session_give(bench.session, packet);
	place_fini(&place);
	bench_close(&bench);
}

Test(place, eight_chains_may_be_under_way_behind_the_last)
{
	char chain[128] = "slow";
	int taken = 0;

	bench_open(&bench, ARM, "overtake", chain);
	while (taken < 20) {
		bench_put(&bench, 0, 0, 8);
		strcat(chain, ", none");
		if (bench_adopt(&bench, 0, ARM, "overtake", chain) < 0)
			break;
		taken++;
	}
	cr_assert_eq(taken, 8);
	/* 28 bytes of headers each */
	cr_assert_eq(session_load(bench.session, 0).packets, 9);
	cr_assert_eq(session_load(bench.session, 0).bytes, 9 * 36);
	bench_take(&bench, 100 * MS);
	cr_assert_eq(session_load(bench.session, 0).packets, 0);
	cr_assert_eq(
		bench_adopt(&bench, 100 * MS, ARM, "overtake", "none, slow"),
		0);
	bench_close(&bench);
}

Test(place, at_one_time_the_older_chain_is_first)
{
	bench_open(&bench, ARM, "overtake", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 50 * MS, ARM, "overtake", "half, none");
	bench_put(&bench, 50 * MS, 0, 8);
	bench_take(&bench, NSEC_NEVER);
	cr_assert_eq(bench.out[0].mark, 0);
	cr_assert_eq(bench_of(&bench, 0)->due, 100 * MS);
	cr_assert_eq(bench_of(&bench, 1)->due, 100 * MS);
	bench_close(&bench);
}

Test(place, what_is_held_behind_a_former_chain_is_inside)
{
	/* through with its own chain at once, it waits for the one before,
	 * also where a chain between the two is empty
	 */
	bench_open(&bench, ARM, "keep-order", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 10 * MS, ARM, "keep-order", "half, none");
	bench_adopt(&bench, 20 * MS, ARM, "keep-order", "");
	bench_put(&bench, 20 * MS, 0, 8);
	session_flush(bench.session, 0, "shutdown");
	bench_take(&bench, 30 * MS);
	cr_assert_str_eq(released_or_by(0), "shutdown");
	cr_assert_str_eq(released_or_by(1), "shutdown");
	bench_close(&bench);
}

Test(place, what_may_overtake_or_waits_for_nobody_has_left)
{
	bench_open(&bench, ARM, "overtake", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 10 * MS, ARM, "overtake", "");
	bench_put(&bench, 20 * MS, 0, 8);
	session_flush(bench.session, 0, "shutdown");
	bench_take(&bench, 30 * MS);
	cr_assert_str_eq(released_or_by(0), "shutdown");
	cr_assert_str_eq(released_or_by(1), "released");
	bench_close(&bench);

	bench_open(&bench, ARM, "keep-order", "slow");
	bench_adopt(&bench, 10 * MS, ARM, "keep-order", "");
	bench_put(&bench, 20 * MS, 0, 8);
	session_flush(bench.session, 0, "shutdown");
	bench_take(&bench, 30 * MS);
	cr_assert_str_eq(released_or_by(0), "released");
	bench_close(&bench);
}

Test(place, a_flush_is_to_be_taken_at_once)
{
	bench_open(&bench, ARM, "keep-order", "half");
	bench_adopt(&bench, 0, ARM, "keep-order", "slow, none");
	bench_put(&bench, 0, 0, 8);
	bench_take(&bench, 100 * MS);
	bench_put(&bench, 150 * MS, 0, 8);
	session_flush(bench.session, 0, "shutdown");
	cr_assert_eq(session_next(bench.session), 0);
	bench_take(&bench, 150 * MS);
	cr_assert_str_eq(released_or_by(1), "shutdown");
	bench_close(&bench);
}

Test(place, a_trial_begins_with_nothing_to_wait_for)
{
	bench_open(&bench, ARM, "keep-order", "slow");
	bench_put(&bench, 0, 0, 8);
	bench_adopt(&bench, 0, ARM, "keep-order", "");
	bench_take(&bench, NSEC_NEVER);
	bench_reset(&bench, "2");
	bench_put(&bench, 0, 0, 0);
	bench_take(&bench, 0);
	cr_assert_eq(bench.n, 1);
	cr_assert_eq(bench.out[0].due, 0);
	bench_close(&bench);
}
