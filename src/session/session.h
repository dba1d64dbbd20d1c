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
#include "vehicle/reconstruction.h"
#include "vehicle/vehicle.h"

struct session;

/**
 * struct session_watch - Who looks on
 * @step:	Called for each step of the vehicle, or NULL
 * @view:	Called when the operator's view has changed, or NULL
 * @context:	Handed to both
 */
struct session_watch {
	void (*step)(void *context, const struct vehicle_row *row);
	void (*view)(void *context, nsec now,
		     const struct reconstruction_view *view);
	void *context;
};

/**
 * struct session_plan - Who lives in a session besides its channels
 * @vehicle:	The vehicle model of [vehicle], in the robot's place
 * @stops:	The dead man's switch of [safety]
 * @drive:	A drive script's text, for an operator; or NULL
 * @drive_size:	Its size
 * @drive_name:	Its name, for faults
 * @watch:	Who looks on
 */
struct session_plan {
	bool vehicle, stops;
	const char *drive, *drive_name;
	size_t drive_size;
	struct session_watch watch;
};

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
 * session_inhabit() - Let somebody live in a session
 * @session:	Session at the start of its first trial
 * @plan:	Who; its texts are borrowed until the call returns
 * @err:	Told what cannot be
 *
 * Return: 0, or -1 with @err told.
 */
int session_inhabit(struct session *session, const struct session_plan *plan,
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
 * session_inject() - Put in a stop of our own, past the chain
 * @session:	Session of an arm with [safety]
 * @now:	When
 * @by:		Why: "on_start", "on_exit", "deadman", "guard"
 *
 * It comes out as injected, to be sent to where the stream of commands goes.
 */
void session_inject(struct session *session, nsec now, const char *by);

/**
 * session_hold() - Promise that nothing enters before a time any more
 * @session:	Session
 * @direction:	Into the channels of this direction
 * @now:	The time; what enters with an earlier one is moved up to it
 */
void session_hold(struct session *session, enum direction direction, nsec now);

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
 * All or nothing.  Channels, ports and addresses must be the same.  A channel
 * whose chain has the same stages goes on with its states and random streams;
 * one with another chain, seed, tick or limit begins as new at @now, and the
 * former one goes on until what waits in it has left.  A robot at another
 * address is for the caller to reach.
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

/**
 * session_load() - What waits at a channel's place
 * @session:	Session
 * @channel:	Place of the channel
 *
 * Return: the load, with what entered under an arm before.
 */
struct channel_load session_load(const struct session *session,
				 uint16_t channel);

/**
 * session_each() - Look at all that waits at a channel's place
 * @session:	Session
 * @channel:	Place of the channel
 * @look:	Called for each packet, in no particular order
 * @context:	Handed to @look
 */
void session_each(const struct session *session, uint16_t channel,
		  void (*look)(const struct packet *packet, void *context),
		  void *context);

/**
 * session_is_driven() - Whether a scripted operator has something to send yet,
 *	or some of it is on its way
 * @session:	Session
 *
 * Return: whether.
 */
bool session_is_driven(const struct session *session);

/**
 * session_is_scripted() - Whether a scripted operator has something to send yet
 * @session:	Session
 *
 * Return: whether.
 */
bool session_is_scripted(const struct session *session);

/**
 * session_end_script() - A scripted operator sends nothing more
 * @session:	Session that is ending
 */
void session_end_script(struct session *session);

/**
 * session_retire() - Whoever lives in the session does nothing more
 * @session:	Session that is ending; what waits still leaves
 */
void session_retire(struct session *session);

/* The vehicle in the robot's place, and the operator's view; or NULL. */
const struct vehicle *session_vehicle(const struct session *session);
const struct reconstruction *session_view(const struct session *session);

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
