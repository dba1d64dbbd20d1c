/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * profile.c - a delay that follows points on the trial's clock
 *
 * Floor: conditions.
 *
 * Before the first point its delay holds, behind the last one that one's.  With
 * repeat the trial's clock starts again at the time of the last point.  Of
 * points at one time the last one counts from that time on: a jump.  Where a
 * profile falls faster than time passes, packets overtake each other.
 */
#include <stdio.h>

#include "conditions/condition.h"
#include "conditions/lookup.h"

__extension__ typedef __int128 wide;

struct profile_settings {
	struct points points, file;
	int interpolate;
	bool repeat;
};

enum { INTERPOLATE_STEP, INTERPOLATE_LINEAR };

static const struct setting profile_table[] = {
	{ .name = "points",
	  .kind = SETTING_POINTS,
	  .offset = offsetof(struct profile_settings, points),
	  .preset = "",
	  .text = "Times and delays: 0s 100ms, 10s 300ms" },
	{ .name = "file",
	  .kind = SETTING_POINTS_FILE,
	  .offset = offsetof(struct profile_settings, file),
	  .preset = "",
	  .text = "Instead of points: a CSV file with the header "
		  "time_s,delay_ms" },
	{ .name = "interpolate",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct profile_settings, interpolate),
	  .preset = "step",
	  .choices = "step|linear",
	  .text = "Whether a delay holds until the next point, or goes "
		  "straight to it" },
	{ .name = "repeat",
	  .kind = SETTING_SWITCH,
	  .offset = offsetof(struct profile_settings, repeat),
	  .preset = "no",
	  .text = "Whether it starts again at the time of the last point" },
};

static int profile_check(const void *from, char *why, size_t size)
{
	const struct profile_settings *settings = from;
	const struct points *points =
		settings->file.n ? &settings->file : &settings->points;

	if (settings->file.n && settings->points.n)
		snprintf(why, size, "points or file, not both");
	else if (!points->n)
		snprintf(why, size,
			 "no points: write points = 0s 100ms, 10s 300ms, or "
			 "file = FILE.csv");
	else if (settings->repeat && !points->at[points->n - 1])
		snprintf(why, size,
			 "repeat needs a last point later than 0s: its time is "
			 "the period");
	else
		return 0;
	return -1;
}

static nsec profile_apply(const struct turn *turn)
{
	const struct profile_settings *settings = turn->settings;
	const struct points *points =
		settings->file.n ? &settings->file : &settings->points;
	nsec now = turn->now, span;
	wide rise;
	size_t i;

	if (!points->n)
		return 0;
	if (settings->repeat && points->at[points->n - 1])
		now %= points->at[points->n - 1];
	i = lookup(points->at, points->n, now);
	if (!i)
		return points->value[0];
	if (i == points->n || settings->interpolate == INTERPOLATE_STEP)
		return points->value[i - 1];
	span = points->at[i] - points->at[i - 1];
	rise = points->value[i] - points->value[i - 1];
	return points->value[i - 1] +
	       (nsec)(rise * (now - points->at[i - 1]) / span);
}

extern const struct condition condition_profile;
const struct condition condition_profile = {
	.abi = CONDITION_ABI,
	.name = "profile",
	.text = "a delay that follows points on the trial's clock",
	.settings = profile_table,
	.n_settings = sizeof(profile_table) / sizeof(profile_table[0]),
	.settings_size = sizeof(struct profile_settings),
	.check = profile_check,
	.apply = profile_apply,
};
