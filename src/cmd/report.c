/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report.c - farlink report: what records hold, as a page and as numbers
 *
 * Floor: roof.
 */
#include "cmd/report.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "edge/loop.h"

/* Work that is done sooner needs no bar. */
#define BAR_AFTER (NSEC_PER_S / 2)
#define BAR_EVERY (NSEC_PER_S / 10)
#define BAR_CELLS 30u
#define NAME_ROOM 4096

/* Names of what is written; @stem is without an end. */
struct outputs {
	char stem[NAME_ROOM], page[NAME_ROOM];
};

void report_bar_draw(struct report_bar *bar, const char *what, uint64_t done,
		     uint64_t all)
{
	char cells[BAR_CELLS + 1];
	int64_t now;
	unsigned full;

	if (!bar->shown)
		return;
	now = loop_clock();
	if (!bar->next)
		bar->next = now + BAR_AFTER;
	if (all && now < bar->next)
		return;
	bar->next = now + BAR_EVERY;
	bar->drawn = true;
	if (!all) {
		fprintf(stderr, "\r\033[K%s", what);
		return;
	}
	done = done < all ? done : all;
	full = (unsigned)((double)done / (double)all * BAR_CELLS);
	memset(cells, '.', BAR_CELLS);
	memset(cells, '#', full);
	cells[BAR_CELLS] = '\0';
	fprintf(stderr, "\r\033[K[%s] %3.0f %% %s", cells,
		(double)done / (double)all * 100.0, what);
}

static void clear(struct report_bar *bar)
{
	if (bar->drawn)
		fputs("\r\033[K", stderr);
	bar->drawn = false;
}

/* Records of one name in several folders are told apart by their folders. */
static void name_apart(const json_t *records, json_t *object,
		       const char *folder)
{
	const json_t *name = json_object_get(object, "record");
	json_t *other;
	size_t i;

	json_array_foreach(
		records, i,
		other) if (json_equal(json_object_get(other, "record"), name))
	{
		json_object_set_new(object, "record", json_string(folder));
		return;
	}
}

/* Adds one record to the list; -1 with @err told where there is nothing. */
static int add_record(json_t *records, const char *given,
		      struct report_bar *bar, bool verify, struct err *err)
{
	struct report_record *record = calloc(1, sizeof(*record));
	char folder[NAME_ROOM];
	size_t len;
	int status;

	if (!record)
		abort();
	snprintf(folder, sizeof(folder), "%s", given);
	for (len = strlen(folder); len > 1 && folder[len - 1] == '/';)
		folder[--len] = '\0';
	status = verification_open(&record->verification, folder, err);
	if (!status)
		status = report_read(record, bar, err);
	if (!status) {
		json_t *object = report_record(record, bar, verify);

		name_apart(records, object, folder);
		json_array_append_new(records, object);
	}
	clear(bar);
	report_fini(record);
	free(record);
	return status;
}

/* Writes a file whole or not at all. */
static int write_file(const struct outputs *outputs, const char *name,
		      const json_t *report,
		      void (*print)(const json_t *report, FILE *to),
		      struct err *err)
{
	char part[NAME_ROOM + 8];
	FILE *to;
	int bad;

	snprintf(part, sizeof(part), "%s.part", name);
	to = fopen(part, "we");
	if (!to)
		return err_add_machine(err,
				       "%s: %s; say with -o FILE.html where "
				       "the report may be written",
				       outputs->page, strerror(errno));
	print(report, to);
	bad = ferror(to);
	bad |= fflush(to) == EOF;
	bad |= fclose(to) == EOF;
	if (!bad && !rename(part, name))
		return 0;
	err_add_machine(err, "%s: %s", name, strerror(errno));
	unlink(part);
	return -1;
}

