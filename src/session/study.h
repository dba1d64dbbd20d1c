/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study.h - a study file: who is put through which arms in which order
 *
 * Floor: session.
 *
 * The order of every participant follows from the file alone, so that it can
 * be printed before anybody comes, and is the same each time it is asked for.
 */
#ifndef SESSION_STUDY_H
#define SESSION_STUDY_H

#include "core/settings.h"
#include "session/arm.h"
#include "session/ini.h"

/* Most arms, participants, and trials of a participant. */
#define STUDY_ARMS	   64
#define STUDY_PARTICIPANTS 1000
#define STUDY_TRIALS	   1000
/* Longest name of an arm's file without folder and ".ini", and longest id of a
 * participant; a trial's id has both.
 */
#define STUDY_NAME     64
#define STUDY_ID       24
#define STUDY_TRIAL_ID (STUDY_NAME + STUDY_ID + 16)

/**
 * struct study_general - [study]
 * @name:	For people
 * @arms_text:	As written; @participants_text too
 * @order:	ORDER_LATIN_SQUARE or ORDER_LIST
 * @repetitions: Trials with each arm for each participant
 * @repeat:	REPEAT_BLOCKS or REPEAT_TOGETHER
 * @seed:	Of the draw of rows; 0: the rows in their order
 * @duration:	Of a trial; 0: until it is stopped
 * @record:	Folder under which records go
 * @log:	File of the log
 */
struct study_general {
	const char *name, *arms_text, *participants_text, *record, *log;
	int order, repeat;
	int64_t repetitions, seed;
	nsec duration;
};

enum { ORDER_LATIN_SQUARE, ORDER_LIST };
enum { REPEAT_BLOCKS, REPEAT_TOGETHER };

/**
 * struct study_arm - An arm that the study names
 * @file:	As written
 * @name:	The file's name without folder and ".ini"
 */
struct study_arm {
	const char *file, *name;
};

/**
 * struct study_participant - Somebody of [study], with what [participant ID]
 *	says
 * @id:		Id
 * @order_text:	Arms in order, or ""
 * @note:	For people
 * @row:	Row of the square, from 1; 0: the one that is drawn
 * @withdrawn:	Nothing more is done with them
 * @line:	Line of the section; 0: there is none
 * @arm:	Arm of each of the study's trials, by its place
 */
struct study_participant {
	const char *id, *order_text, *note;
	int64_t row;
	bool withdrawn;
	int line;
	uint16_t *arm;
};

/**
 * struct study - A study
 * @store:	Keeps everything below
 * @file:	Name of its file
 * @ini:	Its rows
 * @arm:	Arms in the order of the file; @n_arms of them
 * @participant: Participants in the order of the file; @n_participants of them
 * @n_trials:	Trials of each participant
 */
struct study {
	struct store store;
	const char *file;
	struct ini ini;
	struct study_general general;
	struct study_arm *arm;
	size_t n_arms;
	struct study_participant *participant;
	size_t n_participants, n_trials;
};

/**
 * study_new() - Read and check a study
 * @file:	Name, for faults
 * @text:	Text; copied
 * @size:	Its size
 * @err:	Told all faults: "FILE:LINE: …"
 *
 * Return: the study, or NULL with @err told.
 */
struct study *study_new(const char *file, const char *text, size_t size,
			struct err *err);

/**
 * study_free() - Free a study
 * @study:	Study, or NULL
 */
void study_free(struct study *study);

/**
 * study_find() - A participant by id
 * @study:	Study
 * @id:		Id
 *
 * Return: the place, or n_participants if there is none.
 */
size_t study_find(const struct study *study, const char *id);

/**
 * study_trial_id() - Id of a trial: "P07-1-jitter"
 * @study:	Study
 * @who:	Place of the participant
 * @place:	Place of the trial, from 0
 * @id:		Filled; STUDY_TRIAL_ID bytes
 */
void study_trial_id(const struct study *study, size_t who, size_t place,
		    char *id);

/* The kinds of sections of a study file: [study] and [participant ID]. */
extern const struct section study_sections[];
extern const size_t n_study_sections;

#endif /* SESSION_STUDY_H */
