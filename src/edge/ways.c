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
#include <sys/resource.h>

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

/* IP version of who is sent to; a socket of IPv6 reaches both. */
static sa_family_t family_behind(const struct arm *arm,
				 const struct arm_channel *channel)
{
	if (channel->has_to)
		return channel->to.any.sa_family;
	if (channel->plan.direction == UPLINK && arm->link.has_robot)
		return arm->link.robot.any.sa_family;
	/* the headset may be learnt from any uplink stream */
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].plan.direction == UPLINK &&
		    arm->channel[i].listen.any.sa_family == AF_INET6)
			return AF_INET6;
	return channel->listen.any.sa_family;
}

/* The socket that a channel is sent by. */
static int send_by(struct front *front, size_t i, struct err *err)
{
	const struct arm_channel *channel = &front->arm->channel[i];
	union address local = { .any.sa_family =
					family_behind(front->arm, channel) };
	struct way *way;

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
	if (channel->shares != i) {
		front->paths[i].out = front->paths[channel->shares].out;
		return 0;
	}
	if (rule->reply != CHANNEL_NONE)
		return 0;
	/* a vehicle inside opens its streams without a socket, and the uplink
	 * ends with it
	 */
	if (front->plan.vehicle && channel->plan.direction == DOWNLINK)
		return send_by(front, i, err);
	for (size_t r = 0; r < rule->n_ports; r++)
		for (unsigned port = rule->ports[r].lo;
		     port <= rule->ports[r].hi && !bad; port++)
			bad |= listen_on(front, channel, (uint16_t)port, err);
	return front->plan.vehicle ? bad : bad | send_by(front, i, err);
}

static bool is_any(const union address *address)
{
	if (address->any.sa_family == AF_INET)
		return address->v4.sin_addr.s_addr == htonl(INADDR_ANY);
	return IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr);
}

bool relay_is_ours(const struct front *front, const union address *address)
{
	uint16_t port = address_port(address);

	/* the port alone decides nearly always, at no cost */
	if (!(front->ports[port / 8] & 1u << port % 8))
		return false;
	for (size_t i = 0; i < front->n_ways; i++) {
		const union address *local = &front->ways[i].udp.local;

		if (address_port(local) == port &&
		    (is_any(local) || address_same_host(local, address)))
			return udp_is_here(address);
	}
	return false;
}

/* Where a channel's packets go, as far as the arm knows. */
static bool fixed_end(const struct front *front, const struct arm_link *link,
		      const struct arm_channel *channel, union address *to)
{
	bool uplink = channel->plan.direction == UPLINK;

	if (channel->has_to)
		*to = channel->to;
	else if (uplink && link->has_robot)
		*to = link->robot;
	else if (!uplink && front->has_headset)
		*to = front->headset;
	else
		return false;
	return true;
}

/* A channel that leads to a socket of this proxy would go round for ever. */
static void check_circle(const struct front *front, const struct arm_link *link,
			 const struct arm_channel *channel, struct err *err)
{
	union address to;
	char text[ADDRESS_TEXT];

	for (size_t r = 0; r < channel->rule.n_ports; r++) {
		if (!fixed_end(front, link, channel, &to))
			return;
		if (!address_port(&to))
			address_set_port(&to, channel->rule.ports[r].lo);
		if (!relay_is_ours(front, &to))
			continue;
		address_print(&to, text);
		err_add(err,
			"%s: [%s %s] goes to %s, which is this proxy itself; "
			"correct robot, headset or to, or listen on another "
			"address",
			channel->rule.where,
			direction_name(channel->plan.direction),
			channel->plan.stream, text);
		return;
	}
}

bool relay_check(const struct front *front, const struct arm *arm,
		 struct err *err)
{
	size_t faults = err->n;

	for (size_t i = 0; i < arm->n_channels && err->n == faults; i++)
		check_circle(front, &arm->link, &arm->channel[i], err);
	return err->n == faults;
}

/* Each way is a descriptor: as many as we may have. */
static void raise_limit(size_t n)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > n + 64)
		return;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
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

void relay_find_robots(struct front *front)
{
	const struct arm *arm = front->arm;

	front->n_robots = 0;
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
	relay_find_robots(front);
	raise_limit(n);
	for (size_t i = 0; i < arm->n_channels; i++)
		(void)open_channel(front, i, err);
	for (size_t i = 0; i < front->n_ways; i++) {
		uint16_t port = address_port(&front->ways[i].udp.local);

		front->ports[port / 8] |= (uint8_t)(1u << port % 8);
	}
	if (err->n == faults)
		(void)relay_check(front, arm, err);
	check_shared(front, err);
	for (size_t i = 0; i < front->n_ways && err->n == faults; i++)
		if (!loop_watch(front->plan.loop, front->ways[i].udp.fd,
				relay_receive, &front->ways[i]))
			err_add_machine(err, "%s: a socket cannot be watched",
					arm->file);
	return err->n == faults ? 0 : -1;
}
