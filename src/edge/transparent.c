/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * transparent.c - the transparent front: what a router diverts to us
 *
 * Floor: edge.
 *
 * How it works
 *
 * One socket listens on the loopback address, where the rules of router.c hand
 * it what goes between headset and robot on the arm's ports.  Each datagram is
 * read with the address that it was sent to, becomes the IP packet that it
 * was, and leaves, when it is released, from a socket that stands for its
 * sender.  So both ends see each other's addresses and ports, and neither is
 * configured.
 *
 * What is sent passes no prerouting hook, so it is not diverted again.  ICMP
 * errors that it causes go to its sender, as if nobody were here.
 */
#include "edge/transparent.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge/log.h"
#include "edge/privilege.h"
#include "edge/router.h"
#include "edge/router_survey.h"
#include "edge/transparent_senders.h"

/* Datagrams that the socket may bring before others have their turn. */
#define DATAGRAMS_PER_TURN 256
#define HEADSETS_MAX	   16

/* Who sent a channel's latest packet. */
struct path {
	union address sender;
	bool known;
	struct log_limit limit;
};

/**
 * struct front - A transparent front
 * @listener:	What is diverted comes in here
 * @own:	Sends stops while no headset is known
 * @senders:	Send all else
 * @headsets:	Those seen lately; @n_headsets of them
 * @waiting:	Packets that wait to be sent by @waiting_by; @n_waiting of them
 */
struct front {
	struct front_plan plan;
	const struct arm *arm;
	int64_t start;
	bool started;
	struct router *router;
	struct udp_batch *batch;
	struct udp listener, own;
	struct senders *senders;
	struct path *paths;
	union address headsets[HEADSETS_MAX];
	size_t n_headsets;
	uint64_t refused, unrecorded;
	struct packet *waiting[UDP_LETTERS];
	struct udp_letter letters[UDP_LETTERS];
	unsigned n_waiting;
	struct udp *waiting_by;
	union address waiting_from;
	struct log_limit refused_limit, send_limit, headset_limit, full_limit;
};

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

/* What happens to the network is said and on record. */
static void on_network(void *context, const char *event, const char *detail)
{
	struct front *front = context;

	log_say("%s: %s", event, detail);
	front->plan.user.event(front->plan.user.context, event, detail);
}

/* There may be several headsets: each is told once, while it is remembered. */
static void learn_headset(struct front *front, const union address *from)
{
	size_t i = 0;

	while (i < front->n_headsets &&
	       !address_same_host(&front->headsets[i], from))
		i++;
	if (i == front->n_headsets) {
		tell(front, &front->headset_limit, "headset-learnt", from);
		if (i == HEADSETS_MAX)
			i--;
		else
			front->n_headsets++;
	}
	memmove(&front->headsets[1], &front->headsets[0],
		i * sizeof(front->headsets[0]));
	front->headsets[0] = *from;
}

