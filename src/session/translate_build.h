/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_build.h - what the files share that translate a line
 *
 * Floor: session.
 */
#ifndef SESSION_TRANSLATE_BUILD_H
#define SESSION_TRANSLATE_BUILD_H

#include "core/packet.h"
#include "session/say.h"
#include "session/translate.h"

#define TRANSLATE_SECTIONS 32

/**
 * struct translate_side - A channel that is being written
 * @chain:	Names of its conditions, with commas
 * @settings:	Further rows of it
 */
struct translate_side {
	struct text chain, settings;
};

/**
 * struct translating - A translation under way
 * @ask:	What to translate
 * @at:		Word that is next
 * @into:	Told notes
 * @err:	Told faults
 * @side:	The two channels
 * @on:		Whether what is read now acts on that side
 * @conditions:	Sections of conditions
 * @type:	Types of those sections; @n_types of them
 * @seed:	Seed that the line gave, as written, or NULL
 */
struct translating {
	const struct translate_ask *ask;
	size_t at;
	struct translation *into;
	struct err *err;
	struct translate_side side[DIRECTIONS];
	bool on[DIRECTIONS];
	struct text conditions;
	const char *type[TRANSLATE_SECTIONS];
	size_t n_types;
	const char *seed;
};

/**
 * translate_word() - The next word
 * @t:		Translation
 *
 * Return: the word, or NULL behind the last.
 */
const char *translate_word(const struct translating *t);

/**
 * translate_is() - Whether the next word is a keyword, or a beginning of it as
 *	tc takes it; it is taken then
 * @t:		Translation
 * @keyword:	Keyword
 *
 * Return: true if it is.
 */
bool translate_is(struct translating *t, const char *keyword);

/**
 * translate_number_next() - Whether the next word begins with a digit
 * @t:		Translation
 *
 * Return: true if it does.
 */
bool translate_number_next(const struct translating *t);

/**
 * translate_time() - Take a time as tc writes it
 * @t:		Translation; told the fault
 * @what:	What it is, for the fault
 * @time:	Set
 *
 * Return: false with the fault told.
 */
bool translate_time(struct translating *t, const char *what, nsec *time);

/**
 * translate_share() - Take a percentage as tc writes it: "10%" or "10"
 * @t:		Translation; told the fault
 * @what:	What it is
 * @share:	Set, 0 to 1
 *
 * Return: false with the fault told.
 */
bool translate_share(struct translating *t, const char *what, double *share);

/**
 * translate_rate() - Take a rate as tc writes it: "1mbit", "100kbps" (bytes)
 * @t:		Translation; told the fault
 * @what:	What it is
 * @rate:	Set, bit/s
 *
 * Return: false with the fault told.
 */
bool translate_rate(struct translating *t, const char *what, int64_t *rate);

/**
 * translate_size() - Take a size as tc writes it: "1600", "32kb" (of 1024)
 * @t:		Translation; told the fault
 * @what:	What it is
 * @bytes:	Set
 *
 * Return: false with the fault told.
 */
bool translate_size(struct translating *t, const char *what, int64_t *bytes);

/**
 * translate_count() - Take a whole number
 * @t:		Translation; told the fault
 * @what:	What it is
 * @count:	Set
 *
 * Return: false with the fault told.
 */
bool translate_count(struct translating *t, const char *what, int64_t *count);

/**
 * translate_begin() - Begin a condition, at the end of the chains that are on
 * @t:		Translation
 * @type:	Its type
 *
 * Return: the text to add rows to.
 */
struct text *translate_begin(struct translating *t, const char *type);

/* One row "key = value" with a value of one kind. */
void translate_row_time(struct text *text, const char *key, nsec time);
void translate_row_share(struct text *text, const char *key, double share);
void translate_row_count(struct text *text, const char *key, int64_t count);

/**
 * translate_channel_row() - Add a row to the channels that are on
 * @t:		Translation
 * @format:	As for printf; without a newline
 */
void translate_channel_row(struct translating *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * translate_channel_share() - Add a row of a share to the channels that are on
 * @t:		Translation
 * @key:	Key
 * @share:	0 to 1
 */
void translate_channel_share(struct translating *t, const char *key,
			     double share);

/**
 * translate_note() - Say what the line really did
 * @t:		Translation
 * @format:	As for printf
 */
void translate_note(struct translating *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * translate_fault() - Say which word is not understood, and why
 * @t:		Translation
 * @word:	Word, or NULL for the end of the line
 * @why:	What would be right
 *
 * Return: false.
 */
bool translate_fault(struct translating *t, const char *word, const char *why);

/* Read one tool's words, its name taken already, and write what they ask. */
bool translate_netem(struct translating *t);
bool translate_tbf(struct translating *t);
bool translate_mahimahi(struct translating *t, const char *shell);

#endif /* SESSION_TRANSLATE_BUILD_H */
