/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm_test.c - what an arm says, and every fault with its file and line
 *
 * Floor: tests.
 */
#include "session/arm.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LINK "[link]\nrobot = 10.0.0.2\n"
#define A    "[uplink a]\nport = 1\n"

static struct catalog catalog;
static struct err err, warnings;
static const char *sets[8];
static size_t n_sets;

static struct arm *make(const char *text)
{
	const struct arm_source source = { .file = "arm.ini",
					   .text = text,
					   .size = strlen(text),
					   .sets = sets,
					   .n_sets = n_sets,
					   .catalog = &catalog };
	struct arm *arm;

	catalog_init(&catalog);
	err_fini(&err);
	err_fini(&warnings);
	arm = arm_new(&source, &err, &warnings);
	cr_assert_eq(arm == NULL, err.n > 0);
	return arm;
}

static struct arm *good(const char *text)
{
	struct arm *arm = make(text);

	cr_assert(arm, "%s", err.n ? err.line[0] : "");
	return arm;
}

static void forget(struct arm *arm)
{
	arm_free(arm);
	err_fini(&err);
	err_fini(&warnings);
	n_sets = 0;
}

static bool told(const struct err *list, const char *where, const char *words)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strncmp(list->line[i], where, strlen(where)) &&
		    strstr(list->line[i], words))
			return true;
	return false;
}

/* The arm has one fault: at that place, with those words. */
static void refused(const char *text, const char *where, const char *words)
{
	cr_assert(!make(text), "%s", text);
	cr_assert(told(&err, where, words), "%s wanted: %s", words,
		  err.line[0]);
	cr_assert_eq(err.n, 1, "%s", err.n > 1 ? err.line[1] : "");
	cr_assert(!err.machine);
	forget(NULL);
}

Test(arm, says_what_its_file_says)
{
	struct arm *arm =
		good("[arm]\nname = j\nseed = 20260817\ntick = 20ms\n"
		     "unmatched = forward\ntrials = derived\n"
		     "[link]\nrobot = 10.0.0.2\nheadset = 10.0.1.0/24\n"
		     "[uplink command]\nport = 5002, 6000-6009\nchain = w , w\n"
		     "limit_packets = 7\nlimit_bytes = 1KiB\non_exit = drain\n"
		     "[downlink answer]\nreply = command\n"
		     "[condition w]\ntype = delay\ndelay = 2.56s\n");
	const struct arm_channel *command = &arm->channel[0];
	const struct arm_channel *answer = &arm->channel[1];

	cr_assert_eq(arm->general.seed, 20260817);
	cr_assert_eq(arm->general.tick, 20 * NSEC_PER_MS);
	cr_assert_eq(arm->general.unmatched, UNMATCHED_FORWARD);
	cr_assert_eq(arm->general.trials, TRIALS_DERIVED);
	cr_assert(arm->link.has_robot && arm->link.learn);
	cr_assert_eq(arm->link.headset.bits, 24);
	cr_assert_eq(arm->n_channels, 2);
	cr_assert_str_eq(command->plan.stream, "command");
	cr_assert_eq(command->plan.direction, UPLINK);
	cr_assert_eq(command->plan.n_chain, 2);
	cr_assert_eq(command->plan.tick, 20 * NSEC_PER_MS);
	cr_assert_eq(command->plan.limit_packets, 7);
	cr_assert_eq(command->plan.limit_bytes, 1024);
	cr_assert_eq(command->rule.n_ports, 2);
	cr_assert_eq(command->rule.ports[1].lo, 6000);
	cr_assert_eq(command->rule.ports[1].hi, 6009);
	cr_assert_eq(arm_on_exit(command), EXIT_DRAIN);
	cr_assert_eq(answer->rule.reply, 0);
	cr_assert_eq(arm_on_exit(answer), EXIT_DRAIN);
	cr_assert_eq(warnings.n, 0);
	forget(arm);
}

