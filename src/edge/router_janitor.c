/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_janitor.c - a process that clears up if the proxy dies
 *
 * Floor: edge.
 */
#include "edge/router_janitor.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "edge/privilege.h"
#include "edge/router_netlink.h"
#include "edge/sandbox.h"

#define FAREWELL 'q'

struct janitor {
	pid_t pid;
	int line;
};

static _Noreturn void be_janitor(uint32_t table, int line)
{
	struct netlink *netlink;
	char word = 0;
	ssize_t n;

	/* it must outlive what ends the proxy, a key at the terminal too */
	(void)setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_NAME, "farlink-janitor");
	/* the ruleset lives as long as anybody has its socket */
	if (line)
		close_range(0, (unsigned)line - 1, 0);
	close_range((unsigned)line + 1, UINT_MAX, 0);
	(void)privilege_keep(PRIVILEGE_ROUTES);
	(void)sandbox_enter(SANDBOX_JANITOR);
	do
		n = read(line, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n <= 0 || word != FAREWELL) {
		netlink = netlink_open(NULL);
		if (netlink)
			(void)netlink_undo(netlink, table);
	}
	_exit(0);
}

struct janitor *janitor_start(uint32_t table, struct err *err)
{
	struct janitor *janitor = calloc(1, sizeof(*janitor));
	int line[2];

	if (!janitor)
		abort();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line)) {
		err_add_machine(err, "no line to a process that clears up: %s",
				strerror(errno));
		free(janitor);
		return NULL;
	}
	janitor->pid = fork();
	if (!janitor->pid)
		be_janitor(table, line[1]);
	close(line[1]);
	janitor->line = line[0];
	if (janitor->pid > 0)
		return janitor;
	err_add_machine(err, "no process that clears up can be started: %s",
			strerror(errno));
	close(janitor->line);
	free(janitor);
	return NULL;
}

void janitor_end(struct janitor *janitor)
{
	const char word = FAREWELL;

	if (!janitor)
		return;
	(void)!send(janitor->line, &word, 1, MSG_NOSIGNAL);
	close(janitor->line);
	(void)waitpid(janitor->pid, NULL, 0);
	free(janitor);
}
