/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * manifest_read.c - a manifest read back, to derive its run again
 *
 * Floor: edge.
 */
#include "edge/manifest.h"

#include <nettle/base64.h>
#include <stdio.h>
#include <string.h>

#include "edge/member.h"

/* Bytes that set_bytes() wrote: checked by their digest. */
static const char *bytes_of(struct store *store, const json_t *object,
			    size_t *size, const char **why)
{
	const json_t *text = json_object_get(object, "text");
	const char *base64 = member_get_text(object, "base64");
	const char *digest = member_get_text(object, "sha256"), *bytes = NULL;
	char found[65];

	if (json_is_string(text)) {
		bytes = json_string_value(text);
		*size = json_string_length(text);
	} else if (base64) {
		struct base64_decode_ctx context;
		uint8_t *room = store_get(store, strlen(base64) + 1);

		*size = strlen(base64);
		base64_decode_init(&context);
		if (base64_decode_update(&context, size, room, strlen(base64),
					 base64))
			bytes = (const char *)room;
	}
	if (!bytes || !digest)
		return *why = "its text or its digest is not there", NULL;
	manifest_digest(bytes, *size, found);
	if (!strcmp(found, digest))
		return bytes;
	return *why = "its text was changed: the SHA-256 beside it is of "
		      "another",
	       NULL;
}

static int read_arm(struct manifest *manifest, const char *name,
		    struct err *err)
{
	const json_t *arm = json_object_get(manifest->root, "arm");
	const json_t *sets = json_object_get(arm, "sets");
	const char *why;

	manifest->file = member_get_text(arm, "file");
	manifest->text = bytes_of(&manifest->store, arm, &manifest->size, &why);
	if (!manifest->text)
		return err_add(err, "%s: the arm: %s", name, why);
	if (!manifest->file || !manifest->command)
		return err_add(err,
			       "%s: no name of the arm's file, or no "
			       "command, is in it",
			       name);
	manifest->n_sets = json_array_size(sets);
	manifest->sets =
		store_get(&manifest->store,
			  (manifest->n_sets + 1) * sizeof(*manifest->sets));
	for (size_t i = 0; i < manifest->n_sets; i++) {
		manifest->sets[i] = json_string_value(json_array_get(sets, i));
		if (!manifest->sets[i])
			return err_add(err, "%s: a set is no text", name);
	}
	return 0;
}

int manifest_read(struct manifest *manifest, const char *folder,
		  const char *file, struct err *err)
{
	char name[4096];
	json_error_t error;
	const json_t *start;

	*manifest = (struct manifest){ 0 };
	snprintf(name, sizeof(name), "%s/%s", folder, file);
	manifest->root = json_load_file(name, JSON_REJECT_DUPLICATES, &error);
	if (!manifest->root && error.line < 0)
		return err_add(err, "%s: %s; name the folder of a record", name,
			       error.text);
	if (!manifest->root)
		return err_add(err, "%s:%d: %s", name, error.line, error.text);
	if (json_integer_value(json_object_get(manifest->root, "format")) != 1)
		return err_add(err,
			       "%s: its format is not 1, the one that this "
			       "version of farlink reads",
			       name);
	manifest->command = member_get_text(manifest->root, "command");
	manifest->pcap = json_is_true(json_object_get(manifest->root, "pcap"));
	manifest->inside =
		json_is_true(json_object_get(manifest->root, "inside"));
	start = json_object_get(manifest->root, "start");
	manifest->utc_ns = json_integer_value(json_object_get(start, "utc_ns"));
	return read_arm(manifest, name, err);
}

const char *manifest_load(void *context, const char *name, size_t *size,
			  char *why, size_t why_size)
{
	struct manifest *manifest = context;
	const json_t *files = json_object_get(manifest->root, "files");
	const char *wrong = "the record does not have it", *bytes;

	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *file = json_array_get(files, i);

		if (!member_get_text(file, "name") ||
		    strcmp(member_get_text(file, "name"), name))
			continue;
		bytes = bytes_of(&manifest->store, file, size, &wrong);
		if (bytes)
			return bytes;
	}
	snprintf(why, why_size, "%s", wrong);
	return NULL;
}

void manifest_fini(struct manifest *manifest)
{
	json_decref(manifest->root);
	store_fini(&manifest->store);
	*manifest = (struct manifest){ 0 };
}
