/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * record_writer.c - the thread that writes a record down
 *
 * Floor: edge.
 *
 * How it works
 *
 * The thread looks into both queues, formats what is there into the files'
 * buffers, writes them once a second at the latest, and sleeps for some
 * milliseconds when there is nothing.  So the side that puts never needs a
 * system call to wake it.
 */
#include "edge/record_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "edge/loop.h"
#include "edge/privilege.h"
#include "edge/row.h"
#include "edge/savefile.h"
#include "edge/thread.h"
#include "edge/trace.h"

#define ROWS_BYTES     (16u << 20)
#define CAPTURES_BYTES (64u << 20)
#define NAP_NS	       5000000
#define FLUSH_NS       INT64_C(500000000)
/* Items that one queue may fill before the other has its turn. */
#define ITEMS_PER_TURN 8192

static const char *const capture_names[CAPTURES] = {
	"uplink-in.pcap",
	"uplink-out.pcap",
	"downlink-in.pcap",
	"downlink-out.pcap",
};

static void nap(void)
{
	const struct timespec time = { .tv_nsec = NAP_NS };

	nanosleep(&time, NULL);
}

static void lose(struct record_writer *writer, uint64_t n)
{
	if (n)
		atomic_fetch_add(&writer->lost, n);
}

static void write_row(struct record_writer *writer, const struct item_row *item)
{
	const struct row row = {
		.trial = writer->trial,
		.stream = item->text,
		.by = item->text + item->by_at,
		.id = item->id,
		.ingress = item->ingress,
		.due = item->due,
		.released = item->released,
		.size = item->size,
		.direction = item->direction,
		.fate = item->fate,
	};
	uint64_t lost = 0;
	char *room = sink_room(&writer->packets, &lost);

	sink_add(&writer->packets, row_print(&row, room));
	lose(writer, lost);
}

static void write_event(struct record_writer *writer,
			const struct item_event *item)
{
	uint64_t lost = 0;
	char *room = sink_room(&writer->events, &lost), *at = room;

	at += snprintf(at, 32, "%" PRId64 ",", item->now);
	at += csv_print(at, item->text);
	*at++ = ',';
	at += csv_print(at, item->text + item->detail_at);
	*at++ = '\n';
	sink_add(&writer->events, (size_t)(at - room));
	lose(writer, lost);
}

static void write_step(struct record_writer *writer,
		       const struct item_step *item)
{
	uint64_t lost = 0;
	char *room = sink_room(&writer->vehicle, &lost);

	sink_add(&writer->vehicle,
		 trace_print_step(room, writer->trial, &item->row));
	lose(writer, lost);
}

static void write_view(struct record_writer *writer,
		       const struct item_view *item)
{
	uint64_t lost = 0;
	char *room = sink_room(&writer->view, &lost);

	sink_add(&writer->view, trace_print_view(room, writer->trial, item->now,
						 item->sampled, &item->pose));
	lose(writer, lost);
}

static bool drain_captures(struct record_writer *writer);
static void flush(struct record_writer *writer);

/* What the disk refuses of a trial is known only when all of it was written. */
static void end_trial(struct record_writer *writer, const struct item_end *item)
{
	while (!drain_captures(writer))
		;
	flush(writer);
	writer->ended(writer->context, item->end);
}

static void write_item(struct record_writer *writer, const void *item)
{
	const struct item_trial *trial = item;

	switch (trial->kind) {
	case ITEM_TRIAL:
		snprintf(writer->trial, sizeof(writer->trial), "%s",
			 trial->trial);
		break;
	case ITEM_ROW:
		write_row(writer, item);
		break;
	case ITEM_STEP:
		write_step(writer, item);
		break;
	case ITEM_VIEW:
		write_view(writer, item);
		break;
	case ITEM_END:
		end_trial(writer, item);
		break;
	default:
		write_event(writer, item);
		break;
	}
}

/* Checksums that a socket leaves to the kernel are 0 until here. */
static void write_capture(struct record_writer *writer,
			  struct item_capture *item)
{
	struct sink *sink = &writer->capture[item->which];
	struct packet *packet = (struct packet *)(void *)item->packet;
	const uint8_t *checksum = packet->ip + packet->payload - 2;
	uint64_t lost = 0;
	char *room = sink_room(sink, &lost);

	if (!checksum[0] && !checksum[1])
		packet_checksum(packet);
	sink_add(sink, savefile_print(room, item->utc_ns, packet));
	lose(writer, lost);
}

/* Some of what waits; false if there was more. */
static bool drain_rows(struct record_writer *writer)
{
	size_t len;
	void *item;

	for (unsigned n = 0; n < ITEMS_PER_TURN; n++) {
		item = ring_first(&writer->rows, &len);
		if (!item)
			return true;
		write_item(writer, item);
		ring_take(&writer->rows);
	}
	return false;
}

static bool drain_captures(struct record_writer *writer)
{
	size_t len;
	void *item;

	if (!writer->captures.memory)
		return true;
	for (unsigned n = 0; n < ITEMS_PER_TURN; n++) {
		item = ring_first(&writer->captures, &len);
		if (!item)
			return true;
		write_capture(writer, item);
		ring_take(&writer->captures);
	}
	return false;
}

