/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * manifest.c - what a run was: its arm, seed, start, host and every setting
 *
 * Floor: edge.
 *
 * Whole nanoseconds are integers, never numbers with a point; keys keep the
 * order in which they are set here.
 */
#include "edge/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "vehicle/choices.h"
#include "session/account.h"
#include "edge/member.h"

#ifndef FARLINK_VERSION
#define FARLINK_VERSION "unknown"
#endif

void manifest_digest(const void *bytes, size_t size, char *digest)
{
	struct sha256_ctx context;
	uint8_t sum[SHA256_DIGEST_SIZE];

	sha256_init(&context);
	sha256_update(&context, size, bytes);
	sha256_digest(&context, sizeof(sum), sum);
	for (size_t i = 0; i < sizeof(sum); i++)
		snprintf(digest + 2 * i, 3, "%02x", sum[i]);
}

/* Bytes as "text", or as "base64" where they are not UTF-8. */
static void set_bytes(json_t *object, const char *bytes, size_t size)
{
	json_t *text = json_stringn(bytes, size);
	char digest[65], *coded;

	manifest_digest(bytes, size, digest);
	member_set_text(object, "sha256", digest);
	if (text) {
		json_object_set_new(object, "text", text);
		return;
	}
	coded = calloc(1, BASE64_ENCODE_RAW_LENGTH(size) + 1);
	if (!coded)
		abort();
	base64_encode_raw(coded, size, (const uint8_t *)bytes);
	member_set_text(object, "base64", coded);
	free(coded);
}

static json_t *arm_of(const struct arm *arm)
{
	json_t *object = json_object(), *sets = json_array();

	member_set_text(object, "name", arm->general.name);
	member_set_text(object, "description", arm->general.description);
	member_set_text(object, "file", arm->file);
	set_bytes(object, arm->text, arm->text_size);
	for (size_t i = 0; i < arm->n_sets; i++)
		json_array_append_new(sets, member_text(arm->sets[i]));
	json_object_set_new(object, "sets", sets);
	return object;
}

/* Files that the arm names, as they were read. */
static json_t *files_of(const struct arm *arm)
{
	json_t *files = json_array();

	for (size_t i = 0; i < arm->n_files; i++) {
		json_t *object = json_object();

		member_set_text(object, "name", arm->files[i].name);
		set_bytes(object, arm->files[i].text, arm->files[i].size);
		json_array_append_new(files, object);
	}
	return files;
}

static json_t *settings_of(const struct setting *table, size_t n,
			   const void *from)
{
	json_t *object = json_object();
	char value[1024];

	for (size_t i = 0; i < n; i++) {
		settings_print(&table[i], from, value, sizeof(value));
		member_set_text(object, table[i].name, value);
	}
	return object;
}

static json_t *section_of(const char *name, const void *from)
{
	const struct section *section = arm_section(name);

	return settings_of(section->table, section->n, from);
}

static json_t *stage_of(const struct arm *arm, const struct stage_plan *stage)
{
	json_t *object = json_object();

	member_set_text(object, "condition", stage->name);
	member_set_text(object, "type", stage->condition->name);
	json_object_set_new(object, "seed",
			    stage->seeded   ? json_integer(stage->seed)
			    : stage->legacy ? json_integer(arm->general.seed)
					    : json_string("derived"));
	member_set_text(object, "generator",
			stage->legacy ? "dotnet" : "xoshiro");
	json_object_set_new(object, "settings",
			    settings_of(stage->condition->settings,
					stage->condition->n_settings,
					stage->settings));
	return object;
}

/* The five things that a study must report, and then every setting. */
static json_t *channel_of(const struct arm *arm,
			  const struct arm_channel *channel)
{
	json_t *object = json_object(), *stages = json_array();
	const char *direction = direction_name(channel->plan.direction);
	struct account account;

	account_channel(&account, channel);
	for (size_t i = 0; i < channel->plan.n_chain; i++)
		json_array_append_new(stages,
				      stage_of(arm, &channel->plan.chain[i]));
	member_set_text(object, "stream", channel->plan.stream);
	member_set_text(object, "direction", direction);
	member_set_text(object, "magnitude", account.magnitude);
	member_set_text(object, "temporal_behaviour", account.temporal);
	member_set_text(object, "further_impairment", account.further);
	json_object_set_new(object, "chain", stages);
	json_object_set_new(object, "settings", section_of(direction, channel));
	return object;
}

