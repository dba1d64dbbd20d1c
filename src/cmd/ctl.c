/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ctl.c - farlink ctl: steer a run that goes on
 *
 * Floor: roof.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "edge/control_client.h"
#include "edge/member.h"
#include "session/order.h"

static const struct option long_options[] = {
	{ "socket", required_argument, NULL, 's' },
	{ "json", no_argument, NULL, 'j' },
	{ 0 },
};

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = member_get_text(object, key);

	return text ? text : "";
}

/* "limit 3, loss 5" */
static void print_by(const json_t *by)
{
	json_t *object = (json_t *)(uintptr_t)by; /* it is only read */
	const char *between = "  ";

	for (void *at = json_object_iter(object); at;
	     at = json_object_iter_next(object, at)) {
		printf("%s%s %" JSON_INTEGER_FORMAT, between,
		       json_object_iter_key(at),
		       json_integer_value(json_object_iter_value(at)));
		between = ", ";
	}
	putchar('\n');
}

static void print_status(const json_t *status)
{
	const json_t *arm = json_object_get(status, "arm");
	const json_t *trial = json_object_get(status, "trial");
	const json_t *channels = json_object_get(status, "channels");

	printf("arm       %s (%s)\n", text_at(arm, "name"),
	       text_at(arm, "file"));
	printf("trial     %s%s, %" JSON_INTEGER_FORMAT " s, seed "
	       "%" JSON_INTEGER_FORMAT "\n",
	       json_is_true(json_object_get(trial, "between"))
		       ? "none is running: "
		       : "",
	       text_at(trial, "id"),
	       member_get_number(trial, "time_ns") / NSEC_PER_S,
	       member_get_number(trial, "seed"));
	printf("robot     %s\nheadset   %s\nrecord    %s\n",
	       text_at(status, "robot"),
	       *text_at(status, "headset") ? text_at(status, "headset")
					   : "not known yet",
	       *text_at(status, "record") ? text_at(status, "record") : "none");
	printf("lost      %" JSON_INTEGER_FORMAT
	       " by the kernel, %" JSON_INTEGER_FORMAT
	       " refused, %" JSON_INTEGER_FORMAT " rows\n\n",
	       member_get_number(status, "kernel_drops"),
	       member_get_number(status, "refused"),
	       member_get_number(status, "rows_lost"));
	printf("%-24s %9s %9s %9s %9s %8s\n", "channel", "in", "released",
	       "suppr.", "dropped", "queued");
	for (size_t i = 0; i < json_array_size(channels); i++) {
		const json_t *channel = json_array_get(channels, i);
		char name[64];

		snprintf(name, sizeof(name), "%s %s",
			 text_at(channel, "direction"),
			 text_at(channel, "stream"));
		if (!*text_at(channel, "direction")) {
			if (!member_get_number(channel, "in"))
				continue;
			snprintf(name, sizeof(name), "(no channel)");
		}
		printf("%-24.24s %9" JSON_INTEGER_FORMAT
		       " %9" JSON_INTEGER_FORMAT " %9" JSON_INTEGER_FORMAT
		       " %9" JSON_INTEGER_FORMAT " %8" JSON_INTEGER_FORMAT,
		       name, member_get_number(channel, "in"),
		       member_get_number(channel, "released"),
		       member_get_number(channel, "suppressed"),
		       member_get_number(channel, "dropped"),
		       member_get_number(channel, "queued"));
		print_by(json_object_get(channel, "by"));
	}
}

