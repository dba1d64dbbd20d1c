/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sensor_test.c - lidar and range sensors: mounting, limits, noise
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/unit/garage.h"
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

Test(sensor, refuses_lists_that_are_none)
{
	static struct sensor sensor;

	cr_assert(sensor_parse(&sensor, ""));
	cr_assert_not(sensor_parse(&sensor, "1 2 3"));
	cr_assert_not(sensor_parse(&sensor, "0 0 0 0 2 1"));
	cr_assert_not(sensor_parse(&sensor, "0 0 0 0 0 1 5"));
	cr_assert_not(sensor_parse(&sensor, "0 0 0 0 0 1; 0 0 0 0 0 1"));
}
