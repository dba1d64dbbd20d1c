/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router.c - divert an arm's streams on a router, and put all back
 *
 * Floor: edge.
 */
#include "edge/router.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge/file.h"
#include "edge/log.h"
#include "edge/privilege.h"
#include "edge/router_claim.h"
#include "edge/router_find.h"
#include "edge/router_janitor.h"
#include "edge/router_nft.h"
#include "edge/router_watch.h"

#define RULES_MAX 512

struct router {
	struct router_plan plan;
	struct router_user user;
	struct netlink *netlink;
	struct claims *claims;
	struct janitor *janitor;
	struct nft_ctx *owner;
	struct router_watch *watch;
	unsigned version;
};

/* Tables that nobody owns, of a farlink that runs no more. */
static unsigned clear_tables(void)
{
	char *tables = nft_ask("list tables"), command[96], family[16];
	unsigned table, version, n = 0;

	for (char *line = tables; line && *line;) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		if (sscanf(line, "table %15s farlink_%u_%u", family, &table,
			   &version) == 3 &&
		    !claims_have_table(table)) {
			snprintf(command, sizeof(command),
				 "delete table %s farlink_%u_%u", family, table,
				 version);
			n += nft_do(command);
		}
		line = end;
	}
	free(tables);
	return n;
}

/* What an earlier run left whose janitor was killed too. */
static void clear_leftovers(struct router *router)
{
	struct route_rule *rule = calloc(RULES_MAX, sizeof(*rule));
	unsigned removed = clear_tables();
	size_t n;

	if (!rule)
		abort();
	n = netlink_rules(router->netlink, rule, RULES_MAX);
	for (size_t i = 0; i < n; i++)
		if (rule[i].ours && !claims_have_table(rule[i].table))
			removed += netlink_undo(router->netlink, rule[i].table);
	free(rule);
	if (removed)
		log_say("%u rules that an earlier run left were removed",
			removed);
}

struct router *router_open(const struct arm *arm, struct err *err)
{
	struct router *router = calloc(1, sizeof(*router));

	if (!router)
		abort();
	router->plan.arm = arm;
	if (!privilege_is_enough()) {
		err_add_machine(err,
				"%s: mode = transparent needs root, or "
				"CAP_NET_ADMIN",
				arm->file);
		goto fail;
	}
	router->netlink = netlink_open(err);
	if (!router->netlink ||
	    router_find(router->netlink, &router->plan, err) < 0)
		goto fail;
	clear_leftovers(router);
	router->claims = claims_new();
	if (!router_choose(router->netlink, &router->plan, err) &&
	    !claims_make(router->claims, &router->plan, err))
		return router;
fail:
	router_close(router);
	return NULL;
}

/* Load the ruleset; one that is there stays until the new one is. */
static int load(struct router *router, struct err *err)
{
	struct nft_ctx *before = router->owner, *owner;
	char *room = malloc(ROUTER_TEXT);
	struct text text;

	if (!room)
		abort();
	text_init(&text, room, ROUTER_TEXT);
	router_rules(&router->plan, router->version, &text);
	if (text.cut) {
		free(room);
		return err_add(err, "%s: too many ports for one ruleset",
			       router->plan.arm->file);
	}
	owner = nft_load(room, err);
	free(room);
	if (!owner)
		return -1;
	router->owner = owner;
	router->version++;
	nft_unload(before);
	return 0;
}

int router_divert(struct router *router, uint16_t port, struct err *err)
{
	router->plan.port = port;
	router->janitor = janitor_start(router->plan.table, err);
	if (!router->janitor ||
	    netlink_lead(router->netlink, &router->plan, err) < 0)
		return -1;
	return load(router, err);
}

static void on_event(void *context, const char *event, const char *detail)
{
	struct router *router = context;

	router->user.event(router->user.context, event, detail);
}

/* The bridge has another address: frames must be handed to that one. */
static void on_address(void *context, const uint8_t mac[6])
{
	struct router *router = context;
	struct err err = { 0 };
	char detail[64];

	memcpy(router->plan.mac, mac, sizeof(router->plan.mac));
	snprintf(detail, sizeof(detail), "%s %02x:%02x:%02x:%02x:%02x:%02x",
		 router->plan.bridge, mac[0], mac[1], mac[2], mac[3], mac[4],
		 mac[5]);
	router->user.event(router->user.context, "bridge-address", detail);
	if (router->owner && load(router, &err) < 0) {
		log_say("%s: %s", router->plan.bridge,
			err.n ? err.line[0] : "the rules cannot be changed");
		router->user.event(router->user.context, "rules-lost", detail);
	}
	err_fini(&err);
}

int router_follow(struct router *router, struct loop *loop,
		  const struct router_user *user, struct err *err)
{
	const struct router_watcher watcher = { on_event, on_address, router };

	router->user = *user;
	router->watch = router_watch_open(loop, router->netlink, &router->plan,
					  &watcher, err);
	return router->watch ? 0 : -1;
}

const struct router_plan *router_found(const struct router *router)
{
	return &router->plan;
}

void router_retire(struct router *router)
{
	nft_unload(router->owner);
	router->owner = NULL;
}

void router_close(struct router *router)
{
	if (!router)
		return;
	router_watch_close(router->watch);
	router_retire(router);
	if (router->janitor)
		(void)netlink_undo(router->netlink, router->plan.table);
	janitor_end(router->janitor);
	claims_free(router->claims);
	netlink_close(router->netlink);
	free(router);
}
