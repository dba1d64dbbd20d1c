/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_plan.c - farlink study plan and status: tables of a study
 *
 * Floor: roof.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/study_sitting.h"
#include "edge/csv.h"
#include "edge/member.h"
#include "session/square.h"

static const char *arm_name(const struct study *study, size_t who, size_t place)
{
	return study->arm[study->participant[who].arm[place]].name;
}

static void print_text(const struct study *study)
{
	size_t id = strlen("participant"), arm = 4;

	for (size_t i = 0; i < study->n_participants; i++)
		if (strlen(study->participant[i].id) > id)
			id = strlen(study->participant[i].id);
	for (size_t i = 0; i < study->n_arms; i++)
		if (strlen(study->arm[i].name) > arm)
			arm = strlen(study->arm[i].name);
	printf("%-*s", (int)id, "participant");
	for (size_t t = 0; t < study->n_trials; t++)
		printf("  %-*zu", t + 1 < study->n_trials ? (int)arm : 0,
		       t + 1);
	printf("\n");
	for (size_t i = 0; i < study->n_participants; i++) {
		const struct study_participant *who = &study->participant[i];

		printf("%-*s", (int)id, who->id);
		for (size_t t = 0; t < study->n_trials; t++)
			printf("  %-*s", t + 1 < study->n_trials ? (int)arm : 0,
			       arm_name(study, i, t));
		printf("%s\n", who->withdrawn ? "  (withdrawn)" : "");
	}
}

static void print_field(const char *text)
{
	char field[CSV_ROOM(PATH_MAX)];

	if (strlen(text) < PATH_MAX)
		printf("%.*s", (int)csv_print(field, text), field);
}

static void print_csv(const struct study *study)
{
	char id[STUDY_TRIAL_ID];

	printf("participant,position,trial,arm,file,withdrawn\n");
	for (size_t i = 0; i < study->n_participants; i++)
		for (size_t t = 0; t < study->n_trials; t++) {
			const struct study_participant *who =
				&study->participant[i];

			study_trial_id(study, i, t, id);
			printf("%s,%zu,%s,%s,", who->id, t + 1, id,
			       arm_name(study, i, t));
			print_field(study->arm[who->arm[t]].file);
			printf(",%s\n", who->withdrawn ? "yes" : "no");
		}
}

static void print_json(const struct study *study)
{
	json_t *all = json_object(), *list = json_array();
	char id[STUDY_TRIAL_ID];

	member_set_text(all, "study", study->general.name);
	for (size_t i = 0; i < study->n_participants; i++) {
		const struct study_participant *who = &study->participant[i];
		json_t *object = json_object(), *trials = json_array();

		member_set_text(object, "participant", who->id);
		json_object_set_new(object, "withdrawn",
				    json_boolean(who->withdrawn));
		member_set_text(object, "note", who->note);
		for (size_t t = 0; t < study->n_trials; t++) {
			json_t *trial = json_object();
			const struct study_arm *arm = &study->arm[who->arm[t]];

			study_trial_id(study, i, t, id);
			member_set_text(trial, "trial", id);
			member_set_text(trial, "arm", arm->name);
			member_set_text(trial, "file", arm->file);
			json_array_append_new(trials, trial);
		}
		json_object_set_new(object, "trials", trials);
		json_array_append_new(list, object);
	}
	json_object_set_new(all, "participants", list);
	json_dumpf(all, stdout, JSON_INDENT(2));
	printf("\n");
	json_decref(all);
}

/* Whether everybody's orders together are balanced. */
static void tell_balance(const struct study *study)
{
	size_t rows = square_rows(study->n_arms);

	if (study->general.order == ORDER_LATIN_SQUARE &&
	    study->n_participants % rows)
		sitting_say(
			"%s: warning: %zu participants; orders are balanced "
			"over every %zu",
			study->file, study->n_participants, rows);
}

/* Every arm is looked at before anybody comes. */
static int check_arms(struct sitting *sitting)
{
	int worst = CMD_DONE;

	for (size_t i = 0; i < sitting->study->n_arms; i++) {
		struct study_digest digest;
		int status;

		if (!sitting_arm(sitting, &sitting->study->arm[i], &digest,
				 &status) &&
		    worst != CMD_USAGE)
			worst = status;
	}
	return worst;
}

int study_plan(struct sitting *sitting)
{
	const char *format = sitting->asked.format;

	if (!strcmp(format, "text"))
		print_text(sitting->study);
	else if (!strcmp(format, "csv"))
		print_csv(sitting->study);
	else if (!strcmp(format, "json"))
		print_json(sitting->study);
	else
		return cmd_usage("study", "--format is text, csv or json");
	tell_balance(sitting->study);
	return check_arms(sitting);
}

/* Where somebody stands, behind the count of what is done. */
static void print_stand(const struct sitting *sitting, size_t who)
{
	const struct study *study = sitting->study;
	size_t next = study_next(&sitting->progress, who);
	const struct study_event *last;
	char id[STUDY_TRIAL_ID];

	if (study->participant[who].withdrawn) {
		printf("withdrawn\n");
		return;
	}
	if (next == study->n_trials) {
		printf("finished\n");
		return;
	}
	last = study_trial(&sitting->progress, who, next)->last;
	study_trial_id(study, who, next, id);
	printf("next %s", id);
	if (last && last->event == STUDY_STARTED)
		printf(", started %s and not ended", last->utc);
	else if (last)
		printf(", again: %s%s%s", study_happening_name(last->event),
		       *last->note ? ": " : "", last->note);
	printf("\n");
}

int study_status(struct sitting *sitting)
{
	const struct study *study = sitting->study;
	size_t all = 0, finished = 0, withdrawn = 0;

	for (size_t i = 0; i < study->n_participants; i++) {
		size_t done = 0, doubtful = 0;

		for (size_t t = 0; t < study->n_trials; t++) {
			const struct study_trial *trial =
				study_trial(&sitting->progress, i, t);

			done += trial->ended;
			doubtful += trial->ended &&
				    strcmp(trial->last->verdict, "valid") != 0;
		}
		all += done;
		withdrawn += study->participant[i].withdrawn;
		finished += done == study->n_trials;
		printf("%-8s %zu of %zu", study->participant[i].id, done,
		       study->n_trials);
		if (doubtful)
			printf(" (%zu not valid)", doubtful);
		printf("; ");
		print_stand(sitting, i);
	}
	printf("%zu trials done; %zu of %zu participants finished, %zu "
	       "withdrawn\n",
	       all, finished, study->n_participants, withdrawn);
	return CMD_DONE;
}
