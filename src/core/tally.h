/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * tally.h - what a channel did: counts, delays, order, gaps, release errors
 *
 * Floor: core.
 *
 * Fed with settled packets; the live table, summaries, forecasts and reports
 * all read from it.
 */
#ifndef CORE_TALLY_H
#define CORE_TALLY_H

#include "core/histogram.h"
#include "core/packet.h"

#define TALLY_REASONS 48

/**
 * struct tally - What one channel did in one trial; all zeros is nothing yet
 * @in:		Packets that entered and are settled
 * @bytes:	Their payload bytes
 * @released:	Released (or forwarded)
 * @copies:	Duplicates delivered besides
 * @suppressed:	Suppressed by a condition
 * @dropped:	Dropped by something else
 * @nobody:	Of these, with nobody known to send them to yet
 * @reason:	How many each condition suppressed and each reason dropped;
 *		@n_reasons of them
 * @late:	Released packets of which one with a greater id left before
 * @latest_id:	Greatest id released so far, plus 1
 * @last_release: When the last one left, or was scheduled to
 * @longest_gap: Longest time between two releases
 * @bursts:	Runs of packets, in the order of arrival, that did not pass
 * @lost_place:	Place of the last one that did not pass
 * @delay:	Due minus ingress, of the released
 * @error:	Release minus due, of the released in a live run
 */
struct tally {
	uint64_t in, bytes, released, copies, suppressed, dropped, nobody;
	struct {
		const char *by;
		uint64_t n;
	} reason[TALLY_REASONS];
	size_t n_reasons;
	uint64_t late, latest_id;
	nsec last_release, longest_gap;
	uint64_t bursts;
	uint32_t lost_place;
	struct histogram delay, error;
};

/**
 * tally_add() - Count a settled packet
 * @tally:	Tally of its channel
 * @packet:	Packet, with @fate, @by and @due set
 * @released:	When it really left; NSEC_NEVER if it did not, or is not known
 */
void tally_add(struct tally *tally, const struct packet *packet, nsec released);

/**
 * tally_of() - How many packets a reason took
 * @tally:	Tally
 * @by:		Condition's name or reason
 *
 * Return: how many.
 */
uint64_t tally_of(const struct tally *tally, const char *by);

#endif /* CORE_TALLY_H */
