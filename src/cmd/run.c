/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * run.c - farlink run: put live traffic through an arm
 *
 * Floor: roof.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/print_path.h"
#include "cmd/run_service.h"
#include "cmd/table.h"
#include "edge/control.h"
#include "edge/file.h"
#include "edge/folder.h"
#include "edge/live.h"
#include "edge/log.h"
#include "edge/loop.h"
#include "edge/memory.h"
#include "edge/robot_file.h"
#include "edge/transparent.h"
#include "session/order.h"

#define SETS_MAX 64

struct options {
	const char *file;
	const char *sets[SETS_MAX];
	size_t n_sets;
	const char *folder, *drive, *robot, *trial, *control, *listen;
	char named[PATH_MAX]; /* the folder, with the time filled in */
	char robot_set[16 +
		       ADDRESS_TEXT]; /* a change to the arm, of the sets */
	char path[108]; /* of the control socket, if nobody named one */
	nsec duration;
	bool loopback;
	struct precision precision;
	char *ending; /* what is shown when all is over; @ending_size bytes */
	size_t ending_size;
};

static const struct option long_options[] = {
	{ "record", required_argument, NULL, 'r' },
	{ "for", required_argument, NULL, 'f' },
	{ "set", required_argument, NULL, 's' },
	{ "drive", required_argument, NULL, 'd' },
	{ "loopback", no_argument, NULL, 'l' },
	{ "robot", required_argument, NULL, 'a' },
	{ "trial", required_argument, NULL, 't' },
	{ "control", required_argument, NULL, 'c' },
	{ "dashboard", required_argument, NULL, 'b' },
	{ "realtime", optional_argument, NULL, PRECISION_REALTIME },
	{ "lock-memory", no_argument, NULL, PRECISION_LOCK },
	{ "cpu", required_argument, NULL, PRECISION_CPU },
	{ "spin", required_argument, NULL, PRECISION_SPIN },
	{ "no-sandbox", no_argument, NULL, 'n' },
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
	struct err err = { 0 };
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
		case 't':
			options->trial = optarg;
			break;
		case 'c':
			options->control = optarg;
			break;
		case 'b':
			options->listen = optarg;
			break;
		case 'n':
			sandbox_switch_off();
			break;
		case PRECISION_REALTIME:
		case PRECISION_LOCK:
		case PRECISION_CPU:
		case PRECISION_SPIN:
			if (precision_option(&options->precision, option,
					     optarg, &err) < 0)
				return cmd_tell(&err);
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
	service_watch(view);
}

static void ready(void *context)
{
	(void)context;
	service_ready();
}

static void stopping(void *context)
{
	(void)context;
	service_stopping();
}

static bool hung_up(void *context)
{
	(void)context;
	return table_is_hung_up();
}

/* Another arm than the run was started with is changed only in its robot: what
 * else was set was for that one.
 */
static struct arm *read_other(void *context, const struct desk_source *source,
			      struct err *err)
{
	const struct options *options = context;
	struct store store = { 0 };
	struct cmd_arm from = { .file = source->file,
				.text = source->text,
				.size = source->size };
	bool same = !strcmp(source->file, options->file);
	const char **sets;
	struct arm *arm = NULL;
	char why[256];

	sets = store_get(&store, (options->n_sets + source->n_sets + 1) *
					 sizeof(*sets));
	for (size_t i = 0; i < options->n_sets; i++)
		if (same || options->sets[i] == options->robot_set)
			sets[from.n_sets++] = options->sets[i];
	for (size_t i = 0; i < source->n_sets; i++)
		sets[from.n_sets++] = source->sets[i];
	from.sets = sets;
	if (!from.text)
		from.text = file_read_plain(&store, from.file, &from.size, why,
					    sizeof(why));
	if (from.text)
		arm = cmd_parse_arm(&from, err);
	else
		err_add(err, "%s: %s; name an arm file that can be read",
			from.file, why);
	store_fini(&store);
	return arm;
}

