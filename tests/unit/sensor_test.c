/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sensor_test.c - lidar and range sensors: mounting, limits, noise
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/garage.h"
#include "vehicle/noise.h"
#include "vehicle/sensor.h"

/* Sensors in a square room of 2 m, the origin in its middle. */
struct room {
	struct garage garage;
	struct world *world;
	struct sensor sensor;
};

static void begin(struct room *room, const char *lines)
{
	const char *walls = "-1,-1,1,-1\n1,-1,1,1\n1,1,-1,1\n-1,1,-1,-1\n";
	char why[64];

	garage_open(&room->garage, lines);
	room->world = world_parse_walls(walls, strlen(walls), why, sizeof(why));
	room->sensor.settings = &room->garage.settings;
	room->sensor.world = room->world;
	cr_assert(sensor_parse(&room->sensor,
			       room->garage.settings.range_sensors));
	sensor_reset(&room->sensor, 1);
}

static void end(struct room *room)
{
	world_free(room->world);
	garage_close(&room->garage);
}

static const struct pose middle = { 0, 0, 0 };

Test(sensor, scan_goes_counter_clockwise)
{
	static struct room room;
	const struct pose off = { 0.5, 0, 0 };

	begin(&room, "scan_beams = 4\nscan_from = 0deg");
	sensor_scan(&room.sensor, &off);
	cr_assert_float_eq(room.sensor.scan[0], 0.5, TINY);
	cr_assert_float_eq(room.sensor.scan[1], 1, TINY);
	cr_assert_float_eq(room.sensor.scan[2], 1.5, TINY);
	cr_assert_float_eq(room.sensor.scan[3], 1, TINY);
	end(&room);
}

Test(sensor, full_turn_has_no_beam_twice)
{
	struct garage g;

	garage_open(&g, "scan_beams = 360");
	cr_assert_float_eq(sensor_step(&g.settings), acos(-1.0) / 180, TINY);
	garage_close(&g);
	garage_open(&g, "scan_beams = 181\nscan_fov = 180deg");
	cr_assert_float_eq(sensor_step(&g.settings), acos(-1.0) / 180, TINY);
	garage_close(&g);
	garage_open(&g, "scan_beams = 4\nscan_fov = 6rad");
	cr_assert_float_eq(sensor_step(&g.settings), 2, TINY);
	garage_close(&g);
	garage_open(&g, "scan_beams = 2\nscan_fov = 1rad");
	cr_assert_float_eq(sensor_step(&g.settings), 1, TINY);
	garage_close(&g);
	garage_open(&g, "scan_beams = 1\nscan_fov = 0deg");
	cr_assert_eq(sensor_step(&g.settings), 0);
	garage_close(&g);
}

Test(sensor, sees_from_where_it_is_mounted)
{
	static struct room room;
	const struct pose turned = { 0, 0, acos(-1.0) / 2 };

	begin(&room, "scan_beams = 4\nscan_from = 0deg\nlidar_x = 20cm");
	sensor_scan(&room.sensor, &middle);
	cr_assert_float_eq(room.sensor.scan[0], 0.8, TINY);
	cr_assert_float_eq(room.sensor.scan[1], 1, TINY);
	/* turned in place, the mount goes round with the body */
	sensor_scan(&room.sensor, &turned);
	cr_assert_float_eq(room.sensor.scan[0], 0.8, TINY);
	cr_assert_float_eq(room.sensor.scan[2], 1.2, TINY);
	end(&room);
}

Test(sensor, what_is_out_of_its_limits_is_no_return)
{
	static struct room room;
	const struct pose near = { 0.95, 0, 0 };

	begin(&room, "scan_beams = 4\nscan_from = 0deg\nscan_max = 1.5m");
	sensor_scan(&room.sensor, &near);
	cr_assert_eq(room.sensor.scan[0], SENSOR_NO_RETURN);
	cr_assert_eq(room.sensor.too_close, 1);
	cr_assert_eq(room.sensor.scan[2], SENSOR_NO_RETURN);
	cr_assert_float_eq(room.sensor.scan[1], 1, TINY);
	end(&room);
}

