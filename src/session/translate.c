/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate.c - a line of another tool to an arm, with what it really did
 *
 * Floor: session.
 */
#include "session/translate_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"

#define SECTIONS_ROOM 8192
#define SIDE_ROOM     1024
#define NOTE_ROOM     1024
/* Longest word, so that a comment's line can hold it. */
#define WORD_MAX 120
/* Columns of a comment. */
#define COLUMNS 76

struct text *translate_begin(struct translating *t, const char *type)
{
	struct text *text = &t->conditions;
	char name[64];
	size_t same = 1;

	for (size_t i = 0; i < t->n_types; i++)
		same += !strcmp(t->type[i], type);
	if (t->n_types < TRANSLATE_SECTIONS)
		t->type[t->n_types++] = type;
	else
		translate_fault(t, translate_word(t),
				"too many conditions for one arm");
	if (same > 1)
		snprintf(name, sizeof(name), "%s-%zu", type, same);
	else
		snprintf(name, sizeof(name), "%s", type);
	for (int i = 0; i < DIRECTIONS; i++)
		if (t->on[i])
			text_add(&t->side[i].chain, "%s%s",
				 t->side[i].chain.len ? ", " : "", name);
	text_add(text, "\n[condition %s]\ntype = %s\n", name, type);
	return text;
}

void translate_row_time(struct text *text, const char *key, nsec time)
{
	char value[64];

	decimal_print(value, sizeof(value), time, NSEC_PER_MS);
	text_add(text, "%s = %sms\n", key, value);
}

void translate_row_share(struct text *text, const char *key, double share)
{
	text_add(text, "%s = ", key);
	text_number(text, 100.0 * share);
	text_add(text, "%%\n");
}

void translate_row_count(struct text *text, const char *key, int64_t count)
{
	text_add(text, "%s = %lld\n", key, (long long)count);
}

/* Add a row to the channels that are on; what stands there already stays. */
static void add_row(struct translating *t, const char *row)
{
	size_t key = strcspn(row, "=");

	for (int i = 0; i < DIRECTIONS; i++) {
		struct text *rows = &t->side[i].settings;
		const char *at = rows->bytes;

		while (t->on[i] && at && strncmp(at, row, key) != 0)
			at = (at = strchr(at, '\n')) ? at + 1 : NULL;
		if (t->on[i] && !at)
			text_add(rows, "%s\n", row);
		else if (t->on[i])
			translate_note(t,
				       "%s: a channel has one such row, and "
				       "an earlier part of the line wrote it; "
				       "the arm keeps that.",
				       row);
	}
}

void translate_channel_row(struct translating *t, const char *format, ...)
{
	char row[256];
	va_list args;

	va_start(args, format);
	vsnprintf(row, sizeof(row), format, args);
	va_end(args);
	add_row(t, row);
}

void translate_channel_share(struct translating *t, const char *key,
			     double share)
{
	char row[256];
	struct text text;

	text_init(&text, row, sizeof(row));
	text_add(&text, "%s = ", key);
	text_number(&text, 100.0 * share);
	text_add(&text, "%%");
	add_row(t, row);
}

void translate_note(struct translating *t, const char *format, ...)
{
	char note[NOTE_ROOM];
	va_list args;

	va_start(args, format);
	vsnprintf(note, sizeof(note), format, args);
	va_end(args);
	/* two lines may say the same */
	for (size_t i = 0; i < t->into->notes.n; i++)
		if (!strcmp(t->into->notes.line[i], note))
			return;
	err_add(&t->into->notes, "%s", note);
}

/* A tc line acts where it was asked to be put. */
static void aim(struct translating *t)
{
	enum translate_direction direction = t->ask->direction;

	t->on[UPLINK] = direction != TRANSLATE_DOWNLINK;
	t->on[DOWNLINK] = direction != TRANSLATE_UPLINK;
	translate_note(
		t,
		"tc acts on all that leaves one interface, ARP and other "
		"programs included, and on one direction only; its delay is "
		"one-way.  The arm has it on %s alone (--direction uplink, "
		"downlink or both chooses), and on one stream.",
		direction == TRANSLATE_UPLINK	  ? "the uplink"
		: direction == TRANSLATE_DOWNLINK ? "the downlink"
						  : "uplink and downlink");
}

/* "tc qdisc add dev eth0 root handle 1:", as far as it is there. */
static bool skip_tc(struct translating *t)
{
	static const char *const verbs[] = { "add", "replace", "change" };
	static const char *const pairs[] = { "dev", "parent", "handle" };
	const char *word;
	bool known = false;

	if (!translate_is(t, "qdisc"))
		return translate_fault(t, translate_word(t),
				       "expected qdisc: only queueing "
				       "disciplines can be translated");
	for (int i = 0; i < 3; i++)
		known = known || translate_is(t, verbs[i]);
	if (!known)
		return translate_fault(t, translate_word(t),
				       "expected add, replace or change");
	while ((word = translate_word(t))) {
		known = false;
		for (int i = 0; i < 3 && !known; i++)
			known = !strcmp(word, pairs[i]);
		if (known && t->at + 1 < t->ask->n)
			t->at += 2;
		else if (!strcmp(word, "root"))
			t->at++;
		else
			break;
	}
	return true;
}

