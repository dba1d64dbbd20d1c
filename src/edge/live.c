/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live.c - a session driven by the clock and by a front
 *
 * Floor: edge.
 *
 * How it works
 *
 * Each wake-up: sockets that are ready are drained into the session (by the
 * front), then all that is due is taken and sent, then the one timer is set to
 * when the session is next due.  Packets that are through are counted,
 * recorded and given back in one place: settle().
 *
 * A stop first ends what comes in; then each channel is emptied by its policy.
 */
#include "edge/live_inside.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* A wall clock that jumps by more than this was set, not steered. */
#define CLOCK_STEP (5 * NSEC_PER_MS)
#define DRIVE_REST (2 * NSEC_PER_S)

nsec live_now(const struct live *live)
{
	return loop_clock() - live->start;
}

static void on_event(void *context, const char *event, const char *detail)
{
	struct live *live = context;

	record_event(live->record, live_now(live), event, detail);
}

static void on_arrived(void *context, struct packet *packet, nsec now)
{
	struct live *live = context;

	record_capture(live->record,
		       packet->direction == UPLINK ? UPLINK_IN : DOWNLINK_IN,
		       now, packet);
}

/* Say what must not pass unseen. */
static void warn_drop(struct live *live, const struct packet *packet)
{
	const struct arm_channel *channel;
	const char *stage;
	nsec delay;

	if (packet->channel == CHANNEL_NONE)
		return;
	channel = &session_arm(live->session)->channel[packet->channel];
	if (packet->by[0] == 'l') /* limit */
		log_limited(&live->limit_limit, loop_clock(),
			    "%s %s is full: raise limit_packets or "
			    "limit_bytes, this loss is not the arm's",
			    direction_name(channel->plan.direction),
			    channel->plan.stream);
	else if (packet->by[0] == 'i') { /* invalid */
		delay = channel_invalid(
			session_channel(live->session, packet->channel),
			&stage);
		log_limited(&live->invalid_limit, loop_clock(),
			    "%s %s: condition %s asked for a delay of "
			    "%" PRId64 " ns, which is none; dropped",
			    direction_name(channel->plan.direction),
			    channel->plan.stream, stage, delay);
	}
}

/* The one place where a packet ends. */
static void settle(struct live *live, struct packet *packet, nsec gone)
{
	size_t place = packet->channel == CHANNEL_NONE ? live->n_channels
						       : packet->channel;
	bool passes =
		packet->fate == FATE_RELEASED || packet->fate == FATE_FORWARDED;

	if (gone == FRONT_NOBODY) {
		live->tallies[place].nobody++;
		gone = NSEC_NEVER;
	}
	if (passes && gone == NSEC_NEVER) {
		packet->fate = FATE_DROPPED;
		/* a copy stays known as one: its id is its original's */
		if (!packet_is_copy(packet))
			packet->by = "send";
	}
	if (packet->fate == FATE_DROPPED)
		warn_drop(live, packet);
	tally_add(&live->tallies[place], packet, gone);
	record_packet(live->record, live->session, packet, gone);
	if (gone != NSEC_NEVER)
		record_capture(live->record,
			       packet->direction == UPLINK ? UPLINK_OUT
							   : DOWNLINK_OUT,
			       gone, packet);
	session_give(live->session, packet);
}

static void on_sent(void *context, struct packet *packet, nsec gone)
{
	settle(context, packet, gone);
}

/* A stop of our own is said, and on record. */
static void tell_stop(struct live *live, const struct packet *packet)
{
	record_event(live->record, packet->ingress, "stop-sent", packet->by);
	if (packet->by[0] == 'd') /* deadman */
		log_say("no command was released for too long: a stop is sent");
}

/* Whether a packet ends inside: at the vehicle, or at the operator. */
static bool ends_inside(const struct live *live, const struct packet *packet)
{
	return packet->direction == UPLINK ? live->vehicle
					   : live->plan->drive != NULL;
}

