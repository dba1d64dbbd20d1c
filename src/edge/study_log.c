/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_log.c - the log of a study: a row for each event, never changed after
 *
 * Floor: edge.
 *
 * How it works
 *
 * A row is one write(), and on the disk before anything is done that it tells.
 * What a power failure cut off is never removed: the next row begins on a line
 * of its own, and whoever reads passes over the piece and says so.
 */
#include "edge/study_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "edge/csv.h"
#include "edge/log.h"
#include "edge/loop.h"

#define HEADER                                                                 \
	"utc,participant,position,trial,arm,sha256,files_sha256,event,"        \
	"verdict,record,note\n"
#define FIELDS 11

static struct study_event *add(struct study_log *log)
{
	if (log->n == log->room) {
		log->room = log->room ? 2 * log->room : 256;
		log->event =
			realloc(log->event, log->room * sizeof(*log->event));
		if (!log->event)
			abort();
	}
	return &log->event[log->n++];
}

static int take_row(struct study_log *log, const struct csv *csv,
		    struct err *err)
{
	struct study_event *event, row = { .line = csv->line };
	char *end;

	if (csv->n != FIELDS) {
		log_say("%s:%lu: this row is cut off, and passed over",
			csv->name, csv->line);
		return 0;
	}
	row.utc = store_text(&log->store, csv->field[0]);
	row.participant = store_text(&log->store, csv->field[1]);
	row.place = strtoul(csv->field[2], &end, 10);
	if (!row.place || *end)
		return err_add(err,
			       "%s:%lu: position '%s' is no number from 1; "
			       "the log is written by farlink alone, put it "
			       "back as it was",
			       csv->name, csv->line, csv->field[2]);
	row.trial = store_text(&log->store, csv->field[3]);
	row.arm = store_text(&log->store, csv->field[4]);
	row.sha256 = store_text(&log->store, csv->field[5]);
	row.files_sha256 = store_text(&log->store, csv->field[6]);
	if (!study_happening_parse(csv->field[7], &row.event))
		return err_add(err,
			       "%s:%lu: '%s' is none of started, ended, "
			       "aborted, redo; the log is written by farlink "
			       "alone, put it back as it was",
			       csv->name, csv->line, csv->field[7]);
	row.verdict = store_text(&log->store, csv->field[8]);
	row.record = store_text(&log->store, csv->field[9]);
	row.note = store_text(&log->store, csv->field[10]);
	event = add(log);
	*event = row;
	return 0;
}

static int read_rows(struct study_log *log, struct csv *csv, struct err *err)
{
	struct err found = { 0 };
	bool first = true;
	int got;

	while ((got = csv_read(csv, &found)) != 0) {
		if (got < 0 && !csv->cut)
			break;
		log->cut = csv->cut;
		log->quoted = got < 0;
		if (got < 0) {
			log_say("%s:%lu: this row is cut off, and passed over",
				csv->name, csv->line);
			err_fini(&found);
			return 0;
		}
		if (first &&
		    (csv->n != FIELDS || strcmp(csv->field[0], "utc") != 0 ||
		     strcmp(csv->field[7], "event") != 0))
			return err_add(
				err,
				"%s:%lu: this is no log of a study: it "
				"begins with the line %.*s; name another "
				"file in log",
				csv->name, csv->line, (int)strlen(HEADER) - 1,
				HEADER);
		if (!first && take_row(log, csv, err) < 0)
			return -1;
		first = false;
	}
	if (got < 0)
		err_add(err, "%s", found.line[0]);
	err_fini(&found);
	return got < 0 ? -1 : 0;
}

static int lock(struct study_log *log, struct err *err)
{
	log->fd =
		open(log->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (log->fd < 0)
		return err_add_machine(err,
				       "%s: %s; the log must be writable, or "
				       "name another file in log",
				       log->name, strerror(errno));
	if (!flock(log->fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return err_add_machine(err, "%s: it cannot be locked: %s",
				       log->name, strerror(errno));
	return err_add(err,
		       "%s: another farlink study has it: a trial is running, "
		       "perhaps started elsewhere; wait until it is over",
		       log->name);
}

int study_log_open(struct study_log *log, const char *name, bool write,
		   struct err *err)
{
	struct csv csv;
	int result;

	*log = (struct study_log){ .name = strdup(name), .fd = -1 };
	if (!log->name)
		abort();
	if (write && lock(log, err) < 0)
		return -1;
	if (access(name, F_OK) && errno == ENOENT)
		return 0;
	if (csv_open(&csv, log->name, err) < 0)
		return -1;
	result = read_rows(log, &csv, err);
	csv_close(&csv);
	return result;
}

/* The name of a new file is on the disk once its folder is. */
static void sync_folder(const char *name)
{
	char *copy = strdup(name);
	int fd;

	if (!copy)
		abort();
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(copy);
}

static size_t print_row(const struct study_event *event, const char *before,
			char **text)
{
	time_t now = (time_t)(loop_wall() / NSEC_PER_S);
	const char *event_name = study_happening_name(event->event);
	char utc[32], place[32];
	const char *field[FIELDS] = { utc,
				      event->participant,
				      place,
				      event->trial,
				      event->arm,
				      event->sha256,
				      event->files_sha256,
				      event_name,
				      event->verdict ? event->verdict : "",
				      event->record ? event->record : "",
				      event->note ? event->note : "" };
	size_t room = strlen(before) + 16, n;
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(utc, sizeof(utc), "%Y-%m-%dT%H:%M:%SZ", &tm);
	snprintf(place, sizeof(place), "%zu", event->place);
	for (size_t i = 0; i < FIELDS; i++)
		room += CSV_ROOM(strlen(field[i])) + 1;
	*text = malloc(room);
	if (!*text)
		abort();
	n = (size_t)snprintf(*text, room, "%s", before);
	for (size_t i = 0; i < FIELDS; i++) {
		if (i)
			(*text)[n++] = ',';
		n += csv_print(*text + n, field[i]);
	}
	(*text)[n++] = '\n';
	return n;
}

int study_log_append(struct study_log *log, const struct study_event *event,
		     struct err *err)
{
	const char *before = log->quoted ? "\"\n" : log->cut ? "\n" : "";
	struct stat status;
	size_t n, done = 0;
	char *text;
	int bad = 0;

	if (!fstat(log->fd, &status) && !status.st_size) {
		before = HEADER;
		sync_folder(log->name);
	}
	n = print_row(event, before, &text);
	while (done < n && !bad) {
		ssize_t got = write(log->fd, text + done, n - done);

		if (got > 0)
			done += (size_t)got;
		else if (errno != EINTR)
			bad = errno;
	}
	free(text);
	log->cut = log->quoted = false;
	if (!bad && !fsync(log->fd))
		return 0;
	return err_add_machine(err, "%s: %s; what happened is not in the log",
			       log->name, strerror(bad ? bad : errno));
}

void study_log_close(struct study_log *log)
{
	store_fini(&log->store);
	free(log->event);
	free(log->name);
	if (log->fd >= 0)
		close(log->fd);
	*log = (struct study_log){ .fd = -1 };
}
