/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report_read.c - events and packets of a record, by trial and channel
 *
 * Floor: roof.
 */
#include "cmd/report.h"

#include <stdlib.h>
#include <string.h>

#include "edge/row.h"

/* A page with more events than that nobody reads. */
#define EVENTS_MOST 2000u
/* Longest detail that is told; the text of an arm is longer. */
#define DETAIL_MOST 400u
/* No run lasts so long. */
#define TIME_MOST (INT64_MAX / 8)

/* A trial by its id, which is added where it is a new one. */
static struct report_trial *trial_by(struct report_record *record,
				     const char *id)
{
	struct report_trial *trial;

	for (size_t i = record->n_trials; i-- > 0;)
		if (!strcmp(record->trial[i].id, id))
			return &record->trial[i];
	record->trial = realloc(record->trial, (record->n_trials + 1) *
						       sizeof(*record->trial));
	if (!record->trial)
		abort();
	trial = &record->trial[record->n_trials++];
	*trial = (struct report_trial){ .id = store_text(&record->names, id) };
	trial->between = !strncmp(id, "between-", strlen("between-"));
	return trial;
}

/* The arm that a file of the record keeps, or NULL. */
static const struct arm *arm_of(struct report_record *record, const char *file)
{
	struct err ignored = { 0 };
	const struct arm *arm =
		verification_arm(&record->verification, file, &ignored);

	err_fini(&ignored);
	return arm;
}

static void note(struct report_record *record, const struct report_trial *trial,
		 const char *time, const char *event, const char *detail)
{
	json_t *object;
	char cut[DETAIL_MOST + 8];
	size_t len = strlen(detail);

	if (json_array_size(record->events) == EVENTS_MOST) {
		record->more_events++;
		return;
	}
	if (len > DETAIL_MOST) { /* between two characters */
		for (len = DETAIL_MOST; (detail[len] & 0xc0) == 0x80;)
			len--;
		memcpy(cut, detail, len);
		memcpy(cut + len, "…", sizeof("…"));
		detail = cut;
	}
	object = json_object();
	json_object_set_new(object, "time_ns",
			    json_integer(strtoll(time, NULL, 10)));
	json_object_set_new(object, "trial",
			    json_string(trial ? trial->id : ""));
	if (json_object_set_new(object, "event", json_string(event)) < 0 ||
	    json_object_set_new(object, "detail", json_string(detail)) < 0)
		json_object_set_new(object, "detail",
				    json_string("(text that is not UTF-8)"));
	json_array_append_new(record->events, object);
}

static struct report_channel *channel_of(struct report_record *record,
					 struct report_trial *trial,
					 enum direction direction,
					 const char *stream)
{
	struct report_channel *channel;

	for (size_t i = 0; i < trial->n_channels; i++)
		if (trial->channel[i].direction == direction &&
		    !strcmp(trial->channel[i].stream, stream))
			return &trial->channel[i];
	trial->channel = realloc(trial->channel, (trial->n_channels +
						  1) * sizeof(*trial->channel));
	if (!trial->channel)
		abort();
	channel = &trial->channel[trial->n_channels++];
	*channel = (struct report_channel){ .stream = store_text(&record->names,
								 stream),
					    .direction = direction };
	return channel;
}

/* A trial begins: the channels of its arm in their order, come what may. */
static struct report_trial *begin(struct report_record *record, const char *id,
				  const struct arm *arm)
{
	struct report_trial *trial = trial_by(record, id);

	trial->arm = arm;
	for (size_t i = 0; arm && !trial->between && i < arm->n_channels; i++)
		channel_of(record, trial, arm->channel[i].plan.direction,
			   arm->channel[i].plan.stream);
	return trial;
}

static void read_events(struct report_record *record)
{
	const struct arm *arm = arm_of(record, "manifest.json");
	struct report_trial *trial = NULL;
	struct csv csv;
	char name[4096];
	int got;

	snprintf(name, sizeof(name), "%s/events.csv",
		 record->verification.folder);
	if (csv_open(&csv, name, &record->faults) < 0)
		return;
	got = csv_read(&csv, &record->faults); /* its header */
	while (got == 1 && (got = csv_read(&csv, &record->faults)) == 1) {
		const char *event = csv.field[1], *detail = csv.field[2];

		if (csv.cut || csv.n != 3)
			break;
		if (!strcmp(event, "trial-start")) {
			trial = begin(record, detail, arm);
		} else if (!strcmp(event, "arm")) {
			arm = arm_of(record, detail);
			if (trial)
				trial->changes++;
		}
		note(record, trial, csv.field[0], event, detail);
		if (trial && strtoll(csv.field[0], NULL, 10) > trial->last)
			trial->last = strtoll(csv.field[0], NULL, 10);
		if (!strcmp(event, "trial-stop"))
			trial = NULL;
	}
	csv_close(&csv);
}

static void count_reason(struct report_record *record,
			 struct report_channel *channel, const char *by)
{
	size_t i = 0;

