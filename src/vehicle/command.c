/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * command.c - what an operator may ask of a vehicle, read from a datagram
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Each key that any command has is one bit.  The bits that were seen name the
 * kind; what is left over or missing names the fault.
 */
#include "vehicle/command.h"

#include <stdbool.h>
#include <string.h>

#include "vehicle/json.h"

#define DT_MAX 1.0

enum key {
	KEY_VX,
	KEY_VY,
	KEY_WZ,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_DT,
	KEY_SPEED,
	KEY_STEERING,
	KEY_DX,
	KEY_DY,
	KEY_DYAW,
	KEYS,
};

static const char *const key_names[KEYS] = {
	"vx", "vy", "wz",   "left", "right", "dt", "speed", "steering_angle",
	"dx", "dy", "dyaw",
};

#define BIT(n) (1u << (n))

/* In the order of enum command_kind. */
static const struct kind {
	enum key first;
	unsigned n;
	const char *keys;
} kinds[] = {
	{ KEY_VX, 3, "{\"vx\",\"vy\",\"wz\"}" },
	{ KEY_LEFT, 2, "{\"left\",\"right\"}" },
	{ KEY_LEFT, 3, "{\"left\",\"right\",\"dt\"}" },
	{ KEY_SPEED, 2, "{\"speed\",\"steering_angle\"}" },
	{ KEY_DX, 3, "{\"dx\",\"dy\",\"dyaw\"}" },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/**
 * struct reader - What was seen so far
 * @seen:	Keys with a number
 * @value:	Their numbers
 * @reject:	First fault
 */
struct reader {
	unsigned seen;
	double value[KEYS];
	enum command_reject reject;
};

static bool visit(void *context, const struct json_value *value)
{
	struct reader *reader = context;
	size_t key = 0;

	if (strpbrk(value->path, ".[")) {
		reader->reject = REJECT_MALFORMED;
		return false;
	}
	while (key < KEYS && strcmp(value->path, key_names[key]) != 0)
		key++;
	if (key < KEYS && reader->seen & BIT(key))
		reader->reject = REJECT_DUPLICATE;
	else if (value->kind == JSON_NULL ||
		 (key < KEYS && value->kind != JSON_NUMBER))
		reader->reject = REJECT_MISSING;
	if (reader->reject != REJECT_NONE)
		return false;
	if (key < KEYS) {
		reader->seen |= BIT(key);
		reader->value[key] = value->number;
	}
	return true;
}

static unsigned keys_of(const struct kind *kind)
{
	return (BIT(kind->n) - 1u) << kind->first;
}

/* The kind whose keys were seen; KINDS and @reject told if there is none. */
static size_t find_kind(unsigned seen, enum command_reject *reject)
{
	bool part = false;

	for (size_t i = 0; i < KINDS; i++) {
		unsigned keys = keys_of(&kinds[i]);

		if (seen == keys)
			return i;
		part = part || (seen && (seen & ~keys) == 0);
	}
	*reject = part || !seen ? REJECT_MISSING : REJECT_TYPE;
	return KINDS;
}

enum command_reject command_parse(struct command *command, const void *payload,
				  size_t len, unsigned accepts)
{
	struct reader reader = { .reject = REJECT_NONE };
	struct command read = { .kind = COMMAND_TWIST };
	size_t kind;

	if (!len || len > COMMAND_BYTES_MAX)
		return REJECT_MALFORMED;
	switch (json_walk(payload, len, visit, &reader)) {
	case JSON_END_NOT_FINITE:
		return REJECT_NOT_FINITE;
	case JSON_END_MALFORMED:
		return REJECT_MALFORMED;
	case JSON_END_STOPPED:
		return reader.reject;
	case JSON_END_DONE:
		break;
	}
	kind = find_kind(reader.seen, &reader.reject);
	if (kind == KINDS)
		return reader.reject;
	if (!(accepts & BIT(kind)))
		return REJECT_TYPE;
	read.kind = (enum command_kind)kind;
	memcpy(read.value, reader.value + kinds[kind].first,
	       kinds[kind].n * sizeof(read.value[0]));
	if (read.kind == COMMAND_WHEELS_FOR &&
	    !(read.value[2] > 0.0 && read.value[2] <= DT_MAX))
		return REJECT_RANGE;
	*command = read;
	return REJECT_NONE;
}

const char *command_reason(enum command_reject reject)
{
	static const char *const reasons[REJECTS] = {
		"none",	     "malformed",  "type",  "missing",
		"duplicate", "not-finite", "range",
	};

	return reasons[reject];
}

const char *command_keys(enum command_kind kind)
{
	return kinds[kind].keys;
}
