/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_path.c - say where a vehicle was and where the operator saw it
 *
 * Floor: roof.
 */
#include "cmd/print_path.h"

#include <math.h>

static void print_pose(FILE *to, const char *what, const struct pose *pose)
{
	fprintf(to, "  %-26s x %7.3f m  y %7.3f m  yaw %7.2f deg", what,
		pose->x, pose->y, motion_wrap(pose->yaw) * 180.0 / M_PI);
}

static void print_moment(FILE *to, const char *when,
			 const struct path_moment *moment)
{
	if (moment->time == NSEC_NEVER)
		return;
	fprintf(to, "%s (%.2f s):\n", when, (double)moment->time / 1e9);
	print_pose(to, "it was at", &moment->truth);
	fprintf(to, "\n");
	print_pose(to, "odometry put it at", &moment->odom);
	fprintf(to, "\n");
	if (!moment->seen) {
		fprintf(to, "  the operator saw nothing yet\n");
		return;
	}
	print_pose(to, "the operator saw it at", &moment->view);
	fprintf(to, "\n  %.3f m off, in a view %.0f ms old\n", path_gap(moment),
		(double)moment->age / 1e6);
}

void print_path(FILE *to, const struct path *path)
{
	if (!path || !path->turned)
		return;
	print_moment(to, "When the last command was sent", &path->let_go);
	print_moment(to, "When the view was furthest off", &path->apart);
	print_moment(to, "At the end", &path->now);
}
