/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * plugin.c - conditions loaded from shared objects
 *
 * Floor: edge.
 */
#include "edge/plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PLUGIN_FOLDER
#define PLUGIN_FOLDER "/usr/local/lib/farlink"
#endif

/* Bytes of the member that a kind of setting fills. */
static size_t member_size(enum setting_kind kind)
{
	switch (kind) {
	case SETTING_SWITCH:
		return sizeof(bool);
	case SETTING_CHOICE:
		return sizeof(int);
	case SETTING_TIMES:
	case SETTING_TRACE_FILE:
	case SETTING_COUNTS:
		return sizeof(struct times);
	case SETTING_POINTS:
	case SETTING_POINTS_FILE:
	case SETTING_SPANS_FILE:
		return sizeof(struct points);
	case SETTING_SERIES_FILE:
		return sizeof(struct series);
	case SETTING_DISTRIBUTION:
		return sizeof(struct distribution);
	default:
		return 8;
	}
}

/* Whether the rows of its table lie within its settings. */
static bool table_is_sound(const struct condition *condition)
{
	if (condition->n_settings && !condition->settings)
		return false;
	for (size_t i = 0; i < condition->n_settings; i++) {
		const struct setting *setting = &condition->settings[i];

		if (!setting->name || !setting->text ||
		    setting->kind > SETTING_DISTRIBUTION ||
		    (setting->kind == SETTING_CHOICE && !setting->choices) ||
		    setting->offset + member_size(setting->kind) >
			    condition->settings_size)
			return false;
	}
	return true;
}

static const struct condition *take(struct catalog *catalog, const char *path,
				    char *why, size_t size)
{
	const struct condition *condition;
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!object) {
		snprintf(why, size, "it cannot be loaded: %s", dlerror());
		return NULL;
	}
	condition = dlsym(object, CONDITION_SYMBOL);
	if (!condition) {
		snprintf(why, size,
			 "%s exports no '%s'; build it as the worked example "
			 "of conditions/README.md is built",
			 path, CONDITION_SYMBOL);
		return NULL;
	}
	if (condition->abi != CONDITION_ABI) {
		snprintf(why, size,
			 "%s is built for ABI %u, this farlink has %u; build "
			 "it again with this farlink's condition.h",
			 path, condition->abi, CONDITION_ABI);
		return NULL;
	}
	if (!condition->name || !*condition->name || !condition->text ||
	    !condition->apply || !table_is_sound(condition)) {
		snprintf(why, size,
			 "%s: its struct condition lacks a name, a text or "
			 "apply, or a setting lies outside settings_size",
			 path);
		return NULL;
	}
	if (catalog_find(catalog, condition->name) == condition ||
	    catalog_add(catalog, condition))
		return condition;
	snprintf(why, size,
		 "%s calls itself '%s', as another condition does already; "
		 "give it another name",
		 path, condition->name);
	return NULL;
}

const struct condition *plugin_find(struct catalog *catalog, const char *type,
				    const char *folder, char *why, size_t size)
{
	const char *own = getenv(PLUGIN_FOLDER_VARIABLE);
	char path[PATH_MAX];

	why[0] = '\0';
	if (*type == '/')
		snprintf(path, sizeof(path), "%s", type);
	else if (strchr(type, '/'))
		snprintf(path, sizeof(path), "%s/%s", folder, type);
	else
		snprintf(path, sizeof(path), "%s/%s.so",
			 own && *own ? own : PLUGIN_FOLDER, type);
	if (access(path, F_OK)) {
		if (strchr(type, '/'))
			snprintf(why, size, "there is no file %s", path);
		return NULL;
	}
	return take(catalog, path, why, size);
}
