/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * builtin.c - the list of built-in conditions
 *
 * Floor: conditions.
 */
#include "conditions/builtin.h"

extern const struct condition condition_delay, condition_jitter,
	condition_monotonic_jitter, condition_smooth_jitter,
	condition_token_bucket, condition_loss, condition_gilbert_elliott,
	condition_markov_loss, condition_periodic_loss, condition_outage,
	condition_profile, condition_sine, condition_link_trace,
	condition_replay, condition_slot, condition_reorder;

const struct condition *const builtin_conditions[] = {
	&condition_delay,
	&condition_jitter,
	&condition_monotonic_jitter,
	&condition_smooth_jitter,
	&condition_token_bucket,
	&condition_loss,
	&condition_gilbert_elliott,
	&condition_markov_loss,
	&condition_periodic_loss,
	&condition_outage,
	&condition_profile,
	&condition_sine,
	&condition_link_trace,
	&condition_replay,
	&condition_slot,
	&condition_reorder,
	NULL,
};
