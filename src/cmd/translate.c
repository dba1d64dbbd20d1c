/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate.c - farlink translate: make an arm of a line of another tool
 *
 * Floor: roof.
 */
#include "session/translate.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

#define WORDS_MAX 512
#define SPACES	  " \t\r\n"

/* Cut the arguments at spaces in place: a line may be quoted or not. */
static size_t cut(char **argv, const char **word, size_t room)
{
	size_t n = 0;

	for (; *argv; argv++) {
		char *at = *argv + strspn(*argv, SPACES);

		while (*at) {
			char *end = at + strcspn(at, SPACES);

			if (n == room)
				return room + 1;
			word[n++] = at;
			at = end + strspn(end, SPACES);
			*end = '\0';
		}
	}
	return n;
}

static int put_out(const struct translation *translation, const char *out)
{
	FILE *file = stdout;
	int status = CMD_DONE;

	if (out) {
		file = fopen(out, "wx"); /* never over another arm */
		if (!file) {
			fprintf(stderr, "farlink: %s: %s; name a new file\n",
				out, strerror(errno));
			return errno == EEXIST ? CMD_USAGE : CMD_FAILED;
		}
	}
	if (fputs(translation->arm, file) < 0 || fflush(file))
		status = CMD_FAILED;
	if (out && fclose(file))
		status = CMD_FAILED;
	if (status != CMD_DONE)
		fprintf(stderr, "farlink: %s: %s\n", out ? out : "stdout",
			strerror(errno));
	return status;
}

static bool read_direction(const char *text, enum translate_direction *as)
{
	static const char *const names[] = { "uplink", "downlink", "both" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(names[i], text)) {
			*as = (enum translate_direction)i;
			return true;
		}
	return false;
}

int cmd_translate(int argc, char **argv)
{
	static const struct option options[] = {
		{ "out", required_argument, NULL, 'o' },
		{ "direction", required_argument, NULL, 'd' },
		{ 0 },
	};
	const char *word[WORDS_MAX], *out = NULL;
	struct translate_ask ask = { .word = word };
	struct translation translation = { 0 };
	struct err err = { 0 };
	int option, status;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'o')
			out = optarg;
		else if (option != 'd')
			return cmd_usage("translate",
					 "put the line in quotes if it has "
					 "options of its own");
		else if (!read_direction(optarg, &ask.direction))
			return cmd_usage("translate",
					 "--direction is uplink, downlink or "
					 "both");
	}
	ask.n = cut(argv + optind, word, WORDS_MAX);
	if (!ask.n || ask.n > WORDS_MAX)
		return cmd_usage("translate",
				 ask.n ? "the line is too long"
				       : "give a line, such as 'delay 50ms "
					 "10ms loss 1%'");
	if (translate(&translation, &ask, &err) < 0) {
		status = cmd_tell(&err);
	} else {
		for (size_t i = 0; i < translation.notes.n; i++)
			fprintf(stderr, "farlink: note: %s\n",
				translation.notes.line[i]);
		status = put_out(&translation, out);
	}
	translation_fini(&translation);
	return status;
}
