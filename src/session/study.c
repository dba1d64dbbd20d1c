/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study.c - a study file: who is put through which arms in which order
 *
 * Floor: session.
 *
 * How it works
 *
 * [study] is read first, then its lists, then what [participant ID] says of
 * those in the list; at last every participant's order is written out.
 */
#include "session/study_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/square.h"

static const struct setting general_table[] = {
	{ .name = "name",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct study_general, name),
	  .preset = "",
	  .text = "Name of the study, for people" },
	{ .name = "arms",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct study_general, arms_text),
	  .preset = "",
	  .text = "Arm files, from the study file's folder: baseline.ini, "
		  "jitter.ini; an arm's name is that of its file" },
	{ .name = "participants",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct study_general, participants_text),
	  .preset = "",
	  .text = "Ids, and ranges of them: P01-P24, X1; who is added later "
		  "goes to the end" },
	{ .name = "order",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct study_general, order),
	  .preset = "latin-square",
	  .choices = "latin-square|list",
	  .text = "How orders come about: by latin-square each participant has "
		  "a row of a balanced square, by list all have the arms as "
		  "they are listed" },
	{ .name = "repetitions",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct study_general, repetitions),
	  .lo = 1,
	  .hi = 100,
	  .preset = "1",
	  .text = "Trials with each arm for each participant" },
	{ .name = "repeat",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct study_general, repeat),
	  .preset = "blocks",
	  .choices = "blocks|together",
	  .text = "How repetitions are arranged: in blocks come all arms, then "
		  "all again, each time by the next row of the square; "
		  "together come all trials with an arm, then those with the "
		  "next" },
	{ .name = "seed",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct study_general, seed),
	  .hi = 9e18,
	  .preset = "1",
	  .text = "Seed by which rows are drawn for the participants; 0: the "
		  "first has the first row, and so on" },
	{ .name = "duration",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct study_general, duration),
	  .hi = 1e15,
	  .preset = "0ms",
	  .text = "How long a trial takes; 0: until it is stopped" },
	{ .name = "record",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct study_general, record),
	  .preset = "records",
	  .text = "Folder under which each trial's record goes, from the "
		  "study file's folder" },
	{ .name = "log",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct study_general, log),
	  .preset = "study-log.csv",
	  .text = "File into which all that is done is written, from the "
		  "study file's folder" },
};

static const struct setting participant_table[] = {
	{ .name = "order",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct study_participant, order_text),
	  .preset = "",
	  .text = "Arms by name, in the order for this participant, as many "
		  "as the others have trials; by default that of [study]" },
	{ .name = "row",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct study_participant, row),
	  .hi = 2 * STUDY_ARMS,
	  .preset = "0",
	  .text = "Row of the square, from 1, for example that of somebody "
		  "who withdrew; 0: the one that is drawn" },
	{ .name = "withdrawn",
	  .kind = SETTING_SWITCH,
	  .offset = offsetof(struct study_participant, withdrawn),
	  .preset = "no",
	  .text = "Whether nothing more is done with this participant; the "
		  "others keep their rows" },
	{ .name = "note",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct study_participant, note),
	  .preset = "",
	  .text = "For people: printed when it is this participant's turn" },
};

#define ROWS(table) (table), sizeof(table) / sizeof((table)[0])

const struct section study_sections[] = {
	{ "study", false, "a study file: the study as a whole",
	  ROWS(general_table), sizeof(struct study_general) },
	{ "participant", true, "a study file: somebody of the study",
	  ROWS(participant_table), sizeof(struct study_participant) },
};
const size_t n_study_sections =
	sizeof(study_sections) / sizeof(study_sections[0]);

int study_line(const struct study *study, const char *section, const char *key)
{
	int line = 0;

	for (size_t i = 0; i < study->ini.n; i++) {
		const struct ini_row *row = &study->ini.row[i];

		if (strcmp(row->section, section) != 0)
			continue;
		if (!row->key)
			line = row->line;
		else if (!strcmp(row->key, key))
			return row->line;
	}
	return line;
}

size_t study_find(const struct study *study, const char *id)
{
	size_t i;

	for (i = 0; i < study->n_participants; i++)
		if (!strcmp(study->participant[i].id, id))
			break;
	return i;
}

void study_trial_id(const struct study *study, size_t who, size_t place,
		    char *id)
{
	const struct study_participant *participant = &study->participant[who];

	snprintf(id, STUDY_TRIAL_ID, "%s-%zu-%s", participant->id, place + 1,
		 study->arm[participant->arm[place]].name);
}

/* All keys of the section whose first row is @i. */
static void fill(struct study *study, size_t i, const struct section *section,
		 void *into, struct err *err)
{
	const struct settings_source source = { .store = &study->store };
	const struct ini *ini = &study->ini;
	char why[512];

	for (i++; i < ini->n && ini->row[i].key; i++) {
		const struct ini_row *row = &ini->row[i];
		const struct setting *setting =
			settings_find(section->table, section->n, row->key);
		char keys[256] = "";
		size_t at = 0;

		if (setting && settings_parse(setting, into, row->value,
					      &source, why, sizeof(why)) < 0)
			err_add(err, "%s:%d: %s = %s: %s", study->file,
				row->line, row->key, row->value, why);
		if (setting)
			continue;
		for (size_t s = 0; s < section->n && at < sizeof(keys); s++)
			at += (size_t)snprintf(keys + at, sizeof(keys) - at,
					       "%s%s", s ? ", " : "",
					       section->table[s].name);
		err_add(err, "%s:%d: %s is no key of [%s]; known here: %s",
			study->file, row->line, row->key, row->section, keys);
	}
}