/* The four choices of a vehicle that a study must report, and its settings. */
static json_t *vehicle_of(const struct arm *arm)
{
	const struct vehicle_settings *settings = &arm->vehicle.settings;
	json_t *object = json_object();
	char text[1024];

	for (unsigned i = 0; i < CHOICES; i++) {
		choices_print(settings, (enum choice)i, text, sizeof(text));
		member_set_text(object, choices_name((enum choice)i), text);
	}
	json_object_set_new(object, "settings",
			    section_of("vehicle", settings));
	return object;
}

static json_t *start_of(const struct record_plan *plan)
{
	json_t *object = json_object();
	time_t seconds = (time_t)(plan->utc_ns / NSEC_PER_S);
	char text[64], date[32];
	struct tm utc;

	gmtime_r(&seconds, &utc);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(text, sizeof(text), "%s.%09dZ", date,
		 (int)(plan->utc_ns % NSEC_PER_S));
	member_set_text(object, "utc", text);
	json_object_set_new(object, "utc_ns", json_integer(plan->utc_ns));
	json_object_set_new(object, "monotonic_ns",
			    json_integer(plan->monotonic_ns));
	return object;
}

static json_t *host_of(void)
{
	json_t *object = json_object();
	struct utsname host;

	if (uname(&host) < 0)
		return object;
	member_set_text(object, "name", host.nodename);
	member_set_text(object, "system", host.sysname);
	member_set_text(object, "release", host.release);
	member_set_text(object, "version", host.version);
	member_set_text(object, "machine", host.machine);
	return object;
}

static json_t *precision_of(const struct precision *precision)
{
	json_t *object = json_object();

	json_object_set_new(object, "realtime",
			    json_integer(precision->priority));
	json_object_set_new(object, "lock_memory",
			    json_boolean(precision->lock));
	member_set_text(object, "cpus", precision->cpus ? precision->cpus : "");
	json_object_set_new(object, "spin_ns", json_integer(precision->spin));
	return object;
}

json_t *manifest_new(const struct record_plan *plan)
{
	const struct arm *arm = plan->arm;
	json_t *object = json_object(), *channels = json_array();

	member_set_text(object, "farlink", FARLINK_VERSION);
	json_object_set_new(object, "format", json_integer(1));
	member_set_text(object, "command", plan->command);
	json_object_set_new(object, "arm", arm_of(arm));
	json_object_set_new(object, "files", files_of(arm));
	json_object_set_new(object, "seed", json_integer(arm->general.seed));
	json_object_set_new(object, "pcap", json_boolean(plan->pcap));
	json_object_set_new(object, "start", start_of(plan));
	json_object_set_new(object, "host", host_of());
	if (plan->precision)
		json_object_set_new(object, "precision",
				    precision_of(plan->precision));
	json_object_set_new(object, "general",
			    section_of("arm", &arm->general));
	json_object_set_new(object, "link", section_of("link", &arm->link));
	json_object_set_new(object, "record",
			    section_of("record", &arm->record));
	json_object_set_new(object, "safety",
			    section_of("safety", &arm->safety));
	json_object_set_new(object, "inside", json_boolean(plan->vehicle));
	if (plan->vehicle)
		json_object_set_new(object, "vehicle", vehicle_of(arm));
	for (size_t i = 0; i < arm->n_channels; i++)
		json_array_append_new(channels,
				      channel_of(arm, &arm->channel[i]));
	json_object_set_new(object, "channels", channels);
	return object;
}

int manifest_write(const json_t *object, const char *folder, const char *file,
		   struct err *err)
{
	char name[4096], part[4104];
	FILE *to;
	int bad;

	snprintf(name, sizeof(name), "%s/%s", folder, file);
	snprintf(part, sizeof(part), "%s.part", name);
	to = fopen(part, "we");
	if (!to)
		return err_add_machine(err, "%s: %s", part, strerror(errno));
	bad = json_dumpf(object, to, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) <
	      0;
	bad |= fputc('\n', to) == EOF;
	bad |= fflush(to) == EOF;
	bad |= fsync(fileno(to)) < 0;
	bad |= fclose(to) == EOF;
	if (!bad && !rename(part, name))
		return 0;
	err_add_machine(err, "%s: %s", name, strerror(errno));
	unlink(part);
	return -1;
}
