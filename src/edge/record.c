/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * record.c - the record of a run: packets, events, captures, manifest, summary
 *
 * Floor: edge.
 *
 * This is the side of those who record: it copies into the writer's queues and
 * counts what they do not take.
 */
#include "edge/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "edge/manifest.h"
#include "edge/record_writer.h"
#include "edge/row.h"
#include "edge/summary.h"

/* A disk that hangs must not hold up the next trial for longer. */
#define SYNC_MS 3000

/**
 * struct record - A record that is being made
 * @plan:	What it is made for; @folder is a copy
 * @writer:	Thread and files
 * @trial:	Trial of the latest row; @named: whether the writer knows
 * @start:	When the present trial began, since the record's start
 * @refused:	Rows and captured packets that the queues did not take
 * @headers:	Of each channel and of packets without one, in this trial
 * @n_arms:	Arms that were kept
 * @kept_back:	The end of a trial that the queue did not take
 * @lost_before: Losses up to the end of the trial before; the writer's, as is
 * @trials:	Finished trials' parts of the summary
 */
struct record {
	struct record_plan plan;
	char *folder;
	struct record_writer writer;
	char trial[ROW_TEXT + 1];
	bool named;
	nsec start;
	_Atomic uint64_t refused;
	struct header_range *headers;
	unsigned n_arms;
	struct trial_end *kept_back;
	uint64_t lost_before;
	json_t *trials;
};

/* What is known of a trial that is over, until it stands in the summary. */
struct trial_end {
	struct trial_end *next;
	struct trial_report report;
	struct summary_source source;
	json_t *counted;
	char trial[ROW_TEXT + 1];
	uint64_t refused; /* by the queues, up to its end */
};

static int create_folder(const char *folder, struct err *err)
{
	if (!mkdir(folder, 0777))
		return 0;
	if (errno == EEXIST)
		return err_add(err,
			       "%s: exists already, and a record is never "
			       "overwritten; name another folder, or move this "
			       "one away",
			       folder);
	if (errno == ENOENT)
		return err_add(err,
			       "%s: its parent folder is not there; create it "
			       "with mkdir -p",
			       folder);
	return err_add_machine(err, "%s: %s", folder, strerror(errno));
}

static void record_free(struct record *record)
{
	json_decref(record->trials);
	free(record->headers);
	free(record->folder);
	free(record);
}

/* Make its part of the summary; the writer's thread, or when that is over. */
static void end_trial(void *context, struct trial_end *end)
{
	struct record *record = context;
	uint64_t lost = end->refused + atomic_load(&record->writer.lost);

	end->source.lost = lost - record->lost_before;
	record->lost_before = lost;
	json_array_append_new(record->trials, summary_trial(&end->source));
	json_decref(end->counted);
	free((void *)(uintptr_t)end->report.tallies);
	free((void *)(uintptr_t)end->source.headers);
	free(end);
}

struct record *record_open(const struct record_plan *plan, struct err *err)
{
	struct record *record;
	const struct record_files files = { plan->pcap, plan->vehicle };
	struct err ignored = { 0 };
	json_t *manifest;
	int failed;

	if (create_folder(plan->folder, err) < 0)
		return NULL;
	record = calloc(1, sizeof(*record));
	if (!record)
		abort();
	record->plan = *plan;
	record->folder = strdup(plan->folder);
	record->plan.folder = record->folder;
	record->headers =
		calloc(plan->arm->n_channels + 1, sizeof(*record->headers));
	record->trials = json_array();
	if (!record->folder || !record->headers || !record->trials)
		abort();
	record->writer.ended = end_trial;
	record->writer.context = record;
	manifest = manifest_new(plan);
	failed = manifest_write(manifest, record->folder, "manifest.json", err);
	json_decref(manifest);
	if (!failed)
		failed = record_writer_start(&record->writer, record->folder,
					     &files, err);
	if (!failed)
		return record;
	record_writer_stop(&record->writer, &ignored);
	err_fini(&ignored);
	record_free(record);
	return NULL;
}

/* Room for an item; NULL after it was counted as lost. */
static void *room_for(struct record *record, struct ring *ring, size_t len)
{
	const struct timespec moment = { .tv_nsec = 100000 };
	void *room = ring_room(ring, len);

	while (!room && record->plan.waits) {
		nanosleep(&moment, NULL);
		room = ring_room(ring, len);
	}
	if (!room)
		record->refused++;
	return room;
}

