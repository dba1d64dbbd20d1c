/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sandbox.h - only the system calls that are still needed
 *
 * Floor: edge.
 */
#ifndef EDGE_SANDBOX_H
#define EDGE_SANDBOX_H

/* Who goes on to live in it; each is a bit of the lists. */
enum sandbox {
	SANDBOX_NONE = 0,    /* nobody: all calls stay */
	SANDBOX_RELAY = 1,   /* a run between sockets of its own */
	SANDBOX_ROUTER = 2,  /* a run that also changes rules and routes */
	SANDBOX_GUARD = 4,   /* who sends the stops */
	SANDBOX_JANITOR = 8, /* who removes routing rules */
};

/**
 * sandbox_switch_off() - No sandbox in this process and its children
 */
void sandbox_switch_off(void);

/**
 * sandbox_enter() - Give up all system calls but those of the list
 * @sandbox:	Who goes on
 *
 * It holds for all threads of the process and for what it may start; there is
 * no way back.  A call that is not listed ends the process by SIGSYS, after a
 * message if stderr is open.
 *
 * Return: 0, also where nothing is to be done, or a positive errno if the
 * kernel does not take it: then all is as before.
 */
int sandbox_enter(enum sandbox sandbox);

#endif /* EDGE_SANDBOX_H */
