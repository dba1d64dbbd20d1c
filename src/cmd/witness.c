/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * witness.c - what the captures and the summary of a record say of its rows
 *
 * Floor: roof.
 */
#include "cmd/witness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge/member.h"

struct witness_tally {
	uint64_t in, released, suppressed, dropped;
};

static const json_t *trials_of(const struct witness *witness)
{
	return json_object_get(witness->plan->summary, "trials");
}

/* A channel's part of the present trial's summary. */
static const json_t *achieved(const struct witness *witness, size_t channel)
{
	const json_t *channels = json_object_get(witness->trial, "channels");

	return json_object_get(json_array_get(channels, channel), "achieved");
}

static bool has_match(const struct arm *arm)
{
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->rules[i].match)
			return true;
	return false;
}

static void name_capture(const struct witness *witness, char *name,
			 unsigned direction, const char *side)
{
	snprintf(name, 4096, "%s/%s-%s.pcap", witness->plan->folder,
		 direction_name((enum direction)direction), side);
}

int witness_open(struct witness *witness, const struct rederive_plan *plan,
		 struct err *err)
{
	const struct arm *arm = plan->arm;

	witness->plan = plan;
	witness->tally = calloc(arm->n_channels + 1, sizeof(*witness->tally));
	if (!witness->tally)
		abort();
	/* what a vehicle or an operator of ours sends comes by no front */
	if (!plan->manifest->pcap || plan->manifest->inside ||
	    member_get_count(plan->summary, "rows_lost"))
		return 0;
	for (unsigned d = 0; d < DIRECTIONS; d++) {
		name_capture(witness, witness->name[d], d, "in");
		witness->in[d] = savefile_open(witness->name[d], err);
		if (!witness->in[d])
			return -1;
	}
	if (!has_match(arm))
		return 0;
	witness->classifier = classifier_new(arm->rules, arm->n_channels, err);
	return witness->classifier ? 0 : -1;
}

static const char *trial_at(const struct witness *witness, size_t i)
{
	return member_get_text(json_array_get(trials_of(witness), i), "trial");
}

int witness_begin(struct witness *witness, const char *trial, struct err *err)
{
	size_t n = json_array_size(trials_of(witness));

	memset(witness->tally, 0,
	       (witness->plan->arm->n_channels + 1) * sizeof(*witness->tally));
	witness->trial = NULL;
	if (!witness->plan->summary)
		return 0;
	/* trials without a packet have no row */
	while (witness->next < n) {
		const char *name = trial_at(witness, witness->next);

		witness->trial =
			json_array_get(trials_of(witness), witness->next++);
		if (name && !strcmp(name, trial))
			return 0;
	}
	return err_add(err, "%s/summary.json: there is no trial %s in it",
		       witness->plan->folder, trial);
}

bool witness_repeats(const struct witness *witness)
{
	const char *next = trial_at(witness, witness->next);
	const char *name = member_get_text(witness->trial, "trial");

	return next && name && !strcmp(next, name);
}

/* What a packet that was not captured was like: only its size is known. */
static int imagine(const struct witness *witness, const struct kept *kept,
		   struct witness_packet *like, struct err *why)
{
	const struct arm *arm = witness->plan->arm;
	size_t place =
		kept->channel == CHANNEL_NONE ? arm->n_channels : kept->channel;
	uint64_t least = member_get_count(achieved(witness, place),
					  "header_bytes_least");
	uint64_t most =
		member_get_count(achieved(witness, place), "header_bytes_most");
	int family = AF_INET;

	if (least != most && kept->channel != CHANNEL_NONE)
		return err_add(why,
			       "headers of its channel had %" PRIu64 " to "
			       "%" PRIu64 " bytes, and there is no capture to "
			       "tell which it had; record with pcap = yes",
			       least, most);
	if (!least && kept->channel != CHANNEL_NONE) {
		const struct arm_channel *channel =
			&arm->channel[kept->channel];

		family = channel->has_to ? channel->to.any.sa_family
					 : channel->listen.any.sa_family;
	}
	like->payload = (uint8_t)(least ? least : packet_room(family, 0));
	like->len = like->payload + kept->size;
	like->ip = NULL;
	return 0;
}

/* Whether the captured bytes fit the stream in the row. */
static int check_match(const struct witness *witness, const struct kept *kept,
		       const struct packet *packet, struct err *why)
{
	const struct arm *arm = witness->plan->arm;
	struct entry entry = { (enum direction)kept->direction, CHANNEL_NONE,
			       0 };
	uint16_t fits;

	if (!witness->classifier || kept->channel == CHANNEL_NONE)
		return 0;
	entry.reply = arm->rules[kept->channel].reply;
	fits = classify(witness->classifier, &entry, packet);
	if (fits == kept->channel)
		return 0;
	return err_add(why, "recorded in this stream, but its bytes fit %s",
		       fits == CHANNEL_NONE ? "none"
					    : arm->channel[fits].plan.stream);
}

int witness_next(struct witness *witness, const struct kept *kept,
		 struct witness_packet *like, struct err *why)
{
	const char *name = witness->name[kept->direction];
	const struct packet *packet;
	int64_t utc;
	int got;

