/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * loop.c - the event loop: descriptors, signals, one precise timer, THE clock
 *
 * Floor: edge.
 *
 * libevent's own timers are rounded and late by up to milliseconds; a timerfd
 * with an absolute time, watched like any descriptor, is exact to the kernel's
 * timer.
 */
#include "edge/loop.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S  INT64_C(1000000000)
#define STAMP_OLD NS_PER_S

struct watch {
	struct watch *next;
	struct event *event;
	void (*ready)(void *context);
	void (*arrived)(void *context, int number);
	void *context;
};

struct loop {
	struct event_base *base;
	struct watch *watches;
	int timer;
	int64_t armed, spin;
	bool stopped;
};

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t loop_clock(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t loop_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

static void timer_fired(void *context)
{
	struct loop *loop = context;
	uint64_t times;

	if (read(loop->timer, &times, sizeof(times)) != sizeof(times))
		return; /* set anew since */
	while (loop_clock() < loop->armed)
		; /* it fired so much before as is spent awake */
	loop->armed = INT64_MAX;
}

struct loop *loop_new(struct err *err)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (!loop)
		abort();
	/* timers of this thread may not be put off to save wake-ups */
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	loop->armed = INT64_MAX;
	loop->base = event_base_new();
	loop->timer =
		timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (loop->base && loop->timer >= 0 &&
	    loop_watch(loop, loop->timer, timer_fired, loop))
		return loop;
	err_add_machine(err, "the event loop cannot be made: %s",
			strerror(errno));
	loop_free(loop);
	return NULL;
}

int64_t loop_moved(const struct timespec *stamp, int64_t now, int64_t wall)
{
	int64_t age;

	if (!stamp)
		return now;
	age = wall - ((int64_t)stamp->tv_sec * NS_PER_S + stamp->tv_nsec);
	return age < 0 || age > STAMP_OLD ? now : now - age;
}

static void on_event(evutil_socket_t fd, short what, void *context)
{
	struct watch *watch = context;

	(void)what;
	if (watch->ready)
		watch->ready(watch->context);
	else
		watch->arrived(watch->context, (int)fd);
}

static bool add_watch(struct loop *loop, int fd, short what,
		      const struct watch *like)
{
	struct watch *watch = malloc(sizeof(*watch));

	if (!watch)
		abort();
	*watch = *like;
	watch->next = loop->watches;
	loop->watches = watch;
	watch->event = event_new(loop->base, fd, what, on_event, watch);
	return watch->event && !event_add(watch->event, NULL);
}

bool loop_watch(struct loop *loop, int fd, void (*ready)(void *context),
		void *context)
{
	const struct watch like = { .ready = ready, .context = context };

	return add_watch(loop, fd, EV_READ | EV_PERSIST, &like);
}

void loop_unwatch(struct loop *loop, int fd)
{
	for (struct watch *watch = loop->watches; watch; watch = watch->next)
		if (watch->ready && event_get_fd(watch->event) == fd)
			event_del(watch->event);
}

bool loop_signal(struct loop *loop, int number,
		 void (*arrived)(void *context, int number), void *context)
{
	const struct watch like = { .arrived = arrived, .context = context };

	return add_watch(loop, number, EV_SIGNAL | EV_PERSIST, &like);
}

void loop_timer(struct loop *loop, int64_t when)
{
	struct itimerspec at = { 0 };

	if (when == loop->armed)
		return;
	loop->armed = when;
	if (when != INT64_MAX) {
		when -= loop->spin;
		if (when < 1)
			when = 1; /* zero would disarm it */
		at.it_value.tv_sec = when / NS_PER_S;
		at.it_value.tv_nsec = when % NS_PER_S;
	}
	timerfd_settime(loop->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

void loop_spin(struct loop *loop, int64_t spin)
{
	loop->spin = spin;
}

void loop_run(struct loop *loop, void (*turn)(void *context), void *context)
{
	loop->stopped = false;
	while (!loop->stopped) {
		if (event_base_loop(loop->base, EVLOOP_ONCE) < 0)
			abort();
		turn(context);
	}
}

void loop_stop(struct loop *loop)
{
	loop->stopped = true;
}

void loop_free(struct loop *loop)
{
	struct watch *watch, *next;

	if (!loop)
		return;
	for (watch = loop->watches; watch; watch = next) {
		next = watch->next;
		if (watch->event)
			event_free(watch->event);
		free(watch);
	}
	if (loop->base)
		event_base_free(loop->base);
	if (loop->timer >= 0)
		close(loop->timer);
	free(loop);
}
