/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_test.c - balanced orders, study files, and how far a study is
 *
 * Floor: tests.
 */
#include "session/study.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "session/square.h"
#include "session/study_progress.h"

#define MOST 12

static struct study *study;
static struct err err;
static struct study_progress progress;

static void free_all(void)
{
	study_progress_fini(&progress);
	study_free(study);
	study = NULL;
	err_fini(&err);
}

TestSuite(study, .fini = free_all);

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

/* One of the faults begins and goes on so. */
static void refused(const char *text, const char *begins, const char *has)
{
	cr_assert_null(read_text(text));
	for (size_t i = 0; i < err.n; i++)
		if (!strncmp(err.line[i], begins, strlen(begins)) &&
		    strstr(err.line[i], has))
			return;
	cr_assert(0, "'%s' is not '%s … %s'", err.line[0], begins, has);
}

/* The trials of a participant in one line. */
static const char *order_of(size_t who)
{
	static char text[1024];
	char id[STUDY_TRIAL_ID];
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < study->n_trials; i++) {
		study_trial_id(study, who, i, id);
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
				       i ? " " : "", id);
	}
	return text;
}

Test(study, a_square_has_each_arm_once_in_a_row_and_equally_often_at_a_place)
{
	for (size_t n = 2; n <= MOST; n++) {
		size_t rows = square_rows(n), at[MOST][MOST] = { { 0 } };

		cr_assert_eq(rows, n % 2 ? 2 * n : n);
		for (size_t row = 0; row < rows; row++) {
			unsigned seen = 0;

			for (size_t i = 0; i < n; i++) {
				size_t arm = square_at(n, row, i);

				cr_assert_lt(arm, n);
				seen |= 1u << arm;
				at[arm][i]++;
			}
			cr_assert_eq(seen, (1u << n) - 1, "n %zu row %zu", n,
				     row);
		}
		for (size_t arm = 0; arm < n; arm++)
			for (size_t i = 0; i < n; i++)
				cr_assert_eq(at[arm][i], rows / n,
					     "n %zu: arm %zu place %zu", n, arm,
					     i);
	}
}

Test(study, in_a_square_each_arm_follows_each_other_equally_often)
{
	for (size_t n = 2; n <= MOST; n++) {
		size_t rows = square_rows(n), after[MOST][MOST] = { { 0 } };

		for (size_t row = 0; row < rows; row++)
			for (size_t i = 1; i < n; i++)
				after[square_at(n, row, i - 1)]
				     [square_at(n, row, i)]++;
		for (size_t a = 0; a < n; a++)
			for (size_t b = 0; b < n; b++)
				cr_assert_eq(after[a][b], a == b ? 0 : rows / n,
					     "n %zu: %zu then %zu: %zu", n, a,
					     b, after[a][b]);
	}
}

Test(study, one_arm_has_one_row)
{
	cr_assert_eq(square_rows(1), 1);
	cr_assert_eq(square_at(1, 0, 0), 0);
	cr_assert_eq(square_row(1, 7, 5), 0);
}

Test(study, each_cycle_of_participants_has_every_row_once)
{
	for (uint64_t seed = 0; seed < 20; seed++)
		for (size_t n = 2; n <= MOST; n++) {
			size_t rows = square_rows(n), seen[2 * MOST] = { 0 };

			for (size_t who = 0; who < 3 * rows; who++)
				seen[square_row(n, seed, who)]++;
			for (size_t row = 0; row < rows; row++)
				cr_assert_eq(seen[row], 3);
		}
}

Test(study, rows_are_drawn_alike_and_by_the_seed)
{
	size_t first[4] = { 0 }, moved = 0;

	/* 4000 draws, 4 rows: each 1000 times, standard deviation 27.4 */
	for (uint64_t seed = 1; seed <= 4000; seed++)
		first[square_row(4, seed, 0)]++;
	for (size_t row = 0; row < 4; row++)
		cr_assert(first[row] > 863 && first[row] < 1137, "row %zu: %zu",
			  row, first[row]);
	for (size_t who = 0; who < 24; who++)
		moved += square_row(24, 1, who) != square_row(24, 2, who);
	cr_assert_gt(moved, 12);
	for (size_t who = 0; who < 30; who++)
		cr_assert_eq(square_row(6, 0, who), who % 6);
}

