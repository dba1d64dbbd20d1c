/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rehearsal.c - a channel fed with an even stream, in virtual time
 *
 * Floor: session.
 */
#include "session/rehearsal.h"

#include <stdlib.h>
#include <string.h>

#include "core/histogram.h"

/* Room beyond what can wait: packets settled, or in hand. */
#define IN_HAND 64

/* A rehearsal under way; @fed packets went in so far. */
struct stand {
	const struct rehearsal *rehearsal;
	struct channel_plan plan;
	struct channel *channel;
	struct pool *pool;
	uint64_t fed;
	void (*look)(void *context, const struct packet *packet);
	void *context;
};

static uint32_t ip_bytes(const struct rehearsal *rehearsal)
{
	return packet_room(AF_INET, rehearsal->payload);
}

static void stand_fini(struct stand *stand)
{
	channel_free(stand->channel);
	pool_free(stand->pool);
}

static bool stand_init(struct stand *stand, const struct rehearsal *rehearsal,
		       uint64_t packets)
{
	int64_t most = (int64_t)packets + 1;

	stand->rehearsal = rehearsal;
	stand->plan = *rehearsal->plan;
	/* no more than come can wait, so the rest of the limit needs no room */
	if (stand->plan.limit_packets > most)
		stand->plan.limit_packets = most;
	if (stand->plan.limit_bytes > most * (int64_t)ip_bytes(rehearsal))
		stand->plan.limit_bytes = most * (int64_t)ip_bytes(rehearsal);
	stand->channel = channel_new(&stand->plan, rehearsal->seed);
	stand->pool = pool_new((uint64_t)stand->plan.limit_bytes +
				       (uint64_t)IN_HAND * ip_bytes(rehearsal),
			       (uint64_t)stand->plan.limit_packets + IN_HAND);
	if (stand->channel && stand->pool)
		return true;
	stand_fini(stand);
	return false;
}

static void take(struct stand *stand, nsec now)
{
	struct packet *packet;

	while (channel_next(stand->channel) <= now &&
	       channel_next(stand->channel) != NSEC_NEVER) {
		packet = channel_take(stand->channel, now);
		if (!packet)
			continue; /* an inner stage's turn */
		stand->look(stand->context, packet);
		pool_put(stand->pool, packet);
	}
}

static void feed(struct stand *stand, nsec now)
{
	const union address none = { .v4 = { .sin_family = AF_INET } };
	struct packet *packet =
		pool_get(stand->pool, ip_bytes(stand->rehearsal));

	if (!packet)
		return; /* cannot be: the pool holds the limits and more */
	packet_build(packet, &none, &none, stand->rehearsal->payload);
	memset(packet->ip + packet->payload, 0, stand->rehearsal->payload);
	packet->id = stand->fed++;
	packet->direction = (uint8_t)stand->plan.direction;
	channel_put(stand->channel, now, packet);
}

/* What is kept while packets come out. */
struct notes {
	struct rehearsed *rehearsed;
	const struct rehearsal *rehearsal;
	struct histogram *delay;
	bool *lost;
	uint64_t latest_id;
	nsec last;
};

static void note_release(struct notes *notes, const struct packet *packet)
{
	struct rehearsed *rehearsed = notes->rehearsed;
	nsec gap = packet->due - notes->last;

	for (int i = 0; rehearsed->released && i < REHEARSAL_TIMEOUTS; i++)
		rehearsed->gaps[i] += gap > notes->rehearsal->timeouts[i];
	/* a delay that falls with time is rounded to the nanosecond */
	rehearsed->held += rehearsed->released && gap <= 1;
	rehearsed->zero += packet->due == packet->ingress;
	rehearsed->released++;
	if (packet->id < notes->latest_id)
		rehearsed->late++;
	else
		notes->latest_id = packet->id;
	notes->last = packet->due;
	histogram_add(notes->delay, packet->due - packet->ingress);
}

