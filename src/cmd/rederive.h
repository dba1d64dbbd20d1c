/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rederive.h - a record's packets put through its arm again, and compared
 *
 * Floor: roof.
 */
#ifndef CMD_REDERIVE_H
#define CMD_REDERIVE_H

#include "edge/manifest.h"
#include "session/session.h"

/**
 * struct rederive_plan - What is compared
 * @folder:	Folder of the record
 * @manifest:	Its manifest
 * @summary:	Its summary, or NULL if the run did not end
 * @arm:	Arm of the manifest
 * @read_arm:	Makes the arm that a file of the record keeps; NULL with @err
 *		told.  The arm lives until @context does
 * @context:	Handed to it
 */
struct rederive_plan {
	const char *folder;
	const struct manifest *manifest;
	const json_t *summary;
	const struct arm *arm;
	const struct arm *(*read_arm)(void *context, const char *file,
				      struct err *err);
	void *context;
};

/* How much was compared. */
struct rederive_counts {
	uint64_t packets, trials;
};

/**
 * rederive() - Derive every packet of a record anew
 * @plan:	What is compared
 * @counts:	Set to how much was compared before the first difference
 * @err:	Told the first difference, or what hinders
 *
 * Return: 0 if all is the same, or -1 with @err told.
 */
int rederive(const struct rederive_plan *plan, struct rederive_counts *counts,
	     struct err *err);

#endif /* CMD_REDERIVE_H */