/* One tool's words: with its name before them, or netem's without. */
static bool read_one(struct translating *t)
{
	const char *word = translate_word(t);

	if (!strcmp(word, "sudo")) {
		t->at++;
		return true;
	}
	if (!strcmp(word, "tc")) {
		t->at++;
		return skip_tc(t);
	}
	if (!strncmp(word, "mm-", 3)) {
		t->at++;
		return translate_mahimahi(t, word);
	}
	aim(t);
	if (!strcmp(word, "tbf")) {
		t->at++;
		return translate_tbf(t);
	}
	if (!strcmp(word, "netem"))
		t->at++;
	return translate_netem(t);
}

/* Add words as comment lines; @first before the first line. */
static void comment(struct text *text, const char *first, const char *words)
{
	size_t column = strlen(first);

	text_add(text, ";%s", first);
	while (*words) {
		size_t len = strcspn(words, " ");

		if (column + 1 + len > COLUMNS) {
			text_add(text, "\n;  ");
			column = 2;
		}
		text_add(text, " %.*s", (int)len, words);
		column += len + 1;
		words += len;
		words += strspn(words, " ");
	}
	text_add(text, "\n");
}

static void write_head(const struct translating *t, struct text *text)
{
	char line[4096];
	struct text words;

	text_init(&words, line, sizeof(line));
	for (size_t i = 0; i < t->ask->n; i++)
		text_add(&words, "%s%s", i ? " " : "", t->ask->word[i]);
	text_add(text, "; Translated by farlink from\n;\n");
	comment(text, "  ", line);
	text->cut |= words.cut;
	text_add(text, ";\n; What that really did, and what this arm does:\n"
		       ";\n");
	for (size_t i = 0; i < t->into->notes.n; i++)
		comment(text, " -", t->into->notes.line[i]);
	text_add(text,
		 "\n[arm]\nname = translated\nseed = %s\n"
		 "\n[link]\nmode = relay\n; the robot's address:\n"
		 "robot = 192.168.1.20\nheadset = learn\n",
		 t->seed ? t->seed : "1");
}

static void write_side(const struct translating *t, enum direction direction,
		       struct text *text)
{
	const struct translate_side *side = &t->side[direction];

	text_add(text, direction == UPLINK
			       ? "\n[uplink command]\nport = 5002\n"
			       : "\n[downlink answer]\nreply = command\n");
	if (side->chain.len)
		text_add(text, "chain = %s\n", side->chain.bytes);
	text_add(text, "%s", side->settings.bytes);
	text->cut |= side->chain.cut || side->settings.cut;
}

static int write_arm(struct translating *t)
{
	size_t room = 4 * SECTIONS_ROOM + t->into->notes.n * 2 * NOTE_ROOM;
	char *bytes = store_get(&t->into->store, room);
	struct text text;

	text_init(&text, bytes, room);
	write_head(t, &text);
	write_side(t, UPLINK, &text);
	write_side(t, DOWNLINK, &text);
	text_add(&text, "%s", t->conditions.bytes);
	t->into->arm = bytes;
	if (text.cut || t->conditions.cut)
		return err_add(t->err, "the line is too long for one arm; "
				       "translate its parts");
	return 0;
}

int translate(struct translation *translation, const struct translate_ask *ask,
	      struct err *err)
{
	char sections[SECTIONS_ROOM], room[2 * DIRECTIONS][SIDE_ROOM];
	struct translating t = { .ask = ask, .into = translation, .err = err };
	size_t faults = err->n;

	*translation = (struct translation){ 0 };
	text_init(&t.conditions, sections, sizeof(sections));
	for (int i = 0; i < DIRECTIONS; i++) {
		text_init(&t.side[i].chain, room[2 * i], SIDE_ROOM);
		text_init(&t.side[i].settings, room[2 * i + 1], SIDE_ROOM);
	}
	if (!ask->n)
		return err_add(err, "there is nothing to translate; give a "
				    "line such as 'delay 50ms 10ms loss 1%%'");
	for (size_t i = 0; i < ask->n; i++)
		if (strlen(ask->word[i]) > WORD_MAX)
			return err_add(err, "word %zu is over %d characters",
				       i + 1, WORD_MAX);
	while (t.at < ask->n)
		if (!read_one(&t))
			return -1;
	if (err->n != faults)
		return -1;
	return write_arm(&t);
}

void translation_fini(struct translation *translation)
{
	err_fini(&translation->notes);
	store_fini(&translation->store);
}
