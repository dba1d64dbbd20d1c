/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * source.h - packets that were written down before: a schedule or a capture
 *
 * Floor: edge.
 *
 * Both are read as a stream, so that memory does not grow with the file.
 *
 * A packet of a capture goes uplink if it is to the robot or from the headset,
 * downlink if the other way round, by the addresses that the arm gives; where
 * they do not tell, by the first channel whose ports and match fit, uplink
 * first.  What is of neither side and fits no channel is passed over.
 */
#ifndef EDGE_SOURCE_H
#define EDGE_SOURCE_H

#include "edge/savefile.h"
#include "session/session.h"

struct source;

/**
 * source_schedule() - Open a schedule
 * @name:	Name; "-" is standard input
 * @arm:	Arm; borrowed
 * @err:	Told why it cannot be
 *
 * Return: the source, or NULL.
 */
struct source *source_schedule(const char *name, const struct arm *arm,
			       struct err *err);

/**
 * source_capture() - Open a capture
 * @name:	Name; "-" is standard input
 * @arm:	Arm; borrowed
 * @err:	Told why it cannot be
 *
 * Return: the source, or NULL.
 */
struct source *source_capture(const char *name, const struct arm *arm,
			      struct err *err);

/**
 * source_next() - When the next packet enters
 * @source:	Source
 * @err:	Told what is wrong with the file
 *
 * Return: its trial time; NSEC_NEVER at the end or with @err told.
 */
nsec source_next(struct source *source, struct err *err);

/**
 * source_put() - Put the next packet into a session
 * @source:	Source whose source_next() was not NSEC_NEVER
 * @session:	Session
 * @arrived:	Called with the packet before it is put, or NULL
 * @context:	Handed to @arrived
 *
 * Return: false if the session has no room.
 */
bool source_put(struct source *source, struct session *session,
		void (*arrived)(void *context, const struct packet *packet,
				nsec now),
		void *context);

/**
 * source_start() - UTC of trial time 0, once source_next() was called
 * @source:	Source
 *
 * Return: ns since 1970; 0 for a schedule.
 */
int64_t source_start(const struct source *source);

/**
 * source_foreign() - Packets of a capture that are of neither side
 * @source:	Source
 *
 * Return: how many.
 */
uint64_t source_foreign(const struct source *source);

/**
 * source_early() - Packets of a capture that stand behind a later one
 * @source:	Source
 *
 * Return: how many; they were taken to be at the time of the later one.
 */
uint64_t source_early(const struct source *source);

/**
 * source_counts() - What a capture held
 * @source:	Source
 *
 * Return: zeros for a schedule.
 */
struct savefile_counts source_counts(const struct source *source);

/**
 * source_close() - Close it
 * @source:	Source, or NULL
 */
void source_close(struct source *source);

#endif /* EDGE_SOURCE_H */
