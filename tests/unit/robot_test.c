/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * robot_test.c - who lives in a session: operator, vehicle, view, stops
 *
 * Floor: tests.
 */
#include "session/session.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/bench.h"

#define MS NSEC_PER_MS

/* Steps of 10 ms that publish their odometry, without any inertia. */
#define ARM                                                                    \
	"[link]\nrobot = internal\n"                                           \
	"[uplink command]\nport = 5002\nchain = there\n"                       \
	"[downlink odom]\nport = 5010\nchain = back\n"                         \
	"[condition there]\ntype = delay\ndelay = %dms\n"                      \
	"[condition back]\ntype = delay\ndelay = %dms\n"                       \
	"[vehicle]\nodom_every = 10ms\n"
#define SAFETY "[safety]\non_start = 2\non_exit = 3\n"

/**
 * struct home - A session with whoever lives in it, and what was seen
 * @plan:	Who
 * @moved:	First step in which the wheels moved
 * @seen:	First time at which the operator saw that, @age how old it was
 * @row:	Latest step, the last of @rows
 * @views:	Changes of the view
 * @injected:	Stops of ours
 * @settled:	Packets
 * @hash:	Of all rows, views and packets
 */
struct home {
	struct bench bench;
	struct session_plan plan;
	nsec moved, seen, age;
	struct vehicle_row row;
	size_t rows, views, injected, settled;
	uint64_t hash;
};

static void mix(struct home *home, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < size; i++)
		home->hash = (home->hash ^ at[i]) * UINT64_C(0x100000001b3);
}

static void on_step(void *context, const struct vehicle_row *row)
{
	struct home *home = context;

	home->row = *row;
	home->rows++;
	mix(home, &row->time, sizeof(row->time));
	mix(home, &row->truth, sizeof(row->truth));
	mix(home, &row->odom, sizeof(row->odom));
	if (row->twist.vx > 0.0 && home->moved < 0)
		home->moved = row->time;
}

static void on_view(void *context, nsec now,
		    const struct reconstruction_view *view)
{
	struct home *home = context;

	home->views++;
	mix(home, &now, sizeof(now));
	mix(home, &view->pose, sizeof(view->pose));
	if (view->twist.vx > 0.0 && home->seen < 0) {
		home->seen = now;
		home->age = now - view->sampled;
	}
}

static void forget(struct home *home)
{
	home->moved = home->seen = home->age = -1;
	home->rows = home->views = home->injected = home->settled = 0;
	home->hash = 0;
}

/* Move in, behind bench_open(). */
static void move_in(struct home *home, const char *script)
{
	struct err err = { 0 };

	forget(home);
	home->plan = (struct session_plan){
		.vehicle = true,
		.stops = session_arm(home->bench.session)->safety.active,
		.drive = script,
		.drive_size = script ? strlen(script) : 0,
		.drive_name = "script",
		.watch = { on_step, on_view, home },
	};
	cr_assert_eq(session_inhabit(home->bench.session, &home->plan, &err),
		     0);
}

/* Take all up to a time. */
static void run(struct home *home, nsec until)
{
	struct packet *packet;

	while ((packet = session_take(home->bench.session, until))) {
		home->settled++;
		home->injected += packet->fate == FATE_INJECTED;
		mix(home, &packet->due, sizeof(packet->due));
		session_give(home->bench.session, packet);
	}
}

/* A datagram of the headset's. */
static void say(struct home *home, nsec at, const char *payload)
{
	static const struct entry up = { UPLINK, CHANNEL_NONE, 5002 };
	uint32_t len = (uint32_t)strlen(payload);
	struct packet *packet =
		session_packet(home->bench.session, packet_room(AF_INET, len));
	union address from, to;

	cr_assert(address_parse("127.0.0.1:9", &from));
	cr_assert(address_parse("127.0.0.1:5002", &to));
	packet_build(packet, &from, &to, len);
	memcpy(packet->ip + packet->payload, payload, len);
	session_put(home->bench.session, at, &up, packet);
}

