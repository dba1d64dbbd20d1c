/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_turn.c - farlink study next: what comes next, printed or started
 *
 * Floor: roof.
 *
 * How it works
 *
 * That a trial starts is in the log before it does, so that one of which
 * nothing more is known was started and never ended: it is offered again, and
 * has a folder of its own.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/study_outcome.h"
#include "cmd/study_trial.h"
#include "edge/child.h"
#include "edge/folder.h"

/* What the run is told, besides the arm. */
static void add_options(const struct sitting *sitting, struct study_turn *turn)
{
	const struct study_asked *asked = &sitting->asked;
	const struct section *section = &study_sections[0];
	const char **word = turn->word;
	size_t n = 0;

	word[n++] = "farlink";
	word[n++] = "run";
	word[n++] = turn->path;
	word[n++] = "--record";
	word[n++] = turn->record;
	word[n++] = "--trial";
	word[n++] = turn->run;
	if (asked->loopback)
		word[n++] = "--loopback";
	if (asked->robot) {
		word[n++] = "--robot";
		word[n++] = asked->robot;
	}
	if (asked->drive) {
		word[n++] = "--drive";
		word[n++] = asked->drive;
	}
	if (!asked->duration && sitting->study->general.duration &&
	    !asked->drive)
		settings_print(
			settings_find(section->table, section->n, "duration"),
			&sitting->study->general, turn->duration,
			sizeof(turn->duration));
	else
		snprintf(turn->duration, sizeof(turn->duration), "%s",
			 asked->duration ? asked->duration : "");
	if (*turn->duration) {
		word[n++] = "--for";
		word[n++] = turn->duration;
	}
	word[n] = NULL;
}

/* A word as a shell takes it. */
static void print_word(const char *word)
{
	if (!word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
			       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			       "0123456789_-./:,=+%@")] &&
	    *word) {
		printf(" %s", word);
		return;
	}
	printf(" '");
	for (; *word; word++)
		if (*word == '\'')
			printf("'\\''");
		else
			putchar(*word);
	printf("'");
}

static void print_turn(const struct sitting *sitting,
		       const struct study_turn *turn)
{
	printf("trial   %s (%zu of %zu)\n", turn->run, turn->place + 1,
	       sitting->study->n_trials);
	printf("arm     %s\n", turn->path);
	if (sitting->asked.ctl)
		return;
	printf("record  %s\n", turn->record);
	printf("run    ");
	for (size_t i = 0; turn->word[i]; i++)
		print_word(turn->word[i]);
	printf("\n");
}

/* What came before, where this is not the first time. */
static void tell_before(const struct sitting *sitting,
			const struct study_turn *turn)
{
	const struct study_participant *who =
		&sitting->study->participant[turn->who];
	const struct study_event *last =
		study_trial(&sitting->progress, turn->who, turn->place)->last;

	if (*who->note)
		sitting_say("%s: %s", who->id, who->note);
	if (!last)
		return;
	if (last->event == STUDY_STARTED)
		sitting_say(
			"%s was started at %s and never ended: it comes "
			"again%s%s%s; if it did end well, say: farlink study "
			"done %s",
			turn->id, last->utc, *last->record ? " (" : "",
			last->record, *last->record ? " is kept)" : "",
			who->id);
	else
		sitting_say("%s comes again: %s at %s%s%s", turn->id,
			    study_happening_name(last->event), last->utc,
			    *last->note ? ": " : "", last->note);
}

