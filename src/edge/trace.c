/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * trace.c - rows of vehicle.csv and operator.csv
 *
 * Floor: edge.
 */
#include "edge/trace.h"

#include <inttypes.h>
#include <stdio.h>

#include "edge/csv.h"

/* Numbers behind one another, each with a comma before it. */
static char *print_numbers(char *to, const double *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to += snprintf(to, 40, ",%.9f", value[i] + 0.0);
	return to;
}

size_t trace_print_step(char *to, const char *trial,
			const struct vehicle_row *row)
{
	const double values[] = {
		row->truth.x,	   row->truth.y,      row->truth.yaw,
		row->twist.vx,	   row->twist.vy,     row->twist.wz,
		row->odom.x,	   row->odom.y,	      row->odom.yaw,
		row->requested.vx, row->requested.vy, row->requested.wz,
		row->applied.vx,   row->applied.vy,   row->applied.wz,
	};
	char *at = to + csv_print(to, trial);

	at += snprintf(at, 32, ",%" PRId64, row->time);
	at = print_numbers(at, values, sizeof(values) / sizeof(values[0]));
	if (row->command_age >= 0)
		at += snprintf(at, 32, ",%" PRId64, row->command_age);
	else
		at += snprintf(at, 32, ",");
	at += snprintf(at, 8, ",%d\n", row->stalled);
	return (size_t)(at - to);
}

size_t trace_print_view(char *to, const char *trial, nsec now, nsec sampled,
			const struct pose *pose)
{
	const double values[] = { pose->x, pose->y, pose->yaw };
	char *at = to + csv_print(to, trial);

	at += snprintf(at, 32, ",%" PRId64, now);
	at = print_numbers(at, values, 3);
	at += snprintf(at, 64, ",%" PRId64 ",%" PRId64 "\n", sampled,
		       now - sampled);
	return (size_t)(at - to);
}
