/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * series_test.c - lists in an arm and in files, and what is said of bad ones
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/series.h"

#define MS  NSEC_PER_MS
#define SEC NSEC_PER_S

/* The text that a test lets the file have. */
static const char *file_text;
static size_t file_size;
static struct store store;
static char why[512];

static const char *load(void *context, const char *name, size_t *size,
			char *fault, size_t fault_size)
{
	(void)context;
	if (strcmp(name, "f") != 0) {
		snprintf(fault, fault_size, "%s: no such file", name);
		return NULL;
	}
	*size = file_size;
	return file_text;
}

static int read(enum setting_kind kind, void *member, const char *value)
{
	const struct setting setting = { .kind = kind };
	const struct settings_source source = { .store = &store, .load = load };

	why[0] = '\0';
	return series_parse(&setting, member, value, &source, why, sizeof(why));
}

static int read_text(enum setting_kind kind, void *member, const char *text)
{
	file_text = text;
	file_size = strlen(text);
	return read(kind, member,
		    kind == SETTING_DISTRIBUTION ? "table:f" : "f");
}

/* It is refused, and the fault says all of @said. */
#define REFUSED(call, said)                                                    \
	do {                                                                   \
		cr_assert_eq((call), -1);                                      \
		cr_assert(strstr(why, (said)), "'%s' says not '%s'", why,      \
			  (said));                                             \
	} while (0)

static void clean(void)
{
	store_fini(&store);
}

TestSuite(series, .fini = clean);

Test(series, times_have_units_and_go_upwards)
{
	struct times times = { 0 };

	cr_assert_eq(read(SETTING_TIMES, &times, "500ms, 10s,1min"), 0, "%s",
		     why);
	cr_assert_eq(times.n, 3);
	cr_assert_eq(times.v[0], 500 * MS);
	cr_assert_eq(times.v[1], 10 * SEC);
	cr_assert_eq(times.v[2], 60 * SEC);
	REFUSED(read(SETTING_TIMES, &times, "10s, 10s"), "goes upwards");
	REFUSED(read(SETTING_TIMES, &times, "10"), "has no unit");
	REFUSED(read(SETTING_TIMES, &times, "-1s"), "out of range");
	REFUSED(read(SETTING_TIMES, &times, "1s,,2s"), "no plain number");
	REFUSED(read(SETTING_TIMES, &times, ""), "no plain number");
	/* what was there before a fault is there after it */
	cr_assert_eq(times.n, 3);
}

Test(series, counts_are_whole_numbers_and_go_upwards)
{
	struct counts counts = { 0 };

	cr_assert_eq(read(SETTING_COUNTS, &counts, "3, 7, 20"), 0, "%s", why);
	cr_assert_eq(counts.n, 3);
	cr_assert_eq(counts.v[2], 20);
	REFUSED(read(SETTING_COUNTS, &counts, "3, 2"), "'2' is not above");
	REFUSED(read(SETTING_COUNTS, &counts, "3, x"), "'x'");
}

Test(series, points_are_a_time_and_a_delay)
{
	struct points points = { 0 };

	cr_assert_eq(
		read(SETTING_POINTS, &points, "0s 100ms, 10s   0.3s,10s 1ms"),
		0, "%s", why);
	cr_assert_eq(points.n, 3);
	cr_assert_eq(points.at[1], 10 * SEC);
	cr_assert_eq(points.value[1], 300 * MS);
	cr_assert_eq(points.value[2], MS);
	REFUSED(read(SETTING_POINTS, &points, "0s"), "no time and delay");
	REFUSED(read(SETTING_POINTS, &points, "0s 1ms 2ms"), "more than");
	REFUSED(read(SETTING_POINTS, &points, "0s 2h"), "out of range");
	REFUSED(read(SETTING_POINTS, &points, "5s 1ms, 4s 1ms"), "before");
}

Test(series, what_was_written_is_printed)
{
	const struct setting setting = { .kind = SETTING_POINTS };
	struct points points = { 0 };
	char text[64];

	series_print(&setting, &points, text, sizeof(text));
	cr_assert_str_empty(text);
	cr_assert_eq(read(SETTING_POINTS, &points, "0s 100ms, 10s 0.3s"), 0);
	series_print(&setting, &points, text, sizeof(text));
	cr_assert_str_eq(text, "0s 100ms, 10s 0.3s");
}

