/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * verification.c - a record opened: its manifest, summary and arms
 *
 * Floor: roof.
 */
#include "cmd/verification.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "edge/plugin.h"

/* An arm, and the manifest that it is made from. */
struct verified_arm {
	struct verified_arm *next;
	struct verification *verification;
	struct manifest manifest;
	struct arm *arm;
};

static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	struct verified_arm *of = context;

	return manifest_load(&of->manifest, name, size, why, why_size);
}

static const struct condition *find(void *context, const char *type, char *why,
				    size_t why_size)
{
	const struct verified_arm *of = context;

	return plugin_find(cmd_catalog(), type, of->verification->near, why,
			   why_size);
}

const struct arm *verification_arm(void *context, const char *file,
				   struct err *err)
{
	struct verification *verification = context;
	struct verified_arm *of = calloc(1, sizeof(*of));
	struct err warnings = { 0 };
	struct arm_source source = { .catalog = cmd_catalog(),
				     .find = find,
				     .load = load,
				     .context = of };

	if (!of)
		abort();
	of->verification = verification;
	of->next = verification->arms;
	verification->arms = of;
	if (manifest_read(&of->manifest, verification->folder, file, err) < 0)
		return NULL;
	source.file = of->manifest.file;
	source.text = of->manifest.text;
	source.size = of->manifest.size;
	source.sets = of->manifest.sets;
	source.n_sets = of->manifest.n_sets;
	of->arm = arm_new(&source, err, &warnings);
	err_fini(&warnings);
	return of->arm;
}

/* The summary, if the run came to its end. */
static int read_summary(struct verification *verification, const char *folder,
			struct err *err)
{
	char name[4096];
	json_error_t error;

	snprintf(name, sizeof(name), "%s/summary.json", folder);
	if (access(name, F_OK) < 0 && errno == ENOENT)
		return 0;
	verification->summary =
		json_load_file(name, JSON_REJECT_DUPLICATES, &error);
	if (verification->summary)
		return 0;
	return err_add(err, "%s:%d: %s", name, error.line, error.text);
}

int verification_open(struct verification *verification, const char *folder,
		      struct err *err)
{
	struct manifest *manifest = &verification->manifest;
	char *copy;

	*verification = (struct verification){ .folder = folder };
	if (manifest_read(manifest, folder, "manifest.json", err) < 0 ||
	    read_summary(verification, folder, err) < 0)
		return -1;
	copy = strdup(manifest->file);
	if (!copy)
		abort();
	snprintf(verification->near, sizeof(verification->near), "%s",
		 dirname(copy));
	free(copy);
	return 0;
}

int verification_run(struct verification *verification,
		     struct rederive_counts *counts, struct err *err)
{
	struct manifest *manifest = &verification->manifest;
	const struct rederive_plan plan = {
		.folder = verification->folder,
		.manifest = manifest,
		.summary = verification->summary,
		.arm = verification_arm(verification, "manifest.json", err),
		.read_arm = verification_arm,
		.context = verification
	};

	return plan.arm ? rederive(&plan, counts, err) : -1;
}

void verification_close(struct verification *verification)
{
	struct verified_arm *of, *next;

	for (of = verification->arms; of; of = next) {
		next = of->next;
		arm_free(of->arm);
		manifest_fini(&of->manifest);
		free(of);
	}
	json_decref(verification->summary);
	manifest_fini(&verification->manifest);
	*verification = (struct verification){ 0 };
}
