/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * relay.c - the relay front: explicit addressing, ordinary UDP sockets
 *
 * Floor: edge.
 *
 * How it works
 *
 * The headset is told the proxy's address, and so is the robot for streams that
 * it opens.  A datagram that arrives becomes an IP packet from its sender to the
 * address of ours that it came to, and goes into the session; one that is
 * released is sent to the robot, to the headset, or to whoever sent what it
 * answers.  The latest sender of any uplink stream is the headset: a new port
 * or address is followed without a restart.
 */
#include "edge/relay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Batches that one socket may fill before the others have their turn. */
#define BATCHES_PER_TURN 8

static void tell(struct front *front, const char *event,
		 const union address *address)
{
	char text[ADDRESS_TEXT];

	address_print(address, text);
	log_say("%s: %s", event, text);
	front->plan.user.event(front->plan.user.context, event, text);
}

static bool is_robot(const struct front *front, const union address *from)
{
	for (size_t i = 0; i < front->n_robots; i++)
		if (address_same_host(&front->robots[i], from))
			return true;
	return false;
}

/* Which way a datagram goes, by where it came in and from whom. */
static enum direction direction_of(const struct way *way,
				   const union address *from)
{
	const struct arm *arm = way->front->arm;

	if (way->reply != CHANNEL_NONE)
		return arm->channel[way->reply].plan.direction == UPLINK
			       ? DOWNLINK
			       : UPLINK;
	if (way->carries == 3)
		return is_robot(way->front, from) ? DOWNLINK : UPLINK;
	return way->carries == 1u << UPLINK ? UPLINK : DOWNLINK;
}

/* Whether the arm allows the sender to send in this direction. */
static bool allowed(const struct front *front, enum direction direction,
		    const union address *from)
{
	if (direction == UPLINK)
		return network_has(&front->arm->link.headset, from);
	return !front->n_robots || is_robot(front, from);
}

/* Remember who sent: the headset, and whom an answer goes to. */
static void learn(struct front *front, const struct way *way, uint16_t channel,
		  const union address *from)
{
	struct path *path = &front->paths[channel];

	if (front->arm->channel[channel].plan.direction == UPLINK &&
	    (!front->has_headset ||
	     !address_same_host(&front->headset, from))) {
		const char *event = front->has_headset ? "headset-changed"
						       : "headset-learnt";

		front->headset = *from;
		front->has_headset = true;
		tell(front, event, from);
	}
	if (path->known && !address_same(&path->sender, from))
		tell(front, "sender-changed", from);
	path->sender = *from;
	path->known = true;
	path->sender_way = (uint16_t)(way - front->ways);
}

static void refuse(struct front *front, nsec now, enum direction direction,
		   struct packet *packet, const struct udp_datagram *datagram)
{
	char text[ADDRESS_TEXT];

	front->refused++;
	address_print(&datagram->from, text);
	log_limited(&front->refused_limit, datagram->when,
		    "refused %s: the arm does not allow it as the %s", text,
		    direction == UPLINK ? "headset" : "robot");
	session_refuse(front->plan.session, now, direction, packet);
}

static void take_datagram(void *context, const struct udp_datagram *datagram)
{
	const struct way *way = context;
	struct front *front = way->front;
	struct session *session = front->plan.session;
	enum direction direction = direction_of(way, &datagram->from);
	const struct entry entry = { direction, way->reply, way->port };
	nsec now = datagram->when - front->start;
	uint16_t channel;
	struct packet *packet = session_packet(
		session,
		packet_room(datagram->from.any.sa_family, datagram->size));

	if (!packet) {
		/* cannot be while the arm's limits hold; count it anyway */
		front->unrecorded++;
		return;
	}
	packet_build(packet, &datagram->from, &datagram->to, datagram->size);
	memcpy(packet->ip + packet->payload, datagram->payload, datagram->size);
	packet->way = (uint16_t)(way - front->ways);
	packet->direction = (uint8_t)direction;
	front->plan.user.arrived(front->plan.user.context, packet, now);
	if (!allowed(front, direction, &datagram->from)) {
		refuse(front, now, direction, packet, datagram);
		return;
	}
	channel = session_put(session, now, &entry, packet);
	if (channel != CHANNEL_NONE)
		learn(front, way, channel, &datagram->from);
}

void relay_receive(void *context)
{
	struct way *way = context;

	for (int i = 0; i < BATCHES_PER_TURN; i++)
		if (udp_read(&way->udp, way->front->batch, take_datagram, way) <
		    UDP_BATCH)
			break;
}

/* The channel that leads where an unmatched packet was going. */
static uint16_t guess_channel(const struct front *front,
			      const struct packet *packet)
{
	const struct way *way = &front->ways[packet->way];
	uint16_t i = 0;

	for (; i < front->arm->n_channels; i++) {
		const struct rule *rule = &front->arm->rules[i];

		if (rule->direction != packet->direction)
			continue;
		if (way->reply != CHANNEL_NONE ? rule->reply == way->reply
					       : rule->n_ports != 0)
			return i;
	}
	return CHANNEL_NONE;
}

/* Where a packet goes, and by which way; WAY_NONE where nobody knows. */
static uint16_t route(const struct front *front, const struct packet *packet,
		      union address *to)
{
	const struct arm_channel *channel;
	uint16_t i = packet->channel, reply = front->ways[packet->way].reply;
	union address was_to;

