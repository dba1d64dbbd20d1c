/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live_trial.c - trials of a run: their beginnings and their ends
 *
 * Floor: edge.
 *
 * How it works
 *
 * A run is trials, and what passes between two: each begins with empty queues,
 * conditions as new and its own time zero, and is written down under its id.
 * What waits when one ends is dropped by "reset".  That may have been a stop
 * of the operator's, so the robot is sent stops as at the run's start.
 *
 * A trial's clock begins when all is ready for it; what came in while it was
 * being made ready enters at 0.
 */
#include "edge/live_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep_id(struct live *live, const char *id)
{
	live->trials = realloc(live->trials,
			       (live->n_trials + 1) * sizeof(*live->trials));
	if (!live->trials)
		abort();
	live->trials[live->n_trials] = strdup(id);
	if (!live->trials[live->n_trials++])
		abort();
}

bool live_is_used(const struct live *live, const char *id)
{
	for (size_t i = 0; i < live->n_trials; i++)
		if (!strcmp(live->trials[i], id))
			return true;
	return false;
}

/* The clocks of all that count in trial time. */
static void start_clocks(struct live *live)
{
	if (live->run_start)
		live->start = loop_clock();
	else /* it was read when all was opened */
		live->run_start = live->start;
	live->next_second = NSEC_PER_S;
	live->drive_over = 0;
	live->plan->front->start(live->front, live->start);
	guard_start_at(live->guard, live->start);
}

void live_begin(struct live *live, const char *id, bool between)
{
	const struct arm_safety *safety = &session_arm(live->session)->safety;
	bool first = !live->run_start;

	if (between)
		snprintf(live->trial, sizeof(live->trial), "between-%zu",
			 ++live->n_between);
	else
		snprintf(live->trial, sizeof(live->trial), "%s", id);
	keep_id(live, live->trial);
	live->between = between;
	live->changes = 0;
	live->before = live->seen;
	live->clock_steps = 0;
	memset(live->tallies, 0,
	       (live->n_channels + 1) * sizeof(*live->tallies));
	session_reset(live->session, live->trial);
	if (between)
		session_end_script(live->session);
	start_clocks(live);
	if (!first)
		record_begin(live->record, live->start - live->run_start);
	record_event(live->record, 0, "trial-start", live->trial);
	feed_trial(live->feed, live->trial, between);
	feed_event(live->feed, 0, "trial-start", live->trial);
	if (safety->active)
		live_inject(live, safety->on_start, "on_start");
}

void live_report(struct live *live, struct trial_report *report)
{
	const struct front_counts *seen = &live->seen;

	live->seen = live->plan->front->counts(live->front, true);
	*report = (struct trial_report){
		.trial = live->trial,
		.between = live->between,
		.changes = live->changes,
		.seed = session_seed(live->session),
		.duration = live_now(live),
		.tallies = live->tallies,
		.kernel_drops = seen->kernel_drops - live->before.kernel_drops,
		.icmp_errors = seen->icmp_errors - live->before.icmp_errors,
		.clock_steps = live->clock_steps,
		.live = true,
		.session = live->session,
	};
}

void live_switch(struct live *live, const char *id)
{
	uint64_t lost = record_lost(live->record);
	struct trial_report report;

	live->steered = true;
	live_release(live); /* what is due leaves before it ends */
	live_event(live, "trial-stop", live->trial);
	live_flush(live, -1, "reset");
	live_release(live);
	live_report(live, &report);
	report.lost = lost - live->lost_before;
	record_trial(live->record, &report);
	if (live->plan->trial_ended && !live->between)
		live->plan->trial_ended(live->plan->context, &report);
	live->lost_before = lost;
	live_begin(live, id, !*id);
}
