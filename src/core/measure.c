/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * measure.c - what a channel did to its packets, from all of them at once
 *
 * Floor: core.
 *
 * How it works
 *
 * Packets are kept as they come, in the order of release, and then sorted by
 * arrival; beside them stands the order of release of those that passed.
 */
#include "core/measure.h"

#include <stdlib.h>
#include <string.h>

bool measure_add(struct measure *measure, uint64_t id, enum outcome outcome,
		 const struct measure_packet *times)
{
	struct measure_packet *packet;

	if (measure->n == MEASURE_MOST)
		return false;
	if (measure->n == measure->room) {
		measure->room = measure->room ? measure->room * 2 : 1024;
		measure->packet =
			realloc(measure->packet,
				measure->room * sizeof(*measure->packet));
		if (!measure->packet)
			abort();
	}
	packet = &measure->packet[measure->n++];
	*packet = *times;
	packet->key = id << 2 | outcome;
	if (outcome != OUTCOME_PASSED)
		return true;
	if (packet->due == NSEC_NEVER)
		packet->due = packet->released;
	if (packet->released == NSEC_NEVER)
		packet->released = packet->due;
	if (id < measure->top)
		measure->late++;
	else
		measure->top = id + 1;
	return true;
}

static int by_arrival(const void *a, const void *b)
{
	const struct measure_packet *left = a, *right = b;

	return (left->key > right->key) - (left->key < right->key);
}

/* What is sorted by release: a time, and whose it is. */
struct place {
	nsec released;
	uint32_t at;
};

static int by_release(const void *a, const void *b)
{
	const struct place *left = a, *right = b;

	int order = (left->released > right->released) -
		    (left->released < right->released);

	return order ? order : (left->at > right->at) - (left->at < right->at);
}

void measure_sort(struct measure *measure)
{
	struct place *place;
	size_t n = 0;

	if (!measure->n || measure->order)
		return;
	qsort(measure->packet, measure->n, sizeof(*measure->packet),
	      by_arrival);
	place = malloc(measure->n * sizeof(*place));
	measure->order = malloc(measure->n * sizeof(*measure->order));
	if (!place || !measure->order)
		abort();
	for (uint32_t i = 0; i < measure->n; i++)
		if (measure_outcome(&measure->packet[i]) == OUTCOME_PASSED)
			place[n++] = (struct place){
				.released = measure->packet[i].released, .at = i
			};
	if (n)
		qsort(place, n, sizeof(*place), by_release);
	for (size_t i = 0; i < n; i++)
		measure->order[i] = place[i].at;
	measure->n_order = n;
	free(place);
}

void measure_sample(const struct measure *measure, enum measure_of of,
		    struct sample *sample)
{
	sample->n = 0;
	for (size_t i = 0; i < measure->n; i++) {
		const struct measure_packet *packet = &measure->packet[i];

		if (measure_outcome(packet) != OUTCOME_PASSED)
			continue;
		sample_add(
			sample,
			(of == MEASURE_ASKED ? packet->due : packet->released) -
				(of == MEASURE_ERROR ? packet->due
						     : packet->ingress));
	}
	sample_sort(sample);
}

struct measure_bursts measure_bursts(const struct measure *measure)
{
	struct measure_bursts bursts = { 0 };
	uint64_t run = 0;

	for (size_t i = 0; i < measure->n; i++) {
		switch (measure_outcome(&measure->packet[i])) {
		case OUTCOME_LOST:
			bursts.n += !run;
			bursts.lost++;
			if (++run > bursts.longest)
				bursts.longest = run;
			break;
		case OUTCOME_PASSED:
			run = 0;
			break;
		case OUTCOME_ENDED:
			break;
		}
	}
	return bursts;
}

/* A packet of the order of release. */
static const struct measure_packet *left(const struct measure *measure,
					 size_t i)
{
	return &measure->packet[measure->order[i]];
}

