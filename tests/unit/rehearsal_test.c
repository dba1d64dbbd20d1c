/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rehearsal_test.c - what a channel does to an even stream, packet by packet
 *
 * Floor: tests.
 */
#include "session/rehearsal.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/bench.h"

#define CHANNEL "[link]\nrobot = 192.0.2.1\n[uplink command]\nport = 5002\n"

static struct bench bench;
static struct rehearsed seen;

/* So many packets of 68 bytes of IP, 10 ms apart. */
static struct rehearsal even(uint64_t packets)
{
	return (struct rehearsal){
		.plan = &bench.arm[0]->channel[0].plan,
		.interval = 10 * MS,
		.payload = 40,
		.packets = packets,
		.timeouts = { 10 * MS - 1, 10 * MS, 20 * MS, 30 * MS,
			      NSEC_PER_S, NSEC_PER_S },
	};
}

static void try(const char *rows, uint64_t packets)
{
	struct rehearsal rehearsal;

	bench_open(&bench, CHANNEL "%s", rows);
	rehearsal = even(packets);
	cr_assert(rehearse(&rehearsal, &seen));
	cr_assert_eq(seen.released + seen.lost, packets);
	bench_close(&bench);
}

Test(rehearsal, a_delay_is_seen_to_the_nanosecond)
{
	try("chain = a\n[condition a]\ntype = delay\ndelay = 50ms\n", 100);
	cr_assert_eq(seen.released, 100);
	cr_assert_eq(seen.mean, 50e6);
	cr_assert_eq(seen.deviation, 0.0);
	cr_assert_eq(seen.least, 50e6);
	cr_assert_eq(seen.most, 50e6);
	cr_assert_eq(seen.median, 50e6);
	cr_assert_eq(seen.zero + seen.held + seen.late + seen.bursts, 0);
	/* five of 68 bytes: what is due when one comes has left */
	cr_assert_eq(seen.queue_packets, 5);
	cr_assert_eq(seen.queue_bytes, 5 * 68);
	/* 99 gaps of 10 ms, which is not over 10 ms */
	cr_assert_eq(seen.gaps[0], 99);
	cr_assert_eq(seen.gaps[1], 0);
}

Test(rehearsal, an_empty_chain_releases_packets_as_they_come)
{
	try("", 20);
	cr_assert_eq(seen.zero, 20);
	cr_assert_eq(seen.most, 0.0);
	cr_assert_eq(seen.held, 0);
	cr_assert_eq(seen.queue_packets, 0);
}

Test(rehearsal, all_that_comes_may_wait)
{
	try("chain = a\n[condition a]\ntype = delay\ndelay = 1h\n", 10);
	cr_assert_eq(seen.released, 10);
	cr_assert_eq(seen.limited, 0);
	cr_assert_eq(seen.queue_packets, 10);
	cr_assert_eq(seen.queue_bytes, 10 * 68);
}

Test(rehearsal, bursts_are_runs_of_lost_packets)
{
	try("chain = a\n[condition a]\ntype = periodic-loss\n"
	    "packets = 1, 2, 6, 9, 10\n",
	    10);
	cr_assert_eq(seen.lost, 5);
	cr_assert_eq(seen.limited + seen.invalid, 0);
	cr_assert_eq(seen.bursts, 3);
	/* from 5 to 7 it takes 20 ms, and four others 10 */
	cr_assert_eq(seen.gaps[0], 4);
	cr_assert_eq(seen.gaps[1], 1);
	cr_assert_eq(seen.gaps[2], 0);
}

Test(rehearsal, late_is_behind_one_that_came_later)
{
	/* due at 30, 30 and 1 ns, 20 ms, and then 30 ms in order */
	try("chain = a\n[condition a]\ntype = profile\n"
	    "points = 0s 30ms, 5ms 20.000001ms, 15ms 0ms, 25ms 30ms\n",
	    5);
	cr_assert_eq(seen.late, 2);
	cr_assert_eq(seen.held, 1);
	cr_assert_eq(seen.zero, 1);
	/* a fall of 2 ns more is no holding back */
	try("chain = a\n[condition a]\ntype = profile\n"
	    "points = 0s 30ms, 5ms 20.000002ms\n",
	    2);
	cr_assert_eq(seen.held, 0);
	/* at the same time, in order: held, not late */
	try("chain = a\n[condition a]\ntype = profile\n"
	    "points = 0s 30ms, 5ms 20ms, 15ms 10ms\n",
	    3);
	cr_assert_eq(seen.held, 2);
	cr_assert_eq(seen.late, 0);
}

