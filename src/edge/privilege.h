/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * privilege.h - only the capabilities that are still needed
 *
 * Floor: edge.
 *
 * Capabilities belong to a thread: each drops its own.
 */
#ifndef EDGE_PRIVILEGE_H
#define EDGE_PRIVILEGE_H

#include <stdbool.h>

/* What a thread or process goes on to do. */
enum privilege {
	PRIVILEGE_NONE,	  /* nothing that needs any */
	PRIVILEGE_ROUTES, /* remove routing rules */
	PRIVILEGE_DIVERT, /* change rules, send from any address and port */
};

/**
 * privilege_keep() - Drop all capabilities but those for what is to be done
 * @privilege:	What is to be done
 *
 * There is no way back.
 *
 * Return: false if they could not be dropped.
 */
bool privilege_keep(enum privilege privilege);

/**
 * privilege_is_enough() - Whether this process may divert packets
 *
 * Return: whether.
 */
bool privilege_is_enough(void);

#endif /* EDGE_PRIVILEGE_H */