Test(study, a_small_file_has_its_orders)
{
	good("[study]\narms = arms/a.ini, arms/b.ini, c.ini\n"
	     "participants = P1-P3, X9\norder = list\n");
	cr_assert_eq(study->n_arms, 3);
	cr_assert_str_eq(study->arm[1].file, "arms/b.ini");
	cr_assert_eq(study->n_participants, 4);
	cr_assert_str_eq(study->participant[3].id, "X9");
	cr_assert_str_eq(order_of(1), "P2-1-a P2-2-b P2-3-c");
	cr_assert_str_eq(study->general.log, "study-log.csv");
	/* blanks around a comma, and sections in any order */
	good("[participant P1]\nrow = 2\n"
	     "[study]\narms = a.ini , b.ini\nparticipants = P1 , P2\n");
	cr_assert_str_eq(order_of(0), "P1-1-b P1-2-a");
	cr_assert_str_eq(study->participant[1].id, "P2");
}

Test(study, a_square_gives_rows_in_turn_without_a_seed)
{
	good("[study]\narms = a.ini, b.ini, c.ini, d.ini\n"
	     "participants = P01-P05\nseed = 0\n");
	cr_assert_str_eq(order_of(0), "P01-1-a P01-2-b P01-3-d P01-4-c");
	cr_assert_str_eq(order_of(1), "P02-1-b P02-2-c P02-3-a P02-4-d");
	cr_assert_str_eq(order_of(4), "P05-1-a P05-2-b P05-3-d P05-4-c");
}

Test(study, repetitions_are_blocks_of_other_rows_or_stand_together)
{
	good("[study]\narms = a.ini, b.ini\nparticipants = P1\nseed = 0\n"
	     "repetitions = 2\n");
	cr_assert_str_eq(order_of(0), "P1-1-a P1-2-b P1-3-b P1-4-a");
	good("[study]\narms = a.ini, b.ini\nparticipants = P1\nseed = 0\n"
	     "repetitions = 2\nrepeat = together\n");
	cr_assert_str_eq(order_of(0), "P1-1-a P1-2-a P1-3-b P1-4-b");
	/* behind the last row comes the first */
	good("[study]\narms = a.ini, b.ini, c.ini\nparticipants = P1\n"
	     "repetitions = 2\n[participant P1]\nrow = 6\n");
	cr_assert_str_eq(order_of(0),
			 "P1-1-b P1-2-a P1-3-c P1-4-a P1-5-b P1-6-c");
	good("[study]\narms = a.ini, b.ini\nparticipants = P1\n"
	     "repetitions = 3\norder = list\n");
	cr_assert_str_eq(order_of(0),
			 "P1-1-a P1-2-b P1-3-a P1-4-b P1-5-a P1-6-b");
}

Test(study, a_participant_may_have_an_order_or_a_row)
{
	good("[study]\narms = a.ini, b.ini\nparticipants = P1-P3\nseed = 0\n"
	     "[participant P1]\norder = b, a\nnote = left-handed\n"
	     "[participant P3]\nrow = 2\nwithdrawn = yes\n");
	cr_assert_str_eq(order_of(0), "P1-1-b P1-2-a");
	cr_assert_str_eq(study->participant[0].note, "left-handed");
	cr_assert_str_eq(order_of(2), "P3-1-b P3-2-a");
	cr_assert(study->participant[2].withdrawn);
	cr_assert_not(study->participant[1].withdrawn);
}

Test(study, who_is_added_later_changes_nobodys_order)
{
	char before[1024];

	good("[study]\narms = a.ini, b.ini, c.ini\nparticipants = P01-P07\n");
	snprintf(before, sizeof(before), "%s", order_of(6));
	good("[study]\narms = a.ini, b.ini, c.ini\nparticipants = P01-P24\n");
	cr_assert_str_eq(order_of(6), before);
}