/* Take all that is due, and send it. */
static void release(struct live *live)
{
	struct packet *packet;
	nsec now = live_now(live);

	while ((packet = session_take(live->session, now))) {
		if (packet->fate == FATE_INJECTED)
			tell_stop(live, packet);
		if (packet->fate == FATE_SUPPRESSED ||
		    packet->fate == FATE_DROPPED)
			settle(live, packet, NSEC_NEVER);
		else if (ends_inside(live, packet))
			settle(live, packet, live_now(live));
		else
			live->plan->front->send(live->front, packet);
	}
	live->plan->front->flush(live->front);
}

static void inject(struct live *live, int64_t count, const char *by)
{
	while (count-- > 0)
		session_inject(live->session, live_now(live), by);
	release(live);
}

static void on_full(void *context)
{
	release(context);
}

static struct live_view view_of(const struct live *live)
{
	return (struct live_view){
		.session = live->session,
		.tallies = live->tallies,
		.counts = live->plan->front->counts(live->front),
		.now = live_now(live),
		.lost = record_lost(live->record),
		.path = live->path,
	};
}

static void each_second(struct live *live, nsec now)
{
	int64_t ahead = loop_wall() - loop_clock();
	int64_t step = ahead - live->wall_ahead;
	char text[64];

	live->wall_ahead = ahead;
	if (step > CLOCK_STEP || step < -CLOCK_STEP) {
		live->clock_steps++;
		snprintf(text, sizeof(text), "%" PRId64 " ns", step);
		log_say("the wall clock was set by %s", text);
		record_event(live->record, now, "clock-step", text);
	}
	while (live->next_second <= now)
		live->next_second += NSEC_PER_S;
	if (live->plan->watch) {
		const struct live_view view = view_of(live);

		live->plan->watch(live->plan->context, &view);
	}
}

static bool is_empty(const struct live *live)
{
	for (size_t i = 0; i < live->n_channels; i++)
		if (channel_load(session_channel(live->session, (uint16_t)i))
			    .packets)
			return false;
	return true;
}

static void flush_all(struct live *live, int only)
{
	const struct arm *arm = session_arm(live->session);

	for (size_t i = 0; i < live->n_channels; i++)
		if (only < 0 || arm_on_exit(&arm->channel[i]) == only)
			session_flush(live->session, (uint16_t)i, "shutdown");
}

static void stop(struct live *live, const char *why)
{
	if (live->stopping) { /* a second time: now */
		flush_all(live, -1);
		return;
	}
	live->stopping = true;
	record_event(live->record, live_now(live), "stopping", why);
	if (live->plan->stopping)
		live->plan->stopping(live->plan->context);
	live->plan->front->stop(live->front);
	session_end_script(live->session);
	/* what was due already leaves first */
	release(live);
	flush_all(live, EXIT_DROP);
}

static bool uplink_is_empty(const struct live *live)
{
	const struct arm *arm = session_arm(live->session);

	for (size_t i = 0; i < live->n_channels; i++)
		if (arm->channel[i].plan.direction == UPLINK &&
		    channel_load(session_channel(live->session, (uint16_t)i))
			    .packets)
			return false;
	return true;
}

/* The robot's stops are the last that it is sent; a vehicle then rests. */
static void stop_robot(struct live *live)
{
	const struct arm_safety *safety = &session_arm(live->session)->safety;

	if (live->stopped_robot || !uplink_is_empty(live))
		return;
	live->stopped_robot = true;
	release(live);
	if (safety->active)
		inject(live, safety->on_exit, "on_exit");
	session_retire(live->session);
}

/* A script that is through, and the vehicle had time to come to rest. */
static bool drive_is_over(struct live *live, nsec now)
{
	if (!live->plan->drive || live->plan->duration != NSEC_NEVER ||
	    session_is_driven(live->session))
		return false;
	if (!live->drive_over)
		live->drive_over = now + DRIVE_REST;
	return now >= live->drive_over;
}

