/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * message_test.c - what is published, byte for byte
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/unit/garage.h"
#include "vehicle/json.h"
#include "vehicle/message.h"

static char out[MESSAGE_MAX];
static const struct message_head head = { 24 * NSEC_PER_S + 120000000, 1201 };

/* Every value of a message is there: none is null. */
static bool no_null(void *context, const struct json_value *value)
{
	int *n = context;

	(*n)++;
	return value->kind != JSON_NULL;
}

static int count_values(const char *text, size_t len)
{
	int n = 0;

	cr_assert_eq(json_walk(text, len, no_null, &n), JSON_END_DONE, "%.*s",
		     (int)len, text);
	cr_assert_null(memchr(text, 'N', len), "%.*s", (int)len, text);
	return n;
}

Test(message, odom_has_names_units_and_frames_of_ros)
{
	const struct message_motion motion = {
		.pose = { 1.25, 0.1, 0.2 },
		.twist = { 0.15, -0.00001, 0.32 },
	};
	size_t len = message_odom(out, sizeof(out), &head, &motion);

	cr_assert_str_eq(
		out, "{\"schema\":\"farlink/1\",\"type\":\"odom\",\"seq\":1201,"
		     "\"source\":\"sim\",\"header\":{\"stamp\":{\"sec\":24,"
		     "\"nanosec\":120000000},\"frame_id\":\"odom\"},"
		     "\"child_frame_id\":\"base_link\",\"pose\":{\"position\":{"
		     "\"x\":1.2500,\"y\":0.1000,\"z\":0.0},\"orientation\":{"
		     "\"x\":0.0,\"y\":0.0,\"z\":0.099833417,\"w\":0.995004165},"
		     "\"yaw\":0.200000},\"twist\":{\"linear\":{\"x\":0.1500,"
		     "\"y\":0.0000,\"z\":0.0},\"angular\":{\"x\":0.0,\"y\":0.0,"
		     "\"z\":0.3200}}}");
	cr_assert_eq(len, strlen(out));
	count_values(out, len);
}

Test(message, yaw_is_wrapped_and_its_quaternion_of_norm_one)
{
	const struct message_motion motion = { .pose = { 0, 0, 4 } };

	message_odom(out, sizeof(out), &head, &motion);
	cr_assert(strstr(out, "\"yaw\":-2.283185"));
	cr_assert(strstr(out, "\"z\":-0.909297427,\"w\":0.416146837"));
}

Test(message, twist_is_in_the_frame_of_the_body)
{
	struct garage g;
	struct publication p;
	char last[2048] = "";

	garage_start(&g, "start_yaw = 90deg\ntruth_every = 20ms", NULL);
	garage_put(&g, 0, "{\"vx\":0.2,\"vy\":0,\"wz\":0}");
	while (vehicle_take(g.vehicle, 100 * NSEC_PER_MS, &p))
		if (p.stream && strcmp(p.stream, "truth") == 0)
			memcpy(last, p.bytes, p.len + 1);
	cr_assert(strstr(last, "\"linear\":{\"x\":0.2000,\"y\":0.0000"), "%s",
		  last);
	cr_assert(strstr(last, "\"position\":{\"x\":0.0000,\"y\":0.0200"), "%s",
		  last);
	cr_assert(strstr(last, "\"odom_origin\":{\"x\":0.0000,\"y\":0.0000,"
			       "\"yaw\":1.570796}"));
	garage_close(&g);
}

Test(message, every_stream_is_json_without_null_and_bounded)
{
	const char *const lines[] = {
		"preset = rosbot-2r\ntruth_every = 20ms\nrange_every = 20ms\n"
		"lidar_every = 100ms\nwifi_every = 1cm",
		"model = ackermann\ntruth_every = 20ms",
		"preset = unite-waffle-pi",
		"model = mecanum\nscan_beams = 2000\nscan_part = 2000\n"
		"scan_max = 1000m\nlidar_every = 100ms",
		"model = position-delta",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct garage g;
		struct publication p;

		garage_start(&g, lines[i], "500,-1000,500,1000\n");
		garage_put(&g, 0, "{\"vx\":0.2,\"vy\":0,\"wz\":0.1}");
		while (vehicle_take(g.vehicle, 300 * NSEC_PER_MS, &p)) {
			if (!p.stream)
				continue;
			cr_assert(p.len > 0 && p.len < MESSAGE_MAX, "%s",
				  p.stream);
			cr_assert_geq(count_values(p.bytes, p.len), 3);
		}
		garage_close(&g);
	}
}

Test(message, default_datagrams_fit_into_a_frame)
{
	struct garage g;
	struct publication p;

	garage_start(&g, "start_x = -99999m\ntruth_every = 20ms", NULL);
	garage_put(&g, 0, "{\"vx\":0.2,\"vy\":0,\"wz\":0.1}");
	while (vehicle_take(g.vehicle, NSEC_PER_S, &p))
		cr_assert_leq(p.len, 1200, "%s", p.stream);
	garage_close(&g);
}

