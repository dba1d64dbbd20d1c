/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rehearsal.h - a channel fed with an even stream, in virtual time
 *
 * Floor: session.
 */
#ifndef SESSION_REHEARSAL_H
#define SESSION_REHEARSAL_H

#include "core/channel.h"

#define REHEARSAL_TIMEOUTS 6

/**
 * struct rehearsal - What to feed
 * @plan:	Channel
 * @seed:	Seed of the arm
 * @interval:	Time from packet to packet
 * @payload:	Bytes of payload, zeros
 * @packets:	How many
 * @timeouts:	Gaps to count, ns
 */
struct rehearsal {
	const struct channel_plan *plan;
	uint64_t seed;
	nsec interval;
	uint32_t payload;
	uint64_t packets;
	nsec timeouts[REHEARSAL_TIMEOUTS];
};

/**
 * struct rehearsed - What came of it
 * @released:	Packets released; @lost: that were not
 * @limited:	Lost to the limits; @invalid: to an invalid delay
 * @bursts:	Runs of lost packets in the order of their arrival
 * @late:	Released behind one that came later
 * @held:	Released at the same instant as the one before
 * @zero:	Released as they came
 * @mean:	Mean delay, ns; @deviation, @least, @most, @median, @p99 too
 * @queue_packets: Most that waited at a time; @queue_bytes: their bytes
 * @gaps:	Gaps between releases over each time-out
 */
struct rehearsed {
	uint64_t released, lost, limited, invalid, bursts, late, held, zero;
	double mean, deviation, least, most, median, p99;
	int64_t queue_packets, queue_bytes;
	uint64_t gaps[REHEARSAL_TIMEOUTS];
};

/**
 * rehearse() - Feed a channel
 * @rehearsal:	What to feed
 * @rehearsed:	Filled
 *
 * Return: false if there is not the memory.
 */
bool rehearse(const struct rehearsal *rehearsal, struct rehearsed *rehearsed);

/**
 * rehearse_burst() - Feed a channel, and then some packets at one instant
 * @rehearsal:	What to feed before
 * @burst:	How many packets behind it
 * @cut:	Filled, by stage, with how many of them it suppressed; the last
 *		one, [n_chain], is for the limits
 *
 * Return: false if there is not the memory.
 */
bool rehearse_burst(const struct rehearsal *rehearsal, unsigned burst,
		    unsigned cut[CHAIN_MAX + 1]);

#endif /* SESSION_REHEARSAL_H */