Test(sensor, its_limits_belong_to_its_range)
{
	static struct room room;

	begin(&room, "scan_beams = 1\nscan_from = 0deg\nscan_fov = 0deg\n"
		     "scan_min = 1m");
	sensor_scan(&room.sensor, &middle);
	cr_assert_eq(room.sensor.scan[0], 1);
	cr_assert_eq(room.sensor.too_close, 0);
	end(&room);
	begin(&room, "scan_beams = 1\nscan_from = 0deg\nscan_fov = 0deg\n"
		     "scan_max = 1m");
	sensor_scan(&room.sensor, &middle);
	cr_assert_eq(room.sensor.scan[0], 1);
	/* a new trial begins without what was seen */
	room.sensor.too_close = 3;
	room.sensor.range[0] = 1;
	sensor_reset(&room.sensor, 1);
	cr_assert_eq(room.sensor.scan[0], 0);
	cr_assert_eq(room.sensor.range[0], 0);
	cr_assert_eq(room.sensor.too_close, 0);
	end(&room);
}

Test(sensor, beams_begin_where_they_are_told_from_where_the_body_looks)
{
	static struct room room;
	/* looking to the left wall, half a metre from it */
	const struct pose pose = { 0, 0.5, acos(-1.0) / 2 };
	const double want[] = { 1, 0.5, 1, 1.5 };

	begin(&room, "scan_beams = 4\nscan_from = -90deg\nscan_fov = 270deg");
	sensor_scan(&room.sensor, &pose);
	for (int i = 0; i < 4; i++)
		cr_assert_float_eq(room.sensor.scan[i], want[i], TINY);
	end(&room);
}

/* What becomes of a metre, by the draws that are due. */
static double measured(struct rng *rng)
{
	double noise = noise_normal(rng);
	bool lost = rng_uniform(rng) < 0.25;

	return lost ? 0 : 1 + noise * (0.01 + 0.02 * 1);
}

Test(sensor, each_beam_has_two_draws_and_so_has_a_range)
{
	static struct room room;
	struct rng rng;

	begin(&room, "scan_beams = 4\nscan_from = 0deg\nscan_noise = 1cm\n"
		     "scan_noise_share = 2%\nscan_dropout = 25%\n"
		     "range_sensors = 0 0 0 0 0 2, 0 0 0 0 0 2");
	noise_begin(&rng, 1, "sensor");
	for (int round = 0; round < 5; round++) {
		sensor_scan(&room.sensor, &middle);
		sensor_range(&room.sensor, &middle);
		for (int i = 0; i < 6; i++) {
			double want = measured(&rng);

			cr_assert_float_eq(i < 4 ? room.sensor.scan[i]
						 : room.sensor.range[i - 4],
					   want, TINY);
		}
	}
	end(&room);
}

Test(sensor, noise_brings_nothing_out_of_an_obstacle)
{
	static struct room room;
	const struct pose at_wall = { 1, 0, 0 };

	begin(&room, "scan_beams = 1\nscan_from = 0deg\nscan_fov = 0deg\n"
		     "scan_noise = 1m\nscan_min = 0m");
	for (int i = 0; i < 20; i++) {
		sensor_scan(&room.sensor, &at_wall);
		cr_assert_eq(room.sensor.scan[0], 0);
	}
	end(&room);
}

/* A reading of a cone half a radian to the left and right of 0.3, of which the
 * rays are a quarter apart, with a post at a metre in one direction.
 */
static double cone(double angle)
{
	static struct sensor sensor;
	struct garage g;
	char text[128], why[64];
	double x = cos(angle), y = sin(angle);

	snprintf(text, sizeof(text),
		 "{\"personas\":[{\"x\":%.9f,\"y\":%.9f,\"radio_m\":0.05}]}", x,
		 y);
	garage_open(&g, "range_sensors = 0 0 0.3 1 0.1 2");
	sensor.settings = &g.settings;
	sensor.world = world_parse_walls(text, strlen(text), why, sizeof(why));
	cr_assert(sensor.world, "%s", why);
	cr_assert(sensor_parse(&sensor, g.settings.range_sensors));
	sensor_reset(&sensor, 1);
	sensor_range(&sensor, &middle);
	world_free((struct world *)sensor.world);
	garage_close(&g);
	return sensor.range[0];
}

Test(sensor, a_cone_is_five_rays_from_edge_to_edge)
{
	for (int ray = -1; ray <= 5; ray++)
		cr_assert_float_eq(cone(0.3 - 0.5 + 0.25 * ray),
				   ray >= 0 && ray < 5 ? 0.95 : 0, 1e-6, "%d",
				   ray);
}

