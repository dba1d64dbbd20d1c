/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * simulation.h - what the files of farlink simulate share
 *
 * Floor: roof.
 */
#ifndef CMD_SIMULATION_H
#define CMD_SIMULATION_H

#include <stdio.h>

#include "core/tally.h"
#include "edge/path.h"
#include "edge/record.h"
#include "edge/row.h"
#include "edge/source.h"

#define SETS_MAX 64
#define TRIAL	 "1"

struct options {
	const char *file, *schedule, *capture, *drive, *folder, *output;
	const char *sets[SETS_MAX];
	size_t n_sets;
	nsec duration;
	bool csv;
};

/**
 * struct simulation - What is going on
 * @rows:	Where rows go as CSV, or NULL
 * @output:	Capture of what is released, or NULL
 * @piece:	Room for a row, or a captured packet
 * @path:	Where the vehicle went, or NULL
 * @start:	Trial time 0, ns since 1970
 * @end:	When the last thing happened
 */
struct simulation {
	const struct options *options;
	const struct arm *arm;
	struct session *session;
	struct source *source;
	struct record *record;
	struct tally *tallies;
	FILE *rows, *output;
	char piece[SAVEFILE_RECORD + 65536 + ROW_ROOM];
	struct path *path;
	int64_t start;
	nsec end;
};

/**
 * simulation_take_until() - Take and settle all that is due
 * @simulation:	Simulation
 * @now:	By then
 */
void simulation_take_until(struct simulation *simulation, nsec now);

/**
 * simulation_stop() - Begin the end: what waits goes by each channel's policy
 * @simulation:	Simulation
 * @now:	When
 * @why:	For the record
 */
void simulation_stop(struct simulation *simulation, nsec now, const char *why);

/**
 * simulation_open_drive() - Put a vehicle and an operator into the session
 * @simulation:	Simulation with a session
 * @err:	Told what is wrong with the script
 *
 * Return: 0, or -1 with @err told.
 */
int simulation_open_drive(struct simulation *simulation, struct err *err);

/**
 * simulation_drive() - Let the operator drive, to the end
 * @simulation:	Simulation
 */
void simulation_drive(struct simulation *simulation);

#endif /* CMD_SIMULATION_H */