static void print_json(const json_t *report, FILE *to)
{
	(void)json_dumpf(report, to, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	fputc('\n', to);
}

static int write_all(const struct outputs *outputs, json_t *report,
		     struct err *err)
{
	char name[NAME_ROOM + 8];

	if (write_file(outputs, outputs->page, report, report_page, err) < 0)
		return -1;
	report_numbers(report);
	snprintf(name, sizeof(name), "%s.json", outputs->stem);
	if (write_file(outputs, name, report, print_json, err) < 0)
		return -1;
	snprintf(name, sizeof(name), "%s.csv", outputs->stem);
	return write_file(outputs, name, report, report_table, err);
}

/* Whether a record has files of that name: arm-2.json keeps an arm. */
static bool is_taken(const char *base)
{
	static const char *const taken[] = {
		"manifest", "packets", "events",
		"summary",  "vehicle", "operator"
	};

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!strcmp(base, taken[i]))
			return true;
	return !strncmp(base, "arm-", 4) &&
	       !base[4 + strspn(base + 4, "0123456789")];
}

/* Where to, so that no file of a record is written over. */
static int choose(struct outputs *outputs, const char *output,
		  const char *folder, struct err *err)
{
	const char *base;
	size_t len;

	if (output)
		snprintf(outputs->stem, sizeof(outputs->stem) - 8, "%s",
			 output);
	else
		snprintf(outputs->stem, sizeof(outputs->stem) - 8, "%s/report",
			 folder);
	len = strlen(outputs->stem);
	if (len > 5 && !strcmp(outputs->stem + len - 5, ".html"))
		outputs->stem[len - 5] = '\0';
	base = strrchr(outputs->stem, '/');
	base = base ? base + 1 : outputs->stem;
	if (!*base)
		return err_add(err, "-o %s: name a file, not a folder", output);
	if (is_taken(base))
		return err_add(err,
			       "-o %s: a record has a file %s.json or %s.csv; "
			       "choose another name",
			       output, base, base);
	snprintf(outputs->page, sizeof(outputs->page), "%.*s.html",
		 NAME_ROOM - 8, outputs->stem);
	return 0;
}

static json_t *new_report(void)
{
	json_t *report = json_object(), *list = json_array();

	json_object_set_new(report, "farlink", json_string(FARLINK_VERSION));
	json_object_set_new(report, "format", json_integer(1));
	for (size_t i = 0; i < REPORT_TIMEOUTS; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "timeout_ns",
				    json_integer(report_timeouts[i]));
		json_object_set_new(object, "robots",
				    json_string(report_robots[i]));
		json_array_append_new(list, object);
	}
	json_object_set_new(report, "timeouts", list);
	json_object_set_new(report, "records", json_array());
	return report;
}

static int make(char *const *folders, size_t n, const char *output, bool verify)
{
	struct report_bar bar = { .shown = isatty(STDERR_FILENO) };
	struct outputs outputs;
	struct err err = { 0 };
	json_t *report = new_report();
	int bad = choose(&outputs, output, folders[0], &err);

	for (size_t i = 0; !bad && i < n; i++)
		bad = add_record(json_object_get(report, "records"), folders[i],
				 &bar, verify, &err);
	if (!bad)
		bad = write_all(&outputs, report, &err);
	json_decref(report);
	if (!bad)
		printf("%s\n%s.json\n%s.csv\n", outputs.page, outputs.stem,
		       outputs.stem);
	return cmd_tell(&err);
}

int cmd_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "no-verify", no_argument, NULL, 'n' }, { 0 }
	};
	const char *output = NULL;
	bool verify = true;
	int option;

	while ((option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		if (option == 'o')
			output = optarg;
		else if (option == 'n')
			verify = false;
		else
			return cmd_usage("report", NULL);
	}
	if (optind == argc)
		return cmd_usage("report", "name the folder of a record");
	if (argc - optind > 1 && !output)
		return cmd_usage("report", "of several records: say with -o "
					   "FILE.html where the report goes");
	return make(argv + optind, (size_t)(argc - optind), output, verify);
}
