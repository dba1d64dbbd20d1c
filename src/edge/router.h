/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router.h - divert an arm's streams on a router, and put all back
 *
 * Floor: edge.
 *
 * Open finds out and claims, but changes nothing that packets feel; divert
 * makes the rules; retire takes them back, so that packets are forwarded as if
 * nobody were here; close clears up.  If the process dies, the rulesets go
 * with it and a janitor removes the rest.
 */
#ifndef EDGE_ROUTER_H
#define EDGE_ROUTER_H

#include "edge/loop.h"
#include "edge/router_rules.h"

struct router;

/**
 * struct router_user - Who is told what happens to the network
 * @event:	A word and a detail
 * @context:	Handed to it
 */
struct router_user {
	void (*event)(void *context, const char *event, const char *detail);
	void *context;
};

/**
 * router_open() - Find the topology, clear up leftovers, claim the arm's
 * streams
 * @arm:	Arm of transparent mode; borrowed
 * @err:	Told what does not fit
 *
 * Return: the router, or NULL.
 */
struct router *router_open(const struct arm *arm, struct err *err);

/**
 * router_divert() - Make the rules; before any thread is
 * @router:	Router
 * @port:	Where the proxy listens
 * @err:	Told what cannot be
 *
 * Return: 0, or -1; router_close() undoes what was made.
 */
int router_divert(struct router *router, uint16_t port, struct err *err);

/**
 * router_follow() - Follow interfaces and addresses from here on
 * @router:	Router
 * @loop:	Loop
 * @user:	Who is told
 * @err:	Told what cannot be
 *
 * Return: 0, or -1.
 */
int router_follow(struct router *router, struct loop *loop,
		  const struct router_user *user, struct err *err);

/* What was found out. */
const struct router_plan *router_found(const struct router *router);

/**
 * router_retire() - Divert nothing any more
 * @router:	Router
 */
void router_retire(struct router *router);

/**
 * router_close() - Remove everything that was made
 * @router:	Router, or NULL
 */
void router_close(struct router *router);

#endif /* EDGE_ROUTER_H */