/* Rows that follow are of this trial: false if the writer cannot be told. */
static bool name_trial(struct record *record, const char *trial)
{
	size_t len = strlen(trial);
	struct item_trial *item;

	if (record->named && !strcmp(trial, record->trial))
		return true;
	if (len > ROW_TEXT)
		len = ROW_TEXT;
	item = room_for(record, &record->writer.rows, sizeof(*item) + len + 1);
	if (!item)
		return false;
	item->kind = ITEM_TRIAL;
	memcpy(item->trial, trial, len);
	item->trial[len] = '\0';
	snprintf(record->trial, sizeof(record->trial), "%s", trial);
	record->named = true;
	ring_put(&record->writer.rows);
	return true;
}

static void note_header(struct header_range *range, uint8_t bytes)
{
	if (!range->least || bytes < range->least)
		range->least = bytes;
	if (bytes > range->most)
		range->most = bytes;
}

static size_t text_len(const char *text)
{
	size_t len = strlen(text);

	return len > ROW_TEXT ? ROW_TEXT : len;
}

void record_packet(struct record *record, const struct session *session,
		   const struct packet *packet, nsec released)
{
	const struct arm *arm;
	const char *stream = "", *by = packet->by ? packet->by : "";
	size_t stream_len, by_len, channel;
	struct item_row *item;

	if (!record || !name_trial(record, session_trial(session)))
		return;
	arm = session_arm(session);
	channel = arm->n_channels;
	if (packet->channel < channel) {
		channel = packet->channel;
		stream = arm->channel[channel].plan.stream;
	}
	note_header(&record->headers[channel], packet->payload);
	stream_len = text_len(stream);
	by_len = text_len(by);
	item = room_for(record, &record->writer.rows,
			sizeof(*item) + stream_len + by_len + 2);
	if (!item)
		return;
	item->kind = ITEM_ROW;
	item->size = packet_payload_bytes(packet);
	item->id = packet->id;
	item->ingress = packet->ingress;
	item->due = packet->due;
	item->released = released;
	item->direction = packet->direction;
	item->fate = packet->fate;
	item->by_at = (uint8_t)(stream_len + 1);
	memcpy(item->text, stream, stream_len);
	item->text[stream_len] = '\0';
	memcpy(item->text + item->by_at, by, by_len);
	item->text[item->by_at + by_len] = '\0';
	ring_put(&record->writer.rows);
}

void record_capture(struct record *record, enum capture which, nsec now,
		    const struct packet *packet)
{
	struct item_capture *item;

	if (!record || !record->plan.pcap)
		return;
	item = room_for(record, &record->writer.captures,
			sizeof(*item) + sizeof(*packet) + packet->len);
	if (!item)
		return;
	item->utc_ns = record->plan.utc_ns + record->start + now;
	item->which = which;
	memcpy(item->packet, packet, sizeof(*packet) + packet->len);
	ring_put(&record->writer.captures);
}

void record_event(struct record *record, nsec now, const char *event,
		  const char *detail)
{
	size_t event_len, detail_len;
	struct item_event *item;

	if (!record)
		return;
	event_len = text_len(event);
	detail_len = strlen(detail);
	if (detail_len > RECORD_DETAIL_MAX)
		detail_len = RECORD_DETAIL_MAX;
	item = room_for(record, &record->writer.rows,
			sizeof(*item) + event_len + detail_len + 2);
	if (!item)
		return;
	item->kind = ITEM_EVENT;
	item->now = now;
	item->detail_at = (uint32_t)(event_len + 1);
	memcpy(item->text, event, event_len);
	item->text[event_len] = '\0';
	memcpy(item->text + item->detail_at, detail, detail_len);
	item->text[item->detail_at + detail_len] = '\0';
	ring_put(&record->writer.rows);
}

void record_step(struct record *record, const struct session *session,
		 const struct vehicle_row *row)
{
	struct item_step *item;

	if (!record || !record->plan.vehicle ||
	    !name_trial(record, session_trial(session)))
		return;
	item = room_for(record, &record->writer.rows, sizeof(*item));
	if (!item)
		return;
	item->kind = ITEM_STEP;
	item->row = *row;
	ring_put(&record->writer.rows);
}

