/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * manifest.h - what a run was: its arm, seed, start, host and every setting
 *
 * Floor: edge.
 */
#ifndef EDGE_MANIFEST_H
#define EDGE_MANIFEST_H

#include <jansson.h>

#include "edge/record.h"

/**
 * manifest_new() - What stands in manifest.json
 * @plan:	What the record is made for
 *
 * Return: the object, the caller's.
 */
json_t *manifest_new(const struct record_plan *plan);

/**
 * manifest_write() - Write an object to a file, whole or not at all
 * @object:	Object; its keys keep the order in which they were set
 * @folder:	Folder
 * @file:	Name in it
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told.
 */
int manifest_write(const json_t *object, const char *folder, const char *file,
		   struct err *err);

/**
 * manifest_digest() - SHA-256 of bytes, as 64 hexadecimal digits
 * @bytes:	Bytes
 * @size:	How many
 * @digest:	Filled; 65 bytes
 */
void manifest_digest(const void *bytes, size_t size, char *digest);

/**
 * struct manifest - What is read back of a manifest
 * @root:	The whole object
 * @file:	Name of the arm file
 * @text:	Its text; @size bytes
 * @sets:	Changes to it; @n_sets of them
 * @command:	"run" or "simulate"
 * @utc_ns:	UTC at the start
 * @pcap:	Whether packets were captured
 * @inside:	Whether some came from a vehicle or an operator of ours
 * @store:	Keeps what is loaded of it
 */
struct manifest {
	json_t *root;
	const char *file, *text, *command;
	size_t size;
	const char **sets;
	size_t n_sets;
	int64_t utc_ns;
	bool pcap, inside;
	struct store store;
};

/**
 * manifest_read() - Read manifest.json of a record
 * @manifest:	Filled
 * @folder:	Folder of the record
 * @file:	"manifest.json", or that of an arm that it went on with
 * @err:	Told what is wrong with it
 *
 * Return: 0, or -1 with @err told; manifest_fini() in both cases.
 */
int manifest_read(struct manifest *manifest, const char *folder,
		  const char *file, struct err *err);

/**
 * manifest_load() - A file that the arm names; for struct arm_source
 * @context:	struct manifest
 * @name:	As the arm names it
 * @size:	Set
 * @why:	Filled where it is not in the record
 * @why_size:	Of @why
 *
 * Return: its text, or NULL.
 */
const char *manifest_load(void *context, const char *name, size_t *size,
			  char *why, size_t why_size);

/**
 * manifest_fini() - Free what was read
 * @manifest:	Manifest
 */
void manifest_fini(struct manifest *manifest);

#endif /* EDGE_MANIFEST_H */
