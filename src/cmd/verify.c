/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * verify.c - farlink verify: re-derive a record and compare every packet
 *
 * Floor: roof.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/rederive.h"
#include "edge/plugin.h"

#define ARMS_MAX 256

/* What is made from the manifest, to be freed at the end. */
struct verification {
	struct manifest manifest;
	json_t *summary;
	struct arm *arms[ARMS_MAX];
	size_t n_arms;
	char folder[4096];
};

static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	struct verification *verification = context;

	return manifest_load(&verification->manifest, name, size, why,
			     why_size);
}

static const struct condition *find(void *context, const char *type, char *why,
				    size_t why_size)
{
	struct verification *verification = context;

	return plugin_find(cmd_catalog(), type, verification->folder, why,
			   why_size);
}

static const struct arm *read_arm(void *context, const char *text, size_t size,
				  const char *const *sets, size_t n_sets,
				  struct err *err)
{
	struct verification *verification = context;
	struct err warnings = { 0 };
	const struct arm_source source = { .file = verification->manifest.file,
					   .text = text,
					   .size = size,
					   .sets = sets,
					   .n_sets = n_sets,
					   .catalog = cmd_catalog(),
					   .find = find,
					   .load = load,
					   .context = verification };
	struct arm *arm;

	if (verification->n_arms == ARMS_MAX) {
		err_add(err, "more than %d changes", ARMS_MAX);
		return NULL;
	}
	arm = arm_new(&source, err, &warnings);
	err_fini(&warnings);
	if (arm)
		verification->arms[verification->n_arms++] = arm;
	return arm;
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

static int verify(struct verification *verification, const char *folder,
		  struct rederive_counts *counts, struct err *err)
{
	struct rederive_plan plan = { .folder = folder,
				      .manifest = &verification->manifest,
				      .read_arm = read_arm,
				      .context = verification };
	struct manifest *manifest = &verification->manifest;
	char *copy;

	if (manifest_read(manifest, folder, err) < 0 ||
	    read_summary(verification, folder, err) < 0)
		return -1;
	copy = strdup(manifest->file);
	if (!copy)
		abort();
	snprintf(verification->folder, sizeof(verification->folder), "%s",
		 dirname(copy));
	free(copy);
	plan.summary = verification->summary;
	plan.arm = read_arm(verification, manifest->text, manifest->size,
			    manifest->sets, manifest->n_sets, err);
	return plan.arm ? rederive(&plan, counts, err) : -1;
}

int cmd_verify(int argc, char **argv)
{
	static const struct option options[] = { { 0 } };
	struct verification verification = { 0 };
	struct rederive_counts counts = { 0 };
	struct err err = { 0 };
	const char *folder;
	int same;

	if (getopt_long(argc, argv, "", options, NULL) != -1)
		return cmd_usage("verify", NULL);
	if (argc - optind != 1)
		return cmd_usage("verify", "name the folder of one record");
	folder = argv[optind];
	if (access(folder, F_OK) < 0) {
		err_add(&err, "%s: %s; name the folder of a record", folder,
			strerror(errno));
		return cmd_tell(&err);
	}
	same = verify(&verification, folder, &counts, &err);
	(void)cmd_tell(&err);
	if (same < 0)
		fprintf(stderr,
			"farlink: %s: not verified; %" PRIu64
			" packets before that are as recorded\n",
			folder, counts.packets);
	else
		printf("%s: %" PRIu64 " packets of %" PRIu64
		       " trials: every fate, reason and due time is as "
		       "recorded\n",
		       folder, counts.packets, counts.trials);
	for (size_t i = 0; i < verification.n_arms; i++)
		arm_free(verification.arms[i]);
	json_decref(verification.summary);
	manifest_fini(&verification.manifest);
	return same < 0 ? CMD_FAILED : CMD_DONE;
}
