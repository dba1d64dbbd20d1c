/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_watch.c - interfaces that go and come, addresses that change
 *
 * Floor: edge.
 *
 * How it works
 *
 * The kernel tells of every change, often more than once and of other
 * interfaces too.  So what was last known of each interface and its addresses
 * is kept, and only what differs is told on.  Where the kernel's messages were
 * lost, the interfaces are asked for anew.
 */
#include "edge/router_watch.h"

#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/rtnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WATCHED_MAX  64
#define KNOWN_MAX    256
#define READS_A_TURN 64

enum state { STATE_GONE, STATE_DOWN, STATE_UNPLUGGED, STATE_UP };

static const char *const state_event[] = {
	[STATE_GONE] = "interface-gone",
	[STATE_DOWN] = "interface-down",
	[STATE_UNPLUGGED] = "interface-unplugged",
	[STATE_UP] = "interface-up",
};

struct watched {
	char name[ROUTER_NAME];
	int index;
	enum state state;
};

struct known {
	int index;
	uint8_t family, bits, byte[16];
};

struct router_watch {
	struct router_watcher watcher;
	struct netlink *netlink;
	const struct router_plan *plan;
	struct loop *loop;
	struct nl_sock *sock;
	struct watched watched[WATCHED_MAX];
	size_t n_watched;
	struct known known[KNOWN_MAX];
	size_t n_known;
	uint8_t mac[6];
	bool begun;
};

static struct watched *find_watched(struct router_watch *watch,
				    const char *name)
{
	for (size_t i = 0; i < watch->n_watched; i++)
		if (!strcmp(watch->watched[i].name, name))
			return &watch->watched[i];
	return NULL;
}

static void add_watched(struct router_watch *watch, const char *name)
{
	struct watched *watched = &watch->watched[watch->n_watched];

	if (!*name || find_watched(watch, name) ||
	    watch->n_watched == WATCHED_MAX)
		return;
	watch->n_watched++;
	snprintf(watched->name, sizeof(watched->name), "%s", name);
}

/* The interfaces of the plan, and all ports of its bridge. */
static void choose(struct router_watch *watch)
{
	const struct router_plan *plan = watch->plan;
	struct link bridge, link[WATCHED_MAX];
	size_t n;

	for (size_t i = 0; i < plan->n_headset; i++)
		add_watched(watch, plan->headset[i]);
	add_watched(watch, plan->robot);
	add_watched(watch, plan->bridge);
	if (!*plan->bridge ||
	    !netlink_link(watch->netlink, 0, plan->bridge, &bridge))
		return;
	n = netlink_links(watch->netlink, link, WATCHED_MAX);
	for (size_t i = 0; i < n; i++)
		if (link[i].master == bridge.index)
			add_watched(watch, link[i].name);
}

static void set_state(struct router_watch *watch, struct watched *watched,
		      enum state state)
{
	if (state == watched->state)
		return;
	watched->state = state;
	if (watch->begun)
		watch->watcher.event(watch->watcher.context, state_event[state],
				     watched->name);
}

static enum state state_of(unsigned flags)
{
	if (!(flags & IFF_UP))
		return STATE_DOWN;
	return flags & IFF_RUNNING ? STATE_UP : STATE_UNPLUGGED;
}

static void set_mac(struct router_watch *watch, const char *name,
		    const uint8_t *mac)
{
	if (strcmp(name, watch->plan->bridge) != 0 ||
	    !memcmp(mac, watch->mac, sizeof(watch->mac)))
		return;
	memcpy(watch->mac, mac, sizeof(watch->mac));
	if (watch->begun)
		watch->watcher.address(watch->watcher.context, watch->mac);
}

/* Ask for what is watched; at the start, and when messages were lost. */
static void ask(struct router_watch *watch)
{
	for (size_t i = 0; i < watch->n_watched; i++) {
		struct watched *watched = &watch->watched[i];
		struct link link;

		if (!netlink_link(watch->netlink, 0, watched->name, &link)) {
			set_state(watch, watched, STATE_GONE);
			continue;
		}
		watched->index = link.index;
		set_mac(watch, link.name, link.mac);
		set_state(watch, watched,
			  !link.up	 ? STATE_DOWN
			  : link.carrier ? STATE_UP
					 : STATE_UNPLUGGED);
	}
}

static void on_link(struct router_watch *watch, struct nlmsghdr *header)
{
	struct ifinfomsg *info = nlmsg_data(header);
	const struct nlattr *name =
		nlmsg_find_attr(header, sizeof(*info), IFLA_IFNAME);
	const struct nlattr *mac =
		nlmsg_find_attr(header, sizeof(*info), IFLA_ADDRESS);
	struct watched *watched;

	/* of a bridge's port as such, not as an interface */
	if (info->ifi_family == AF_BRIDGE || !name)
		return;
	watched = find_watched(watch, nla_data(name));
	if (!watched) {
		/* one that has been given another name is gone */
		for (size_t i = 0; i < watch->n_watched; i++)
			if (watch->watched[i].index == info->ifi_index)
				set_state(watch, &watch->watched[i],
					  STATE_GONE);
		return;
	}
	if (header->nlmsg_type == RTM_DELLINK) {
		set_state(watch, watched, STATE_GONE);
		return;
	}
	watched->index = info->ifi_index;
	if (mac && nla_len(mac) == sizeof(watch->mac))
		set_mac(watch, watched->name, nla_data(mac));
	set_state(watch, watched, state_of(info->ifi_flags));
}

