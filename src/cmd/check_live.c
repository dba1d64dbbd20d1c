/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * check_live.c - farlink check --live: look at this machine as a router
 *
 * Floor: roof.
 */
#include "cmd/check_live.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "edge/router_survey.h"

struct count {
	unsigned faults, warnings;
	bool silent;
};

static void print_finding(void *context, const struct finding *finding)
{
	static const char *const word[] = {
		[SEVERITY_GOOD] = "good",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_FAULT] = "FAULT",
	};
	struct count *count = context;

	count->faults += finding->severity == SEVERITY_FAULT;
	count->warnings += finding->severity == SEVERITY_WARNING;
	if (count->silent)
		return;
	printf("%-8s %s\n", word[finding->severity], finding->what);
	if (*finding->remedy)
		printf("%-8s %s\n", "", finding->remedy);
}

static void print_rules(const struct router_plan *plan)
{
	char *room = malloc(ROUTER_TEXT);
	struct text text;

	if (!room)
		abort();
	text_init(&text, room, ROUTER_TEXT);
	router_routes(plan, &text);
	router_rules(plan, 0, &text);
	printf("%s", room);
	free(room);
}

int check_live(const struct arm *arm, bool dry_run)
{
	struct count count = { .silent = dry_run };
	const struct survey survey = { print_finding, &count };
	struct router_plan plan;
	struct err err = { 0 };

	if (arm->link.mode != MODE_TRANSPARENT) {
		fprintf(stderr,
			"farlink: %s: --live looks at a router, for mode = "
			"transparent; a relay needs nothing of it\n",
			arm->file);
		return CMD_USAGE;
	}
	if (survey_machine(arm, &survey, &plan, &err) < 0)
		return cmd_tell(&err);
	if (dry_run) {
		print_rules(&plan);
		return CMD_DONE;
	}
	printf("%s: mark 0x%x, routing table %u, priority %u: %u faults, "
	       "%u warnings\n",
	       arm->file, plan.mark, plan.table, plan.priority, count.faults,
	       count.warnings);
	return count.faults ? CMD_FAILED : CMD_DONE;
}
