/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * order.c - lines of the control protocol, read and written
 *
 * Floor: session.
 */
#include "session/order.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_BYTES 100

/* An order: its words, and how many others follow. */
static const struct verb {
	enum order_kind kind;
	const char *first, *second;
	size_t least, most;
	const char *usage;
} verbs[] = {
	{ ORDER_STATUS, "status", NULL, 0, 0, "status" },
	{ ORDER_TRIAL_START, "trial", "start", 0, 1, "trial start [ID]" },
	{ ORDER_TRIAL_STOP, "trial", "stop", 0, 0, "trial stop" },
	{ ORDER_MARK, "mark", NULL, 1, 1, "mark TEXT" },
	{ ORDER_ARM, "arm", NULL, 1, 1, "arm FILE" },
	{ ORDER_SET, "set", NULL, 2, ORDER_WORDS,
	  "set SECTION.KEY VALUE [SECTION.KEY VALUE]..." },
	{ ORDER_PENDING, "pending", NULL, 0, 1, "pending [STREAM]" },
	{ ORDER_ROBOT, "robot", NULL, 1, 1, "robot ADDRESS" },
	{ ORDER_STOP, "stop", NULL, 0, 0, "stop" },
	{ ORDER_HELP, "help", NULL, 0, 0, "help" },
};

#define N_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* What \n, \t, \" and \\ stand for; 0: nothing. */
static char escaped(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '"':
	case '\\':
		return c;
	default:
		return '\0';
	}
}

/* Unquote a word in place.  Return: behind it, or NULL with @why set. */
static char *unquote(char *from, const char **why)
{
	char *to = from;

	for (from++; *from != '"'; to++) {
		if (*from == '\\')
			*to = escaped(*++from);
		else
			*to = *from;
		if (!*to) {
			*why = "a quoted word does not end, or has a backslash "
			       "before something other than \" \\ n t";
			return NULL;
		}
		from++;
	}
	*to = '\0';
	from++;
	if (!*from || is_blank(*from))
		return from;
	*why = "a blank must follow the end of a quoted word";
	return NULL;
}

/* Divide a line into words.  Return: how many, or -1 with @why set. */
static int divide(char *line, const char **words, const char **why)
{
	int n = 0;

	for (char *at = line;;) {
		while (is_blank(*at))
			at++;
		if (!*at)
			return n;
		if (n == ORDER_WORDS) {
			*why = "too many words";
			return -1;
		}
		words[n++] = at;
		if (*at == '"') {
			at = unquote(at, why);
			if (!at)
				return -1;
		} else {
			at += strcspn(at, " \t");
		}
		if (*at)
			*at++ = '\0';
	}
}

static const struct verb *find(const char *const *words, int n)
{
	for (size_t i = 0; i < N_VERBS; i++) {
		const struct verb *verb = &verbs[i];

		if (!strcmp(words[0], verb->first) &&
		    (!verb->second ||
		     (n > 1 && !strcmp(words[1], verb->second))))
			return verb;
	}
	return NULL;
}

/* "mark" takes the rest of the line as it is, unless that is quoted. */
static bool take_mark(struct order *order, char *line)
{
	size_t blanks = strspn(line, " \t");
	char *text = line + blanks + 4;

	if (strncmp(line + blanks, "mark", 4) != 0 || !is_blank(*text))
		return false;
	text += strspn(text, " \t");
	if (!*text || *text == '"')
		return false;
	order->kind = ORDER_MARK;
	order->word[0] = text;
	order->n = 1;
	return true;
}

int order_parse(struct order *order, char *line, char *why, size_t size)
{
	const char *words[ORDER_WORDS], *wrong = "";
	const struct verb *verb;
	size_t skip;
	int n;

	if (take_mark(order, line))
		return 0;
	n = divide(line, words, &wrong);
	if (n <= 0) {
		snprintf(why, size, "%s", n ? wrong : "an empty line");
		return -1;
	}
	verb = find(words, n);
	if (!verb) {
		snprintf(why, size,
			 "there is no order '%.64s%s%.64s'; help lists them",
			 words[0], n > 1 ? " " : "", n > 1 ? words[1] : "");
		return -1;
	}
	skip = verb->second ? 2 : 1;
	order->kind = verb->kind;
	order->n = (size_t)n - skip;
	for (size_t i = 0; i < order->n; i++)
		order->word[i] = words[i + skip];
	if (order->n >= verb->least && order->n <= verb->most &&
	    (verb->kind != ORDER_SET || order->n % 2 == 0))
		return 0;
	snprintf(why, size, "it is written: %s", verb->usage);
	return -1;
}

static bool is_plain(const char *word)
{
	return *word && !strpbrk(word, " \t\n\"\\");
}

size_t order_print(const char *const *words, size_t n, char *line, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		bool plain = is_plain(words[i]);

		/* every byte may need a backslash; marks, blank, end */
		if (at + 2 * strlen(words[i]) + 4 > size)
			return 0;
		if (i)
			line[at++] = ' ';
		if (!plain)
			line[at++] = '"';
		for (const char *c = words[i]; *c; c++) {
			bool special = strchr("\n\t\"\\", *c) != NULL;

			if (special)
				line[at++] = '\\';
			line[at++] = *c == '\n' ? 'n' : *c == '\t' ? 't' : *c;
		}
		if (!plain)
			line[at++] = '"';
	}
	if (at < size)
		line[at] = '\0';
	return at;
}

const char *order_usage(size_t i)
{
	return i < N_VERBS ? verbs[i].usage : NULL;
}

/* Bytes of the character at @c, shortest form and no surrogate; 0 if none. */
static size_t utf8_bytes(const unsigned char *c)
{
	uint32_t code, least;
	size_t n;

	if (*c < 0x80)
		return 1;
	if (*c < 0xc2 || *c > 0xf4)
		return 0;
	n = *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;
	least = n == 2 ? 0x80 : n == 3 ? 0x800 : 0x10000;
	code = *c & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (c[i] & 0x3fu);
	}
	if (code < least || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return n;
}

static bool is_utf8(const unsigned char *text)
{
	while (*text) {
		size_t n = utf8_bytes(text);

		if (!n)
			return false;
		text += n;
	}
	return true;
}

bool order_is_name(const char *text)
{
	size_t len = strlen(text);

	if (!len || len > NAME_MAX_BYTES)
		return false;
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return false;
	return is_utf8((const unsigned char *)text);
}
