/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * guard.c - a process that stops the robot if the proxy dies
 *
 * Floor: edge.
 */
#include "edge/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "edge/loop.h"
#include "edge/privilege.h"
#include "edge/sandbox.h"

/* What the proxy tells its guard. */
struct word {
	enum { WORD_FAREWELL = 1, WORD_ROBOT, WORD_START } kind;
	int64_t start;
	union address to;
};

struct guard {
	pid_t pid;
	int line;
};

/* A row behind those of the proxy, whose last one may be cut. */
static void write_event(const struct guard_plan *plan)
{
	char row[160], last = '\n';
	int fd = open(plan->events, O_RDWR | O_APPEND | O_CLOEXEC);
	off_t size;
	int n;

	if (fd < 0)
		return;
	size = lseek(fd, 0, SEEK_END);
	if (size > 0)
		(void)!pread(fd, &last, 1, size - 1);
	n = snprintf(row, sizeof(row),
		     "%s%" PRId64 ",guard-stop,%u stops: the proxy died\n",
		     last == '\n' ? "" : "\n", loop_clock() - plan->start,
		     plan->count);
	(void)!write(fd, row, (size_t)n);
	close(fd);
}

static void send_stops(const struct guard_plan *plan)
{
	for (unsigned i = 0; i < plan->count; i++) {
		/* an error of an earlier datagram is cleared by telling it */
		for (int tries = 0; tries < 4; tries++)
			if (sendto(plan->fd, plan->stop, strlen(plan->stop), 0,
				   &plan->to.any, address_size(&plan->to)) >= 0)
				break;
	}
}

/* Close all but the two that the guard lives by. */
static void close_others(int line, int fd)
{
	for (int i = 0; i < 3; i++)
		if (i != line && i != fd)
			close(i);
	for (unsigned i = 3, most = (unsigned)sysconf(_SC_OPEN_MAX);
	     i < most && i < 65536; i++)
		if ((int)i != line && (int)i != fd)
			close((int)i);
}

/* Listen until the proxy takes its leave; false if it dies instead. */
static bool listen_to(struct guard_plan *plan, int line)
{
	struct word word;
	ssize_t n;

	for (;;) {
		n = recv(line, &word, sizeof(word), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)sizeof(word))
			return false;
		if (word.kind == WORD_FAREWELL)
			return true;
		if (word.kind == WORD_ROBOT)
			plan->to = word.to;
		else
			plan->start = word.start;
	}
}

static _Noreturn void be_guard(const struct guard_plan *as, int line)
{
	struct guard_plan plan = *as;

	/* it must outlive what ends the proxy, a key at the terminal too */
	(void)setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_NAME, "farlink-guard");
	close_others(line, plan.fd);
	(void)privilege_keep(PRIVILEGE_NONE);
	(void)sandbox_enter(SANDBOX_GUARD);
	if (!listen_to(&plan, line)) {
		send_stops(&plan);
		if (plan.events)
			write_event(&plan);
	}
	_exit(0);
}

struct guard *guard_start(const struct guard_plan *plan, struct err *err)
{
	struct guard *guard = calloc(1, sizeof(*guard));
	int line[2];

	if (!guard)
		abort();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line)) {
		err_add_machine(err, "no line to a guard process: %s",
				strerror(errno));
		free(guard);
		return NULL;
	}
	guard->pid = fork();
	if (!guard->pid) {
		close(line[0]);
		be_guard(plan, line[1]);
	}
	close(line[1]);
	guard->line = line[0];
	if (guard->pid > 0)
		return guard;
	err_add_machine(err, "no guard process can be started: %s",
			strerror(errno));
	close(guard->line);
	free(guard);
	return NULL;
}

int guard_fd(const struct guard *guard)
{
	return guard->line;
}

static void tell(struct guard *guard, const struct word *word)
{
	if (guard)
		(void)!send(guard->line, word, sizeof(*word),
			    MSG_NOSIGNAL | MSG_DONTWAIT);
}

void guard_send_to(struct guard *guard, const union address *to)
{
	const struct word word = { .kind = WORD_ROBOT, .to = *to };

	tell(guard, &word);
}

void guard_start_at(struct guard *guard, int64_t start)
{
	const struct word word = { .kind = WORD_START, .start = start };

	tell(guard, &word);
}

void guard_end(struct guard *guard)
{
	const struct word word = { .kind = WORD_FAREWELL };

	if (!guard)
		return;
	tell(guard, &word);
	close(guard->line);
	(void)waitpid(guard->pid, NULL, 0);
	free(guard);
}