Test(arm, presets_stand_where_it_says_nothing)
{
	struct arm *arm = good(LINK A);
	const struct channel_plan *plan = &arm->channel[0].plan;

	cr_assert_eq(arm->general.tick, 0);
	cr_assert_eq(arm->general.unmatched, UNMATCHED_DROP);
	cr_assert_eq(arm->general.trials, TRIALS_SAME);
	cr_assert_eq(plan->n_chain, 0);
	cr_assert_eq(plan->limit_packets, 100000);
	cr_assert_eq(plan->limit_bytes, 32 << 20);
	cr_assert(plan->keep_order);
	cr_assert_eq(arm_on_exit(&arm->channel[0]), EXIT_DROP);
	cr_assert(arm->link.learn);
	forget(arm);
}

Test(arm, names_are_trimmed_and_told_apart_by_case)
{
	struct arm *arm = good(LINK "[uplink   video  ]\nport = 1\n"
				    "[uplink Video]\nport = 2\n"
				    "[downlink video]\nport = 1\n");

	cr_assert_eq(arm->n_channels, 3);
	cr_assert_str_eq(arm->channel[0].plan.stream, "video");
	forget(arm);
	cr_assert(!make(LINK A "[uplink  a ]\nport = 2\n"));
	cr_assert(told(&err, "arm.ini:5", "uplink a"));
	forget(NULL);
}

Test(arm, all_faults_are_told_at_once_with_file_and_line)
{
	static const char *const faults[][2] = {
		{ "arm.ini:2: ", "tick = 20: '20' has no unit" },
		{ "arm.ini:3: ", "colour is no key of [arm]" },
		{ "arm.ini:4: ", "no section [links]" },
		{ "arm.ini:6: ", "port = 70000" },
		{ "arm.ini:7: ", "at is no key of [downlink a]" },
		{ "arm.ini:8: ", "limit_packets = 0" },
		{ "arm.ini:9: ", "no [condition nobody]" },
		{ "arm.ini:10: ", "either a port or a reply" },
		{ "arm.ini:10: ", "where the robot is" },
		{ "arm.ini:13: ", "delay = -5ms" },
		{ "arm.ini:15: ", "no such condition" },
		{ "arm.ini:16: ", "no type" },
		{ "arm.ini:17: ", "has no base" },
	};
	const size_t n = sizeof(faults) / sizeof(faults[0]);

	cr_assert(!make("[arm]\ntick = 20\ncolour = red\n[links]\n"
			"[downlink a]\nport = 70000\nat = 3\n"
			"limit_packets = 0\nchain = nobody\n[uplink b]\n"
			"[condition d]\ntype = delay\ndelay = -5ms\n"
			"[condition e]\ntype = fade\n[condition f]\n"
			"[condition g]\ntype = jitter\njitter = 1ms\n"));
	for (size_t i = 0; i < n; i++)
		cr_assert(told(&err, faults[i][0], faults[i][1]), "%s%s",
			  faults[i][0], faults[i][1]);
	cr_assert_eq(err.n, n);
	forget(NULL);
}

Test(arm, a_section_that_is_none_is_refused)
{
	refused(LINK A "[links]\nx = 1\n", "arm.ini:5: ", "no section [links]");
	refused(LINK A "[uplink]\nport = 2\n", "arm.ini:5: ", "needs a name");
	refused(LINK A "[arm x]\n", "arm.ini:5: ", "no section [arm x]");
	refused(LINK A "[]\n", "arm.ini:5: ", "no section []");
	refused(LINK A "[Arm]\n", "arm.ini:5: ", "no section [Arm]");
	refused("[arm]\n", "arm.ini: ", "no channel");
}

