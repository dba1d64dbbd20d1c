/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * inside.h - what the files of a session share
 *
 * Floor: session.
 */
#ifndef SESSION_INSIDE_H
#define SESSION_INSIDE_H

#include "session/place.h"
#include "session/robot.h"
#include "session/session.h"

#define TRIAL_MAX 128

/* Random streams of what happens to a packet when its channel releases it. */
struct exit_draws {
	struct rng duplicate, corrupt;
};

/**
 * struct exit_terms - What one arm says of a channel's exit
 * @before:	Those of the arm before it, or NULL
 * @from:	Ingress time from which they govern
 * @draws:	@own, or those of an earlier one that they go on with
 */
struct exit_terms {
	struct exit_terms *before;
	nsec from;
	double duplicate, corrupt;
	struct exit_draws *draws, own;
};

struct channel_exit {
	struct exit_terms *latest;
};

struct session {
	const struct arm *arm;
	struct classifier *classifier;
	struct pool *pool;
	char trial[TRIAL_MAX];
	uint64_t seed, next_id;
	struct packet *aside, **aside_end; /* settled without a channel */
	struct robot *robot;		   /* who lives here, or NULL */
	bool retired;			   /* and does nothing more */
	struct channel_exit *exit;
	uint64_t limit_bytes, limit_packets; /* of all channels, at first */
	size_t n_channels;
	struct place place[];
};

/**
 * session_seed_of() - Seed of the present trial under an arm
 * @session:	Session with @trial set
 * @arm:	Arm
 *
 * Return: the seed.
 */
uint64_t session_seed_of(const struct session *session, const struct arm *arm);

/**
 * session_limits() - What may wait in all channels of an arm
 * @arm:	Arm
 * @bytes:	Set to the sum of limit_bytes
 * @packets:	Set to the sum of limit_packets
 */
void session_limits(const struct arm *arm, uint64_t *bytes, uint64_t *packets);

/**
 * exit_reset() - Begin the random streams of all channels' exits
 * @session:	Session with @seed set
 */
void exit_reset(struct session *session);

/**
 * exit_adopt() - Go on with the settings of another arm
 * @session:	Session with @arm and @seed set
 * @now:	Packets that entered earlier keep the settings that they had
 * @anew:	The seed is another one: random streams begin anew
 */
void exit_adopt(struct session *session, nsec now, bool anew);

/**
 * exit_fini() - Free what all channels' exits have
 * @session:	Session
 */
void exit_fini(struct session *session);

/**
 * exit_apply() - Corrupt a packet that a channel released, or copy it
 * @session:	Session
 * @packet:	Packet; its bytes may change
 *
 * Return: a copy to be delivered with it, or NULL.
 */
struct packet *exit_apply(struct session *session, struct packet *packet);

#endif /* SESSION_INSIDE_H */
