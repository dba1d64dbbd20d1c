/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * tally.c - what a channel did: counts, delays, order, gaps, release errors
 *
 * Floor: core.
 */
#include "core/tally.h"

#include <string.h>

static void add_reason(struct tally *tally, const char *by)
{
	size_t i = 0;

	while (i < tally->n_reasons && strcmp(tally->reason[i].by, by) != 0)
		i++;
	if (i == tally->n_reasons) {
		/* more than a chain holds: the last takes the rest */
		if (i == TALLY_REASONS)
			i--;
		else
			tally->n_reasons++;
		tally->reason[i].by = by;
	}
	tally->reason[i].n++;
}

static void add_release(struct tally *tally, const struct packet *packet,
			nsec released)
{
	nsec left = released == NSEC_NEVER ? packet->due : released;

	if (tally->released && left - tally->last_release > tally->longest_gap)
		tally->longest_gap = left - tally->last_release;
	tally->last_release = left;
	tally->released++;
	if (packet->id < tally->latest_id)
		tally->late++;
	else
		tally->latest_id = packet->id + 1;
	histogram_add(&tally->delay, packet->due - packet->ingress);
	if (released != NSEC_NEVER)
		histogram_add(&tally->error, released - packet->due);
}

void tally_add(struct tally *tally, const struct packet *packet, nsec released)
{
	if (packet->fate == FATE_INJECTED)
		return; /* a stop of ours is no packet of the stream */
	if (packet_is_copy(packet)) {
		tally->copies++; /* it did not enter */
		return;
	}
	tally->in++;
	tally->bytes += packet_payload_bytes(packet);
	if (packet->fate == FATE_RELEASED || packet->fate == FATE_FORWARDED) {
		add_release(tally, packet, released);
		return;
	}
	/* by arrival: what is released is settled later than what is lost */
	if (!tally->lost_place || packet->place != tally->lost_place + 1)
		tally->bursts++;
	tally->lost_place = packet->place;
	if (packet->fate == FATE_SUPPRESSED)
		tally->suppressed++;
	else
		tally->dropped++;
	add_reason(tally, packet->by);
}

uint64_t tally_of(const struct tally *tally, const char *by)
{
	for (size_t i = 0; i < tally->n_reasons; i++)
		if (!strcmp(tally->reason[i].by, by))
			return tally->reason[i].n;
	return 0;
}
