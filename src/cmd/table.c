/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * table.c - what a run shows while it goes on
 *
 * Floor: roof.
 *
 * On a terminal a table is drawn over itself once a second, with the latest
 * messages below it; elsewhere there is one line a second.  Nobody waits for a
 * reader that has stopped: what it does not take is left out, and the next line
 * tells all that this one would have.
 */
#include "cmd/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "edge/log.h"

#define MESSAGES     6
#define MESSAGE_SIZE 160

static struct {
	bool terminal, cut;
	bool was_terminal[3]; /* stdin, stdout, stderr at the start */
	int lines;	      /* drawn the last time */
	char message[MESSAGES][MESSAGE_SIZE];
	unsigned n_messages;
} table;

/* Keep a message for the table; the oldest goes. */
static void keep_message(void *context, const char *message)
{
	(void)context;
	snprintf(table.message[table.n_messages++ % MESSAGES], MESSAGE_SIZE,
		 "%s", message);
}

void table_begin(void)
{
	table.terminal = isatty(STDOUT_FILENO);
	for (int fd = 0; fd < 3; fd++)
		table.was_terminal[fd] = isatty(fd);
	if (table.terminal)
		log_sink(keep_message, NULL);
}

bool table_is_hung_up(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (table.was_terminal[fd] && !isatty(fd))
			return true;
	return false;
}

void table_apart(void)
{
	table.lines = 0;
}

static void print_ms(char *text, size_t size, nsec time)
{
	snprintf(text, size, "%" PRId64 ".%03d", time / NSEC_PER_MS,
		 (int)(time / 1000 % 1000));
}

static int64_t queued(const struct live_view *view, size_t i)
{
	if (i == session_arm(view->session)->n_channels)
		return 0;
	return session_load(view->session, (uint16_t)i).packets;
}

static void name_of(const struct live_view *view, size_t i, char *text,
		    size_t size)
{
	const struct arm *arm = session_arm(view->session);

	if (i == arm->n_channels)
		snprintf(text, size, "(no channel)");
	else
		snprintf(text, size, "%s %s",
			 direction_name(arm->channel[i].plan.direction),
			 arm->channel[i].plan.stream);
}

static void print_row(FILE *to, const struct live_view *view, size_t i)
{
	const struct tally *tally = &view->tallies[i];
	char name[64], p50[32], p99[32], error[32];
	int64_t waiting = queued(view, i);

	name_of(view, i, name, sizeof(name));
	print_ms(p50, sizeof(p50), histogram_quantile(&tally->delay, 0.5));
	print_ms(p99, sizeof(p99), histogram_quantile(&tally->delay, 0.99));
	print_ms(error, sizeof(error), histogram_quantile(&tally->error, 0.99));
	fprintf(to,
		"%-24.24s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64
		" %7" PRId64 " %10s %10s %8s\033[K\n",
		name, tally->in + (uint64_t)waiting, tally->released,
		tally->suppressed, tally->dropped, waiting, p50, p99, error);
}

static size_t rows_of(const struct live_view *view)
{
	size_t n = session_arm(view->session)->n_channels;

	return n + (view->tallies[n].in != 0);
}

/* As many rows as the terminal has room for. */
static size_t rows_shown(const struct live_view *view, unsigned messages)
{
	size_t n = rows_of(view);
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ||
	    size.ws_row < 5 + messages)
		return n;
	if (n > (size_t)size.ws_row - 4 - messages)
		n = (size_t)size.ws_row - 4 - messages;
	return n;
}

static void draw(FILE *to, const struct live_view *view)
{
	const struct arm *arm = session_arm(view->session);
	unsigned shown =
		table.n_messages < MESSAGES ? table.n_messages : MESSAGES;
	size_t n = rows_shown(view, shown);

	/* long lines are cut, not wrapped: wrapped ones cannot be counted */
	fprintf(to, "\033[?7l");
	if (table.lines)
		fprintf(to, "\033[%dA", table.lines);
	fprintf(to, "%s  trial %s  %" PRId64 " s\033[K\n",
		*arm->general.name ? arm->general.name : arm->file,
		session_trial(view->session), view->now / NSEC_PER_S);
	fprintf(to, "%-24s %9s %9s %9s %8s %7s %10s %10s %8s\033[K\n",
		"channel", "in", "released", "suppr.", "dropped", "queued",
		"p50 ms", "p99 ms", "err p99");
	for (size_t i = 0; i < n; i++)
		print_row(to, view, i);
	fprintf(to,
		"kernel drops %" PRIu64 "  refused %" PRIu64
		"  ICMP errors %" PRIu64 "  rows lost %" PRIu64 "\033[K\n",
		view->counts.kernel_drops, view->counts.refused,
		view->counts.icmp_errors, view->lost);
	for (unsigned i = 0; i < shown; i++)
		fprintf(to, "%.*s\033[K\n", MESSAGE_SIZE - 1,
			table.message[(table.n_messages - shown + i) %
				      MESSAGES]);
	fprintf(to, "\033[J");
	fprintf(to, "\033[?7h");
	table.lines = (int)(n + 3 + shown);
}

static void print_line(FILE *to, const struct live_view *view)
{
	fprintf(to, "%" PRId64 " s", view->now / NSEC_PER_S);
	for (size_t i = 0; i < rows_of(view); i++) {
		const struct tally *tally = &view->tallies[i];
		char name[64], p50[32], p99[32], error[32];
		int64_t waiting = queued(view, i);

		name_of(view, i, name, sizeof(name));
		print_ms(p50, sizeof(p50),
			 histogram_quantile(&tally->delay, 0.5));
		print_ms(p99, sizeof(p99),
			 histogram_quantile(&tally->delay, 0.99));
		print_ms(error, sizeof(error),
			 histogram_quantile(&tally->error, 0.99));
		fprintf(to,
			"; %s: in %" PRIu64 " released %" PRIu64
			" suppressed %" PRIu64 " dropped %" PRIu64
			" queued %" PRId64
			" delay p50 %s p99 %s ms error p99 %s ms",
			name, tally->in + (uint64_t)waiting, tally->released,
			tally->suppressed, tally->dropped, waiting, p50, p99,
			error);
	}
	if (view->counts.kernel_drops || view->counts.refused || view->lost)
		fprintf(to,
			"; kernel drops %" PRIu64 " refused %" PRIu64
			" rows lost %" PRIu64,
			view->counts.kernel_drops, view->counts.refused,
			view->lost);
	fprintf(to, "\n");
}

/* The table or the line as text, for the caller to free; NULL if there is no
 * memory for it.
 */
static char *text_of(const struct live_view *view, size_t *size)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, size);

	if (!to)
		return NULL;
	if (table.cut)
		fprintf(to, "\n");
	if (table.terminal)
		draw(to, view);
	else
		print_line(to, view);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

void table_show(const struct live_view *view)
{
	size_t size;
	char *text = text_of(view, &size);

	if (text)
		table.cut = !log_write(STDOUT_FILENO, text, size);
	if (table.cut)
		table_apart();
	free(text);
}

void table_end(const struct live_view *view, FILE *to)
{
	size_t size;
	char *text = text_of(view, &size);

	if (text)
		fwrite(text, 1, size, to);
	free(text);
	log_sink(NULL, NULL);
}
