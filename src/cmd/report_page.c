/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report_page.c - a report as one page that needs nothing beside it
 *
 * Floor: roof.
 *
 * How it works
 *
 * src/page/report.html has a line "@NAME@" wherever another file goes, and
 * "@data@" where the report does.  Texts of users stand in the data alone, with
 * each "<" written as \u003c, and the script puts them on the page as text.
 */
#include "cmd/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "edge/asset.h"

static void put_data(const json_t *report, FILE *to)
{
	char *text = json_dumps(report, JSON_COMPACT | JSON_ENSURE_ASCII |
						JSON_REAL_PRECISION(15));

	if (!text)
		abort();
	for (const char *at = text; *at;) {
		size_t len = strcspn(at, "<>&");

		(void)fwrite(at, 1, len, to);
		at += len;
		if (*at)
			fprintf(to, "\\u%04x", (unsigned)(unsigned char)*at++);
	}
	free(text);
}

static void put_asset(const char *name, size_t len, FILE *to)
{
	char key[64];
	const struct asset *asset;

	assert(len < sizeof(key));
	memcpy(key, name, len);
	key[len] = '\0';
	asset = asset_find(key);
	assert(asset);
	(void)fwrite(asset->bytes, 1, asset->size, to);
}

void report_page(const json_t *report, FILE *to)
{
	const struct asset *page = asset_find("report.html");
	const char *at = (const char *)page->bytes, *end = at + page->size;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline ? newline : end) - at);

		if (len > 2 && *at == '@' && at[len - 1] == '@') {
			if (len == 6 && !memcmp(at, "@data@", 6))
				put_data(report, to);
			else
				put_asset(at + 1, len - 2, to);
		} else {
			(void)fwrite(at, 1, len, to);
		}
		fputc('\n', to);
		at += len + 1;
	}
}

void report_numbers(json_t *report)
{
	json_t *record, *trial, *channel;
	size_t r, t, c;

	json_array_foreach(json_object_get(report, "records"), r, record)
	{
		json_array_foreach(json_object_get(record, "trials"), t, trial)
		{
			json_object_del(json_object_get(trial, "vehicle"),
					"charts");
			json_array_foreach(json_object_get(trial, "channels"),
					   c, channel)
			{
				json_object_del(channel, "charts");
			}
		}
	}
}
