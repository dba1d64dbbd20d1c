/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_list_test.c - lists of a study file: arms, participants, own orders
 *
 * Floor: tests.
 */
#include "session/study.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "session/square.h"

static struct study *study;
static struct err err;

static void free_all(void)
{
	study_free(study);
	study = NULL;
	err_fini(&err);
}

TestSuite(study_list, .fini = free_all);

static struct study *read_text(const char *text)
{
	free_all();
	study = study_new("study.ini", text, strlen(text), &err);
	cr_assert_eq(study == NULL, err.n > 0);
	return study;
}

static struct study *good(const char *text)
{
	cr_assert(read_text(text), "%s", err.n ? err.line[0] : "");
	return study;
}

/* The first fault begins and goes on so. */
static void refused(const char *text, const char *begins, const char *has)
{
	cr_assert_null(read_text(text));
	cr_assert(!strncmp(err.line[0], begins, strlen(begins)) &&
			  strstr(err.line[0], has),
		  "'%s' is not '%s … %s'", err.line[0], begins, has);
}

/* A study of these arms and participants, with further rows. */
static const char *text_of(const char *arms, const char *participants,
			   const char *rows)
{
	static char text[8192];

	snprintf(text, sizeof(text),
		 "[study]\narms = %s\nparticipants = %s\n%s", arms,
		 participants, rows);
	return text;
}

/* "@word-1, word-2, ...", so many of them. */
static const char *list_of(const char *word, int n)
{
	static char list[4096];
	size_t at = 0;

	for (int i = 1; i <= n; i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s%d",
				       i > 1 ? ",\n " : "", word, i);
	return list;
}

Test(study_list, settings_are_taken_up_to_their_bounds)
{
	good(text_of("a.ini", "P1", "duration = 1000000s\n"));
	cr_assert_eq(study->general.duration, 1000000 * NSEC_PER_S);
	refused(text_of("a.ini", "P1", "duration = 1000000.1s\n"),
		"study.ini:4: duration = ", "1000000");
	good(text_of("a.ini", "P1", "seed = 999999999999999999\n"));
	cr_assert_eq(study->general.seed, 999999999999999999);
	refused(text_of("a.ini", "P1", "seed = -1\n"), "study.ini:4: seed", "");
	refused(text_of("a.ini", "P1", "repetitions = 0\n"),
		"study.ini:4: repetitions = 0: ", "1");
	refused(text_of("a.ini", "P1", "repetitions = 101\n"),
		"study.ini:4: repetitions = 101: ", "100");
	/* an odd number of arms has twice as many rows */
	good(text_of(list_of("a", 63), "P1", "[participant P1]\nrow = 126\n"));
	cr_assert_eq(study->participant[0].arm[0], square_at(63, 125, 0));
	refused(text_of("a.ini", "P1", "[participant P1]\nrow = 128\n"),
		"study.ini:4: row = 128: with 1 arms there are 1 rows", "");
	refused(text_of("a.ini", "P1", "[participant P1]\nrow = 129\n"),
		"study.ini:5: row = 129: ", "128");
}

Test(study_list, arms_have_names_of_some_length_and_number)
{
	char name[STUDY_NAME + 6];

	good(text_of(list_of("a", STUDY_ARMS), "P1", ""));
	cr_assert_eq(study->n_arms, 64);
	refused(text_of(list_of("a", STUDY_ARMS + 1), "P1", ""),
		"study.ini:2: arms: at most 64", "");
	cr_assert_eq(err.n, 1);
	memset(name, 'n', STUDY_NAME);
	memcpy(name + STUDY_NAME, ".ini", 5);
	good(text_of(name, "P1", ""));
	cr_assert_eq(strlen(study->arm[0].name), 64);
	memcpy(name + STUDY_NAME, "n.ini", 6);
	refused(text_of(name, "P1", ""), "study.ini:2: arms: 'nnn",
		": 1 to 64 letters, digits, ");
	refused(text_of("x/.ini", "P1", ""), "study.ini:2: arms: 'x/.ini'",
		"the first a letter");
	refused(text_of("-a.ini", "P1", ""), "study.ini:2: arms: '-a.ini'",
		"the first a letter");
	/* only .ini is taken away, and only from something */
	good(text_of("x/a.b_c-d.ini, ini, a.ini.txt", "P1", ""));
	cr_assert_str_eq(study->arm[0].name, "a.b_c-d");
	cr_assert_str_eq(study->arm[1].name, "ini");
	cr_assert_str_eq(study->arm[2].name, "a.ini.txt");
	/* a name may be the beginning of another */
	good(text_of("a, ab", "P1", "[participant P1]\norder = ab, a\n"));
	cr_assert_eq(study->participant[0].arm[0], 1);
	cr_assert_eq(study->participant[0].arm[1], 0);
}