Test(sensor, an_empty_world_returns_nothing)
{
	static struct sensor sensor;
	struct garage g;

	garage_open(&g, "scan_beams = 8");
	sensor.settings = &g.settings;
	sensor_reset(&sensor, 1);
	sensor_scan(&sensor, &middle);
	for (int i = 0; i < 8; i++)
		cr_assert_eq(sensor.scan[i], SENSOR_NO_RETURN);
	garage_close(&g);
}

Test(sensor, noise_has_the_size_asked_for_and_never_leaves_the_limits)
{
	static struct room room;
	double sum = 0, squares = 0;
	int n = 0, lost = 0;

	begin(&room, "scan_beams = 1\nscan_fov = 0deg\nscan_from = 0deg\n"
		     "scan_noise = 10cm\nscan_max = 1.2m\nscan_min = 80cm\n"
		     "scan_dropout = 10%");
	for (int i = 0; i < 20000; i++) {
		double d;

		sensor_scan(&room.sensor, &middle);
		d = room.sensor.scan[0];
		if (d <= 0) {
			lost++;
			continue;
		}
		cr_assert(d >= 0.8 && d <= 1.2);
		sum += d - 1;
		squares += (d - 1) * (d - 1);
		n++;
	}
	/* cut at two sigma: variance 0.7737 sigma^2, of which 4.55 % are cut */
	cr_assert_float_eq(lost / 20000.0, 1 - 0.9 * 0.9545, 0.01);
	cr_assert_float_eq(sum / n, 0, 4 * 0.088 / sqrt(n));
	cr_assert_float_eq(squares / n, 0.01 * 0.7737, 0.0003);
	end(&room);
}

Test(sensor, rounds_to_its_quantum)
{
	static struct room room;

	begin(&room, "scan_beams = 16\nscan_quantum = 15mm");
	sensor_scan(&room.sensor, &middle);
	for (int i = 0; i < 16; i++) {
		double steps = room.sensor.scan[i] / 0.015;

		cr_assert_float_eq(steps, round(steps), 1e-6);
	}
	end(&room);
}

Test(sensor, range_sensor_is_the_nearest_of_its_cone)
{
	static struct room room;

	begin(&room, "range_sensors = 0.5 0 0 0.5 0.01 2, "
		     "0 0 0.785398163 0 0.01 1.2");
	sensor_range(&room.sensor, &middle);
	cr_assert_eq(room.sensor.n_rangers, 2);
	cr_assert_float_eq(room.sensor.range[0], 0.5, TINY);
	cr_assert_eq(room.sensor.range[1], SENSOR_NO_RETURN);
	end(&room);
}

Test(sensor, a_range_sensor_is_six_numbers)
{
	static struct sensor sensor;
	const struct ranger *r = &sensor.ranger[1];

	cr_assert(sensor_parse(&sensor, " 0 0 0 0 0 1 ,1 -2 3 4 5 6 "));
	cr_assert_eq(sensor.n_rangers, 2);
	cr_assert(r->x == 1 && r->y == -2 && r->yaw == 3);
	cr_assert(r->fov == 4 && r->lo == 5 && r->hi == 6);
	cr_assert(sensor_parse(&sensor, ""));
	cr_assert_eq(sensor.n_rangers, 0);
}

Test(sensor, refuses_lists_that_are_none)
{
	static const char *const bad[] = {
		"1 2 3",	  "0 0 0 0 2 1",
		"0 0 0 0 1 1",	  "0 0 0 -0.1 0 1",
		"0 0 0 0 -0.1 1", "0 0 0 0 0 1e999",
		"0 0 0 0 0 1 5",  "0 0 0 0 0 1; 0 0 0 0 0 1",
		"0 0 0 0 0 1,",	  "0 0 0 0 0 x",
	};
	static struct sensor sensor;
	char text[17 * 12 + 1] = "";

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_not(sensor_parse(&sensor, bad[i]), "%s", bad[i]);
	/* sixteen at most */
	for (int n = 1; n <= 17; n++) {
		snprintf(text + 12 * (n - 1), 13, "%c0 0 0 0 0 1",
			 n > 1 ? ',' : ' ');
		cr_assert_eq(sensor_parse(&sensor, text), n <= 16, "%d", n);
	}
}
