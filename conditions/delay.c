/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * delay.c - the same delay for every packet
 *
 * Floor: conditions.
 */
#include "conditions/condition.h"

struct delay_settings {
	nsec delay;
};

static const struct setting delay_table[] = {
	{ .name = "delay",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct delay_settings, delay),
	  .hi = (double)DELAY_MAX,
	  .text = "Delay of every packet, one way" },
};

static nsec delay_apply(const struct turn *turn)
{
	const struct delay_settings *settings = turn->settings;

	return settings->delay;
}

extern const struct condition condition_delay;
const struct condition condition_delay = {
	.abi = CONDITION_ABI,
	.name = "delay",
	.text = "the same delay for every packet",
	.settings = delay_table,
	.n_settings = sizeof(delay_table) / sizeof(delay_table[0]),
	.settings_size = sizeof(struct delay_settings),
	.apply = delay_apply,
};
