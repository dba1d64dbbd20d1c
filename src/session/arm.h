/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm.h - one study condition: an ini file, parsed, checked, immutable
 *
 * Floor: session.
 */
#ifndef SESSION_ARM_H
#define SESSION_ARM_H

#include "core/address.h"
#include "core/catalog.h"
#include "core/channel.h"
#include "core/classify.h"
#include "core/err.h"
#include "core/settings.h"
#include "session/ini.h"
#include "vehicle/vehicle_settings.h"

struct world;

/* [arm] */
struct arm_general {
	const char *name, *description;
	int64_t seed;
	nsec tick;
	int unmatched, trials, generator;
};

enum { UNMATCHED_DROP, UNMATCHED_FORWARD };
enum { TRIALS_SAME, TRIALS_DERIVED };
enum { GENERATOR_XOSHIRO, GENERATOR_DOTNET };

/**
 * struct arm_link - [link]: who stands where
 * @mode:	MODE_RELAY or MODE_TRANSPARENT
 * @robot_text:	As written
 * @headset_text: As written
 * @listen_text: As written
 * @headset_interface: Transparent mode: as written; @robot_interface too
 * @topology:	Transparent mode: TOPOLOGY_…
 * @mark:	Of diverted packets; @route_table and @rule_priority lead them
 *		to the proxy; 0: one that is free
 * @internal:	The vehicle model stands in the robot's place
 * @saved:	The robot is the one that was last named to run
 * @has_robot:	Whether @robot is set
 * @robot:	Address of the robot
 * @learn:	The headset is learnt from traffic, out of @headset
 * @headset:	The headset, or the network that it may be learnt from
 * @listen:	Where the proxy listens
 */
struct arm_link {
	int mode;
	const char *robot_text, *headset_text, *listen_text;
	const char *headset_interface, *robot_interface;
	int topology;
	int64_t mark, route_table, rule_priority;
	bool internal, saved, has_robot, learn;
	union address robot, listen;
	struct network headset;
};

enum { MODE_RELAY, MODE_TRANSPARENT };
enum { TOPOLOGY_AUTO, TOPOLOGY_ROUTED, TOPOLOGY_BRIDGED };

/**
 * struct arm_record - [record]
 * @folder:	Folder to create, or ""
 * @pcap:	Whether packets are captured too
 * @late_p99:	Release error that a doubtful trial exceeds at its p99
 * @late_max:	Release error that a doubtful trial exceeds once
 * @late_invalid: Release error that an invalid trial exceeds at its p99
 * @drops:	Share of unasked drops that a doubtful trial exceeds
 * @drops_invalid: Share of unasked drops that an invalid trial exceeds
 */
struct arm_record {
	const char *folder;
	bool pcap;
	nsec late_p99, late_max, late_invalid;
	double drops, drops_invalid;
};

/* [control]: who may steer a run; as written. */
struct arm_control {
	const char *socket, *group;
};

/* [dashboard]: the page to watch a run by; as written. */
struct arm_dashboard {
	const char *listen, *token_file, *hosts;
};

/**
 * struct arm_safety - [safety]: what keeps the robot from moving on
 * @stream:	Uplink stream that carries commands
 * @stop:	Payload that halts the robot
 * @deadman_text: As written
 * @on_start:	Stops sent when a run begins
 * @on_exit:	Stops sent when it ends, by whatever cause
 * @active:	The arm has the section
 * @channel:	Place of the stream's channel
 * @deadman:	No command released for so long: a stop; NSEC_NEVER: off
 */
struct arm_safety {
	const char *stream, *stop, *deadman_text;
	int64_t on_start, on_exit;
	bool active;
	uint16_t channel;
	nsec deadman;
};

/**
 * struct arm_vehicle - [vehicle]: the model in the robot's place
 * @settings:	Its settings
 * @world:	Text of the world's file, or NULL; @world_size bytes
 * @image:	Bytes of the image that a map names, or NULL; @image_size bytes
 */
struct arm_vehicle {
	struct vehicle_settings settings;
	const char *world, *image;
	size_t world_size, image_size;
};

/**
 * struct arm_condition - [condition NAME]: a template for stages
 * @name:	Name of the section
 * @line:	Its line
 * @condition:	The condition that "type" names, or NULL in a faulty arm
 * @settings:	Its settings
 * @seed:	Seed of its own, where @seeded
 * @seeded:	Whether it has one
 * @generator:	GENERATOR_…
 */
struct arm_condition {
	const char *name;
	int line;
	const struct condition *condition;
	void *settings;
	int64_t seed;
	bool seeded;
	int generator;
};

/**
 * struct arm_channel - [uplink NAME] or [downlink NAME]
 * @plan:	What its channel is made from
 * @rule:	What fits it
 * @line:	Its line
 * @port_text:	As written; @match, @to_text, @reply_text, @chain_text,
 *		@listen_text too
 * @shares:	Place of the first channel with the same ports and ends, which
 *		this one shares the sockets of; its own place if there is none
 * @has_to:	Whether @to is set
 * @to:		Fixed destination; its port 0: the packet's own
 * @listen:	Where the proxy listens for it
 * @source_port: Port that the proxy sends it from; 0: any, the same for the
 *		whole run
 * @expect:	Expected rate, bit/s; 0: not said
 * @on_change:	CHANGE_KEEP_ORDER or CHANGE_OVERTAKE
 * @on_exit:	EXIT_PRESET, EXIT_DROP or EXIT_DRAIN
 * @duplicate:	Share of packets delivered twice
 * @corrupt:	Share of packets with a bit of the payload changed
 */
