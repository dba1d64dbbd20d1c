/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_list.c - the lists of a study file: arms, participants, orders
 *
 * Floor: session.
 */
#include "session/study_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One word of a list with commas. */
struct word {
	const char *at;
	size_t len;
};

/* The next word; false at the end.  An empty one has no length. */
static bool next_word(const char **list, struct word *word)
{
	const char *at = *list, *end;

	if (!at)
		return false;
	at += strspn(at, " \t");
	end = at + strcspn(at, ",");
	*list = *end ? end + 1 : NULL;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	*word = (struct word){ at, (size_t)(end - at) };
	return true;
}

static const char *kept(struct study *study, struct word word)
{
	char *copy = store_get(&study->store, word.len + 1);

	memcpy(copy, word.at, word.len);
	return copy;
}

/* Names become part of folders and command lines. */
static bool is_plain(const char *text, const char *also)
{
	for (; *text; text++)
		if (!isascii((unsigned char)*text) ||
		    (!isalnum((unsigned char)*text) && !strchr(also, *text)))
			return false;
	return true;
}

/* "arms/jitter.ini" is called "jitter". */
static const char *name_of(struct study *study, const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file;
	size_t len = strlen(base);

	if (len > 4 && !strcmp(base + len - 4, ".ini"))
		len -= 4;
	return kept(study, (struct word){ base, len });
}

static void add_arm(struct study *study, struct word word, int line,
		    struct err *err)
{
	const char *file = kept(study, word), *name = name_of(study, file);

	if (study->n_arms == STUDY_ARMS) {
		err_add(err, "%s:%d: arms: at most %d", study->file, line,
			STUDY_ARMS);
		return;
	}
	if (!*name || *name == '-' || *name == '.' ||
	    strlen(name) > STUDY_NAME || !is_plain(name, "._-"))
		err_add(err,
			"%s:%d: arms: '%s': a file's name is part of the "
			"trial's: 1 to %d letters, digits, '.', '_' or '-', "
			"the first a letter or digit",
			study->file, line, file, STUDY_NAME);
	for (size_t i = 0; i < study->n_arms; i++)
		if (!strcmp(study->arm[i].name, name))
			err_add(err,
				"%s:%d: arms: '%s' and '%s' have the same "
				"name; rename one of the files, for more "
				"trials with one arm set repetitions",
				study->file, line, study->arm[i].file, file);
	study->arm[study->n_arms++] = (struct study_arm){ file, name };
}

void study_list_arms(struct study *study, struct err *err)
{
	const char *list = study->general.arms_text;
	int line = study_line(study, "study", "arms");
	size_t faults = err->n;
	struct word word;

	study->arm = store_get(&study->store, STUDY_ARMS * sizeof(*study->arm));
	if (!*list) {
		err_add(err,
			"%s:%d: [study] has no arms; add the list of its arm "
			"files: arms = baseline.ini, jitter.ini",
			study->file, line);
		return;
	}
	while (next_word(&list, &word) && err->n < faults + 20)
		if (word.len)
			add_arm(study, word, line, err);
		else
			err_add(err,
				"%s:%d: arms: nothing between two commas, or "
				"behind the last; take that comma away",
				study->file, line);
}

static void add_participant(struct study *study, const char *id, int line,
			    struct err *err)
{
	struct study_participant *participant;

	if (study->n_participants > STUDY_PARTICIPANTS)
		return;
	if (study_find(study, id) < study->n_participants)
		err_add(err,
			"%s:%d: participants: %s stands there twice; keep one",
			study->file, line, id);
	participant = &study->participant[study->n_participants++];
	participant->id = id;
	if (study->n_participants > STUDY_PARTICIPANTS)
		err_add(err, "%s:%d: participants: at most %d", study->file,
			line, STUDY_PARTICIPANTS);
}

/* The digits that a text ends in. */
static const char *digits_of(const char *text)
{
	const char *at = text + strlen(text);

	while (at > text && isdigit((unsigned char)at[-1]))
		at--;
	return at;
}

/* "P01-P24": same letters, digits of the same count, going up. */
static void add_range(struct study *study, const char *first, const char *last,
		      int line, struct err *err)
{
	const char *from = digits_of(first), *to = digits_of(last);
	size_t stem = (size_t)(from - first), width = strlen(from);
	unsigned long low = strtoul(from, NULL, 10);
	unsigned long high = strtoul(to, NULL, 10);
	char id[STUDY_ID + 1];

	if (!width || width > 9 || width != strlen(to) ||
	    stem != (size_t)(to - last) || memcmp(first, last, stem) != 0 ||
	    high < low) {
		err_add(err,
			"%s:%d: participants: '%s-%s' is no range; write one "
			"such as P01-P24",
			study->file, line, first, last);
		return;
	}
	for (; low <= high && study->n_participants <= STUDY_PARTICIPANTS;
	     low++) {
		snprintf(id, sizeof(id), "%.*s%0*lu", (int)stem, first,
			 (int)width, low);
		add_participant(study, store_text(&study->store, id), line,
				err);
	}
}

/* "between-…" is what a run calls the time between two trials. */
static bool is_id(const char *text)
{
	return *text && strcmp(text, "between") != 0 &&
	       strlen(text) <= STUDY_ID && is_plain(text, "_.") && *text != '.';
}

void study_list_participants(struct study *study, struct err *err)
{
	const char *list = study->general.participants_text;
	int line = study_line(study, "study", "participants");
	size_t faults = err->n;
	struct word word;

	study->participant =
		store_get(&study->store, (STUDY_PARTICIPANTS + 1) *
						 sizeof(*study->participant));
	if (!*list) {
		err_add(err,
			"%s:%d: [study] has no participants; add them: "
			"participants = P01-P24",
			study->file, line);
		return;
	}
	while (next_word(&list, &word) && err->n < faults + 20) {
		const char *dash = memchr(word.at, '-', word.len);
		struct word first = word, last = word;

		if (dash) {
			first.len = (size_t)(dash - word.at);
			last = (struct word){ dash + 1,
					      word.len - first.len - 1 };
			while (first.len && isspace((unsigned char)dash[-1])) {
				first.len--;
				dash--;
			}
			for (; last.len && isspace((unsigned char)*last.at);
			     last.at++)
				last.len--;
		}
		if (!is_id(kept(study, first)) || !is_id(kept(study, last)))
			err_add(err,
				"%s:%d: participants: '%s' is no id; write 1 "
				"to %d letters, digits, '_' or '.', or a range "
				"such as P01-P24",
				study->file, line, kept(study, word), STUDY_ID);
		else if (dash)
			add_range(study, kept(study, first), kept(study, last),
				  line, err);
		else
			add_participant(study, kept(study, word), line, err);
	}
}

size_t study_read_order(const struct study *study, const char *text,
			uint16_t *arm, char *why, size_t size)
{
	struct word word;
	size_t n = 0, i;

	while (next_word(&text, &word)) {
		for (i = 0; i < study->n_arms; i++)
			if (strlen(study->arm[i].name) == word.len &&
			    !memcmp(study->arm[i].name, word.at, word.len))
				break;
		if (i == study->n_arms) {
			snprintf(why, size,
				 "'%.*s' is the name of no arm of the study; "
				 "an arm is named by its file, without folder "
				 "and .ini",
				 (int)word.len, word.at);
			return 0;
		}
		if (n == STUDY_TRIALS) {
			snprintf(why, size, "at most %d arms", STUDY_TRIALS);
			return 0;
		}
		arm[n++] = (uint16_t)i;
	}
	return n;
}
