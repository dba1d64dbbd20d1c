/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study.c - whatever text claims to be a study: refused with reasons, or
 *	everybody has an order
 *
 * Floor: tests.
 *
 * The bytes of the input choose the events of a log as well: they are followed,
 * or said to contradict each other.
 */
#include "session/study.h"

#include <stdlib.h>
#include <string.h>

#include "session/study_progress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENTS 24

static void hold(bool what)
{
	if (!what)
		abort();
}

/* Each trial has an arm, and an id that nobody else's has. */
static void check_orders(const struct study *study)
{
	char id[STUDY_TRIAL_ID], other[STUDY_TRIAL_ID];

	hold(study->n_arms && study->n_arms <= STUDY_ARMS);
	hold(study->n_participants &&
	     study->n_participants <= STUDY_PARTICIPANTS);
	hold(study->n_trials && study->n_trials <= STUDY_TRIALS);
	for (size_t who = 0; who < study->n_participants; who++) {
		hold(study_find(study, study->participant[who].id) == who);
		for (size_t i = 0; i < study->n_trials; i++)
			hold(study->participant[who].arm[i] < study->n_arms);
	}
	study_trial_id(study, 0, 0, id);
	hold(*id != '\0' && strlen(id) < STUDY_TRIAL_ID);
	study_trial_id(study, study->n_participants - 1, study->n_trials - 1,
		       other);
	if (study->n_participants > 1 || study->n_trials > 1)
		hold(strcmp(id, other) != 0);
}

/* Events that may contradict each other: said, or followed. */
static void follow(const struct study *study, const uint8_t *data, size_t size)
{
	struct study_progress progress = { 0 };
	struct study_event event[EVENTS] = { 0 };
	char id[EVENTS][STUDY_TRIAL_ID];
	struct err err = { 0 };
	size_t n = size < EVENTS ? size : EVENTS;

	for (size_t i = 0; i < n; i++) {
		size_t who = data[i] / 4u % study->n_participants;
		size_t place = data[i] / 16u % study->n_trials;

		study_trial_id(study, who, place, id[i]);
		event[i] = (struct study_event){
			.line = i + 2,
			.utc = "2026-08-17T09:30:12Z",
			.participant = study->participant[who].id,
			.trial = id[i],
			.arm = study->arm[study->participant[who].arm[place]]
				       .file,
			.sha256 = "",
			.files_sha256 = "",
			.verdict = "",
			.record = "",
			.note = "",
			.place = place + 1,
			.event = (enum study_happening)(data[i] % 4),
		};
	}
	if (study_follow(&progress, study, event, n, "log", &err) == 0) {
		for (size_t who = 0; who < study->n_participants; who++) {
			size_t next = study_next(&progress, who);

			hold(next <= study->n_trials);
			hold(next == study->n_trials ||
			     !study_trial(&progress, who, next)->ended);
		}
		hold(!err.n);
	} else {
		hold(err.n > 0);
	}
	study_progress_fini(&progress);
	err_fini(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);
	struct err err = { 0 };
	struct study *study;

	hold(text);
	if (size)
		memcpy(text, data, size);
	study = study_new("study.ini", text, size, &err);
	hold((study == NULL) == (err.n > 0));
	for (size_t i = 0; i < err.n; i++)
		hold(err.line[i] && err.line[i][0]);
	if (study) {
		check_orders(study);
		follow(study, data, size);
		follow(study, data + size / 2, size - size / 2);
	}
	study_free(study);
	err_fini(&err);
	free(text);
	return 0;
}
