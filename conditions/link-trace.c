/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * link-trace.c - a link that carries bytes when a Mahimahi trace says so
 *
 * Floor: conditions.
 *
 * How it works
 *
 * Each line of the trace is a chance, at that ms, to deliver so many bytes
 * (Netravali and others, 2015).  Packets queue in their order.  Several small
 * ones share a chance; one that does not fit is begun, and its rest goes with
 * the next chances, with the last of which it leaves; what no packet uses is
 * lost.  A packet counts as its IP packet and 4 bytes, the header of the device
 * through which Mahimahi reads it.  It uses only chances after its ingress, as
 * Mahimahi spends the chances of a ms before it reads what came in it.  Behind
 * its last line the trace begins again, the time of that line later.
 *
 * As the queue is first in, first out, a packet's chance is known when it
 * comes: the state is the chance that the last packet left with, and the bytes
 * left of it.
 */
#include <stdio.h>

#include "conditions/condition.h"
#include "conditions/lookup.h"

#define TUN_HEADER 4

struct link_settings {
	struct times file;
	int64_t opportunity;
	nsec max_wait, start;
	bool once;
};

struct link_state {
	bool begun;
	nsec base;    /* trial time of the round's ms 0 */
	size_t place; /* of the chance that is in use */
	int64_t left; /* bytes of it */
};

static const struct setting link_table[] = {
	{ .name = "file",
	  .kind = SETTING_TRACE_FILE,
	  .offset = offsetof(struct link_settings, file),
	  .text = "Mahimahi trace: a file with the ms of one delivery "
		  "opportunity on each line" },
	{ .name = "opportunity",
	  .kind = SETTING_SIZE,
	  .offset = offsetof(struct link_settings, opportunity),
	  .lo = 512,
	  .hi = 8e9,
	  .preset = "1504B",
	  .text = "What one opportunity carries; a packet counts as its IP "
		  "packet and 4 bytes" },
	{ .name = "max_wait",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct link_settings, max_wait),
	  .hi = (double)DELAY_MAX,
	  .preset = "1h",
	  .text = "A packet that would leave later than this after its ingress "
		  "is suppressed, and uses nothing of the link" },
	{ .name = "once",
	  .kind = SETTING_SWITCH,
	  .offset = offsetof(struct link_settings, once),
	  .preset = "no",
	  .text = "Whether the link is closed behind the trace's last line; "
		  "otherwise the trace begins again" },
	{ .name = "start",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct link_settings, start),
	  .hi = 1e15,
	  .preset = "0ms",
	  .text = "Time of the trace at which a trial begins" },
};

static nsec chance_at(const struct link_settings *settings,
		      const struct link_state *state)
{
	return state->base + settings->file.v[state->place];
}

/* Go on to the next chance; false where the link is closed. */
static bool next_chance(const struct link_settings *settings,
			struct link_state *state)
{
	state->left = settings->opportunity / 8;
	if (state->place + 1 < settings->file.n) {
		state->place++;
		return true;
	}
	if (settings->once)
		return false;
	state->place = 0;
	state->base += settings->file.v[settings->file.n - 1];
	return true;
}

/* Go to the first chance after @now, whole rounds at once. */
static bool chance_after(const struct link_settings *settings,
			 struct link_state *state, nsec now)
{
	size_t n = settings->file.n;
	nsec round = settings->file.v[n - 1];

	state->left = settings->opportunity / 8;
	if (now - state->base >= round) {
		if (settings->once)
			return false;
		state->base += (now - state->base) / round * round;
	}
	/* below n: the last chance is later than now */
	state->place = lookup(settings->file.v, n, now - state->base);
	return true;
}

static nsec link_apply(const struct turn *turn)
{
	const struct link_settings *settings = turn->settings;
	struct link_state *state = turn->state, then = *state;
	int64_t bytes = (int64_t)turn->ip_bytes + TUN_HEADER;
	bool open = true;
	nsec delay;

	if (!settings->file.n)
		return 0;
	if (!then.begun)
		then.base = -settings->start;
	/* after a change of settings the place may be no place any more */
	if (!then.begun || then.place >= settings->file.n ||
	    chance_at(settings, &then) <= turn->now)
		open = chance_after(settings, &then, turn->now);
	then.begun = true;
	while (open && bytes > then.left) {
		bytes -= then.left;
		open = next_chance(settings, &then);
	}
	if (!open)
		return DELAY_SUPPRESS;
	then.left -= bytes;
	delay = chance_at(settings, &then) - turn->now;
	if (delay > settings->max_wait)
		return DELAY_SUPPRESS;
	*state = then;
	return delay;
}

extern const struct condition condition_link_trace;
const struct condition condition_link_trace = {
	.abi = CONDITION_ABI,
	.name = "link-trace",
	.text = "a link that carries bytes when a Mahimahi trace says so",
	.settings = link_table,
	.n_settings = sizeof(link_table) / sizeof(link_table[0]),
	.settings_size = sizeof(struct link_settings),
	.state_size = sizeof(struct link_state),
	.apply = link_apply,
};
