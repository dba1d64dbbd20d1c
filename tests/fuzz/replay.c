/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * replay.c - a fuzzer's corpus once more, under any compiler
 *
 * Floor: tests.
 *
 * Usage: NAME-replay [FOLDER]; by default the corpus CORPUS of the source tree
 * that the variable top_srcdir names.  Each file is tried as it is, cut at each
 * length up to a bound, and with a few bytes changed, the same ones each time.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/seed.h"

#ifndef CORPUS
#define CORPUS "arm"
#endif

#define FILE_MAX_BYTES (1u << 20)
#define CUTS_MAX       600u
#define CHANGES	       300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly its size, so that a sanitizer sees a byte too far. */
static void try_one(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void try_changes(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct rng rng;

	if (!copy)
		abort();
	seed_key(&rng, size);
	for (int i = 0; size && i < CHANGES; i++) {
		memcpy(copy, data, size);
		for (uint64_t n = rng_next(&rng) % 4 + 1; n; n--) {
			size_t at = rng_next(&rng) % size;

			copy[at] = rng_next(&rng) & 1
					   ? (uint8_t)rng_next(&rng)
					   : data[rng_next(&rng) % size];
		}
		try_one(copy, size);
	}
	free(copy);
}

static int try_file(const char *folder, const char *name)
{
	static uint8_t data[FILE_MAX_BYTES];
	char path[4096];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (!file) {
		perror(path);
		return -1;
	}
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	try_one(data, size);
	for (size_t cut = 0; cut < size && cut < CUTS_MAX; cut++)
		try_one(data, cut);
	try_changes(data, size);
	return 0;
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	struct dirent **names;
	char folder[2048];
	int n, tried = 0, failed = 0;

	if (argc > 1)
		snprintf(folder, sizeof(folder), "%s", argv[1]);
	else
		snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s",
			 top ? top : ".", CORPUS);
	n = scandir(folder, &names, NULL, alphasort);
	if (n < 0) {
		perror(folder);
		return 1;
	}
	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.') {
			failed |= try_file(folder, names[i]->d_name);
			tried++;
		}
		free(names[i]);
	}
	free(names);
	printf("%s: %d files\n", folder, tried);
	return failed || !tried;
}
