/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * drive.c - an operator that sends commands by the clock
 *
 * Floor: edge.
 *
 * How it works
 *
 * A script is a machine in virtual time: it says when its next datagram is due,
 * and is asked for it then.  By hand, what the controls ask for is sent at each
 * multiple of the period; moments that were missed are not made up for.
 */
#include "edge/drive.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "edge/gamepad.h"
#include "edge/keys.h"
#include "edge/log.h"
#include "edge/loop.h"
#include "edge/sender.h"

/* Speeds below this count as none, as in the reference app. */
#define IDLE 0.0005

struct drive {
	const struct drive_plan *plan;
	struct loop *loop;
	struct sender sender;
	struct script *script;
	struct gamepad *gamepad;
	struct keys keys;
	struct stick stick;
	bool shows; /* speeds, on a terminal */
	bool over;
	int64_t start, next;
};

static void send_twist(struct drive *drive, const struct twist *twist)
{
	char bytes[SCRIPT_ROOM];
	size_t len = script_print(bytes, twist->vx, twist->vy, twist->wz);

	sender_send(&drive->sender, bytes, len);
}

static void send_stops(struct drive *drive, unsigned count)
{
	const struct twist still = { 0.0, 0.0, 0.0 };

	while (count-- > 0)
		send_twist(drive, &still);
}

/* Stop the vehicle, whatever was going on. */
static void stop(struct drive *drive)
{
	if (!drive->over)
		send_stops(drive, drive->plan->settings.end_stops);
	drive->over = true;
	loop_stop(drive->loop);
}

static void on_signal(void *context, int number)
{
	(void)number;
	stop(context);
}

static void turn_script(struct drive *drive)
{
	struct script_datagram datagram;
	int64_t now = loop_clock() - drive->start;

	while (script_take(drive->script, now, &datagram))
		sender_send(&drive->sender, datagram.bytes, datagram.len);
	if (script_next(drive->script) == NSEC_NEVER)
		loop_stop(drive->loop);
	else
		loop_timer(drive->loop,
			   drive->start + script_next(drive->script));
}

static void show(const struct drive *drive, const struct twist *twist)
{
	char line[120];
	int n;

	if (!drive->shows)
		return;
	n = snprintf(line, sizeof(line),
		     "\rvx %+.2f m/s  vy %+.2f m/s  wz %+.2f rad/s  sent "
		     "%" PRIu64 "\033[K",
		     twist->vx, twist->vy, twist->wz, drive->sender.sent);
	(void)log_write(STDERR_FILENO, line, (size_t)n);
}

static void turn_by_hand(struct drive *drive)
{
	const struct drive_plan *plan = drive->plan;
	int64_t period = 1000 * NSEC_PER_S / plan->settings.rate_mhz;
	int64_t now = loop_clock();
	struct twist twist;

	if (now >= drive->next) {
		if (plan->by == DRIVE_KEYBOARD)
			drive->stick = keys_stick(&drive->keys, now);
		twist = stick_twist(&drive->stick, plan->speed, plan->turn);
		if (plan->settings.idle == SCRIPT_IDLE_ZEROS ||
		    fabs(twist.vx) >= IDLE || fabs(twist.vy) >= IDLE ||
		    fabs(twist.wz) >= IDLE)
			send_twist(drive, &twist);
		show(drive, &twist);
		drive->next += ((now - drive->next) / period + 1) * period;
	}
	loop_timer(drive->loop, drive->next);
}

static void turn(void *context)
{
	struct drive *drive = context;

	if (drive->over)
		return; /* nothing comes behind the stops */
	if (drive->script)
		turn_script(drive);
	else
		turn_by_hand(drive);
}

static void on_key(void *context)
{
	struct drive *drive = context;

	keys_read(&drive->keys, loop_clock());
	if (drive->keys.quit)
		stop(drive);
}

static void on_gamepad(void *context)
{
	struct drive *drive = context;

	if (gamepad_read(drive->gamepad, &drive->stick))
		return;
	log_say("the gamepad is gone");
	stop(drive);
}

static int open_hands(struct drive *drive, struct err *err)
{
	const struct drive_plan *plan = drive->plan;
	bool watched;

	drive->shows = isatty(STDERR_FILENO);
	if (plan->by == DRIVE_KEYBOARD) {
		if (keys_open(err) < 0)
			return -1;
		log_say("W and S drive, A and D go sideways, Q and E turn, "
			"space stops, X ends");
		watched = loop_watch(drive->loop, STDIN_FILENO, on_key, drive);
	} else {
		drive->gamepad = gamepad_open(plan->device, err);
		if (!drive->gamepad)
			return -1;
		log_say("%s: the left stick drives, the triggers turn, Ctrl-C "
			"ends",
			gamepad_name(drive->gamepad));
		(void)gamepad_read(drive->gamepad, &drive->stick);
		watched = loop_watch(drive->loop, gamepad_fd(drive->gamepad),
				     on_gamepad, drive);
	}
	return watched ? 0 : err_add_machine(err, "it cannot be watched");
}

static int open_script(struct drive *drive, struct err *err)
{
	const struct drive_plan *plan = drive->plan;
	char why[256];

	drive->script = script_new(plan->script, plan->script_size,
				   &plan->settings, why, sizeof(why));
	if (!drive->script)
		return err_add(err, "%s: %s", plan->script_name, why);
	return 0;
}

static int open_all(struct drive *drive, struct err *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const struct drive_plan *plan = drive->plan;

	drive->loop = loop_new(err);
	if (!drive->loop || sender_open(&drive->sender, &plan->to, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!loop_signal(drive->loop, signals[i], on_signal, drive))
			return err_add_machine(err, "signals cannot be caught");
	return plan->by == DRIVE_SCRIPT ? open_script(drive, err)
					: open_hands(drive, err);
}

int drive_run(const struct drive_plan *plan, struct drive_end *end,
	      struct err *err)
{
	struct drive drive = { .plan = plan, .sender = { .fd = -1 } };
	int status = open_all(&drive, err);

	if (!status) {
		drive.start = drive.next = loop_clock();
		if (!drive.script)
			send_stops(&drive, plan->settings.start_stops);
		loop_timer(drive.loop, drive.start);
		loop_run(drive.loop, turn, &drive);
		if (drive.shows)
			(void)log_write(STDERR_FILENO, "\n", 1);
	}
	keys_close();
	gamepad_close(drive.gamepad);
	script_free(drive.script);
	*end = (struct drive_end){ drive.sender.sent, drive.sender.errors };
	sender_close(&drive.sender);
	loop_free(drive.loop);
	return status;
}
