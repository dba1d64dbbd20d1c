/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * check.c - farlink check: say all that is wrong with an arm
 *
 * Floor: roof.
 */
#include <getopt.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "session/forecast.h"

#define SETS_MAX 64

/* What a run of the arm will do that people do not expect. */
static void warn(const struct arm *arm)
{
	struct err warnings = { 0 };

	forecast_warnings(arm, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		fprintf(stderr, "farlink: warning: %s\n", warnings.line[i]);
	err_fini(&warnings);
}

int cmd_check(int argc, char **argv)
{
	static const struct option options[] = {
		{ "set", required_argument, NULL, 's' },
		{ 0 },
	};
	const char *sets[SETS_MAX];
	size_t n_sets = 0;
	int option, worst = CMD_DONE;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 's')
			return cmd_usage("check", NULL);
		if (n_sets == SETS_MAX)
			return cmd_usage("check", "too many --set");
		sets[n_sets++] = optarg;
	}
	if (optind == argc)
		return cmd_usage("check", "name an arm file");
	for (; optind < argc; optind++) {
		int status;
		struct arm *arm =
			cmd_read_arm(argv[optind], sets, n_sets, &status);

		if (arm)
			warn(arm);
		if (arm)
			printf("%s: good: %zu channels, %zu conditions\n",
			       argv[optind], arm->n_channels,
			       arm->n_conditions);
		else if (worst != CMD_USAGE)
			worst = status;
		arm_free(arm);
	}
	return worst;
}
