/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_watch.h - interfaces that go and come, addresses that change
 *
 * Floor: edge.
 */
#ifndef EDGE_ROUTER_WATCH_H
#define EDGE_ROUTER_WATCH_H

#include "edge/loop.h"
#include "edge/router_netlink.h"

struct router_watch;

/**
 * struct router_watcher - Who is told
 * @event:	Of what happened: a word and a detail
 * @address:	Of the bridge's new address
 * @context:	Handed to both
 */
struct router_watcher {
	void (*event)(void *context, const char *event, const char *detail);
	void (*address)(void *context, const uint8_t mac[6]);
	void *context;
};

/**
 * router_watch_open() - Watch the interfaces of a plan
 * @loop:	Loop
 * @netlink:	Line; outlives the watch
 * @plan:	Plan; borrowed
 * @watcher:	Who is told
 * @err:	Told why they cannot be watched
 *
 * Return: the watch, or NULL.
 */
struct router_watch *router_watch_open(struct loop *loop,
				       struct netlink *netlink,
				       const struct router_plan *plan,
				       const struct router_watcher *watcher,
				       struct err *err);

/**
 * router_watch_close() - Watch no more
 * @watch:	Watch, or NULL
 */
void router_watch_close(struct router_watch *watch);

#endif /* EDGE_ROUTER_WATCH_H */