/* A vehicle steps for ever: it is retired before the bench is cleared. */
static void move_out(struct home *home)
{
	session_retire(home->bench.session);
	run(home, NSEC_NEVER);
	bench_close(&home->bench);
}

#define GO_AT_ONE_SECOND "time,vx,vy,wz\n0,0,0,0\n1,0.15,0,0\n2,0,0,0\n"

Test(robot, a_split_of_the_delay_moves_the_reaction_and_not_the_picture)
{
	static const struct {
		int up, down;
	} splits[] = { { 200, 0 }, { 0, 200 }, { 100, 100 } };

	for (int i = 0; i < 3; i++) {
		struct home home;

		bench_open(&home.bench, ARM, splits[i].up, splits[i].down);
		move_in(&home, GO_AT_ONE_SECOND);
		run(&home, 3000 * MS);
		cr_assert_eq(home.moved, (1000 + splits[i].up) * MS);
		cr_assert_eq(home.seen, 1200 * MS);
		cr_assert_eq(home.age, splits[i].down * MS);
		move_out(&home);
	}
}

Test(robot, a_command_at_the_time_of_a_step_counts_in_it)
{
	struct home home;

	bench_open(&home.bench, ARM, 0, 0);
	move_in(&home, NULL);
	say(&home, 50 * MS, "{\"vx\":0.1,\"vy\":0,\"wz\":0}");
	run(&home, 50 * MS);
	cr_assert_eq(home.rows, 5);
	cr_assert_eq(home.row.time, 50 * MS);
	cr_assert_eq(home.row.requested.vx, 0.1);
	cr_assert_eq(home.row.command_age, 0);
	/* and what the step published is out already */
	cr_assert_eq(home.views, 5);
	cr_assert_eq(
		session_view(home.bench.session) &&
			reconstruction_view(session_view(home.bench.session))
					->sampled == 50 * MS,
		true);
	move_out(&home);
}

Test(robot, a_burst_within_a_step_is_applied_in_order)
{
	struct home home;

	bench_open(&home.bench, ARM, 0, 0);
	move_in(&home, NULL);
	for (int i = 1; i <= 10; i++) {
		char text[64];

		snprintf(text, sizeof(text), "{\"vx\":0.%d,\"vy\":0,\"wz\":0}",
			 100 + i);
		say(&home, 5 * MS, text);
	}
	run(&home, 10 * MS);
	cr_assert_eq(home.row.requested.vx, 0.11);
	cr_assert_eq(
		vehicle_counts(session_vehicle(home.bench.session))->accepted,
		10);
	move_out(&home);
}

Test(robot, what_the_uplink_suppressed_the_vehicle_never_hears)
{
	struct home home;

	bench_open(&home.bench,
		   "[link]\nrobot = internal\n"
		   "[uplink command]\nport = 5002\nchain = gone\n"
		   "[condition gone]\ntype = loss\nprobability = 100%%\n");
	move_in(&home, GO_AT_ONE_SECOND);
	run(&home, 3000 * MS);
	cr_assert_eq(home.rows, 300);
	cr_assert_eq(home.row.command_age, -1);
	cr_assert_eq(home.row.truth.x, 0.0);
	move_out(&home);
}

Test(robot, what_is_forwarded_the_vehicle_hears_and_what_is_dropped_not)
{
	static const char *const unmatched[] = { "forward", "drop" };

	for (int i = 0; i < 2; i++) {
		struct home home;

		bench_open(&home.bench,
			   "[arm]\nunmatched = %s\n[link]\nrobot = internal\n"
			   "[uplink voice]\nport = 7\n",
			   unmatched[i]);
		move_in(&home, NULL);
		say(&home, 5 * MS, "{\"vx\":0.1,\"vy\":0,\"wz\":0}");
		run(&home, 10 * MS);
		cr_assert_eq(home.row.command_age, i ? -1 : 5 * MS);
		move_out(&home);
	}
}

