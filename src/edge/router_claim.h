/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_claim.h - which farlink of this machine diverts what
 *
 * Floor: edge.
 *
 * A claim is the name of a socket that nobody sends to: the kernel lists it
 * for all to see, in this network namespace, and takes it back when its
 * process ends, however it ends.
 */
#ifndef EDGE_ROUTER_CLAIM_H
#define EDGE_ROUTER_CLAIM_H

#include "edge/router_rules.h"

struct claims;

/**
 * claims_new() - Claim nothing yet
 *
 * Return: the claims.
 */
struct claims *claims_new(void);

/**
 * claims_make() - Claim what a plan diverts, unless somebody else has it
 * @claims:	Claims
 * @plan:	Plan with its table chosen
 * @err:	Told who has it
 *
 * Return: 0, or -1.
 */
int claims_make(struct claims *claims, const struct router_plan *plan,
		struct err *err);

/**
 * claims_check() - Tell who diverts what a plan would divert
 * @plan:	Plan
 * @err:	Told who has it
 *
 * Return: 0, or -1.
 */
int claims_check(const struct router_plan *plan, struct err *err);

/**
 * claims_have_table() - Whether a running farlink has a routing table
 * @table:	Its number
 *
 * Return: whether.
 */
bool claims_have_table(uint32_t table);

/**
 * claims_free() - Give back what was claimed
 * @claims:	Claims, or NULL
 */
void claims_free(struct claims *claims);

#endif /* EDGE_ROUTER_CLAIM_H */
