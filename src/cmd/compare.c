/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * compare.c - is what was recorded of a packet what its arm makes of it?
 *
 * Floor: roof.
 */
#include "cmd/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "edge/row.h"

/* A stop first sends what is due; a machine may be this late with it. */
#define STOP_SLACK NSEC_PER_S

/* "released, due 217000000", "suppressed by wifi" */
static void say(char *text, size_t size, enum fate fate, const char *by,
		nsec due)
{
	size_t n;

	snprintf(text, size, "%s%s%s", fate_name(fate), *by ? " by " : "", by);
	n = strlen(text);
	if (due != NSEC_NEVER)
		snprintf(text + n, size - n, ", due %" PRId64, due);
}

static int differ(const struct kept *kept, const struct packet *packet,
		  struct err *err)
{
	char was[256], is[256];

	say(was, sizeof(was), (enum fate)kept->fate, kept->by, kept->due);
	say(is, sizeof(is), (enum fate)packet->fate, packet->by, packet->due);
	return err_add(err, "recorded %s; re-derived %s", was, is);
}

/* A packet that a stop or a reset took: it must have been inside still. */
static int compare_stopped(const struct kept *kept, const struct packet *packet,
			   nsec stopped, struct err *err)
{
	if (kept->due != NSEC_NEVER &&
	    (packet->fate != FATE_RELEASED || packet->due != kept->due))
		return differ(kept, packet, err);
	if (packet->fate == FATE_RELEASED && stopped != NSEC_NEVER &&
	    packet->due < stopped - STOP_SLACK)
		return err_add(err,
			       "recorded dropped by %s at %" PRId64
			       "; re-derived released, due %" PRId64
			       ", long before",
			       kept->by, stopped, packet->due);
	return 0;
}

static int compare_drop(const struct kept *kept, const struct packet *packet,
			nsec stopped, struct err *err)
{
	if (!strcmp(kept->by, "shutdown") || !strcmp(kept->by, "reset"))
		return compare_stopped(kept, packet, stopped, err);
	if (!strcmp(kept->by, "send")) {
		if (packet->fate == FATE_RELEASED && packet->due == kept->due)
			return 0;
		return differ(kept, packet, err);
	}
	if (packet->fate != FATE_DROPPED || strcmp(packet->by, kept->by) != 0 ||
	    packet->due != kept->due)
		return differ(kept, packet, err);
	return 0;
}

int compare_packet(const struct kept *kept, const struct packet *packet,
		   nsec stopped, struct err *err)
{
	if (packet->ingress != kept->ingress)
		return err_add(err,
			       "recorded ingress %" PRId64
			       "; but by then its channel had acted up to "
			       "%" PRId64,
			       kept->ingress, packet->ingress);
	if (kept->fate == FATE_DROPPED)
		return compare_drop(kept, packet, stopped, err);
	if (packet->fate != kept->fate || packet->due != kept->due ||
	    strcmp(packet->by, kept->by) != 0)
		return differ(kept, packet, err);
	if (kept->fate != FATE_RELEASED)
		return 0;
	if (kept->released == NSEC_NEVER)
		return err_add(err, "recorded released, but without the time "
				    "at which it left");
	if (kept->released < kept->due)
		return err_add(err,
			       "recorded released at %" PRId64
			       ", before it was due at %" PRId64,
			       kept->released, kept->due);
	return 0;
}
