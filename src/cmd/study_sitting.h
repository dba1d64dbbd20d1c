/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_sitting.h - a study, its log and what was asked of them
 *
 * Floor: roof.
 */
#ifndef CMD_STUDY_SITTING_H
#define CMD_STUDY_SITTING_H

#include <limits.h>

#include "edge/study_log.h"
#include "session/study.h"
#include "session/study_progress.h"

#define SITTING_PATH (2 * PATH_MAX)
#define DIGEST_TEXT  65

/**
 * struct study_asked - The command line
 * @file:	Study file
 * @verb:	"plan", "next" and so on
 * @participant: Id, or NULL
 * @trial:	Trial's id or number, or NULL
 * @format:	Of a table
 * @why:	Reason, or NULL
 * @duration:	--for as given, or NULL
 * @drive:	--drive, or NULL; @robot, @record, @socket likewise
 * @start:	Start what comes next
 * @loopback:	With the vehicle model in the robot's place
 * @ctl:	In a running proxy
 * @changed:	An arm's change since the study began is meant
 */
struct study_asked {
	const char *file, *verb, *participant, *trial, *format, *why;
	const char *duration, *drive, *robot, *record, *socket;
	bool start, loopback, ctl, changed;
};

/**
 * struct sitting - All that a command needs
 * @asked:	The command line
 * @study:	Study
 * @folder:	Its folder
 * @log:	Log
 * @progress:	How far the study is
 */
struct sitting {
	struct study_asked asked;
	struct study *study;
	char folder[PATH_MAX];
	struct study_log log;
	struct study_progress progress;
};

/**
 * struct study_digest - What an arm was, to be compared
 * @arm:	SHA-256 of its text
 * @files:	SHA-256 over those of the files that it names; "" without any
 */
struct study_digest {
	char arm[DIGEST_TEXT], files[DIGEST_TEXT];
};

/**
 * sitting_path() - A file that the study file names
 * @sitting:	Sitting
 * @name:	As it names it
 * @path:	Filled; SITTING_PATH bytes
 */
void sitting_path(const struct sitting *sitting, const char *name, char *path);

/**
 * sitting_arm() - Read and check an arm, and whether it is what it was
 * @sitting:	Sitting
 * @arm:	Arm of the study
 * @digest:	Filled
 * @status:	Set where there is a fault, which was told
 *
 * Return: true; false with *@status set.
 */
bool sitting_arm(const struct sitting *sitting, const struct study_arm *arm,
		 struct study_digest *digest, int *status);

/**
 * sitting_participant() - The participant that was asked for, unless withdrawn
 * @sitting:	Sitting
 * @who:	Set to the place
 *
 * Return: true; false where there is none, which was told.
 */
bool sitting_participant(const struct sitting *sitting, size_t *who);

/* A line to stderr, "farlink: …"; returns CMD_USAGE. */
int sitting_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The verbs, each with its exit status. */
int study_plan(struct sitting *sitting);
int study_status(struct sitting *sitting);
int study_turn(struct sitting *sitting);
int study_done(struct sitting *sitting);
int study_redo(struct sitting *sitting);

#endif /* CMD_STUDY_SITTING_H */
