/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rig.c - one condition under test, without a channel around it
 *
 * Floor: tests.
 */
#include "tests/unit/rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/seed.h"

static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	const struct rig_file *file = context;

	for (; file && file->name; file++) {
		if (strcmp(file->name, name) != 0)
			continue;
		*size = strlen(file->text);
		return file->text;
	}
	snprintf(why, why_size, "%s: no such file", name);
	return NULL;
}

/* Parse "key = value" lines; returns 0 or -1 with @why filled. */
static int parse(const struct condition *condition, void *into,
		 const char *lines, const struct settings_source *source,
		 char why[RIG_WHY])
{
	char text[1024], *at = text, *line, *value, *key;

	settings_preset(condition->settings, condition->n_settings, into,
			source);
	cr_assert_lt(strlen(lines), sizeof(text));
	snprintf(text, sizeof(text), "%s", lines);
	while ((line = strsep(&at, "\n"))) {
		const struct setting *setting;

		if (!*line)
			continue;
		value = strstr(line, " = ");
		cr_assert_not_null(value, "no setting: '%s'", line);
		*value = '\0';
		key = line;
		setting = settings_find(condition->settings,
					condition->n_settings, key);
		cr_assert_not_null(setting, "no key: '%s'", key);
		if (settings_parse(setting, into, value + 3, source, why,
				   RIG_WHY) < 0)
			return -1;
	}
	return condition->check ? condition->check(into, why, RIG_WHY) : 0;
}

static const struct condition *find(const char *type)
{
	const struct condition *condition;
	struct catalog catalog;

	catalog_init(&catalog);
	condition = catalog_find(&catalog, type);
	cr_assert_not_null(condition, "no condition: '%s'", type);
	return condition;
}

void rig_change(struct rig *rig, const char *settings)
{
	const struct settings_source source = { .store = &rig->store,
						.load = load,
						.context = (void *)rig->files };
	char why[RIG_WHY] = "";

	rig->settings = store_get(&rig->store, rig->condition->settings_size);
	cr_assert_eq(
		parse(rig->condition, rig->settings, settings, &source, why), 0,
		"%s", why);
	rig->turn.settings = rig->settings;
}

void rig_open(struct rig *rig, const char *type, const char *settings,
	      uint64_t seed)
{
	rig->condition = find(type);
	rig->state = store_get(&rig->store, rig->condition->state_size + 1);
	rig->turn = (struct turn){ .state = rig->state,
				   .rng = &rig->rng,
				   .payload_bytes = 100,
				   .ip_bytes = 128 };
	seed_key(&rig->rng, seed);
	rig_change(rig, settings);
	if (rig->condition->reset)
		rig->condition->reset(&rig->turn);
}

nsec rig_turn(struct rig *rig, nsec now)
{
	rig->turn.now = now;
	return rig->condition->apply(&rig->turn);
}

uint64_t rig_count(const struct rig *rig, const char *name)
{
	const uint64_t *counts = rig->state;

	for (size_t i = 0; rig->condition->counts[i]; i++)
		if (!strcmp(rig->condition->counts[i], name))
			return counts[i];
	cr_assert_fail("no count: '%s'", name);
	return 0;
}

void rig_close(struct rig *rig)
{
	store_fini(&rig->store);
}

const char *rig_fault(const char *type, const char *settings,
		      const struct rig_file *files, char why[RIG_WHY])
{
	const struct condition *condition = find(type);
	struct store store = { 0 };
	const struct settings_source source = { .store = &store,
						.load = load,
						.context = (void *)files };
	int said;

	why[0] = '\0';
	said = parse(condition, store_get(&store, condition->settings_size),
		     settings, &source, why);
	cr_assert_eq(said, *why ? -1 : 0);
	store_fini(&store);
	return why;
}

void moments_add(struct moments *moments, double value)
{
	if (moments->n > 0)
		moments->product += moments->before * value;
	moments->n++;
	moments->sum += value;
	moments->square += value * value;
	moments->before = value;
}

double moments_mean(const struct moments *moments)
{
	return moments->sum / moments->n;
}

double moments_deviation(const struct moments *moments)
{
	double mean = moments_mean(moments);

	return sqrt(moments->square / moments->n - mean * mean);
}

double moments_correlation(const struct moments *moments)
{
	double mean = moments_mean(moments);
	double deviation = moments_deviation(moments);

	return (moments->product / (moments->n - 1.0) - mean * mean) /
	       (deviation * deviation);
}
