/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * study_outcome.c - how a trial went, by its record
 *
 * Floor: roof.
 */
#include "cmd/study_outcome.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "edge/csv.h"
#include "edge/manifest.h"
#include "edge/member.h"

/* Whether a trial has that id, maybe with "-2" behind. */
static bool is_of(const char *id, const char *trial)
{
	size_t len = strlen(trial);

	if (strncmp(id, trial, len) != 0)
		return false;
	if (!id[len])
		return true;
	return id[len] == '-' && id[len + 1] &&
	       !id[len + 1 + strspn(id + len + 1, "0123456789")];
}

/* The verdict of the latest trial of that id. */
static void read_summary(const char *path, const char *trial,
			 struct study_outcome *outcome)
{
	json_t *root = json_load_file(path, 0, NULL), *one;
	size_t i;

	outcome->complete = root != NULL;
	json_array_foreach(json_object_get(root, "trials"), i, one)
	{
		const char *id = member_get_text(one, "trial");
		const char *verdict = member_get_text(one, "verdict");

		if (id && verdict && is_of(id, trial))
			snprintf(outcome->verdict, sizeof(outcome->verdict),
				 "%s", verdict);
	}
	json_decref(root);
}

/* The signal that ended the run, as events.csv has it. */
static void read_events(const char *path, struct study_outcome *outcome)
{
	struct err ignored = { 0 };
	struct csv csv;

	if (access(path, R_OK) || csv_open(&csv, path, &ignored) < 0) {
		err_fini(&ignored);
		return;
	}
	while (csv_read(&csv, &ignored) > 0)
		if (csv.n >= 3 && !strcmp(csv.field[1], "stopping") &&
		    !strncmp(csv.field[2], "SIG", 3))
			snprintf(outcome->stopped, sizeof(outcome->stopped),
				 "%s", csv.field[2]);
	csv_close(&csv);
	err_fini(&ignored);
}

void study_outcome(const char *folder, const char *trial,
		   struct study_outcome *outcome)
{
	struct manifest manifest = { 0 };
	struct err ignored = { 0 };
	char path[2 * PATH_MAX];

	*outcome = (struct study_outcome){ 0 };
	if (access(folder, R_OK))
		return;
	snprintf(path, sizeof(path), "%s/summary.json", folder);
	read_summary(path, trial, outcome);
	snprintf(path, sizeof(path), "%s/events.csv", folder);
	read_events(path, outcome);
	if (!manifest_read(&manifest, folder, "manifest.json", &ignored))
		manifest_digest(manifest.text, manifest.size, outcome->sha256);
	manifest_fini(&manifest);
	err_fini(&ignored);
}
