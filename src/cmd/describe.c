/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * describe.c - farlink describe: say what an arm does
 *
 * Floor: roof.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/print_forecast.h"
#include "core/settings.h"

#define SETS_MAX 64

enum { OPTION_SET, OPTION_FORMAT, OPTION_FOR, OPTION_EVERY, OPTION_SIZE };

/* What is asked for on the command line. */
struct asked {
	const char *sets[SETS_MAX];
	size_t n_sets;
	const char *format;
	struct forecast_ask ask;
};

static int read_size(const char *text, uint32_t *payload)
{
	static const struct setting size = { .name = "--size",
					     .kind = SETTING_SIZE,
					     .lo = 8,
					     .hi = 8.0 * PAYLOAD_MAX };
	const struct settings_source source = { 0 };
	int64_t bits;
	char why[256];

	if (settings_parse(&size, &bits, text, &source, why, sizeof(why)) < 0) {
		fprintf(stderr, "farlink: --size %s: %s\n", text, why);
		return -1;
	}
	*payload = (uint32_t)(bits / 8);
	return 0;
}

static int read_every(const char *text, double *rate)
{
	static const struct setting setting = {
		.name = "--every", .kind = SETTING_TIME, .lo = 1, .hi = 1e16
	};
	const struct settings_source source = { 0 };
	nsec every;
	char why[256];

	if (settings_parse(&setting, &every, text, &source, why, sizeof(why)) <
	    0) {
		fprintf(stderr, "farlink: --every %s: %s\n", text, why);
		return -1;
	}
	*rate = 1e9 / (double)every;
	return 0;
}

static int read_option(int option, struct asked *asked)
{
	switch (option) {
	case OPTION_SET:
		if (asked->n_sets == SETS_MAX)
			return cmd_usage("describe", "too many --set");
		asked->sets[asked->n_sets++] = optarg;
		return CMD_DONE;
	case OPTION_FORMAT:
		asked->format = optarg;
		if (!strcmp(optarg, "text") || !strcmp(optarg, "markdown") ||
		    !strcmp(optarg, "json"))
			return CMD_DONE;
		return cmd_usage("describe",
				 "--format is text, markdown or json");
	case OPTION_FOR:
		return cmd_read_time(optarg, &asked->ask.duration) < 0
			       ? CMD_USAGE
			       : CMD_DONE;
	case OPTION_EVERY:
		return read_every(optarg, &asked->ask.rate) < 0 ? CMD_USAGE
								: CMD_DONE;
	case OPTION_SIZE:
		return read_size(optarg, &asked->ask.payload) < 0 ? CMD_USAGE
								  : CMD_DONE;
	default:
		return cmd_usage("describe", NULL);
	}
}

static struct described *foretell(const struct arm *arm,
				  const struct forecast_ask *ask)
{
	struct described *described =
		calloc(arm->n_channels + 1, sizeof(*described));

	if (!described)
		abort();
	for (size_t i = 0; i < arm->n_channels; i++) {
		account_channel(&described[i].account, &arm->channel[i]);
		if (!forecast_channel(&described[i].forecast, arm, i, ask)) {
			fprintf(stderr, "farlink: not enough memory to "
					"simulate; lower limit_packets and "
					"limit_bytes\n");
			free(described);
			return NULL;
		}
		forecast_advise(&described[i].forecast, arm,
				&described[i].warnings);
	}
	return described;
}

static int describe(const struct arm *arm, const struct asked *asked)
{
	struct described *described = foretell(arm, &asked->ask);

	if (!described)
		return CMD_FAILED;
	if (!strcmp(asked->format, "json"))
		print_forecast_json(arm, described);
	else if (!strcmp(asked->format, "markdown"))
		print_forecast_markdown(arm, described);
	else
		print_forecast_text(arm, described);
	for (size_t i = 0; i < arm->n_channels; i++)
		err_fini(&described[i].warnings);
	free(described);
	return CMD_DONE;
}

int cmd_describe(int argc, char **argv)
{
	static const struct option options[] = {
		{ "set", required_argument, NULL, OPTION_SET },
		{ "format", required_argument, NULL, OPTION_FORMAT },
		{ "for", required_argument, NULL, OPTION_FOR },
		{ "every", required_argument, NULL, OPTION_EVERY },
		{ "size", required_argument, NULL, OPTION_SIZE },
		{ 0 },
	};
	struct asked asked = { .format = "text" };
	struct arm *arm;
	int option, status;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		status = read_option(option, &asked);
		if (status != CMD_DONE)
			return status;
	}
	if (argc - optind != 1)
		return cmd_usage("describe", "name one arm file");
	arm = cmd_read_arm(argv[optind], asked.sets, asked.n_sets, &status);
	if (arm)
		status = describe(arm, &asked);
	arm_free(arm);
	return status;
}
