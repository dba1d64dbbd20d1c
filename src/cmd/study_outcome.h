/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_outcome.h - how a trial went, by its record
 *
 * Floor: roof.
 */
#ifndef CMD_STUDY_OUTCOME_H
#define CMD_STUDY_OUTCOME_H

#include <stdbool.h>

/**
 * struct study_outcome - How a trial went
 * @complete:	The record is: the run ended by itself
 * @verdict:	Of the trial, or ""
 * @sha256:	Of the arm that was run, or ""
 * @stopped:	The signal that ended it, or "" if it was over by itself
 */
struct study_outcome {
	bool complete;
	char verdict[32], sha256[65], stopped[32];
};

/**
 * study_outcome() - Read it from a record
 * @folder:	Folder of the record
 * @trial:	Id of the trial; one that came again has "-2", "-3" … behind
 * @outcome:	Filled with what is there
 */
void study_outcome(const char *folder, const char *trial,
		   struct study_outcome *outcome);

#endif /* CMD_STUDY_OUTCOME_H */
