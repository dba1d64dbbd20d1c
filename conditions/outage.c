/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * outage.c - blackouts on the trial's clock
 *
 * Floor: conditions.
 *
 * An outage lasts from its beginning to just before its end.  What comes in it
 * is suppressed, or held until the end and then released in its order.  With
 * every the whole list comes again each period, for as long as a trial lasts.
 */
#include <stdio.h>

#include "conditions/condition.h"
#include "conditions/lookup.h"

struct outage_settings {
	struct times at;
	nsec length, every;
	struct points file;
	int mode;
};

enum { MODE_DROP, MODE_HOLD };

static const struct setting outage_table[] = {
	{ .name = "at",
	  .kind = SETTING_TIMES,
	  .offset = offsetof(struct outage_settings, at),
	  .preset = "",
	  .text = "When outages begin, on the trial's clock, upwards" },
	{ .name = "for",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct outage_settings, length),
	  .hi = (double)DELAY_MAX,
	  .preset = "0ms",
	  .text = "How long each lasts" },
	{ .name = "every",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct outage_settings, every),
	  .hi = 1e15,
	  .preset = "0ms",
	  .text = "Period after which all of them come again; 0 is once" },
	{ .name = "file",
	  .kind = SETTING_SPANS_FILE,
	  .offset = offsetof(struct outage_settings, file),
	  .preset = "",
	  .text = "Instead of at and for: a CSV file with the header "
		  "at_s,for_s" },
	{ .name = "mode",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct outage_settings, mode),
	  .preset = "drop",
	  .choices = "drop|hold",
	  .text = "Whether packets are suppressed, or held until the end" },
};

/* From the first outage's beginning to the last one's end; and whether any two
 * overlap.
 */
static nsec span_of(const struct outage_settings *settings, bool *overlap)
{
	const struct times *at = &settings->at;
	const struct points *file = &settings->file;

	*overlap = false;
	if (file->n)
		return file->at[file->n - 1] - file->at[0] +
		       file->value[file->n - 1];
	for (size_t i = 1; i < at->n; i++)
		*overlap |= at->v[i] - at->v[i - 1] < settings->length;
	return at->n ? at->v[at->n - 1] - at->v[0] + settings->length : 0;
}

static int outage_check(const void *from, char *why, size_t size)
{
	const struct outage_settings *settings = from;
	const struct points *file = &settings->file;
	bool overlap;
	nsec span = span_of(settings, &overlap);

	if (file->n && (settings->at.n || settings->length))
		snprintf(why, size,
			 "file says when and how long; leave out at and for, "
			 "or leave out file");
	else if (!file->n && !settings->at.n)
		snprintf(why, size,
			 "no outage: write at = 10s, 30s and for = 2s, or file "
			 "= FILE.csv");
	else if (overlap)
		snprintf(why, size,
			 "an outage begins before the one before it ends; "
			 "write a shorter for, or times further apart");
	else if (settings->every && span > settings->every)
		snprintf(why, size,
			 "the list is longer than every, so it would come "
			 "again before it ends; write a longer every");
	else
		return 0;
	return -1;
}

static nsec outage_apply(const struct turn *turn)
{
	const struct outage_settings *settings = turn->settings;
	const struct points *file = &settings->file;
	const nsec *at = file->n ? file->at : settings->at.v;
	size_t i, n = file->n ? file->n : settings->at.n;
	nsec now = turn->now, end;

	if (n && settings->every && now > at[0])
		now -= (now - at[0]) / settings->every * settings->every;
	i = lookup(at, n, now);
	if (!i)
		return 0;
	end = at[i - 1] + (file->n ? file->value[i - 1] : settings->length);
	if (now >= end)
		return 0;
	return settings->mode == MODE_HOLD ? end - now : DELAY_SUPPRESS;
}

extern const struct condition condition_outage;
const struct condition condition_outage = {
	.abi = CONDITION_ABI,
	.name = "outage",
	.text = "blackouts on the trial's clock",
	.settings = outage_table,
	.n_settings = sizeof(outage_table) / sizeof(outage_table[0]),
	.settings_size = sizeof(struct outage_settings),
	.check = outage_check,
	.apply = outage_apply,
};
