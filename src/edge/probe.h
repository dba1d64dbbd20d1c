/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * probe.h - a local sender and receiver around a running arm
 *
 * Floor: edge.
 *
 * The sender stands for headset and robot at their addresses on this machine,
 * the receiver for the other side.  Both run in one thread of their own and
 * look at the arm from outside: what comes through, unchanged, and when.
 */
#ifndef EDGE_PROBE_H
#define EDGE_PROBE_H

#include "core/histogram.h"
#include "session/arm.h"

struct probe;

/**
 * struct probe_stream - What was seen of one channel from outside
 * @sent:	Datagrams sent into it
 * @received:	Datagrams that came out
 * @changed:	Of these, with other bytes than were sent
 * @delay:	From the call that sent it to the kernel's receive stamp
 */
struct probe_stream {
	uint64_t sent, received, changed;
	struct histogram delay;
};

/**
 * probe_new() - Open the receivers, and say how the arm must be changed so that
 *	it lies between sender and receivers
 * @arm:	Arm
 * @err:	Told what cannot be
 *
 * Return: the probe, or NULL.
 */
struct probe *probe_new(const struct arm *arm, struct err *err);

/**
 * probe_sets() - Changes "SECTION.KEY=VALUE" for the arm
 * @probe:	Probe
 * @n:		Set to how many there are
 *
 * Return: the changes, borrowed.
 */
const char *const *probe_sets(const struct probe *probe, size_t *n);

/**
 * probe_start() - Begin to send and to receive
 * @probe:	Probe; the changed arm is running now
 *
 * Return: false if there is no thread to be had.
 */
bool probe_start(struct probe *probe);

/**
 * probe_quiet() - Send nothing more, but go on receiving
 * @probe:	Probe
 */
void probe_quiet(struct probe *probe);

/**
 * probe_stop() - End; what is still under way is waited for shortly
 * @probe:	Probe
 */
void probe_stop(struct probe *probe);

/**
 * probe_stream() - What was seen of a channel, after probe_stop()
 * @probe:	Probe
 * @channel:	Place of the channel
 *
 * Return: what was seen, or NULL if nothing can be made that fits its match.
 */
const struct probe_stream *probe_stream(const struct probe *probe,
					uint16_t channel);

/**
 * probe_free() - Free a probe
 * @probe:	Probe, or NULL
 */
void probe_free(struct probe *probe);

#endif /* EDGE_PROBE_H */
