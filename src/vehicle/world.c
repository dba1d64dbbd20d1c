/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * world.c - what stands around the vehicle: rays and distances
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Rays meet walls and posts by their equations.  On a map a ray goes from cell
 * face to cell face (Amanatides and Woo, 1987) and ends on the face of the
 * first occupied cell, so a range is exact and varies smoothly with the pose.
 * What is unknown on a map is no obstacle.
 */
#include "vehicle/world.h"

#include <math.h>
#include <stdlib.h>

/* Two directions closer than this are parallel. */
#define PARALLEL 1e-12

struct point {
	double x, y;
};

static double cross(struct point a, struct point b)
{
	return a.x * b.y - a.y * b.x;
}

static double dot(struct point a, struct point b)
{
	return a.x * b.x + a.y * b.y;
}

/* A ray along a wall meets its nearer end ahead, or is in it already. */
static double cast_along(struct point to_a, struct point to_b, struct point d)
{
	double a = dot(to_a, d), b = dot(to_b, d);

	if (a * b <= 0.0)
		return 0.0;
	return a > 0.0 ? fmin(a, b) : INFINITY;
}

static double cast_wall(const struct wall *wall, struct point o, struct point d)
{
	struct point to_a = { wall->x1 - o.x, wall->y1 - o.y };
	struct point to_b = { wall->x2 - o.x, wall->y2 - o.y };
	struct point e = { wall->x2 - wall->x1, wall->y2 - wall->y1 };
	double n = cross(d, e), t, u;

	if (fabs(n) < PARALLEL) {
		if (fabs(cross(to_a, d)) < PARALLEL)
			return cast_along(to_a, to_b, d);
		return INFINITY;
	}
	t = cross(to_a, e) / n;
	u = cross(to_a, d) / n;
	return t >= 0.0 && u >= 0.0 && u <= 1.0 ? t : INFINITY;
}

static double cast_post(const struct post *post, struct point o, struct point d)
{
	struct point to = { post->x - o.x, post->y - o.y };
	double along = dot(to, d);
	double rest = dot(to, to) - post->radius * post->radius;
	double root = along * along - rest;

	if (rest <= 0.0)
		return 0.0;
	if (root < 0.0 || along < 0.0)
		return INFINITY;
	return along - sqrt(root);
}

static bool is_occupied(const struct world *world, int64_t column, int64_t row)
{
	if (column < 0 || row < 0 || column >= (int64_t)world->width ||
	    row >= (int64_t)world->height)
		return false;
	return world->cells[(size_t)row * world->width + (size_t)column] ==
	       CELL_OCCUPIED;
}

/* A point of the map frame in cells of the map. */
static struct point to_cells(const struct world *world, double x, double y)
{
	double c = cos(world->yaw), s = sin(world->yaw);
	double dx = x - world->x, dy = y - world->y;

	return (struct point){ (dx * c + dy * s) / world->resolution,
			       (dy * c - dx * s) / world->resolution };
}

/**
 * struct axis - A ray on one axis of the map
 * @cell:	Where it is
 * @step:	Which way it goes: -1, 0 or 1
 * @next:	Distance at which it enters the next cell
 * @each:	Distance between two faces
 */
struct axis {
	int64_t cell, step;
	double next, each;
};

/* @skip: how far along the ray the walk begins; the map is beyond it. */
static struct axis begin_axis(double from, double d, double skip)
{
	double at = from + d * skip;
	struct axis axis = { .next = INFINITY, .each = INFINITY };

	axis.cell = (int64_t)floor(at);
	/* exactly on a face and going down: the cell is the one below */
	if (d < 0.0 && at <= floor(at))
		axis.cell--;
	if (d > 0.0) {
		axis.step = 1;
		axis.each = 1.0 / d;
		axis.next = ((double)axis.cell + 1.0 - from) / d;
	} else if (d < 0.0) {
		axis.step = -1;
		axis.each = -1.0 / d;
		axis.next = ((double)axis.cell - from) / d;
	}
	return axis;
}

/* Where a ray enters and leaves the span from 0 to @size. */
static void clip(double from, double d, double size, double *enter,
		 double *leave)
{
	double a = (0.0 - from) / d, b = (size - from) / d;

	if (fabs(d) < PARALLEL) {
		if (from < 0.0 || from > size)
			*leave = -INFINITY;
		return;
	}
	*enter = fmax(*enter, fmin(a, b));
	*leave = fmin(*leave, fmax(a, b));
}