static void note(void *context, const struct packet *packet)
{
	struct notes *notes = context;

	if (packet->fate == FATE_RELEASED) {
		note_release(notes, packet);
		return;
	}
	notes->lost[packet->id] = true;
	notes->rehearsed->lost++;
	if (!strcmp(packet->by, "limit"))
		notes->rehearsed->limited++;
	if (!strcmp(packet->by, "invalid"))
		notes->rehearsed->invalid++;
}

static void sum_up(struct rehearsed *rehearsed, const struct notes *notes,
		   uint64_t packets)
{
	const struct histogram *delay = notes->delay;

	for (uint64_t i = 0; i < packets; i++)
		rehearsed->bursts +=
			notes->lost[i] && (!i || !notes->lost[i - 1]);
	rehearsed->mean = histogram_mean(delay);
	rehearsed->deviation = histogram_deviation(delay);
	rehearsed->least = (double)delay->least;
	rehearsed->most = (double)delay->most;
	rehearsed->median = (double)histogram_quantile(delay, 0.5);
	rehearsed->p99 = (double)histogram_quantile(delay, 0.99);
}

bool rehearse(const struct rehearsal *rehearsal, struct rehearsed *rehearsed)
{
	struct notes notes = { .rehearsed = rehearsed, .rehearsal = rehearsal };
	struct stand stand = { .look = note, .context = &notes };
	bool done = false;

	*rehearsed = (struct rehearsed){ 0 };
	if (!stand_init(&stand, rehearsal, rehearsal->packets))
		return false;
	notes.delay = calloc(1, sizeof(*notes.delay));
	notes.lost = calloc(rehearsal->packets + 1, sizeof(*notes.lost));
	if (!notes.delay || !notes.lost)
		goto fail;
	while (stand.fed < rehearsal->packets) {
		nsec now = (nsec)stand.fed * rehearsal->interval;
		struct channel_load load;

		take(&stand, now);
		feed(&stand, now);
		load = channel_load(stand.channel);
		if (load.packets > rehearsed->queue_packets)
			rehearsed->queue_packets = load.packets;
		if (load.bytes > rehearsed->queue_bytes)
			rehearsed->queue_bytes = load.bytes;
	}
	take(&stand, NSEC_NEVER);
	sum_up(rehearsed, &notes, rehearsal->packets);
	done = true;
fail:
	free(notes.delay);
	free(notes.lost);
	stand_fini(&stand);
	return done;
}

/* Who cut packets of the burst, which begins with the id @from. */
struct cutting {
	const struct channel_plan *plan;
	uint64_t from;
	unsigned *cut;
};

static void note_cut(void *context, const struct packet *packet)
{
	struct cutting *cutting = context;

	if (packet->id < cutting->from || packet->fate == FATE_RELEASED)
		return;
	if (packet->fate == FATE_SUPPRESSED)
		cutting->cut[packet->stage]++;
	else if (!strcmp(packet->by, "limit"))
		cutting->cut[cutting->plan->n_chain]++;
}

bool rehearse_burst(const struct rehearsal *rehearsal, unsigned burst,
		    unsigned cut[CHAIN_MAX + 1])
{
	struct cutting cutting = { .plan = rehearsal->plan,
				   .from = rehearsal->packets,
				   .cut = cut };
	struct stand stand = { .look = note_cut, .context = &cutting };
	nsec now = 0;

	memset(cut, 0, (CHAIN_MAX + 1) * sizeof(*cut));
	if (!stand_init(&stand, rehearsal, rehearsal->packets + burst))
		return false;
	while (stand.fed < rehearsal->packets + burst) {
		/* the burst comes with the last packet of the stream */
		if (stand.fed < rehearsal->packets)
			now = (nsec)stand.fed * rehearsal->interval;
		take(&stand, now);
		feed(&stand, now);
	}
	take(&stand, NSEC_NEVER);
	stand_fini(&stand);
	return true;
}
