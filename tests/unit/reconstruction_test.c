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
	cr_assert_eq(reconstruction_view(r)->sampled, -1);
	cr_assert_eq(reconstruction_view(r)->scan_sampled, -1);
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
	/* the same moment once more is not older; the very first one is */
	cr_assert(pose(r, 12 * MS, 2 * MS));
	cr_assert_not(pose(r, 13 * MS, 0));
	cr_assert_eq(reconstruction_counts(r)->stale, 2);
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

/* A pose of which some of the text is another. */
static bool put_pose(struct reconstruction *r, const char *stamp,
		     const char *place, const char *more)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "{\"type\":\"odom\",\"header\":{\"stamp\":{%s}},\"pose\":{"
		 "\"position\":{%s},\"yaw\":0.5}%s}",
		 stamp, place, more);
	return put(r, 1, text);
}

Test(reconstruction, a_pose_needs_a_stamp_of_a_clock_and_a_place)
{
	struct reconstruction *r = reconstruction_new(STALE_KEEP);
	const struct reconstruction_view *view = reconstruction_view(r);
	const char *place = "\"x\":1,\"y\":2", *now = "\"sec\":1,\"nanosec\":5";

	cr_assert(put_pose(r, "\"sec\":0,\"nanosec\":0", place, ""));
	cr_assert_eq(view->sampled, 0);
	/* what does not move need not say so */
	cr_assert_eq(view->twist.vx, 0);
	cr_assert_eq(view->twist.wz, 0);
	cr_assert(put_pose(r, "\"sec\":3,\"nanosec\":999999999", place, ""));
	cr_assert_eq(view->sampled, 3999999999);
	cr_assert(put_pose(r, "\"sec\":4e9,\"nanosec\":0", place, ""));
	cr_assert_eq(view->sampled, 4000000000 * NSEC_PER_S);
	cr_assert_not(
		put_pose(r, "\"sec\":4000000001,\"nanosec\":0", place, ""));
	cr_assert_not(put_pose(r, "\"sec\":1,\"nanosec\":1e9", place, ""));
	cr_assert_not(put_pose(r, "\"sec\":1,\"nanosec\":-1", place, ""));
	cr_assert_not(put_pose(r, "\"sec\":-1,\"nanosec\":5", place, ""));
	cr_assert_not(put_pose(r, "\"sec\":1", place, ""));
	cr_assert_not(put_pose(r, now, "\"x\":1", ""));
	cr_assert_not(put_pose(r, now, "\"x\":1,\"y\":\"2\"", ""));
	cr_assert_not(put_pose(r, now, "\"x\":1,\"y\":2,\"x\":1", ""));
	cr_assert_not(put_pose(r, now, place, ",\"type\":\"odom\""));
	/* ranges make no scan of what says that it is a pose */
	cr_assert(put_pose(r, now, place, ",\"ranges\":[1,2]"));
	cr_assert_not(view->has_scan);
	cr_assert_eq(view->sampled, NSEC_PER_S + 5);
	reconstruction_free(r);
}

/* A part of a scan of @n beams that has one or no range at @offset. */
static bool put_scan(struct reconstruction *r, const char *n,
		     const char *offset, const char *ranges)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "{\"type\":\"scan\",\"angle_min\":0,\"angle_increment\":1,"
		 "\"n\":%s,\"offset\":%s,\"ranges\":[%s]}",
		 n, offset, ranges);
	return put(r, 1, text);
}

Test(reconstruction, a_part_lies_within_its_scan)
{
	static const struct {
		const char *n, *offset, *ranges;
		bool fits;
	} rows[] = {
		{ "1", "0", "5", true },	  { "2000", "1999", "5", true },
		{ "2000", "1998", "5,5", true },  { "3", "3", "", true },
		{ "2001", "0", "5", false },	  { "0", "0", "", false },
		{ "2000", "1999", "5,5", false }, { "1", "-1", "5", false },
		{ "3", "3", "5", false },	  { "3", "4", "", false },
	};
	struct reconstruction *r = reconstruction_new(STALE_KEEP);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_eq(
			put_scan(r, rows[i].n, rows[i].offset, rows[i].ranges),
			rows[i].fits, "%zu", i);
	cr_assert(put_scan(r, "2000", "1999", "5"));
	cr_assert_eq(reconstruction_view(r)->n, 2000);
	cr_assert_eq(reconstruction_view(r)->range[1999], 5);
	cr_assert_eq(reconstruction_view(r)->range[1998], 0);
	/* without a type there are ranges, or it is none */
	cr_assert_not(put(r, 1,
			  "{\"angle_min\":0,\"angle_increment\":1,\"n\":3,"
			  "\"offset\":0}"));
	cr_assert_not(put(r, 1,
			  "{\"type\":\"scan\",\"angle_min\":0,"
			  "\"angle_increment\":1,\"ranges\":[]}"));
	reconstruction_free(r);
}

Test(reconstruction, a_scan_has_as_many_ranges_as_there_is_room_for)
{
	static char text[4 * RECONSTRUCTION_BEAMS + 128];
	struct reconstruction *r = reconstruction_new(STALE_KEEP);

	for (int n = RECONSTRUCTION_BEAMS; n <= RECONSTRUCTION_BEAMS + 1; n++) {
		size_t len = (size_t)snprintf(text, sizeof(text),
					      "{\"angle_min\":0,"
					      "\"angle_increment\":1,"
					      "\"ranges\":[1");

		for (int i = 1; i < n; i++, len += 2)
			memcpy(text + len, ",7", 2);
		snprintf(text + len, sizeof(text) - len, "]}");
		cr_assert_eq(put(r, 1, text), n == RECONSTRUCTION_BEAMS);
	}
	cr_assert_eq(reconstruction_view(r)->n, RECONSTRUCTION_BEAMS);
	cr_assert_eq(reconstruction_view(r)->range[RECONSTRUCTION_BEAMS - 1],
		     7);
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
