/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_progress.h - how far a study is, by the events of its log
 *
 * Floor: session.
 */
#ifndef SESSION_STUDY_PROGRESS_H
#define SESSION_STUDY_PROGRESS_H

#include "session/study.h"

/* What happened to a trial. */
enum study_happening {
	STUDY_STARTED,
	STUDY_ENDED,   /* it counts, whatever its verdict */
	STUDY_ABORTED, /* it does not */
	STUDY_REDO,    /* it did, and no longer does */
};

/**
 * struct study_event - A row of the log
 * @line:	Its line
 * @utc:	When: 2026-08-17T09:30:12Z
 * @participant: Id
 * @trial:	Id of the trial
 * @arm:	The arm's file, as the study has it
 * @sha256:	Of the arm's text
 * @files_sha256: Of the files that the arm names; "" if there are none
 * @verdict:	Of a trial that ended; may be ""
 * @record:	Folder of the record; may be ""
 * @note:	For people
 * @place:	Place of the trial, from 1, among those of the participant
 * @event:	What happened
 */
struct study_event {
	unsigned long line;
	const char *utc, *participant, *trial, *arm, *sha256, *files_sha256;
	const char *verdict, *record, *note;
	size_t place;
	enum study_happening event;
};

/**
 * struct study_trial - How far a trial is
 * @last:	The latest event of it, or NULL: nothing happened yet
 * @ended:	It is done
 * @open:	It was started, and nobody knows how it ended
 */
struct study_trial {
	const struct study_event *last;
	bool ended, open;
};

/**
 * struct study_progress - How far a study is
 * @study:	Study; borrowed
 * @event:	Events in their order; @n of them; borrowed
 * @trial:	Those of the first participant, then of the second …
 */
struct study_progress {
	const struct study *study;
	const struct study_event *event;
	size_t n;
	struct study_trial *trial;
};

/**
 * study_follow() - Follow the events of a log
 * @progress:	Filled
 * @study:	Study
 * @event:	Events, borrowed; @n of them
 * @log:	Name of the log, for faults
 * @err:	Told where log and study contradict each other
 *
 * Return: 0, or -1 with @err told; study_progress_fini() in both cases.
 */
int study_follow(struct study_progress *progress, const struct study *study,
		 const struct study_event *event, size_t n, const char *log,
		 struct err *err);

/**
 * study_next() - What comes next for a participant: the first trial that is not
 *	done
 * @progress:	Progress
 * @who:	Place of the participant
 *
 * Return: the trial's place, from 0; n_trials if all are done.
 */
size_t study_next(const struct study_progress *progress, size_t who);

/**
 * study_trial() - How far one trial is
 * @progress:	Progress
 * @who:	Place of the participant
 * @place:	Place of the trial, from 0
 *
 * Return: the trial.
 */
const struct study_trial *study_trial(const struct study_progress *progress,
				      size_t who, size_t place);

/**
 * study_seen() - The latest start of a trial with an arm
 * @progress:	Progress
 * @arm:	The arm
 *
 * Return: the event, or NULL: no trial had it yet.
 */
const struct study_event *study_seen(const struct study_progress *progress,
				     const struct study_arm *arm);

/**
 * study_progress_fini() - Free what was made
 * @progress:	Progress
 */
void study_progress_fini(struct study_progress *progress);

/* "started", "ended", "aborted", "redo" */
const char *study_happening_name(enum study_happening event);

/**
 * study_happening_parse() - Read such a word
 * @text:	Word
 * @event:	Set
 *
 * Return: false if it is none.
 */
bool study_happening_parse(const char *text, enum study_happening *event);

#endif /* SESSION_STUDY_PROGRESS_H */
