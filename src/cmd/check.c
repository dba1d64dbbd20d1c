/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * check.c - farlink check: say all that is wrong with an arm
 *
 * Floor: roof.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "session/forecast.h"
#include "edge/folder.h"
#include "edge/web.h"
#include "cmd/check_live.h"
#include "cmd/cmd.h"

#define SETS_MAX 64

/* What is asked of an arm besides that it be good. */
enum { LIVE = 1, DRY_RUN = 2 };

/* What a run of the arm will do that people do not expect. */
static void warn(const struct arm *arm)
{
	struct err warnings = { 0 };

	forecast_warnings(arm, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		fprintf(stderr, "farlink: warning: %s\n", warnings.line[i]);
	err_fini(&warnings);
}

/* What nobody but a run makes anything of, and what it would refuse. */
static int check_run(const struct arm *arm)
{
	struct err err = { 0 };
	char name[PATH_MAX];
	int status;

	if (*arm->record.folder)
		(void)folder_name(arm->record.folder, 0, name, sizeof(name),
				  &err);
	if (*arm->dashboard.listen && strcmp(arm->dashboard.listen, "off"))
		(void)web_check(arm->dashboard.listen, &err);
	status = err.n ? CMD_USAGE : CMD_DONE;
	for (size_t i = 0; i < err.n; i++)
		fprintf(stderr, "farlink: %s: %s\n", arm->file, err.line[i]);
	err_fini(&err);
	return status;
}

static int check_arm(const char *file, const char *const *sets, size_t n_sets,
		     int asked)
{
	int status;
	struct arm *arm = cmd_read_arm(file, sets, n_sets, &status);

	if (!arm)
		return status;
	status = check_run(arm);
	warn(arm);
	if (status == CMD_DONE && !(asked & DRY_RUN))
		printf("%s: good: %zu channel%s, %zu condition%s\n", file,
		       arm->n_channels, arm->n_channels == 1 ? "" : "s",
		       arm->n_conditions, arm->n_conditions == 1 ? "" : "s");
	if (status == CMD_DONE && asked)
		status = check_live(arm, asked & DRY_RUN);
	arm_free(arm);
	return status;
}

int cmd_check(int argc, char **argv)
{
	static const struct option options[] = {
		{ "set", required_argument, NULL, 's' },
		{ "live", no_argument, NULL, 'l' },
		{ "dry-run", no_argument, NULL, 'd' },
		{ 0 },
	};
	const char *sets[SETS_MAX];
	size_t n_sets = 0;
	int option, asked = 0, worst = CMD_DONE;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'l') {
			asked |= LIVE;
		} else if (option == 'd') {
			asked |= DRY_RUN;
		} else if (option != 's') {
			return cmd_usage("check", NULL);
		} else {
			if (n_sets == SETS_MAX)
				return cmd_usage("check", "too many --set");
			sets[n_sets++] = optarg;
		}
	}
	if (asked == DRY_RUN)
		return cmd_usage("check", "--dry-run goes with --live");
	if (optind == argc)
		return cmd_usage("check", "name an arm file");
	for (; optind < argc; optind++) {
		int status = check_arm(argv[optind], sets, n_sets, asked);

		if (status != CMD_DONE && worst != CMD_USAGE)
			worst = status;
	}
	return worst;
}