static const struct watched *by_index(const struct router_watch *watch,
				      int index)
{
	for (size_t i = 0; i < watch->n_watched; i++)
		if (watch->watched[i].index == index)
			return &watch->watched[i];
	return NULL;
}

static void tell_address(struct router_watch *watch, const char *event,
			 const char *name, const struct known *known)
{
	char host[INET6_ADDRSTRLEN] = "?", detail[96];

	inet_ntop(known->family, known->byte, host, sizeof(host));
	snprintf(detail, sizeof(detail), "%s %s/%u", name, host, known->bits);
	if (watch->begun)
		watch->watcher.event(watch->watcher.context, event, detail);
}

static void on_address(struct router_watch *watch, struct nlmsghdr *header)
{
	struct ifaddrmsg *info = nlmsg_data(header);
	const struct nlattr *address =
		nlmsg_find_attr(header, sizeof(*info), IFA_LOCAL);
	const struct watched *watched = by_index(watch, (int)info->ifa_index);
	struct known is = { .index = (int)info->ifa_index,
			    .family = info->ifa_family,
			    .bits = info->ifa_prefixlen };
	size_t i = 0;

	if (!address)
		address = nlmsg_find_attr(header, sizeof(*info), IFA_ADDRESS);
	if (!watched || !address || (size_t)nla_len(address) > sizeof(is.byte))
		return;
	memcpy(is.byte, nla_data(address), (size_t)nla_len(address));
	while (i < watch->n_known &&
	       memcmp(&watch->known[i], &is, sizeof(is)) != 0)
		i++;
	if (header->nlmsg_type == RTM_NEWADDR) {
		/* one on trial is no address yet */
		if (i < watch->n_known || i == KNOWN_MAX ||
		    info->ifa_flags & IFA_F_TENTATIVE)
			return;
		watch->known[watch->n_known++] = is;
		tell_address(watch, "address-added", watched->name, &is);
	} else if (i < watch->n_known) {
		watch->known[i] = watch->known[--watch->n_known];
		tell_address(watch, "address-removed", watched->name, &is);
	}
}

static int on_message(struct nl_msg *message, void *context)
{
	struct nlmsghdr *header = nlmsg_hdr(message);

	switch (header->nlmsg_type) {
	case RTM_NEWLINK:
	case RTM_DELLINK:
		if (nlmsg_valid_hdr(header, sizeof(struct ifinfomsg)))
			on_link(context, header);
		break;
	case RTM_NEWADDR:
	case RTM_DELADDR:
		if (nlmsg_valid_hdr(header, sizeof(struct ifaddrmsg)))
			on_address(context, header);
		break;
	default:
		break;
	}
	return NL_OK;
}

static void receive(void *context)
{
	struct router_watch *watch = context;

	for (int i = 0; i < READS_A_TURN; i++) {
		int error = nl_recvmsgs_default(watch->sock);

		if (error == -NLE_AGAIN)
			return;
		if (error < 0) {
			ask(watch);
			return;
		}
	}
}

/* What is known at the start is not told. */
static void begin(struct router_watch *watch)
{
	ask(watch);
	if (nl_rtgen_request(watch->sock, RTM_GETADDR, AF_UNSPEC, NLM_F_DUMP) >=
	    0)
		(void)nl_recvmsgs_default(watch->sock);
	watch->begun = true;
}

struct router_watch *router_watch_open(struct loop *loop,
				       struct netlink *netlink,
				       const struct router_plan *plan,
				       const struct router_watcher *watcher,
				       struct err *err)
{
	struct router_watch *watch = calloc(1, sizeof(*watch));

	if (!watch)
		abort();
	*watch = (struct router_watch){ .watcher = *watcher,
					.netlink = netlink,
					.plan = plan,
					.loop = loop,
					.sock = nl_socket_alloc() };
	if (!watch->sock)
		abort();
	choose(watch);
	nl_socket_disable_seq_check(watch->sock);
	nl_socket_modify_cb(watch->sock, NL_CB_VALID, NL_CB_CUSTOM, on_message,
			    watch);
	if (!nl_connect(watch->sock, NETLINK_ROUTE) &&
	    !nl_socket_add_memberships(watch->sock, RTNLGRP_LINK,
				       RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR,
				       0)) {
		begin(watch);
		nl_socket_set_nonblocking(watch->sock);
		if (loop_watch(loop, nl_socket_get_fd(watch->sock), receive,
			       watch))
			return watch;
	}
	err_add_machine(err, "the interfaces cannot be watched");
	router_watch_close(watch);
	return NULL;
}

void router_watch_close(struct router_watch *watch)
{
	if (!watch)
		return;
	loop_unwatch(watch->loop, nl_socket_get_fd(watch->sock));
	nl_socket_free(watch->sock);
	free(watch);
}