/* Whether the sender, between two packets, never paused for so long. */
static bool kept_sending(const struct measure *measure, size_t a, size_t b,
			 nsec timeout)
{
	size_t from = a < b ? a : b, to = a < b ? b : a;

	for (size_t i = from; i < to; i++)
		if (measure->packet[i + 1].ingress -
			    measure->packet[i].ingress >
		    timeout)
			return false;
	return true;
}

struct measure_gaps measure_gaps(const struct measure *measure, nsec timeout)
{
	struct measure_gaps gaps = { 0 };

	for (size_t i = 1; i < measure->n; i++)
		gaps.sent += measure->packet[i].ingress -
				     measure->packet[i - 1].ingress >
			     timeout;
	for (size_t i = 1; i < measure->n_order; i++) {
		nsec gap = left(measure, i)->released -
			   left(measure, i - 1)->released;

		if (gap <= timeout)
			continue;
		gaps.released++;
		if (!kept_sending(measure, measure->order[i - 1],
				  measure->order[i], timeout))
			continue;
		gaps.stops++;
		gaps.halted += gap - timeout;
	}
	return gaps;
}

void measure_longest(const struct measure *measure, nsec *sent, nsec *released)
{
	*sent = *released = 0;
	for (size_t i = 1; i < measure->n; i++) {
		nsec gap = measure->packet[i].ingress -
			   measure->packet[i - 1].ingress;

		*sent = gap > *sent ? gap : *sent;
	}
	for (size_t i = 1; i < measure->n_order; i++) {
		nsec gap = left(measure, i)->released -
			   left(measure, i - 1)->released;

		*released = gap > *released ? gap : *released;
	}
}

void measure_age_add(struct measure_age *age, double over[MEASURE_AGES],
		     const nsec bounds[MEASURE_AGES], nsec now, nsec from)
{
	nsec first = age->known - age->from, last = now - age->from;
	double span = (double)(now - age->known);

	if (age->any) {
		age->span += span;
		age->weighted += span * ((double)first + span / 2);
		if (last > age->most)
			age->most = last;
		for (size_t i = 0; i < MEASURE_AGES; i++) {
			double above = (double)(last - bounds[i]);

			if (above > 0)
				over[i] += above < span ? above : span;
		}
	}
	if (!age->any || now - from < age->least)
		age->least = now - from;
	if (!age->any || now - from > age->most)
		age->most = now - from;
	age->known = now;
	age->from = from;
	age->any = true;
}

struct measure_age measure_age(const struct measure *measure,
			       double over[MEASURE_AGES],
			       const nsec bounds[MEASURE_AGES])
{
	struct measure_age age = { 0 };

	memset(over, 0, MEASURE_AGES * sizeof(*over));
	for (size_t i = 0; i < measure->n_order; i++) {
		const struct measure_packet *packet = left(measure, i);
		nsec from = packet->ingress;

		/* an older packet tells nothing that is not known */
		if (age.any && age.from > from)
			from = age.from;
		measure_age_add(&age, over, bounds, packet->released, from);
	}
	return age;
}

void measure_course(const struct measure *measure, nsec width,
		    struct measure_bin *bin, size_t n)
{
	memset(bin, 0, n * sizeof(*bin));
	for (size_t i = 0; i < measure->n; i++) {
		const struct measure_packet *packet = &measure->packet[i];
		nsec off = packet->ingress / width;
		size_t at = off > 0 ? (size_t)off : 0;
		struct measure_bin *to = &bin[at < n ? at : n - 1];
		nsec delay;

		to->in++;
		to->lost += measure_outcome(packet) == OUTCOME_LOST;
		if (measure_outcome(packet) != OUTCOME_PASSED)
			continue;
		delay = packet->released - packet->ingress;
		if (!to->passed || delay < to->least)
			to->least = delay;
		if (!to->passed || delay > to->most)
			to->most = delay;
		to->passed++;
		to->sum += (double)delay;
		to->asked += (double)(packet->due - packet->ingress);
	}
}

void measure_fini(struct measure *measure)
{
	free(measure->packet);
	free(measure->order);
	*measure = (struct measure){ 0 };
}