static double cast_cells(const struct world *world, struct point o,
			 double angle, double reach)
{
	struct point at = to_cells(world, o.x, o.y);
	struct point d = { cos(angle - world->yaw), sin(angle - world->yaw) };
	double t = 0.0, leave = reach / world->resolution;
	struct axis x, y;

	clip(at.x, d.x, (double)world->width, &t, &leave);
	clip(at.y, d.y, (double)world->height, &t, &leave);
	if (t > leave)
		return INFINITY;
	if (is_occupied(world, (int64_t)floor(at.x), (int64_t)floor(at.y)))
		return 0.0;
	x = begin_axis(at.x, d.x, t);
	y = begin_axis(at.y, d.y, t);
	while (t <= leave) {
		struct axis *first = x.next < y.next ? &x : &y;

		if (is_occupied(world, x.cell, y.cell))
			return t * world->resolution;
		t = first->next;
		first->next += first->each;
		first->cell += first->step;
	}
	return INFINITY;
}

double world_cast(const struct world *world, double x, double y, double angle,
		  double reach)
{
	struct point o = { x, y }, d = { cos(angle), sin(angle) };
	double nearest = INFINITY;

	if (!world || !isfinite(x) || !isfinite(y) || !isfinite(angle))
		return INFINITY;
	for (size_t i = 0; i < world->n_walls; i++)
		nearest = fmin(nearest, cast_wall(&world->walls[i], o, d));
	for (size_t i = 0; i < world->n_posts; i++)
		nearest = fmin(nearest, cast_post(&world->posts[i], o, d));
	if (world->cells)
		nearest = fmin(nearest, cast_cells(world, o, angle, reach));
	return nearest <= reach ? nearest : INFINITY;
}

static double wall_distance(const struct wall *wall, struct point o)
{
	struct point to = { o.x - wall->x1, o.y - wall->y1 };
	struct point e = { wall->x2 - wall->x1, wall->y2 - wall->y1 };
	double length = dot(e, e);
	double u = length > 0.0 ? dot(to, e) / length : 0.0;

	u = fmax(0.0, fmin(1.0, u));
	return hypot(to.x - u * e.x, to.y - u * e.y);
}

/* Distance from a point to the nearest occupied cell, in cells. */
static double cell_distance(const struct world *world, struct point at,
			    double reach)
{
	double nearest = reach;
	int64_t left = (int64_t)floor(fmax(at.x - reach, 0.0));
	int64_t bottom = (int64_t)floor(fmax(at.y - reach, 0.0));
	int64_t right =
		(int64_t)floor(fmin(at.x + reach, (double)world->width - 1.0));
	int64_t top =
		(int64_t)floor(fmin(at.y + reach, (double)world->height - 1.0));

	for (int64_t row = bottom; row <= top; row++)
		for (int64_t column = left; column <= right; column++) {
			double dx, dy;

			if (!is_occupied(world, column, row))
				continue;
			dx = fmax(fmax((double)column - at.x,
				       at.x - (double)column - 1.0),
				  0.0);
			dy = fmax(fmax((double)row - at.y,
				       at.y - (double)row - 1.0),
				  0.0);
			nearest = fmin(nearest, hypot(dx, dy));
		}
	return nearest;
}

double world_clearance(const struct world *world, double x, double y,
		       double reach)
{
	struct point o = { x, y };
	double nearest = reach;

	if (!world || !isfinite(x) || !isfinite(y))
		return reach;
	for (size_t i = 0; i < world->n_walls; i++)
		nearest = fmin(nearest, wall_distance(&world->walls[i], o));
	for (size_t i = 0; i < world->n_posts; i++) {
		const struct post *post = &world->posts[i];

		nearest = fmin(nearest, fmax(hypot(post->x - x, post->y - y) -
						     post->radius,
					     0.0));
	}
	if (world->cells)
		nearest = fmin(nearest,
			       cell_distance(world, to_cells(world, x, y),
					     reach / world->resolution) *
				       world->resolution);
	return nearest;
}

void world_free(struct world *world)
{
	if (!world)
		return;
	free(world->walls);
	free(world->posts);
	free(world->cells);
	free(world);
}
