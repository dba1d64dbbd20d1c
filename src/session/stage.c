/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * stage.c - look into the settings of a stage by their names
 *
 * Floor: session.
 */
#include "session/stage.h"

#include <string.h>

#include "core/settings.h"

bool stage_is(const struct stage_plan *stage, const char *name)
{
	return !strcmp(stage->condition->name, name);
}

static const struct setting *find(const struct stage_plan *stage,
				  const char *key)
{
	return settings_find(stage->condition->settings,
			     stage->condition->n_settings, key);
}

static const void *member(const struct stage_plan *stage,
			  const struct setting *setting)
{
	return (const char *)stage->settings + setting->offset;
}

int64_t stage_whole(const struct stage_plan *stage, const char *key)
{
	const struct setting *setting = find(stage, key);
	int64_t whole = 0;
	int choice;
	bool on;

	if (!setting)
		return 0;
	switch (setting->kind) {
	case SETTING_TIME:
	case SETTING_RATE:
	case SETTING_SIZE:
	case SETTING_COUNT:
		memcpy(&whole, member(stage, setting), sizeof(whole));
		return whole;
	case SETTING_CHOICE:
		memcpy(&choice, member(stage, setting), sizeof(choice));
		return choice;
	case SETTING_SWITCH:
		memcpy(&on, member(stage, setting), sizeof(on));
		return on;
	default:
		return 0;
	}
}

double stage_part(const struct stage_plan *stage, const char *key)
{
	const struct setting *setting = find(stage, key);
	double part;

	if (!setting ||
	    (setting->kind != SETTING_SHARE &&
	     setting->kind != SETTING_NUMBER && setting->kind != SETTING_ANGLE))
		return 0.0;
	memcpy(&part, member(stage, setting), sizeof(part));
	return part;
}

struct distribution stage_distribution(const struct stage_plan *stage)
{
	const struct setting *setting = find(stage, "distribution");
	struct distribution distribution = { .kind = DISTRIBUTION_UNIFORM };

	if (setting && setting->kind == SETTING_DISTRIBUTION)
		memcpy(&distribution, member(stage, setting),
		       sizeof(distribution));
	return distribution;
}

const char *stage_text(const struct stage_plan *stage, const char *key,
		       char *text, size_t size)
{
	const struct setting *setting = find(stage, key);

	text[0] = '\0';
	if (setting)
		settings_print(setting, stage->settings, text, size);
	return text;
}