Test(series, points_come_from_a_file_in_the_units_of_its_header)
{
	struct points points = { 0 };

	cr_assert_eq(read_text(SETTING_POINTS_FILE, &points,
			       "# a ramp\n\ntime_s,delay_ms\n0,100\r\n"
			       "  1.5 , 250.5 \n"),
		     0, "%s", why);
	cr_assert_eq(points.n, 2);
	cr_assert_eq(points.at[1], 1500 * MS);
	cr_assert_eq(points.value[1], 250 * MS + 500000);
	cr_assert_eq(read_text(SETTING_POINTS_FILE, &points,
			       "\xef\xbb\xbftime_ms, delay_us\n7,9"),
		     0, "%s", why);
	cr_assert_eq(points.at[0], 7 * MS);
	cr_assert_eq(points.value[0], 9000);
}

Test(series, a_bad_line_is_named)
{
	struct points points = { 0 };

	REFUSED(read_text(SETTING_POINTS_FILE, &points, "0,100\n"),
		"f:1: '0,100' is not the header; it is time_s,delay_ms");
	REFUSED(read_text(SETTING_POINTS_FILE, &points, ""), "not the header");
	REFUSED(read_text(SETTING_POINTS_FILE, &points, "time_s,delay_ms\n"),
		"no line behind the header");
	REFUSED(read_text(SETTING_POINTS_FILE, &points,
			  "time_s,delay_ms\n0,1\n1,x\n"),
		"f:3: 'x' as delay");
	REFUSED(read_text(SETTING_POINTS_FILE, &points,
			  "time_s,delay_ms\n1,1\n0,1\n"),
		"f:3: this is earlier");
	REFUSED(read_text(SETTING_POINTS_FILE, &points,
			  "time_s,delay_ms\n0;1\n"),
		"f:2: 1 fields where there are 2");
	REFUSED(read_text(SETTING_POINTS_FILE, &points,
			  "time_s,delay_ms\n0,-1\n"),
		"f:2: '-1' as delay is out of range");
	REFUSED(read_text(SETTING_POINTS_FILE, &points,
			  "time_s,delay_ms\n0,3600001\n"),
		"out of range");
	REFUSED(read(SETTING_POINTS_FILE, &points, "g"), "g: no such file");
	REFUSED(read(SETTING_POINTS_FILE, &points, ""), "name of a file");
}

Test(series, a_line_too_long_or_with_a_zero_byte_is_named)
{
	static char text[400];
	struct points points = { 0 };

	memset(text, '1', sizeof(text) - 1);
	REFUSED(read_text(SETTING_POINTS_FILE, &points, text),
		"f:1: a line of 399 bytes");
	file_text = "time_s,delay_ms\n0\0,1\n";
	file_size = 21;
	REFUSED(read(SETTING_POINTS_FILE, &points, "f"), "f:2: a zero byte");
}

Test(series, spans_do_not_overlap)
{
	struct points spans = { 0 };

	cr_assert_eq(read_text(SETTING_SPANS_FILE, &spans,
			       "at_s,for_s\n10,2\n12,0.5\n"),
		     0, "%s", why);
	cr_assert_eq(spans.n, 2);
	cr_assert_eq(spans.value[1], 500 * MS);
	REFUSED(read_text(SETTING_SPANS_FILE, &spans,
			  "at_s,for_s\n10,2\n11,1\n"),
		"f:3: this begins before");
	REFUSED(read_text(SETTING_SPANS_FILE, &spans, "time_s,delay_ms\n"),
		"at_s,for_s");
}

