/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * table.c - what a run shows while it goes on
 *
 * Floor: roof.
 *
 * On a terminal a table is drawn over itself once a second, with the latest
 * messages below it; elsewhere there is one line a second.
 */
#include "cmd/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "edge/log.h"

#define MESSAGES     6
#define MESSAGE_SIZE 160

static struct {
	bool terminal;
	int lines; /* drawn the last time */
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
	if (table.terminal)
		log_sink(keep_message, NULL);
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
	return channel_load(session_channel(view->session, (uint16_t)i))
		.packets;
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

static void print_row(const struct live_view *view, size_t i)
{
	const struct tally *tally = &view->tallies[i];
	char name[64], p50[32], p99[32], error[32];
	int64_t waiting = queued(view, i);

	name_of(view, i, name, sizeof(name));
	print_ms(p50, sizeof(p50), histogram_quantile(&tally->delay, 0.5));
	print_ms(p99, sizeof(p99), histogram_quantile(&tally->delay, 0.99));
	print_ms(error, sizeof(error), histogram_quantile(&tally->error, 0.99));
	printf("%-24.24s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64
	       " %7" PRId64 " %10s %10s %8s\033[K\n",
	       name, tally->in + (uint64_t)waiting, tally->released,
	       tally->suppressed, tally->dropped, waiting, p50, p99, error);
}

static size_t rows_of(const struct live_view *view)
{
	size_t n = session_arm(view->session)->n_channels;

	return n + (view->tallies[n].in != 0);
}

static void draw(const struct live_view *view)
{
	const struct arm *arm = session_arm(view->session);
	unsigned shown =
		table.n_messages < MESSAGES ? table.n_messages : MESSAGES;

	if (table.lines)
		printf("\033[%dA", table.lines);
	printf("%s  trial %s  %" PRId64 " s\033[K\n",
	       *arm->general.name ? arm->general.name : arm->file,
	       session_trial(view->session), view->now / NSEC_PER_S);
	printf("%-24s %9s %9s %9s %8s %7s %10s %10s %8s\033[K\n", "channel",
	       "in", "released", "suppr.", "dropped", "queued", "p50 ms",
	       "p99 ms", "err p99");
	for (size_t i = 0; i < rows_of(view); i++)
		print_row(view, i);
	printf("kernel drops %" PRIu64 "  refused %" PRIu64
	       "  ICMP errors %" PRIu64 "  rows lost %" PRIu64 "\033[K\n",
	       view->counts.kernel_drops, view->counts.refused,
	       view->counts.icmp_errors, view->lost);
	for (unsigned i = 0; i < shown; i++)
		printf("%.*s\033[K\n", MESSAGE_SIZE - 1,
		       table.message[(table.n_messages - shown + i) %
				     MESSAGES]);
	printf("\033[J");
	table.lines = (int)(rows_of(view) + 3 + shown);
}

static void print_line(const struct live_view *view)
{
	printf("%" PRId64 " s", view->now / NSEC_PER_S);
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
		printf("; %s: in %" PRIu64 " released %" PRIu64
		       " suppressed %" PRIu64 " dropped %" PRIu64
		       " queued %" PRId64
		       " delay p50 %s p99 %s ms error p99 %s ms",
		       name, tally->in + (uint64_t)waiting, tally->released,
		       tally->suppressed, tally->dropped, waiting, p50, p99,
		       error);
	}
	if (view->counts.kernel_drops || view->counts.refused || view->lost)
		printf("; kernel drops %" PRIu64 " refused %" PRIu64
		       " rows lost %" PRIu64,
		       view->counts.kernel_drops, view->counts.refused,
		       view->lost);
	printf("\n");
}

void table_show(const struct live_view *view)
{
	if (table.terminal)
		draw(view);
	else
		print_line(view);
	fflush(stdout);
}

void table_end(const struct live_view *view)
{
	table_show(view);
	log_sink(NULL, NULL);
}
