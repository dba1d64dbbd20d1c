/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * desk.c - the thread that talks to experimenters
 *
 * Floor: edge.
 */
#include "edge/desk.h"

#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "edge/control.h"
#include "edge/desk_inside.h"
#include "edge/gauge.h"
#include "edge/privilege.h"
#include "edge/thread.h"
#include "edge/web.h"

/* How often what happened is looked at. */
#define TICK_US 50000

static void drain(struct desk *desk)
{
	const struct feed_item *item;

	while ((item = feed_first(desk->feed))) {
		gauge_take(desk->gauge, item);
		feed_take(desk->feed);
	}
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
	struct desk *desk = context;

	(void)fd;
	(void)what;
	drain(desk);
	web_tick(desk->web);
}

static void on_bell(evutil_socket_t fd, short what, void *context)
{
	struct desk *desk = context;
	uint64_t rings;

	(void)what;
	(void)!read(fd, &rings, sizeof(rings));
	if (atomic_load(&desk->ends))
		event_base_loopbreak(desk->base);
	else if (atomic_exchange(&desk->rereads, false))
		desk_do_reread(desk);
}

static void ring_bell(struct desk *desk)
{
	const uint64_t once = 1;

	(void)!write(desk->bell, &once, sizeof(once));
}

static void *run(void *context)
{
	struct desk *desk = context;

	(void)privilege_keep(PRIVILEGE_NONE);
	event_base_loop(desk->base, EVLOOP_NO_EXIT_ON_EMPTY);
	return NULL;
}

/* The page, and all that it shows. */
static int open_page(struct desk *desk, void (*say)(const char *format, ...),
		     struct err *err)
{
	const struct timeval often = { .tv_usec = TICK_US };

	if (!desk->plan.listen)
		return 0;
	desk->feed = feed_new();
	desk->gauge = gauge_new(desk->plan.arm);
	if (!desk->feed || !desk->gauge)
		return err_add_machine(err, "no memory for the page");
	desk->web = web_open(desk->base, desk, desk->gauge, desk->plan.arm,
			     desk->plan.listen, say, err);
	if (!desk->web)
		return -1;
	desk->tick = event_new(desk->base, -1, EV_PERSIST, on_tick, desk);
	if (desk->tick && !event_add(desk->tick, &often))
		return 0;
	return err_add_machine(err, "no timer for the page");
}

static int open_control(struct desk *desk, void (*say)(const char *format, ...),
			struct err *err)
{
	const char *path = desk->plan.control;
	struct err why = { 0 };

	if (!path)
		return 0;
	desk->control = control_open(desk->base, desk, path,
				     desk->plan.arm->control.group, &why);
	if (desk->control) {
		say("farlink ctl reaches this run at %s", path);
		return 0;
	}
	for (size_t i = 0; i < why.n; i++)
		if (desk->plan.control_is_usual)
			say("farlink ctl cannot reach this run: %s",
			    why.line[i]);
		else if (why.machine)
			err_add_machine(err, "%s", why.line[i]);
		else
			err_add(err, "%s", why.line[i]);
	err_fini(&why);
	return desk->plan.control_is_usual ? 0 : -1;
}

static int open_all(struct desk *desk, void (*say)(const char *format, ...),
		    struct err *err)
{
	int error;

	desk->base = event_base_new();
	desk->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (desk->base && desk->bell >= 0)
		desk->rung = event_new(desk->base, desk->bell,
				       EV_READ | EV_PERSIST, on_bell, desk);
	if (!desk->rung || event_add(desk->rung, NULL))
		return err_add_machine(err, "no desk can be made: %s",
				       strerror(errno));
	if (open_control(desk, say, err) < 0)
		return -1;
	if (open_page(desk, say, err) < 0)
		return -1;
	error = thread_start(&desk->thread, run, desk);
	desk->runs = !error;
	if (!error)
		return 0;
	return err_add_machine(err, "no thread for the desk: %s",
			       strerror(error));
}

struct desk *desk_open(const struct desk_plan *plan,
		       void (*say)(const char *format, ...), struct err *err)
{
	struct desk *desk = calloc(1, sizeof(*desk));

	if (!desk)
		abort();
	desk->plan = *plan;
	desk->arm = plan->arm;
	desk->bell = -1;
	if (!open_all(desk, say, err))
		return desk;
	desk_close(desk);
	return NULL;
}

struct feed *desk_feed(struct desk *desk)
{
	return desk ? desk->feed : NULL;
}

void desk_reread(struct desk *desk)
{
	atomic_store(&desk->rereads, true);
	ring_bell(desk);
}

void desk_close(struct desk *desk)
{
	if (!desk)
		return;
	atomic_store(&desk->ends, true);
	if (desk->runs) {
		ring_bell(desk);
		pthread_join(desk->thread, NULL);
	}
	control_close(desk->control);
	web_close(desk->web);
	if (desk->tick)
		event_free(desk->tick);
	if (desk->rung)
		event_free(desk->rung);
	if (desk->base)
		event_base_free(desk->base);
	if (desk->bell >= 0)
		close(desk->bell);
	gauge_free(desk->gauge);
	feed_free(desk->feed);
	store_fini(&desk->store);
	free(desk->sets);
	free(desk);
}
