/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle_publish_test.c - what the streams say of a vehicle, number by number
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/garage.h"
#include "vehicle/noise.h"

#define MS   NSEC_PER_MS
#define S    NSEC_PER_S
#define HALF "{\"vx\":0.5,\"vy\":0,\"wz\":0}"
#define ROOM "-1,-1,1,-1\n1,-1,1,1\n1,1,-1,1\n-1,1,-1,-1\n"

static char last[4096];

/* Step up to a time: how many messages of a stream, and the last of them. */
static int take(struct garage *g, nsec until, const char *stream)
{
	struct publication p;
	int n = 0;

	while (vehicle_take(g->vehicle, until, &p))
		if (p.stream && strcmp(p.stream, stream) == 0) {
			cr_assert(p.len < sizeof(last));
			memcpy(last, p.bytes, p.len);
			last[p.len] = '\0';
			n++;
		} else if (!p.stream) {
			g->row = *p.row;
		}
	return n;
}

static void says(const char *words)
{
	cr_assert(strstr(last, words), "%s is not in %s", words, last);
}

Test(vehicle_publish, messages_are_counted_from_nought_in_each_trial)
{
	struct garage g;

	garage_start(&g, "odom_every = 20ms", NULL);
	for (int trial = 0; trial < 2; trial++) {
		cr_assert_eq(take(&g, 20 * MS, "odom"), 1);
		says("\"seq\":0,");
		cr_assert_eq(take(&g, 60 * MS, "odom"), 2);
		says("\"seq\":2,");
		vehicle_reset(g.vehicle, 1);
	}
	garage_close(&g);
}

Test(vehicle_publish, parts_of_a_scan_come_in_order_and_under_one_number)
{
	struct garage g;
	struct publication p;
	char want[64];
	int n = 0;

	garage_start(&g, "scan_beams = 5\nscan_part = 2", ROOM);
	while (vehicle_take(g.vehicle, 200 * MS, &p)) {
		if (!p.stream || strcmp(p.stream, "scan") != 0)
			continue;
		memcpy(last, p.bytes, p.len + 1);
		snprintf(want, sizeof(want),
			 "\"part\":%d,\"parts\":3,\"offset\":%d,", n % 3,
			 n % 3 * 2);
		says(want);
		snprintf(want, sizeof(want), "\"seq\":%d,", n / 3);
		says(want);
		n++;
	}
	cr_assert_eq(n, 6);
	garage_close(&g);
}

Test(vehicle_publish, each_stream_of_ranges_is_read_for_itself)
{
	const char *const streams[] = { "scan", "lidar", "range" };
	const char *const lines[] = { "scan_every = 100ms",
				      "scan_every = 0ms\nlidar_every = 100ms",
				      "scan_every = 0ms\nrange_every = 100ms\n"
				      "range_sensors = 0 0 0 0 0 2" };
	char text[256];

	for (int i = 0; i < 3; i++) {
		struct garage g;

		snprintf(text, sizeof(text),
			 "scan_beams = 1\nscan_fov = 0deg\n"
			 "scan_from = 0deg\n%s",
			 lines[i]);
		garage_start(&g, text, ROOM);
		cr_assert_eq(take(&g, 100 * MS, streams[i]), 1);
		says("\"ranges\":[1.000]");
		garage_close(&g);
	}
}

Test(vehicle_publish, limited_is_before_the_lag_and_realised_behind_it)
{
	struct garage g;

	garage_start(&g, "acceleration = 2\nturn_acceleration = 1\nlag = 10s",
		     NULL);
	garage_put(&g, 0, "{\"vx\":0.5,\"vy\":0,\"wz\":0.25}");
	cr_assert(take(&g, 100 * MS, "state"));
	says("\"limited\":{\"vx\":0.2000,\"vy\":0.0000,\"wz\":0.1000},"
	     "\"realised\":{\"vx\":0.0011,\"vy\":0.0000,\"wz\":0.0005}");
	garage_close(&g);
	garage_start(&g, "model = mecanum\nacceleration = 2\nlag = 10s", NULL);
	garage_put(&g, 0, "{\"vx\":0,\"vy\":0.5,\"wz\":0}");
	cr_assert(take(&g, 100 * MS, "state"));
	says("\"limited\":{\"vx\":0.0000,\"vy\":0.2000,\"wz\":0.0000},");
	garage_close(&g);
}

