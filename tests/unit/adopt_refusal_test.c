/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * adopt_refusal_test.c - what of an arm cannot change while a session runs
 *
 * Floor: tests.
 */
#include "session/session.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct catalog catalog;
static struct err err;
static struct arm *was;
static struct session *session;

static void leave(void)
{
	session_free(session);
	session = NULL;
	arm_free(was);
	was = NULL;
	err_fini(&err);
}

TestSuite(adopt_refusal, .fini = leave);

static struct arm *make(const char *text)
{
	const struct arm_source source = { .file = "new.ini",
					   .text = text,
					   .size = strlen(text),
					   .catalog = &catalog };
	struct arm *arm;

	catalog_init(&catalog);
	arm = arm_new(&source, &err, NULL);
	cr_assert(arm, "%s: %s", text, err.n ? err.line[0] : "");
	return arm;
}

/* A session of one arm is asked to go on with another: what it says to that,
 * "" where it does.
 */
static const char *change(const char *from, const char *to)
{
	static char said[1024];
	struct arm *now;
	int status;

	leave();
	was = make(from);
	session = session_new(was, "1", &err);
	cr_assert(session);
	now = make(to);
	status = session_adopt(session, 0, now, &err);
	cr_assert_eq(status, err.n ? -1 : 0);
	cr_assert_leq(err.n, 1, "%s", err.n > 1 ? err.line[1] : "");
	snprintf(said, sizeof(said), "%s", err.n ? err.line[0] : "");
	cr_assert_eq(session_arm(session), status ? was : now);
	session_free(session);
	session = NULL;
	arm_free(now);
	return said;
}

#define LINK	"[link]\nrobot = 10.0.0.2\n"
#define CHANNEL "[uplink a]\nport = 1\n"
#define ROUTER	"[link]\nmode = transparent\nrobot = 10.0.0.2\n"

Test(adopt_refusal, another_robot_of_a_relay_is_another_destination)
{
	cr_assert_str_eq(
		change(LINK CHANNEL, "[link]\nrobot = 10.0.0.3\n" CHANNEL), "");
	cr_assert_str_eq(
		change(LINK CHANNEL, "[link]\nrobot = fd00::3\n" CHANNEL),
		"new.ini: a change of [link] needs a restart");
	cr_assert_str_eq(change(ROUTER CHANNEL, "[link]\nmode = transparent\n"
						"robot = 10.0.0.3\n" CHANNEL),
			 "new.ini: a change of [link] needs a restart");
	cr_assert_str_eq(
		change(LINK CHANNEL, "[link]\nrobot = internal\n" CHANNEL),
		"new.ini: a change of [link] needs a restart");
	cr_assert_str_eq(
		change("[link]\nrobot = internal\n" CHANNEL, LINK CHANNEL),
		"new.ini: a change of [link] needs a restart");
}

Test(adopt_refusal, the_link_stays_as_it_is)
{
	static const char *const rows[] = {
		"headset_interface = eth0\n", "robot_interface = eth1\n",
		"topology = bridged\n",	      "mark = 7\n",
		"route_table = 7\n",	      "rule_priority = 7\n",
		"headset = 10.0.1.1\n",
	};
	char text[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), ROUTER "%s" CHANNEL, rows[i]);
		cr_assert_str_eq(change(ROUTER CHANNEL, text),
				 "new.ini: a change of [link] needs a restart",
				 "%s", rows[i]);
		cr_assert_str_eq(change(text, text), "");
	}
	cr_assert_str_eq(
		change(LINK CHANNEL, LINK "listen = 127.0.0.1\n" CHANNEL),
		"new.ini: a change of [link] needs a restart");
	cr_assert_str_eq(change(LINK CHANNEL, ROUTER CHANNEL),
			 "new.ini: a change of [link] needs a restart");
}