Test(study, faults_name_line_and_key_and_remedy)
{
	refused("", "study.ini: ", "begin the file with [study]");
	refused("[study]\nparticipants = P1\n",
		"study.ini:1: ", "arms = baseline.ini");
	refused("[study]\narms = a.ini\n", "study.ini:1: ", "P01-P24");
	refused("[study]\narms = a.ini, x/a.ini\nparticipants = P1\n",
		"study.ini:2: arms: ", "repetitions");
	refused("[study]\narms = a.ini,\n b b.ini\nparticipants = P1\n",
		"study.ini:2: arms: 'b b.ini'", "letters, digits");
	refused("[study]\narms = a.ini,, b.ini\nparticipants = P1\n",
		"study.ini:2: arms: ", "comma");
	refused("[study]\narms = a.ini, , b.ini\nparticipants = P1\n",
		"study.ini:2: arms: ", "comma");
	refused("[study]\narms = a.ini\nparticipants = P1, P1\n",
		"study.ini:3: participants: P1 ", "twice");
	refused("[study]\narms = a.ini\nparticipants = P9-P10\n",
		"study.ini:3: participants: 'P9-P10'", "P01-P24");
	refused("[study]\narms = a.ini\nparticipants = P24-P01\n",
		"study.ini:3: participants: 'P24-P01'", "range");
	refused("[study]\narms = a.ini\nparticipants = P/1\n",
		"study.ini:3: participants: 'P/1'", "letters");
	refused("[study]\narms = a.ini\nparticipants = P0001-P2000\n",
		"study.ini:3: participants: ", "at most 1000");
	refused("[study]\narms = a.ini\nparticipants = P1\nordr = list\n",
		"study.ini:4: ordr ", "");
	cr_assert_str_eq(err.line[0],
			 "study.ini:4: ordr is no key of [study]; known here: "
			 "name, arms, participants, order, repetitions, "
			 "repeat, seed, duration, record, log");
	refused("[study]\narms = a.ini\nparticipants = P1\nlog =\n",
		"study.ini:4: record and log need a name", "the usual one");
	refused("[study]\narms = a.ini\nparticipants = P1\nrecord =\n",
		"study.ini:1: record and log need a name", "the usual one");
	refused("[study]\narms = a.ini\nparticipants = P1\norder = random\n",
		"study.ini:4: order = random", "latin-square|list");
	refused("[study]\narms = a.ini\nparticipants = P1\n[participant P2]\n",
		"study.ini:4: ", "'P2'");
	refused("[study]\narms = a.ini\nparticipants = P1\n[arm]\n",
		"study.ini:4: ", "[participant ID]");
	refused("[study]\narms = a.ini\nparticipants = P1\n"
		"[participant P1]\norder = a, b\n",
		"study.ini:5: order = a, b: ", "'b'");
	refused("[study]\narms = a.ini\nparticipants = P1\n"
		"[participant P1]\norder = a, a\n",
		"study.ini:5: order = a, a: ",
		"2 arms, and the study has 1 trials for each participant");
	refused("[study]\narms = a.ini, b.ini\nparticipants = P1\n"
		"[participant P1]\nrow = 3\n",
		"study.ini:4: row = 3", ": with 2 arms there are 2 rows");
	refused("[study]\narms = a.ini, b.ini, c.ini\nparticipants = P1\n"
		"[participant P1]\nrow = 7\n",
		"study.ini:4: row = 7", ": with 3 arms there are 6 rows");
}

static const char three[] =
	"[study]\narms = a.ini, b.ini, c.ini\nparticipants = P1, P2\n"
	"order = list\n";

#define EVENT(who, number, name, what)                                         \
	(struct study_event)                                                   \
	{                                                                      \
		.line = 2, .participant = (who), .trial = (name),              \
		.arm = "a.ini", .place = (number), .event = (what)             \
	}

static int follow(const struct study_event *event, size_t n)
{
	study_progress_fini(&progress);
	err_fini(&err);
	return study_follow(&progress, study, event, n, "log.csv", &err);
}

