/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * compare.h - is what was recorded of a packet what its arm makes of it?
 *
 * Floor: roof.
 */
#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include "cmd/window.h"
#include "core/err.h"

/**
 * compare_packet() - Compare a row with the packet derived anew
 * @kept:	Row
 * @packet:	Packet as the session settled it
 * @stopped:	When the trial was stopped, or NSEC_NEVER: what a stop took
 *		cannot have been due long before
 * @err:	Told the difference: "recorded …, re-derived …"
 *
 * What a session cannot know is taken as it stands: that a send failed, or that
 * a stop or a reset took a packet that was still inside.
 *
 * Return: 0, or -1 with @err told.
 */
int compare_packet(const struct kept *kept, const struct packet *packet,
		   nsec stopped, struct err *err);

#endif /* CMD_COMPARE_H */
