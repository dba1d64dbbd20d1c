/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * drive.h - an operator that sends commands by the clock
 *
 * Floor: edge.
 */
#ifndef EDGE_DRIVE_H
#define EDGE_DRIVE_H

#include "core/address.h"
#include "core/err.h"
#include "vehicle/script.h"

/* Where the commands come from. */
enum drive_by { DRIVE_SCRIPT, DRIVE_KEYBOARD, DRIVE_GAMEPAD };

/**
 * struct drive_plan - What is driven, and how
 * @to:		Where commands go
 * @by:		Where they come from
 * @settings:	Rate, what is sent while idle, stops
 * @script:	Text of the script, @script_size bytes
 * @script_name: Its name, for faults
 * @device:	Device of the gamepad, or NULL
 * @speed:	Of a key or a stick at its end, m/s
 * @turn:	Likewise, rad/s
 */
struct drive_plan {
	union address to;
	enum drive_by by;
	struct script_settings settings;
	const char *script, *script_name, *device;
	size_t script_size;
	double speed, turn;
};

/**
 * struct drive_end - What was sent
 * @sent:	Datagrams that left
 * @errors:	Datagrams that could not
 */
struct drive_end {
	uint64_t sent, errors;
};

/**
 * drive_run() - Drive until the script is over, or somebody stops it
 * @plan:	What is driven
 * @end:	Filled with what was sent
 * @err:	Told why it could not
 *
 * The stops at the end are sent also on SIGINT, SIGTERM and SIGHUP.
 *
 * Return: 0, or -1 with @err told.
 */
int drive_run(const struct drive_plan *plan, struct drive_end *end,
	      struct err *err);

#endif /* EDGE_DRIVE_H */
