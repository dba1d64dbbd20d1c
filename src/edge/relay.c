/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * relay.c - the relay front: explicit addressing, ordinary UDP sockets
 *
 * Floor: edge.
 *
 * How it works
 *
 * The headset is told the proxy's address, and so is the robot for streams that
 * it opens.  A datagram that arrives becomes an IP packet from its sender to
 * the address of ours that it came to, and goes into the session; one that is
 * released is sent to the robot, to the headset, or to whoever sent what it
 * answers.  The latest sender of any uplink stream is the headset: a new port
 * or address is followed without a restart.
 */
#include "edge/relay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Datagrams that one socket may bring before the others have their turn. */
#define DATAGRAMS_PER_TURN 256

/* Who speaks may change with every packet: say so, but not as often. */
static void tell(struct front *front, struct log_limit *limit,
		 const char *event, const union address *address)
{
	uint64_t kept = limit->kept;
	char text[ADDRESS_TEXT + 40];
	size_t n;

	address_print(address, text);
	if (!log_limited(limit, loop_clock(), "%s: %s", event, text))
		return;
	n = strlen(text);
	if (kept)
		snprintf(text + n, sizeof(text) - n, " (and %" PRIu64 " more)",
			 kept);
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
	if (front->plan.loopback)
		return true; /* nobody else reaches 127.0.0.1 */
	if (direction == UPLINK)
		return network_has(&front->arm->link.headset, from);
	return !front->n_robots || is_robot(front, from);
}

/* Remember who sent: the headset, and whom an answer goes to. */
static void learn(struct front *front, const struct way *way, uint16_t channel,
		  const union address *from)
{
	struct path *path = &front->paths[front->arm->channel[channel].shares];

	if (front->arm->channel[channel].plan.direction == UPLINK &&
	    (!front->has_headset ||
	     !address_same_host(&front->headset, from))) {
		struct log_limit first = { 0 };

		if (front->has_headset)
			tell(front, &front->headset_limit, "headset-changed",
			     from);
		else
			tell(front, &first, "headset-learnt", from);
		front->headset = *from;
		front->has_headset = true;
	}
	if (path->known && !address_same(&path->sender, from))
		tell(front, &path->limit, "sender-changed", from);
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
	if (relay_is_ours(front, &datagram->from))
		log_limited(&front->circle_limit, datagram->when,
			    "refused %s: it is this proxy itself; robot, "
			    "headset or to leads back here",
			    text);
	else
		log_limited(&front->refused_limit, datagram->when,
			    "refused %s: the arm does not allow it as the %s",
			    text, direction == UPLINK ? "headset" : "robot");
	session_refuse(front->plan.session, now, direction, packet);
}

