/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * path.c - where a vehicle was, where its odometry put it, and where the
 *	operator saw it
 *
 * Floor: edge.
 *
 * When the room is full, every second point goes and only every second one is
 * kept from then on.
 */
#include "edge/path.h"

#include <math.h>
#include <stdlib.h>

struct path *path_new(const struct arm *arm)
{
	struct path *path = calloc(1, sizeof(*path));

	if (!path)
		abort();
	path->point = calloc(PATH_POINTS, sizeof(*path->point));
	if (!path->point)
		abort();
	path->start = (struct pose){ arm->vehicle.settings.start_x,
				     arm->vehicle.settings.start_y,
				     arm->vehicle.settings.start_yaw };
	path->stride = 1;
	path->let_go.time = path->apart.time = NSEC_NEVER;
	return path;
}

/* A pose of the odom frame, in the map frame. */
static struct pose in_map(const struct path *path, const struct pose *pose)
{
	struct pose moved = path->start;

	motion_compose(&moved, pose);
	return moved;
}

double path_gap(const struct path_moment *moment)
{
	return hypot(moment->view.x - moment->truth.x,
		     moment->view.y - moment->truth.y);
}

static void keep(struct path *path)
{
	if (path->n == PATH_POINTS) {
		for (size_t i = 0; i < PATH_POINTS / 2; i++)
			path->point[i] = path->point[2 * i];
		path->n /= 2;
		path->stride *= 2;
	}
	path->point[path->n++] = path->now;
}

void path_step(struct path *path, const struct vehicle_row *row, bool driven)
{
	struct path_moment *now = &path->now;

	*now = (struct path_moment){ .time = row->time,
				     .truth = row->truth,
				     .odom = in_map(path, &row->odom),
				     .view = path->shown,
				     .age = row->time - path->sampled,
				     .seen = path->seen };
	if (!path->turned || ++path->skipped >= path->stride) {
		keep(path);
		path->skipped = 0;
	}
	path->turned = true;
	if (path->driven && !driven && path->let_go.time == NSEC_NEVER)
		path->let_go = *now;
	path->driven |= driven;
	if (now->seen && path_gap(now) > path->gap) {
		path->gap = path_gap(now);
		path->apart = *now;
	}
}

void path_view(struct path *path, const struct reconstruction_view *view)
{
	if (!view->has_pose)
		return;
	path->shown = in_map(path, &view->pose);
	path->sampled = view->sampled;
	path->seen = true;
}

void path_free(struct path *path)
{
	if (!path)
		return;
	free(path->point);
	free(path);
}
