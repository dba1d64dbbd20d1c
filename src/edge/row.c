/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * row.c - a row of packets.csv: what became of one packet
 *
 * Floor: edge.
 */
#include "edge/row.h"

#include <string.h>

#define COLUMNS 10

static const char *const fates[] = {
	[FATE_QUEUED] = "queued",	  [FATE_RELEASED] = "released",
	[FATE_SUPPRESSED] = "suppressed", [FATE_DROPPED] = "dropped",
	[FATE_FORWARDED] = "forwarded",	  [FATE_INJECTED] = "injected",
};

#define N_FATES (sizeof(fates) / sizeof(fates[0]))

const char *fate_name(enum fate fate)
{
	return fates[fate];
}

static char *print_number(char *to, uint64_t value)
{
	char digits[20];
	unsigned n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n)
		*to++ = digits[--n];
	return to;
}

static char *print_time(char *to, nsec time)
{
	if (time == NSEC_NEVER)
		return to;
	if (time < 0)
		*to++ = '-';
	return print_number(to, time < 0 ? -(uint64_t)time : (uint64_t)time);
}

static char *print_text(char *to, const char *text)
{
	char cut[ROW_TEXT + 1];

	if (strlen(text) > ROW_TEXT) {
		memcpy(cut, text, ROW_TEXT);
		cut[ROW_TEXT] = '\0';
		text = cut;
	}
	return to + csv_print(to, text);
}

static char *print_word(char *to, const char *word)
{
	size_t len = strlen(word);

	memcpy(to, word, len);
	return to + len;
}

size_t row_print(const struct row *row, char *to)
{
	char *at = print_text(to, row->trial);

	*at++ = ',';
	at = print_number(at, row->id);
	at = print_word(at,
			row->direction == UPLINK ? ",uplink," : ",downlink,");
	at = print_text(at, row->stream);
	*at++ = ',';
	at = print_number(at, row->size);
	*at++ = ',';
	at = print_time(at, row->ingress);
	*at++ = ',';
	at = print_time(at, row->due);
	*at++ = ',';
	at = print_time(at, row->released);
	*at++ = ',';
	at = print_word(at, fates[row->fate]);
	*at++ = ',';
	at = print_text(at, row->by);
	*at++ = '\n';
	return (size_t)(at - to);
}

/* A whole number without a sign; false if it is none, or too large. */
static bool parse_number(const char *text, uint64_t most, uint64_t *value)
{
	uint64_t sum = 0;

	if (!*text)
		return false;
	for (; *text >= '0' && *text <= '9'; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if (sum > (most - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return *text == '\0';
}

static bool parse_time(const char *text, nsec *time)
{
	bool negative = *text == '-';
	uint64_t value;

	if (!*text) {
		*time = NSEC_NEVER;
		return true;
	}
	if (!parse_number(text + negative, INT64_MAX, &value))
		return false;
	*time = negative ? -(nsec)value : (nsec)value;
	return true;
}

/* Which column is not well-formed, or NULL. */
static const char *parse(char *const *field, struct row *row)
{
	uint64_t value;

	row->trial = field[0];
	row->stream = field[3];
	row->by = field[9];
	for (row->fate = FATE_RELEASED; row->fate < N_FATES; row->fate++)
		if (!strcmp(field[8], fates[row->fate]))
			break;
	if (row->fate == N_FATES)
		return "fate";
	if (!parse_number(field[1], UINT64_MAX / 2, &row->id))
		return "id";
	if (!strcmp(field[2], "uplink"))
		row->direction = UPLINK;
	else if (!strcmp(field[2], "downlink"))
		row->direction = DOWNLINK;
	else
		return "direction";
	if (!parse_number(field[4], PAYLOAD_MAX + 20u, &value))
		return "size";
	row->size = (uint32_t)value;
	if (!*field[5] || !parse_time(field[5], &row->ingress))
		return "ingress_ns";
	if (!parse_time(field[6], &row->due))
		return "due_ns";
	if (!parse_time(field[7], &row->released))
		return "released_ns";
	return NULL;
}

int row_parse(const struct csv *csv, struct row *row, struct err *err)
{
	const char *wrong;

	if (csv->n != COLUMNS)
		return err_add(err, "%s:%lu: %zu columns; a row has %d",
			       csv->name, csv->line, csv->n, COLUMNS);
	wrong = parse(csv->field, row);
	if (wrong)
		return err_add(err, "%s:%lu: %s is not well-formed", csv->name,
			       csv->line, wrong);
	return 0;
}
