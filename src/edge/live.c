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
	live_event(context, event, detail);
}

void live_event(struct live *live, const char *event, const char *detail)
{
	live_event_at(live, live_now(live), event, detail);
}

void live_event_at(struct live *live, nsec now, const char *event,
		   const char *detail)
{
	record_event(live->record, now, event, detail);
	feed_event(live->feed, now, event, detail);
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
	feed_packet(live->feed, packet, place, gone);
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
	feed_event(live->feed, packet->ingress, "stop-sent", packet->by);
	if (packet->by[0] == 'd') /* deadman */
		log_say("no command was released for too long: a stop is sent");
}

/* Whether a packet ends inside: at the vehicle, or at the operator. */
static bool ends_inside(const struct live *live, const struct packet *packet)
{
	return packet->direction == UPLINK ? live->vehicle
					   : live->plan->drive != NULL;
}

void live_release(struct live *live)
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

void live_inject(struct live *live, int64_t count, const char *by)
{
	while (count-- > 0)
		session_inject(live->session, live_now(live), by);
	live_release(live);
}

static void on_full(void *context)
{
	live_release(context);
}

static struct live_view view_of(const struct live *live)
{
	return (struct live_view){
		.session = live->session,
		.tallies = live->tallies,
		.counts = live->plan->front->counts(live->front, false),
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
		live_event(live, "clock-step", text);
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
		if (session_load(live->session, (uint16_t)i).packets)
			return false;
	return true;
}

void live_flush(struct live *live, int only, const char *by)
{
	const struct arm *arm = session_arm(live->session);

	for (size_t i = 0; i < live->n_channels; i++)
		if (only < 0 || arm_on_exit(&arm->channel[i]) == only)
			session_flush(live->session, (uint16_t)i, by);
}

void live_stop(struct live *live, const char *why)
{
	if (live->stopping) { /* a second time: now */
		live_flush(live, -1, "shutdown");
		return;
	}
	live->stopping = true;
	live_event(live, "stopping", why);
	if (live->plan->stopping)
		live->plan->stopping(live->plan->context);
	while (live->plan->front->stop(live->front))
		live_release(live);
	session_end_script(live->session);
	/* what was due already leaves first */
	live_release(live);
	live_flush(live, EXIT_DROP, "shutdown");
}

static bool uplink_is_empty(const struct live *live)
{
	const struct arm *arm = session_arm(live->session);

	for (size_t i = 0; i < live->n_channels; i++)
		if (arm->channel[i].plan.direction == UPLINK &&
		    session_load(live->session, (uint16_t)i).packets)
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
	live_release(live);
	if (safety->active)
		live_inject(live, safety->on_exit, "on_exit");
	session_retire(live->session);
}

/* A script that is through, and the vehicle had time to come to rest. */
static bool drive_is_over(struct live *live, nsec now)
{
	if (!live->plan->drive || live->plan->duration != NSEC_NEVER ||
	    live->steered || session_is_driven(live->session))
		return false;
	if (!live->drive_over)
		live->drive_over = now + DRIVE_REST;
	return now >= live->drive_over;
}

/* When the run's time is over, on the present trial's clock. */
static nsec end_of_time(const struct live *live)
{
	if (live->plan->duration == NSEC_NEVER)
		return NSEC_NEVER;
	return live->plan->duration - (live->start - live->run_start);
}

static void turn(void *context)
{
	struct live *live = context;
	nsec next, now = live_now(live);

	if (now >= end_of_time(live) && !live->stopping)
		live_stop(live, "the time is over");
	if (drive_is_over(live, now) && !live->stopping)
		live_stop(live, "the drive is over");
	live_release(live);
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
	if (!live->stopping && next > end_of_time(live))
		next = end_of_time(live);
	loop_timer(live->loop, live->start + next);
}

static void on_stop_signal(void *context, int number)
{
	live_stop(context, number == SIGINT ? "SIGINT" : "SIGTERM");
}

/* The terminal is gone, or the arm is to be read anew: that the desk does. */
static void on_hang_up(void *context, int number)
{
	struct live *live = context;

	(void)number;
	if (live->stopping)
		return;
	if (live->plan->hung_up && live->plan->hung_up(live->plan->context))
		live_stop(live, "SIGHUP");
	else if (live->desk)
		desk_reread(live->desk);
}

static void go(struct live *live,
	       void (*end)(void *context, const struct live_view *view,
			   const struct trial_report *report))
{
	const struct live_plan *plan = live->plan;
	struct trial_report report;
	struct live_view view;

	live_begin(live,
		   plan->waits	 ? ""
		   : plan->trial ? plan->trial
				 : "1",
		   plan->waits);
	plan->front->describe(live->front, log_say);
	loop_timer(live->loop, live->start);
	if (plan->ready)
		plan->ready(plan->context);
	loop_run(live->loop, turn, live);
	exchange_end(live->exchange);
	live_tell_refused(live, true);
	view = view_of(live);
	live_event(live, "trial-stop", live->trial);
	live_report(live, &report);
	record_sync(live->record);
	view.lost = record_lost(live->record);
	report.lost = view.lost - live->lost_before;
	record_trial(live->record, &report);
	log_end(); /* no packet is left that could wait */
	if (end)
		end(plan->context, &view, &report);
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
	if (!live_open(&live, &user, on_stop_signal, on_hang_up, err))
		go(&live, end);
	live_close(&live, err);
	return err->n == faults ? 0 : -1;
}
