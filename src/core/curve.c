/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * curve.c - distributions from files: netem's table and dummynet's curve
 *
 * Floor: core.
 *
 * How it works
 *
 * netem's file (NAME.dist) is up to 16384 numbers between white space; lines
 * that are blank or begin with '#' are passed over.  A number is 8192 times a
 * value in standard deviations, and each has the same share of the draws.  What
 * tc would read in a way that its author hardly meant (a leading zero, which it
 * takes for octal; a number beyond 16 bits, which it cuts; a word, which ends
 * the line) is refused here.  The numbers are sorted: draws by the inverse
 * cumulative distribution need that, and their distribution stays the same.
 *
 * dummynet's file has a header of words (name, loss-level, samples), then a
 * line "delay prob" or "prob delay", then points of the cumulative curve in any
 * order, delays in ms.  Between points it goes straight; where one probability
 * has several delays the largest counts.  Above the loss level a packet is
 * lost.
 */
#include "core/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"

#define NETEM_MAX   16384u
#define NETEM_SCALE 8192.0
#define POINTS_MAX  1024u
#define SAMPLES	    4096u
#define BLANKS	    " \t"

struct point {
	double p, delay;
};

/* State of a dummynet file. */
struct curve {
	struct point point[POINTS_MAX];
	size_t n;
	double loss_level;
	bool delay_first;
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int by_point(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	int order = (x->p > y->p) - (x->p < y->p);

	return order ? order : (x->delay > y->delay) - (x->delay < y->delay);
}

/* The next word of the line, ended; NULL where there is none. */
static char *word(char **at)
{
	char *from = *at + strspn(*at, BLANKS);

	if (!*from)
		return NULL;
	*at = from + strcspn(from, BLANKS);
	if (**at)
		*(*at)++ = '\0';
	return from;
}

/* One number of netem's table. */
static int netem_number(struct lines *lines, const char *text, double *value)
{
	const char *digits = text + (*text == '-' || *text == '+');
	struct decimal decimal;

	if (digits[0] == '0' && digits[1])
		return lines_fault(
			lines,
			"'%s' begins with a zero, which tc would take for %s; "
			"write a decimal number",
			text,
			digits[1] == 'x' || digits[1] == 'X' ? "hexadecimal"
							     : "octal");
	if (!decimal_read(text, &decimal) || *decimal.unit || decimal.places)
		return lines_fault(lines,
				   "'%s' is no whole number; a table has "
				   "numbers of -32768 to 32767, 8192 for one "
				   "standard deviation",
				   text);
	*value = decimal_double(&decimal);
	if (*value < -32768 || *value > 32767)
		return lines_fault(lines,
				   "'%s' is out of range; a table has numbers "
				   "of -32768 to 32767",
				   text);
	*value /= NETEM_SCALE;
	return 0;
}

/* netem's table; its first line is in @lines already. */
static int read_netem(struct distribution *law, struct lines *lines,
		      struct store *store)
{
	double *table = store_get(store, NETEM_MAX * sizeof(*table));
	size_t n = 0;