	if (!witness->in[kept->direction] || kept->fate == FATE_INJECTED)
		return imagine(witness, kept, like, why);
	got = savefile_read(witness->in[kept->direction], &utc, &packet, why);
	if (got < 0)
		return -1;
	if (!got)
		return err_add(why, "%s ends before it", name);
	if (packet_payload_bytes(packet) != kept->size)
		return err_add(why,
			       "recorded with %" PRIu32
			       " bytes; %s has %" PRIu32 " bytes in its place",
			       kept->size, name, packet_payload_bytes(packet));
	like->ip = packet->ip;
	like->len = packet->len;
	like->payload = packet->payload;
	return check_match(witness, kept, packet, why);
}

void witness_count(struct witness *witness, const struct row *row,
		   uint16_t channel)
{
	struct witness_tally *tally =
		&witness->tally[channel == CHANNEL_NONE
					? witness->plan->arm->n_channels
					: channel];

	if (row->fate == FATE_INJECTED) {
		witness->injected[row->direction]++;
		return;
	}
	witness->sent[row->direction] += row->released != NSEC_NEVER;
	if (!strcmp(row->by, BY_DUPLICATE))
		return;
	tally->in++;
	if (row->fate == FATE_SUPPRESSED)
		tally->suppressed++;
	else if (row->fate == FATE_DROPPED)
		tally->dropped++;
	else
		tally->released++;
}

/* One count of a channel against the summary. */
static int check_count(const struct witness *witness, size_t channel,
		       const char *key, uint64_t found, struct err *err)
{
	const struct arm *arm = witness->plan->arm;
	uint64_t said = member_get_count(achieved(witness, channel), key);
	bool named = channel < arm->n_channels;

	if (said == found)
		return 0;
	return err_add(
		err,
		"%s/summary.json: %s %s: %s is %" PRIu64
		"; packets.csv has %" PRIu64,
		witness->plan->folder,
		named ? direction_name(arm->channel[channel].plan.direction)
		      : "packets of",
		named ? arm->channel[channel].plan.stream : "no channel", key,
		said, found);
}

int witness_trial(struct witness *witness, const char *trial, uint64_t seed,
		  struct err *err)
{
	size_t n = witness->plan->arm->n_channels + 1;

	if (!witness->trial)
		return 0;
	if (member_get_count(witness->trial, "seed") != seed)
		return err_add(err,
			       "%s/summary.json: trial %s has the seed %" PRIu64
			       "; its arm makes %" PRIu64,
			       witness->plan->folder, trial,
			       member_get_count(witness->trial, "seed"), seed);
	for (size_t i = 0; i < n; i++) {
		const struct witness_tally *tally = &witness->tally[i];

		if (check_count(witness, i, "in", tally->in, err) < 0 ||
		    check_count(witness, i, "released", tally->released, err) <
			    0 ||
		    check_count(witness, i, "suppressed", tally->suppressed,
				err) < 0 ||
		    check_count(witness, i, "dropped", tally->dropped, err) < 0)
			return -1;
	}
	return 0;
}

/* Packets left in a capture that is read to its end. */
static int count_rest(struct savefile *savefile, uint64_t *n, struct err *err)
{
	const struct packet *packet;
	int64_t utc;
	int got;

	*n = 0;
	while ((got = savefile_read(savefile, &utc, &packet, err)) == 1)
		++*n;
	return got;
}

static int check_captures(struct witness *witness, unsigned direction,
			  struct err *err)
{
	uint64_t n, sent = witness->sent[direction];
	uint64_t most = sent + witness->injected[direction];
	struct savefile *out;
	char name[4096];
	int got;

	if (count_rest(witness->in[direction], &n, err) < 0)
		return -1;
	if (n)
		return err_add(err,
			       "%s: %" PRIu64 " packets more than packets.csv "
			       "has rows for",
			       witness->name[direction], n);
	name_capture(witness, name, direction, "out");
	out = savefile_open(name, err);
	if (!out)
		return -1;
	got = count_rest(out, &n, err);
	savefile_close(out);
	if (got < 0 || (n >= sent && n <= most))
		return got;
	return err_add(
		err, "%s: %" PRIu64 " packets; by packets.csv %" PRIu64 " left",
		name, n, sent);
}

int witness_end(struct witness *witness, struct err *err)
{
	const struct rederive_plan *plan = witness->plan;
	uint64_t lost = member_get_count(plan->summary, "rows_lost");

	if (!plan->summary)
		return err_add(err,
			       "%s: every packet is as recorded, but there is "
			       "no summary.json: the run did not end by itself",
			       plan->folder);
	if (lost)
		return err_add(err,
			       "%s: the record lost %" PRIu64
			       " rows or captured packets",
			       plan->folder, lost);
	for (unsigned d = 0; d < DIRECTIONS; d++)
		if (witness->in[d] && check_captures(witness, d, err) < 0)
			return -1;
	return 0;
}

void witness_close(struct witness *witness)
{
	for (unsigned d = 0; d < DIRECTIONS; d++)
		savefile_close(witness->in[d]);
	classifier_free(witness->classifier);
	free(witness->tally);
}
