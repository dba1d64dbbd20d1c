/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * front.h - how packets get in and out of a live session
 *
 * Floor: edge.
 *
 * A front puts what arrives into the session and sends what the session
 * releases.  It sends in batches: a packet handed to it comes back through
 * @sent when it is known whether it left.
 */
#ifndef EDGE_FRONT_H
#define EDGE_FRONT_H

#include "edge/loop.h"
#include "session/session.h"

struct front;

#define FRONT_NOBODY ((nsec)-1)

/**
 * struct front_user - Who is told what a front does
 * @arrived:	A packet is about to be put into the session, at @now
 * @sent:	A packet is through; it belongs to the callee.  @gone is when it
 *		left, or NSEC_NEVER if it could not be sent, or FRONT_NOBODY if
 *		nobody is known yet to send it to
 * @event:	Something for the record: a word and a detail
 * @full:	The session has no packet left to fill: take what it has
 *		settled.  The front may ask once more then
 * @context:	Handed to all of them
 */
struct front_user {
	void (*arrived)(void *context, struct packet *packet, nsec now);
	void (*sent)(void *context, struct packet *packet, nsec gone);
	void (*event)(void *context, const char *event, const char *detail);
	void (*full)(void *context);
	void *context;
};

/**
 * struct front_plan - What a front is opened for
 * @loop:	Loop
 * @session:	Session
 * @user:	Who is told
 * @loopback:	Everything on 127.0.0.1
 * @vehicle:	A vehicle in the session stands in the robot's place
 */
struct front_plan {
	struct loop *loop;
	struct session *session;
	struct front_user user;
	bool loopback, vehicle;
};

/**
 * struct front_counts - What a front has seen so far
 * @kernel_drops: Datagrams that were dropped before they became packets: by the
 *		kernel, for want of room or as broken, or by us, who had no
 *		packet left.  Those that come after a stop are not counted
 * @icmp_errors: ICMP errors that came back
 * @refused:	Datagrams from addresses that the arm does not allow
 */
struct front_counts {
	uint64_t kernel_drops, icmp_errors, refused;
};

/**
 * struct front_kind - A kind of front
 * @open:	Open it: returns NULL with @err told
 * @start:	Trial time 0 is at this monotonic time
 * @send:	Send a packet that was released or forwarded; the front holds it
 * @flush:	Send all that was handed over
 * @stop:	Take in what had come by the first call, a part with each call,
 *		and nothing that comes later; whether there is more of it
 * @robot_end:	Socket that a channel is sent by, and where it goes; -1 where
 *		that is not known
 * @check:	Whether it can reach the ends of another arm; else @err is told
 * @adopt:	The session goes on with another arm
 * @headset:	Where the headset is, or NULL while that is not known
 * @counts:	What it has seen; with @ask the kernel is asked for each socket,
 *		else it is what the datagrams told
 * @describe:	Call @say with each line that tells where it listens and sends
 * @close:	Close it
 */
struct front_kind {
	struct front *(*open)(const struct front_plan *plan, struct err *err);
	void (*start)(struct front *front, int64_t at);
	void (*send)(struct front *front, struct packet *packet);
	void (*flush)(struct front *front);
	bool (*stop)(struct front *front);
	int (*robot_end)(const struct front *front, uint16_t channel,
			 union address *to);
	bool (*check)(const struct front *front, const struct arm *arm,
		      struct err *err);
	void (*adopt)(struct front *front);
	const union address *(*headset)(const struct front *front);
	struct front_counts (*counts)(struct front *front, bool ask);
	void (*describe)(const struct front *front,
			 void (*say)(const char *format, ...));
	void (*close)(struct front *front);
};

extern const struct front_kind relay_front;

#endif /* EDGE_FRONT_H */