Test(message, state_tells_requested_from_realised)
{
	struct garage g;
	struct publication p;
	char last[2048] = "";

	garage_start(&g, "acceleration = 1\npreset = turtlebot3-waffle-pi",
		     NULL);
	garage_put(&g, 0, "{\"vx\":0.2,\"vy\":0,\"wz\":0}");
	garage_put(&g, 0, "{");
	while (vehicle_take(g.vehicle, 40 * NSEC_PER_MS, &p))
		if (p.stream && strcmp(p.stream, "state") == 0)
			memcpy(last, p.bytes, p.len + 1);
	cr_assert(strstr(last, "\"vehicle\":{\"model\":\"diff-drive\","
			       "\"preset\":\"turtlebot3-waffle-pi\"}"));
	cr_assert(strstr(last, "\"cmd\":{\"received\":true,\"count\":1,"
			       "\"rejected\":1,\"overflow\":0,\"ignored\":0,"
			       "\"age_ms\":40,\"timed_out\":false,"
			       "\"requested\":{\"vx\":0.2000,\"vy\":0.0000,"
			       "\"wz\":0.0000},\"limited\":{\"vx\":0.0400,"
			       "\"vy\":0.0000,\"wz\":0.0000},\"realised\":{"
			       "\"vx\":0.0400,"),
		  "%s", last);
	cr_assert(strstr(last, "\"tick\":{\"dt\":0.010000,\"k\":4}}"));
	garage_close(&g);
}

/* A state's text, from a member of it up to another. */
static void assert_state(const struct message_state *state, const char *from,
			 const char *to, const char *want)
{
	const char *at, *end;

	cr_assert(message_state(out, sizeof(out), &head, state));
	at = strstr(out, from);
	end = strstr(out, to);
	cr_assert(at && end, "%s", out);
	cr_assert_eq(strlen(want), (size_t)(end - at), "%s", at);
	cr_assert_eq(strncmp(at, want, strlen(want)), 0, "%s", at);
}

Test(message, state_tells_whether_and_when_a_command_came)
{
	struct message_state state = {
		.model = &model_diff_drive, .preset = "", .radius = 1, .age = -1
	};

	assert_state(&state, "\"cmd\"", "\"requested\"",
		     "\"cmd\":{\"received\":false,\"count\":0,\"rejected\":0,"
		     "\"overflow\":0,\"ignored\":0,\"age_ms\":-1,"
		     "\"timed_out\":false,");
	/* in the very step in which it came */
	state.age = 0;
	state.accepted = 1;
	assert_state(&state, "\"cmd\"", "\"requested\"",
		     "\"cmd\":{\"received\":true,\"count\":1,\"rejected\":0,"
		     "\"overflow\":0,\"ignored\":0,\"age_ms\":0,"
		     "\"timed_out\":false,");
	state.age = 999999999;
	state.rejected = 2;
	state.overflow = 3;
	state.ignored = 4;
	state.timed_out = true;
	assert_state(&state, "\"cmd\"", "\"requested\"",
		     "\"cmd\":{\"received\":true,\"count\":1,\"rejected\":2,"
		     "\"overflow\":3,\"ignored\":4,\"age_ms\":999,"
		     "\"timed_out\":true,");
}

Test(message, state_names_each_wheel_with_its_speed)
{
	struct message_state state = {
		.model = &model_ackermann,
		.preset = "",
		.radius = 0.03,
		.drive = { { 0.1, -0.2, 9, 9 }, -0.12346 },
		.saturated = true,
	};

	assert_state(&state, "\"actuation\"", ",\"flags\"",
		     "\"actuation\":{\"name\":[\"rear_left\",\"rear_right\"],"
		     "\"velocity\":[3.3333,-6.6667],\"steering_angle\":"
		     "-0.1235,\"saturated\":true}");
	state.model = &model_mecanum;
	assert_state(&state, "\"actuation\"", ",\"steering_angle\"",
		     "\"actuation\":{\"name\":[\"front_left\","
		     "\"front_right\",\"rear_left\",\"rear_right\"],"
		     "\"velocity\":[3.3333,-6.6667,300.0000,300.0000]");
}

