/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * command.h - what an operator may ask of a vehicle, read from a datagram
 *
 * Floor: vehicle.
 *
 * A command is one JSON object.  Which kind it is follows from its keys, each
 * of which must be there once with a finite number; other keys are passed over
 * if they hold a number, a text, true or false.
 */
#ifndef VEHICLE_COMMAND_H
#define VEHICLE_COMMAND_H

#include <stddef.h>
#include <stdint.h>

/* Longer datagrams are no commands. */
#define COMMAND_BYTES_MAX 512

enum command_kind {
	COMMAND_TWIST,	    /* {"vx","vy","wz"} m/s, m/s, rad/s */
	COMMAND_WHEELS,	    /* {"left","right"} m/s at the rim */
	COMMAND_WHEELS_FOR, /* {"left","right","dt"} the same, for dt seconds */
	COMMAND_STEERING,   /* {"speed","steering_angle"} m/s, rad */
	COMMAND_DELTA,	    /* {"dx","dy","dyaw"} m, m, rad in the own frame */
};

/* Why a payload was rejected. */
enum command_reject {
	REJECT_NONE,
	REJECT_MALFORMED,  /* no JSON object, or too long */
	REJECT_TYPE,	   /* a command, but not one that the model takes */
	REJECT_MISSING,	   /* a key is missing, or holds no number */
	REJECT_DUPLICATE,  /* a key comes twice */
	REJECT_NOT_FINITE, /* NaN, Infinity, or too large a number */
	REJECT_RANGE, /* a time that is not above 0 or is over one second */
};
#define REJECTS 7

/**
 * struct command - One command
 * @kind:	Which
 * @value:	Its numbers, in the order of the keys above
 */
struct command {
	enum command_kind kind;
	double value[3];
};

/**
 * command_parse() - Read a command
 * @command:	Set, unless it is rejected
 * @payload:	Payload of the datagram
 * @len:	Its length
 * @accepts:	Kinds that are taken: bits 1u << enum command_kind
 *
 * Return: REJECT_NONE, or why the payload as a whole is refused.
 */
enum command_reject command_parse(struct command *command, const void *payload,
				  size_t len, unsigned accepts);

/**
 * command_reason() - Name of a reason
 * @reject:	Reason
 *
 * Return: one word, as it stands in records.
 */
const char *command_reason(enum command_reject reject);

/**
 * command_keys() - How a kind of command is written
 * @kind:	Kind
 *
 * Return: its keys as a JSON object without values.
 */
const char *command_keys(enum command_kind kind);

#endif /* VEHICLE_COMMAND_H */