static void tell_verdict(FILE *to, const struct arm *arm,
			 const struct trial_report *report)
{
	struct err reasons = { 0 };
	enum verdict verdict =
		record_judge(arm, report, report->lost, &reasons);

	fprintf(to, "trial %s: %s\n", report->trial, verdict_name(verdict));
	for (size_t i = 0; i < reasons.n; i++)
		fprintf(to, "  %s\n", reasons.line[i]);
	err_fini(&reasons);
}

/* Packets pass meanwhile. */
static void trial_ended(void *context, const struct trial_report *report)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)context;
	if (to) {
		tell_verdict(to, session_arm(report->session), report);
		if (!fclose(to))
			(void)log_write(STDOUT_FILENO, text, size);
	}
	free(text);
	table_apart();
}

/* It is shown when the record is closed: a reader may make us wait. */
static void end(void *context, const struct live_view *view,
		const struct trial_report *report)
{
	struct options *options = context;
	FILE *to = open_memstream(&options->ending, &options->ending_size);

	if (!to)
		return;
	table_end(view, to);
	print_path(to, view->path);
	if (!report->between)
		tell_verdict(to, session_arm(view->session), report);
	fclose(to);
}

static void show_ending(struct options *options)
{
	if (options->ending)
		fwrite(options->ending, 1, options->ending_size, stdout);
	free(options->ending);
	options->ending = NULL;
	fflush(stdout);
	clearerr(stdout);
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
	else if (options->trial && !order_is_name(options->trial))
		why = "--trial is an id of 1 to 100 bytes without blanks, or "
		      "none";
	else if (options->trial && !strncmp(options->trial, "between-", 8))
		why = "--trial: ids that begin with between- are for what "
		      "passes between two trials";
	if (!why)
		return CMD_DONE;
	fprintf(stderr, "farlink: %s: %s\n", options->file, why);
	return CMD_USAGE;
}

/* The record's folder, with the time in its name where that is wanted. */
static int name_folder(struct options *options, struct live_plan *plan)
{
	const char *pattern =
		options->folder ? options->folder : plan->arm->record.folder;
	struct err err = { 0 };

	if (!options->folder && !*pattern)
		return 0;
	plan->folder = options->named;
	if (!folder_name(pattern, loop_wall(), options->named,
			 sizeof(options->named), &err))
		return 0;
	(void)cmd_tell(&err);
	return -1;
}

/* Who may steer, by what, and from which trial on.  The usual socket may be in
 * another run's hands; one that was named must be ours.
 */
static void set_seat(struct options *options, struct live_plan *plan)
{
	const char *control =
		options->control ? options->control : plan->arm->control.socket;

	plan->waits = options->trial && !strcmp(options->trial, "none");
	plan->trial = options->trial;
	plan->control = control;
	if (!*control) {
		control_path(options->path, sizeof(options->path));
		plan->control = options->path;
		plan->control_is_usual = true;
	} else if (!strcmp(control, "off")) {
		plan->control = NULL;
	}
	plan->listen =
		options->listen ? options->listen : plan->arm->dashboard.listen;
	if (!*plan->listen || !strcmp(plan->listen, "off"))
		plan->listen = NULL;
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
	plan->sandbox = SANDBOX_RELAY;
	if (plan->arm->link.mode == MODE_TRANSPARENT && !options->loopback) {
		plan->front = &transparent_front;
		plan->sandbox = SANDBOX_ROUTER;
	}
	plan->precision = &options->precision;
	plan->duration = options->duration;
	set_seat(options, plan);
	plan->loopback = options->loopback;
	if (name_folder(options, plan) < 0)
		return CMD_USAGE;
	table_begin();
	(void)live_run(plan, end, &err);
	show_ending(options);
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
	struct live_plan plan = { .ready = ready,
				  .stopping = stopping,
				  .watch = watch,
				  .hung_up = hung_up,
				  .read_arm = read_other,
				  .trial_ended = trial_ended,
				  .context = &options };
	struct store store = { 0 };
	int status = read_options(argc, argv, &options);

	if (status != CMD_DONE)
		return status;
	memory_begin();
	service_begin();
	plan.arm = read_arm(&options, &status);
	if (!plan.arm)
		return status;
	status = run_arm(&options, &plan, &store);
	service_end();
	arm_free(plan.arm);
	store_fini(&store);
	return status;
}