Test(arm, a_value_that_is_none_is_refused)
{
	refused("[arm]\ntick = 20\n" LINK A, "arm.ini:2: ", "no unit");
	refused("[arm]\ntick = -20ms\n" LINK A, "arm.ini:2: ", "out of range");
	refused("[arm]\ntick = NaN\n" LINK A, "arm.ini:2: ", "no plain number");
	refused("[arm]\ntick = 1e999ms\n" LINK A, "arm.ini:2: ", "e999ms");
	refused("[arm]\nseed = -1\n" LINK A, "arm.ini:2: ", "out of range");
	refused("[arm]\nseed =\n" LINK A, "arm.ini:2: ", "seed");
	refused("[arm]\ntrials = both\n" LINK A, "arm.ini:2: ", "same|derived");
	refused("[arm]\ncolour = red\n" LINK A, "arm.ini:2: ", "seed");
	refused("[arm]\nTick = 20ms\n" LINK A, "arm.ini:2: ", "no key");
}

Test(arm, a_port_is_1_to_65535)
{
	static const char *const bad[][2] = {
		{ "0", "1 to 65535" },
		{ "70000", "4464" },
		{ "65536", "1 to 65535" },
		{ "", "port" },
		{ "-1", "write a port" },
		{ "5002-", "write a port" },
		{ "0-x", "1 to 65535" },
		{ "5002-0", "1 to 65535" },
		{ "5002-70000", "4464" },
		{ "5009-5002", "upwards" },
		{ "5002,", "write a port" },
		{ ",5002", "write a port" },
		{ "5002 5003", "write a port" },
		{ "http", "write a port" },
		{ "5002.5", "write a port" },
		{ "99999999999999999999999", "1 to 65535" },
		{ "1-2-3", "write a port" },
	};
	char text[256];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), LINK "[uplink a]\nport = %s\n",
			 bad[i][0]);
		refused(text,
			*bad[i][0] ? "arm.ini:4: " : "arm.ini:3: ", bad[i][1]);
	}
	forget(good(LINK "[uplink a]\nport = 1 - 65535\n"));
	forget(good(LINK "[uplink a]\nport = 00001,65535 ,7\n"));
}

Test(arm, an_address_is_one_of_its_kind)
{
	refused("[link]\nrobot = robbie\n" A, "arm.ini:2: ", "robot = robbie");
	refused("[link]\nrobot = 10.0.0.2:5002\n" A, "arm.ini:2: ", "robot");
	refused(LINK "headset = all\n" A, "arm.ini:3: ", "learn");
	refused(LINK "headset = 10.0.0.0/33\n" A, "arm.ini:3: ", "network");
	refused(LINK "listen = 10.0.0.1:5\n" A, "arm.ini:3: ", "listen");
	refused(LINK A "to = 10.0.0.2:70000\n", "arm.ini:5: ", "ADDRESS:PORT");
	refused(LINK A "listen = here\n", "arm.ini:5: ", "listen");
	refused("[link]\nheadset = learn\n" A,
		"arm.ini:3: ", "where the robot is");
	forget(good("[link]\nrobot = fd00::2\n" A "to = [fd00::3]:5\n"));
	forget(good("[uplink a]\nport = 1\nto = 10.0.0.2\n"));
}

Test(arm, a_chain_names_conditions_that_exist)
{
	char text[4096] = LINK "[uplink a]\nport = 1\nchain = w\n";

	refused(text, "arm.ini:5: ", "no [condition w]");
	refused(LINK "[uplink a]\nport = 1\nchain = a\n",
		"arm.ini:5: ", "never itself");
	refused(LINK A "chain = w,,w\n[condition w]\ntype = delay\n"
		       "delay = 1ms\n",
		"arm.ini:5: ", "a name is missing");
	refused(LINK A "chain = w,\n[condition w]\ntype = delay\n"
		       "delay = 1ms\n",
		"arm.ini:5: ", "a name is missing");
	strcat(text, " ,w");
	for (int i = 2; i < 33; i++)
		strcat(text, i % 16 ? ",w" : "\n ,w");
	strcat(text, "\n[condition w]\ntype = delay\ndelay = 1ms\n");
	refused(text, "arm.ini:5: ", "at most 32");
}