Test(series, a_recorded_series_goes_by_packet_or_by_time)
{
	struct series series = { 0 };

	cr_assert_eq(read_text(SETTING_SERIES_FILE, &series,
			       "delay_ms\n20\nlost\n30.25\n"),
		     0, "%s", why);
	cr_assert_eq(series.n, 3);
	cr_assert_null(series.at);
	cr_assert_eq(series.value[0], 20 * MS);
	cr_assert_lt(series.value[1], 0);
	cr_assert_eq(series.value[2], 30250000);
	cr_assert_eq(read_text(SETTING_SERIES_FILE, &series,
			       "time_s,delay_ms\n0,20\n1,lost\n"),
		     0, "%s", why);
	cr_assert_eq(series.at[1], SEC);
	cr_assert_lt(series.value[1], 0);
	REFUSED(read_text(SETTING_SERIES_FILE, &series, "delay_ms\n20,1\n"),
		"f:2: 2 fields where there are 1");
}

Test(series, a_trace_is_a_time_a_line)
{
	struct times trace = { 0 };

	cr_assert_eq(read_text(SETTING_TRACE_FILE, &trace, "0\n3\n3\n7"), 0,
		     "%s", why);
	cr_assert_eq(trace.n, 4);
	cr_assert_eq(trace.v[2], 3 * MS);
	cr_assert_eq(trace.v[3], 7 * MS);
	REFUSED(read_text(SETTING_TRACE_FILE, &trace, "1\n\n3\n"),
		"f:2: '' is no whole number of ms");
	REFUSED(read_text(SETTING_TRACE_FILE, &trace, "1\n2.5\n"),
		"f:2: '2.5'");
	REFUSED(read_text(SETTING_TRACE_FILE, &trace, "-1\n"), "f:1: '-1'");
	REFUSED(read_text(SETTING_TRACE_FILE, &trace, "5\n4\n"),
		"f:2: '4' is below");
	REFUSED(read_text(SETTING_TRACE_FILE, &trace, "0\n0\n"), "above 0");
	REFUSED(read_text(SETTING_TRACE_FILE, &trace, ""), "above 0");
	REFUSED(read_text(SETTING_TRACE_FILE, &trace, "1 # c\n"), "f:1:");
}

Test(series, a_distribution_has_a_name)
{
	struct distribution law = { 0 };

	cr_assert_eq(read(SETTING_DISTRIBUTION, &law, "gamma"), 0);
	cr_assert_eq(law.kind, DISTRIBUTION_GAMMA);
	cr_assert_str_eq(law.text, "gamma");
	REFUSED(read(SETTING_DISTRIBUTION, &law, "gauss"),
		"'gauss' is none of uniform, normal");
	REFUSED(read(SETTING_DISTRIBUTION, &law, "table:"), "name of a file");
	REFUSED(read(SETTING_DISTRIBUTION, &law, "table:g"), "no such file");
}

Test(series, a_table_of_netem_is_read_as_tc_reads_it)
{
	struct distribution law = { 0 };

	cr_assert_eq(read_text(SETTING_DISTRIBUTION, &law,
			       "# made by maketable\n\n8192 -8192\t0\n"
			       " 4096\n#end\n"),
		     0, "%s", why);
	cr_assert_eq(law.kind, DISTRIBUTION_TABLE);
	cr_assert_str_eq(law.text, "table:f");
	cr_assert_eq(law.n, 4);
	cr_assert_eq(law.table[0], -1.0);
	cr_assert_eq(law.table[1], 0.0);
	cr_assert_eq(law.table[2], 0.5);
	cr_assert_eq(law.table[3], 1.0);
}

Test(series, without_a_loader_no_file_is_read)
{
	const struct setting setting = { .kind = SETTING_TRACE_FILE };
	const struct settings_source source = { .store = &store };
	struct times trace = { 0 };

	REFUSED(series_parse(&setting, &trace, "f", &source, why, sizeof(why)),
		"no file can be read here");
}

/* It is refused, and the fault says @said and no more. */
#define SAYS(call, said)                                                       \
	do {                                                                   \
		cr_assert_eq((call), -1);                                      \
		cr_assert_str_eq(why, (said));                                 \
	} while (0)

Test(series, blanks_around_an_element_do_not_count)
{
	struct times times = { 0 };
	struct points points = { 0 };

	cr_assert_eq(read(SETTING_TIMES, &times, " \t10s ,20s\t ,30s"), 0, "%s",
		     why);
	cr_assert_eq(times.n, 3);
	SAYS(read(SETTING_TIMES, &times, "1s, \t,2s"),
	     "'' is no plain number; write 200ms or 2.56s");
	SAYS(read(SETTING_TIMES, &times, " "),
	     "'' is no plain number; write 200ms or 2.56s");
	SAYS(read(SETTING_POINTS, &points, "0s 1ms,"),
	     "'' is no time and delay; write 0s 100ms, 10s 200ms");
}

