/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * series.c - settings that are lists: written in the arm, or in files
 *
 * Floor: core.
 *
 * How it works
 *
 * A list is read into arrays of the store and kept together with the text that
 * it was read from, which is what printing gives back.  Elements go through
 * settings_parse(), so that units and messages are those of a single value;
 * numbers in files are decimals, scaled exactly to nanoseconds by the unit in
 * the name of their column.
 */
#include "core/series.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/curve.h"
#include "core/decimal.h"
#include "core/lines.h"

/* Three years: sums of a few of these stay far below the largest nsec. */
#define AT_MAX 1e17

/* A CSV file has a column of times, one of values, or both. */
struct columns {
	const char *at, *value, *like;
	int64_t at_unit, value_unit; /* in ns; 0: no such column */
};

/* The next element between commas, without the blanks around it; what there is
 * no room for is cut off.
 */
static bool element(const char **at, char *text, size_t size)
{
	const char *from = *at, *end;
	size_t len;

	if (!from)
		return false;
	end = from + strcspn(from, ",");
	*at = *end ? end + 1 : NULL;
	from += strspn(from, " \t");
	while (from < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	len = (size_t)(end - from);
	if (len >= size)
		len = size - 1;
	memcpy(text, from, len);
	text[len] = '\0';
	return true;
}

static size_t count_elements(const char *value)
{
	size_t n = 1;

	for (; *value; value++)
		n += *value == ',';
	return n;
}

/* One number of a list: a time or a count. */
static int read_one(const struct setting *setting, enum setting_kind kind,
		    double hi, const char *text, int64_t *into, char *why,
		    size_t size)
{
	const struct setting one = { .kind = kind,
				     .lo = setting->lo,
				     .hi = hi };
	const struct settings_source none = { 0 };

	return settings_parse(&one, into, text, &none, why, size);
}

static int read_list(const struct setting *setting, void *member,
		     const char *value, const struct settings_source *source,
		     char *why, size_t size)
{
	enum setting_kind kind =
		setting->kind == SETTING_TIMES ? SETTING_TIME : SETTING_COUNT;
	int64_t *v =
		store_get(source->store, count_elements(value) * sizeof(*v));
	const char *at = value;
	char text[64];
	size_t n = 0;

	for (; element(&at, text, sizeof(text)); n++) {
		if (read_one(setting, kind, AT_MAX, text, &v[n], why, size))
			return -1;
		if (!n || v[n] > v[n - 1])
			continue;
		snprintf(why, size,
			 "'%s' is not above the one before it; the "
			 "list goes upwards",
			 text);
		return -1;
	}
	/* struct times and struct counts are alike */
	if (setting->kind == SETTING_TIMES)
		*(struct times *)member = (struct times){ .n = n, .v = v };
	else
		*(struct counts *)member = (struct counts){ .n = n, .v = v };
	return 0;
}

/* "10s 200ms" */
static int read_point(const struct setting *setting, char *text, nsec *at,
		      nsec *value, char *why, size_t size)
{
	char *second = text + strcspn(text, " \t");

	if (!*text || !*second) {
		snprintf(why, size,
			 "'%s' is no time and delay; write 0s 100ms, 10s 200ms",
			 text);
		return -1;
	}
	*second++ = '\0';
	second += strspn(second, " \t");
	if (second[strcspn(second, " \t")]) {
		snprintf(
			why, size,
			"'%s' is behind a time and more than a delay; write 0s "
			"100ms, 10s 200ms, without a space before a unit",
			second);
		return -1;
	}
	if (read_one(setting, SETTING_TIME, AT_MAX, text, at, why, size))
		return -1;
	return read_one(setting, SETTING_TIME, (double)DELAY_MAX, second, value,
			why, size);
}

static int read_points(const struct setting *setting, struct points *member,
		       const char *value, const struct settings_source *source,
		       char *why, size_t size)
{
	size_t room = count_elements(value) * sizeof(nsec), n = 0;
	nsec *at = store_get(source->store, room);
	nsec *delay = store_get(source->store, room);
	const char *from = value;
	char text[96];

	for (; element(&from, text, sizeof(text)); n++) {
		if (read_point(setting, text, &at[n], &delay[n], why, size))
			return -1;
		if (!n || at[n] >= at[n - 1])
			continue;
		snprintf(why, size,
			 "'%s' is before the point before it; times "
			 "go upwards",
			 text);
		return -1;
	}
	*member = (struct points){ .n = n, .at = at, .value = delay };
	return 0;
}

/* Nanoseconds of a column "time_ms" whose name begins with "time"; or 0. */
static int64_t unit_of(const char *column, const char *name)
{
	static const struct {
		const char *name;
		int64_t unit;
	} units[] = { { "_s", NSEC_PER_S },
		      { "_ms", NSEC_PER_MS },
		      { "_us", 1000 },
		      { "_ns", 1 } };
	size_t len = strlen(name);

	if (strncmp(column, name, len) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(column + len, units[i].name))
			return units[i].unit;
	return 0;
}

/* The header line: the names of one or two columns. */
static int read_header(struct columns *columns, bool optional,
		       struct lines *lines)
{
	const char *from = lines->text;
	char first[64] = "", second[64] = "";
	size_t n = 0;

	/* as some spreadsheets begin a file */
	if (lines->line == 1 && !strncmp(from, "\xef\xbb\xbf", 3))
		from += 3;
	n += element(&from, first, sizeof(first));
	n += element(&from, second, sizeof(second));
	columns->at_unit = columns->value_unit = 0;
	if (n == 1 && optional) {
		columns->value_unit = unit_of(first, columns->value);
	} else if (n == 2 && !from) {
		columns->at_unit = unit_of(first, columns->at);
		columns->value_unit = unit_of(second, columns->value);
	}
	if (columns->value_unit && (columns->at_unit || n == 1))
		return 0;
	return lines_fault(lines,
			   "'%s' is not the header; it is %s (units: _s, _ms, "
			   "_us or _ns)",
			   lines->text, columns->like);
}

/* One field of a row. */
static int read_field(struct lines *lines, const char *name, const char *text,
		      int64_t unit, double hi, nsec *value)
{
	struct decimal decimal;

	if (!decimal_read(text, &decimal) || *decimal.unit ||
	    !decimal_scale(&decimal, unit, value))
		return lines_fault(lines, "'%s' as %s is no plain number", text,
				   name);
	if (*value < 0 || (double)*value > hi)
		return lines_fault(lines,
				   "'%s' as %s is out of range; it is 0 to "
				   "%.0f s",
				   text, name, hi / (double)NSEC_PER_S);
	return 0;
}

static int read_row(const struct columns *columns, bool losses,
		    struct lines *lines, nsec *at, nsec *value)
{
	const char *from = lines->text;
	size_t expected = 1 + (columns->at_unit != 0);
	char text[64];

	if (count_elements(lines->text) != expected)
		return lines_fault(lines, "%zu fields where there are %zu",
				   count_elements(lines->text), expected);
	if (columns->at_unit) {
		element(&from, text, sizeof(text));
		if (read_field(lines, columns->at, text, columns->at_unit,
			       AT_MAX, at))
			return -1;
	}
	element(&from, text, sizeof(text));
	if (losses && !strcmp(text, "lost")) {
		*value = -1;
		return 0;
	}
	return read_field(lines, columns->value, text, columns->value_unit,
			  (double)DELAY_MAX, value);
}

/* A CSV file of one of three kinds, into the arrays of @into. */
static int read_csv(enum setting_kind kind, struct series *into,
		    struct lines *lines, struct store *store)
{
	bool optional = kind == SETTING_SERIES_FILE;
	bool spans = kind == SETTING_SPANS_FILE;
	struct columns columns = { .at = spans ? "at" : "time",
				   .value = spans ? "for" : "delay",
				   .like = spans ? "at_s,for_s"
						 : "time_s,delay_ms" };
	size_t room = lines_left(lines) * sizeof(nsec), n = 0;
	nsec *at, *value = store_get(store, room);

	if (optional)
		columns.like = "delay_ms or time_s,delay_ms";
	if (!lines_data(lines))
		lines->text[0] = '\0';
	if (lines->faulty || read_header(&columns, optional, lines))
		return -1;
	at = store_get(store, columns.at_unit ? room : 1);
	for (; lines_data(lines); n++) {
		nsec when = 0;

		if (read_row(&columns, optional, lines, &when, &value[n]))
			return -1;
		if (!columns.at_unit)
			continue;
		if (n && when < at[n - 1] + (spans ? value[n - 1] : 0))
			return lines_fault(lines,
					   spans ? "this begins before the one "
						   "before it ends"
						 : "this is earlier than the "
						   "line before; times go "
						   "upwards");
		at[n] = when;
	}
	if (lines->faulty)
		return -1;
	if (!n)
		return lines_fault(lines, "no line behind the header");
	*into = (struct series){ .n = n,
				 .at = columns.at_unit ? at : NULL,
				 .value = value };
	return 0;
}

/* Mahimahi's trace: the ms of each delivery opportunity, one a line. */
static int read_trace(struct times *member, struct lines *lines,
		      struct store *store)
{
	nsec *v = store_get(store, lines_left(lines) * sizeof(*v));
	struct decimal decimal;
	size_t n = 0;

	for (; lines_next(lines); n++) {
		if (!decimal_read(lines->text, &decimal) || *decimal.unit ||
		    decimal.places || decimal.negative ||
		    decimal.digits > (uint64_t)AT_MAX / 1000000u)
			return lines_fault(lines,
					   "'%s' is no whole number of ms; a "
					   "trace has one on each line",
					   lines->text);
		v[n] = (nsec)decimal.digits * NSEC_PER_MS;
		if (n && v[n] < v[n - 1])
			return lines_fault(lines,
					   "'%s' is below the line before; "
					   "times go upwards",
					   lines->text);
	}
	if (lines->faulty)
		return -1;
	if (!n || !v[n - 1])
		return lines_fault(lines,
				   "the last line is the trace's length, and "
				   "must be above 0");
	*member = (struct times){ .n = n, .v = v };
	return 0;
}

/* The file that @name names, ready to be read. */
static int open_lines(struct lines *lines, const char *name,
		      const struct settings_source *source, char *why,
		      size_t size)
{
	size_t text_size = 0;

	*lines = (struct lines){ .file = name, .why = why, .size = size };
	if (!source->load)
		snprintf(why, size, "no file can be read here");
	else if (!*name)
		snprintf(why, size, "the name of a file is missing");
	else
		lines->at = source->load(source->context, name, &text_size, why,
					 size);
	if (!lines->at)
		return -1;
	lines->end = lines->at + text_size;
	return 0;
}

static int read_law(struct distribution *member, const char *value,
		    const struct settings_source *source, char *why,
		    size_t size)
{
	static const char *const names[] = {
		[DISTRIBUTION_UNIFORM] = "uniform",
		[DISTRIBUTION_NORMAL] = "normal",
		[DISTRIBUTION_EXPONENTIAL] = "exponential",
		[DISTRIBUTION_PARETO] = "pareto",
		[DISTRIBUTION_LOGNORMAL] = "lognormal",
		[DISTRIBUTION_WEIBULL] = "weibull",
		[DISTRIBUTION_GAMMA] = "gamma",
	};
	struct lines lines;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) != 0)
			continue;
		*member = (struct distribution){
			.kind = (enum distribution_kind)i
		};
		return 0;
	}
	if (!strncmp(value, "table:", 6)) {
		value += 6 + strspn(value + 6, " \t");
		if (open_lines(&lines, value, source, why, size))
			return -1;
		return curve_read(member, &lines, source->store);
	}
	snprintf(why, size,
		 "'%s' is none of uniform, normal, exponential, pareto, "
		 "lognormal, weibull, gamma, table:FILE",
		 value);
	return -1;
}

