/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * live_vehicle.c - say what the vehicle model refused
 *
 * Floor: edge.
 */
#include "edge/live_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "vehicle/model.h"

/* "; it takes {"vx","vy","wz"} or {"left","right"}" */
static void print_taken(char *text, size_t size, const struct arm *arm)
{
	const struct model *model =
		model_get((enum model_kind)arm->vehicle.settings.model);
	const char *between = "; it takes ";
	size_t at = 0;

	text[0] = '\0';
	for (int kind = COMMAND_TWIST; kind <= COMMAND_DELTA; kind++) {
		if (!(model->accepts & 1u << kind) || at >= size)
			continue;
		at += (size_t)snprintf(text + at, size - at, "%s%s", between,
				       command_keys((enum command_kind)kind));
		between = " or ";
	}
}

static uint64_t refused(const struct vehicle_counts *counts)
{
	uint64_t n = counts->overflow;

	for (int i = 0; i < REJECTS; i++)
		n += counts->rejected[i];
	return n;
}

/* "type 3, not-finite 1" */
static void print_refused(char *text, size_t size,
			  const struct vehicle_counts *counts)
{
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i <= REJECTS && at < size; i++) {
		uint64_t n =
			i < REJECTS ? counts->rejected[i] : counts->overflow;

		if (n)
			at += (size_t)snprintf(
				text + at, size - at, "%s%s %" PRIu64,
				at ? ", " : "",
				i < REJECTS
					? command_reason((enum command_reject)i)
					: "queue-full",
				n);
	}
}

void live_tell_refused(struct live *live, bool last)
{
	const struct vehicle *vehicle = session_vehicle(live->session);
	const struct arm *arm = live->plan->arm;
	const struct vehicle_counts *counts;
	int64_t now = loop_clock();
	char why[192], taken[160] = "";

	if (!vehicle)
		return;
	counts = vehicle_counts(vehicle);
	if (refused(counts) == live->refused ||
	    (!last && live->refused && now - live->refused_at < NSEC_PER_S))
		return;
	live->refused = refused(counts);
	live->refused_at = now;
	print_refused(why, sizeof(why), counts);
	if (counts->rejected[REJECT_TYPE])
		print_taken(taken, sizeof(taken), arm);
	log_say("the vehicle model %s refused commands so far: %s%s",
		model_get((enum model_kind)arm->vehicle.settings.model)->name,
		why, taken);
	live_event(live, "commands-refused", why);
}