static void turn(void *context)
{
	struct live *live = context;
	nsec next, now = live_now(live);

	if (now >= live->plan->duration && !live->stopping)
		stop(live, "the time is over");
	if (drive_is_over(live, now) && !live->stopping)
		stop(live, "the drive is over");
	release(live);
	live_tell_refused(live, false);
	if (now >= live->next_second)
		each_second(live, now);
	if (live->stopping)
		stop_robot(live);
	if (live->stopping && is_empty(live)) {
		loop_stop(live->loop);
		return;
	}
	next = session_next(live->session);
	if (next > live->next_second)
		next = live->next_second;
	if (!live->stopping && next > live->plan->duration)
		next = live->plan->duration;
	loop_timer(live->loop, live->start + next);
}

static void on_stop_signal(void *context, int number)
{
	struct live *live = context;

	stop(live, number == SIGINT ? "SIGINT" : "SIGTERM");
}

static void on_reread_signal(void *context, int number)
{
	struct live *live = context;
	struct err err = { 0 };
	struct arm *arm;
	nsec now;

	(void)number;
	if (live->plan->hung_up && live->plan->hung_up(live->plan->context) &&
	    !live->stopping)
		stop(live, "SIGHUP");
	if (!live->plan->reread || live->stopping)
		return;
	if (live->n_arms == sizeof(live->arms) / sizeof(live->arms[0])) {
		log_say("the arm was read anew too often; restart");
		return;
	}
	arm = live->plan->reread(live->plan->context);
	now = live_now(live);
	if (arm && !session_adopt(live->session, now, arm, &err)) {
		live->arms[live->n_arms++] = arm;
		log_say("%s: read anew; it governs packets from now on",
			arm->file);
		/* to be verified later, the record must hold what was read */
		record_event(live->record, now, "reload",
			     arm->text_size <= RECORD_DETAIL_MAX ? arm->text
								 : arm->file);
		return;
	}
	for (size_t i = 0; i < err.n; i++)
		log_say("%s", err.line[i]);
	log_say("nothing was changed");
	record_event(live->record, live_now(live), "reload-refused",
		     err.n ? err.line[0] : "the arm has faults");
	err_fini(&err);
	arm_free(arm);
}

static void go(struct live *live,
	       void (*end)(void *context, const struct live_view *view,
			   const struct trial_report *report))
{
	struct trial_report report = { .trial = TRIAL,
				       .tallies = live->tallies,
				       .live = true };
	struct live_view view;

	live->next_second = NSEC_PER_S;
	live->plan->front->start(live->front, live->start);
	live->plan->front->describe(live->front, log_say);
	record_event(live->record, 0, "trial-start", TRIAL);
	if (live->plan->arm->safety.active)
		inject(live, live->plan->arm->safety.on_start, "on_start");
	loop_timer(live->loop, live->start);
	if (live->plan->ready)
		live->plan->ready(live->plan->context);
	loop_run(live->loop, turn, live);
	live_tell_refused(live, true);
	view = view_of(live);
	record_event(live->record, view.now, "trial-stop", TRIAL);
	report.session = live->session;
	report.seed = session_seed(live->session);
	report.duration = view.now;
	report.kernel_drops = view.counts.kernel_drops;
	report.icmp_errors = view.counts.icmp_errors;
	report.clock_steps = live->clock_steps;
	record_trial(live->record, &report);
	view.lost = record_lost(live->record);
	if (end)
		end(live->plan->context, &view, &report);
}

int live_run(const struct live_plan *plan,
	     void (*end)(void *context, const struct live_view *view,
			 const struct trial_report *report),
	     struct err *err)
{
	struct live live = { .plan = plan };
	const struct front_user user = { .arrived = on_arrived,
					 .sent = on_sent,
					 .event = on_event,
					 .full = on_full,
					 .context = &live };
	size_t faults = err->n;

	signal(SIGPIPE, SIG_IGN);
	if (!live_open(&live, &user, on_stop_signal, on_reread_signal, err))
		go(&live, end);
	live_close(&live, err);
	return err->n == faults ? 0 : -1;
}
