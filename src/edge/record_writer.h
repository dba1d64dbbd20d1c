/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * record_writer.h - the thread that writes a record down
 *
 * Floor: edge.
 */
#ifndef EDGE_RECORD_WRITER_H
#define EDGE_RECORD_WRITER_H

#include <pthread.h>

#include "core/err.h"
#include "core/packet.h"
#include "edge/ring.h"
#include "edge/sink.h"
#include "vehicle/vehicle.h"

#define CAPTURES 4

struct trial_end;

/* What the rows' queue holds. */
enum item { ITEM_TRIAL, ITEM_ROW, ITEM_EVENT, ITEM_STEP, ITEM_VIEW, ITEM_END };

/* The trial that the rows behind it belong to. */
struct item_trial {
	uint32_t kind;
	char trial[];
};

/* A settled packet; @text is the stream and then the reason, both ended by a
 * zero byte.
 */
struct item_row {
	uint32_t kind, size;
	uint64_t id;
	nsec ingress, due, released;
	uint8_t direction, fate, by_at;
	char text[];
};

/* An event; @text is the word and then the detail, likewise. */
struct item_event {
	uint32_t kind, detail_at;
	nsec now;
	char text[];
};

/* A step of the vehicle. */
struct item_step {
	uint32_t kind;
	struct vehicle_row row;
};

/* How the operator's view stands. */
struct item_view {
	uint32_t kind;
	nsec now, sampled;
	struct pose pose;
};

/* A trial is over: all its rows stand before this. */
struct item_end {
	uint32_t kind;
	struct trial_end *end;
};

/* What the captures' queue holds: behind it comes a struct packet. */
struct item_capture {
	int64_t utc_ns;
	uint64_t which;
	_Alignas(8) uint8_t packet[];
};

/**
 * struct record_writer - The thread and its files
 * @rows:	Queue of struct item_trial, item_row and item_event
 * @captures:	Queue of struct item_capture
 * @packets:	packets.csv; @events: events.csv; @vehicle: vehicle.csv; @view:
 *		operator.csv; @capture: the four captures
 * @folder:	Where they are
 * @trial:	Trial of the rows that are being written
 * @lost:	Rows and captured packets that the disk refused
 * @wanted:	How often all was asked to be written; @done: how often it was
 * @stop:	The thread is to end
 * @ended:	Called by the thread when all of a trial is written; @context is
 *		handed to it
 */
struct record_writer {
	struct ring rows, captures;
	struct sink packets, events, vehicle, view, capture[CAPTURES];
	const char *folder;
	char trial[128];
	_Atomic uint64_t lost;
	_Atomic unsigned wanted, done;
	_Atomic bool stop;
	bool runs;
	pthread_t thread;
	void (*ended)(void *context, struct trial_end *end);
	void *context;
};

/**
 * struct record_files - Files there are besides packets.csv and events.csv
 * @pcap:	The four captures
 * @vehicle:	vehicle.csv and operator.csv
 */
struct record_files {
	bool pcap, vehicle;
};

/**
 * record_writer_start() - Create the files and start the thread
 * @writer:	All zeros; filled
 * @folder:	Folder that is there and empty; borrowed
 * @files:	Which files there are
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told; record_writer_stop() then tidies up.
 */
int record_writer_start(struct record_writer *writer, const char *folder,
			const struct record_files *files, struct err *err);

/**
 * record_writer_sync() - Wait until all that was put is written
 * @writer:	Writer
 * @most_ms:	Longest wait; 0: any
 */
void record_writer_sync(struct record_writer *writer, int most_ms);

/**
 * record_writer_stop() - Write the rest, end the thread, close the files
 * @writer:	Writer; may be half started
 * @err:	Told which files are not complete, and why
 */
void record_writer_stop(struct record_writer *writer, struct err *err);

#endif /* EDGE_RECORD_WRITER_H */
