/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * timetable.c - a schedule of packets in a CSV file, read as a stream
 *
 * Floor: edge.
 */
#include "edge/timetable.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"

static const char *const columns[] = { "time", "direction", "stream", "size",
				       "payload" };

#define TIME_PLACES 9u

static int read_header(struct timetable *timetable, struct err *err)
{
	struct csv *csv = &timetable->csv;
	int got = csv_read(csv, err);
	size_t i = 0;

	if (got < 0)
		return -1;
	while (got && i < csv->n && i < 5 && !strcmp(csv->field[i], columns[i]))
		i++;
	timetable->columns = i;
	if (got && (i == 4 || i == 5) && i == csv->n)
		return 0;
	return err_add(err,
		       "%s:1: a schedule begins with the header "
		       "time,direction,stream,size or "
		       "time,direction,stream,size,payload",
		       csv->name);
}

int timetable_open(struct timetable *timetable, const char *name,
		   const struct arm *arm, struct err *err)
{
	*timetable = (struct timetable){ .arm = arm };
	if (csv_open(&timetable->csv, name, err) < 0)
		return -1;
	return read_header(timetable, err);
}

static bool is_channel(const struct arm *arm, uint16_t i, const char *direction,
		       const char *stream)
{
	const struct channel_plan *plan = &arm->channel[i].plan;

	return !strcmp(plan->stream, stream) &&
	       !strcmp(direction_name(plan->direction), direction);
}

static int find_channel(struct timetable *timetable, struct err *err)
{
	const struct arm *arm = timetable->arm;
	const struct csv *csv = &timetable->csv;
	const char *direction = csv->field[1], *stream = csv->field[2];
	char known[512] = "";

	if (is_channel(arm, timetable->channel, direction, stream))
		return 0;
	for (uint16_t i = 0; i < arm->n_channels; i++) {
		size_t used = strlen(known);

		if (is_channel(arm, i, direction, stream)) {
			timetable->channel = i;
			return 0;
		}
		snprintf(known + used, sizeof(known) - used, "%s%s,%s",
			 used ? "; " : "",
			 direction_name(arm->channel[i].plan.direction),
			 arm->channel[i].plan.stream);
	}
	return err_add(err, "%s:%lu: %s has no channel %s,%s; it has %s",
		       csv->name, csv->line, arm->file, direction, stream,
		       known);
}

static int read_time(struct timetable *timetable, nsec *time, struct err *err)
{
	const struct csv *csv = &timetable->csv;
	struct decimal decimal;

	if (!decimal_read(csv->field[0], &decimal) || *decimal.unit ||
	    decimal.negative || decimal.places > TIME_PLACES ||
	    !decimal_scale(&decimal, NSEC_PER_S, time) ||
	    *time > NSEC_NEVER / 4)
		return err_add(err,
			       "%s:%lu: time '%s': write seconds since the "
			       "trial's start, with up to nine decimals",
			       csv->name, csv->line, csv->field[0]);
	if (*time < timetable->latest)
		return err_add(err,
			       "%s:%lu: time %s is before the row above; sort "
			       "the rows by time",
			       csv->name, csv->line, csv->field[0]);
	timetable->latest = *time;
	return 0;
}

static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	return (unsigned)(tolower((unsigned char)c) - 'a') + 10u;
}

/* The payload's bytes, decoded in place. */
static int read_payload(const struct csv *csv, struct timetable_row *row,
			struct err *err)
{
	char *text = csv->field[4];
	size_t len = strlen(text);
	uint8_t *to = (uint8_t *)text;

	row->payload = to;
	row->size = (uint32_t)len;
	if (len > 2 * (PAYLOAD_MAX + 1u))
		return err_add(err, "%s:%lu: payload: at most %u bytes",
			       csv->name, csv->line, PAYLOAD_MAX);
	if (strncmp(text, "0x", 2) != 0)
		return 0;
	for (size_t i = 2; i < len; i += 2) {
		if (!isxdigit((unsigned char)text[i]) ||
		    !isxdigit((unsigned char)text[i + 1]))
			return err_add(err,
				       "%s:%lu: payload: 0x is followed by an "
				       "even number of hexadecimal digits",
				       csv->name, csv->line);
		*to++ = (uint8_t)(digit_of(text[i]) * 16 +
				  digit_of(text[i + 1]));
	}
	row->size = (uint32_t)(len / 2 - 1);
	return 0;
}

static int read_size(const struct timetable *timetable,
		     struct timetable_row *row, struct err *err)
{
	const struct csv *csv = &timetable->csv;
	bool payload = timetable->columns == 5 && *csv->field[4];
	struct decimal size = { 0 };

	row->payload = NULL;
	if (payload && read_payload(csv, row, err) < 0)
		return -1;
	if (!payload || *csv->field[3]) {
		if (!decimal_read(csv->field[3], &size) || *size.unit ||
		    size.negative || size.places || size.digits > PAYLOAD_MAX)
			return err_add(err,
				       "%s:%lu: size '%s': write the bytes of "
				       "the payload, 0 to %u",
				       csv->name, csv->line, csv->field[3],
				       PAYLOAD_MAX);
		if (payload && size.digits != row->size)
			return err_add(err,
				       "%s:%lu: size %" PRIu64 ", but the "
				       "payload has %" PRIu32 " bytes; write "
				       "that, or leave the size out",
				       csv->name, csv->line, size.digits,
				       row->size);
		row->size = (uint32_t)size.digits;
	}
	if (row->size <= PAYLOAD_MAX)
		return 0;
	return err_add(err, "%s:%lu: payload: at most %u bytes", csv->name,
		       csv->line, PAYLOAD_MAX);
}

int timetable_read(struct timetable *timetable, struct timetable_row *row,
		   struct err *err)
{
	const struct csv *csv = &timetable->csv;
	int got = csv_read(&timetable->csv, err);

	if (got <= 0)
		return got;
	if (csv->n != timetable->columns)
		return err_add(err, "%s:%lu: %zu columns; the header has %zu",
			       csv->name, csv->line, csv->n,
			       timetable->columns);
	if (read_time(timetable, &row->time, err) < 0 ||
	    find_channel(timetable, err) < 0 ||
	    read_size(timetable, row, err) < 0)
		return -1;
	row->channel = timetable->channel;
	return 1;
}

void timetable_close(struct timetable *timetable)
{
	csv_close(&timetable->csv);
}