/* A packet to fill; where all are in hand, once those that are through left. */
static struct packet *get_packet(struct front *front,
				 const struct udp_datagram *datagram)
{
	uint32_t len =
		packet_room(datagram->from.any.sa_family, datagram->size);
	struct packet *packet = session_packet(front->plan.session, len);

	if (packet)
		return packet;
	front->plan.user.full(front->plan.user.context);
	packet = session_packet(front->plan.session, len);
	if (packet)
		return packet;
	front->unrecorded++;
	log_limited(&front->full_limit, datagram->when,
		    "more packets at once than the arm's limits have room "
		    "for; one was dropped");
	return NULL;
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
	struct packet *packet = get_packet(front, datagram);

	if (!packet)
		return;
	packet_build(packet, &datagram->from, &datagram->to, datagram->size);
	memcpy(packet->ip + packet->payload, datagram->payload, datagram->size);
	packet->way = (uint16_t)(way - front->ways);
	packet->direction = (uint8_t)direction;
	front->plan.user.arrived(front->plan.user.context, packet, now);
	/* what we sent ourselves would go round for ever */
	if (!allowed(front, direction, &datagram->from) ||
	    relay_is_ours(front, &datagram->from)) {
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

	unsigned n, taken = 0;

	do {
		n = udp_read(&way->udp, way->front->batch, take_datagram, way);
		taken += n;
	} while (n && taken < DATAGRAMS_PER_TURN);
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

/* The port stays; on 127.0.0.1 there is no other address. */
static void go_loopback(union address *to)
{
	uint16_t port = address_port(to);

	(void)address_parse(to->any.sa_family == AF_INET6 ? "::1" : "127.0.0.1",
			    to);
	address_set_port(to, port);
}

/* Where a channel's packets go: its own address, or that of its side. */
static bool destination(const struct front *front, uint16_t i,
			const struct packet *packet, union address *to)
{
	const struct arm_channel *channel = &front->arm->channel[i];
	union address was_to;

	packet_ends(packet, NULL, &was_to);
	if (channel->has_to)
		*to = channel->to;
	else if (channel->plan.direction == UPLINK)
		*to = front->arm->link.robot;
	else if (front->has_headset)
		*to = front->headset;
	else
		return false;
	if (!channel->has_to || !address_port(to))
		address_set_port(to, address_port(&was_to));
	if (front->plan.loopback)
		go_loopback(to);
	return true;
}

/* An answer goes to who sent last, by the way that came in by. */
static uint16_t answer(const struct front *front, uint16_t i, uint16_t reply,
		       union address *to)
{
	const struct path *answered = &front->paths[reply];

	*to = answered->sender;
	if (i != CHANNEL_NONE && front->arm->channel[i].has_to &&
	    !front->plan.loopback) {
		*to = front->arm->channel[i].to;
		if (!address_port(to))
			address_set_port(to, address_port(&answered->sender));
	}
	return answered->known ? answered->sender_way : WAY_NONE;
}

/* Where a packet goes, and by which way; WAY_NONE where nobody knows. */
static uint16_t route(const struct front *front, const struct packet *packet,
		      union address *to)
{
	uint16_t i = packet->channel, reply = CHANNEL_NONE;

	if (packet->way != WAY_INSIDE) {
		if (i == CHANNEL_NONE)
			i = guess_channel(front, packet);
		reply = front->ways[packet->way].reply;
	} else if (i != CHANNEL_NONE) {
		reply = front->arm->rules[i].reply;
	}
	if (reply != CHANNEL_NONE)
		return answer(front, i, reply, to);
	if (i == CHANNEL_NONE || !destination(front, i, packet, to))
		return WAY_NONE;
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
				      FRONT_NOBODY);
		return;
	}
	if (front->n_waiting == UDP_LETTERS ||
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

/* Sockets stay open to send what waits. */
static bool relay_stop(struct front *front)
{
	bool more = false;

	for (size_t i = 0; i < front->n_ways; i++) {
		struct udp *udp = &front->ways[i].udp;

		if (!front->stops) {
			udp_stop(udp);
			loop_unwatch(front->plan.loop, udp->fd);
		}
		relay_receive(&front->ways[i]);
		more = more || udp->left;
	}
	front->stops = true;
	return more;
}

static int relay_robot_end(const struct front *front, uint16_t channel,
			   union address *to)
{
	const struct arm_channel *as = &front->arm->channel[channel];

	if (front->plan.vehicle || front->paths[channel].out == WAY_NONE)
		return -1;
	*to = as->has_to ? as->to : front->arm->link.robot;
	if (!as->has_to || !address_port(to))
		address_set_port(to, as->rule.ports[0].lo);
	return front->ways[front->paths[channel].out].udp.fd;
}

static void relay_adopt(struct front *front)
{
	front->arm = session_arm(front->plan.session);
	relay_find_robots(front);
}

static const union address *relay_headset(const struct front *front)
{
	return front->has_headset ? &front->headset : NULL;
}

static struct front_counts relay_counts(struct front *front, bool ask)
{
	struct front_counts counts = { .kernel_drops = front->unrecorded,
				       .refused = front->refused };

	for (size_t i = 0; i < front->n_ways; i++) {
		if (ask)
			udp_count_drops(&front->ways[i].udp);
		counts.kernel_drops += front->ways[i].udp.kernel_drops;
		counts.icmp_errors += front->ways[i].udp.icmp_errors;
	}
	return counts;
}

/* The last of the ways from @i on that listen on ports in a row. */
static size_t end_of_row(const struct front *front, size_t i)
{
	const struct way *way = &front->ways[i];

	while (i + 1 < front->n_ways && way[1].reply == CHANNEL_NONE &&
	       way[1].carries == way->carries && way[1].port == way->port + 1 &&
	       address_same_host(&way[1].udp.local, &way->udp.local)) {
		way++;
		i++;
	}
	return i;
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
			i = end_of_row(front, i);
			if (way != &front->ways[i])
				snprintf(to, sizeof(to), "-%u",
					 front->ways[i].port);
			else
				*to = '\0';
			say("listening on %s%s (%s)", at, to,
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
	.robot_end = relay_robot_end,
	.check = relay_check,
	.adopt = relay_adopt,
	.headset = relay_headset,
	.counts = relay_counts,
	.describe = relay_describe,
	.close = relay_close,
};
