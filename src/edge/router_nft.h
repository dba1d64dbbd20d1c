/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_nft.h - rulesets, by libnftables
 *
 * Floor: edge.
 */
#ifndef EDGE_ROUTER_NFT_H
#define EDGE_ROUTER_NFT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

struct nft_ctx;

/**
 * nft_load() - Load a ruleset in one transaction, and own it
 * @rules:	Ruleset whose tables have "flags owner"
 * @err:	Told what the kernel refuses
 *
 * Return: the owner, to be given to nft_unload(); or NULL.
 */
struct nft_ctx *nft_load(const char *rules, struct err *err);

/**
 * nft_unload() - Let go of what was loaded: it is gone
 * @owner:	Owner, or NULL
 */
void nft_unload(struct nft_ctx *owner);

/**
 * nft_try() - Whether the kernel would take a ruleset
 * @rules:	Ruleset
 * @err:	Told what it refuses
 *
 * Return: 0, or -1.
 */
int nft_try(const char *rules, struct err *err);

/**
 * nft_ask() - What nft answers
 * @command:	A command such as "list ruleset"
 *
 * Return: the answer, the caller's; "" where there is none.
 */
char *nft_ask(const char *command);

/**
 * nft_do() - Carry out a command, of which it does not matter whether it can be
 * @command:	Command
 *
 * Return: whether it could.
 */
bool nft_do(const char *command);

#endif /* EDGE_ROUTER_NFT_H */
