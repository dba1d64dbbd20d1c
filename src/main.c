/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * main.c - the table of commands
 *
 * Floor: roof.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

static const struct subcommand commands[] = {
	{ "run", cmd_run,
	  "ARM [--loopback] [--drive SCRIPT] [--robot ADDRESS]\n"
	  "       [--record DIR] [--for TIME] [--set SECTION.KEY=VALUE]…\n"
	  "       [--trial ID|none] [--control PATH|off]\n"
	  "       [--dashboard ADDRESS:PORT|off]\n"
	  "       [--realtime[=PRIORITY]] [--lock-memory] [--cpu LIST] "
	  "[--spin TIME]\n"
	  "       [--no-sandbox]",
	  "put live traffic through an arm" },
	{ "check", cmd_check,
	  "ARM… [--live [--dry-run]] [--set SECTION.KEY=VALUE]…",
	  "say all that is wrong with an arm" },
	{ "describe", cmd_describe,
	  "ARM [--format text|markdown|json] [--every TIME] [--size SIZE]\n"
	  "       [--for TIME] [--set SECTION.KEY=VALUE]…",
	  "say what an arm does, for people and for papers" },
	{ "conditions", cmd_conditions,
	  "[NAME] [--sections [NAME]] [--format text|json|man]",
	  "list the conditions and their settings" },
	{ "simulate", cmd_simulate,
	  "ARM --schedule CSV | --pcap FILE | --drive SCRIPT\n"
	  "       [--record DIR] [--for TIME] [--csv] [--output FILE.pcap]\n"
	  "       [--set SECTION.KEY=VALUE]…",
	  "put a schedule, a capture or a drive through an arm, in virtual "
	  "time" },
	{ "drive", cmd_drive,
	  "HOST [--port 5002] --script CSV | --keyboard | --gamepad[=DEVICE]\n"
	  "       [--rate HZ] [--silent-when-idle] [--max-speed SPEED]\n"
	  "       [--max-turn SPEED]",
	  "send commands as the headset would, by a script or by hand" },
	{ "verify", cmd_verify, "DIR",
	  "re-derive a record and compare every packet" },
	{ "ctl", cmd_ctl,
	  "[--socket PATH] [--json] status | trial start [ID] | trial stop |\n"
	  "       mark TEXT | arm FILE | set SECTION.KEY VALUE… | pending "
	  "[STREAM] |\n"
	  "       robot ADDRESS | stop | help",
	  "steer a run that goes on" },
	{ "report", cmd_report, "DIR… [-o FILE.html] [--no-verify]",
	  "tell what records hold, as a page and as numbers" },
	{ "selftest", cmd_selftest, "ARM [--for TIME] [--record DIR]",
	  "tell whether this machine holds an arm's timing" },
	{ "study", cmd_study,
	  "[FILE] plan [--format text|csv|json]\n"
	  "       farlink study [FILE] status\n"
	  "       farlink study [FILE] next PARTICIPANT [--start [--loopback]\n"
	  "       [--for TIME] [--drive SCRIPT] [--robot ADDRESS]]\n"
	  "       [--start --ctl [--socket PATH]] [--changed]\n"
	  "       farlink study [FILE] done PARTICIPANT [--record DIR]\n"
	  "       [--ctl [--socket PATH]] [--why TEXT]\n"
	  "       farlink study [FILE] redo PARTICIPANT [TRIAL] --why TEXT\n"
	  "       [--ctl [--socket PATH]]",
	  "say, or start, what comes next in a study; FILE is study.ini" },
	{ "translate", cmd_translate,
	  "LINE… [--out FILE] [--direction uplink|downlink|both]",
	  "make an arm of a tc-netem, tbf or mahimahi line" },
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

int cmd_usage(const char *name, const char *why)
{
	if (why)
		fprintf(stderr, "farlink: %s: %s\n", name, why);
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			fprintf(stderr, "usage: farlink %s %s\n", name,
				commands[i].usage);
	return CMD_USAGE;
}

static void help(FILE *to)
{
	fprintf(to, "farlink makes a robot far away: a network impairment "
		    "proxy for teleoperation studies\n\n");
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(to, "  farlink %-10s %s\n", commands[i].name,
			commands[i].text);
	fprintf(to, "\nfarlink COMMAND --help tells the arguments; "
		    "man farlink and man farlink.ini tell the rest.\n");
}

/* A descriptor that was closed when we began must not become that of a socket
 * or a record, which would then be sent what we print.
 */
static void open_standard(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", O_RDWR);
}

/* An answer that could not be written is no success; that nobody wants to read
 * on is no failure.
 */
static int flushed(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (status != CMD_DONE || errno == EPIPE)
		return status;
	fprintf(stderr, "farlink: what it says cannot be written: %s\n",
		errno ? strerror(errno) : "see the disk");
	return CMD_FAILED;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	static char spoken[64];

	open_standard();
	/* numbers are read and written the same whatever the locale */
	setlocale(LC_ALL, "C");
	setlocale(LC_CTYPE, "");
	if (!strcmp(name, "--version") || !strcmp(name, "-V"))
		return flushed(cmd_version());
	if (!strcmp(name, "--help") || !strcmp(name, "-h") ||
	    !strcmp(name, "help")) {
		help(stdout);
		return CMD_DONE;
	}
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (strcmp(commands[i].name, name) != 0)
			continue;
		for (int a = 2; a < argc && strcmp(argv[a], "--") != 0; a++) {
			if (strcmp(argv[a], "--help") != 0)
				continue;
			printf("usage: farlink %s %s\n%s\n", name,
			       commands[i].usage, commands[i].text);
			return CMD_DONE;
		}
		/* getopt names who speaks */
		snprintf(spoken, sizeof(spoken), "farlink: %s", name);
		argv[1] = spoken;
		return flushed(commands[i].run(argc - 1, argv + 1));
	}
	if (*name)
		fprintf(stderr, "farlink: there is no command '%s'\n", name);
	help(stderr);
	return CMD_USAGE;
}
