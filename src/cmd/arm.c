/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm.c - read an arm file for a command, and tell its faults
 *
 * Floor: roof.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "edge/file.h"

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

/* Where files that an arm names are looked for: beside the arm. */
struct beside {
	struct store *store;
	const char *arm;
};

static const char *load_beside(void *context, const char *name, size_t *size,
			       char *why, size_t why_size)
{
	const struct beside *beside = context;
	char *path, *copy;
	size_t room;

	if (*name == '/' || !strcmp(beside->arm, "-"))
		return file_read(beside->store, name, size, why, why_size);
	room = strlen(beside->arm) + strlen(name) + 3;
	copy = store_get(beside->store, room);
	path = store_get(beside->store, room);
	snprintf(copy, room, "%s", beside->arm);
	snprintf(path, room, "%s/%s", dirname(copy), name);
	return file_read(beside->store, path, size, why, why_size);
}

struct arm *cmd_read_arm(const char *file, const char *const *sets,
			 size_t n_sets, int *status)
{
	struct store store = { 0 };
	struct err err = { 0 }, warnings = { 0 };
	struct beside beside = { &store, file };
	struct arm_source source = { .file = strcmp(file, "-") ? file
							       : "(stdin)",
				     .sets = sets,
				     .n_sets = n_sets,
				     .catalog = cmd_catalog(),
				     .load = load_beside,
				     .context = &beside };
	struct arm *arm = NULL;
	char why[256];

	source.text = file_read(&store, file, &source.size, why, sizeof(why));
	if (source.text)
		arm = arm_new(&source, &err, &warnings);
	else
		err_add(&err, "%s: %s; name an arm file that can be read",
			source.file, why);
	for (size_t i = 0; i < warnings.n; i++)
		fprintf(stderr, "farlink: warning: %s\n", warnings.line[i]);
	err_fini(&warnings);
	*status = cmd_tell(&err);
	store_fini(&store);
	return arm;
}
