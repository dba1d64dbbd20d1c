/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * robot_ends_test.c - to which stream and from where a session's own packets go
 *
 * Floor: tests.
 */
#include "session/session.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/bench.h"

#define SCRIPT "0,0.1,0,0\n0.2,0.1,0,0\n"

static struct bench bench;
static struct err err;

static void leave(void)
{
	err_fini(&err);
}

TestSuite(robot_ends, .fini = leave);

static int drive(const char *script)
{
	const struct session_plan plan = { .drive = script,
					   .drive_size = strlen(script),
					   .drive_name = "my.csv" };

	return session_inhabit(bench.session, &plan, &err);
}

/* The first packet that the script sends, read: its channel and its ends. */
static uint16_t first(char from[ADDRESS_TEXT], char to[ADDRESS_TEXT])
{
	struct packet *packet = session_take(bench.session, 0);
	union address source, target;
	uint16_t channel;

	cr_assert(packet);
	packet_ends(packet, &source, &target);
	address_print(&source, from);
	address_print(&target, to);
	channel = packet->channel;
	session_give(bench.session, packet);
	return channel;
}

/* The channel that the script of an arm is sent to. */
static uint16_t stream_of(const char *arm)
{
	char from[ADDRESS_TEXT], to[ADDRESS_TEXT];
	uint16_t channel;

	bench_open(&bench, "%s", arm);
	cr_assert_eq(drive(SCRIPT), 0, "%s", err.n ? err.line[0] : "");
	channel = first(from, to);
	session_free(bench.session);
	bench.session = NULL;
	arm_free(bench.arm[0]);
	return channel;
}

Test(robot_ends, commands_go_where_the_arm_says)
{
	/* by its name, whatever is before it */
	cr_assert_eq(stream_of("[link]\nrobot = 10.0.0.2\n"
			       "[uplink voice]\nport = 1\n"
			       "[uplink command]\nport = 2\n"),
		     1);
	/* as [safety] says */
	cr_assert_eq(stream_of("[link]\nrobot = 10.0.0.2\n"
			       "[uplink voice]\nport = 1\n"
			       "[uplink command]\nport = 2\n"
			       "[safety]\nstream = voice\n"),
		     0);
	/* or the first that has a port */
	cr_assert_eq(stream_of("[link]\nrobot = 10.0.0.2\n"
			       "[downlink odom]\nport = 1\n"
			       "[uplink ack]\nreply = odom\n"
			       "[uplink joystick]\nport = 2\n"
			       "[uplink voice]\nport = 3\n"),
		     2);
}

Test(robot_ends, there_must_be_a_stream_to_send_to)
{
	bench_open(&bench, "[link]\nrobot = 10.0.0.2\n"
			   "[downlink odom]\nport = 1\n"
			   "[uplink ack]\nreply = odom\n");
	cr_assert_eq(drive(SCRIPT), -1);
	cr_assert_str_eq(err.line[0],
			 "test.ini: there is no uplink stream with a port for "
			 "the drive script to send to");
	bench_close(&bench);
}

Test(robot_ends, a_script_that_is_none_is_told_with_its_line)
{
	bench_open(&bench, "[link]\nrobot = 10.0.0.2\n"
			   "[uplink command]\nport = 2\n");
	cr_assert_eq(drive("0,0,0,0\n1,fast,0,0\n"), -1);
	cr_assert_str_eq(err.line[0],
			 "my.csv: line 2: speeds are numbers in m/s and rad/s");
	bench_close(&bench);
}

Test(robot_ends, packets_are_between_the_ends_that_are_known)
{
	static const struct {
		const char *link, *from, *to;
	} cases[] = {
		{ "robot = internal\n", "127.0.0.1", "127.0.0.1" },
		{ "robot = 10.0.0.2\n", "127.0.0.1", "10.0.0.2" },
		{ "robot = 10.0.0.2\nheadset = 10.0.1.1\n", "10.0.1.1",
		  "10.0.0.2" },
		/* a network says nothing of who it is */
		{ "robot = 10.0.0.2\nheadset = 10.0.1.0/24\n", "127.0.0.1",
		  "10.0.0.2" },
		/* one IP version */
		{ "robot = fd00::2\n", "[fd00::2]", "[fd00::2]" },
		{ "robot = fd00::2\nheadset = fd00::1\n", "[fd00::1]",
		  "[fd00::2]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char from[ADDRESS_TEXT], to[ADDRESS_TEXT];

		bench_open(&bench, "[link]\n%s[uplink command]\nport = 77\n",
			   cases[i].link);
		cr_assert_eq(drive(SCRIPT), 0);
		first(from, to);
		cr_assert_eq(
			strncmp(from, cases[i].from, strlen(cases[i].from)), 0,
			"%s is not %s", from, cases[i].from);
		cr_assert_eq(strncmp(to, cases[i].to, strlen(cases[i].to)), 0,
			     "%s is not %s", to, cases[i].to);
		cr_assert_str_eq(strrchr(to, ':'), ":77");
		session_free(bench.session);
		arm_free(bench.arm[0]);
	}
}

Test(robot_ends, a_stream_of_the_vehicle_has_its_port_at_both_ends)
{
	const struct session_plan plan = { .vehicle = true };
	union address source, target;
	char from[ADDRESS_TEXT], to[ADDRESS_TEXT];
	struct packet *packet;

	/* the first of its ports; and its channel may be the arm's first */
	bench_open(&bench, "[link]\nrobot = internal\n"
			   "[downlink odom]\nport = 5010-5012, 6000\n"
			   "[uplink command]\nport = 5002\n"
			   "[vehicle]\nodom_every = 10ms\n");
	cr_assert_eq(session_inhabit(bench.session, &plan, &err), 0);
	packet = session_take(bench.session, 10 * MS);
	cr_assert(packet);
	cr_assert_eq(packet->channel, 0);
	packet_ends(packet, &source, &target);
	address_print(&source, from);
	address_print(&target, to);
	cr_assert_str_eq(from, "127.0.0.1:5010");
	cr_assert_str_eq(to, "127.0.0.1:5010");
	session_give(bench.session, packet);
	session_free(bench.session);
	arm_free(bench.arm[0]);
}

static size_t views;

static void on_view(void *context, nsec now,
		    const struct reconstruction_view *view)
{
	(void)context;
	cr_assert(view->has_pose && now >= 0);
	views++;
}

Test(robot_ends, what_answers_comes_from_the_port_that_was_asked)
{
	const struct session_plan plan = { .vehicle = true,
					   .watch = { .view = on_view } };
	struct packet *packet;
	size_t odom = 0;

	bench_open(&bench, "[link]\nrobot = internal\n"
			   "[uplink command]\nport = 5002\n"
			   "[downlink odom]\nreply = command\n"
			   "[vehicle]\nodom_every = 10ms\n");
	cr_assert_eq(session_inhabit(bench.session, &plan, &err), 0);
	views = 0;
	while ((packet = session_take(bench.session, 100 * MS))) {
		union address from, to;
		char text[ADDRESS_TEXT];

		packet_ends(packet, &from, &to);
		address_print(&from, text);
		cr_assert_str_eq(text, "127.0.0.1:5002");
		address_print(&to, text);
		cr_assert_str_eq(text, "127.0.0.1:49152");
		session_give(bench.session, packet);
		odom++;
	}
	cr_assert_gt(odom, 5);
	cr_assert_eq(views, odom);
	bench.in = bench.n = 0;
	session_free(bench.session);
	arm_free(bench.arm[0]);
}
