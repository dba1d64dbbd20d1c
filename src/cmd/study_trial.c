/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_trial.c - one trial that is started, done or done anew
 *
 * Floor: roof.
 */
#include "cmd/study_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/study_outcome.h"
#include "edge/child.h"

bool turn_set(const struct sitting *sitting, struct study_turn *turn,
	      int *status)
{
	const struct study *study = sitting->study;

	turn->arm = &study->arm[study->participant[turn->who].arm[turn->place]];
	sitting_path(sitting, turn->arm->file, turn->path);
	study_trial_id(study, turn->who, turn->place, turn->id);
	return sitting_arm(sitting, turn->arm, &turn->digest, status);
}

static bool is_used(const struct sitting *sitting, const char *record)
{
	for (size_t i = 0; i < sitting->log.n; i++)
		if (!strcmp(sitting->log.event[i].record, record))
			return true;
	return !access(record, F_OK);
}

/* "-1" is the first, which has no number. */
static void name_run(const struct sitting *sitting, struct study_turn *turn,
		     size_t n)
{
	char folder[SITTING_PATH];

	sitting_path(sitting, sitting->study->general.record, folder);
	if (n > 1)
		snprintf(turn->run, sizeof(turn->run), "%s-%zu", turn->id, n);
	else
		snprintf(turn->run, sizeof(turn->run), "%s", turn->id);
	snprintf(turn->record, sizeof(turn->record), "%s/%s", folder,
		 turn->run);
}

void turn_fresh(const struct sitting *sitting, struct study_turn *turn)
{
	size_t n = 1;

	for (size_t i = 0; i < sitting->log.n; i++)
		n += sitting->log.event[i].event == STUDY_STARTED &&
		     !strcmp(sitting->log.event[i].trial, turn->id);
	do
		name_run(sitting, turn, n++);
	while (is_used(sitting, turn->record));
}

int turn_log(struct sitting *sitting, const struct study_turn *turn,
	     enum study_happening event, const char *verdict, const char *note)
{
	const struct study_event row = {
		.participant = sitting->study->participant[turn->who].id,
		.place = turn->place + 1,
		.trial = turn->id,
		.arm = turn->arm->file,
		.sha256 = turn->digest.arm,
		.files_sha256 = turn->digest.files,
		.event = event,
		.verdict = verdict,
		.record = turn->record,
		.note = note,
	};
	struct err err = { 0 };

	(void)study_log_append(&sitting->log, &row, &err);
	return cmd_tell(&err) == CMD_DONE ? 0 : -1;
}

int turn_ctl(const struct sitting *sitting, const char *const *words)
{
	const char *word[TURN_WORDS] = { "farlink", "ctl" };
	char *argv[TURN_WORDS + 1] = { NULL };
	struct err err = { 0 };
	size_t n = 2;
	int status;

	if (sitting->asked.socket) {
		word[n++] = "--socket";
		word[n++] = sitting->asked.socket;
	}
	while (*words && n < TURN_WORDS)
		word[n++] = *words++;
	for (size_t i = 0; i < n; i++)
		argv[i] = (char *)(uintptr_t)word[i];
	status = child_run(argv, &err);
	return status < 0 ? cmd_tell(&err) : status;
}

/* The record of a trial that was run by hand or left open. */
static bool find_record(const struct sitting *sitting, struct study_turn *turn)
{
	const struct study_trial *trial =
		study_trial(&sitting->progress, turn->who, turn->place);
	char latest[sizeof(turn->record)] = "";
	bool given;

	if (sitting->asked.record)
		snprintf(latest, sizeof(latest), "%s", sitting->asked.record);
	else if (trial->open && *trial->last->record)
		snprintf(latest, sizeof(latest), "%s", trial->last->record);
	given = *latest != '\0';
	for (size_t n = 1; !given; n++) {
		bool there, logged = false;

		name_run(sitting, turn, n);
		there = !access(turn->record, F_OK);
		if (!there && n > sitting->log.n)
			break;
		for (size_t i = 0; i < sitting->log.n; i++)
			logged |= !strcmp(sitting->log.event[i].record,
					  turn->record);
		if (there && !logged)
			snprintf(latest, sizeof(latest), "%s", turn->record);
	}
	if (!*latest) {
		turn_fresh(sitting, turn); /* where it was to be */
		return false;
	}
	snprintf(turn->record, sizeof(turn->record), "%s", latest);
	return true;
}