	if (i == CHANNEL_NONE)
		i = guess_channel(front, packet);
	if (reply != CHANNEL_NONE) {
		const struct path *answered = &front->paths[reply];

		*to = answered->sender;
		if (i != CHANNEL_NONE && front->arm->channel[i].has_to) {
			uint16_t port = address_port(to);

			*to = front->arm->channel[i].to;
			if (!address_port(to))
				address_set_port(to, port);
		}
		return answered->known ? answered->sender_way : WAY_NONE;
	}
	if (i == CHANNEL_NONE)
		return WAY_NONE;
	channel = &front->arm->channel[i];
	packet_ends(packet, NULL, &was_to);
	if (channel->has_to)
		*to = channel->to;
	else if (packet->direction == UPLINK)
		*to = front->arm->link.robot;
	else if (front->has_headset)
		*to = front->headset;
	else
		return WAY_NONE;
	if (!channel->has_to || !address_port(to))
		address_set_port(to, address_port(&was_to));
	return front->paths[i].out;
}

static void relay_flush(struct front *front)
{
	const struct front_user *user = &front->plan.user;
	unsigned n = front->n_waiting;
	nsec gone;

	if (!n)
		return;
	front->n_waiting = 0;
	udp_write(&front->ways[front->waiting_way].udp, front->letters, n);
	gone = loop_clock() - front->start;
	for (unsigned i = 0; i < n; i++) {
		int error = front->letters[i].error;

		if (error)
			log_limited(&front->send_limit, gone,
				    "a datagram could not be sent: %s",
				    strerror(error));
		user->sent(user->context, front->waiting[i],
			   error ? NSEC_NEVER : gone);
	}
}

/* The packet as it leaves: from our port, to its receiver. */
static void readdress(const struct front *front, struct packet *packet,
		      uint16_t way, const union address *to)
{
	union address from;

	packet_ends(packet, NULL, &from);
	if (from.any.sa_family != to->any.sa_family)
		return; /* a captured packet keeps its version */
	address_set_port(&from, address_port(&front->ways[way].udp.local));
	packet_build(packet, &from, to, packet_payload_bytes(packet));
}

static void relay_send(struct front *front, struct packet *packet)
{
	struct udp_letter *letter;
	union address to;
	uint16_t way = route(front, packet, &to);

	if (way == WAY_NONE) {
		log_limited(&front->unknown_limit, packet->due,
			    "a datagram has nowhere to go: no %s is known yet",
			    packet->direction == UPLINK ? "robot" : "headset");
		front->plan.user.sent(front->plan.user.context, packet,
				      NSEC_NEVER);
		return;
	}
	if (front->n_waiting == UDP_BATCH ||
	    (front->n_waiting && front->waiting_way != way))
		relay_flush(front);
	readdress(front, packet, way, &to);
	letter = &front->letters[front->n_waiting];
	front->waiting[front->n_waiting++] = packet;
	front->waiting_way = way;
	letter->to = to;
	letter->payload = packet->ip + packet->payload;
	letter->size = packet_payload_bytes(packet);
}

static void relay_start(struct front *front, int64_t at)
{
	front->start = at;
}

/* Sockets stay open to send what waits; what still comes is not looked at. */
static void relay_stop(struct front *front)
{
	for (size_t i = 0; i < front->n_ways; i++)
		loop_unwatch(front->plan.loop, front->ways[i].udp.fd);
}

static struct front_counts relay_counts(const struct front *front)
{
	struct front_counts counts = { .kernel_drops = front->unrecorded,
				       .refused = front->refused };

	for (size_t i = 0; i < front->n_ways; i++) {
		counts.kernel_drops += front->ways[i].udp.kernel_drops;
		counts.icmp_errors += front->ways[i].udp.icmp_errors;
	}
	return counts;
}

static void relay_describe(const struct front *front,
			   void (*say)(const char *format, ...))
{
	char at[ADDRESS_TEXT], to[ADDRESS_TEXT];

	for (size_t i = 0; i < front->n_ways; i++) {
		const struct way *way = &front->ways[i];
		const struct arm_channel *channel;

		address_print(&way->udp.local, at);
		if (way->reply == CHANNEL_NONE) {
			say("listening on %s (%s)", at,
			    way->carries == 3		   ? "both ways"
			    : way->carries == 1u << UPLINK ? "uplink"
							   : "downlink");
			continue;
		}
		channel = &front->arm->channel[way->reply];
		if (channel->has_to)
			address_print(&channel->to, to);
		else if (channel->plan.direction == UPLINK)
			address_print(&front->arm->link.robot, to);
		else
			snprintf(to, sizeof(to), "%s", "the headset");
		say("%s %s goes to %s from port %u",
		    direction_name(channel->plan.direction),
		    channel->plan.stream, to, address_port(&way->udp.local));
	}
}

static void relay_close(struct front *front)
{
	if (!front)
		return;
	for (size_t i = 0; i < front->n_ways; i++)
		udp_close(&front->ways[i].udp);
	udp_batch_free(front->batch);
	free(front->ways);
	free(front->paths);
	free(front->robots);
	free(front);
}

static struct front *relay_open(const struct front_plan *plan, struct err *err)
{
	struct front *front = calloc(1, sizeof(*front));

	if (!front)
		abort();
	front->plan = *plan;
	front->arm = session_arm(plan->session);
	front->batch = udp_batch_new();
	if (!front->arm->link.learn) {
		front->headset = front->arm->link.headset.address;
		front->has_headset = true;
	}
	if (!relay_open_ways(front, err))
		return front;
	relay_close(front);
	return NULL;
}

const struct front_kind relay_front = {
	.open = relay_open,
	.start = relay_start,
	.send = relay_send,
	.flush = relay_flush,
	.stop = relay_stop,
	.counts = relay_counts,
	.describe = relay_describe,
	.close = relay_close,
};