Test(series, an_element_too_long_is_cut_and_refused)
{
	struct counts counts = { 0 };
	char text[80], said[128];

	/* 63 characters have room; of 64 and more the end is cut off */
	snprintf(text, sizeof(text), "%062d ", 7);
	cr_assert_eq(read(SETTING_COUNTS, &counts, text), 0, "%s", why);
	cr_assert_eq(counts.v[0], 7);
	for (int n = 63; n < 70; n++) {
		snprintf(text, sizeof(text), "%0*dx", n, 0);
		snprintf(said, sizeof(said),
			 "'%.63s' is no plain number; write 100", text);
		if (n == 63)
			cr_assert_eq(read(SETTING_COUNTS, &counts, text), 0);
		text[10] = '-';
		said[11] = '-';
		SAYS(read(SETTING_COUNTS, &counts, text), said);
	}
}

Test(series, times_go_up_to_three_years)
{
	struct times times = { 0 };

	cr_assert_eq(read(SETTING_TIMES, &times, "0s, 100000000s"), 0, "%s",
		     why);
	cr_assert_eq(times.v[1], 100000000 * SEC);
	SAYS(read(SETTING_TIMES, &times, "100000000.0000001s"),
	     "'100000000.0000001s' is out of range; it is 0ms to "
	     "100000000000ms");
	SAYS(read(SETTING_TIMES, &times, "2s, 2s"),
	     "'2s' is not above the one before it; the list goes upwards");
}

Test(series, a_point_says_which_of_its_halves_is_wrong)
{
	struct points points = { 0 };

	SAYS(read(SETTING_POINTS, &points, "x 1ms"),
	     "'x' is no plain number; write 200ms or 2.56s");
	SAYS(read(SETTING_POINTS, &points, "1 y"),
	     "'1' has no unit; a time is written 200ms or 2.56s");
	SAYS(read(SETTING_POINTS, &points, "1s y"),
	     "'y' is no plain number; write 200ms or 2.56s");
	SAYS(read(SETTING_POINTS, &points, "0s 3600000.000001ms"),
	     "'3600000.000001ms' is out of range; it is 0ms to 3600000ms");
	SAYS(read(SETTING_POINTS, &points, "0s \t1 ms"),
	     "'1 ms' is behind a time and more than a delay; write 0s 100ms, "
	     "10s 200ms, without a space before a unit");
	SAYS(read(SETTING_POINTS, &points, "5s 1ms, 4s 1ms"),
	     "'4s' is before the point before it; times go upwards");
	cr_assert_eq(read(SETTING_POINTS, &points, "5s 1h, 5s 0ms"), 0);
}

Test(series, a_header_has_its_columns_and_no_others)
{
	static const char said[] = "f:1: '%s' is not the header; it is %s "
				   "(units: _s, _ms, _us or _ns)";
	static const char *const points[] = {
		"time_m,delay_ms", "time_s,delay",    "time_s,delay_ms,x",
		"delay_ms",	   "time_s",	      "delay_ms,time_s",
		"time_s;delay_ms", "time_ss,delay_s", "at_s,for_s"
	};
	struct series series = { 0 };
	char text[64], all[256];

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		snprintf(text, sizeof(text), "%s\n1,1\n", points[i]);
		snprintf(all, sizeof(all), said, points[i], "time_s,delay_ms");
		SAYS(read_text(SETTING_POINTS_FILE, &series, text), all);
	}
	snprintf(all, sizeof(all), said, "time_s",
		 "delay_ms or time_s,"
		 "delay_ms");
	SAYS(read_text(SETTING_SERIES_FILE, &series, "time_s\n1\n"), all);
	snprintf(all, sizeof(all), said, "", "at_s,for_s");
	SAYS(read_text(SETTING_SPANS_FILE, &series, "# none"), all);
	cr_assert_eq(read_text(SETTING_POINTS_FILE, &series,
			       "time_ns,delay_ns\n7,9\n"),
		     0);
	cr_assert_eq(series.at[0] * 100 + series.value[0], 709);
	/* the mark of UTF-8 is one at the beginning alone */
	REFUSED(read_text(SETTING_POINTS_FILE, &series,
			  "\n\xef\xbb\xbftime_s,delay_ms\n1,1\n"),
		"f:2: ");
}

