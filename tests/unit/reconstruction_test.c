/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * reconstruction_test.c - the operator's view, from what was released
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "vehicle/message.h"
#include "vehicle/reconstruction.h"

#define MS NSEC_PER_MS

/* A pose that was sampled at a time and is as far as it is old. */
static bool pose(struct reconstruction *r, nsec now, nsec sampled)
{
	const struct message_head head = { sampled, 1 };
	const struct message_motion motion = {
		.pose = { (double)sampled / 1e9, 0, 0.5 },
		.twist = { 0.25, 0, 0.125 },
	};
	char bytes[2048];
	size_t len = message_odom(bytes, sizeof(bytes), &head, &motion);

	return reconstruction_put(r, now, bytes, len);
}

static bool put(struct reconstruction *r, nsec now, const char *text)
{
	return reconstruction_put(r, now, text, strlen(text));
}

Test(reconstruction, knows_nothing_at_first)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);

	cr_assert_not(reconstruction_view(r)->has_pose);
	cr_assert_not(reconstruction_view(r)->has_scan);
	cr_assert_eq(reconstruction_age(r, 5 * MS), -1);
	reconstruction_free(r);
	reconstruction_free(NULL);
}

Test(reconstruction, shows_the_latest_pose_with_its_age)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);

	cr_assert(pose(r, 300 * MS, 100 * MS));
	cr_assert(pose(r, 320 * MS, 120 * MS));
	cr_assert_eq(reconstruction_view(r)->sampled, 120 * MS);
	cr_assert_eq(reconstruction_view(r)->shown, 320 * MS);
	cr_assert_float_eq(reconstruction_view(r)->pose.x, 0.12, 1e-9);
	cr_assert_float_eq(reconstruction_view(r)->pose.yaw, 0.5, 1e-9);
	cr_assert_float_eq(reconstruction_view(r)->twist.wz, 0.125, 1e-9);
	cr_assert_eq(reconstruction_age(r, 320 * MS), 200 * MS);
	cr_assert_eq(reconstruction_age(r, 400 * MS), 280 * MS);
	reconstruction_free(r);
}

Test(reconstruction, the_last_released_wins_even_if_older)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);

	pose(r, 10 * MS, 2 * MS);
	cr_assert(pose(r, 11 * MS, 1 * MS));
	cr_assert_eq(reconstruction_view(r)->sampled, 1 * MS);
	cr_assert_eq(reconstruction_counts(r)->backwards, 1);
	cr_assert_eq(reconstruction_counts(r)->poses, 2);
	reconstruction_free(r);
}

Test(reconstruction, stale_drop_stays_at_the_newest)
{
	struct reconstruction *r = reconstruction_new(STALE_DROP);

	pose(r, 10 * MS, 2 * MS);
	cr_assert_not(pose(r, 11 * MS, 1 * MS));
	cr_assert_eq(reconstruction_view(r)->sampled, 2 * MS);
	cr_assert_eq(reconstruction_counts(r)->stale, 1);
	/* the same moment once more is not older */
	cr_assert(pose(r, 12 * MS, 2 * MS));
	reconstruction_free(r);
}

Test(reconstruction, two_views_in_one_step_leave_the_last)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);

	pose(r, 50 * MS, 1 * MS);
	pose(r, 50 * MS, 2 * MS);
	cr_assert_eq(reconstruction_counts(r)->poses, 2);
	cr_assert_eq(reconstruction_view(r)->sampled, 2 * MS);
	reconstruction_free(r);
}

Test(reconstruction, reads_the_state_too_but_never_the_truth)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);
	const struct message_head head = { 7 * MS, 1 };
	const struct message_motion motion = { .pose = { 1, 2, 3 } };
	struct message_state state = { .motion = motion,
				       .model = &model_diff_drive,
				       .preset = "",
				       .radius = 1 };
	char bytes[4096];
	size_t len = message_truth(bytes, sizeof(bytes), &head, &motion);

	cr_assert_not(reconstruction_put(r, 9 * MS, bytes, len));
	cr_assert_not(reconstruction_view(r)->has_pose);
	len = message_state(bytes, sizeof(bytes), &head, &state);
	cr_assert(reconstruction_put(r, 9 * MS, bytes, len));
	cr_assert_float_eq(reconstruction_view(r)->pose.y, 2, 1e-9);
	reconstruction_free(r);
}

