/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * manifest_test.c - a manifest says all, and is read back only if unchanged
 *
 * Floor: tests.
 */
#include "edge/manifest.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/catalog.h"

static const char text[] = "[arm]\n"
			   "name = test\n"
			   "seed = 9007199254740993\n"
			   "[link]\n"
			   "robot = 127.0.0.2\n"
			   "[uplink command]\n"
			   "port = 5002\n"
			   "chain = far\n"
			   "[condition far]\n"
			   "type = delay\n"
			   "delay = 2.56s\n";

static char folder[64], name[128];
static struct catalog catalog;
static struct arm *arm;

static void begin(void)
{
	static const char *const sets[] = { "far.delay=100ms" };
	struct err err = { 0 }, warnings = { 0 };
	const struct arm_source source = { .file = "test.ini",
					   .text = text,
					   .size = sizeof(text) - 1,
					   .sets = sets,
					   .n_sets = 1,
					   .catalog = &catalog };

	snprintf(folder, sizeof(folder), "/tmp/manifest_test.%d",
		 (int)getpid());
	cr_assert_eq(mkdir(folder, 0777), 0);
	snprintf(name, sizeof(name), "%s/manifest.json", folder);
	catalog_init(&catalog);
	arm = arm_new(&source, &err, &warnings);
	cr_assert_not_null(arm, "%s", err.n ? err.line[0] : "");
	err_fini(&warnings);
}

static void end(void)
{
	unlink(name);
	rmdir(folder);
	arm_free(arm);
}

TestSuite(manifest, .init = begin, .fini = end);

static json_t *make(void)
{
	const struct record_plan plan = {
		.folder = folder,
		.arm = arm,
		.command = "run",
		.utc_ns = INT64_C(1755400000123456789),
		.monotonic_ns = INT64_C(9007199254740993),
	};

	return manifest_new(&plan);
}

Test(manifest, the_digest_is_sha_256)
{
	char digest[65];

	/* FIPS 180-2, appendix B.1 */
	manifest_digest("abc", 3, digest);
	cr_assert_str_eq(digest, "ba7816bf8f01cfea414140de5dae2223"
				 "b00361a396177a9cb410ff61f20015ad");
}

Test(manifest, whole_numbers_keep_every_digit)
{
	json_t *manifest = make();
	const json_t *start = json_object_get(manifest, "start");

	cr_assert_eq(json_integer_value(json_object_get(manifest, "seed")),
		     INT64_C(9007199254740993));
	cr_assert_eq(json_integer_value(json_object_get(start, "monotonic_ns")),
		     INT64_C(9007199254740993));
	cr_assert_str_eq(json_string_value(json_object_get(start, "utc")),
			 "2025-08-17T03:06:40.123456789Z");
	json_decref(manifest);
}

Test(manifest, a_channel_has_the_five_things_and_settings_as_changed)
{
	static const char *const five[] = { "stream", "direction", "magnitude",
					    "temporal_behaviour",
					    "further_impairment" };
	json_t *manifest = make();
	const json_t *channel =
		json_array_get(json_object_get(manifest, "channels"), 0);
	const json_t *stage =
		json_array_get(json_object_get(channel, "chain"), 0);
	const json_t *settings = json_object_get(stage, "settings");

	for (size_t i = 0; i < 5; i++)
		cr_assert(json_is_string(json_object_get(channel, five[i])),
			  "%s", five[i]);
	cr_assert_str_eq(json_string_value(json_object_get(settings, "delay")),
			 "100ms");
	settings = json_object_get(channel, "settings");
	cr_assert_str_eq(
		json_string_value(json_object_get(settings, "limit_packets")),
		"100000");
	json_decref(manifest);
}

Test(manifest, the_same_run_has_the_same_manifest)
{
	json_t *one = make(), *two = make();
	char *first = json_dumps(one, 0), *second = json_dumps(two, 0);

	cr_assert_str_eq(first, second);
	free(first);
	free(second);
	json_decref(one);
	json_decref(two);
}

Test(manifest, is_read_back_as_it_was_written)
{
	struct err err = { 0 };
	struct manifest read;
	json_t *manifest = make();

	cr_assert_eq(manifest_write(manifest, folder, "manifest.json", &err),
		     0);
	json_decref(manifest);
	cr_assert_eq(manifest_read(&read, folder, "manifest.json", &err), 0,
		     "%s", err.n ? err.line[0] : "");
	cr_assert_eq(read.size, sizeof(text) - 1);
	cr_assert_arr_eq(read.text, text, read.size);
	cr_assert_eq(read.n_sets, 1);
	cr_assert_str_eq(read.sets[0], "far.delay=100ms");
	cr_assert_str_eq(read.command, "run");
	manifest_fini(&read);
}

Test(manifest, a_changed_text_is_refused)
{
	struct err err = { 0 };
	struct manifest read;
	json_t *manifest = make();

	json_object_set_new(json_object_get(manifest, "arm"), "text",
			    json_string("[arm]\n"));
	cr_assert_eq(manifest_write(manifest, folder, "manifest.json", &err),
		     0);
	json_decref(manifest);
	cr_assert_eq(manifest_read(&read, folder, "manifest.json", &err), -1);
	cr_assert_eq(err.n, 1);
	err_fini(&err);
	manifest_fini(&read);
}
