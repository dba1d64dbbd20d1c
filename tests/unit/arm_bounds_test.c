/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm_bounds_test.c - an arm at the bounds of what it may say
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/arm.h"

#define LINK "[link]\nrobot = 10.0.0.2\n"
#define A    "[uplink a]\nport = 1\n"
#define W    "[condition w]\ntype = delay\ndelay = 1ms\n"

static struct catalog catalog;
static struct err err, warnings;
static unsigned loads;

static void forget(void)
{
	err_fini(&err);
	err_fini(&warnings);
}

TestSuite(arm_bounds, .fini = forget);

/* Any file that an arm names, counted. */
static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	const char *text = "delay_ms\n10\n20\n";

	(void)context;
	(void)name;
	(void)why;
	(void)why_size;
	loads++;
	*size = strlen(text);
	return text;
}

static struct arm *make(const char *text, bool loads_files)
{
	const struct arm_source source = { .file = "arm.ini",
					   .text = text,
					   .size = strlen(text),
					   .catalog = &catalog,
					   .load = loads_files ? load : NULL };
	struct arm *arm;

	forget();
	catalog_init(&catalog);
	loads = 0;
	arm = arm_new(&source, &err, &warnings);
	cr_assert_eq(arm == NULL, err.n > 0);
	return arm;
}

static struct arm *good(const char *text)
{
	struct arm *arm = make(text, true);

	cr_assert(arm, "%s: %s", text, err.n ? err.line[0] : "");
	return arm;
}

/* The arm has this one fault. */
static void refused(const char *text, const char *fault)
{
	cr_assert_null(make(text, true), "%s", text);
	cr_assert_str_eq(err.line[0], fault);
	cr_assert_eq(err.n, 1, "%s", err.n > 1 ? err.line[1] : "");
}

/* "[link]\nrobot = ADDRESS" and a channel are taken, or not as those of one
 * host.
 */
static void robot(const char *address, bool is_one)
{
	static const char fault[] =
		"arm.ini:4: robot = %s: write the address of one host; "
		"broadcast and multicast are not relayed";
	char text[256], told[256];

	snprintf(text, sizeof(text), "[arm]\nname = x\n[link]\nrobot = %s\n" A,
		 address);
	snprintf(told, sizeof(told), fault, address);
	if (is_one)
		arm_free(good(text));
	else
		refused(text, told);
}

Test(arm_bounds, a_robot_is_one_host)
{
	robot("0.0.0.1", false); /* 0.0.0.0/8 is this network */
	robot("1.0.0.0", true);
	robot("223.255.255.255", true);
	robot("224.0.0.0", false);
	robot("255.255.255.255", false);
	robot("::", false);
	robot("::1", true);
	robot("feff::1", true);
	robot("ff02::1", false);
	robot("fdff::1", true); /* only its first byte tells a group */
}

Test(arm_bounds, ports_are_told_at_their_bounds)
{
	struct arm *arm = good(LINK "[uplink a]\n"
				    "port = 1,2,3,4,5,65535-65535\n");
	const struct rule *rule = &arm->channel[0].rule;

	cr_assert_eq(rule->n_ports, 6);
	for (uint16_t i = 0; i < 5; i++)
		cr_assert(rule->ports[i].lo == i + 1 &&
			  rule->ports[i].hi == i + 1);
	cr_assert_eq(rule->ports[5].lo, 65535);
	cr_assert_eq(rule->ports[5].hi, 65535);
	arm_free(arm);
	/* as many as its text can hold */
	arm = good(LINK "[uplink a]\nport = 1,2,3,4,5\n");
	cr_assert_eq(arm->channel[0].rule.n_ports, 5);
	arm_free(arm);
	refused(LINK "[uplink a]\nport = 65536\n",
		"arm.ini:4: port = 65536: a port is 1 to 65535; a program that "
		"uses 65536 is on 0 on the wire");
	refused(LINK "[uplink a]\nport = 1-70000\n",
		"arm.ini:4: port = 1-70000: a port is 1 to 65535; a program "
		"that uses 70000 is on 4464 on the wire");
	refused(LINK "[uplink a]\nport = 70000-1\n",
		"arm.ini:4: port = 70000-1: a port is 1 to 65535; a program "
		"that uses 70000 is on 4464 on the wire");
	refused(LINK "[uplink a]\nport = 7-6\n",
		"arm.ini:4: port = 7-6: a range goes upwards, such as "
		"50100-50199");
	arm_free(good(LINK "[uplink a]\nport = 7-7\n"));
}

