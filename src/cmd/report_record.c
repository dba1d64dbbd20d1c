/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report_record.c - all that is told of a record, as JSON
 *
 * Floor: roof.
 */
#include "cmd/report.h"

#include <string.h>

#include "vehicle/choices.h"
#include "edge/member.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value ? value : json_null());
}

/* A member of another object, if it has it. */
static void copy(json_t *object, const char *key, const json_t *from)
{
	json_t *value = json_object_get(from, key);

	if (value)
		json_object_set(object, key, value);
}

static json_t *arm_of(const json_t *root)
{
	static const char *const keys[] = { "name", "description", "file",
					    "sha256", "sets" };
	const json_t *arm = json_object_get(root, "arm");
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		copy(object, keys[i], arm);
	return object;
}

/* What the arm says of each channel, whether packets came or not. */
static json_t *channels_of(const json_t *root)
{
	static const char *const keys[] = { "direction", "stream", "magnitude",
					    "temporal_behaviour",
					    "further_impairment" };
	json_t *list = json_array(), *channel;
	size_t i;

	json_array_foreach(json_object_get(root, "channels"), i, channel)
	{
		json_t *object = json_object();

		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			copy(object, keys[k], channel);
		json_array_append_new(list, object);
	}
	return list;
}

/* The four choices of the vehicle that a study must report. */
static json_t *vehicle_of(const json_t *root)
{
	const json_t *vehicle = json_object_get(root, "vehicle");
	json_t *object;

	if (!vehicle)
		return NULL;
	object = json_object();
	for (unsigned i = 0; i < CHOICES; i++)
		copy(object, choices_name((enum choice)i), vehicle);
	return object;
}

static json_t *verify(struct report_record *record, struct report_bar *bar,
		      bool wanted)
{
	json_t *object = json_object();
	struct rederive_counts counts = { 0 };
	struct err err = { 0 };
	char what[256];
	int same;

	set(object, "done", json_boolean(wanted));
	if (!wanted)
		return object;
	snprintf(what, sizeof(what), "verifying %.200s",
		 record->verification.folder);
	report_bar_draw(bar, what, 0, 0);
	same = verification_run(&record->verification, &counts, &err);
	set(object, "same", json_boolean(!same));
	set(object, "packets", json_integer((json_int_t)counts.packets));
	set(object, "trials", json_integer((json_int_t)counts.trials));
	set(object, "says", member_lines(&err));
	err_fini(&err);
	return object;
}

/* Which arm governed at a trial's start; the run may have gone on with others
 * than the manifest's.
 */
static void set_arm(json_t *object, const struct arm *arm)
{
	json_t *sets = json_array();
	char digest[65];

	for (size_t i = 0; arm && i < arm->n_sets; i++)
		json_array_append_new(sets, member_text(arm->sets[i]));
	if (arm) {
		manifest_digest(arm->text, arm->text_size, digest);
		member_set_text(object, "arm", arm->general.name);
		member_set_text(object, "arm_sha256", digest);
		json_object_set(object, "arm_sets", sets);
	}
	json_decref(sets);
}

static json_t *trial_of(struct report_record *record,
			struct report_trial *trial, bool live)
{
	static const char *const keys[] = { "seed",	    "verdict",
					    "reasons",	    "duration_ns",
					    "kernel_drops", "icmp_errors",
					    "clock_steps",  "rows_lost" };
	json_t *object = json_object(), *list = json_array();

	member_set_text(object, "trial", trial->id);
	set(object, "between", json_boolean(trial->between));
	set(object, "ended", json_boolean(trial->summary != NULL));
	set(object, "last_ns", json_integer(trial->last));
	set_arm(object, trial->arm);
	set(object, "changes", json_integer(trial->changes));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		copy(object, keys[i], trial->summary);
	for (size_t i = 0; i < trial->n_channels; i++) {
		json_array_append_new(
			list, report_channel(trial, &trial->channel[i], live));
		measure_fini(&trial->channel[i].measure);
	}
	set(object, "channels", list);
	set(object, "vehicle", report_paths(record, trial->id));
	return object;
}

json_t *report_record(struct report_record *record, struct report_bar *bar,
		      bool verified)
{
	const struct manifest *manifest = &record->verification.manifest;
	const json_t *root = manifest->root;
	const char *name = strrchr(record->verification.folder, '/');
	bool live = strcmp(manifest->command, "simulate") != 0;
	json_t *object = json_object(), *trials = json_array();

	name = name && name[1] ? name + 1 : record->verification.folder;
	member_set_text(object, "record", name);
	set(object, "arm", arm_of(root));
	copy(object, "command", root);
	copy(object, "farlink", root);
	copy(object, "seed", root);
	set(object, "live", json_boolean(live));
	copy(object, "start", root);
	copy(object, "host", root);
	set(object, "channels", channels_of(root));
	set(object, "vehicle", vehicle_of(root));
	set(object, "ended",
	    json_boolean(record->verification.summary != NULL));
	set(object, "rows", json_integer((json_int_t)record->rows));
	set(object, "faults", member_lines(&record->faults));
	for (size_t i = 0; i < record->n_trials; i++)
		json_array_append_new(
			trials, trial_of(record, &record->trial[i], live));
	set(object, "trials", trials);
	json_object_set(object, "events", record->events);
	set(object, "more_events",
	    json_integer((json_int_t)record->more_events));
	set(object, "verification", verify(record, bar, verified));
	return object;
}
