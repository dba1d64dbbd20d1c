/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * track.c - where something went, in a bounded number of points
 *
 * Floor: edge.
 *
 * How it works
 *
 * A point is kept once it is a step away from the one before, or looks
 * elsewhere.  When the room is full, every second point goes and the step
 * doubles, so that a long drive is drawn as well as a short one.
 */
#include "edge/track.h"

#include <math.h>

#define STEP_FIRST 0.02 /* m */
#define TURN	   0.2	/* rad */

static bool is_news(const struct track *track, const struct pose *pose)
{
	const struct pose *last = &track->point[track->n - 1].pose;

	return hypot(pose->x - last->x, pose->y - last->y) >= track->step ||
	       fabs(pose->yaw - last->yaw) >= TURN * track->step / STEP_FIRST;
}

void track_add(struct track *track, nsec time, const struct pose *pose)
{
	if (!isfinite(pose->x) || !isfinite(pose->y) || !isfinite(pose->yaw))
		return;
	if (!track->is_set)
		track->step = STEP_FIRST;
	track->is_set = true;
	track->latest = (struct track_point){ time, *pose };
	if (track->n && !is_news(track, pose))
		return;
	if (track->n == TRACK_POINTS) {
		for (size_t i = 0; i < TRACK_POINTS / 2; i++)
			track->point[i] = track->point[2 * i];
		track->n /= 2;
		track->step *= 2;
	}
	track->point[track->n++] = track->latest;
}

/* Tenths of a millimetre are enough to look at. */
static double rounded(double value)
{
	return round(value * 1e4) / 1e4;
}

json_t *track_pose_json(const struct track_point *at)
{
	return json_pack("[I, f, f, f]", (json_int_t)at->time,
			 rounded(at->pose.x), rounded(at->pose.y),
			 rounded(motion_wrap(at->pose.yaw)));
}

json_t *track_json(const struct track *track)
{
	json_t *all = json_array();

	for (size_t i = 0; i < track->n; i++)
		json_array_append_new(all, track_pose_json(&track->point[i]));
	if (track->n && track->latest.time != track->point[track->n - 1].time)
		json_array_append_new(all, track_pose_json(&track->latest));
	return all;
}
