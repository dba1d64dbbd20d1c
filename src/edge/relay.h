/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * relay.h - what the files of the relay front share
 *
 * Floor: edge.
 */
#ifndef EDGE_RELAY_H
#define EDGE_RELAY_H

#include "edge/front.h"
#include "edge/log.h"
#include "edge/udp.h"

/**
 * struct way - One socket, and what comes in by it
 * @front:	Its front
 * @udp:	The socket
 * @reply:	Channel that is sent by this socket, so that what comes in by it
 *		answers that channel; CHANNEL_NONE for a listening socket
 * @carries:	Directions of the channels that listen here, bit by bit
 * @port:	Port of the arm
 */
struct way {
	struct front *front;
	struct udp udp;
	uint16_t reply;
	uint8_t carries;
	uint16_t port;
};

/**
 * struct path - How a channel's packets go on
 * @out:	Way that they are sent by; for a reply it is that of @sender
 * @sender:	Who sent the channel's latest packet, for replies
 * @sender_way:	By which way it came in
 * @known:	Whether there is a sender yet
 * @limit:	Of messages that it has changed
 */
struct path {
	uint16_t out;
	union address sender;
	uint16_t sender_way;
	bool known;
	struct log_limit limit;
};

#define WAY_NONE UINT16_MAX

struct front {
	struct front_plan plan;
	const struct arm *arm;
	int64_t start;
	struct udp_batch *batch;
	struct way *ways;
	size_t n_ways;
	uint8_t ports[65536 / 8]; /* which ports our sockets have */
	struct path *paths;
	union address headset;
	bool has_headset;
	union address *robots;
	size_t n_robots;
	uint64_t refused, unrecorded;
	struct packet *waiting[UDP_LETTERS];
	struct udp_letter letters[UDP_LETTERS];
	unsigned n_waiting;
	bool stops;
	uint16_t waiting_way;
	struct log_limit refused_limit, send_limit, unknown_limit;
	struct log_limit headset_limit, full_limit, circle_limit;
};

/**
 * relay_receive() - Read what waits at a way; a callback of the loop
 * @context:	struct way
 */
void relay_receive(void *context);

/**
 * relay_is_ours() - Whether an address is that of a socket of ours
 * @front:	Front with its ways open
 * @address:	Address, such as a sender's
 *
 * Return: whether it is.
 */
bool relay_is_ours(const struct front *front, const union address *address);

/**
 * relay_find_robots() - Find the hosts that count as the robot
 * @front:	Front with @arm set and room for them
 */
void relay_find_robots(struct front *front);

/**
 * relay_check() - Whether an arm leads back to our own sockets
 * @front:	Front with its ways open
 * @arm:	Arm with the same channels
 * @err:	Told what does
 *
 * Return: false if something does.
 */
bool relay_check(const struct front *front, const struct arm *arm,
		 struct err *err);

/**
 * relay_open_ways() - Open the sockets that the arm's channels need
 * @front:	Front with @plan and @arm set
 * @err:	Told what cannot be
 *
 * Return: 0, or -1 with @err told.
 */
int relay_open_ways(struct front *front, struct err *err);

#endif /* EDGE_RELAY_H */
