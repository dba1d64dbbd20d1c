/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * world_walls.c - a world of walls, read from CSV or from walls.json
 *
 * Floor: vehicle.
 */
#include "vehicle/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vehicle/json.h"
#include "vehicle/number.h"
#include "vehicle/text.h"

#define OBSTACLES_MAX 20000

/* Keys of a wall in walls.json, then those of a person. */
static const char *const wall_keys[] = {
	"wall_segments[].x1",
	"wall_segments[].y1",
	"wall_segments[].x2",
	"wall_segments[].y2",
};
static const char *const post_keys[] = {
	"personas[].x",
	"personas[].y",
	"personas[].radio_m",
};

/**
 * struct reader - A world being read
 * @world:	World
 * @wall_room:	Room for walls
 * @post_room:	Room for posts
 */
struct reader {
	struct world *world;
	size_t wall_room, post_room;
};

/* Room for obstacle @index; new ones are all zeros. */
static bool make_room(void **array, size_t *room, size_t index, size_t size)
{
	size_t more = *room ? *room : 64;
	char *bigger;

	if (index >= OBSTACLES_MAX)
		return false;
	while (more <= index)
		more *= 2;
	if (more == *room)
		return true;
	bigger = realloc(*array, more * size);
	if (!bigger)
		return false;
	memset(bigger + *room * size, 0, (more - *room) * size);
	*array = bigger;
	*room = more;
	return true;
}

static struct wall *wall_at(struct reader *reader, size_t index)
{
	void *walls = reader->world->walls;
	bool fits = make_room(&walls, &reader->wall_room, index,
			      sizeof(struct wall));

	reader->world->walls = walls;
	if (!fits)
		return NULL;
	if (index >= reader->world->n_walls)
		reader->world->n_walls = index + 1;
	return &reader->world->walls[index];
}

static struct post *post_at(struct reader *reader, size_t index)
{
	void *posts = reader->world->posts;
	bool fits = make_room(&posts, &reader->post_room, index,
			      sizeof(struct post));

	reader->world->posts = posts;
	if (!fits)
		return NULL;
	if (index >= reader->world->n_posts)
		reader->world->n_posts = index + 1;
	return &reader->world->posts[index];
}

static bool visit(void *context, const struct json_value *value)
{
	struct reader *reader = context;

	if (value->kind != JSON_NUMBER)
		return true;
	for (size_t i = 0; i < 4; i++)
		if (strcmp(value->path, wall_keys[i]) == 0) {
			struct wall *wall = wall_at(reader, value->index);

			if (!wall)
				return false;
			*(double *const[]){ &wall->x1, &wall->y1, &wall->x2,
					    &wall->y2 }[i] = value->number;
		}
	for (size_t i = 0; i < 3; i++)
		if (strcmp(value->path, post_keys[i]) == 0) {
			struct post *post = post_at(reader, value->index);

			if (!post)
				return false;
			*(double *const[]){ &post->x, &post->y,
					    &post->radius }[i] = value->number;
		}
	return true;
}

/* One line of CSV: a wall, or nothing, or words above the first wall. */
static bool read_line(struct reader *reader, struct cursor line)
{
	size_t n = reader->world->n_walls;
	struct wall *wall;
	double v[4];

	number_skip(&line, " \t\r");
	if (line.at == line.end || *line.at == '#')
		return true;
	for (int i = 0; i < 4; i++) {
		number_skip(&line, " \t");
		if (i && !number_match(&line, ","))
			return false;
		number_skip(&line, " \t");
		if (!number_read(&line, &v[i]) || !isfinite(v[i]))
			return !n && !i; /* the header */
	}
	number_skip(&line, " \t\r");
	if (line.at != line.end)
		return false;
	wall = wall_at(reader, n);
	if (wall)
		*wall = (struct wall){ v[0], v[1], v[2], v[3] };
	return wall != NULL;
}

static bool read_csv(struct reader *reader, struct cursor in, struct text *why)
{
	unsigned number = 1;

	for (; in.at < in.end; number++) {
		size_t left = (size_t)(in.end - in.at);
		const char *newline = memchr(in.at, '\n', left);
		struct cursor line = { in.at, newline ? newline : in.end };

		if (!read_line(reader, line)) {
			text_add(why,
				 "line %u: a wall is four numbers in metres, "
				 "x1,y1,x2,y2",
				 number);
			return false;
		}
		in.at = newline ? newline + 1 : in.end;
	}
	return true;
}

struct world *world_parse_walls(const char *text, size_t len, char *why,
				size_t size)
{
	struct reader reader = { .world = calloc(1, sizeof(struct world)) };
	struct cursor in = { text, text + len };
	struct text reason;
	bool fine;

	text_init(&reason, why, size);
	if (!reader.world) {
		text_add(&reason, "no memory");
		return NULL;
	}
	number_skip(&in, " \t\r\n");
	if (in.at < in.end && *in.at == '{') {
		fine = json_walk(text, len, visit, &reader) == JSON_END_DONE;
		if (!fine)
			text_add(&reason, "not the JSON of a walls.json");
	} else {
		fine = read_csv(&reader, in, &reason);
	}
	if (fine && !reader.world->n_walls && !reader.world->n_posts) {
		fine = false;
		text_add(&reason, "there is no wall in it");
	}
	if (fine)
		return reader.world;
	world_free(reader.world);
	return NULL;
}
