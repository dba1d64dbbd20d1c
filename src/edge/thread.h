/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * thread.h - threads beside that of the packets
 *
 * Floor: edge.
 */
#ifndef EDGE_THREAD_H
#define EDGE_THREAD_H

#include <pthread.h>

/**
 * thread_start() - Start a thread of the ordinary kind, whatever priority we
 *	have, that no signal interrupts but the sandbox's, which has a last word
 * @thread:	Set
 * @run:	What it does
 * @context:	Handed to @run
 *
 * Return: 0, or an error number.
 */
int thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif /* EDGE_THREAD_H */