static void flush(struct record_writer *writer)
{
	lose(writer, sink_flush(&writer->packets));
	lose(writer, sink_flush(&writer->events));
	if (writer->vehicle.buffer) {
		lose(writer, sink_flush(&writer->vehicle));
		lose(writer, sink_flush(&writer->view));
	}
	for (int i = 0; i < CAPTURES; i++)
		if (writer->capture[i].buffer)
			lose(writer, sink_flush(&writer->capture[i]));
}

static void *run(void *context)
{
	struct record_writer *writer = context;
	int64_t flushed = loop_clock();

	(void)privilege_keep(PRIVILEGE_NONE); /* it only writes */
	for (;;) {
		/* read first: what was put before it is in the queues now */
		unsigned wanted = atomic_load(&writer->wanted);
		bool stop = atomic_load(&writer->stop);
		bool rows = drain_rows(writer);
		bool empty = drain_captures(writer) && rows;
		int64_t now = loop_clock();

		if ((empty && wanted != atomic_load(&writer->done)) ||
		    now - flushed >= FLUSH_NS) {
			flush(writer);
			flushed = now;
		}
		if (!empty)
			continue;
		atomic_store(&writer->done, wanted);
		if (stop)
			return NULL;
		nap();
	}
}

static int open_file(const struct record_writer *writer, struct sink *sink,
		     const char *file, struct err *err)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s/%s", writer->folder, file);
	if (sink_open(sink, name))
		return 0;
	return err_add_machine(err, "%s: %s", name, strerror(errno));
}

static void begin_csv(struct sink *sink, const char *header)
{
	uint64_t lost = 0;
	char *room = sink_room(sink, &lost);

	memcpy(room, header, strlen(header));
	sink_add(sink, strlen(header));
	(void)sink_flush(sink);
}

static int open_files(struct record_writer *writer,
		      const struct record_files *files, struct err *err)
{
	if (open_file(writer, &writer->packets, "packets.csv", err) < 0 ||
	    open_file(writer, &writer->events, "events.csv", err) < 0)
		return -1;
	begin_csv(&writer->packets, ROW_HEADER "\n");
	begin_csv(&writer->events, "time_ns,event,detail\n");
	if (files->vehicle) {
		if (open_file(writer, &writer->vehicle, "vehicle.csv", err) <
			    0 ||
		    open_file(writer, &writer->view, "operator.csv", err) < 0)
			return -1;
		begin_csv(&writer->vehicle, TRACE_STEP_HEADER "\n");
		begin_csv(&writer->view, TRACE_VIEW_HEADER "\n");
	}
	for (int i = 0; files->pcap && i < CAPTURES; i++) {
		uint64_t lost = 0;

		if (open_file(writer, &writer->capture[i], capture_names[i],
			      err) < 0)
			return -1;
		savefile_print_head(sink_room(&writer->capture[i], &lost));
		sink_add(&writer->capture[i], SAVEFILE_HEAD);
		(void)sink_flush(&writer->capture[i]);
	}
	return 0;
}

int record_writer_start(struct record_writer *writer, const char *folder,
			const struct record_files *files, struct err *err)
{
	int error;

	writer->folder = folder;
	writer->packets.fd = writer->events.fd = -1;
	writer->vehicle.fd = writer->view.fd = -1;
	for (int i = 0; i < CAPTURES; i++)
		writer->capture[i].fd = -1;
	if (!ring_init(&writer->rows, ROWS_BYTES) ||
	    (files->pcap && !ring_init(&writer->captures, CAPTURES_BYTES)))
		return err_add_machine(err,
				       "%s: not enough memory for its "
				       "queues",
				       folder);
	if (open_files(writer, files, err) < 0)
		return -1;
	error = thread_start(&writer->thread, run, writer);
	writer->runs = !error;
	if (error)
		return err_add_machine(err, "%s: no thread to write it: %s",
				       folder, strerror(error));
	return 0;
}

void record_writer_sync(struct record_writer *writer, int most_ms)
{
	unsigned wanted = atomic_fetch_add(&writer->wanted, 1) + 1;
	int64_t until = loop_clock() + most_ms * NSEC_PER_MS;

	while (atomic_load(&writer->done) != wanted &&
	       (!most_ms || loop_clock() < until))
		nap();
}

static void close_file(struct record_writer *writer, struct sink *sink,
		       const char *file, struct err *err)
{
	lose(writer, sink_close(sink));
	if (sink->error)
		err_add_machine(err,
				"%s/%s: %s; rows or packets are missing in it",
				writer->folder, file, strerror(sink->error));
}

void record_writer_stop(struct record_writer *writer, struct err *err)
{
	atomic_store(&writer->stop, true);
	if (writer->runs)
		pthread_join(writer->thread, NULL);
	writer->runs = false;
	close_file(writer, &writer->packets, "packets.csv", err);
	close_file(writer, &writer->events, "events.csv", err);
	close_file(writer, &writer->vehicle, "vehicle.csv", err);
	close_file(writer, &writer->view, "operator.csv", err);
	for (int i = 0; i < CAPTURES; i++)
		close_file(writer, &writer->capture[i], capture_names[i], err);
	ring_fini(&writer->rows);
	ring_fini(&writer->captures);
}
