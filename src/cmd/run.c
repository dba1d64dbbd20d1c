/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * run.c - farlink run: put live traffic through an arm
 *
 * Floor: roof.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/print_path.h"
#include "cmd/table.h"
#include "edge/file.h"
#include "edge/live.h"
#include "edge/robot_file.h"
#include "edge/transparent.h"

#define SETS_MAX 64

struct options {
	const char *file;
	const char *sets[SETS_MAX];
	size_t n_sets;
	const char *folder, *drive, *robot;
	char robot_set[16 +
		       ADDRESS_TEXT]; /* a change to the arm, of the sets */
	nsec duration;
	bool loopback;
};

static const struct option long_options[] = {
	{ "record", required_argument, NULL, 'r' },
	{ "for", required_argument, NULL, 'f' },
	{ "set", required_argument, NULL, 's' },
	{ "drive", required_argument, NULL, 'd' },
	{ "loopback", no_argument, NULL, 'l' },
	{ "robot", required_argument, NULL, 'a' },
	{ 0 },
};

int cmd_read_time(const char *text, nsec *time)
{
	static const struct setting setting = {
		.name = "--for",
		.kind = SETTING_TIME,
		.lo = 1,
		.hi = 1e16,
	};
	char why[256];

	if (!settings_parse(&setting, time, text, NULL, why, sizeof(why)))
		return 0;
	fprintf(stderr, "farlink: --for: %s\n", why);
	return -1;
}

static int read_options(int argc, char **argv, struct options *options)
{
	int option;

	options->duration = NSEC_NEVER;
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) !=
	       -1) {
		switch (option) {
		case 'r':
			options->folder = optarg;
			break;
		case 'f':
			if (cmd_read_time(optarg, &options->duration) < 0)
				return CMD_USAGE;
			break;
		case 's':
			if (options->n_sets == SETS_MAX - 1)
				return cmd_usage("run", "too many --set");
			options->sets[options->n_sets++] = optarg;
			break;
		case 'd':
			options->drive = optarg;
			break;
		case 'a':
			options->robot = optarg;
			break;
		case 'l':
			options->loopback = true;
			break;
		default:
			return cmd_usage("run", NULL);
		}
	}
	if (argc - optind != 1)
		return cmd_usage("run", "name one arm file");
	options->file = argv[optind];
	return CMD_DONE;
}

static void watch(void *context, const struct live_view *view)
{
	(void)context;
	table_show(view);
}

static bool hung_up(void *context)
{
	(void)context;
	return table_is_hung_up();
}

static struct arm *reread(void *context)
{
	const struct options *options = context;
	struct arm *arm;
	int status;

	arm = cmd_read_arm(options->file, options->sets, options->n_sets,
			   &status);
	table_apart(); /* faults were told on the terminal */
	return arm;
}

static void end(void *context, const struct live_view *view,
		const struct trial_report *report)
{
	struct err reasons = { 0 };
	enum verdict verdict;

	(void)context;
	table_end(view);
	print_path(stdout, view->path);
	verdict = record_judge(session_arm(view->session), report, view->lost,
			       &reasons);
	printf("trial %s: %s\n", report->trial, verdict_name(verdict));
	for (size_t i = 0; i < reasons.n; i++)
		printf("  %s\n", reasons.line[i]);
	err_fini(&reasons);
}

/* Whether the arm and the options fit together. */
static int check_plan(const struct options *options, const struct arm *arm)
{
	const char *why = NULL;

	if (options->robot && options->loopback)
		why = "--robot names a robot, --loopback has none";
	else if (options->drive && !options->loopback && !arm->link.internal)
		why = "--drive moves the vehicle model: add --loopback, or "
		      "write robot = internal";
	if (!why)
		return CMD_DONE;
	fprintf(stderr, "farlink: %s: %s\n", options->file, why);
	return CMD_USAGE;
}

static int run_arm(struct options *options, struct live_plan *plan,
		   struct store *store)
{
	struct err err = { 0 };
	char why[256];
	int status = check_plan(options, plan->arm);

	if (status != CMD_DONE)
		return status;
	if (options->drive) {
		plan->drive_name = options->drive;
		plan->drive = file_read(store, options->drive,
					&plan->drive_size, why, sizeof(why));
		if (!plan->drive) {
			err_add(&err, "%s: %s; name a drive script",
				options->drive, why);
			return cmd_tell(&err);
		}
	}
	plan->front = &relay_front;
	if (plan->arm->link.mode == MODE_TRANSPARENT && !options->loopback)
		plan->front = &transparent_front;
	plan->duration = options->duration;
	plan->loopback = options->loopback;
	plan->folder = options->folder;
	if (!plan->folder && *plan->arm->record.folder)
		plan->folder = plan->arm->record.folder;
	table_begin();
	(void)live_run(plan, end, &err);
	return cmd_tell(&err);
}

/* The robot's address is a change to the arm like any other, so that the record
 * tells it.
 */
static int set_robot(struct options *options, const char *address,
		     const char *where)
{
	char text[ADDRESS_TEXT];
	struct err err = { 0 };

	if (robot_address(address, text)) {
		snprintf(options->robot_set, sizeof(options->robot_set),
			 "link.robot=%s", text);
		options->sets[options->n_sets++] = options->robot_set;
		return CMD_DONE;
	}
	err_add(&err,
		"%s: %s is no address of a robot; write one such as "
		"192.168.1.20",
		where, address);
	return cmd_tell(&err);
}

/* The robot that the arm leaves to what was saved. */
static struct arm *read_saved(struct options *options, int *status)
{
	char path[PATH_MAX], text[ROBOT_TEXT];

	if (robot_load(path, text)) {
		*status = set_robot(options, text, path);
		if (*status != CMD_DONE)
			return NULL;
		fprintf(stderr, "farlink: the robot is %s, saved in %s\n",
			options->robot_set + strlen("link.robot="), path);
		return cmd_read_arm(options->file, options->sets,
				    options->n_sets, status);
	}
	fprintf(stderr,
		"farlink: %s: robot = saved: nothing is saved in %s yet; name "
		"the robot once with --robot ADDRESS\n",
		options->file, path);
	*status = CMD_USAGE;
	return NULL;
}

/* The robot of the command line, else the arm's, which may be the saved one. */
static struct arm *read_arm(struct options *options, int *status)
{
	struct err err = { 0 };
	struct arm *arm;

	if (options->robot) {
		*status = set_robot(options, options->robot, "--robot");
		if (*status != CMD_DONE)
			return NULL;
	}
	arm = cmd_read_arm(options->file, options->sets, options->n_sets,
			   status);
	if (!arm || options->loopback)
		return arm;
	if (arm->link.saved) {
		arm_free(arm);
		return read_saved(options, status);
	}
	if (options->robot) {
		robot_save(options->robot_set + strlen("link.robot="), &err);
		(void)cmd_tell(&err); /* it can do without */
	}
	return arm;
}

int cmd_run(int argc, char **argv)
{
	struct options options = { 0 };
	struct live_plan plan = { .watch = watch,
				  .hung_up = hung_up,
				  .reread = reread,
				  .context = &options };
	struct store store = { 0 };
	int status = read_options(argc, argv, &options);

	if (status != CMD_DONE)
		return status;
	plan.arm = read_arm(&options, &status);
	if (!plan.arm)
		return status;
	status = run_arm(&options, &plan, &store);
	arm_free(plan.arm);
	store_fini(&store);
	return status;
}
