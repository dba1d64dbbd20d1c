/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * periodic-loss.c - loss of chosen packets
 *
 * Floor: conditions.
 *
 * Packets are counted from 1 as they reach the condition.  Lost are those whose
 * number is offset, offset + every, offset + 2 every and so on (with offset 0:
 * every, 2 every, ...), or those of a list.
 */
#include <stdio.h>

#include "conditions/condition.h"
#include "conditions/lookup.h"

struct periodic_settings {
	int64_t every, offset;
	struct counts packets;
};

struct periodic_state {
	int64_t n;
};

static const struct setting periodic_table[] = {
	{ .name = "every",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct periodic_settings, every),
	  .hi = 1e15,
	  .preset = "0",
	  .text = "One packet in so many is lost; 1 loses all; 0 where packets "
		  "are listed instead" },
	{ .name = "offset",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct periodic_settings, offset),
	  .hi = 1e15,
	  .preset = "0",
	  .text = "Number of the first packet lost, counted from 1; 0 is the "
		  "one of number every" },
	{ .name = "packets",
	  .kind = SETTING_COUNTS,
	  .offset = offsetof(struct periodic_settings, packets),
	  .lo = 1,
	  .preset = "",
	  .text = "Numbers of the packets lost, counted from 1, upwards" },
};

static int periodic_check(const void *from, char *why, size_t size)
{
	const struct periodic_settings *settings = from;

	if (settings->packets.n && (settings->every || settings->offset))
		snprintf(why, size,
			 "packets says which are lost; leave out every and "
			 "offset, or leave out packets");
	else if (!settings->packets.n && !settings->every)
		snprintf(why, size,
			 "nothing would be lost; write every = 100 for each "
			 "100th packet, or packets = 3, 7, 20");
	else
		return 0;
	return -1;
}

static nsec periodic_apply(const struct turn *turn)
{
	const struct periodic_settings *settings = turn->settings;
	struct periodic_state *state = turn->state;
	int64_t n = ++state->n, every = settings->every;
	int64_t first = settings->offset ? settings->offset : every;
	size_t i;

	if (settings->packets.n) {
		i = lookup(settings->packets.v, settings->packets.n, n);
		return i && settings->packets.v[i - 1] == n ? DELAY_SUPPRESS
							    : 0;
	}
	if (!every || n < first || (n - first) % every)
		return 0;
	return DELAY_SUPPRESS;
}

extern const struct condition condition_periodic_loss;
const struct condition condition_periodic_loss = {
	.abi = CONDITION_ABI,
	.name = "periodic-loss",
	.text = "loss of chosen packets: every so many, or those of a list",
	.settings = periodic_table,
	.n_settings = sizeof(periodic_table) / sizeof(periodic_table[0]),
	.settings_size = sizeof(struct periodic_settings),
	.state_size = sizeof(struct periodic_state),
	.check = periodic_check,
	.apply = periodic_apply,
};