/* Whether the record is one of this trial that can count. */
static int check_record(const struct sitting *sitting, struct study_turn *turn,
			struct study_outcome *outcome)
{
	if (!find_record(sitting, turn))
		return sitting_say("%s: there is no record of it in %s; run it "
				   "first (farlink study next %s), or name its "
				   "folder with --record",
				   turn->id, turn->record,
				   sitting->asked.participant);
	study_outcome(turn->record, turn->id, outcome);
	if (!outcome->complete)
		return sitting_say(
			"%s: %s is no complete record: the run did not "
			"end by itself; run it again",
			turn->id, turn->record);
	if (strcmp(outcome->sha256, turn->digest.arm) != 0)
		return sitting_say(
			"%s: %s is the record of another arm than %s "
			"(or of another state of it); this trial still "
			"has to be run",
			turn->id, turn->record, turn->path);
	if (!*outcome->verdict)
		return sitting_say(
			"%s: %s has no trial of that id; run it with "
			"--trial %s",
			turn->id, turn->record, turn->id);
	return CMD_DONE;
}

int study_done(struct sitting *sitting)
{
	const char *stop[] = { "trial", "stop", NULL };
	struct study_outcome outcome = { 0 };
	struct study_turn turn = { 0 };
	int status;

	if (!sitting_participant(sitting, &turn.who))
		return CMD_USAGE;
	turn.place = study_next(&sitting->progress, turn.who);
	if (turn.place == sitting->study->n_trials)
		return sitting_say("%s is finished already: all %zu trials are "
				   "done",
				   sitting->asked.participant, turn.place);
	if (!turn_set(sitting, &turn, &status))
		return status;
	if (!sitting->asked.ctl)
		status = check_record(sitting, &turn, &outcome);
	else if (study_trial(&sitting->progress, turn.who, turn.place)->open)
		status = turn_ctl(sitting, stop);
	else
		status = sitting_say(
			"%s was not started; start it: farlink study "
			"next %s --start --ctl",
			turn.id, sitting->asked.participant);
	if (status != CMD_DONE)
		return status;
	if (turn_log(sitting, &turn, STUDY_ENDED, outcome.verdict,
		     sitting->asked.why ? sitting->asked.why : "") < 0)
		return CMD_FAILED;
	sitting_say("%s: done%s%s; %zu of %zu", turn.id,
		    *outcome.verdict ? ", " : "", outcome.verdict,
		    turn.place + 1, sitting->study->n_trials);
	return CMD_DONE;
}

/* The trial that is named, by id or number; else the latest that was begun. */
static bool find_trial(const struct sitting *sitting, struct study_turn *turn)
{
	const char *name = sitting->asked.trial;
	char id[STUDY_TRIAL_ID], number[32];
	size_t found = sitting->study->n_trials;

	for (size_t i = 0; i < sitting->study->n_trials; i++) {
		const struct study_trial *trial =
			study_trial(&sitting->progress, turn->who, i);

		study_trial_id(sitting->study, turn->who, i, id);
		snprintf(number, sizeof(number), "%zu", i + 1);
		if (name ? !strcmp(name, id) || !strcmp(name, number)
			 : (trial->ended || trial->open) &&
				    (found == sitting->study->n_trials ||
				     trial->last >
					     study_trial(&sitting->progress,
							 turn->who, found)
						     ->last))
			found = i;
	}
	turn->place = found;
	return found < sitting->study->n_trials;
}

int study_redo(struct sitting *sitting)
{
	const char *stop[] = { "trial", "stop", NULL };
	const struct study_trial *trial;
	struct study_turn turn = { 0 };
	const struct study_event *last;

	if (!sitting->asked.why || !*sitting->asked.why)
		return cmd_usage("study", "redo needs a reason: --why TEXT");
	if (!sitting_participant(sitting, &turn.who))
		return CMD_USAGE;
	if (!find_trial(sitting, &turn))
		return sitting_say(
			sitting->asked.trial
				? "%s has no trial %s; farlink study "
				  "plan lists them"
				: "%s has no trial that was begun%s",
			sitting->asked.participant,
			sitting->asked.trial ? sitting->asked.trial : "");
	trial = study_trial(&sitting->progress, turn.who, turn.place);
	study_trial_id(sitting->study, turn.who, turn.place, turn.id);
	if (!trial->ended && !trial->open)
		return sitting_say(
			"%s is not done: it comes without redo, when "
			"it is its turn",
			turn.id);
	last = trial->last;
	turn.arm = &sitting->study->arm[sitting->study->participant[turn.who]
						.arm[turn.place]];
	snprintf(turn.digest.arm, DIGEST_TEXT, "%s", last->sha256);
	snprintf(turn.digest.files, DIGEST_TEXT, "%s", last->files_sha256);
	snprintf(turn.record, sizeof(turn.record), "%s", last->record);
	if (sitting->asked.ctl && turn_ctl(sitting, stop) != CMD_DONE)
		return CMD_FAILED;
	if (turn_log(sitting, &turn, STUDY_REDO, "", sitting->asked.why) < 0)
		return CMD_FAILED;
	sitting_say("%s comes again; its record stays%s%s", turn.id,
		    *last->record ? " in " : "", last->record);
	return CMD_DONE;
}