Test(robot, numbers_that_are_none_do_not_keep_it_moving)
{
	struct home home;

	bench_open(&home.bench, ARM "timeout = 300ms\n", 0, 0);
	move_in(&home, NULL);
	say(&home, 0, "{\"vx\":0.1,\"vy\":0,\"wz\":0}");
	for (int i = 1; i < 100; i++) {
		run(&home, i * 10 * MS);
		say(&home, i * 10 * MS, "{\"vx\":NaN,\"vy\":0,\"wz\":0}");
		cr_assert_eq(home.row.twist.vx > 0.0, i * 10 <= 300, "at %d ms",
			     i * 10);
	}
	cr_assert_eq(vehicle_counts(session_vehicle(home.bench.session))
			     ->rejected[REJECT_NOT_FINITE],
		     98);
	move_out(&home);
}

Test(robot, a_stop_of_ours_passes_the_chain_by)
{
	struct home home;

	bench_open(&home.bench, ARM SAFETY, 1000, 0);
	move_in(&home, NULL);
	say(&home, 0, "{\"vx\":0.1,\"vy\":0,\"wz\":0}");
	run(&home, 1200 * MS);
	cr_assert_eq(home.row.requested.vx, 0.1);
	session_inject(home.bench.session, 1205 * MS, "on_exit");
	run(&home, 1210 * MS);
	cr_assert_eq(home.injected, 1);
	cr_assert_eq(home.row.requested.vx, 0.0);
	cr_assert_eq(home.row.command_age, 5 * MS);
	move_out(&home);
}

Test(robot, a_command_that_comes_in_time_keeps_the_dead_man_alive)
{
	struct home home;

	/* ten commands a second, 100 ms apart: in time to the nanosecond */
	bench_open(&home.bench, ARM SAFETY "deadman = 100ms\n", 30, 0);
	move_in(&home, "0,0.1,0,0\n2,0,0,0\n");
	run(&home, 2129 * MS);
	cr_assert_eq(home.injected, 0);
	cr_assert_eq(home.row.requested.vx, 0.0);
	run(&home, 2130 * MS);
	cr_assert_eq(home.injected, 1);
	/* once, and said in the step of the same time */
	cr_assert_eq(home.row.time, 2130 * MS);
	cr_assert_eq(home.row.command_age, 0);
	run(&home, 9000 * MS);
	cr_assert_eq(home.injected, 1);
	say(&home, 9000 * MS, "{\"vx\":0.1,\"vy\":0,\"wz\":0}");
	run(&home, 9500 * MS);
	cr_assert_eq(home.injected, 2);
	move_out(&home);
}

Test(robot, a_command_at_the_dead_mans_time_comes_before_him)
{
	struct home home;

	bench_open(&home.bench, ARM SAFETY "deadman = 100ms\n", 0, 0);
	move_in(&home, "0,0.1,0,0\n2,0,0,0\n");
	run(&home, 2099 * MS);
	cr_assert_eq(home.injected, 0);
	run(&home, 2100 * MS);
	cr_assert_eq(home.injected, 1);
	move_out(&home);
}

Test(robot, what_comes_late_counts_from_the_step_that_it_missed)
{
	struct home home;

	bench_open(&home.bench, "[link]\nrobot = internal\n"
				"[uplink command]\nport = 5002\n" SAFETY);
	move_in(&home, NULL);
	run(&home, 50 * MS);
	session_inject(home.bench.session, 45 * MS, "on_exit");
	run(&home, 60 * MS);
	cr_assert_eq(home.row.command_age, 10 * MS);
	/* and never from before what was heard already */
	session_inject(home.bench.session, 75 * MS, "on_exit");
	run(&home, 70 * MS);
	session_inject(home.bench.session, 71 * MS, "on_exit");
	run(&home, 80 * MS);
	cr_assert_eq(home.row.command_age, 5 * MS);
	/* a trial begins at zero again */
	session_reset(home.bench.session, "next");
	session_inject(home.bench.session, 0, "on_start");
	run(&home, 10 * MS);
	cr_assert_eq(home.row.command_age, 10 * MS);
	move_out(&home);
}