void record_view(struct record *record, const struct session *session, nsec now,
		 const struct reconstruction_view *view)
{
	struct item_view *item;

	if (!record || !record->plan.vehicle || !view->has_pose ||
	    !name_trial(record, session_trial(session)))
		return;
	item = room_for(record, &record->writer.rows, sizeof(*item));
	if (!item)
		return;
	item->kind = ITEM_VIEW;
	item->now = now;
	item->sampled = view->sampled;
	item->pose = view->pose;
	ring_put(&record->writer.rows);
}

static void *copy_of(const void *from, size_t size)
{
	void *copy = malloc(size);

	if (!copy)
		abort();
	return memcpy(copy, from, size);
}

static struct trial_end *end_of(struct record *record,
				const struct trial_report *report)
{
	size_t n = record->plan.arm->n_channels + 1;
	struct trial_end *end = calloc(1, sizeof(*end));

	if (!end)
		abort();
	end->report = *report;
	snprintf(end->trial, sizeof(end->trial), "%s", report->trial);
	end->report.trial = end->trial;
	end->report.tallies =
		copy_of(report->tallies, n * sizeof(*report->tallies));
	end->report.session = NULL;
	end->counted = summary_counted(report->session);
	end->refused = record->refused;
	end->source = (struct summary_source){
		.arm = report->session ? session_arm(report->session)
				       : record->plan.arm,
		.report = &end->report,
		.start = record->start,
		.headers =
			copy_of(record->headers, n * sizeof(*record->headers)),
		.counted = end->counted,
	};
	return end;
}

void record_trial(struct record *record, const struct trial_report *report)
{
	struct item_end *item;
	struct trial_end *end, **last;

	if (!record)
		return;
	end = end_of(record, report);
	item = ring_room(&record->writer.rows, sizeof(*item));
	if (item && !record->kept_back) {
		item->kind = ITEM_END;
		item->end = end;
		ring_put(&record->writer.rows);
	} else {
		for (last = &record->kept_back; *last; last = &(*last)->next)
			;
		*last = end;
	}
	record_begin(record, record->start + report->duration);
}

void record_begin(struct record *record, nsec start)
{
	if (!record)
		return;
	record->start = start;
	memset(record->headers, 0,
	       (record->plan.arm->n_channels + 1) * sizeof(*record->headers));
}

void record_sync(struct record *record)
{
	if (record)
		record_writer_sync(&record->writer,
				   record->plan.waits ? 0 : SYNC_MS);
}

int record_arm(struct record *record, const struct arm *arm, char *name,
	       struct err *err)
{
	struct record_plan plan;
	json_t *manifest;
	int failed;

	*name = '\0';
	if (!record)
		return 0;
	plan = record->plan;
	plan.arm = arm;
	snprintf(name, RECORD_NAME, "arm-%u.json", ++record->n_arms + 1);
	manifest = manifest_new(&plan);
	failed = manifest_write(manifest, record->folder, name, err);
	json_decref(manifest);
	return failed;
}

void record_forget_arm(struct record *record, const char *name)
{
	char path[4096];

	if (!record)
		return;
	snprintf(path, sizeof(path), "%s/%s", record->folder, name);
	(void)unlink(path);
	record->n_arms--;
}

uint64_t record_lost(const struct record *record)
{
	if (!record)
		return 0;
	return record->refused + atomic_load(&record->writer.lost);
}

int record_close(struct record *record, struct err *err)
{
	size_t faults = err->n;
	uint64_t lost;
	json_t *summary;

	if (!record)
		return 0;
	record_writer_stop(&record->writer, err);
	while (record->kept_back) {
		struct trial_end *end = record->kept_back;

		record->kept_back = end->next;
		end_trial(record, end);
	}
	lost = record_lost(record);
	if (lost)
		err_add_machine(err,
				"%s: %" PRIu64 " rows and captured packets "
				"were lost; the disk did not keep up or was "
				"full",
				record->folder, lost);
	summary = json_object();
	json_object_set_new(summary, "format", json_integer(1));
	json_object_set_new(summary, "rows_lost",
			    json_integer((json_int_t)lost));
	json_object_set(summary, "trials", record->trials);
	(void)manifest_write(summary, record->folder, "summary.json", err);
	json_decref(summary);
	record_free(record);
	return err->n == faults ? 0 : -1;
}
