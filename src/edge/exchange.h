/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * exchange.h - another thread has something done by the loop's thread
 *
 * Floor: edge.
 *
 * The session, the front and the record belong to the thread of the loop.  Who
 * wants something of them from outside hands over a function; it is run
 * between two releases, and the caller waits for it.
 */
#ifndef EDGE_EXCHANGE_H
#define EDGE_EXCHANGE_H

#include "edge/loop.h"

struct exchange;

/**
 * exchange_new() - Make an exchange
 * @loop:	Loop
 * @err:	Told why it cannot be
 *
 * Return: the exchange, or NULL.
 */
struct exchange *exchange_new(struct loop *loop, struct err *err);

/**
 * exchange_call() - Have something done, and wait until it is
 * @exchange:	Exchange
 * @work:	Run by the loop's thread
 * @context:	Handed to @work
 *
 * From one other thread at a time.
 *
 * Return: false if the loop does nothing any more; @work was not run.
 */
bool exchange_call(struct exchange *exchange, void (*work)(void *context),
		   void *context);

/**
 * exchange_end() - Nothing is done any more; by the loop's thread
 * @exchange:	Exchange, or NULL
 */
void exchange_end(struct exchange *exchange);

/**
 * exchange_free() - Free an exchange that nobody calls any more
 * @exchange:	Exchange, or NULL
 */
void exchange_free(struct exchange *exchange);

#endif /* EDGE_EXCHANGE_H */