Test(robot, a_view_that_nobody_watches_does_no_harm)
{
	struct home home;
	struct err err = { 0 };

	bench_open(&home.bench, ARM, 30, 0);
	forget(&home);
	home.plan = (struct session_plan){
		.vehicle = true,
		.watch = { on_step, NULL, &home },
	};
	cr_assert_eq(session_inhabit(home.bench.session, &home.plan, &err), 0);
	run(&home, 1000 * MS);
	cr_assert_eq(home.rows, 100);
	cr_assert_geq(home.settled, 99);
	cr_assert_eq(home.views, 0);
	move_out(&home);
}

#define NOISY ARM "encoder_noise = 5%%\nwheel_noise = 5%%\n"

Test(robot, two_trials_are_the_same_and_another_seed_is_not)
{
	static const char script[] = "0,0.1,0,0.2\n2,0.15,0,-0.1\n4,0,0,0\n";
	struct home home;
	uint64_t first;

	bench_open(&home.bench, "[arm]\nseed = 5\n" NOISY, 130, 70);
	move_in(&home, script);
	run(&home, 5000 * MS);
	cr_assert_eq(home.rows, 500);
	first = home.hash;
	for (int trial = 0; trial < 2; trial++) {
		for (uint16_t i = 0; i < 2; i++)
			session_flush(home.bench.session, i, "reset");
		run(&home, 5000 * MS);
		session_reset(home.bench.session, "next");
		forget(&home);
		run(&home, 5000 * MS);
		cr_assert_eq(home.rows, 500);
		cr_assert_eq(home.hash, first);
	}
	move_out(&home);

	bench_open(&home.bench, "[arm]\nseed = 6\n" NOISY, 130, 70);
	move_in(&home, script);
	run(&home, 5000 * MS);
	cr_assert_eq(home.rows, 500);
	cr_assert_neq(home.hash, first);
	move_out(&home);
}

Test(robot, whoever_is_retired_does_nothing_more_and_what_waits_leaves)
{
	struct home home;
	size_t settled;

	bench_open(&home.bench, ARM, 0, 500);
	move_in(&home, GO_AT_ONE_SECOND);
	run(&home, 1500 * MS);
	cr_assert_eq(home.rows, 150);
	settled = home.settled;
	session_retire(home.bench.session);
	cr_assert_eq(session_next(home.bench.session), 1510 * MS);
	run(&home, NSEC_NEVER - 1);
	cr_assert_eq(home.rows, 150);
	/* fifty poses were under way, each 500 ms */
	cr_assert_eq(home.settled - settled, 50);
	cr_assert_eq(session_next(home.bench.session), NSEC_NEVER);
	move_out(&home);
}

Test(robot, a_script_that_is_ended_sends_no_more)
{
	struct home home;

	bench_open(&home.bench, ARM, 100, 0);
	move_in(&home, GO_AT_ONE_SECOND);
	run(&home, 1050 * MS);
	cr_assert(session_is_scripted(home.bench.session));
	session_end_script(home.bench.session);
	cr_assert_not(session_is_scripted(home.bench.session));
	/* the command of 1 s is still on its way */
	cr_assert(session_is_driven(home.bench.session));
	run(&home, 1100 * MS);
	cr_assert_eq(home.row.requested.vx, 0.15);
	cr_assert_not(session_is_driven(home.bench.session));
	run(&home, 1500 * MS);
	cr_assert_eq(home.row.command_age, 400 * MS);
	move_out(&home);
}

Test(robot, a_script_needs_a_stream_to_send_to)
{
	static const char script[] = "0,0,0,0\n1,0,0,0\n";
	const struct session_plan plan = { .drive = script,
					   .drive_size = sizeof(script) - 1,
					   .drive_name = "s.csv" };
	struct err err = { 0 };
	struct bench bench;

	bench_open(&bench, "[link]\nrobot = internal\n"
			   "[downlink odom]\nport = 5010\n");
	cr_assert_lt(session_inhabit(bench.session, &plan, &err), 0);
	cr_assert_eq(err.n, 1);
	cr_assert(strstr(err.line[0], "drive script"));
	err_fini(&err);
	bench_close(&bench);
}
