/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * session.h - a running arm: classifier and channels, pure, in virtual time
 *
 * Floor: session.
 *
 * A session has no clock and no I/O.  A driver takes a packet from the pool,
 * fills it, and puts it in with the time at which it entered; it asks when the
 * session is next due, takes settled packets out, and gives them back.  run,
 * simulate, verify and the tests drive the same machine; they differ only in
 * where "now" comes from.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "session/arm.h"

struct session;

/**
 * session_new() - A session of an arm, at time 0 of its first trial
 * @arm:	Arm; borrowed, outlives the session
 * @trial:	Id of the first trial
 * @err:	Told why it cannot be
 *
 * Return: the session, or NULL.
 */
struct session *session_new(const struct arm *arm, const char *trial,
			    struct err *err);

/**
 * session_packet() - Take a packet to fill
 * @session:	Session
 * @len:	Bytes of IP packet
 *
 * Return: the packet, the caller's, or NULL if the pool is full.
 */
struct packet *session_packet(struct session *session, uint32_t len);

/**
 * session_give() - Give a packet back
 * @session:	Session
 * @packet:	Packet that the caller has; NULL does nothing
 */
void session_give(struct session *session, struct packet *packet);

/**
 * session_put() - Put a packet in
 * @session:	Session; holds the packet from here on
 * @now:	When it entered
 * @entry:	How it came in
 * @packet:	Packet as packet_build() or packet_read() left it
 *
 * Never fails: what fits no channel, or does not fit into it, comes out as
 * dropped.  @id, @channel, @direction and @ingress are set.
 *
 * Return: place of the channel that it fits, or CHANNEL_NONE.
 */
uint16_t session_put(struct session *session, nsec now,
		     const struct entry *entry, struct packet *packet);

/**
 * session_put_channel() - Put a packet into a channel that the caller knows
 * @session:	Session; holds the packet from here on
 * @now:	When it entered
 * @channel:	Place of the channel in the arm
 * @packet:	Packet
 */
void session_put_channel(struct session *session, nsec now, uint16_t channel,
			 struct packet *packet);

/**
 * session_refuse() - Put in a packet that must not pass, to be recorded
 * @session:	Session; holds the packet from here on
 * @now:	When it entered
 * @direction:	From where it came
 * @packet:	Packet; comes out as dropped by "refused"
 */
void session_refuse(struct session *session, nsec now, enum direction direction,
		    struct packet *packet);

/**
 * session_next() - When there is something to take
 * @session:	Session
 *
 * Return: the time, in the past where something is settled, or NSEC_NEVER.
 */
nsec session_next(const struct session *session);

/**
 * session_take() - Take the next settled packet
 * @session:	Session
 * @now:	Time up to which the session acts
 *
 * They come in ascending time, across channels at one instant in the order of
 * the arm.
 *
 * Return: the packet, now the caller's, or NULL.
 */
struct packet *session_take(struct session *session, nsec now);

/**
 * session_flush() - Drop what waits in a channel
 * @session:	Session
 * @channel:	Place of the channel
 * @by:		"reset" or "shutdown"
 */
void session_flush(struct session *session, uint16_t channel, const char *by);

/**
 * session_reset() - Start a trial: time zero, all as new
 * @session:	Session; everything must have been flushed and taken
 * @trial:	Id of the trial; copied
 */
void session_reset(struct session *session, const char *trial);

/**
 * session_adopt() - Go on with the settings of another arm
 * @session:	Session
 * @now:	When; settings govern packets that enter later
 * @arm:	Arm; borrowed, outlives the session
 * @err:	Told each thing that needs a restart
 *
 * All or nothing: the same channels with the same stages, ports and addresses.
 *
 * Return: 0, or -1 with @err told, and nothing changed.
 */
int session_adopt(struct session *session, nsec now, const struct arm *arm,
		  struct err *err);

/**
 * session_channel() - A channel, to look into
 * @session:	Session
 * @channel:	Place of the channel
 *
 * Return: the channel.
 */
const struct channel *session_channel(const struct session *session,
				      uint16_t channel);

/* The arm that governs now; the trial's id; the trial's seed. */
const struct arm *session_arm(const struct session *session);
const char *session_trial(const struct session *session);
uint64_t session_seed(const struct session *session);

/**
 * session_free() - Free a session with all that is in it
 * @session:	Session, or NULL
 */
void session_free(struct session *session);

#endif /* SESSION_SESSION_H */
