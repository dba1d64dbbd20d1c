/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * track.h - where something went, in a bounded number of points
 *
 * Floor: edge.
 */
#ifndef EDGE_TRACK_H
#define EDGE_TRACK_H

#include <jansson.h>

#include "conditions/condition.h"
#include "vehicle/motion.h"

#define TRACK_POINTS 1024

struct track_point {
	nsec time;
	struct pose pose;
};

/**
 * struct track - The way so far; all zeros is none
 * @n:		Points in @point
 * @step:	Metres between two points; it grows as the way does
 * @latest:	Where it is now, where @is_set
 * @is_set:	It was somewhere
 * @point:	The way
 */
struct track {
	size_t n;
	double step;
	struct track_point latest;
	bool is_set;
	struct track_point point[TRACK_POINTS];
};

/**
 * track_add() - It is somewhere
 * @track:	Track
 * @time:	When
 * @pose:	Where
 */
void track_add(struct track *track, nsec time, const struct pose *pose);

/**
 * track_pose_json() - A pose as [TIME, X, Y, YAW]: ns, metres, radians
 * @at:		Pose
 *
 * Return: the array, the caller's.
 */
json_t *track_pose_json(const struct track_point *at);

/**
 * track_json() - The way as an array of poses, the latest one at its end
 * @track:	Track
 *
 * Return: the array, the caller's.
 */
json_t *track_json(const struct track *track);

#endif /* EDGE_TRACK_H */
