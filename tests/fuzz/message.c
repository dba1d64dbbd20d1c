/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * message.c - commands, messages, drive scripts and worlds, whatever is in them
 *
 * Floor: tests.
 *
 * The first byte of an input chooses who reads the rest, as a letter from 'a'.
 * In a map "%%" on a line of its own parts the YAML from the image.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vehicle/command.h"
#include "vehicle/json.h"
#include "vehicle/message.h"
#include "vehicle/reconstruction.h"
#include "vehicle/script.h"
#include "vehicle/world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* More datagrams of a script say nothing more. */
#define DATAGRAMS_MAX 200

static void hold(bool what)
{
	if (!what)
		abort();
}

/* A copy of exactly its size, so that a sanitizer sees a byte too far. */
static char *copy_of(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1);

	hold(copy);
	if (size)
		memcpy(copy, data, size);
	return copy;
}

static void read_command(const char *text, size_t size)
{
	static const size_t values[] = { 3, 2, 3, 2, 3 };
	struct command command = { 0 };
	const unsigned all = 31;
	enum command_reject reject = command_parse(&command, text, size, all),
			    again;

	hold(*command_reason(reject) != '\0');
	if (reject != REJECT_NONE)
		return;
	hold(size <= COMMAND_BYTES_MAX);
	for (size_t i = 0; i < values[command.kind]; i++)
		hold(isfinite(command.value[i]));
	hold(command.kind != COMMAND_WHEELS_FOR ||
	     (command.value[2] > 0 && command.value[2] <= 1));
	again = command_parse(&command, text, size,
			      all & ~(1u << command.kind));
	hold(again == REJECT_TYPE);
}

static bool look_at(void *context, const struct json_value *value)
{
	size_t *left = context;

	hold(strlen(value->path) < JSON_PATH_MAX);
	if (value->kind == JSON_NUMBER)
		hold(isfinite(value->number));
	/* a string ends before its closing quote, within the text */
	if (value->kind == JSON_STRING)
		hold(value->text[value->len] == '"');
	return --*left > 0;
}

/* Whatever the visitor stops at, the walk goes no further. */
static void walk_json(const char *text, size_t size)
{
	size_t left = SIZE_MAX, some;
	enum json_end end = json_walk(text, size, look_at, &left);

	hold(end != JSON_END_STOPPED);
	for (some = 1; some <= SIZE_MAX - left && some < 5; some++) {
		size_t visits = some;

		hold(json_walk(text, size, look_at, &visits) ==
		     JSON_END_STOPPED);
		hold(visits == 0);
	}
}

static void reconstruct(const char *text, size_t size)
{
	const struct message_head head = { 1500 * NSEC_PER_MS, 7 };
	const struct message_motion motion = { .pose = { 1, 2, 0.5 } };
	char odom[MESSAGE_MAX];
	size_t len = message_odom(odom, sizeof(odom), &head, &motion);
	struct reconstruction *r = reconstruction_new(STALE_DROP);
	const struct reconstruction_view *view;
	const struct reconstruction_counts *counts;
	bool changed;

	hold(r);
	changed = reconstruction_put(r, 5, text, size);
	view = reconstruction_view(r);
	counts = reconstruction_counts(r);
	hold(counts->received == 1);
	hold(changed == (view->has_pose || view->has_scan));
	hold(counts->poses + counts->scans + counts->unknown + counts->stale ==
	     1);
	hold(view->n <= RECONSTRUCTION_BEAMS);
	for (size_t i = 0; i < view->n; i++)
		hold(isfinite(view->range[i]) && view->range[i] >= 0);
	hold(isfinite(view->pose.x) && isfinite(view->pose.y) &&
	     isfinite(view->pose.yaw));
	(void)reconstruction_put(r, 6, odom, len);
	(void)reconstruction_put(r, 7, text, size);
	hold(counts->received == 3);
	reconstruction_free(r);
}

static void drive(const char *text, size_t size)
{
	struct script_settings settings = script_default;
	char why[256] = "";
	struct script_datagram datagram;
	struct script *script;
	struct command command;
	nsec last = 0;

	settings.idle = size & 1 ? SCRIPT_IDLE_SILENCE : SCRIPT_IDLE_ZEROS;
	script = script_new(text, size, &settings, why, sizeof(why));
	hold((script == NULL) == (*why != '\0'));
	if (!script)
		return;
	for (int n = 0; n < DATAGRAMS_MAX; n++) {
		nsec due = script_next(script);

		if (due == NSEC_NEVER)
			break;
		hold(due >= last);
		hold(!script_take(script, due - 1, &datagram));
		hold(script_take(script, due, &datagram));
		hold(datagram.time == due && datagram.len < SCRIPT_ROOM);
		hold(command_parse(&command, datagram.bytes, datagram.len,
				   1u << COMMAND_TWIST) == REJECT_NONE);
		last = due;
	}
	script_reset(script);
	hold(script_next(script) >= 0);
	script_free(script);
}

static void look_around(struct world *world)
{
	for (int i = 0; i < 8; i++) {
		double reach = i & 1 ? 3.0 : 12.0;
		double d = world_cast(world, 0.3 * i, 0.2 * i, i * 0.8, reach);

		hold(d >= 0 && (d <= reach || isinf(d)));
		d = world_clearance(world, 0.3 * i, 0.2 * i, reach);
		hold(d >= 0 && d <= reach);
	}
	world_free(world);
}

static void read_walls(const char *text, size_t size)
{
	char why[256] = "";
	struct world *world = world_parse_walls(text, size, why, sizeof(why));

	hold((world == NULL) == (*why != '\0'));
	if (world)
		look_around(world);
}

static void read_map(const char *text, size_t size)
{
	const char *cut = memmem(text, size, "\n%%\n", 4);
	size_t yaml = cut ? (size_t)(cut - text) + 1 : size;
	size_t image = cut ? size - yaml - 3 : 0;
	uint8_t *pgm = (uint8_t *)copy_of(cut ? (const uint8_t *)cut + 4 : NULL,
					  image);
	char why[256] = "", name[64];
	struct world *world =
		world_parse_map(text, yaml, pgm, image, why, sizeof(why));

	hold((world == NULL) == (*why != '\0'));
	if (world_image(text, yaml, name, sizeof(name)))
		hold(*name != '\0');
	free(pgm);
	if (world)
		look_around(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const char *text, size_t size) = {
		read_command, walk_json,  reconstruct,
		drive,	      read_walls, read_map,
	};
	char *text;

	if (!size || data[0] < 'a' || data[0] > 'f')
		return 0;
	text = copy_of(data + 1, size - 1);
	readers[data[0] - 'a'](text, size - 1);
	free(text);
	return 0;
}