Test(series, a_field_says_what_is_wrong_with_it)
{
	struct points points = { 0 };
	struct times trace = { 0 };

#define ROW(row)                                                               \
	read_text(SETTING_POINTS_FILE, &points, "time_s,delay_ms\n" row)
	SAYS(ROW("x,y\n"), "f:2: 'x' as time is no plain number");
	SAYS(ROW("1s,1\n"), "f:2: '1s' as time is no plain number");
	SAYS(ROW("1,lost\n"), "f:2: 'lost' as delay is no plain number");
	SAYS(ROW("999999999999999999,1\n"),
	     "f:2: '999999999999999999' as time is no plain number");
	SAYS(ROW("-0.000000001,1\n"),
	     "f:2: '-0.000000001' as time is out of range; it is 0 to "
	     "100000000 s");
	SAYS(ROW("100000000.1,1\n"),
	     "f:2: '100000000.1' as time is out of range; it is 0 to "
	     "100000000 s");
	SAYS(ROW("1,3600000.000001\n"),
	     "f:2: '3600000.000001' as delay is out of range; it is 0 to 3600 "
	     "s");
	SAYS(ROW("1,1\n0.999999999,1\n"),
	     "f:3: this is earlier than the line before; times go upwards");
	cr_assert_eq(ROW("0,0\n0,1\n100000000,3600000\n"), 0, "%s", why);
	cr_assert_eq(points.n, 3);
	SAYS(read_text(SETTING_TRACE_FILE, &trace, "100000000001\n"),
	     "f:1: '100000000001' is no whole number of ms; a trace has one "
	     "on each line");
	cr_assert_eq(read_text(SETTING_TRACE_FILE, &trace, "100000000000\n"),
		     0);
	SAYS(read_text(SETTING_TRACE_FILE, &trace, "1\n2\n1\n"),
	     "f:3: '1' is below the line before; times go upwards");
}

Test(series, a_line_too_long_is_told_wherever_it_stands)
{
	struct points points = { 0 };
	struct times trace = { 0 };
	char text[400];

	snprintf(text, sizeof(text), "time_s,delay_ms\n1,1\n%0256d\n", 1);
	SAYS(read_text(SETTING_POINTS_FILE, &points, text),
	     "f:3: a line of 256 bytes; it has at most 255");
	snprintf(text, sizeof(text), "1\n%0256d\n", 1);
	SAYS(read_text(SETTING_TRACE_FILE, &trace, text),
	     "f:2: a line of 256 bytes; it has at most 255");
	/* 255 have room, blanks around them do not count */
	snprintf(text, sizeof(text), " \t%0255d \r\n2\n", 1);
	cr_assert_eq(read_text(SETTING_TRACE_FILE, &trace, text), 0, "%s", why);
	cr_assert_eq(trace.n, 2);
}

Test(series, every_law_has_its_name)
{
	static const char *const names[] = { "uniform",	    "normal",
					     "exponential", "pareto",
					     "lognormal",   "weibull",
					     "gamma" };
	struct distribution law = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cr_assert_eq(read(SETTING_DISTRIBUTION, &law, names[i]), 0);
		cr_assert_eq(law.kind, i);
	}
	SAYS(read(SETTING_DISTRIBUTION, &law, "tabl"),
	     "'tabl' is none of uniform, normal, exponential, pareto, "
	     "lognormal, weibull, gamma, table:FILE");
	file_text = "8192\n";
	file_size = 5;
	cr_assert_eq(read(SETTING_DISTRIBUTION, &law, "table: \tf"), 0, "%s",
		     why);
	cr_assert_eq(law.table[0], 1.0);
	SAYS(read(SETTING_DISTRIBUTION, &law, "table:"),
	     "the name of a file is missing");
}
