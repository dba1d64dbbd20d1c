/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ini.c - the text of an ini file as rows of section, key, value and line
 *
 * Floor: session.
 *
 * How it works
 *
 * inih asks our reader for lines and hands keys to our handler; the reader
 * counts, so the handler knows its line, which inih (Debian's build) does not
 * tell.  A line that inih would cut is replaced by an empty one and is a fault.
 */
#include "session/ini.h"

#include <ctype.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far above any arm: what has more is some other file, a log perhaps. */
#define ROWS_MAX 10000

struct reading {
	struct ini *ini;
	struct store *store;
	const char *name;
	const char *at, *end;
	int line;
	_Bool continued;
	const char *section;
	struct err *err;
};

static struct ini_row *add_row(struct ini *ini, struct store *store)
{
	if (ini->n == ini->room) {
		size_t room = ini->room ? 2 * ini->room : 64;
		struct ini_row *row = store_get(store, room * sizeof(*row));

		if (ini->n)
			memcpy(row, ini->row, ini->n * sizeof(*row));
		ini->row = row;
		ini->room = room;
	}
	return &ini->row[ini->n++];
}

static _Bool is_blank(char letter)
{
	return letter == ' ' || letter == '\t';
}

/* Spaces at the ends away, those within folded to one. */
static const char *folded(struct store *store, const char *text, size_t len)
{
	char *copy = store_get(store, len + 1), *to = copy;
	_Bool parted = 0;

	for (size_t i = 0; i < len; i++) {
		if (is_blank(text[i])) {
			parted = to != copy;
			continue;
		}
		if (parted)
			*to++ = ' ';
		parted = 0;
		*to++ = text[i];
	}
	*to = '\0';
	return copy;
}

static void begin_section(struct reading *reading, const char *line, size_t len)
{
	const char *end = memchr(line, ']', len), *rest;
	struct ini_row *row;

	if (!end) {
		err_add(reading->err,
			"%s:%d: a section begins with '[' and ends "
			"with ']' on the same line",
			reading->name, reading->line);
		return;
	}
	for (rest = end + 1; rest < line + len && is_blank(*rest); rest++)
		;
	if (rest < line + len && *rest != ';' && *rest != '#')
		err_add(reading->err,
			"%s:%d: nothing goes behind [section]; a key has a "
			"line of its own",
			reading->name, reading->line);
	if (end - line - 1 > INI_NAME_MAX)
		err_add(reading->err,
			"%s:%d: a section's name has at most %d characters",
			reading->name, reading->line, INI_NAME_MAX);
	reading->section =
		folded(reading->store, line + 1, (size_t)(end - line - 1));
	for (size_t i = 0; i < reading->ini->n; i++) {
		const struct ini_row *old = &reading->ini->row[i];

		if (!old->key && !strcmp(old->section, reading->section))
			err_add(reading->err,
				"%s:%d: section [%s] stands already in line "
				"%d; put its keys there, or give this one "
				"another name",
				reading->name, reading->line, reading->section,
				old->line);
	}
	row = add_row(reading->ini, reading->store);
	row->section = reading->section;
	row->line = reading->line;
}

/* Whether inih takes the line as it is; a fault is told. */
static _Bool line_is_good(struct reading *reading, const char *line, size_t len)
{
	size_t name = 0;

	if (memchr(line, '\0', len)) {
		err_add(reading->err,
			"%s:%d: a zero byte; this is no text file",
			reading->name, reading->line);
		return 0;
	}
	if (*line == ';' || *line == '#')
		return 0; /* a comment may have any length */
	if (len > INI_LINE_MAX) {
		err_add(reading->err,
			"%s:%d: %zu characters in a line; at most %d: end it "
			"earlier and go on in the next line, indented",
			reading->name, reading->line, len, INI_LINE_MAX);
		return 0;
	}
	if (*line == '[' || reading->continued)
		return 1;
	/* a semicolon behind a blank begins words, as inih has it */
	while (name < len && line[name] != '=' && line[name] != ':' &&
	       (line[name] != ';' || !is_blank(line[name - 1])))
		name++;
	if (!name || name == len || line[name] == ';') {
		err_add(reading->err,
			"%s:%d: neither [section] nor key = value",
			reading->name, reading->line);
		return 0; /* nor does inih take it */
	}
	while (name && is_blank(line[name - 1]))
		name--;
	if (name <= INI_NAME_MAX)
		return 1;
	err_add(reading->err, "%s:%d: a key has at most %d characters",
		reading->name, reading->line, INI_NAME_MAX);
	return 0;
}

/* Whether an indented line is a key of its own, not more of the one before. */
static _Bool is_key(const char *text, size_t len)
{
	size_t word = 0;

	while (word < len &&
	       (isalnum((unsigned char)text[word]) || text[word] == '_'))
		word++;
	if (!word)
		return 0;
	while (word < len && is_blank(text[word]))
		word++;
	return word < len && text[word] == '=';
}

/* inih's reader: one line, without ever more than it has room for. */
static char *next_line(char *into, int room, void *context)
{
	struct reading *reading = context;
	const char *line = reading->at, *end, *text;
	size_t len;

	if (reading->ini->n > ROWS_MAX) {
		err_add(reading->err,
			"%s:%d: more than %d sections and keys; this is no arm "
			"file",
			reading->name, reading->line, ROWS_MAX);
		return NULL;
	}
	if (reading->at == reading->end)
		return NULL;
	end = memchr(line, '\n', (size_t)(reading->end - line));
	len = (size_t)((end ? end : reading->end) - line);
	reading->at = end ? end + 1 : reading->end;
	reading->line++;
	if (len && line[len - 1] == '\r')
		len--;
	text = line;
	while (len && is_blank(*text)) {
		text++;
		len--;
	}
	reading->continued = text != line && len && *text != '[' &&
			     !is_key(text, len) && reading->ini->n &&
			     reading->ini->row[reading->ini->n - 1].key;
	if (!len || !line_is_good(reading, text, len) ||
	    len + 3 > (size_t)room) {
		*into = '\0';
		return into;
	}
	if (*text == '[')
		begin_section(reading, text, len);
	if (reading->continued)
		*into++ = ' '; /* inih takes an indented line as continued */
	memcpy(into, text, len);
	into[len] = '\0';
	return into;
}

/* Length of a value without the comment behind it, which inih leaves in a
 * continued line.
 */
static size_t without_comment(const char *value)
{
	size_t len = strlen(value);

	for (size_t i = 1; i < len; i++)
		if (value[i] == ';' && isspace((unsigned char)value[i - 1])) {
			len = i;
			break;
		}
	while (len && isspace((unsigned char)value[len - 1]))
		len--;
	return len;
}

static int take_key(void *context, const char *section, const char *key,
		    const char *value)
{
	struct reading *reading = context;
	struct ini *ini = reading->ini;
	struct ini_row *row;

	(void)section;
	if (!reading->section) {
		err_add(reading->err,
			"%s:%d: %s stands before any section; put a [section] "
			"above it",
			reading->name, reading->line, key);
		return 1; /* told already */
	}
	if (reading->continued) {
		size_t size, len = without_comment(value);
		char *both;

		row = &ini->row[ini->n - 1];
		size = strlen(row->value) + len + 2;
		both = store_get(reading->store, size);
		snprintf(both, size, "%s %.*s", row->value, (int)len, value);
		row->value = both;
		return 1;
	}
	/* the row that begins the section has no key */
	for (size_t i = ini->n - 1; ini->row[i].key; i--)
		if (!strcmp(ini->row[i].key, key))
			err_add(reading->err,
				"%s:%d: %s stands already in line %d; keep one "
				"of them",
				reading->name, reading->line, key,
				ini->row[i].line);
	row = add_row(ini, reading->store);
	row->section = reading->section;
	row->key = folded(reading->store, key, strlen(key));
	row->value = store_text(reading->store, value);
	row->line = reading->line;
	return 1;
}

int ini_read(struct ini *ini, struct store *store, const char *name,
	     const char *text, size_t size, struct err *err)
{
	struct reading reading = { .ini = ini,
				   .store = store,
				   .name = name,
				   .at = text,
				   .end = text + size,
				   .err = err };
	size_t before = err->n;
	int line;

	if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		reading.at += 3;
	line = ini_parse_stream(next_line, &reading, take_key, &reading);
	if (line && err->n == before)
		err_add(err, "%s:%d: neither [section] nor key = value", name,
			line);
	return err->n == before ? 0 : -1;
}

/* The section that @word names, whole or by its second word; or NULL, and @n is
 * how many it may name.
 */
static const char *named(const struct ini *ini, const char *word, size_t *n)
{
	const char *found = NULL;

	*n = 0;
	for (size_t i = 0; i < ini->n; i++) {
		const char *section = ini->row[i].section;
		const char *second = strchr(section, ' ');

		if (ini->row[i].key)
			continue;
		if (!strcmp(section, word))
			return section;
		if (second && !strcmp(second + 1, word)) {
			found = section;
			++*n;
		}
	}
	return *n == 1 ? found : NULL;
}

/* Make room at the end of a section, which may be new. */
static size_t new_row(struct ini *ini, struct store *store, const char *section)
{
	size_t at = ini->n;

	for (size_t i = 0; i < ini->n; i++)
		if (!strcmp(ini->row[i].section, section))
			at = i + 1;
	if (at == ini->n &&
	    (!at || strcmp(ini->row[at - 1].section, section) != 0)) {
		*add_row(ini, store) = (struct ini_row){ .section = section };
		at++;
	}
	(void)add_row(ini, store);
	memmove(&ini->row[at + 1], &ini->row[at],
		(ini->n - 1 - at) * sizeof(*ini->row));
	ini->row[at] = (struct ini_row){ .section = ini->row[at - 1].section };
	return at;
}

int ini_set(struct ini *ini, struct store *store, const char *setting,
	    struct err *err)
{
	const char *equals = strchr(setting, '='), *dot, *section, *key, *found;
	struct ini_row *row;
	size_t n, at;

	if (!equals ||
	    !(dot = memchr(setting, '.', (size_t)(equals - setting))))
		return err_add(err,
			       "--set %s: write SECTION.KEY=VALUE, for "
			       "example wifi.delay=200ms",
			       setting);
	section = folded(store, setting, (size_t)(dot - setting));
	key = folded(store, dot + 1, (size_t)(equals - dot - 1));
	if (!*section || !*key)
		return err_add(err,
			       "--set %s: a section or key has no name; write "
			       "SECTION.KEY=VALUE",
			       setting);
	found = named(ini, section, &n);
	if (!found && n)
		return err_add(err,
			       "--set %s: '%s' names %zu sections; write it "
			       "whole, for example 'condition %s'",
			       setting, section, n, section);
	if (found)
		section = found;
	for (at = 0; at < ini->n; at++)
		if (!strcmp(ini->row[at].section, section) &&
		    ini->row[at].key && !strcmp(ini->row[at].key, key))
			break;
	if (at == ini->n)
		at = new_row(ini, store, section);
	row = &ini->row[at];
	*row = (struct ini_row){ .section = row->section,
				 .key = key,
				 .value = store_text(store, equals + 1) };
	return 0;
}
