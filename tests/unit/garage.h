/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * garage.h - a vehicle with its settings written as in an arm, for tests
 *
 * Floor: tests.
 */
#ifndef TESTS_UNIT_GARAGE_H
#define TESTS_UNIT_GARAGE_H

#include "core/store.h"
#include "vehicle/vehicle.h"

/* Near enough for what is exact but for rounding. */
#define TINY 1e-9

/**
 * struct garage - Settings, and the vehicle made of them
 * @store:	Keeps their texts
 * @settings:	Settings
 * @vehicle:	Vehicle, or NULL
 * @row:	Latest step that garage_run() saw
 * @rows:	Steps that it saw
 * @bytes:	Bytes of all messages that it saw
 * @hash:	Of all messages that it saw
 */
struct garage {
	struct store store;
	struct vehicle_settings settings;
	struct vehicle *vehicle;
	struct vehicle_row row;
	uint64_t rows, bytes, hash;
};

/**
 * garage_read() - Settings from lines of "key = value", whether or not they fit
 * @garage:	Filled
 * @lines:	Lines; a preset is applied before what stands around it
 */
void garage_read(struct garage *garage, const char *lines);

/**
 * garage_open() - Settings that fit together; no vehicle yet
 * @garage:	Filled
 * @lines:	Lines, as garage_read() has them
 */
void garage_open(struct garage *garage, const char *lines);

/**
 * garage_start() - Settings and a vehicle at the start of a trial, seed 1
 * @garage:	Filled
 * @lines:	Lines
 * @walls:	World as CSV, or NULL
 */
void garage_start(struct garage *garage, const char *lines, const char *walls);

/**
 * garage_put() - Put a payload in
 * @garage:	Garage
 * @at:		When
 * @payload:	Text
 */
void garage_put(struct garage *garage, nsec at, const char *payload);

/**
 * garage_run() - Step up to a time, taking everything out
 * @garage:	Garage
 * @until:	Time
 */
void garage_run(struct garage *garage, nsec until);

/**
 * garage_drive() - Put a payload in again and again, stepping on the way
 * @garage:	Garage
 * @from:	When it is put in first
 * @until:	Time to step to; nothing is put in from then on
 * @every:	Period
 * @payload:	Text
 */
void garage_drive(struct garage *garage, nsec from, nsec until, nsec every,
		  const char *payload);

/**
 * garage_close() - Free all
 * @garage:	Garage
 */
void garage_close(struct garage *garage);

#endif /* TESTS_UNIT_GARAGE_H */