Test(adopt_refusal, channels_stay_where_and_what_they_are)
{
	static const struct {
		const char *from, *to, *what;
	} cases[] = {
		{ "[uplink a]\nport = 1\n", "[uplink b]\nport = 1\n",
		  "new.ini:3: [uplink b]: a change of the order or names of "
		  "channels needs a restart" },
		{ "[uplink a]\nport = 1\n", "[downlink a]\nport = 1\n",
		  "new.ini:3: [downlink a]: a change of the order or names of "
		  "channels needs a restart" },
		{ "[uplink a]\nport = 1\n", "[uplink a]\nport = 2\n",
		  "new.ini:3: [uplink a]: a change of port, reply or match "
		  "needs a restart" },
		{ "[uplink a]\nport = 1\n",
		  "[uplink a]\nport = 1\nmatch = udp[8] = 1\n",
		  "new.ini:3: [uplink a]: a change of port, reply or match "
		  "needs a restart" },
		{ "[uplink a]\nport = 1\n",
		  "[uplink a]\nport = 1\nto = 10.0.0.9\n",
		  "new.ini:3: [uplink a]: a change of to, listen or "
		  "source_port needs a restart" },
		{ "[uplink a]\nport = 1\n",
		  "[uplink a]\nport = 1\nsource_port = 9\n",
		  "new.ini:3: [uplink a]: a change of to, listen or "
		  "source_port needs a restart" },
		{ "[uplink a]\nport = 1\n",
		  "[uplink a]\nport = 1\nlisten = 127.0.0.1\n",
		  "new.ini:3: [uplink a]: a change of to, listen or "
		  "source_port needs a restart" },
		{ "[uplink a]\nport = 1\n",
		  "[uplink a]\nport = 1\n[uplink b]\nport = 2\n",
		  "new.ini: another number of channels needs a restart" },
	};
	char from[256], to[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(from, sizeof(from), LINK "%s", cases[i].from);
		snprintf(to, sizeof(to), LINK "%s", cases[i].to);
		cr_assert_str_eq(change(from, to), cases[i].what);
	}
}

Test(adopt_refusal, sections_that_are_read_once_stay)
{
	static const char one[] = LINK CHANNEL "[record]\nfolder = x\n"
					       "late_p99 = 1ms\n";

	cr_assert_str_eq(change(one, LINK CHANNEL "[record]\nfolder = y\n"
						  "late_p99 = 1ms\n"),
			 "", "where it goes was settled at the start");
	cr_assert_str_eq(change(one, LINK CHANNEL "[record]\nlate_p99 = 2ms\n"),
			 "new.ini: a change of [record] needs a restart");
	cr_assert_str_eq(change(one, LINK CHANNEL "[record]\nlate_max = 1ms\n"),
			 "new.ini: a change of [record] needs a restart");
	cr_assert_str_eq(change(one, LINK CHANNEL),
			 "new.ini: a change of [record] needs a restart");
	cr_assert_str_eq(change(LINK CHANNEL, one),
			 "new.ini: a change of [record] needs a restart");
	cr_assert_str_eq(change(LINK CHANNEL "[safety]\nstream = a\n"
					     "on_start = 2\n",
				LINK CHANNEL "[safety]\nstream = a\n"
					     "on_start = 3\n"),
			 "new.ini: a change of [safety] needs a restart");
	cr_assert_str_eq(change("[link]\nrobot = internal\n" CHANNEL
				"[vehicle]\nstep = 10ms\n",
				"[link]\nrobot = internal\n" CHANNEL
				"[vehicle]\nstep = 20ms\n"),
			 "new.ini: a change of [vehicle] needs a restart");
}

Test(adopt_refusal, no_more_room_than_was_reserved)
{
	static const char small[] = LINK CHANNEL "limit_packets = 50\n"
						 "limit_bytes = 50kB\n";
	static const char no[] = "new.ini: its limits are larger in all than "
				 "those that memory was reserved for; that "
				 "needs a restart";

	cr_assert_str_eq(change(small, LINK CHANNEL "limit_packets = 51\n"
						    "limit_bytes = 50kB\n"),
			 no);
	cr_assert_str_eq(change(small, LINK CHANNEL "limit_packets = 50\n"
						    "limit_bytes = 51kB\n"),
			 no);
	cr_assert_str_eq(change(small, LINK CHANNEL "limit_packets = 49\n"
						    "limit_bytes = 49kB\n"),
			 "");
}