static void print_pending(const json_t *pending)
{
	const json_t *list = json_object_get(pending, "packets");
	json_int_t now = member_get_number(pending, "time_ns");

	printf("%-24s %9s %7s %12s %12s %7s\n", "channel", "id", "bytes",
	       "entered s", "due in ms", "stage");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *packet = json_array_get(list, i);
		char name[64];

		snprintf(name, sizeof(name), "%s %s",
			 text_at(packet, "direction"),
			 text_at(packet, "stream"));
		printf("%-24.24s %9" JSON_INTEGER_FORMAT
		       " %7" JSON_INTEGER_FORMAT " %12.6f %12.3f "
		       "%3" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT "\n",
		       name, member_get_number(packet, "id"),
		       member_get_number(packet, "size"),
		       (double)member_get_number(packet, "ingress_ns") / 1e9,
		       (double)(member_get_number(packet, "due_ns") - now) /
			       1e6,
		       member_get_number(packet, "stage"),
		       member_get_number(packet, "stages"));
	}
	printf("%" JSON_INTEGER_FORMAT " wait in all, %zu are shown\n",
	       member_get_number(pending, "waiting"), json_array_size(list));
}

static int print_reply(const json_t *reply, bool as_json, struct err *err)
{
	const json_t *errors = json_object_get(reply, "error");
	const json_t *orders = json_object_get(reply, "orders");
	bool done = json_is_true(json_object_get(reply, "ok"));

	if (as_json) {
		json_dumpf(reply, stdout, JSON_INDENT(2));
		putchar('\n');
		return done ? CMD_DONE : CMD_USAGE;
	}
	for (size_t i = 0; i < json_array_size(errors); i++)
		err_add(err, "%s",
			json_string_value(json_array_get(errors, i)));
	if (!done)
		return CMD_USAGE;
	if (json_object_get(reply, "status"))
		print_status(json_object_get(reply, "status"));
	else if (json_object_get(reply, "pending"))
		print_pending(json_object_get(reply, "pending"));
	else if (*text_at(reply, "said"))
		printf("%s\n", text_at(reply, "said"));
	for (size_t i = 0; i < json_array_size(orders); i++)
		printf("%s\n", json_string_value(json_array_get(orders, i)));
	return CMD_DONE;
}

/* The line that the words make; the run has another folder than we have. */
static size_t make_line(char **words, int n, char *line, char *path,
			struct err *err)
{
	const char *with[ORDER_WORDS];
	size_t len;

	for (int i = 0; i < n && i < ORDER_WORDS; i++)
		with[i] = words[i];
	if (n > 1 && !strcmp(words[0], "arm")) {
		if (!realpath(words[1], path)) {
			err_add(err, "%s: %s; name an arm file", words[1],
				strerror(errno));
			return 0;
		}
		with[1] = path;
	}
	len = n > ORDER_WORDS
		      ? 0
		      : order_print(with, (size_t)n, line, ORDER_LINE - 2);
	if (!len)
		err_add(err, "that is too long for an order");
	return len;
}

/* Words of a mark are one text. */
static int join_mark(char **words, int n, char *text, size_t size)
{
	size_t at = 0;

	if (n < 3 || strcmp(words[0], "mark") != 0)
		return n;
	for (int i = 1; i < n && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s",
				       i > 1 ? " " : "", words[i]);
	words[1] = text;
	return 2;
}

int cmd_ctl(int argc, char **argv)
{
	static char line[ORDER_LINE], mark[ORDER_LINE / 4], path[PATH_MAX];
	struct err err = { 0 };
	const char *named = NULL;
	bool as_json = false;
	json_t *reply = NULL;
	int option, n, status = CMD_DONE;
	size_t len;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) !=
	       -1) {
		if (option == 's')
			named = optarg;
		else if (option == 'j')
			as_json = true;
		else
			return cmd_usage("ctl", NULL);
	}
	if (optind == argc)
		return cmd_usage("ctl", "say what to do");
	n = join_mark(argv + optind, argc - optind, mark, sizeof(mark));
	len = make_line(argv + optind, n, line, path, &err);
	if (!len)
		return cmd_tell(&err);
	line[len++] = '\n';
	reply = control_ask(named, line, len, &err);
	if (reply)
		status = print_reply(reply, as_json, &err);
	json_decref(reply);
	if (err.n)
		status = cmd_tell(&err);
	return status;
}
