/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * path.h - where a vehicle was, where its odometry put it, and where the
 *	operator saw it
 *
 * Floor: edge.
 *
 * All three are in the map frame: odometry and what the operator sees begin
 * where the vehicle began.  A path keeps a bounded number of points; a long run
 * has fewer of them a second.
 */
#ifndef EDGE_PATH_H
#define EDGE_PATH_H

#include "session/session.h"

#define PATH_POINTS 4096u

/**
 * struct path_moment - All three at one time
 * @time:	Trial time
 * @truth:	Where the body was
 * @odom:	Where odometry put it
 * @view:	Where the operator saw it, if @seen
 * @age:	How old that view was
 * @seen:	Whether the operator saw anything yet
 */
struct path_moment {
	nsec time;
	struct pose truth, odom, view;
	nsec age;
	bool seen;
};

/**
 * struct path - A path
 * @start:	Where the vehicle began
 * @point:	Points, @n of them, one in each @stride steps
 * @skipped:	Steps since the last point
 * @now:	The latest step
 * @let_go:	When a scripted operator had sent the last command; its time is
 *		NSEC_NEVER before
 * @apart:	When view and truth were furthest apart; likewise
 * @gap:	How far that was
 * @turned:	A step was there
 * @driven:	A scripted operator was there
 * @shown:	What the operator sees, sampled at @sampled, if @seen
 */
struct path {
	struct pose start;
	struct path_moment *point;
	size_t n;
	unsigned stride, skipped;
	struct path_moment now, let_go, apart;
	double gap;
	bool turned, driven;
	struct pose shown;
	nsec sampled;
	bool seen;
};

/**
 * path_new() - An empty path
 * @arm:	Arm that the vehicle is of
 *
 * Return: the path; free it with path_free().
 */
struct path *path_new(const struct arm *arm);

/**
 * path_step() - The vehicle has made a step
 * @path:	Path
 * @row:	Step
 * @driven:	A scripted operator has something to send yet
 */
void path_step(struct path *path, const struct vehicle_row *row, bool driven);

/**
 * path_view() - The operator's view has changed
 * @path:	Path
 * @view:	View
 */
void path_view(struct path *path, const struct reconstruction_view *view);

/**
 * path_gap() - How far the operator's view was from the truth
 * @moment:	When
 *
 * Return: metres.
 */
double path_gap(const struct path_moment *moment);

/**
 * path_free() - Free a path
 * @path:	Path, or NULL
 */
void path_free(struct path *path);

#endif /* EDGE_PATH_H */