Test(rehearsal, quantiles_are_those_of_the_delays)
{
	/* of 1000 packets 600, 391 and 9 */
	try("chain = a\n[condition a]\ntype = profile\n"
	    "points = 0s 10ms, 5.995s 100ms, 9.905s 500ms\n",
	    1000);
	/* to a step of the histogram, 1/64 */
	cr_assert(seen.median >= 10e6 && seen.median <= 10.2e6);
	cr_assert(seen.p99 >= 100e6 && seen.p99 <= 102e6, "%f", seen.p99);
	cr_assert_eq(seen.least, 10e6);
	cr_assert_eq(seen.most, 500e6);
	cr_assert_float_eq(seen.mean, 0.6 * 10e6 + 0.391 * 100e6 + 4.5e6, 1.0);
}

Test(rehearsal, a_limit_takes_what_does_not_fit)
{
	/* of each five that come in 50 ms three find room */
	try("limit_packets = 3\nchain = a\n"
	    "[condition a]\ntype = delay\ndelay = 50ms\n",
	    10);
	cr_assert_eq(seen.released, 6);
	cr_assert_eq(seen.limited, 4);
	cr_assert_eq(seen.bursts, 2);
	cr_assert_eq(seen.queue_packets, 3);
	cr_assert_eq(seen.gaps[2], 1);
	cr_assert_eq(seen.gaps[3], 0);
	try("limit_bytes = 204B\nchain = a\n"
	    "[condition a]\ntype = delay\ndelay = 50ms\n",
	    10);
	cr_assert_eq(seen.limited, 4);
	cr_assert_eq(seen.queue_bytes, 204);
}

Test(rehearsal, a_burst_is_cut_by_the_stage_that_cuts_it)
{
	static const struct {
		const char *rows;
		uint64_t before;
		unsigned cut[4];
	} cases[] = {
		/* each takes 40 ms: the seventh would wait for 240 */
		{ "chain = a\n[condition a]\ntype = token-bucket\n"
		  "rate = 50kbit\npacket_size = 2000bit\n",
		  0,
		  { 4, 0, 0, 0 } },
		/* one is there already, and leaves before the next 10 ms */
		{ "chain = a\n[condition a]\ntype = token-bucket\n"
		  "rate = 50kbit\npacket_size = 500bit\nmax_wait = 20ms\n",
		  5,
		  { 8, 0, 0, 0 } },
		/* lost before the burst is not lost of it */
		{ "chain = d, a\n[condition a]\ntype = loss\n"
		  "probability = 100%\n[condition d]\ntype = delay\n"
		  "delay = 20ms\n",
		  5,
		  { 0, 10, 0, 0 } },
		{ "limit_packets = 3\nchain = a, a\n[condition a]\n"
		  "type = delay\ndelay = 1s\n",
		  0,
		  { 0, 0, 7, 0 } },
		/* without a stream it comes when the trial begins */
		{ "limit_packets = 3\nchain = a\n[condition a]\n"
		  "type = profile\npoints = 0s 0ms, 1ns 1s\n",
		  0,
		  { 0, 0, 0, 0 } },
		/* it comes with the last packet of the stream */
		{ "limit_packets = 3\nchain = a\n[condition a]\n"
		  "type = delay\ndelay = 10ms\n",
		  5,
		  { 0, 8, 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned cut[CHAIN_MAX + 1];
		struct rehearsal rehearsal;

		memset(cut, 0xff, sizeof(cut));
		bench_open(&bench, CHANNEL "%s", cases[i].rows);
		rehearsal = even(cases[i].before);
		cr_assert(rehearse_burst(&rehearsal, 10, cut));
		for (size_t stage = 0; stage <= CHAIN_MAX; stage++)
			cr_assert_eq(
				cut[stage], stage < 4 ? cases[i].cut[stage] : 0,
				"%zu: stage %zu: %u", i, stage, cut[stage]);
		bench_close(&bench);
	}
}
