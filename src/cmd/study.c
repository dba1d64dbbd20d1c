/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study.c - farlink study: who is put through which arm next
 *
 * Floor: roof.
 */
#include <getopt.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/study_sitting.h"
#include "edge/file.h"
#include "edge/manifest.h"

static const struct option long_options[] = {
	{ "format", required_argument, NULL, 'o' },
	{ "start", no_argument, NULL, 's' },
	{ "loopback", no_argument, NULL, 'l' },
	{ "for", required_argument, NULL, 'f' },
	{ "drive", required_argument, NULL, 'd' },
	{ "robot", required_argument, NULL, 'a' },
	{ "record", required_argument, NULL, 'r' },
	{ "ctl", no_argument, NULL, 'c' },
	{ "socket", required_argument, NULL, 'k' },
	{ "changed", no_argument, NULL, 'g' },
	{ "why", required_argument, NULL, 'w' },
	{ 0 },
};

/* A verb, how many words may follow it, and which options it takes. */
static const struct verb {
	const char *name;
	int (*run)(struct sitting *sitting);
	int least, most;
	const char *options;
	bool writes;
} verbs[] = {
	{ "plan", study_plan, 0, 0, "o", false },
	{ "status", study_status, 0, 0, "", false },
	{ "next", study_turn, 1, 1, "slfdackg", false },
	{ "done", study_done, 1, 1, "rckw", true },
	{ "redo", study_redo, 1, 2, "wck", true },
};

#define N_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < N_VERBS; i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

