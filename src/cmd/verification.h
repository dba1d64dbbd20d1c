/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * verification.h - a record opened: its manifest, summary and arms
 *
 * Floor: roof.
 */
#ifndef CMD_VERIFICATION_H
#define CMD_VERIFICATION_H

#include "cmd/rederive.h"

struct verified_arm;

/**
 * struct verification - What is made of a record
 * @folder:	Its folder
 * @manifest:	Its manifest
 * @summary:	Its summary, or NULL if the run did not come to its end
 * @arms:	Arms that were made, the latest first
 * @near:	Folder of the arm's file, for plug-ins
 */
struct verification {
	const char *folder;
	struct manifest manifest;
	json_t *summary;
	struct verified_arm *arms;
	char near[4096];
};

/**
 * verification_open() - Read manifest and summary of a record
 * @verification: Filled
 * @folder:	Folder of the record, borrowed
 * @err:	Told what is wrong with them
 *
 * Return: 0, or -1 with @err told; verification_close() in both cases.
 */
int verification_open(struct verification *verification, const char *folder,
		      struct err *err);

/**
 * verification_arm() - An arm of the record
 * @context:	struct verification, which keeps the arm
 * @file:	"manifest.json", or the file that keeps one which the run went
 *		on with
 * @err:	Told its faults
 *
 * Return: the arm, or NULL.
 */
const struct arm *verification_arm(void *context, const char *file,
				   struct err *err);

/**
 * verification_run() - Derive the record anew and compare every packet
 * @verification: Opened
 * @counts:	Set to how much was compared before the first difference
 * @err:	Told the first difference, or what hinders
 *
 * Return: 0 if all is the same, or -1 with @err told.
 */
int verification_run(struct verification *verification,
		     struct rederive_counts *counts, struct err *err);

/**
 * verification_close() - Free all of it
 * @verification: Verification
 */
void verification_close(struct verification *verification);

#endif /* CMD_VERIFICATION_H */