Test(study_list, twenty_faults_of_a_list_are_told)
{
	read_text(text_of(list_of("-a", 25), "P1", ""));
	cr_assert_eq(err.n, 20);
	read_text(text_of("a.ini", list_of("/", 25), ""));
	cr_assert_eq(err.n, 20);
}

Test(study_list, a_range_counts_in_tens_with_the_same_letters)
{
	good(text_of("a.ini", "P08-P11, Q3-Q3, 7 - 9", ""));
	cr_assert_eq(study->n_participants, 8);
	cr_assert_str_eq(study->participant[1].id, "P09");
	cr_assert_str_eq(study->participant[2].id, "P10");
	cr_assert_str_eq(study->participant[4].id, "Q3");
	cr_assert_str_eq(study->participant[7].id, "9");
	refused(text_of("a.ini", "P01-Q02", ""),
		"study.ini:3: participants: 'P01-Q02' is no range", "P01-P24");
	refused(text_of("a.ini", "P01-PP02", ""),
		"study.ini:3: participants: 'P01-PP02' is no range", "");
	refused(text_of("a.ini", "A-B", ""),
		"study.ini:3: participants: 'A-B' is no range", "");
	refused(text_of("a.ini", "P1-", ""),
		"study.ini:3: participants: 'P1-' is no id", "1 to 24 letters");
	refused(text_of("a.ini", "- P1", ""),
		"study.ini:3: participants: '- P1' is no id", "");
	refused(text_of("a.ini", "P0001-P1000, P1001-P1009", ""),
		"study.ini:3: participants: at most 1000", "");
	cr_assert_eq(err.n, 1);
	/* what a run calls the time between trials is nobody's id */
	refused(text_of("a.ini", "between", ""),
		"study.ini:3: participants: 'between' is no id", "");
	refused(text_of("a.ini", ".x", ""),
		"study.ini:3: participants: '.x' is no id", "");
	good(text_of("a.ini", "betwee, x._9", ""));
}

Test(study_list, an_own_order_has_as_many_arms_as_a_participant_has_trials)
{
	char rows[6000] = "[participant P1]\norder = a";

	for (int i = 1; i < STUDY_TRIALS; i++)
		strcat(rows, i % 50 ? ",a" : ",\n a");
	refused(text_of("a.ini", "P1", rows), "study.ini:5: order = a,a",
		": 1000 arms, and the study has 1 trials for each ");
	strcat(rows, ",a");
	refused(text_of("a.ini", "P1", rows), "study.ini:5: order = a,a",
		": at most 1000 arms");
	refused(text_of("a.ini", "P1", "[participant P1]\norder = b\n"),
		"study.ini:5: order = b: 'b' is the name of no arm", "");
}

Test(study_list, ids_and_counts_go_up_to_their_bounds)
{
	const char id[] = "abcdefghijklmnopqrstuvwx"; /* 24 letters */
	char text[256];

	cr_assert_eq(strlen(id), STUDY_ID);
	snprintf(text, sizeof(text),
		 "[study]\narms = a.ini\nparticipants = %s\n", id);
	cr_assert_str_eq(good(text)->participant[0].id, id);
	snprintf(text, sizeof(text),
		 "[study]\narms = a.ini\nparticipants = %sy\n", id);
	refused(text, "study.ini:3", "is no id");
	/* nine digits are a number of an id, ten are not */
	good("[study]\narms = a.ini\n"
	     "participants = P000000001-P000000003\n");
	cr_assert_eq(study->n_participants, 3);
	cr_assert_str_eq(study->participant[2].id, "P000000003");
	refused("[study]\narms = a.ini\n"
		"participants = P0000000001-P0000000003\n",
		"study.ini:3", "is no range");
	good("[study]\narms = a, b, c, d, e, f, g, h, i, j\n"
	     "participants = A\nrepetitions = 100\n");
	cr_assert_eq(study->n_trials, STUDY_TRIALS);
	refused("[study]\narms = a, b, c, d, e, f, g, h, i, j, k\n"
		"participants = A\nrepetitions = 91\n",
		"study.ini", "1001 trials for each participant");
	refused("[study]\narms = a.ini\nparticipants = P1-P1001\n",
		"study.ini:3", "no range");
	refused("[study]\narms = a.ini\nparticipants = P0001-P1001\n",
		"study.ini:3", "at most 1000");
	good("[study]\narms = a.ini\nparticipants = P0001 -  P1000\n");
	cr_assert_eq(study->n_participants, STUDY_PARTICIPANTS);
	cr_assert_eq(study_find(study, "P1000"), 999);
}