static void learn(struct front *front, uint16_t channel,
		  const union address *from)
{
	struct path *path = &front->paths[channel];

	if (front->arm->channel[channel].plan.direction == UPLINK)
		if (!front->n_headsets ||
		    !address_same_host(&front->headsets[0], from))
			learn_headset(front, from);
	if (path->known && address_same_host(&path->sender, from) &&
	    !address_same(&path->sender, from))
		tell(front, &path->limit, "sender-changed", from);
	path->sender = *from;
	path->known = true;
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

/* A word of the IPv4 header changes, and its checksum with it (RFC 1624). */
static void set_word(uint8_t *ip, unsigned at, uint8_t high, uint8_t low)
{
	uint32_t was = (uint32_t)ip[at] << 8 | ip[at + 1];
	uint32_t is = (uint32_t)high << 8 | low;
	uint32_t sum = (uint32_t)ip[10] << 8 | ip[11];

	ip[at] = high;
	ip[at + 1] = low;
	sum = (~sum & 0xffff) + (~was & 0xffff) + is;
	sum = (sum & 0xffff) + (sum >> 16);
	sum = ~((sum & 0xffff) + (sum >> 16));
	ip[10] = (uint8_t)(sum >> 8);
	ip[11] = (uint8_t)sum;
}

/* The packet has the hops and the service that it came with. */
static void set_header(struct packet *packet, uint8_t hops, uint8_t service)
{
	uint8_t *ip = packet->ip;

	if (!hops)
		return;
	if (ip[0] >> 4 == 4) {
		set_word(ip, 0, ip[0], service);
		set_word(ip, 8, hops, ip[9]);
		return;
	}
	ip[0] = (uint8_t)(0x60 | service >> 4);
	ip[1] = (uint8_t)(service << 4 | (ip[1] & 0x0f));
	ip[7] = hops;
}

static void get_header(const struct packet *packet, struct udp_letter *letter)
{
	const uint8_t *ip = packet->ip;

	if (ip[0] >> 4 == 4) {
		letter->service = ip[1];
		letter->hops = ip[8];
	} else {
		letter->service = (uint8_t)(ip[0] << 4 | ip[1] >> 4);
		letter->hops = ip[7];
	}
}

/* The rules let nothing else through; a program on this machine may send to the
 * listener by itself.
 */
static bool is_between(const struct front *front,
		       const struct udp_datagram *datagram,
		       enum direction *direction)
{
	const struct arm_link *link = &front->arm->link;

	*direction = address_same_host(&datagram->from, &link->robot) ? DOWNLINK
								      : UPLINK;
	if (!address_port(&datagram->from))
		return false; /* nothing can be sent from port 0 */
	if (*direction == DOWNLINK)
		return network_has(&link->headset, &datagram->to);
	return address_same_host(&datagram->to, &link->robot) &&
	       network_has(&link->headset, &datagram->from);
}

static void take_datagram(void *context, const struct udp_datagram *datagram)
{
	struct front *front = context;
	nsec now = datagram->when - front->start;
	struct packet *packet = get_packet(front, datagram);
	enum direction direction;
	bool fits = is_between(front, datagram, &direction);
	const struct entry entry = { direction, CHANNEL_NONE, 0 };
	char text[ADDRESS_TEXT];
	uint16_t channel;

	if (!packet)
		return;
	packet_build(packet, &datagram->from, &datagram->to, datagram->size);
	memcpy(packet->ip + packet->payload, datagram->payload, datagram->size);
	set_header(packet, datagram->hops, datagram->service);
	packet->way = 0;
	packet->direction = (uint8_t)direction;
	front->plan.user.arrived(front->plan.user.context, packet, now);
	if (!fits) {
		front->refused++;
		address_print(&datagram->from, text);
		log_limited(&front->refused_limit, datagram->when,
			    "refused %s: it is neither robot nor headset",
			    text);
		session_refuse(front->plan.session, now, direction, packet);
		return;
	}
	channel = session_put(front->plan.session, now, &entry, packet);
	if (channel != CHANNEL_NONE)
		learn(front, channel, &datagram->from);
}

static void receive(void *context)
{
	struct front *front = context;
	unsigned n, taken = 0;

	do {
		n = udp_read(&front->listener, front->batch, take_datagram,
			     front);
		taken += n;
	} while (n && taken < DATAGRAMS_PER_TURN);
}

static void transparent_flush(struct front *front)
{
	const struct front_user *user = &front->plan.user;
	unsigned n = front->n_waiting;
	nsec gone;

	if (!n)
		return;
	front->n_waiting = 0;
	udp_write(front->waiting_by, front->letters, n);
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

/* A stop of ours comes from where commands last came from, or from us. */
static struct udp *sender_of_stop(struct front *front, struct packet *packet)
{
	const struct path *path = &front->paths[packet->channel];
	union address from = path->known ? path->sender : front->own.local, to;

	packet_ends(packet, NULL, &to);
	packet_build(packet, &from, &to, packet_payload_bytes(packet));
	return path->known ? senders_get(front->senders, &from) : &front->own;
}

static void transparent_send(struct front *front, struct packet *packet)
{
	bool inside = packet->way == WAY_INSIDE;
	struct udp_letter *letter;
	union address from, to;
	struct udp *by;

	packet_ends(packet, &from, &to);
	/* the senders may close what waits for another address */
	if (front->n_waiting == UDP_LETTERS || inside ||
	    (front->n_waiting && (!address_same(&from, &front->waiting_from))))
		transparent_flush(front);
	by = inside ? sender_of_stop(front, packet)
		    : senders_get(front->senders, &from);
	if (!by) {
		log_limited(&front->send_limit, packet->due,
			    "a datagram could not be sent from port %u: %s; "
			    "see 'ss -lunp' for who has it on this machine",
			    address_port(&from), strerror(errno));
		front->plan.user.sent(front->plan.user.context, packet,
				      NSEC_NEVER);
		return;
	}
	letter = &front->letters[front->n_waiting];
	front->waiting[front->n_waiting++] = packet;
	front->waiting_by = by;
	front->waiting_from = from;
	*letter = (struct udp_letter){
		.to = to,
		.payload = packet->ip + packet->payload,
		.size = packet_payload_bytes(packet),
	};
	get_header(packet, letter);
	if (inside)
		transparent_flush(front);
}

/* All that needed more privileges is done. */
static void transparent_start(struct front *front, int64_t at)
{
	front->start = at;
	if (!front->started && !privilege_keep(PRIVILEGE_DIVERT))
		log_say("privileges could not be dropped");
	front->started = true;
}

/* From here on the kernel forwards; what was diverted before has a fate. */
static bool transparent_stop(struct front *front)
{
	if (!front->listener.stops) {
		router_retire(front->router);
		udp_stop(&front->listener);
		loop_unwatch(front->plan.loop, front->listener.fd);
	}
	receive(front);
	return front->listener.left;
}

static int transparent_robot_end(const struct front *front, uint16_t channel,
				 union address *to)
{
	*to = front->arm->link.robot;
	address_set_port(to, front->arm->rules[channel].ports[0].lo);
	return front->own.fd;
}

/* The session lets no end change here. */
static bool transparent_check(const struct front *front, const struct arm *arm,
			      struct err *err)
{
	(void)front;
	(void)arm;
	(void)err;
	return true;
}

static void transparent_adopt(struct front *front)
{
	front->arm = session_arm(front->plan.session);
}

/* There may be several. */
static const union address *transparent_headset(const struct front *front)
{
	(void)front;
	return NULL;
}

static struct front_counts transparent_counts(struct front *front, bool ask)
{
	if (ask)
		udp_count_drops(&front->listener);
	return (struct front_counts){
		.kernel_drops =
			front->unrecorded + front->listener.kernel_drops,
		.refused = front->refused,
	};
}

static void transparent_describe(const struct front *front,
				 void (*say)(const char *format, ...))
{
	const struct router_plan *found = router_found(front->router);
	const struct arm_link *link = &front->arm->link;
	char names[ROUTER_INTERFACES * ROUTER_NAME + 16] = "";
	size_t n = 0;

	for (size_t i = 0; i < found->n_headset; i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s",
				      i ? ", " : "", found->headset[i]);
	if (found->topology == TOPOLOGY_BRIDGED)
		say("bridged by %s: the headset is behind %s, the robot behind "
		    "%s",
		    found->bridge, n ? names : "any port",
		    *found->robot ? found->robot : "any port");
	else
		say("routed: the headset is behind %s, the robot behind %s",
		    names, found->robot);
	say("what goes to %s and comes from it passes here: mark 0x%x, routing "
	    "table %u, nft table farlink_%u_0",
	    link->robot_text, found->mark, found->table, found->table);
	say("broadcast, multicast, TCP and all other ports are left to the "
	    "kernel");
}

static void transparent_close(struct front *front)
{
	if (!front)
		return;
	router_close(front->router);
	udp_close(&front->listener);
	udp_close(&front->own);
	senders_free(front->senders);
	udp_batch_free(front->batch);
	free(front->paths);
	free(front);
}

/* Rules, and all that must be there before them. */
static int open_all(struct front *front, struct err *err)
{
	const struct router_user user = { on_network, front };
	union address local = front->arm->link.robot, any = local;
	const char *file = front->arm->file;

	(void)address_parse(
		local.any.sa_family == AF_INET ? "127.0.0.1" : "::1", &local);
	(void)address_parse(local.any.sa_family == AF_INET ? "0.0.0.0" : "::",
			    &any);
	front->router = router_open(front->arm, err);
	if (!front->router ||
	    survey_start(router_found(front->router), err) < 0 ||
	    udp_open_foreign(&front->listener, &local, file, err) < 0 ||
	    udp_open(&front->own, &any, file, err) < 0 ||
	    router_follow(front->router, front->plan.loop, &user, err) < 0)
		return -1;
	if (!loop_watch(front->plan.loop, front->listener.fd, receive, front))
		return err_add_machine(
			err, "%s: the listener cannot be watched", file);
	return router_divert(front->router,
			     address_port(&front->listener.local), err);
}

static struct front *transparent_open(const struct front_plan *plan,
				      struct err *err)
{
	struct front *front = calloc(1, sizeof(*front));

	if (!front)
		abort();
	front->plan = *plan;
	front->arm = session_arm(plan->session);
	front->listener.fd = front->own.fd = -1;
	front->batch = udp_batch_new();
	front->senders = senders_new();
	front->paths =
		calloc(front->arm->n_channels + 1, sizeof(*front->paths));
	if (!front->paths)
		abort();
	if (!open_all(front, err))
		return front;
	transparent_close(front);
	return NULL;
}

const struct front_kind transparent_front = {
	.open = transparent_open,
	.start = transparent_start,
	.send = transparent_send,
	.flush = transparent_flush,
	.stop = transparent_stop,
	.robot_end = transparent_robot_end,
	.check = transparent_check,
	.adopt = transparent_adopt,
	.headset = transparent_headset,
	.counts = transparent_counts,
	.describe = transparent_describe,
	.close = transparent_close,
};