static int read_file(const struct setting *setting, void *member,
		     const char *value, const struct settings_source *source,
		     char *why, size_t size)
{
	struct series series = { 0 };
	struct points *points = member;
	struct lines lines;

	if (open_lines(&lines, value, source, why, size))
		return -1;
	if (setting->kind == SETTING_TRACE_FILE)
		return read_trace(member, &lines, source->store);
	if (read_csv(setting->kind, &series, &lines, source->store))
		return -1;
	if (setting->kind == SETTING_SERIES_FILE)
		*(struct series *)member = series;
	else
		*points = (struct points){ .n = series.n,
					   .at = series.at,
					   .value = series.value };
	return 0;
}

int series_parse(const struct setting *setting, void *member, const char *value,
		 const struct settings_source *source, char *why, size_t size)
{
	const char *text;
	int rc;

	switch (setting->kind) {
	case SETTING_TIMES:
	case SETTING_COUNTS:
		rc = read_list(setting, member, value, source, why, size);
		break;
	case SETTING_POINTS:
		rc = read_points(setting, member, value, source, why, size);
		break;
	case SETTING_DISTRIBUTION:
		rc = read_law(member, value, source, why, size);
		break;
	default:
		rc = read_file(setting, member, value, source, why, size);
		break;
	}
	if (rc)
		return -1;
	/* every kind of list begins with its text */
	text = store_text(source->store, value);
	memcpy(member, &text, sizeof(text));
	return 0;
}

void series_print(const struct setting *setting, const void *member, char *text,
		  size_t size)
{
	const char *written;

	(void)setting;
	memcpy(&written, member, sizeof(written));
	snprintf(text, size, "%s", written ? written : "");
}
