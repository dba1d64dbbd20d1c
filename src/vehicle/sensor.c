/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sensor.c - a lidar and range sensors, cast against the world
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Each beam is an exact ray; nothing is sampled along it.  Each draws the same
 * count of random numbers whatever it meets.  A range sensor is the nearest of
 * a few rays across its cone.
 */
#include "vehicle/sensor.h"

#include <string.h>

#include "vehicle/noise.h"
#include "vehicle/number.h"

#define TWO_PI	  6.283185307179586
#define CONE_RAYS 5

bool sensor_parse(struct sensor *sensor, const char *text)
{
	struct cursor c = { text, text + strlen(text) };

	for (sensor->n_rangers = 0; number_skip(&c, " \t"), c.at < c.end;) {
		double v[6];

		if (sensor->n_rangers == RANGERS_MAX ||
		    (sensor->n_rangers && !number_match(&c, ",")))
			return false;
		for (int i = 0; i < 6; i++) {
			number_skip(&c, " \t");
			if (!number_read(&c, &v[i]) || !isfinite(v[i]))
				return false;
		}
		if (v[3] < 0.0 || v[4] < 0.0 || v[5] <= v[4])
			return false;
		sensor->ranger[sensor->n_rangers++] = (struct ranger){
			v[0], v[1], v[2], v[3], v[4], v[5],
		};
	}
	return true;
}

double sensor_step(const struct vehicle_settings *settings)
{
	double n = (double)settings->scan_beams;

	if (settings->scan_fov >= TWO_PI - 1e-6)
		return TWO_PI / n;
	return n > 1.0 ? settings->scan_fov / (n - 1.0) : 0.0;
}

void sensor_reset(struct sensor *sensor, uint64_t seed)
{
	sensor->n_beams = (size_t)sensor->settings->scan_beams;
	sensor->too_close = 0;
	memset(sensor->scan, 0, sizeof(sensor->scan));
	memset(sensor->range, 0, sizeof(sensor->range));
	noise_begin(&sensor->rng, seed, "sensor");
}

/* What the sensor makes of a true distance. */
static double measure(struct sensor *sensor, double distance, double lo,
		      double hi)
{
	const struct vehicle_settings *s = sensor->settings;
	double noise = noise_normal(&sensor->rng);
	bool lost = rng_uniform(&sensor->rng) < s->scan_dropout;

	if (!isfinite(distance) || lost)
		return SENSOR_NO_RETURN;
	if (distance > 0.0)
		distance += noise *
			    (s->scan_noise + s->scan_noise_share * distance);
	if (s->scan_quantum > 0.0)
		distance = round(distance / s->scan_quantum) * s->scan_quantum;
	if (distance < lo) {
		sensor->too_close++;
		return SENSOR_NO_RETURN;
	}
	return distance <= hi ? distance : SENSOR_NO_RETURN;
}

void sensor_scan(struct sensor *sensor, const struct pose *pose)
{
	const struct vehicle_settings *s = sensor->settings;
	struct pose at = *pose;
	const struct pose mount = { s->lidar_x, s->lidar_y, s->lidar_yaw };
	double step = sensor_step(s);

	motion_compose(&at, &mount);
	sensor->too_close = 0;
	for (size_t i = 0; i < sensor->n_beams; i++) {
		double angle = at.yaw + s->scan_from + (double)i * step;
		/* beyond the reach noise may still bring it back within */
		double distance = world_cast(sensor->world, at.x, at.y, angle,
					     2.0 * s->scan_max);

		sensor->scan[i] =
			measure(sensor, distance, s->scan_min, s->scan_max);
	}
}

void sensor_range(struct sensor *sensor, const struct pose *pose)
{
	size_t too_close = sensor->too_close;

	for (size_t i = 0; i < sensor->n_rangers; i++) {
		const struct ranger *r = &sensor->ranger[i];
		struct pose at = *pose;
		const struct pose mount = { r->x, r->y, r->yaw };
		double nearest = INFINITY;

		motion_compose(&at, &mount);
		for (int ray = 0; ray < CONE_RAYS; ray++) {
			double angle = at.yaw +
				       r->fov * (ray / (CONE_RAYS - 1.0) - 0.5);

			nearest = fmin(nearest,
				       world_cast(sensor->world, at.x, at.y,
						  angle, 2.0 * r->hi));
		}
		sensor->range[i] = measure(sensor, nearest, r->lo, r->hi);
	}
	sensor->too_close = too_close; /* of the scan only */
}
