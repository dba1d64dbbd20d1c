/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * version.c - farlink --version: the program, its build, libraries, features
 *
 * Floor: roof.
 *
 * The first line is "farlink VERSION" and nothing else, for scripts.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "edge/libraries.h"

#ifndef FARLINK_VERSION
#define FARLINK_VERSION "unknown"
#endif
#ifndef FARLINK_SANITIZERS
#define FARLINK_SANITIZERS ""
#endif

#if defined(__clang__)
#define COMPILER "" /* it says "Clang" itself */
#elif defined(__GNUC__)
#define COMPILER "gcc "
#else
#define COMPILER    "unknown"
#define __VERSION__ ""
#endif

#ifdef HAVE_LIBEVDEV
#define GAMEPAD "yes"
#else
#define GAMEPAD "no"
#endif
#ifdef HAVE_SECCOMP
#define SANDBOX "yes"
#else
#define SANDBOX "no"
#endif

/* Some tell no more than the beginning of their version. */
static bool begins(const char *version, const char *beginning)
{
	size_t n = strlen(beginning);

	return !strncmp(version, beginning, n) &&
	       (version[n] == '\0' || version[n] == '.');
}

static void print_library(const struct library *library)
{
	if (!*library->running)
		printf("%-12s%s when built\n", library->name, library->built);
	else if (begins(library->built, library->running) ||
		 !strcmp(library->built, "unknown"))
		printf("%-12s%s\n", library->name, library->running);
	else
		printf("%-12s%s (%s when built)\n", library->name,
		       library->running, library->built);
}

int cmd_version(void)
{
	struct library list[LIBRARIES_MAX];
	size_t n = libraries_get(list);
	const char *sanitizers = FARLINK_SANITIZERS;

	printf("farlink %s\n", FARLINK_VERSION);
	printf("%-12s%s\n", "revision", cmd_revision);
	printf("%-12s%s\n", "compiler", COMPILER __VERSION__);
	printf("%-12s%s\n", "gamepad", GAMEPAD);
	printf("%-12s%s\n", "sandbox", SANDBOX);
	printf("%-12s%s\n", "sanitizers", *sanitizers ? sanitizers : "none");
	for (size_t i = 0; i < n; i++)
		print_library(&list[i]);
	return CMD_DONE;
}
