/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ways.c - the sockets of the relay front
 *
 * Floor: edge.
 *
 * How it works
 *
 * Each port of each channel is listened on; channels that share an address and
 * a port share the socket.  Each channel with a port has one more socket that
 * it is sent by, for the whole run, so that its receiver always sees the same
 * source port; what comes back to it answers the channel.
 */
#include "edge/relay.h"

#include <stdlib.h>
#include <string.h>

static struct way *add_way(struct front *front)
{
	struct way *way = &front->ways[front->n_ways++];

	*way = (struct way){ .front = front, .reply = CHANNEL_NONE };
	way->udp.fd = -1;
	return way;
}

static void loopback_of(union address *address)
{
	uint16_t port = address_port(address);

	if (address->any.sa_family == AF_INET6)
		address->v6.sin6_addr = in6addr_loopback;
	else
		address->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address_set_port(address, port);
}

static bool same_local(const union address *a, const union address *b)
{
	return a->any.sa_family == b->any.sa_family && address_same(a, b);
}

/* Listen for one port of a channel, on a socket that may be there already. */
static int listen_on(struct front *front, const struct arm_channel *channel,
		     uint16_t port, struct err *err)
{
	union address local = channel->listen;
	uint8_t bit = (uint8_t)(1u << channel->plan.direction);
	struct way *way;

	if (front->plan.loopback)
		loopback_of(&local);
	address_set_port(&local, port);
	for (size_t i = 0; i < front->n_ways; i++) {
		way = &front->ways[i];
		if (way->reply == CHANNEL_NONE &&
		    same_local(&way->udp.local, &local)) {
			way->carries |= bit;
			return 0;
		}
	}
	way = add_way(front);
	way->carries = bit;
	way->port = port;
	return udp_open(&way->udp, &local, channel->rule.where, err);
}

/* The socket that a channel is sent by. */
static int send_by(struct front *front, size_t i, struct err *err)
{
	const struct arm_channel *channel = &front->arm->channel[i];
	const struct arm_link *link = &front->arm->link;
	union address local = { .any.sa_family =
					channel->listen.any.sa_family };
	struct way *way;

	if (channel->has_to)
		local.any.sa_family = channel->to.any.sa_family;
	else if (channel->plan.direction == UPLINK && link->has_robot)
		local.any.sa_family = link->robot.any.sa_family;
	if (front->plan.loopback)
		loopback_of(&local);
	address_set_port(&local, (uint16_t)channel->source_port);
	front->paths[i].out = (uint16_t)front->n_ways;
	way = add_way(front);
	way->reply = (uint16_t)i;
	return udp_open(&way->udp, &local, channel->rule.where, err);
}

static size_t count_ways(const struct arm *arm)
{
	size_t n = 0;

	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct rule *rule = &arm->channel[i].rule;

		n++;
		for (size_t r = 0; r < rule->n_ports; r++)
			n += (size_t)(rule->ports[r].hi - rule->ports[r].lo) +
			     1;
	}
	return n;
}

static int open_channel(struct front *front, size_t i, struct err *err)
{
	const struct arm_channel *channel = &front->arm->channel[i];
	const struct rule *rule = &channel->rule;
	int bad = 0;

	front->paths[i].out = WAY_NONE;
	if (rule->reply != CHANNEL_NONE)
		return 0;
	for (size_t r = 0; r < rule->n_ports; r++)
		for (unsigned port = rule->ports[r].lo;
		     port <= rule->ports[r].hi && !bad; port++)
			bad |= listen_on(front, channel, (uint16_t)port, err);
	return bad | send_by(front, i, err);
}

/* Both directions on one socket can be told apart only by the sender. */
static void check_shared(const struct front *front, struct err *err)
{
	const struct arm_link *link = &front->arm->link;

	for (size_t i = 0; i < front->n_ways; i++) {
		const struct way *way = &front->ways[i];

		if (way->carries != 3 ||
		    (front->n_robots &&
		     (!link->headset.bits || link->learn ||
		      !network_has(&link->headset, &front->robots[0]))))
			continue;
		err_add(err,
			"%s: port %u is uplink and downlink at once, and the "
			"robot's address is not known to differ from the "
			"headset's; give one of the channels another listen",
			front->arm->file, way->port);
	}
}

/* Hosts that count as the robot. */
static void find_robots(struct front *front)
{
	const struct arm *arm = front->arm;

	if (arm->link.has_robot)
		front->robots[front->n_robots++] = arm->link.robot;
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].plan.direction == UPLINK &&
		    arm->channel[i].has_to)
			front->robots[front->n_robots++] = arm->channel[i].to;
}

int relay_open_ways(struct front *front, struct err *err)
{
	const struct arm *arm = front->arm;
	size_t n = count_ways(arm), faults = err->n;

	if (n > 4096)
		return err_add(err,
			       "%s: %zu ports in all; at most 4096 in relay "
			       "mode",
			       arm->file, n);
	front->ways = calloc(n + 1, sizeof(*front->ways));
	front->paths = calloc(arm->n_channels + 1, sizeof(*front->paths));
	front->robots = calloc(arm->n_channels + 1, sizeof(*front->robots));
	if (!front->ways || !front->paths || !front->robots)
		abort();
	find_robots(front);
	for (size_t i = 0; i < arm->n_channels; i++)
		(void)open_channel(front, i, err);
	check_shared(front, err);
	for (size_t i = 0; i < front->n_ways && err->n == faults; i++)
		if (!loop_watch(front->plan.loop, front->ways[i].udp.fd,
				relay_receive, &front->ways[i]))
			err_add_machine(err, "%s: a socket cannot be watched",
					arm->file);
	return err->n == faults ? 0 : -1;
}
