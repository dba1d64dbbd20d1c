/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * run_service.c - what a run tells the service manager that started it
 *
 * Floor: roof.
 */
#include "cmd/run_service.h"

#include <inttypes.h>

#include "edge/notify.h"

static struct notify manager = { .fd = -1 };

void service_begin(void)
{
	notify_open(&manager);
}

void service_ready(void)
{
	(void)notify_say(&manager, "READY=1\nSTATUS=ready, no packet yet");
}

/* The loop turns, or this would not be called: that is what the watchdog is to
 * know.
 */
void service_watch(const struct live_view *view)
{
	size_t n = session_arm(view->session)->n_channels;
	uint64_t in = 0, released = 0, suppressed = 0, dropped = 0;

	for (size_t i = 0; i <= n; i++) {
		in += view->tallies[i].in;
		released += view->tallies[i].released;
		suppressed += view->tallies[i].suppressed;
		dropped += view->tallies[i].dropped;
	}
	(void)notify_say(&manager,
			 "%sSTATUS=trial %s, %" PRId64 " s: %" PRIu64
			 " packets settled, %" PRIu64 " released, %" PRIu64
			 " suppressed, %" PRIu64 " dropped",
			 manager.watched ? "WATCHDOG=1\n" : "",
			 session_trial(view->session), view->now / NSEC_PER_S,
			 in, released, suppressed, dropped);
}

void service_stopping(void)
{
	(void)notify_say(&manager, "STOPPING=1\nSTATUS=stopping: packets that "
				   "wait go by on_exit");
}

void service_end(void)
{
	notify_close(&manager);
}