struct arm_channel {
	struct channel_plan plan;
	struct rule rule;
	int line;
	const char *port_text, *match, *to_text, *reply_text, *chain_text,
		*listen_text;
	uint16_t shares;
	bool has_to;
	union address to, listen;
	int64_t source_port, expect, limit_bits;
	int on_change, on_exit;
	double duplicate, corrupt;
};

enum { CHANGE_KEEP_ORDER, CHANGE_OVERTAKE };
enum { EXIT_PRESET, EXIT_DROP, EXIT_DRAIN };

/**
 * struct arm_file - A file that the arm names, as it was read
 * @name:	As the arm names it
 * @text:	Its bytes; @size of them
 */
struct arm_file {
	const char *name, *text;
	size_t size;
};

/* Most files that an arm names. */
#define ARM_FILES_MAX 256

/* Most channels in an arm. */
#define CHANNELS_MAX 256

/**
 * struct arm - A study condition
 * @store:	Keeps everything below
 * @file:	Name of its file
 * @text:	Its text, as read; @text_size bytes
 * @sets:	Changes from the command line, as given; @n_sets of them
 * @ini:	Its rows
 * @files:	Files that it names, each once; @n_files of them
 * @channel:	Channels in the order of the file
 * @rules:	Rule of each channel, in the same order
 * @condition:	Conditions in the order of the file
 */
struct arm {
	struct store store;
	const char *file, *text;
	size_t text_size;
	const char **sets;
	size_t n_sets;
	struct ini ini;
	struct arm_file *files;
	size_t n_files;
	struct arm_general general;
	struct arm_link link;
	struct arm_record record;
	struct arm_control control;
	struct arm_dashboard dashboard;
	struct arm_safety safety;
	struct arm_vehicle vehicle;
	struct arm_channel *channel;
	struct rule *rules;
	size_t n_channels;
	struct arm_condition *condition;
	size_t n_conditions;
};

/**
 * struct arm_source - What an arm is read from
 * @file:	Name, for faults
 * @text:	Text; copied
 * @size:	Its size
 * @sets:	Changes: "SECTION.KEY=VALUE"; @n_sets of them
 * @catalog:	Conditions that it may name; borrowed for the arm's life
 * @find:	Finds a condition that the catalog does not have, and adds it:
 *		NULL with @why filled where it is unfit, NULL with @why empty
 *		where there is none.  Or NULL
 * @load:	Loads files that it names, as in struct settings_source; or NULL
 * @context:	Handed to @find and @load
 */
struct arm_source {
	const char *file, *text;
	size_t size;
	const char *const *sets;
	size_t n_sets;
	const struct catalog *catalog;
	const struct condition *(*find)(void *context, const char *type,
					char *why, size_t why_size);
	const char *(*load)(void *context, const char *name, size_t *size,
			    char *why, size_t why_size);
	void *context;
};

/**
 * arm_new() - Read and check an arm
 * @source:	What it is read from
 * @err:	Told all faults: "FILE:LINE: …"
 * @warnings:	Told what is no fault but will surprise
 *
 * Return: the arm, or NULL with @err told.
 */
struct arm *arm_new(const struct arm_source *source, struct err *err,
		    struct err *warnings);

/**
 * arm_free() - Free an arm
 * @arm:	Arm, or NULL
 */
void arm_free(struct arm *arm);

/**
 * arm_world() - The world that [vehicle] names
 * @arm:	Arm
 * @why:	Filled with what is wrong with it; empty if nothing is
 * @size:	Of @why
 *
 * Return: the world, the caller's, or NULL: an empty one, or @why.
 */
struct world *arm_world(const struct arm *arm, char *why, size_t size);

/**
 * arm_on_exit() - What a stop does to what waits in a channel
 * @channel:	Channel
 *
 * Return: EXIT_DROP or EXIT_DRAIN.
 */
int arm_on_exit(const struct arm_channel *channel);

/* "uplink" or "downlink" */
const char *direction_name(enum direction direction);

/**
 * struct section - A kind of section, for whoever lists settings
 * @name:	First word between the brackets
 * @named:	Whether a second word names it
 * @text:	What it is
 * @table:	Its settings; @n rows
 * @size:	Size of the struct that the table fills
 */
struct section {
	const char *name;
	bool named;
	const char *text;
	const struct setting *table;
	size_t n, size;
};

/* The kinds of sections, [condition …] with what all conditions share. */
extern const struct section arm_sections[];
extern const size_t n_arm_sections;

/**
 * arm_section() - Kind of a section
 * @name:	First word between the brackets
 *
 * Return: the kind, or NULL.
 */
const struct section *arm_section(const char *name);

#endif /* SESSION_ARM_H */
