/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * series.c - settings that are lists: written in the arm, or in files
 *
 * Floor: core.
 */
#include "core/series.h"

#include <stdio.h>

int series_parse(const struct setting *setting, void *member, const char *value,
		 const struct settings_source *source, char *why, size_t size)
{
	(void)setting;
	(void)member;
	(void)source;
	snprintf(why, size, "'%s' cannot be read", value);
	return -1;
}

void series_print(const struct setting *setting, const void *member, char *text,
		  size_t size)
{
	(void)setting;
	(void)member;
	snprintf(text, size, "%s", "");
}