Test(arm_bounds, unknown_words_are_told_with_all_known_ones)
{
	char last[128];

	refused(LINK A "[control]\ncolour = red\n",
		"arm.ini:6: colour is no key of [control]; known here: socket, "
		"group");
	refused(LINK A W "colour = red\n",
		"arm.ini:8: colour is no key of [condition w]; known here: "
		"type, seed, generator, delay");
	refused(LINK A "[condition w]\ntype = fade\n",
		"arm.ini:6: type = fade: there is no such condition; there "
		"are: delay, jitter, monotonic-jitter, smooth-jitter, "
		"token-bucket, loss, gilbert-elliott, markov-loss, "
		"periodic-loss, outage, profile, sine, link-trace, replay, "
		"slot, reorder");
	/* the longest list there is */
	cr_assert_null(make(LINK A "[vehicle]\ncolour = red\n", true));
	snprintf(last, sizeof(last), ", %s",
		 vehicle_settings[n_vehicle_settings - 1].name);
	cr_assert_str_eq(err.line[0] + strlen(err.line[0]) - strlen(last),
			 last);
}

Test(arm_bounds, the_first_section_counts_as_any_other)
{
	struct arm *arm = good("[safety]\n[uplink command]\nport = 1\n" LINK);

	cr_assert(arm->safety.active);
	cr_assert_eq(arm->safety.channel, 0);
	arm_free(arm);
	arm = good("[vehicle]\nstep = 7ms\n[link]\nrobot = internal\n" A);
	cr_assert_eq(arm->vehicle.settings.step, 7 * NSEC_PER_MS);
	arm_free(arm);
	arm = good(A LINK);
	cr_assert_eq(arm->n_channels, 1);
	/* nothing is said of itself */
	cr_assert_str_eq(arm->general.name, "");
	cr_assert_str_eq(arm->general.description, "");
	cr_assert_eq(arm->general.seed, 1);
	cr_assert_not(arm->safety.active);
	arm_free(arm);
	/* sections alone, of a channel and a condition each */
	cr_assert_null(make("[uplink a]\n[downlink b]\n", true));
	cr_assert_eq(err.n, 3);
	cr_assert_null(make("[condition v]\n[condition w]\n", true));
	cr_assert_eq(err.n, 3);
	refused("", "arm.ini: no channel; write at least one [uplink NAME] or "
		    "[downlink NAME] with a port");
}

Test(arm_bounds, any_number_of_conditions_is_taken)
{
	/* 64 rows among them, the room that they are first given */
	for (size_t n = 0; n < 45; n++) {
		char text[4096] = LINK A;
		struct arm *arm;

		for (size_t i = 0; i < n; i++)
			sprintf(text + strlen(text),
				"[condition w%zu]\ntype = delay\n"
				"delay = %zums\n",
				i, i);
		arm = good(text);
		cr_assert_eq(arm->n_conditions, n);
		cr_assert_eq(warnings.n, n, "all of which nobody names");
		for (size_t i = 0; i < n; i++)
			cr_assert_eq(*(const nsec *)arm->condition[i].settings,
				     (nsec)i * NSEC_PER_MS);
		arm_free(arm);
	}
}

Test(arm_bounds, a_condition_that_a_chain_names_is_no_surprise)
{
	struct arm *arm = good(LINK A "chain = w\n" W);

	cr_assert_eq(warnings.n, 0);
	cr_assert_not(arm->channel[0].plan.chain[0].legacy);
	cr_assert_not(arm->channel[0].plan.chain[0].seeded);
	arm_free(arm);
	arm = good(LINK A "[uplink b]\nport = 2\nchain = v, w\n" W
			  "[condition v]\ntype = delay\ndelay = 2ms\n");
	cr_assert_eq(warnings.n, 0);
	arm_free(arm);
}

