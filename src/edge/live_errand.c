/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live_errand.c - what a run does that is asked of it from outside
 *
 * Floor: edge.
 */
#include "edge/live_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/order.h"

/* Changes of arms in a run. */
#define ARMS_MAX 10000

static void fill_channel(const struct live *live, size_t i,
			 struct status_channel *channel)
{
	const struct tally *tally = &live->tallies[i];
	struct channel_load load = { 0 };

	if (i < live->n_channels)
		load = session_load(live->session, (uint16_t)i);
	*channel = (struct status_channel){
		.in = tally->in + (uint64_t)load.packets,
		.bytes = tally->bytes,
		.released = tally->released,
		.copies = tally->copies,
		.suppressed = tally->suppressed,
		.dropped = tally->dropped,
		.nobody = tally->nobody,
		.late = tally->late,
		.bursts = tally->bursts,
		.longest_gap = tally->longest_gap,
		.queued = load.packets,
		.queued_bytes = load.bytes,
		.n_reasons = tally->n_reasons,
	};
	for (size_t r = 0; r < tally->n_reasons; r++) {
		channel->reason[r].by = tally->reason[r].by;
		channel->reason[r].n = tally->reason[r].n;
	}
}

static void fill_status(const struct live *live, struct status *status)
{
	const struct live_plan *plan = live->plan;
	const struct arm *arm = session_arm(live->session);
	const union address *headset = plan->front->headset(live->front);

	*status = (struct status){
		.arm = arm,
		.between = live->between,
		.stopping = live->stopping,
		.seed = session_seed(live->session),
		.now = live_now(live),
		.run = loop_clock() - live->run_start,
		.utc_ns = live->run_start + live->wall_ahead,
		.n_trials = live->n_trials - live->n_between,
		.changes = live->changes,
		.counts = plan->front->counts(live->front, false),
		.rows_lost = record_lost(live->record),
		.clock_steps = live->clock_steps,
		.folder = plan->folder ? plan->folder : "",
		.n = live->n_channels,
	};
	snprintf(status->trial, sizeof(status->trial), "%s", live->trial);
	if (live->vehicle)
		snprintf(status->robot, sizeof(status->robot), "internal");
	else if (arm->link.has_robot)
		address_print(&arm->link.robot, status->robot);
	if (headset)
		address_print(headset, status->headset);
	for (size_t i = 0; i <= live->n_channels; i++)
		fill_channel(live, i, &status->channel[i]);
}

/* Where packets that wait are noted. */
struct note {
	struct pending *pending;
	size_t left;
	uint8_t stages;
};

static void note_packet(const struct packet *packet, void *context)
{
	struct note *note = context;
	struct pending *pending = note->pending;

	if (!note->left || pending->n == PENDING_MAX)
		return;
	note->left--;
	pending->packet[pending->n++] = (struct pending_packet){
		.id = packet->id,
		.ingress = packet->ingress,
		.due = packet->due,
		.size = packet_payload_bytes(packet),
		.channel = packet->channel,
		.stage = packet->stage,
		.stages = note->stages,
	};
}

static int fill_pending(const struct live *live, struct errand *errand)
{
	const struct arm *arm = session_arm(live->session);
	struct pending *pending = errand->pending;
	bool found = false;

	*pending = (struct pending){ .now = live_now(live) };
	for (uint16_t i = 0; i < live->n_channels; i++) {
		const struct channel_plan *plan = &arm->channel[i].plan;
		struct note note = { pending, errand->most,
				     (uint8_t)plan->n_chain };

		if (errand->stream && strcmp(errand->stream, plan->stream) != 0)
			continue;
		found = true;
		pending->all += session_load(live->session, i).packets;
		session_each(live->session, i, note_packet, &note);
	}
	if (found)
		return 0;
	return err_add(&errand->err, "the arm has no stream %s",
		       errand->stream);
}

/* The id that is asked for, or the next number. */
static int start_trial(struct live *live, struct errand *errand)
{
	const char *id = errand->text;
	char number[32];

	if (*id && !order_is_name(id))
		return err_add(&errand->err,
			       "%.64s: the id of a trial has 1 to 100 bytes, "
			       "none of them a blank",
			       id);
	if (!strncmp(id, "between-", 8))
		return err_add(&errand->err,
			       "%s: such ids are for what passes between two "
			       "trials",
			       id);
	if (*id && live_is_used(live, id))
		return err_add(&errand->err,
			       "there was a trial %s already; take another id",
			       id);
	for (size_t n = live->n_trials - live->n_between + 1; !*id; n++) {
		snprintf(number, sizeof(number), "%zu", n);
		if (!live_is_used(live, number))
			id = number;
	}
	live_switch(live, id);
	snprintf(errand->said, sizeof(errand->said), "trial %s began",
		 live->trial);
	return 0;
}