	while (i < channel->n_reasons && strcmp(channel->reason[i].by, by) != 0)
		i++;
	if (i == REPORT_REASONS)
		return;
	if (i == channel->n_reasons) {
		channel->reason[i].by = store_text(&record->names, by);
		channel->n_reasons++;
	}
	channel->reason[i].n++;
}

static enum outcome outcome_of(struct report_channel *channel,
			       const struct row *row)
{
	bool ended = !strcmp(row->by, "shutdown") || !strcmp(row->by, "reset");

	channel->suppressed += row->fate == FATE_SUPPRESSED;
	channel->dropped += row->fate == FATE_DROPPED;
	channel->forwarded += row->fate == FATE_FORWARDED;
	if (row->fate == FATE_RELEASED || row->fate == FATE_FORWARDED)
		return OUTCOME_PASSED;
	if (row->fate != FATE_DROPPED || !ended)
		return OUTCOME_LOST;
	channel->ended++;
	return OUTCOME_ENDED;
}

/* False where there is no room for more. */
static bool take(struct report_record *record, const struct row *row)
{
	struct report_trial *trial = trial_by(record, row->trial);
	struct report_channel *channel = channel_of(
		record, trial, (enum direction)row->direction, row->stream);
	const struct measure_packet times = { .ingress = row->ingress,
					      .due = row->due,
					      .released = row->released };
	enum outcome outcome;

	record->rows++;
	if (row->fate == FATE_INJECTED || !strcmp(row->by, BY_DUPLICATE)) {
		channel->injected += row->fate == FATE_INJECTED;
		channel->copies += row->fate != FATE_INJECTED;
		return true;
	}
	outcome = outcome_of(channel, row);
	if (outcome != OUTCOME_PASSED)
		count_reason(record, channel, row->by);
	channel->bytes += row->size;
	if (row->ingress > trial->last)
		trial->last = row->ingress;
	if (row->released != NSEC_NEVER && row->released > trial->last)
		trial->last = row->released;
	/* a row without a time of release is of no use to it */
	if (outcome == OUTCOME_PASSED && row->released == NSEC_NEVER &&
	    row->due == NSEC_NEVER)
		return true;
	return measure_add(&channel->measure, row->id, outcome, &times);
}

/* Differences and sums of a few times must fit their type. */
static bool is_time(nsec time)
{
	return time == NSEC_NEVER || (time <= TIME_MOST && time >= -TIME_MOST);
}

static bool is_plausible(const struct row *row)
{
	return row->ingress != NSEC_NEVER && is_time(row->ingress) &&
	       is_time(row->due) && is_time(row->released);
}

static void read_packets(struct report_record *record, struct csv *csv,
			 struct report_bar *bar)
{
	char what[256];
	struct row row;
	int got = csv_read(csv, &record->faults); /* its header */

	snprintf(what, sizeof(what), "reading %.200s",
		 record->verification.folder);
	while (got == 1 && (got = csv_read(csv, &record->faults)) == 1) {
		if (csv->cut) {
			err_add(&record->faults,
				"%s:%lu: the last row is cut off: the run did "
				"not end by itself",
				csv->name, csv->line);
			return;
		}
		if (row_parse(csv, &row, &record->faults) < 0)
			return;
		if (!is_plausible(&row)) {
			err_add(&record->faults,
				"%s:%lu: a time of over 36 years; the rest "
				"is not read",
				csv->name, csv->line);
			return;
		}
		if (!take(record, &row)) {
			err_add(&record->faults,
				"%s:%lu: over %u packets in one channel of a "
				"trial; the rest is not read",
				csv->name, csv->line, MEASURE_MOST);
			return;
		}
		if (record->rows % 4096 == 0)
			report_bar_draw(bar, what, csv_offset(csv),
					csv_size(csv));
	}
}

int report_read(struct report_record *record, struct report_bar *bar,
		struct err *err)
{
	const struct verification *verification = &record->verification;
	const json_t *trials = json_object_get(verification->summary, "trials");
	const json_t *object;
	struct csv csv;
	char name[4096];
	size_t i;

	record->events = json_array();
	read_events(record);
	snprintf(name, sizeof(name), "%s/packets.csv", verification->folder);
	if (csv_open(&csv, name, err) < 0)
		return -1;
	read_packets(record, &csv, bar);
	csv_close(&csv);
	json_array_foreach(trials, i, object)
	{
		const char *id =
			json_string_value(json_object_get(object, "trial"));
		struct report_trial *trial;

		if (!id)
			continue;
		trial = trial_by(record, id);
		trial->summary = object;
		if (json_is_true(json_object_get(object, "between")))
			trial->between = true;
	}
	return 0;
}

void report_fini(struct report_record *record)
{
	for (size_t i = 0; i < record->n_trials; i++) {
		struct report_trial *trial = &record->trial[i];

		for (size_t c = 0; c < trial->n_channels; c++)
			measure_fini(&trial->channel[c].measure);
		free(trial->channel);
	}
	free(record->trial);
	json_decref(record->events);
	err_fini(&record->faults);
	verification_close(&record->verification);
	store_fini(&record->names);
}