Test(message, a_scan_is_described_in_full)
{
	const double ranges[4] = { 1, 2, 3, 4 };
	struct garage g;
	struct message_scan scan = {
		.ranges = ranges, .n = 4, .parts = 2, .part = 1, .too_close = 7
	};

	garage_open(&g, "scan_beams = 4\nscan_fov = 1rad\nscan_from = 1rad\n"
			"scan_every = 125ms\nscan_min = 0.0625m\n"
			"scan_max = 12.0625m");
	scan.settings = &g.settings;
	cr_assert_eq(message_scan(out, sizeof(out), &head, &scan), strlen(out));
	cr_assert_str_eq(
		out, "{\"schema\":\"farlink/1\",\"type\":\"scan\",\"seq\":1201,"
		     "\"source\":\"sim\",\"header\":{\"stamp\":{\"sec\":24,"
		     "\"nanosec\":120000000},\"frame_id\":\"laser\"},"
		     "\"angle_min\":1.00000000,\"angle_max\":2.00000000,"
		     "\"angle_increment\":0.33333333,\"time_increment\":0.0,"
		     "\"scan_time\":0.125000,\"range_min\":0.063,"
		     "\"range_max\":12.063,\"n\":4,\"no_return\":0.0,"
		     "\"too_close\":7,\"part\":1,\"parts\":2,\"offset\":2,"
		     "\"ranges\":[3.000,4.000]}");
	garage_close(&g);
}

Test(message, range_sensors_are_described_one_by_one)
{
	const struct sensor sensor = {
		.ranger = { { 1, 2, 0.21816, 0.43633, 0.0104, 0.9 },
			    { 1, 2, -2.9234, 0.5, 0, 12 },
			    { 9, 9, 9, 9, 9, 9 } },
		.n_rangers = 2,
		.range = { 0.25049, 0, 9 },
	};

	cr_assert(message_range(out, sizeof(out), &head, &sensor));
	cr_assert_str_eq(
		strstr(out, "\"frame_id\""),
		"\"frame_id\":\"base_link\"},\"no_return\":0.0,\"sensors\":["
		"{\"yaw\":0.2182,\"field_of_view\":0.4363,\"min_range\":0.010,"
		"\"max_range\":0.900},{\"yaw\":-2.9234,\"field_of_view\":"
		"0.5000,\"min_range\":0.000,\"max_range\":12.000}],"
		"\"ranges\":[0.250,0.000]}");
}

Test(message, scan_comes_in_parts_that_say_so)
{
	const double ranges[5] = { 1.2034, 0, 3, 4, 5 };
	struct garage g;
	struct message_scan scan = { .ranges = ranges, .n = 5, .parts = 2 };

	garage_open(&g, "scan_beams = 5\nscan_fov = 90deg\nscan_from = -45deg");
	scan.settings = &g.settings;
	message_scan(out, sizeof(out), &head, &scan);
	cr_assert(strstr(out, "\"frame_id\":\"laser\""));
	cr_assert(strstr(out, "\"angle_min\":-0.78539816,\"angle_max\":"
			      "0.78539816,\"angle_increment\":0.39269908"));
	cr_assert(strstr(out, "\"n\":5,\"no_return\":0.0,\"too_close\":0,"
			      "\"part\":0,\"parts\":2,\"offset\":0,"
			      "\"ranges\":[1.203,0.000,3.000]}"));
	scan.part = 1;
	message_scan(out, sizeof(out), &head, &scan);
	cr_assert(strstr(out, "\"part\":1,\"parts\":2,\"offset\":3,"
			      "\"ranges\":[4.000,5.000]}"));
	message_lidar(out, sizeof(out), &scan);
	cr_assert_str_eq(out, "{\"angle_min\":-0.78539816,\"angle_increment\":"
			      "0.39269908,\"ranges\":[1.203,0.000,3.000,4.000,"
			      "5.000]}");
	garage_close(&g);
}

Test(message, wifi_sample_is_that_of_the_reference_app)
{
	const struct message_wifi sample = {
		.time = 1500 * NSEC_PER_MS,
		.ssid = "lab",
		.rssi = -52.4,
		.pose = { 1.5, -2, 0 },
		.k = 3,
	};

	message_wifi(out, sizeof(out), &sample);
	cr_assert_str_eq(out,
			 "{\"type\":\"sample\",\"t\":1.500,\"ssid\":\"lab\","
			 "\"bssid\":\"02:00:00:00:00:01\",\"rssi\":-52,"
			 "\"x\":1.5000,\"y\":-2.0000,\"k\":3,"
			 "\"map_origin_x\":0.0,\"map_origin_y\":0.0}");
}

Test(message, is_left_out_rather_than_cut)
{
	const struct message_motion motion = { .pose = { 0, 0, 0 } };

	cr_assert_eq(message_odom(out, 100, &head, &motion), 0);
	cr_assert_lt(strlen(out), 100);
}

Test(message, holds_no_number_that_json_cannot)
{
	const struct message_motion motion = {
		.pose = { NAN, INFINITY, 0 },
		.twist = { -INFINITY, 1e300, 0 },
	};
	size_t len = message_odom(out, sizeof(out), &head, &motion);

	cr_assert(len);
	count_values(out, len);
	cr_assert(strstr(out, "\"position\":{\"x\":0.0000,\"y\":0.0000"));
}