static int stop_trial(struct live *live, struct errand *errand)
{
	char ended[sizeof(live->trial)];

	if (live->between)
		return err_add(&errand->err, "no trial is running");
	memcpy(ended, live->trial, sizeof(ended));
	live_switch(live, "");
	snprintf(errand->said, sizeof(errand->said),
		 "trial %s is over; what comes now is written down as %s",
		 ended, live->trial);
	return 0;
}

static uint64_t waiting(const struct live *live)
{
	uint64_t n = 0;

	for (size_t i = 0; i < live->n_channels; i++)
		n += (uint64_t)session_load(live->session, (uint16_t)i).packets;
	return n;
}

/* The robot that is left is stopped, and what waits for it is for no other:
 * the trial ends.
 */
static void move_robot(struct live *live)
{
	const struct arm *arm = session_arm(live->session);
	union address to;

	/* the front still knows the one before */
	if (arm->safety.active)
		live_inject(live, arm->safety.on_exit, "on_exit");
	live_flush(live, -1, "reset");
	live_release(live);
	live->plan->front->adopt(live->front);
	live_event(live, "robot", arm->link.robot_text);
	if (arm->safety.active &&
	    live->plan->front->robot_end(live->front, arm->safety.channel,
					 &to) >= 0)
		guard_send_to(live->guard, &to);
	live_switch(live, "");
}

static void keep_arm(struct live *live, struct arm *arm)
{
	struct kept_arm *kept = malloc(sizeof(*kept));

	if (!kept)
		abort();
	kept->arm = arm;
	kept->next = live->arms;
	live->arms = kept;
	live->n_arms++;
	live->changes++;
}

static int adopt(struct live *live, struct errand *errand)
{
	const char *was = session_arm(live->session)->link.robot_text;
	bool moves = strcmp(was, errand->arm->link.robot_text) != 0;
	nsec now = live_now(live);
	uint64_t n;

	if (live->n_arms == ARMS_MAX)
		return err_add(&errand->err,
			       "the arm was changed %d times; start anew",
			       ARMS_MAX);
	if (moves && live->vehicle)
		return err_add(&errand->err,
			       "the vehicle model stands in the robot's "
			       "place: there is no address to change");
	if (moves &&
	    !live->plan->front->check(live->front, errand->arm, &errand->err))
		return -1;
	if (session_adopt(live->session, now, errand->arm, &errand->err) < 0)
		return -1;
	n = waiting(live);
	keep_arm(live, errand->arm);
	/* it governs from this time on, to the nanosecond */
	live_event_at(live, now, "arm", errand->kept);
	live_event_at(live, now, errand->text, errand->detail);
	if (moves) {
		move_robot(live);
		snprintf(errand->said, sizeof(errand->said),
			 "the robot is %s from now on; what comes is written "
			 "down as %s",
			 errand->arm->link.robot_text, live->trial);
	} else {
		live->plan->front->adopt(live->front);
		snprintf(errand->said, sizeof(errand->said),
			 "%.300s: it governs packets from now on; %" PRIu64
			 " that wait keep the fate that they had",
			 errand->arm->file, n);
	}
	errand->arm = NULL;
	return 0;
}

static int do_errand(struct live *live, struct errand *errand)
{
	switch (errand->kind) {
	case ERRAND_STATUS:
		fill_status(live, errand->status);
		return 0;
	case ERRAND_PENDING:
		return fill_pending(live, errand);
	case ERRAND_TRIAL_START:
		return start_trial(live, errand);
	case ERRAND_TRIAL_STOP:
		return stop_trial(live, errand);
	case ERRAND_MARK:
		live_event(live, "mark", errand->text);
		return 0;
	case ERRAND_ADOPT:
		return adopt(live, errand);
	case ERRAND_SAY:
	case ERRAND_REFUSED:
		for (size_t i = 0; i < errand->refused->n; i++)
			log_say("%s", errand->refused->line[i]);
		if (errand->kind == ERRAND_SAY)
			return 0;
		log_say("nothing was changed");
		live_event(live, errand->text,
			   errand->refused->n ? errand->refused->line[0] : "");
		return 0;
	case ERRAND_STOP:
		live_stop(live, errand->text);
		return 0;
	}
	return 0;
}

void live_act(void *context, struct errand *errand)
{
	struct live *live = context;
	bool looks =
		errand->kind == ERRAND_STATUS || errand->kind == ERRAND_PENDING;

	if (live->stopping && !looks && errand->kind != ERRAND_STOP) {
		err_add(&errand->err, "the run is ending");
		return;
	}
	(void)do_errand(live, errand);
}
