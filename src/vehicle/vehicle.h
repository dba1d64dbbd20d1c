/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle.h - a vehicle as a machine in virtual time
 *
 * Floor: vehicle.
 *
 * Payloads are put in with the time at which the uplink released them; the
 * vehicle says when it is next due; steps and the messages they publish are
 * taken out.  Steps are at exact multiples of the step period since the trial
 * began, the first one a period after it.
 *
 * A payload that is put in at the very time of a step counts in that step.  So
 * a driver that reached a time first puts in what was released by then, and
 * takes out afterwards.
 */
#ifndef VEHICLE_VEHICLE_H
#define VEHICLE_VEHICLE_H

#include "vehicle/command.h"
#include "vehicle/vehicle_settings.h"
#include "vehicle/world.h"

/* What is published, each a stream; in the order in which a step does it. */
enum vehicle_stream {
	STREAM_ODOM,
	STREAM_STATE,
	STREAM_SCAN,
	STREAM_TRUTH,
	STREAM_RANGE,
	STREAM_LIDAR, /* the reference app's scan */
	STREAM_WIFI,  /* the reference app's Wi-Fi sample */
	STREAMS,
};

/**
 * struct vehicle_row - A step, as a record has it
 * @time:	Time of the step
 * @truth:	Where the body is, in the map frame
 * @twist:	How it moves
 * @odom:	Where odometry believes it is, from where the trial began
 * @requested:	As the last accepted command asked
 * @applied:	As the wheels do it
 * @command_age: Since the last accepted command came; -1 before the first
 * @stalled:	Whether an obstacle stopped the body
 */
struct vehicle_row {
	nsec time;
	struct pose truth;
	struct twist twist;
	struct pose odom;
	struct twist requested;
	struct twist applied;
	nsec command_age;
	bool stalled;
};

/**
 * struct publication - Something that a step gives out
 * @time:	Exactly the time of the step
 * @stream:	Name of the stream; NULL for the step itself, which comes first
 * @bytes:	Payload; borrowed until the next call
 * @len:	Its length
 * @row:	The step; borrowed until the next call
 */
struct publication {
	nsec time;
	const char *stream;
	const char *bytes;
	size_t len;
	const struct vehicle_row *row;
};

/**
 * struct vehicle_counts - What happened since the trial began
 * @received:	Payloads put in
 * @overflow:	Of them, those that found the queue full
 * @accepted:	Commands applied
 * @rejected:	Payloads refused, by reason
 * @ignored:	Commands of which a part could not be done, such as a sideways
 *		motion by a car
 * @timeouts:	How often the last command became too old
 * @stalls:	How often an obstacle stopped the body
 * @steps:	Steps
 */
struct vehicle_counts {
	uint64_t received, overflow, accepted;
	uint64_t rejected[REJECTS];
	uint64_t ignored, timeouts, stalls, steps;
};

struct vehicle;

/**
 * vehicle_new() - Make a vehicle, at the start of a trial
 * @settings:	Settings that vehicle_settings_check() passed; copied, but their
 *		texts are borrowed
 * @world:	World; owned from here on, may be NULL
 * @seed:	Seed of the arm, or of the trial
 *
 * Return: the vehicle, or NULL without memory (the world is freed then).
 */
struct vehicle *vehicle_new(const struct vehicle_settings *settings,
			    struct world *world, uint64_t seed);

/**
 * vehicle_reset() - Begin a trial
 * @vehicle:	Vehicle
 * @seed:	Seed
 */
void vehicle_reset(struct vehicle *vehicle, uint64_t seed);

/**
 * vehicle_put() - Hand over a payload that the uplink released
 * @vehicle:	Vehicle
 * @now:	When; not before any earlier time given to it
 * @payload:	Payload; copied
 * @len:	Its length
 *
 * Only enqueues.  A full queue counts the payload as overflow.
 */
void vehicle_put(struct vehicle *vehicle, nsec now, const void *payload,
		 size_t len);

/**
 * vehicle_next() - When there is something to take out
 * @vehicle:	Vehicle
 *
 * Return: a time; never NSEC_NEVER, since a vehicle always steps.
 */
nsec vehicle_next(const struct vehicle *vehicle);

/**
 * vehicle_take() - Take the next thing out, stepping as far as need be
 * @vehicle:	Vehicle
 * @now:	Time that is reached
 * @publication: Set
 *
 * Return: false if there is nothing by that time.
 */
bool vehicle_take(struct vehicle *vehicle, nsec now,
		  struct publication *publication);

/**
 * vehicle_counts() - Counters of the trial
 * @vehicle:	Vehicle
 *
 * Return: counters; borrowed.
 */
const struct vehicle_counts *vehicle_counts(const struct vehicle *vehicle);

/**
 * vehicle_stream() - Name of a stream
 * @stream:	Which
 *
 * Return: as the arm has it after "downlink".
 */
const char *vehicle_stream(enum vehicle_stream stream);

/**
 * vehicle_free() - Free a vehicle with its world
 * @vehicle:	Vehicle, or NULL
 */
void vehicle_free(struct vehicle *vehicle);

#endif /* VEHICLE_VEHICLE_H */
