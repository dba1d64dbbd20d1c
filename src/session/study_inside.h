/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_inside.h - what the files that read a study share
 *
 * Floor: session.
 */
#ifndef SESSION_STUDY_INSIDE_H
#define SESSION_STUDY_INSIDE_H

#include "session/study.h"

/**
 * study_line() - Line of a key, for faults
 * @study:	Study
 * @section:	Section
 * @key:	Key
 *
 * Return: its line, or that of the section, or 0.
 */
int study_line(const struct study *study, const char *section, const char *key);

/**
 * study_list_arms() - Read the arms of [study]
 * @study:	Study with its general settings
 * @err:	Told faults
 */
void study_list_arms(struct study *study, struct err *err);

/**
 * study_list_participants() - Read the participants of [study]: "P01-P24, X1"
 * @study:	Study with its general settings
 * @err:	Told faults
 */
void study_list_participants(struct study *study, struct err *err);

/**
 * study_read_order() - Arms by their names: "baseline, jitter"
 * @study:	Study with its arms
 * @text:	As written
 * @arm:	Filled; STUDY_TRIALS places
 * @why:	Filled with what is wrong with it
 * @size:	Of @why
 *
 * Return: how many; 0 with @why filled.
 */
size_t study_read_order(const struct study *study, const char *text,
			uint16_t *arm, char *why, size_t size);

#endif /* SESSION_STUDY_INSIDE_H */
