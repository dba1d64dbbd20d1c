/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * status.c - how a run stands, as JSON
 *
 * Floor: edge.
 */
#include "edge/status.h"

#include <stdlib.h>

static void set_count(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *text)
{
	json_t *value = json_string(text);

	json_object_set_new(object, key, value ? value : json_string("?"));
}

static json_t *arm_of(const struct arm *arm)
{
	json_t *object = json_object();

	set_text(object, "name", arm->general.name);
	set_text(object, "file", arm->file);
	set_text(object, "description", arm->general.description);
	return object;
}

static json_t *trial_of(const struct status *status)
{
	json_t *object = json_object();

	set_text(object, "id", status->trial);
	json_object_set_new(object, "between", json_boolean(status->between));
	set_count(object, "seed", status->seed);
	set_count(object, "time_ns", (uint64_t)status->now);
	set_count(object, "number", status->n_trials);
	set_count(object, "arm_changes", status->changes);
	return object;
}

static json_t *channel_of(const struct status *status, size_t i)
{
	const struct status_channel *channel = &status->channel[i];
	json_t *object = json_object(), *by = json_object();
	const char *direction = "", *stream = "";

	if (i < status->n) {
		const struct channel_plan *plan = &status->arm->channel[i].plan;

		direction = direction_name(plan->direction);
		stream = plan->stream;
	}
	set_text(object, "direction", direction);
	set_text(object, "stream", stream);
	set_count(object, "in", channel->in);
	set_count(object, "released", channel->released);
	set_count(object, "suppressed", channel->suppressed);
	set_count(object, "dropped", channel->dropped);
	set_count(object, "copies", channel->copies);
	set_count(object, "bytes", channel->bytes);
	set_count(object, "queued", (uint64_t)channel->queued);
	set_count(object, "queued_bytes", (uint64_t)channel->queued_bytes);
	set_count(object, "reordered", channel->late);
	set_count(object, "longest_gap_ns", (uint64_t)channel->longest_gap);
	set_count(object, "loss_bursts", channel->bursts);
	for (size_t r = 0; r < channel->n_reasons; r++)
		set_count(by, channel->reason[r].by, channel->reason[r].n);
	json_object_set_new(object, "by", by);
	return object;
}

json_t *status_json(const struct status *status)
{
	json_t *object = json_object(), *channels = json_array();

	set_text(object, "farlink", FARLINK_VERSION);
	set_text(object, "state", status->stopping ? "stopping" : "running");
	json_object_set_new(object, "arm", arm_of(status->arm));
	json_object_set_new(object, "trial", trial_of(status));
	set_count(object, "run_ns", (uint64_t)status->run);
	set_count(object, "started_utc_ns", (uint64_t)status->utc_ns);
	set_text(object, "record", status->folder);
	set_text(object, "robot", status->robot);
	set_text(object, "headset", status->headset);
	set_count(object, "kernel_drops", status->counts.kernel_drops);
	set_count(object, "icmp_errors", status->counts.icmp_errors);
	set_count(object, "refused", status->counts.refused);
	set_count(object, "rows_lost", status->rows_lost);
	set_count(object, "clock_steps", status->clock_steps);
	for (size_t i = 0; i <= status->n; i++)
		json_array_append_new(channels, channel_of(status, i));
	json_object_set_new(object, "channels", channels);
	return object;
}

static int by_due(const void *a, const void *b)
{
	const struct pending_packet *left = a, *right = b;

	if (left->due != right->due)
		return left->due < right->due ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

json_t *status_pending_json(struct pending *pending, const struct arm *arm)
{
	json_t *object = json_object(), *packets = json_array();

	qsort(pending->packet, pending->n, sizeof(pending->packet[0]), by_due);
	set_count(object, "time_ns", (uint64_t)pending->now);
	set_count(object, "waiting", (uint64_t)pending->all);
	for (size_t i = 0; i < pending->n; i++) {
		const struct pending_packet *packet = &pending->packet[i];
		const struct channel_plan *plan =
			&arm->channel[packet->channel].plan;
		json_t *one = json_object();

		set_text(one, "direction", direction_name(plan->direction));
		set_text(one, "stream", plan->stream);
		set_count(one, "id", packet->id);
		set_count(one, "size", packet->size);
		set_count(one, "ingress_ns", (uint64_t)packet->ingress);
		set_count(one, "due_ns", (uint64_t)packet->due);
		set_count(one, "stage", packet->stage);
		set_count(one, "stages", packet->stages);
		json_array_append_new(packets, one);
	}
	json_object_set_new(object, "packets", packets);
	return object;
}
