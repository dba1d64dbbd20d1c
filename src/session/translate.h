/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate.h - a line of another tool to an arm, with what it really did
 *
 * Floor: session.
 *
 * Understood are tc-netem and tc-tbf lines and mahimahi's shells.  The arm does
 * what the line asked for; the notes say what the line did instead, and what to
 * write in order to repeat that.
 */
#ifndef SESSION_TRANSLATE_H
#define SESSION_TRANSLATE_H

#include "core/err.h"
#include "core/store.h"

enum translate_direction {
	TRANSLATE_UPLINK,
	TRANSLATE_DOWNLINK,
	TRANSLATE_BOTH,
};

/**
 * struct translate_ask - What to translate
 * @word:	Words of the line or lines; @n of them
 * @direction:	Where a tc line, which acts on one interface, is put
 */
struct translate_ask {
	const char *const *word;
	size_t n;
	enum translate_direction direction;
};

/**
 * struct translation - What came of it
 * @store:	Keeps @arm
 * @arm:	Text of a whole arm, with the notes as comments
 * @notes:	What the line really did, a sentence or two each
 */
struct translation {
	struct store store;
	const char *arm;
	struct err notes;
};

/**
 * translate() - Translate a line
 * @translation: Filled
 * @ask:	What to translate
 * @err:	Told each word that is not understood
 *
 * Return: 0, or -1 with @err told; translation_fini() in both cases.
 */
int translate(struct translation *translation, const struct translate_ask *ask,
	      struct err *err);

/**
 * translation_fini() - Free what came of a translation
 * @translation: Translation; all zeros is one too
 */
void translation_fini(struct translation *translation);

#endif /* SESSION_TRANSLATE_H */