Test(arm_bounds, a_dotnet_seed_has_32_bits)
{
	static const char fault[] = "arm.ini:6: generator = dotnet takes a "
				    "seed of 32 bits, -2147483648 to "
				    "2147483647";
	static const struct {
		const char *seed;
		bool fits;
	} cases[] = {
		{ "-2147483649", false },
		{ "-2147483648", true },
		{ "0", true },
		{ "2147483647", true },
		{ "2147483648", false },
	};
	char text[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arm *arm;

		snprintf(text, sizeof(text),
			 LINK A "chain = w\n" W
				"generator = dotnet\nseed = %s\n",
			 cases[i].seed);
		if (!cases[i].fits) {
			refused(text, fault);
			continue;
		}
		arm = good(text);
		cr_assert(arm->channel[0].plan.chain[0].legacy);
		arm_free(arm);
	}
}

Test(arm_bounds, a_file_is_loaded_once_however_often_it_is_named)
{
	struct arm *arm =
		good(LINK A "chain = x, y\n"
			    "[condition x]\ntype = replay\nfile = d.csv\n"
			    "[condition y]\ntype = replay\nfile = d.csv\n");

	cr_assert_eq(loads, 1);
	cr_assert_eq(arm->n_files, 1);
	cr_assert_str_eq(arm->files[0].name, "d.csv");
	cr_assert_eq(arm->files[0].size, 15);
	cr_assert(!memcmp(arm->files[0].text, "delay_ms\n10\n20\n", 15));
	arm_free(arm);
	cr_assert_null(make(LINK A "chain = x\n[condition x]\ntype = replay\n"
				   "file = d.csv\n",
			    false));
	cr_assert(strstr(err.line[0], "no more files can be read here"), "%s",
		  err.line[0]);
}

Test(arm_bounds, one_file_more_than_there_may_be_is_refused)
{
	static char text[64 * (ARM_FILES_MAX + 2)];
	size_t at = (size_t)sprintf(text, LINK A);
	struct arm *arm;

	for (int i = 0; i < ARM_FILES_MAX; i++)
		at += (size_t)sprintf(text + at,
				      "[condition c%d]\ntype = replay\n"
				      "file = %d.csv\n",
				      i, i);
	arm = good(text);
	cr_assert_eq(arm->n_files, ARM_FILES_MAX);
	arm_free(arm);
	sprintf(text + at, "[condition more]\ntype = replay\nfile = z.csv\n");
	cr_assert_null(make(text, true));
	cr_assert_eq(err.n, 1);
	cr_assert_eq(loads, ARM_FILES_MAX);
	cr_assert(strstr(err.line[0], "no more files can be read here"), "%s",
		  err.line[0]);
}

Test(arm_bounds, replies_share_no_socket_and_follow_what_they_answer)
{
	/* an answer stands first; what it answers has the first one's socket */
	struct arm *arm = good(LINK "[downlink r]\nreply = b\n"
				    "[uplink a]\nport = 7\nmatch = udp\n"
				    "[uplink b]\nport = 7\n"
				    "[uplink c]\nport = 8\n"
				    "[downlink s]\nreply = c\n");
	static const uint16_t shares[] = { 0, 1, 1, 3, 4 };

	for (uint16_t i = 0; i < 5; i++)
		cr_assert_eq(arm->channel[i].shares, shares[i], "%u", i);
	cr_assert_eq(arm->channel[0].rule.reply, 1);
	cr_assert_eq(arm->channel[4].rule.reply, 3);
	cr_assert_eq(arm->rules[0].reply, 1);
	cr_assert_eq(arm->rules[4].reply, 3);
	/* a fault of a match is one of its line; of none, of its section's */
	cr_assert_str_eq(arm->channel[0].rule.where, "arm.ini:3");
	cr_assert_str_eq(arm->channel[1].rule.where, "arm.ini:7");
	cr_assert_str_eq(arm->channel[2].rule.where, "arm.ini:8");
	arm_free(arm);
}
