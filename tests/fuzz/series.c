/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * series.c - lists and the files that settings name, whatever is in them
 *
 * Floor: tests.
 *
 * The first byte of an input chooses the kind of setting, as a letter from 'a';
 * the rest is the value in the arm or the text of the file.
 */
#include <stdlib.h>
#include <string.h>

#include "conditions/distribution.h"
#include "core/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const enum setting_kind kinds[] = {
	SETTING_TIMES,	     SETTING_COUNTS,	  SETTING_POINTS,
	SETTING_POINTS_FILE, SETTING_SPANS_FILE,  SETTING_TRACE_FILE,
	SETTING_SERIES_FILE, SETTING_DISTRIBUTION
};

/* What is read, big enough for any kind. */
union member {
	struct times times;
	struct counts counts;
	struct points points;
	struct series series;
	struct distribution law;
};

struct text {
	const char *at;
	size_t size;
};

static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	const struct text *text = context;

	(void)name;
	(void)why;
	(void)why_size;
	*size = text->size;
	return text->at;
}

static void hold(bool what)
{
	if (!what)
		abort();
}

static void ascend(size_t n, const int64_t *v)
{
	for (size_t i = 0; i < n; i++)
		hold(v[i] >= 0 && (!i || v[i] >= v[i - 1]));
}

/* What a condition may rely on. */
static void look(enum setting_kind kind, const union member *member)
{
	const struct distribution *law = &member->law;

	switch (kind) {
	case SETTING_TIMES:
	case SETTING_TRACE_FILE:
		hold(member->times.n > 0);
		ascend(member->times.n, member->times.v);
		break;
	case SETTING_COUNTS:
		hold(member->counts.n > 0);
		ascend(member->counts.n, member->counts.v);
		break;
	case SETTING_DISTRIBUTION:
		hold(law->loss >= 0 && law->loss <= 1);
		for (int i = 0; i <= 64; i++)
			hold(isfinite(distribution_quantile(law, 0, i / 64.0)));
		break;
	default:
		hold(member->points.n > 0);
		if (member->points.at)
			ascend(member->points.n, member->points.at);
		for (size_t i = 0; i < member->points.n; i++)
			hold(member->points.value[i] <= DELAY_MAX);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct store store = { 0 };
	struct text text;
	struct settings_source source = { .store = &store,
					  .load = load,
					  .context = &text };
	union member member, before;
	struct setting setting = { 0 };
	char why[256] = "", printed[64], *copy;
	const char *value;

	if (!size)
		return 0;
	setting.kind = kinds[(data[0] - 'a') & 7];
	copy = store_get(&store, size);
	memcpy(copy, data + 1, size - 1);
	text = (struct text){ .at = copy, .size = size - 1 };
	value = setting.kind < SETTING_POINTS_FILE     ? copy
		: setting.kind == SETTING_DISTRIBUTION ? "table:f"
						       : "f";
	memset(&member, 0, sizeof(member));
	before = member;
	if (series_parse(&setting, &member, value, &source, why, sizeof(why)) ==
	    0)
		look(setting.kind, &member);
	else
		hold(why[0] && !memcmp(&member, &before, sizeof(member)));
	series_print(&setting, &member, printed, sizeof(printed));
	store_fini(&store);
	return 0;
}
