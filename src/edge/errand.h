/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * errand.h - what may be asked of a run from outside, and what it answers
 *
 * Floor: edge.
 *
 * An errand is filled by the thread that asks and done by the thread of the
 * packets, in microseconds: it copies and changes, it never reads a file.
 */
#ifndef EDGE_ERRAND_H
#define EDGE_ERRAND_H

#include "core/tally.h"
#include "edge/front.h"

#define PENDING_MAX 1024

/* What a channel, or what fits none, did in the present trial. */
struct status_channel {
	uint64_t in; /* entered, those that wait included */
	uint64_t bytes, released, copies, suppressed, dropped, nobody;
	uint64_t late, bursts;
	nsec longest_gap;
	int64_t queued, queued_bytes;
	struct {
		const char *by;
		uint64_t n;
	} reason[TALLY_REASONS];
	size_t n_reasons;
};

/**
 * struct status - How a run stands
 * @arm:	Arm that governs; it lives as long as the run
 * @trial:	Present trial; @between: it is none, but what is between two
 * @seed:	Its seed
 * @now:	Its time
 * @run:	Time since the run began
 * @utc_ns:	UTC when the run began
 * @n_trials:	Trials so far, the present one included
 * @changes:	Changes of the arm within the trial
 * @counts:	What the front has seen in the whole run
 * @rows_lost:	Rows and captured packets lost in the whole run
 * @clock_steps: Times at which the wall clock was seen to be set
 * @stopping:	The run is ending
 * @robot:	Where the robot is, in words
 * @headset:	Where the headset is, or "" while it is not known
 * @folder:	Folder of the record, or ""
 * @n:		Channels of the arm
 * @channel:	Each channel, and behind them what fits none
 */
struct status {
	const struct arm *arm;
	char trial[128];
	bool between, stopping;
	uint64_t seed;
	nsec now, run;
	int64_t utc_ns;
	uint64_t n_trials, changes, rows_lost, clock_steps;
	struct front_counts counts;
	char robot[ADDRESS_TEXT], headset[ADDRESS_TEXT];
	const char *folder;
	size_t n;
	struct status_channel channel[CHANNELS_MAX + 1];
};

/* A packet that waits.  @due is when it leaves the stage that it is in: of
 * @stages, the first is 1; only behind the last one does it leave the proxy.
 */
struct pending_packet {
	uint64_t id;
	nsec ingress, due;
	uint32_t size;
	uint16_t channel;
	uint8_t stage, stages;
};

/**
 * struct pending - What waits in channels
 * @now:	Trial time
 * @all:	How many wait in all
 * @n:		How many are told here, in no particular order
 */
struct pending {
	nsec now;
	int64_t all;
	size_t n;
	struct pending_packet packet[PENDING_MAX];
};

enum errand_kind {
	ERRAND_STATUS,
	ERRAND_PENDING,
	ERRAND_TRIAL_START,
	ERRAND_TRIAL_STOP,
	ERRAND_MARK,
	ERRAND_ADOPT,
	ERRAND_SAY,
	ERRAND_REFUSED,
	ERRAND_STOP,
};

/**
 * struct errand - One thing asked
 * @kind:	What
 * @text:	ERRAND_TRIAL_START: the trial's id, "" for the next number;
 *		ERRAND_MARK: the mark; ERRAND_STOP: why; ERRAND_ADOPT and
 *		ERRAND_REFUSED: event for the record
 * @detail:	ERRAND_ADOPT: its detail
 * @kept:	ERRAND_ADOPT: file of the record that keeps the arm
 * @refused:	ERRAND_SAY and ERRAND_REFUSED: what to say
 * @stream:	ERRAND_PENDING: stream, or NULL for all
 * @most:	ERRAND_PENDING: most packets to tell of each channel
 * @arm:	ERRAND_ADOPT: arm; taken over where it is adopted
 * @status:	Filled by ERRAND_STATUS
 * @pending:	Filled by ERRAND_PENDING
 * @said:	What was done, in words
 * @err:	Told why it was not done
 */
struct errand {
	enum errand_kind kind;
	const char *text, *detail, *kept, *stream;
	const struct err *refused;
	size_t most;
	struct arm *arm;
	struct status *status;
	struct pending *pending;
	char said[512];
	struct err err;
};

#endif /* EDGE_ERRAND_H */