Test(arm, a_condition_has_a_type_and_what_it_needs)
{
	refused(LINK A "[condition w]\ndelay = 1ms\n",
		"arm.ini:5: ", "no type");
	refused(LINK A "[condition w]\ntype = fade\n",
		"arm.ini:6: ", "no such condition");
	refused(LINK A "[condition w]\ntype = delay\n",
		"arm.ini:5: ", "has no delay");
	refused(LINK A "[condition w]\ntype = delay\ndelay = 200\n",
		"arm.ini:7: ", "no unit");
	refused(LINK A "[condition w]\ntype = delay\ndelay = 1ms\nrate = 1\n",
		"arm.ini:8: ", "no key");
	refused(LINK A "[condition w]\ntype = loss\nprobability = 5%\n"
		       "correlation = 100%\n",
		"arm.ini:5: ", "never changes");
	forget(good(LINK A "[condition w]\ndelay = 1ms\ntype = delay\n"));
}

Test(arm, a_condition_that_nobody_names_is_a_warning)
{
	struct arm *arm = good(LINK A "[condition w]\ntype = delay\n"
				      "delay = 1ms\n");

	cr_assert(told(&warnings, "arm.ini:5: ", "[condition w]"));
	forget(arm);
}

Test(arm, the_dotnet_generator_takes_a_seed_of_32_bits)
{
	refused("[arm]\nseed = 3000000000\ngenerator = dotnet\n" LINK A
		"chain = w\n[condition w]\ntype = delay\ndelay = 1ms\n",
		"arm.ini:9: ", "32 bits");
	refused(LINK A "chain = w\n[condition w]\ntype = delay\ndelay = 1ms\n"
		       "generator = dotnet\nseed = 3000000000\n",
		"arm.ini:6: ", "32 bits");
	forget(good("[arm]\nseed = 3000000000\n" LINK A
		    "chain = w\n[condition w]\ntype = delay\ndelay = 1ms\n"
		    "generator = dotnet\nseed = -2147483648\n"));
}

Test(arm, a_reply_answers_a_stream_of_the_other_direction)
{
	refused(LINK A "[downlink r]\nreply = b\n",
		"arm.ini:6: ", "no [uplink");
	refused(LINK A "[uplink r]\nreply = a\n",
		"arm.ini:6: ", "no [downlink");
	refused(LINK A "[downlink r]\nreply = a\nport = 5\n",
		"arm.ini:5: ", "either a port or a reply");
	refused(LINK A "[downlink r]\nreply = a\n[downlink s]\nreply = r\n",
		"arm.ini:8: ", "no [uplink");
	forget(good(LINK "[downlink r]\nreply = a\n" A));
}

Test(arm, a_match_compiles)
{
	cr_assert(!make(LINK A "match = udp[8:1] = = 3\n"));
	cr_assert(told(&err, "arm.ini:5: ", "pcap-filter"));
	forget(NULL);
	forget(good(LINK A "match = udp[8:1] = 0x7b\n"));
}

Test(arm, a_channel_that_nothing_reaches_is_refused)
{
	refused(LINK A "[uplink b]\nport = 1\n",
		"arm.ini:5: ", "nothing reaches [uplink b]");
	refused(LINK A "[uplink b]\nport = 1\nmatch = len > 5\n",
		"arm.ini:5: ", "nothing reaches");
	refused(LINK "[uplink a]\nport = 1-100\n[uplink b]\nport = 7,50-60\n",
		"arm.ini:5: ", "nothing reaches");
	refused(LINK "[uplink a]\nport = 7\n[uplink b]\nport = 50-60\n"
		     "[uplink c]\nport = 55,7\n",
		"arm.ini:7: ", "nothing reaches");
	refused(LINK A "[downlink r]\nreply = a\n[downlink s]\nreply = a\n",
		"arm.ini:7: ", "nothing reaches");
	/* something does reach these */
	forget(good(LINK A "match = len > 5\n[uplink b]\nport = 1\n"));
	forget(good(LINK A "[downlink b]\nport = 1\n"));
	forget(good(LINK A "[uplink b]\nport = 1,2\n"));
	forget(good(LINK A "[uplink b]\nport = 2,1\n"));
	forget(good(LINK A "[uplink b]\nport = 1-2\n"));
}