/* Tell how it went, and write it down. */
static int end_trial(struct sitting *sitting, struct study_turn *turn,
		     int status)
{
	bool timed = *turn->duration || sitting->asked.drive;
	struct study_outcome outcome;
	enum study_happening event = STUDY_ABORTED;
	char note[128] = "";

	study_outcome(turn->record, turn->run, &outcome);
	if (status)
		snprintf(note, sizeof(note), "farlink run: exit status %d",
			 status);
	else if (!outcome.complete)
		snprintf(note, sizeof(note), "the record is not complete");
	else if (strcmp(outcome.sha256, turn->digest.arm) != 0)
		snprintf(note, sizeof(note),
			 "the arm was changed while it was started");
	else if (timed && *outcome.stopped)
		snprintf(note, sizeof(note), "stopped early by %s",
			 outcome.stopped);
	else
		event = STUDY_ENDED;
	if (turn_log(sitting, turn, event, outcome.verdict, note) < 0)
		return CMD_FAILED;
	if (event == STUDY_ABORTED) {
		sitting_say("%s: aborted: %s; it comes again", turn->id, note);
		return status == CMD_USAGE ? CMD_USAGE : CMD_FAILED;
	}
	sitting_say("%s: done%s%s; %zu of %zu", turn->id,
		    *outcome.verdict ? ", " : "", outcome.verdict,
		    turn->place + 1, sitting->study->n_trials);
	if (!strcmp(outcome.verdict, "invalid"))
		sitting_say("its reasons are above; to have it once more: "
			    "farlink study redo %s %s --why TEXT",
			    sitting->asked.participant, turn->id);
	return CMD_DONE;
}

static int start_run(struct sitting *sitting, struct study_turn *turn)
{
	char *words[TURN_WORDS], folder[SITTING_PATH];
	struct err err = { 0 };
	size_t n = 0;
	int status;

	sitting_path(sitting, sitting->study->general.record, folder);
	if (folder_make(folder, &err) < 0)
		return cmd_tell(&err);
	for (; turn->word[n]; n++)
		words[n] = (char *)(uintptr_t)turn->word[n];
	words[n] = NULL;
	if (turn_log(sitting, turn, STUDY_STARTED, "",
		     sitting->asked.changed ? "--changed" : "") < 0)
		return CMD_FAILED;
	status = child_run(words, &err);
	if (status >= 0)
		return end_trial(sitting, turn, status);
	(void)turn_log(sitting, turn, STUDY_ABORTED, "", err.line[0]);
	return cmd_tell(&err);
}

/* In a running proxy: adopt the arm, begin the trial.  It goes on until done,
 * redo or the proxy's end.
 */
static int start_in_proxy(struct sitting *sitting, struct study_turn *turn)
{
	const char *adopt[] = { "arm", turn->path, NULL };
	const char *begin[] = { "trial", "start", turn->run, NULL };
	char note[sizeof(turn->run) + 32];
	int status;

	turn->record[0] = '\0'; /* the proxy's */
	snprintf(note, sizeof(note), "in a running proxy as %s", turn->run);
	if (turn_log(sitting, turn, STUDY_STARTED, "", note) < 0)
		return CMD_FAILED;
	status = turn_ctl(sitting, adopt);
	if (status == CMD_DONE)
		status = turn_ctl(sitting, begin);
	if (status == CMD_DONE) {
		sitting_say("%s runs; when it is over: farlink study done %s "
			    "--ctl",
			    turn->id, sitting->asked.participant);
		return CMD_DONE;
	}
	(void)turn_log(sitting, turn, STUDY_ABORTED, "",
		       "the running proxy did not take it");
	sitting_say("%s: not started: see above", turn->id);
	return status;
}

int study_turn(struct sitting *sitting)
{
	struct study_turn turn = { 0 };
	int status;

	if (!sitting_participant(sitting, &turn.who))
		return CMD_USAGE;
	turn.place = study_next(&sitting->progress, turn.who);
	if (turn.place == sitting->study->n_trials)
		return sitting_say(
			"%s is finished: all %zu trials are done; to "
			"have one once more: farlink study redo %s "
			"TRIAL --why TEXT",
			sitting->asked.participant, turn.place,
			sitting->asked.participant);
	if (!turn_set(sitting, &turn, &status))
		return status;
	turn_fresh(sitting, &turn);
	add_options(sitting, &turn);
	tell_before(sitting, &turn);
	print_turn(sitting, &turn);
	fflush(stdout);
	if (!sitting->asked.start)
		return CMD_DONE;
	return sitting->asked.ctl ? start_in_proxy(sitting, &turn)
				  : start_run(sitting, &turn);
}
