/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * replay.c - delays and losses as they were recorded
 *
 * Floor: conditions.
 *
 * A file without times goes by packet: packet n has the delay of row n.  A file
 * with times goes by the trial's clock: a row holds until the next one's time,
 * and the first one also before its own.  Behind the last row that row holds,
 * or, with repeat, the file begins again: by packet behind the last row, by
 * time at the time of the last row.
 */
#include <stdio.h>

#include "conditions/condition.h"
#include "conditions/lookup.h"

struct replay_settings {
	struct series file;
	bool repeat;
};

struct replay_state {
	uint64_t n;
};

static const struct setting replay_table[] = {
	{ .name = "file",
	  .kind = SETTING_SERIES_FILE,
	  .offset = offsetof(struct replay_settings, file),
	  .text = "CSV file with the header delay_ms, one row for each packet, "
		  "or time_s,delay_ms; a row may have the word lost for a "
		  "delay" },
	{ .name = "repeat",
	  .kind = SETTING_SWITCH,
	  .offset = offsetof(struct replay_settings, repeat),
	  .preset = "no",
	  .text = "Whether it begins again behind the last row, which "
		  "otherwise holds" },
};

static int replay_check(const void *from, char *why, size_t size)
{
	const struct replay_settings *settings = from;
	const struct series *file = &settings->file;

	if (settings->repeat && file->n && file->at && !file->at[file->n - 1]) {
		snprintf(why, size,
			 "repeat needs a last row later than 0: its time is "
			 "the period");
		return -1;
	}
	return 0;
}

static nsec replay_apply(const struct turn *turn)
{
	const struct replay_settings *settings = turn->settings;
	const struct series *file = &settings->file;
	struct replay_state *state = turn->state;
	uint64_t row = state->n++;
	nsec now = turn->now;

	if (!file->n)
		return 0;
	if (file->at) {
		if (settings->repeat && file->at[file->n - 1])
			now %= file->at[file->n - 1];
		row = lookup(file->at, file->n, now);
		row -= row > 0;
	} else if (row >= file->n) {
		row = settings->repeat ? row % file->n : file->n - 1;
	}
	return file->value[row] < 0 ? DELAY_SUPPRESS : file->value[row];
}

extern const struct condition condition_replay;
const struct condition condition_replay = {
	.abi = CONDITION_ABI,
	.name = "replay",
	.text = "delays and losses as they were recorded, by packet or by time",
	.settings = replay_table,
	.n_settings = sizeof(replay_table) / sizeof(replay_table[0]),
	.settings_size = sizeof(struct replay_settings),
	.state_size = sizeof(struct replay_state),
	.check = replay_check,
	.apply = replay_apply,
};
