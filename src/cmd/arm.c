/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm.c - read an arm file for a command, and tell its faults
 *
 * Floor: roof.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "edge/file.h"
#include "edge/member.h"
#include "edge/plugin.h"
#include "session/forecast.h"

struct catalog *cmd_catalog(void)
{
	static struct catalog catalog;

	if (!catalog.n)
		catalog_init(&catalog);
	return &catalog;
}

int cmd_tell(struct err *err)
{
	int status = CMD_DONE;

	if (err->n)
		status = err->machine ? CMD_FAILED : CMD_USAGE;
	for (size_t i = 0; i < err->n; i++)
		fprintf(stderr, "farlink: %s\n", err->line[i]);
	err_fini(err);
	return status;
}

/* Where an arm is: files and conditions that it names are beside it. */
struct beside {
	struct store *store;
	char folder[PATH_MAX];
};

static const char *load_beside(void *context, const char *name, size_t *size,
			       char *why, size_t why_size)
{
	const struct beside *beside = context;
	char path[2 * PATH_MAX], reason[256];
	const char *text;

	if (*name == '/')
		return file_read_plain(beside->store, name, size, why,
				       why_size);
	snprintf(path, sizeof(path), "%s/%s", beside->folder, name);
	text = file_read_plain(beside->store, path, size, reason,
			       sizeof(reason));
	if (!text)
		snprintf(why, why_size,
			 "%s; it was looked for beside the arm, as %s", reason,
			 path);
	return text;
}

static const struct condition *find_beside(void *context, const char *type,
					   char *why, size_t why_size)
{
	const struct beside *beside = context;

	return plugin_find(cmd_catalog(), type, beside->folder, why, why_size);
}

struct arm *cmd_parse_arm(const struct cmd_arm *from, struct err *err)
{
	struct store store = { 0 };
	struct err warnings = { 0 };
	struct beside beside = { .store = &store };
	struct arm_source source = { .file = from->file,
				     .text = from->text,
				     .size = from->size,
				     .sets = from->sets,
				     .n_sets = from->n_sets,
				     .catalog = cmd_catalog(),
				     .find = find_beside,
				     .load = load_beside,
				     .context = &beside };
	struct arm *arm;
	char *copy = strdup(from->file);

	if (!copy)
		abort();
	snprintf(beside.folder, sizeof(beside.folder), "%s", dirname(copy));
	free(copy);
	arm = arm_new(&source, err, &warnings);
	if (arm && forecast_limits(arm, err) < 0) {
		arm_free(arm);
		arm = NULL;
	}
	for (size_t i = 0; i < warnings.n; i++)
		fprintf(stderr, "farlink: warning: %s\n", warnings.line[i]);
	err_fini(&warnings);
	store_fini(&store);
	return arm;
}

struct arm *cmd_read_arm(const char *file, const char *const *sets,
			 size_t n_sets, int *status)
{
	struct store store = { 0 };
	struct err err = { 0 };
	struct cmd_arm from = { .file = strcmp(file, "-") ? file : "(stdin)",
				.sets = sets,
				.n_sets = n_sets };
	struct arm *arm = NULL;
	char why[256];

	for (size_t i = 0; i < n_sets; i++)
		if (!member_is_text(sets[i]))
			err_add(&err,
				"--set %s: it is not UTF-8, and could not "
				"stand in a record",
				sets[i]);
	from.text = file_read(&store, file, &from.size, why, sizeof(why));
	if (from.text && !err.n)
		arm = cmd_parse_arm(&from, &err);
	else if (!from.text)
		err_add(&err, "%s: %s; name an arm file that can be read",
			from.file, why);
	*status = cmd_tell(&err);
	store_fini(&store);
	return arm;
}