Test(study, what_comes_next_is_the_first_trial_that_is_not_done)
{
	const struct study_event events[] = {
		EVENT("P1", 1, "P1-1-a", STUDY_STARTED),
		EVENT("P1", 1, "P1-1-a", STUDY_ENDED),
		EVENT("P1", 2, "P1-2-b", STUDY_STARTED),
		EVENT("P1", 2, "P1-2-b", STUDY_ABORTED),
		EVENT("P1", 2, "P1-2-b", STUDY_STARTED),
		EVENT("P1", 2, "P1-2-b", STUDY_ENDED),
		EVENT("P1", 3, "P1-3-c", STUDY_ENDED),
		EVENT("P1", 2, "P1-2-b", STUDY_REDO),
	};
	const struct study_event done[] = {
		EVENT("P1", 1, "P1-1-a", STUDY_ENDED),
		EVENT("P1", 2, "P1-2-b", STUDY_ENDED),
		EVENT("P1", 3, "P1-3-c", STUDY_ENDED),
		EVENT("P2", 1, "P2-1-a", STUDY_ENDED),
	};
	const size_t wanted[] = { 0, 0, 1, 1, 1, 1, 2, 3, 1 };

	good(three);
	for (size_t n = 0; n <= 8; n++) {
		cr_assert_eq(follow(events, n), 0);
		cr_assert_eq(study_next(&progress, 0), wanted[n], "after %zu",
			     n);
		cr_assert_eq(study_next(&progress, 1), 0);
		cr_assert_eq(study_trial(&progress, 0, 0)->open, n == 1);
		cr_assert_eq(study_trial(&progress, 0, 1)->open,
			     n == 3 || n == 5);
	}
	cr_assert_eq(study_seen(&progress, &study->arm[0]), &events[6]);
	cr_assert_null(study_seen(&progress, &study->arm[1]));
	/* who is done is done, however far the next one is */
	cr_assert_eq(follow(done, 4), 0);
	cr_assert_eq(study_next(&progress, 0), 3);
	cr_assert_eq(study_next(&progress, 1), 1);
	/* who only aborted has seen nothing; who began has */
	cr_assert_eq(follow(&events[3], 1), 0);
	cr_assert_null(study_seen(&progress, &study->arm[0]));
	cr_assert_eq(follow(&events[2], 1), 0);
	cr_assert_eq(study_seen(&progress, &study->arm[0]), &events[2]);
}

Test(study, a_log_of_another_study_is_refused)
{
	const struct study_event other =
		EVENT("P1", 1, "P1-1-c", STUDY_STARTED);
	const struct study_event gone = EVENT("P9", 1, "P9-1-a", STUDY_ENDED);
	const struct study_event more = EVENT("P1", 4, "P1-4-a", STUDY_ENDED);
	const struct study_event none = EVENT("P1", 0, "P1-0-a", STUDY_ENDED);
	struct study_event many[25];

	good(three);
	cr_assert_lt(follow(&other, 1), 0);
	cr_assert_str_eq(
		err.line[0],
		"log.csv:2: trial 1 of P1 was P1-1-c, and by study.ini it is "
		"now P1-1-a; put the study file back as it was, or write the "
		"old order into [participant P1]");
	cr_assert_lt(follow(&gone, 1), 0);
	cr_assert_str_eq(
		err.line[0],
		"log.csv:2: P9 is no participant of study.ini any more; put "
		"them back: who is not to go on is marked withdrawn = yes");
	cr_assert_lt(follow(&more, 1), 0);
	cr_assert_str_eq(
		err.line[0],
		"log.csv:2: P1 has a trial 4 here and 3 trials in study.ini; "
		"put arms and repetitions back as they were");
	cr_assert_lt(follow(&none, 1), 0);
	cr_assert(strstr(err.line[0], "P1 has a trial 0 here and 3 trials"));
	/* twenty of them are enough */
	for (size_t i = 0; i < 25; i++)
		many[i] = gone;
	cr_assert_lt(follow(many, 25), 0);
	cr_assert_eq(err.n, 20);
}

Test(study, events_have_their_words)
{
	enum study_happening event;

	for (int i = STUDY_STARTED; i <= STUDY_REDO; i++) {
		cr_assert(study_happening_parse(
			study_happening_name((enum study_happening)i), &event));
		cr_assert_eq((int)event, i);
	}
	cr_assert_not(study_happening_parse("begun", &event));
}
