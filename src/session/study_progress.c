/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_progress.c - how far a study is, by the events of its log
 *
 * Floor: session.
 */
#include "session/study_progress.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
	[STUDY_STARTED] = "started",
	[STUDY_ENDED] = "ended",
	[STUDY_ABORTED] = "aborted",
	[STUDY_REDO] = "redo",
};

const char *study_happening_name(enum study_happening event)
{
	return names[event];
}

bool study_happening_parse(const char *text, enum study_happening *event)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], text) != 0)
			continue;
		*event = (enum study_happening)i;
		return true;
	}
	return false;
}

/* What the study file says of the trial of an event; a fault if it is another
 * one than when the event was written.
 */
static struct study_trial *find(struct study_progress *progress,
				const struct study_event *event,
				const char *log, struct err *err)
{
	const struct study *study = progress->study;
	size_t who = study_find(study, event->participant);
	char id[STUDY_TRIAL_ID];

	if (who == study->n_participants) {
		err_add(err,
			"%s:%lu: %s is no participant of %s any more; put them "
			"back: who is not to go on is marked withdrawn = yes",
			log, event->line, event->participant, study->file);
		return NULL;
	}
	if (!event->place || event->place > study->n_trials) {
		err_add(err,
			"%s:%lu: %s has a trial %zu here and %zu trials in %s; "
			"put arms and repetitions back as they were",
			log, event->line, event->participant, event->place,
			study->n_trials, study->file);
		return NULL;
	}
	study_trial_id(study, who, event->place - 1, id);
	if (strcmp(id, event->trial) != 0) {
		err_add(err,
			"%s:%lu: trial %zu of %s was %s, and by %s it is now "
			"%s; put the study file back as it was, or write the "
			"old order into [participant %s]",
			log, event->line, event->place, event->participant,
			event->trial, study->file, id, event->participant);
		return NULL;
	}
	return &progress->trial[who * study->n_trials + event->place - 1];
}

int study_follow(struct study_progress *progress, const struct study *study,
		 const struct study_event *event, size_t n, const char *log,
		 struct err *err)
{
	size_t faults = err->n;

	*progress = (struct study_progress){ study, event, n, NULL };
	progress->trial = calloc(study->n_participants * study->n_trials + 1,
				 sizeof(*progress->trial));
	if (!progress->trial)
		abort();
	for (size_t i = 0; i < n && err->n < faults + 20; i++) {
		struct study_trial *trial = find(progress, &event[i], log, err);

		if (!trial)
			continue;
		trial->last = &event[i];
		trial->ended = event[i].event == STUDY_ENDED;
		trial->open = event[i].event == STUDY_STARTED;
	}
	return err->n == faults ? 0 : -1;
}

size_t study_next(const struct study_progress *progress, size_t who)
{
	size_t place;

	for (place = 0; place < progress->study->n_trials; place++)
		if (!study_trial(progress, who, place)->ended)
			break;
	return place;
}

const struct study_trial *study_trial(const struct study_progress *progress,
				      size_t who, size_t place)
{
	return &progress->trial[who * progress->study->n_trials + place];
}

const struct study_event *study_seen(const struct study_progress *progress,
				     const struct study_arm *arm)
{
	for (size_t i = progress->n; i-- > 0;)
		if ((progress->event[i].event == STUDY_STARTED ||
		     progress->event[i].event == STUDY_ENDED) &&
		    !strcmp(progress->event[i].arm, arm->file))
			return &progress->event[i];
	return NULL;
}

void study_progress_fini(struct study_progress *progress)
{
	free(progress->trial);
	progress->trial = NULL;
}