int sitting_say(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fputs("farlink: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	return CMD_USAGE;
}

void sitting_path(const struct sitting *sitting, const char *name, char *path)
{
	if (*name == '/' || !strcmp(sitting->folder, "."))
		snprintf(path, SITTING_PATH, "%s", name);
	else
		snprintf(path, SITTING_PATH, "%s/%s", sitting->folder, name);
}

static void digest_of(const struct arm *arm, struct study_digest *digest)
{
	char all[ARM_FILES_MAX * (DIGEST_TEXT - 1) + 1];

	manifest_digest(arm->text, arm->text_size, digest->arm);
	for (size_t i = 0; i < arm->n_files; i++)
		manifest_digest(arm->files[i].text, arm->files[i].size,
				all + i * (DIGEST_TEXT - 1));
	digest->files[0] = '\0';
	if (arm->n_files)
		manifest_digest(all, arm->n_files * (DIGEST_TEXT - 1),
				digest->files);
}

bool sitting_arm(const struct sitting *sitting, const struct study_arm *arm,
		 struct study_digest *digest, int *status)
{
	const struct study_event *seen = study_seen(&sitting->progress, arm);
	char path[SITTING_PATH];
	struct arm *read;
	bool text, files;

	sitting_path(sitting, arm->file, path);
	read = cmd_read_arm(path, NULL, 0, status);
	if (!read)
		return false;
	digest_of(read, digest);
	arm_free(read);
	text = seen && strcmp(seen->sha256, digest->arm) != 0;
	files = seen && strcmp(seen->files_sha256, digest->files) != 0;
	if ((!text && !files) || sitting->asked.changed)
		return true;
	*status = sitting_say(
		"%s: %s since %s used it (%s:%lu, %s): put it back as it was "
		"(%s/manifest.json has it), or, if the change is meant, go on "
		"with --changed",
		path, text ? "changed" : "a file that it names changed",
		seen->trial, sitting->log.name, seen->line, seen->utc,
		*seen->record ? seen->record : "its record");
	return false;
}

bool sitting_participant(const struct sitting *sitting, size_t *who)
{
	const struct study *study = sitting->study;
	const char *id = sitting->asked.participant;

	*who = study_find(study, id);
	if (*who == study->n_participants) {
		sitting_say("%s: there is no participant %s; there are %s",
			    study->file, id, study->general.participants_text);
		return false;
	}
	if (!study->participant[*who].withdrawn)
		return true;
	sitting_say("%s:%d: %s has withdrawn%s%s; nothing more is done with "
		    "them, unless withdrawn = yes is taken away",
		    study->file, study->participant[*who].line, id,
		    *study->participant[*who].note ? ": " : "",
		    study->participant[*who].note);
	return false;
}

/* An option that the verb does not take is a mistake, not a wish. */
static int read_option(struct study_asked *asked, int option)
{
	nsec time;

	switch (option) {
	case 'o':
		asked->format = optarg;
		break;
	case 'f':
		asked->duration = optarg;
		return cmd_read_time(optarg, &time) < 0 ? CMD_USAGE : CMD_DONE;
	case 'd':
		asked->drive = optarg;
		break;
	case 'a':
		asked->robot = optarg;
		break;
	case 'r':
		asked->record = optarg;
		break;
	case 'k':
		asked->socket = optarg;
		break;
	case 'w':
		asked->why = optarg;
		break;
	case 's':
		asked->start = true;
		break;
	case 'l':
		asked->loopback = true;
		break;
	case 'c':
		asked->ctl = true;
		break;
	case 'g':
		asked->changed = true;
		break;
	default:
		return cmd_usage("study", NULL);
	}
	return CMD_DONE;
}

/* What does not go together; NULL if all does. */
static const char *contradiction(const struct study_asked *asked)
{
	bool runs = asked->loopback || asked->duration || asked->drive ||
		    asked->robot;

	if (asked->socket && !asked->ctl)
		return "--socket goes with --ctl";
	if (runs && asked->ctl)
		return "--loopback, --for, --drive and --robot are for a run "
		       "of its own; with --ctl the running proxy has its own";
	if (asked->ctl && !strcmp(asked->verb, "next") && !asked->start)
		return "--ctl goes with --start";
	if (asked->record && asked->ctl)
		return "--record is the running proxy's, with --ctl";
	return NULL;
}

static int read_words(int argc, char **argv, const char *options,
		      struct study_asked *asked, const struct verb **verb)
{
	const char *why;
	int n;

	asked->file = "study.ini";
	if (optind < argc && !find_verb(argv[optind]))
		asked->file = argv[optind++];
	*verb = optind < argc ? find_verb(argv[optind++]) : NULL;
	if (!*verb)
		return cmd_usage("study", "say plan, status, next, done or "
					  "redo");
	asked->verb = (*verb)->name;
	n = argc - optind;
	if (n < (*verb)->least)
		return cmd_usage("study", "name a participant");
	if (n > (*verb)->most)
		return cmd_usage("study", "that is a word too many");
	asked->participant = n > 0 ? argv[optind] : NULL;
	asked->trial = n > 1 ? argv[optind + 1] : NULL;
	for (; *options; options++)
		if (!strchr((*verb)->options, *options))
			return cmd_usage("study",
					 "an option there is for another of "
					 "plan, status, next, done, redo");
	why = contradiction(asked);
	return why ? cmd_usage("study", why) : CMD_DONE;
}

static int open_sitting(struct sitting *sitting, bool writes)
{
	const struct study_asked *asked = &sitting->asked;
	char path[SITTING_PATH], why[256], *copy = strdup(asked->file);
	struct store store = { 0 };
	struct err err = { 0 };
	const char *text;
	size_t size;

	if (!copy)
		abort();
	snprintf(sitting->folder, sizeof(sitting->folder), "%s", dirname(copy));
	free(copy);
	text = file_read(&store, asked->file, &size, why, sizeof(why));
	if (text)
		sitting->study = study_new(asked->file, text, size, &err);
	else
		err_add(&err,
			"%s: %s; name a study file, or go to the folder in "
			"which there is a study.ini",
			asked->file, why);
	store_fini(&store);
	sitting->log.fd = -1;
	if (sitting->study) {
		sitting_path(sitting, sitting->study->general.log, path);
		if (!study_log_open(&sitting->log, path, writes, &err))
			(void)study_follow(&sitting->progress, sitting->study,
					   sitting->log.event, sitting->log.n,
					   sitting->log.name, &err);
	}
	return cmd_tell(&err);
}

int cmd_study(int argc, char **argv)
{
	struct sitting sitting = { .asked = { .format = "text" } };
	char given[32] = "";
	const struct verb *verb = NULL;
	int option, status;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) !=
	       -1) {
		size_t n = strlen(given);

		status = read_option(&sitting.asked, option);
		if (status != CMD_DONE)
			return status;
		if (n + 1 < sizeof(given))
			given[n] = (char)option;
	}
	status = read_words(argc, argv, given, &sitting.asked, &verb);
	if (!verb || status != CMD_DONE)
		return status;
	status = open_sitting(&sitting, verb->writes || sitting.asked.start);
	if (status == CMD_DONE)
		status = verb->run(&sitting);
	study_progress_fini(&sitting.progress);
	study_log_close(&sitting.log);
	study_free(sitting.study);
	return status;
}
