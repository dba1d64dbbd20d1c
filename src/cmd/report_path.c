/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report_path.c - ways of the vehicle and of the operator's view, for a report
 *
 * Floor: roof.
 *
 * How it works
 *
 * Points are kept one in so many; when there are too many of them, every second
 * one goes and only half as many are kept from there on.  Odometry and view
 * begin where the vehicle began, so they are turned and moved by the pose that
 * the first step has of both.
 */
#include "cmd/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edge/csv.h"

#define POINTS_MOST 1200u

/* Columns of vehicle.csv and operator.csv. */
enum {
	TRIAL,
	TIME,
	X,
	Y,
	YAW,
	ODOM_X = 8,
	ODOM_Y,
	ODOM_YAW,
	STEP_COLUMNS = 19
};
enum { SAMPLED = 5, VIEW_COLUMNS = 7 };

struct pose_2d {
	double x, y, yaw;
};

/**
 * struct way - Points that are kept
 * @x:		Their places; @n of them
 * @stride:	One in so many; @skipped since the last
 * @last:	The last point there was, kept or not
 */
struct way {
	double x[POINTS_MOST], y[POINTS_MOST];
	size_t n;
	unsigned stride, skipped;
	struct pose_2d last;
	double length;
	bool any;
};

static void way_add(struct way *way, double x, double y)
{
	if (way->any)
		way->length += hypot(x - way->last.x, y - way->last.y);
	way->last = (struct pose_2d){ .x = x, .y = y };
	way->any = true;
	if (!way->stride)
		way->stride = 1;
	if (way->n && ++way->skipped < way->stride)
		return;
	way->skipped = 0;
	if (way->n == POINTS_MOST) {
		way->n /= 2;
		way->stride *= 2;
		for (size_t i = 0; i < way->n; i++) {
			way->x[i] = way->x[2 * i];
			way->y[i] = way->y[2 * i];
		}
	}
	way->x[way->n] = x;
	way->y[way->n++] = y;
}

/* A list x, y, x, y … in metres, to a millimetre. */
static json_t *way_json(const struct way *way)
{
	json_t *list = json_array();

	for (size_t i = 0; i < way->n; i++) {
		json_array_append_new(list,
				      json_real(round(way->x[i] * 1e3) / 1e3));
		json_array_append_new(list,
				      json_real(round(way->y[i] * 1e3) / 1e3));
	}
	if (way->any) { /* its end is always there */
		json_array_append_new(
			list, json_real(round(way->last.x * 1e3) / 1e3));
		json_array_append_new(
			list, json_real(round(way->last.y * 1e3) / 1e3));
	}
	return list;
}

static double number(const char *text)
{
	return strtod(text, NULL); /* main() keeps the numbers of locale "C" */
}

/* Calls a function for each row of a trial; what is cut off is passed over. */
static bool each_row(struct report_record *record, const char *file,
		     const char *id, size_t columns,
		     void (*take)(void *context, char *const *field),
		     void *context)
{
	struct err ignored = { 0 };
	struct csv csv;
	char name[4096];
	int got;

	snprintf(name, sizeof(name), "%s/%s", record->verification.folder,
		 file);
	if (csv_open(&csv, name, &ignored) < 0) {
		err_fini(&ignored);
		return false;
	}
	got = csv_read(&csv, &ignored); /* its header */
	while (got == 1 && (got = csv_read(&csv, &ignored)) == 1)
		if (!csv.cut && csv.n == columns &&
		    !strcmp(csv.field[TRIAL], id))
			take(context, csv.field);
	csv_close(&csv);
	err_fini(&ignored);
	return true;
}

struct ways {
	struct way truth, odom, view;
	struct pose_2d start;
	struct measure_age age;
	double over[MEASURE_AGES];
};

/* A pose from where the vehicle began, in the frame of the world. */
static void add_relative(const struct ways *ways, struct way *way, double x,
			 double y)
{
	const struct pose_2d *start = &ways->start;

	way_add(way, start->x + x * cos(start->yaw) - y * sin(start->yaw),
		start->y + x * sin(start->yaw) + y * cos(start->yaw));
}

static void take_step(void *context, char *const *field)
{
	struct ways *ways = context;
	double x = number(field[X]), y = number(field[Y]);
	double odom_x = number(field[ODOM_X]), odom_y = number(field[ODOM_Y]);

	if (!ways->truth.any) {
		struct pose_2d *start = &ways->start;

		start->yaw = number(field[YAW]) - number(field[ODOM_YAW]);
		start->x =
			x - odom_x * cos(start->yaw) + odom_y * sin(start->yaw);
		start->y =
			y - odom_x * sin(start->yaw) - odom_y * cos(start->yaw);
	}
	way_add(&ways->truth, x, y);
	add_relative(ways, &ways->odom, odom_x, odom_y);
}

static void take_view(void *context, char *const *field)
{
	struct ways *ways = context;

	add_relative(ways, &ways->view, number(field[X]), number(field[Y]));
	measure_age_add(&ways->age, ways->over, report_ages,
			strtoll(field[TIME], NULL, 10),
			strtoll(field[SAMPLED], NULL, 10));
}

json_t *report_paths(struct report_record *record, const char *id)
{
	struct ways *ways = calloc(1, sizeof(*ways));
	json_t *object = NULL, *charts;

	if (!ways)
		abort();
	if (each_row(record, "vehicle.csv", id, STEP_COLUMNS, take_step,
		     ways) &&
	    each_row(record, "operator.csv", id, VIEW_COLUMNS, take_view,
		     ways) &&
	    ways->truth.any) {
		object = json_object();
		charts = json_object();
		json_object_set_new(object, "travelled_m",
				    json_real(ways->truth.length));
		json_object_set_new(object, "view_age",
				    report_age(&ways->age, ways->over));
		json_object_set_new(charts, "truth", way_json(&ways->truth));
		json_object_set_new(charts, "odometry", way_json(&ways->odom));
		json_object_set_new(charts, "view", way_json(&ways->view));
		json_object_set_new(object, "charts", charts);
	}
	free(ways);
	return object;
}
