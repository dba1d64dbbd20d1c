/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * record.h - the record of a run: packets, events, captures, manifest, summary
 *
 * Floor: edge.
 *
 * Rows and captured packets are copied into bounded queues and written by a
 * thread of its own, so that recording never delays a release.  What does not
 * fit, or what the disk refuses, is counted; the run goes on.
 */
#ifndef EDGE_RECORD_H
#define EDGE_RECORD_H

#include "core/err.h"
#include "core/packet.h"
#include "core/tally.h"
#include "edge/precision.h"
#include "session/session.h"

struct record;

/* Most bytes of an event's detail; longer ones are cut. */
#define RECORD_DETAIL_MAX 16384u

/* Room for the name of a file in the folder. */
#define RECORD_NAME 32

/* Which of the four captures. */
enum capture { UPLINK_IN, UPLINK_OUT, DOWNLINK_IN, DOWNLINK_OUT };

/**
 * struct record_plan - What a record is made for
 * @folder:	Folder to create; an existing one is refused
 * @arm:	Arm; borrowed
 * @command:	"run" or "simulate"
 * @pcap:	Whether packets are captured too
 * @vehicle:	Whether a vehicle and the operator's view are written down too
 * @precision:	What was asked of the machine, or NULL
 * @waits:	In virtual time: wait for room instead of losing rows
 * @utc_ns:	UTC at the start, ns since 1970
 * @monotonic_ns: CLOCK_MONOTONIC at the same moment, which is trial time 0 of
 *		the first trial
 */
struct record_plan {
	const char *folder;
	const struct arm *arm;
	const char *command;
	bool pcap, vehicle, waits;
	const struct precision *precision;
	int64_t utc_ns, monotonic_ns;
};

/**
 * record_open() - Create the folder and its files, write the manifest, and
 *	start the writer
 * @plan:	What it is made for
 * @err:	Told why it cannot be
 *
 * Return: the record, or NULL.
 */
struct record *record_open(const struct record_plan *plan, struct err *err);

/**
 * record_packet() - Write down a settled packet
 * @record:	Record; NULL does nothing
 * @session:	Names the trial and the stream
 * @packet:	Packet
 * @released:	When it left, or NSEC_NEVER
 */
void record_packet(struct record *record, const struct session *session,
		   const struct packet *packet, nsec released);

/**
 * record_capture() - Capture a packet, if the record was asked for captures
 * @record:	Record; NULL does nothing
 * @which:	Which capture
 * @now:	Trial time
 * @packet:	Packet; checksums are made in the copy where they are 0
 */
void record_capture(struct record *record, enum capture which, nsec now,
		    const struct packet *packet);

/**
 * record_event() - Write down an event
 * @record:	Record; NULL does nothing
 * @now:	Trial time
 * @event:	One word, such as "trial-start"
 * @detail:	Anything, or ""
 */
void record_event(struct record *record, nsec now, const char *event,
		  const char *detail);

/**
 * record_step() - Write down a step of the vehicle, if the record was asked to
 * @record:	Record; NULL does nothing
 * @session:	Names the trial
 * @row:	Step
 */
void record_step(struct record *record, const struct session *session,
		 const struct vehicle_row *row);

/**
 * record_view() - Write down how the operator's view changed, likewise
 * @record:	Record; NULL does nothing
 * @session:	Names the trial
 * @now:	Trial time
 * @view:	View
 */
void record_view(struct record *record, const struct session *session, nsec now,
		 const struct reconstruction_view *view);

/**
 * struct trial_report - What is known of a trial at its end
 * @trial:	Its id
 * @between:	It is no trial, but what passed between two
 * @changes:	How often the arm was changed within it
 * @lost:	Rows and captured packets lost in it, as far as is known then
 * @seed:	Its seed
 * @duration:	Trial time at its end
 * @tallies:	One for each channel of the arm, and one more for packets that
 *		fit no channel
 * @kernel_drops: Datagrams that the kernel dropped before the proxy saw them
 * @icmp_errors: ICMP errors that came back
 * @clock_steps: Times at which the wall clock was seen to be set
 * @live:	Whether release errors were measured
 * @session:	Session, for what its conditions counted; or NULL
 */
struct trial_report {
	const char *trial;
	bool between;
	uint64_t changes, lost, seed;
	nsec duration;
	const struct tally *tallies;
	uint64_t kernel_drops, icmp_errors, clock_steps;
	bool live;
	const struct session *session;
};

enum verdict { VERDICT_VALID, VERDICT_DOUBTFUL, VERDICT_INVALID };

/**
 * record_judge() - What a trial is worth, by the thresholds of [record]
 * @arm:	Arm
 * @report:	What is known
 * @rows_lost:	Rows and captured packets that the record lost in it
 * @reasons:	Told each reason, as a sentence
 *
 * Return: the verdict.
 */
enum verdict record_judge(const struct arm *arm,
			  const struct trial_report *report, uint64_t rows_lost,
			  struct err *reasons);

/* "valid", "doubtful", "invalid" */
const char *verdict_name(enum verdict verdict);

/**
 * record_trial() - End a trial: what the summary says of it is made by the
 *	writer, once it has written the trial's rows
 * @record:	Record; NULL does nothing
 * @report:	What is known of it; copied
 */
void record_trial(struct record *record, const struct trial_report *report);

/**
 * record_begin() - Begin a trial after the first
 * @record:	Record; NULL does nothing
 * @start:	Its time 0, since the record's start
 */
void record_begin(struct record *record, nsec start);

/**
 * record_sync() - Wait until all rows so far are written, or the disk hangs
 * @record:	Record; NULL does nothing
 */
void record_sync(struct record *record);

/**
 * record_arm() - Keep an arm that a run goes on with: "arm-2.json"
 * @record:	Record; NULL does nothing, and there is no name
 * @arm:	Arm
 * @name:	Filled with the file's name; RECORD_NAME bytes
 * @err:	Told why it cannot be written
 *
 * Any thread may call it, one at a time.
 *
 * Return: 0, or -1 with @err told.
 */
int record_arm(struct record *record, const struct arm *arm, char *name,
	       struct err *err);

/**
 * record_forget_arm() - The arm that was kept last is not adopted
 * @record:	Record; NULL does nothing
 * @name:	Name that record_arm() gave
 */
void record_forget_arm(struct record *record, const char *name);

/**
 * record_lost() - Rows and captured packets lost so far
 * @record:	Record, or NULL
 *
 * Return: how many.
 */
uint64_t record_lost(const struct record *record);

/**
 * record_close() - Stop the writer, write summary.json, close all files
 * @record:	Record; NULL does nothing
 * @err:	Told what could not be written
 *
 * Return: 0, or -1 with @err told.
 */
int record_close(struct record *record, struct err *err);

#endif /* EDGE_RECORD_H */
