/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_trial.h - one trial that is started, done or done anew
 *
 * Floor: roof.
 */
#ifndef CMD_STUDY_TRIAL_H
#define CMD_STUDY_TRIAL_H

#include "cmd/study_sitting.h"

#define TURN_WORDS 24

/**
 * struct study_turn - A trial of a participant
 * @who:	Place of the participant; @place: of the trial, from 0
 * @arm:	Its arm, in the file @path
 * @id:		Its id; @run: under which it is run, "-2" behind if it is again:
 *		a run has no two trials of the same id
 * @record:	Folder of its record
 * @duration:	As "run --for" takes it, or ""
 * @digest:	Of the arm
 * @word:	Command line that runs it, with NULL behind it
 */
struct study_turn {
	size_t who, place;
	const struct study_arm *arm;
	char id[STUDY_TRIAL_ID], run[STUDY_TRIAL_ID + 24];
	char path[SITTING_PATH], record[SITTING_PATH + 160];
	char duration[64];
	struct study_digest digest;
	const char *word[TURN_WORDS];
};

/**
 * turn_set() - Fill in what a trial is, and check its arm
 * @sitting:	Sitting
 * @turn:	Who and which place
 * @status:	Set where the arm is not as it must be, which was told
 *
 * Return: true; false with @status set.
 */
bool turn_set(const struct sitting *sitting, struct study_turn *turn,
	      int *status);

/**
 * turn_fresh() - Choose an id and a folder that were never used
 * @sitting:	Sitting
 * @turn:	Trial; @run and @record are set
 */
void turn_fresh(const struct sitting *sitting, struct study_turn *turn);

/**
 * turn_log() - Write an event of a trial to the log
 * @sitting:	Sitting
 * @turn:	Trial
 * @event:	What happened
 * @verdict:	Verdict, or ""
 * @note:	For people, or ""
 *
 * Return: 0, or -1 after it was told.
 */
int turn_log(struct sitting *sitting, const struct study_turn *turn,
	     enum study_happening event, const char *verdict, const char *note);

/**
 * turn_ctl() - Ask a running proxy for something: farlink ctl WORDS
 * @sitting:	Sitting, with --socket
 * @words:	Words, with NULL behind them
 *
 * Return: its exit status.
 */
int turn_ctl(const struct sitting *sitting, const char *const *words);

#endif /* CMD_STUDY_TRIAL_H */
