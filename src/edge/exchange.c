/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * exchange.c - another thread has something done by the loop's thread
 *
 * Floor: edge.
 */
#include "edge/exchange.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/**
 * struct exchange - One thing at a time
 * @bell:	Rung by who hands over; the loop watches it
 * @lock:	Of all below
 * @done:	Told when @work was run, or never will be
 * @work:	What is to be done, or NULL
 * @ended:	Nothing is done any more
 */
struct exchange {
	int bell;
	pthread_mutex_t lock;
	pthread_cond_t done;
	void (*work)(void *context);
	void *context;
	bool ended;
};

static void serve(void *context)
{
	struct exchange *exchange = context;
	uint64_t rings;

	(void)!read(exchange->bell, &rings, sizeof(rings));
	pthread_mutex_lock(&exchange->lock);
	if (exchange->work && !exchange->ended)
		exchange->work(exchange->context);
	exchange->work = NULL;
	pthread_cond_signal(&exchange->done);
	pthread_mutex_unlock(&exchange->lock);
}

struct exchange *exchange_new(struct loop *loop, struct err *err)
{
	struct exchange *exchange = calloc(1, sizeof(*exchange));

	if (!exchange)
		abort();
	pthread_mutex_init(&exchange->lock, NULL);
	pthread_cond_init(&exchange->done, NULL);
	exchange->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (exchange->bell >= 0 &&
	    loop_watch(loop, exchange->bell, serve, exchange))
		return exchange;
	err_add_machine(err, "no way to steer the run: %s", strerror(errno));
	exchange_free(exchange);
	return NULL;
}

bool exchange_call(struct exchange *exchange, void (*work)(void *context),
		   void *context)
{
	const uint64_t once = 1;
	bool done, handed = false;

	pthread_mutex_lock(&exchange->lock);
	if (!exchange->ended) {
		handed = true;
		exchange->work = work;
		exchange->context = context;
		(void)!write(exchange->bell, &once, sizeof(once));
	}
	while (exchange->work && !exchange->ended)
		pthread_cond_wait(&exchange->done, &exchange->lock);
	/* what was done may have been the end of it all */
	done = handed && !exchange->work;
	exchange->work = NULL;
	pthread_mutex_unlock(&exchange->lock);
	return done;
}

void exchange_end(struct exchange *exchange)
{
	if (!exchange)
		return;
	pthread_mutex_lock(&exchange->lock);
	exchange->ended = true;
	pthread_cond_signal(&exchange->done);
	pthread_mutex_unlock(&exchange->lock);
}

void exchange_free(struct exchange *exchange)
{
	if (!exchange)
		return;
	if (exchange->bell >= 0)
		close(exchange->bell);
	pthread_cond_destroy(&exchange->done);
	pthread_mutex_destroy(&exchange->lock);
	free(exchange);
}