Test(arm, a_set_changes_one_value)
{
	struct arm *arm;

	sets[0] = "w.delay=7ms";
	sets[1] = "arm.seed=9";
	sets[2] = "uplink a.limit_packets=5";
	sets[3] = "link.robot=10.0.0.9";
	n_sets = 4;
	arm = good("[arm]\nname = x\n" A "chain = w\n[condition w]\n"
		   "type = delay\ndelay = 1ms\n");
	cr_assert_eq(*(const nsec *)arm->condition[0].settings,
		     7 * NSEC_PER_MS);
	cr_assert_eq(arm->general.seed, 9);
	cr_assert_eq(arm->channel[0].plan.limit_packets, 5);
	cr_assert_str_eq(arm->link.robot_text, "10.0.0.9");
	cr_assert_eq(arm->n_sets, 4);
	forget(arm);
}

Test(arm, a_set_that_is_wrong_says_that_it_is_a_set)
{
	static const char *const bad[][2] = {
		{ "w.delay=7", "no unit" },	   { "w.colour=red", "no key" },
		{ "nobody.delay=7ms", "section" }, { "delay=7ms", "SECTION" },
		{ "a.port=70000", "4464" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		sets[0] = bad[i][0];
		n_sets = 1;
		cr_assert(!make(LINK A "chain = w\n[condition w]\n"
				       "type = delay\ndelay = 1ms\n"));
		cr_assert(strstr(err.line[0], "--set"), "%s", err.line[0]);
		cr_assert(strstr(err.line[0], bad[i][1]), "%s", err.line[0]);
		forget(NULL);
	}
}

Test(arm, a_seed_of_a_condition_is_bounded)
{
	struct arm *arm = good(LINK A "chain = w\n[condition w]\n"
				      "type = loss\nprobability = 1%\n"
				      "seed = "
				      "999999999999999999\n");

	cr_assert(arm->channel[0].plan.chain[0].seeded);
	cr_assert_eq(arm->channel[0].plan.chain[0].seed, 999999999999999999);
	forget(arm);
	refused(LINK A "chain = w\n[condition w]\ntype = loss\n"
		       "probability = 1%\nseed = 9000000000000000001\n",
		"arm.ini:9", "seed");
}

Test(arm, a_channel_more_than_there_may_be_is_refused)
{
	static char text[64 * (CHANNELS_MAX + 2)];
	size_t at = (size_t)snprintf(text, sizeof(text), LINK);
	struct arm *arm;
	char where[32];

	for (int i = 0; i < CHANNELS_MAX; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "[uplink s%d]\nport = %d\n", i, i + 1);
	arm = good(text);
	cr_assert_eq(arm->n_channels, CHANNELS_MAX);
	forget(arm);
	snprintf(text + at, sizeof(text) - at, "[uplink more]\nport = 9999\n");
	snprintf(where, sizeof(where), "arm.ini:%d", 3 + 2 * CHANNELS_MAX);
	refused(text, where, "at most");
}

Test(arm, channels_of_the_same_ports_share_a_socket)
{
	struct arm *arm = good(LINK "[uplink a]\nport = 7\n"
				    "match = udp[8] = 1\n"
				    "[uplink b]\nport = 7\n"
				    "match = udp[8] = 2\n"
				    "[uplink c]\nport = 8\n"
				    "[uplink d]\nport = 7\nsource_port = 9\n"
				    "match = udp[8] = 3\n"
				    "[downlink e]\nport = 7\n"
				    "[uplink f]\nport = 7\nto = 10.0.0.9\n"
				    "match = udp[8] = 4\n"
				    "[uplink g]\nport = 7\n");
	static const uint16_t shares[] = { 0, 0, 2, 3, 4, 5, 0 };

	for (uint16_t i = 0; i < 7; i++)
		cr_assert_eq(arm->channel[i].shares, shares[i], "%u", i);
	forget(arm);
}