static void preset(struct study *study, const struct section *section,
		   void *into)
{
	const struct settings_source source = { .store = &study->store };

	settings_preset(section->table, section->n, into, &source);
}

/* [study] itself, which all else needs. */
static void read_general(struct study *study, struct err *err)
{
	size_t i;

	preset(study, &study_sections[0], &study->general);
	for (i = 0; i < study->ini.n; i++)
		if (!study->ini.row[i].key &&
		    !strcmp(study->ini.row[i].section, "study"))
			break;
	if (i == study->ini.n) {
		err_add(err,
			"%s: there is no section [study]; begin the file with "
			"[study], arms = … and participants = …",
			study->file);
		return;
	}
	fill(study, i, &study_sections[0], &study->general, err);
	study_list_arms(study, err);
	study_list_participants(study, err);
	if (!*study->general.record || !*study->general.log)
		err_add(err,
			"%s:%d: record and log need a name; leave the key out "
			"for the usual one",
			study->file, study_line(study, "study", "log"));
}

static void read_section(struct study *study, size_t i, struct err *err)
{
	const struct ini_row *row = &study->ini.row[i];
	struct study_participant *participant;
	size_t who;

	if (!strcmp(row->section, "study"))
		return;
	if (strncmp(row->section, "participant ", 12) != 0) {
		err_add(err,
			"%s:%d: there is no section [%s] in a study file; "
			"there are [study] and [participant ID]",
			study->file, row->line, row->section);
		return;
	}
	who = study_find(study, row->section + 12);
	if (who == study->n_participants) {
		err_add(err,
			"%s:%d: [%s]: participants in [study] does not have "
			"'%s'; add it there, or remove this section",
			study->file, row->line, row->section,
			row->section + 12);
		return;
	}
	participant = &study->participant[who];
	participant->line = row->line;
	fill(study, i, &study_sections[1], participant, err);
}

/* The order of [participant ID]; false where it has faults. */
static bool own_order(struct study *study, struct study_participant *who,
		      struct err *err)
{
	uint16_t arm[STUDY_TRIALS];
	char why[512] = "", section[STUDY_ID + 16];
	size_t n =
		study_read_order(study, who->order_text, arm, why, sizeof(why));

	if (n == study->n_trials) {
		memcpy(who->arm, arm, n * sizeof(*arm));
		return true;
	}
	if (n)
		snprintf(why, sizeof(why),
			 "%zu arms, and the study has %zu trials for each "
			 "participant",
			 n, study->n_trials);
	snprintf(section, sizeof(section), "participant %s", who->id);
	err_add(err, "%s:%d: order = %s: %s", study->file,
		study_line(study, section, "order"), who->order_text, why);
	return false;
}

/* Write out who has which arm when. */
static void write_order(struct study *study, size_t place, struct err *err)
{
	struct study_participant *who = &study->participant[place];
	const struct study_general *general = &study->general;
	size_t n = study->n_arms, rows = square_rows(n), row;

	who->arm =
		store_get(&study->store, study->n_trials * sizeof(*who->arm));
	if ((size_t)who->row > rows)
		err_add(err,
			"%s:%d: row = %d: with %zu arms there are %zu rows",
			study->file, who->line, (int)who->row, n, rows);
	if (*who->order_text) {
		(void)own_order(study, who, err);
		return;
	}
	row = who->row ? (size_t)who->row - 1
		       : square_row(n, (uint64_t)general->seed, place);
	for (size_t i = 0; i < study->n_trials; i++) {
		size_t block = i / n, column = i % n;

		if (general->repeat == REPEAT_TOGETHER) {
			column = i / (size_t)general->repetitions;
			block = 0;
		}
		who->arm[i] =
			(uint16_t)(general->order == ORDER_LIST
					   ? column
					   : square_at(n, (row + block) % rows,
						       column));
	}
}

struct study *study_new(const char *file, const char *text, size_t size,
			struct err *err)
{
	struct study *study = calloc(1, sizeof(*study));
	size_t faults = err->n;

	if (!study)
		abort();
	study->file = store_text(&study->store, file);
	(void)ini_read(&study->ini, &study->store, study->file, text, size,
		       err);
	if (err->n == faults)
		read_general(study, err);
	study->n_trials = study->n_arms * (size_t)study->general.repetitions;
	for (size_t i = 0; i < study->n_participants; i++) {
		const char *id = study->participant[i].id;

		preset(study, &study_sections[1], &study->participant[i]);
		study->participant[i].id = id;
	}
	if (study->n_participants)
		for (size_t i = 0; i < study->ini.n; i++)
			if (!study->ini.row[i].key)
				read_section(study, i, err);
	if (study->n_trials > STUDY_TRIALS)
		err_add(err, "%s: %zu trials for each participant; at most %d",
			study->file, study->n_trials, STUDY_TRIALS);
	for (size_t i = 0; i < study->n_participants && err->n == faults; i++)
		write_order(study, i, err);
	if (err->n == faults)
		return study;
	study_free(study);
	return NULL;
}

void study_free(struct study *study)
{
	struct store store;

	if (!study)
		return;
	store = study->store;
	store_fini(&store);
	free(study);
}