	do {
		char *at = lines->text, *text;

		while ((text = word(&at))) {
			if (n == NETEM_MAX)
				return lines_fault(lines,
						   "more than %u numbers; tc "
						   "takes no more either",
						   NETEM_MAX);
			if (netem_number(lines, text, &table[n]))
				return -1;
			n++;
		}
	} while (lines_data(lines));
	if (lines->faulty)
		return -1;
	qsort(table, n, sizeof(*table), by_value);
	*law = (struct distribution){ .kind = DISTRIBUTION_TABLE,
				      .n = n,
				      .table = table };
	return 0;
}

/* A decimal between bounds. */
static int read_number(struct lines *lines, const char *text, double lo,
		       double hi, double *value)
{
	struct decimal decimal;

	if (!text || !decimal_read(text, &decimal) || *decimal.unit ||
	    decimal_double(&decimal) < lo || decimal_double(&decimal) > hi)
		return lines_fault(lines,
				   "'%s' where a plain number of %.0f to %.0f "
				   "is due",
				   text ? text : "", lo, hi);
	*value = decimal_double(&decimal);
	return 0;
}

/* A line before the points.  Returns whether it is the one that begins them. */
static bool read_word(struct curve *curve, struct lines *lines)
{
	char *at = lines->text, *key = word(&at), *value = word(&at);
	double ignored;

	if (!strcmp(key, "delay") || !strcmp(key, "prob")) {
		curve->delay_first = *key == 'd';
		if (!value ||
		    strcmp(value, curve->delay_first ? "prob" : "delay") != 0)
			lines_fault(lines, "points are headed by 'delay prob' "
					   "or 'prob delay'");
		return true;
	}
	if (!strcmp(key, "loss-level") || !strcmp(key, "loss_level"))
		read_number(lines, value, 0.0, 1.0, &curve->loss_level);
	else if (!strcmp(key, "samples")) /* ours are as many as need be */
		read_number(lines, value, 2, POINTS_MAX, &ignored);
	else if (!strcmp(key, "bw"))
		lines_fault(lines,
			    "bw is a link of its own; take the line out and "
			    "put a token-bucket of that rate into the chain");
	else if (strcmp(key, "name") != 0)
		lines_fault(lines,
			    "'%s' is no word of a curve; it has name, "
			    "loss-level, samples, then 'delay prob' and points",
			    key);
	return false;
}

static void read_point(struct curve *curve, struct lines *lines)
{
	char *at = lines->text, *first = word(&at), *second = word(&at);
	struct point *point = &curve->point[curve->n];

	if (curve->n == POINTS_MAX)
		lines_fault(lines, "more than %u points", POINTS_MAX);
	else if (word(&at))
		lines_fault(lines, "a point is two numbers");
	else if (!read_number(lines, curve->delay_first ? first : second, 0.0,
			      3600000.0, &point->delay) &&
		 !read_number(lines, curve->delay_first ? second : first, 0.0,
			      1.0, &point->p))
		curve->n++;
}

/* Delay of a probability on the sorted curve. */
static double curve_at(const struct curve *curve, double p)
{
	const struct point *point = curve->point;
	size_t i = 0;

	while (i < curve->n && point[i].p <= p)
		i++;
	if (i == 0)
		return point[0].delay;
	if (i == curve->n)
		return point[i - 1].delay;
	return point[i - 1].delay + (point[i].delay - point[i - 1].delay) *
					    (p - point[i - 1].p) /
					    (point[i].p - point[i - 1].p);
}

static int read_dummynet(struct distribution *law, struct lines *lines,
			 struct store *store)
{
	struct curve *curve = store_get(store, sizeof(*curve));
	double *table = store_get(store, SAMPLES * sizeof(*table));
	bool points = false;
	double most = 0.0;

	curve->loss_level = 1.0;
	do {
		if (points)
			read_point(curve, lines);
		else
			points = read_word(curve, lines);
	} while (lines_data(lines));
	if (lines->faulty)
		return -1;
	if (curve->n < 2)
		return lines_fault(lines,
				   "the file ends after %zu points; a curve "
				   "has at least 2",
				   curve->n);
	qsort(curve->point, curve->n, sizeof(curve->point[0]), by_point);
	for (size_t i = 0; i < SAMPLES; i++) {
		most = fmax(most, curve_at(curve, ((double)i + 0.5) / SAMPLES));
		table[i] = most;
	}
	*law = (struct distribution){ .kind = DISTRIBUTION_TABLE,
				      .n = SAMPLES,
				      .table = table,
				      .loss = 1.0 - curve->loss_level };
	return 0;
}

int curve_read(struct distribution *law, struct lines *lines,
	       struct store *store)
{
	if (!lines_data(lines)) {
		if (!lines->faulty)
			lines_fault(lines,
				    "nothing in it; a distribution is netem's "
				    "table or dummynet's curve");
		return -1;
	}
	if (strchr("+-0123456789", lines->text[0]))
		return read_netem(law, lines, store);
	return read_dummynet(law, lines, store);
}