Test(vehicle_publish, a_car_is_limited_in_its_speed_alone)
{
	struct garage g;

	garage_start(&g, "model = ackermann\nstate_every = 10ms", NULL);
	cr_assert(take(&g, 10 * MS, "state"));
	says("\"steering_angle\":0.0000");
	garage_put(&g, 10 * MS, "{\"speed\":0.5,\"steering_angle\":0.02}");
	cr_assert(take(&g, 20 * MS, "state"));
	says("\"steering_angle\":0.0200");
	says("\"limited\":{\"vx\":0.5000,\"vy\":0.0000,\"wz\":0.0303},");
	garage_close(&g);
}

Test(vehicle_publish, the_seeds_rover_has_its_wheels_where_we_call_them)
{
	struct garage g;

	garage_start(&g, "preset = unite-waffle-pi\nstate_every = 20ms", NULL);
	garage_put(&g, 0, "{\"left\":0.033,\"right\":0.0176,\"dt\":0.02}");
	cr_assert(take(&g, 20 * MS, "state"));
	/* mirrored: its left is our right; and it turns to the left */
	says("\"name\":[\"left\",\"right\"],\"velocity\":[0.5333,1.0000]");
	says("\"limited\":{\"vx\":0.0253,\"vy\":0.0000,\"wz\":0.0537},"
	     "\"realised\":{\"vx\":0.0253,");
	garage_close(&g);
}

Test(vehicle_publish, a_wifi_sample_is_due_at_the_very_way)
{
	struct garage g;

	/* in powers of two, so that the way is exact: 1/64 m a step */
	garage_start(&g,
		     "step = 31.25ms\nwifi_every = 0.0625m\nstart_y = 5m\n"
		     "timeout = off",
		     NULL);
	garage_put(&g, 0, HALF);
	cr_assert_eq(take(&g, 124 * MS, "wifi-sample"), 0);
	cr_assert_eq(take(&g, 125 * MS, "wifi-sample"), 1);
	cr_assert_eq(take(&g, 1000 * MS, "wifi-sample"), 7);
	garage_close(&g);
	/* sideways in the map as well */
	garage_start(&g,
		     "wifi_every = 0.1m\nstart_y = 5m\nstart_yaw = 90deg\n"
		     "timeout = off",
		     NULL);
	garage_put(&g, 0, HALF);
	cr_assert_eq(take(&g, 2100 * MS, "wifi-sample"), 10);
	garage_close(&g);
}

Test(vehicle_publish, signal_falls_with_the_distance_from_the_origin)
{
	struct garage g;
	struct rng rng;
	char want[64];
	int k = 0;

	garage_start(&g, "wifi_every = 0.25m\nstart_x = 0.2m\ntimeout = off",
		     NULL);
	noise_begin(&rng, 1, "wifi");
	garage_put(&g, 0, "{\"vx\":5,\"vy\":0,\"wz\":0}");
	for (nsec at = 10 * MS; at <= 2 * S; at += 10 * MS) {
		double rssi;

		if (!take(&g, at, "wifi-sample"))
			continue;
		/* -40 dBm within a metre, 20 dB a decade, 2 dB of noise */
		rssi = -40 + 2 * noise_normal(&rng) -
		       20 * log10(fmax(g.row.truth.x, 1));
		snprintf(want, sizeof(want), "\"rssi\":%d,", (int)round(rssi));
		says(want);
		snprintf(want, sizeof(want), "\"k\":%d,", k++);
		says(want);
	}
	cr_assert_geq(k, 39);
	garage_close(&g);
}