Test(reconstruction, what_it_cannot_read_changes_nothing)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);
	const char *const bad[] = {
		"",
		"raw bytes",
		"{}",
		"{\"type\":\"odom\"}",
		"{\"type\":\"odom\",\"header\":{\"stamp\":{\"sec\":-1,"
		"\"nanosec\":0}},\"pose\":{\"position\":{\"x\":1,\"y\":1},"
		"\"yaw\":0}}",
		"{\"type\":\"odom\",\"header\":{\"stamp\":{\"sec\":1e300,"
		"\"nanosec\":0}},\"pose\":{\"position\":{\"x\":1,\"y\":1},"
		"\"yaw\":0}}",
		"{\"type\":\"odom\",\"header\":{\"stamp\":{\"sec\":1,"
		"\"nanosec\":0}},\"pose\":{\"position\":{\"x\":null,\"y\":1},"
		"\"yaw\":0}}",
		"{\"angle_min\":0,\"angle_increment\":1,\"ranges\":[]}",
		"{\"angle_min\":0,\"ranges\":[1,2]}",
		"{\"angle_min\":0,\"angle_increment\":1,\"ranges\":[1,\"2\"]}",
		"{\"type\":\"scan\",\"angle_min\":0,\"angle_increment\":1,"
		"\"n\":3,\"offset\":2,\"ranges\":[1,2]}",
		"{\"type\":\"scan\",\"angle_min\":0,\"angle_increment\":1,"
		"\"n\":1e9,\"offset\":0,\"ranges\":[1,2]}",
		"{\"type\":\"sample\",\"x\":1,\"y\":2}",
	};
	size_t n = sizeof(bad) / sizeof(bad[0]);

	pose(r, 10 * MS, 2 * MS);
	for (size_t i = 0; i < n; i++)
		cr_assert_not(put(r, 20 * MS, bad[i]), "%s", bad[i]);
	cr_assert_eq(reconstruction_counts(r)->unknown, n);
	cr_assert_eq(reconstruction_counts(r)->received, n + 1);
	cr_assert_eq(reconstruction_view(r)->shown, 10 * MS);
	reconstruction_free(r);
}

static size_t scan_part(char *bytes, size_t size, nsec time, size_t part)
{
	static const double ranges[4] = { 1, 2, 3, 4 };
	const struct vehicle_settings settings = { .scan_beams = 4,
						   .scan_fov = 3,
						   .scan_max = 9 };
	const struct message_head head = { time, 1 };
	const struct message_scan scan = { &settings, ranges, 4, 0, part, 2 };

	return message_scan(bytes, size, &head, &scan);
}

Test(reconstruction, joins_the_parts_of_a_scan)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);
	const struct reconstruction_view *view = reconstruction_view(r);
	char bytes[2048];
	size_t len = scan_part(bytes, sizeof(bytes), 5 * MS, 1);

	cr_assert(reconstruction_put(r, 8 * MS, bytes, len));
	cr_assert_eq(view->n, 4);
	cr_assert_eq(view->range[0], 0);
	cr_assert_eq(view->range[3], 4);
	len = scan_part(bytes, sizeof(bytes), 5 * MS, 0);
	cr_assert(reconstruction_put(r, 9 * MS, bytes, len));
	for (int i = 0; i < 4; i++)
		cr_assert_eq(view->range[i], i + 1);
	cr_assert_float_eq(view->angle_step, 1, 1e-9);
	cr_assert_eq(view->scan_shown, 9 * MS);
	/* a part of another moment begins a new scan */
	len = scan_part(bytes, sizeof(bytes), 6 * MS, 1);
	cr_assert(reconstruction_put(r, 9 * MS, bytes, len));
	cr_assert_eq(view->range[0], 0);
	cr_assert_eq(view->range[3], 4);
	reconstruction_free(r);
}

Test(reconstruction, reads_the_reference_apps_scan)
{
	struct reconstruction *r = reconstruction_new(STALE_DROP);

	cr_assert(put(r, 3 * MS,
		      "{\"angle_min\":-1.5,\"angle_increment\":0.5,"
		      "\"ranges\":[1.5,0.0,2.5]}"));
	cr_assert(put(r, 4 * MS,
		      "{\"angle_min\":-1.5,\"angle_increment\":0.5,"
		      "\"ranges\":[4.5]}"));
	cr_assert_eq(reconstruction_view(r)->n, 1);
	cr_assert_float_eq(reconstruction_view(r)->range[0], 4.5, 1e-9);
	cr_assert_eq(reconstruction_view(r)->scan_sampled, -1);
	cr_assert_eq(reconstruction_counts(r)->stale, 0);
	reconstruction_free(r);
}

Test(reconstruction, reset_forgets_all)
{
	struct reconstruction *r = reconstruction_new(STALE_DROP);

	pose(r, 1000 * MS, 900 * MS);
	reconstruction_reset(r);
	cr_assert_not(reconstruction_view(r)->has_pose);
	cr_assert_eq(reconstruction_counts(r)->received, 0);
	/* the new trial's stamps begin at nought again */
	cr_assert(pose(r, 30 * MS, 20 * MS));
	reconstruction_free(r);
}

Test(reconstruction, every_cut_of_a_message_is_refused)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);
	const struct message_head head = { 7 * MS, 1 };
	const struct message_motion motion = { .pose = { 1, 2, 3 } };
	char bytes[2048];
	size_t len = message_odom(bytes, sizeof(bytes), &head, &motion);

	for (size_t n = 0; n < len; n++)
		cr_assert_not(reconstruction_put(r, 1, bytes, n));
	cr_assert_not(reconstruction_view(r)->has_pose);
	reconstruction_free(r);
}
