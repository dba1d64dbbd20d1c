/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * drive.c - farlink drive: send commands as the headset would
 *
 * Floor: roof.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "core/address.h"
#include "core/decimal.h"
#include "edge/drive.h"
#include "edge/file.h"

struct options {
	struct drive_plan plan;
	int64_t port;
	unsigned n_by; /* where commands come from: one of them */
};

static const struct option long_options[] = {
	{ "port", required_argument, NULL, 'p' },
	{ "script", required_argument, NULL, 's' },
	{ "keyboard", no_argument, NULL, 'k' },
	{ "gamepad", optional_argument, NULL, 'g' },
	{ "rate", required_argument, NULL, 'r' },
	{ "silent-when-idle", no_argument, NULL, 'i' },
	{ "max-speed", required_argument, NULL, 'v' },
	{ "max-turn", required_argument, NULL, 'w' },
	{ 0 },
};

static int read_setting(const struct setting *setting, void *value)
{
	char why[256];

	if (!settings_parse(setting, value, optarg, NULL, why, sizeof(why)))
		return CMD_DONE;
	fprintf(stderr, "farlink: %s: %s\n", setting->name, why);
	return CMD_USAGE;
}

/* "10" or "10Hz". */
static int read_rate(int64_t *rate_mhz)
{
	struct decimal decimal;

	if (decimal_read(optarg, &decimal) && !decimal.negative &&
	    (!*decimal.unit || !strcmp(decimal.unit, "Hz")) &&
	    decimal_scale(&decimal, 1000, rate_mhz) && *rate_mhz >= 1000 &&
	    *rate_mhz <= 60000)
		return CMD_DONE;
	fprintf(stderr,
		"farlink: --rate %s: write 1 to 60 commands a second, such as "
		"10\n",
		optarg);
	return CMD_USAGE;
}

static int take_option(struct options *options, int option)
{
	static const struct setting port = { .name = "--port",
					     .kind = SETTING_COUNT,
					     .lo = 1,
					     .hi = UINT16_MAX };
	static const struct setting speed = { .name = "--max-speed",
					      .kind = SETTING_SPEED,
					      .hi = 100.0 };
	static const struct setting turn = { .name = "--max-turn",
					     .kind = SETTING_TURN,
					     .hi = 100.0 };
	struct drive_plan *plan = &options->plan;

	switch (option) {
	case 'p':
		return read_setting(&port, &options->port);
	case 's':
		plan->by = DRIVE_SCRIPT;
		plan->script_name = optarg;
		options->n_by++;
		return CMD_DONE;
	case 'k':
		plan->by = DRIVE_KEYBOARD;
		options->n_by++;
		return CMD_DONE;
	case 'g':
		plan->by = DRIVE_GAMEPAD;
		plan->device = optarg;
		options->n_by++;
		return CMD_DONE;
	case 'r':
		return read_rate(&plan->settings.rate_mhz);
	case 'i':
		plan->settings.idle = SCRIPT_IDLE_SILENCE;
		return CMD_DONE;
	case 'v':
		return read_setting(&speed, &plan->speed);
	case 'w':
		return read_setting(&turn, &plan->turn);
	default:
		return cmd_usage("drive", NULL);
	}
}

static int read_options(int argc, char **argv, struct options *options)
{
	struct drive_plan *plan = &options->plan;
	int option, status = CMD_DONE;

	plan->settings = script_default;
	plan->speed = 0.15;
	plan->turn = 0.5;
	options->port = 5002;
	while (status == CMD_DONE &&
	       (option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		status = take_option(options, option);
	if (status != CMD_DONE)
		return status;
	if (argc - optind != 1)
		return cmd_usage("drive", "name one host");
	if (options->n_by != 1)
		return cmd_usage("drive", "name either --script CSV, "
					  "--keyboard or --gamepad");
	if (address_parse(argv[optind], &plan->to) &&
	    !address_port(&plan->to)) {
		address_set_port(&plan->to, (uint16_t)options->port);
		return CMD_DONE;
	}
	fprintf(stderr,
		"farlink: drive: %s is no IP address; write one such as "
		"192.168.1.1, and a port behind --port\n",
		argv[optind]);
	return CMD_USAGE;
}

int cmd_drive(int argc, char **argv)
{
	struct options options = { 0 };
	struct drive_plan *plan = &options.plan;
	struct store store = { 0 };
	struct drive_end end = { 0 };
	struct err err = { 0 };
	char why[256];
	int status = read_options(argc, argv, &options);

	if (status != CMD_DONE)
		return status;
	if (plan->script_name) {
		plan->script = file_read(&store, plan->script_name,
					 &plan->script_size, why, sizeof(why));
		if (!plan->script)
			err_add(&err, "%s: %s; name a drive script",
				plan->script_name, why);
	}
	if (!err.n && !drive_run(plan, &end, &err)) {
		printf("%" PRIu64 " commands sent\n", end.sent);
		if (end.errors)
			printf("%" PRIu64 " commands could not be sent\n",
			       end.errors);
	}
	store_fini(&store);
	return cmd_tell(&err);
}
