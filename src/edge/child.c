/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * child.c - another farlink, run to its end
 *
 * Floor: edge.
 *
 * How it works
 *
 * The signals are blocked and waited for, so that none is lost between two
 * looks.  What a terminal sends goes to the child too, being in the same group;
 * only what a process sent to us alone is passed on: a run that is told twice
 * ends without draining.
 */
#include "edge/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void fill(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

static _Noreturn void be_child(char *const *argv, pid_t parent,
			       const sigset_t *before)
{
	/* a run that nobody waits for would be nobody's trial */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	sigprocmask(SIG_SETMASK, before, NULL);
	execv("/proc/self/exe", argv);
	_exit(127);
}

static int wait_for(pid_t pid, const sigset_t *set)
{
	int status = 0;
	siginfo_t info;

	for (;;) {
		pid_t found = waitpid(pid, &status, WNOHANG);
		int number;

		if (found == pid || (found < 0 && errno != EINTR))
			break;
		number = sigwaitinfo(set, &info);
		if (number <= 0 || number == SIGCHLD)
			continue;
		if (info.si_code <= 0) /* from a process, to us */
			kill(pid, number == SIGINT ? SIGINT : SIGTERM);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

int child_run(char *const *argv, struct err *err)
{
	sigset_t set, before;
	pid_t pid, parent = getpid();
	int status = -1;

	/* an inherited "ignore" would reap it before us */
	signal(SIGCHLD, SIG_DFL);
	fill(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	pid = fork();
	if (!pid)
		be_child(argv, parent, &before);
	if (pid < 0)
		err_add_machine(err, "no process can be started: %s",
				strerror(errno));
	else
		status = wait_for(pid, &set);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
