/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_nft.c - rulesets, by libnftables
 *
 * Floor: edge.
 *
 * A table with "flags owner" belongs to the netlink socket that made it, and
 * the kernel removes it as that socket is closed, by whatever cause.  So the
 * context that loaded a ruleset is kept and asked nothing more: on some
 * answers the library opens another socket.
 */
#include "edge/router_nft.h"

#include <nftables/libnftables.h>
#include <stdlib.h>
#include <string.h>

static struct nft_ctx *new_context(void)
{
	struct nft_ctx *context = nft_ctx_new(NFT_CTX_DEFAULT);

	if (!context)
		abort();
	(void)nft_ctx_buffer_output(context);
	(void)nft_ctx_buffer_error(context);
	return context;
}

static int run(struct nft_ctx *context, const char *rules, struct err *err)
{
	const char *why;
	size_t len;

	if (!nft_run_cmd_from_buffer(context, rules))
		return 0;
	why = nft_ctx_get_error_buffer(context);
	len = why ? strcspn(why, "\n") : 0;
	return err_add_machine(err,
			       "the kernel does not take the rules: %.*s; it "
			       "needs nf_tables with tproxy and fib, and "
			       "CAP_NET_ADMIN",
			       (int)len, why ? why : "");
}

struct nft_ctx *nft_load(const char *rules, struct err *err)
{
	struct nft_ctx *context = new_context();

	if (!run(context, rules, err))
		return context;
	nft_ctx_free(context);
	return NULL;
}

void nft_unload(struct nft_ctx *owner)
{
	if (owner)
		nft_ctx_free(owner);
}

int nft_try(const char *rules, struct err *err)
{
	struct nft_ctx *context = new_context();
	int status;

	nft_ctx_set_dry_run(context, true);
	status = run(context, rules, err);
	nft_ctx_free(context);
	return status;
}

char *nft_ask(const char *command)
{
	struct nft_ctx *context = new_context();
	const char *answer = NULL;
	char *copy;

	if (!nft_run_cmd_from_buffer(context, command))
		answer = nft_ctx_get_output_buffer(context);
	copy = strdup(answer ? answer : "");
	if (!copy)
		abort();
	nft_ctx_free(context);
	return copy;
}

bool nft_do(const char *command)
{
	struct nft_ctx *context = new_context();
	bool done = !nft_run_cmd_from_buffer(context, command);

	nft_ctx_free(context);
	return done;
}
