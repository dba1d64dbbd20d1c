/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * cmd.h - the commands, and what they share
 *
 * Floor: roof.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdio.h>

#include "core/catalog.h"
#include "core/err.h"
#include "session/arm.h"

/* Exit statuses: done; the machine's fault or a failed verification; the
 * user's.
 */
enum { CMD_DONE = 0, CMD_FAILED = 1, CMD_USAGE = 2 };

/**
 * cmd_read_arm() - Read, check and report the faults of an arm file
 * @file:	Its name; "-" is standard input
 * @sets:	Changes "SECTION.KEY=VALUE"; @n_sets of them
 *
 * Faults and warnings are printed to stderr as "farlink: FILE:LINE: …".
 * Conditions that it loads stay loaded.
 *
 * Return: the arm, or NULL with *@status set to CMD_FAILED or CMD_USAGE.
 */
struct arm *cmd_read_arm(const char *file, const char *const *sets,
			 size_t n_sets, int *status);

/**
 * struct cmd_arm - The text of an arm, and what it is changed by
 * @file:	Name, for faults; files that the arm names are looked for in its
 *		folder
 * @text:	Text; @size bytes
 * @sets:	Changes "SECTION.KEY=VALUE"; @n_sets of them
 */
struct cmd_arm {
	const char *file, *text;
	size_t size;
	const char *const *sets;
	size_t n_sets;
};

/**
 * cmd_parse_arm() - An arm of a text
 * @from:	Text and changes
 * @err:	Told all faults; warnings are printed
 *
 * Return: the arm, or NULL with @err told.
 */
struct arm *cmd_parse_arm(const struct cmd_arm *from, struct err *err);

/**
 * cmd_tell() - Print faults to stderr, each as "farlink: …"
 * @err:	Faults; emptied
 *
 * Return: CMD_FAILED if one is the machine's, else CMD_USAGE; CMD_DONE if none.
 */
int cmd_tell(struct err *err);

/**
 * cmd_catalog() - The conditions there are, built-in and loaded
 *
 * Return: the catalog.
 */
struct catalog *cmd_catalog(void);

/**
 * struct subcommand - A row of the table in main.c
 * @name:	Word behind "farlink"
 * @run:	Its main; argv[0] is the word
 * @usage:	Arguments, for help
 * @text:	What it does
 */
struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage, *text;
};

/**
 * cmd_usage() - Print how a command is called
 * @name:	Its name
 * @why:	What was wrong, or NULL
 *
 * Return: CMD_USAGE.
 */
int cmd_usage(const char *name, const char *why);

/**
 * cmd_read_time() - Read the argument of --for, and say what is wrong with it
 * @text:	Argument
 * @time:	Set
 *
 * Return: 0, or -1.
 */
int cmd_read_time(const char *text, nsec *time);

/**
 * cmd_version() - Print the version, and what this farlink is built of
 *
 * Return: CMD_DONE.
 */
int cmd_version(void);

/* Commit that this is built from, or "unknown"; made by revision.sh. */
extern const char cmd_revision[];

int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_describe(int argc, char **argv);
int cmd_conditions(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_drive(int argc, char **argv);
int cmd_ctl(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_translate(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_study(int argc, char **argv);

#endif /* CMD_CMD_H */
