/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * world.h - what stands around the vehicle: walls, posts, or a map of cells
 *
 * Floor: vehicle.
 *
 * A world is made once from text or bytes that the caller loaded, and does not
 * change after.  All lengths are in metres in the map frame.
 */
#ifndef VEHICLE_WORLD_H
#define VEHICLE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wall {
	double x1, y1, x2, y2;
};

/* A round obstacle: a person, a pillar. */
struct post {
	double x, y, radius;
};

/* What a cell of a map holds; shares in between are kept as they are. */
#define CELL_UNKNOWN  (-1)
#define CELL_FREE     0
#define CELL_OCCUPIED 100

/**
 * struct world - Obstacles
 * @walls:	Wall segments
 * @n_walls:	How many
 * @posts:	Posts
 * @n_posts:	How many
 * @cells:	Map, row by row from the bottom; NULL without one
 * @width:	Cells in a row
 * @height:	Rows
 * @resolution:	Metres a cell
 * @x:		Lower left corner of the lower left cell
 * @y:		The same
 * @yaw:	Turn of the map about that corner
 */
struct world {
	struct wall *walls;
	size_t n_walls;
	struct post *posts;
	size_t n_posts;
	int8_t *cells;
	size_t width, height;
	double resolution, x, y, yaw;
};

/**
 * world_parse_walls() - Read wall segments
 * @text:	Either lines of "x1,y1,x2,y2", where an empty line, a line that
 *		begins with '#' and a first line of words are passed over; or,
 *		if it begins with '{', the reference app's walls.json (its
 *		wall_segments, and its personas as posts)
 * @len:	Its length
 * @why:	Filled with what is wrong
 * @size:	Of @why
 *
 * Return: a world that the caller frees, or NULL.
 */
struct world *world_parse_walls(const char *text, size_t len, char *why,
				size_t size);

/**
 * world_parse_map() - Read a map of map_server
 * @yaml:	Text of the YAML file
 * @yaml_len:	Its length
 * @pgm:	Bytes of the image that it names
 * @pgm_len:	Their count
 * @why:	Filled with what is wrong
 * @size:	Of @why
 *
 * Return: a world that the caller frees, or NULL.
 */
struct world *world_parse_map(const char *yaml, size_t yaml_len,
			      const uint8_t *pgm, size_t pgm_len, char *why,
			      size_t size);

/**
 * world_image() - Which image a map's YAML names
 * @yaml:	Text
 * @len:	Its length
 * @name:	Filled with the name as written, without quotes
 * @size:	Of @name
 *
 * Return: false if it names none, or too long a one.
 */
bool world_image(const char *yaml, size_t len, char *name, size_t size);

/**
 * world_cast() - Distance to what a ray meets first
 * @world:	World, or NULL for an empty one
 * @x:		Where the ray begins
 * @y:		The same
 * @angle:	Where it goes
 * @reach:	How far it is followed
 *
 * Exact: to the face of a cell, not to a grid.  0 inside an obstacle.
 *
 * Return: metres, or INFINITY if it meets nothing within reach.
 */
double world_cast(const struct world *world, double x, double y, double angle,
		  double reach);

/**
 * world_clearance() - Distance to the nearest obstacle, any way
 * @world:	World, or NULL for an empty one
 * @x:		Where
 * @y:		The same
 * @reach:	How far to look
 *
 * Return: metres, at most @reach.
 */
double world_clearance(const struct world *world, double x, double y,
		       double reach);

/**
 * world_free() - Free a world
 * @world:	World, or NULL
 */
void world_free(struct world *world);

#endif /* VEHICLE_WORLD_H */
