/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * script.c - stands in for the headset: a drive script as datagrams
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Sending moments are the multiples of the period before the end, counted in
 * whole numbers.  @sent walks through the burst at the start, then the moments,
 * then the burst at the end.  A moment at which nothing is sent is passed over
 * as soon as the one before it is taken, so @due is always the time of a
 * datagram.
 */
#include "vehicle/script.h"

#include <stdlib.h>
#include <string.h>

#include "vehicle/number.h"
#include "vehicle/text.h"

/* All axes below this count as idle, as in the reference app. */
#define IDLE	  0.0005
#define LINES_MAX 1000000
#define SPEED_MAX 1e4

const struct script_settings script_default = {
	.rate_mhz = 10000,
	.idle = SCRIPT_IDLE_ZEROS,
	.start_stops = 10,
	.end_stops = 5,
};

struct line {
	nsec at;
	double v[3];
};

/**
 * struct script - A script being driven
 * @settings:	How to send
 * @line:	The script
 * @n:		Lines in it
 * @room:	Room for lines
 * @begin:	Stops of the start that were sent
 * @moment:	Next sending moment
 * @end:	Stops of the end that were sent
 * @at:		Line that holds at that moment
 * @due:	Time of the next datagram
 */
struct script {
	struct script_settings settings;
	struct line *line;
	size_t n, room;
	unsigned begin;
	int64_t moment;
	unsigned end;
	size_t at;
	nsec due;
};

static bool add_line(struct script *op, const struct line *line)
{
	if (op->n == LINES_MAX)
		return false;
	if (op->n == op->room) {
		size_t room = op->room ? op->room * 2 : 64;
		struct line *more = realloc(op->line, room * sizeof(*more));

		if (!more)
			return false;
		op->line = more;
		op->room = room;
	}
	op->line[op->n++] = *line;
	return true;
}

static const char *read_line(struct script *op, struct cursor c)
{
	struct line line;

	number_skip(&c, " \t\r");
	if (c.at == c.end || *c.at == '#')
		return NULL;
	if (!op->n && number_match(&c, "time,vx,vy,wz"))
		return NULL;
	if (!number_read_ns(&c, &line.at))
		return "time is in seconds with at most nine decimals, "
		       "and a header is time,vx,vy,wz";
	for (int i = 0; i < 3; i++) {
		number_skip(&c, " \t");
		if (!number_match(&c, ","))
			return "a line is time,vx,vy,wz";
		number_skip(&c, " \t");
		if (!number_read(&c, &line.v[i]) ||
		    !(fabs(line.v[i]) <= SPEED_MAX))
			return "speeds are numbers in m/s and rad/s";
	}
	number_skip(&c, " \t\r");
	if (c.at != c.end)
		return "a line is time,vx,vy,wz";
	if (op->n && line.at < op->line[op->n - 1].at)
		return "times do not run backwards";
	return add_line(op, &line) ? NULL : "the script is too long";
}

static bool read_script(struct script *op, const char *csv, size_t len,
			struct text *why)
{
	struct cursor in = { csv, csv + len };

	for (unsigned number = 1; in.at < in.end; number++) {
		const char *newline =
			memchr(in.at, '\n', (size_t)(in.end - in.at));
		struct cursor line = { in.at, newline ? newline : in.end };
		const char *fault = read_line(op, line);

		if (fault) {
			text_add(why, "line %u: %s", number, fault);
			return false;
		}
		in.at = newline ? newline + 1 : in.end;
	}
	if (!op->n)
		text_add(why, "the script has no line");
	return op->n > 0;
}

struct script *script_new(const char *csv, size_t len,
			  const struct script_settings *settings, char *why,
			  size_t size)
{
	struct script *op = calloc(1, sizeof(*op));
	struct text text;

	text_init(&text, why, size);
	if (!op) {
		text_add(&text, "no memory");
		return NULL;
	}
	op->settings = *settings;
	if (!read_script(op, csv, len, &text)) {
		script_free(op);
		return NULL;
	}
	script_reset(op);
	return op;
}

static nsec time_of(const struct script *op, int64_t moment)
{
	return moment * 1000 * NSEC_PER_S / op->settings.rate_mhz;
}

static bool is_idle(const struct line *line)
{
	return fabs(line->v[0]) < IDLE && fabs(line->v[1]) < IDLE &&
	       fabs(line->v[2]) < IDLE;
}

/* Before its first line a script asks for nothing. */
static const struct line *line_at(struct script *op, nsec time)
{
	static const struct line nothing = { 0 };

	while (op->at + 1 < op->n && op->line[op->at + 1].at <= time)
		op->at++;
	return op->line[op->at].at <= time ? &op->line[op->at] : &nothing;
}

/* Find the next datagram, passing over moments of silence. */
static void look_ahead(struct script *op)
{
	nsec end = op->line[op->n - 1].at;

	op->due = 0;
	if (op->begin < op->settings.start_stops)
		return;
	for (; time_of(op, op->moment) < end; op->moment++) {
		op->due = time_of(op, op->moment);
		if (op->settings.idle == SCRIPT_IDLE_ZEROS ||
		    !is_idle(line_at(op, op->due)))
			return;
	}
	op->due = op->end < op->settings.end_stops ? end : NSEC_NEVER;
}

void script_reset(struct script *op)
{
	op->begin = op->end = 0;
	op->moment = 0;
	op->at = 0;
	look_ahead(op);
}

nsec script_next(const struct script *op)
{
	return op->due;
}

bool script_take(struct script *op, nsec now, struct script_datagram *datagram)
{
	nsec end = op->line[op->n - 1].at;
	struct line line = { 0 };

	if (op->due > now || op->due == NSEC_NEVER)
		return false;
	datagram->time = op->due;
	if (op->begin < op->settings.start_stops) {
		op->begin++;
	} else if (time_of(op, op->moment) < end) {
		line = *line_at(op, op->due);
		op->moment++;
	} else {
		op->end++;
	}
	datagram->len =
		script_print(datagram->bytes, line.v[0], line.v[1], line.v[2]);
	look_ahead(op);
	return true;
}

size_t script_print(char *bytes, double vx, double vy, double wz)
{
	struct text text;

	text_init(&text, bytes, SCRIPT_ROOM);
	text_add(&text, "{\"vx\":");
	text_fixed(&text, vx, 4);
	text_add(&text, ",\"vy\":");
	text_fixed(&text, vy, 4);
	text_add(&text, ",\"wz\":");
	text_fixed(&text, wz, 4);
	text_add(&text, "}");
	return text.len;
}

void script_free(struct script *op)
{
	if (!op)
		return;
	free(op->line);
	free(op);
}
