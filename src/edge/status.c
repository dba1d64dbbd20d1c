/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * status.c - how a run stands, as JSON
 *
 * Floor: edge.
 */
#include "edge/status.h"

#include <stdlib.h>

#include "edge/member.h"

static json_t *arm_of(const struct arm *arm)
{
	json_t *object = json_object();

	member_set_text(object, "name", arm->general.name);
	member_set_text(object, "file", arm->file);
	member_set_text(object, "description", arm->general.description);
	return object;
}

static json_t *trial_of(const struct status *status)
{
	json_t *object = json_object();

	member_set_text(object, "id", status->trial);
	json_object_set_new(object, "between", json_boolean(status->between));
	member_set_count(object, "seed", status->seed);
	member_set_count(object, "time_ns", (uint64_t)status->now);
	member_set_count(object, "number", status->n_trials);
	member_set_count(object, "arm_changes", status->changes);
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
	member_set_text(object, "direction", direction);
	member_set_text(object, "stream", stream);
	member_set_count(object, "in", channel->in);
	member_set_count(object, "released", channel->released);
	member_set_count(object, "suppressed", channel->suppressed);
	member_set_count(object, "dropped", channel->dropped);
	member_set_count(object, "copies", channel->copies);
	member_set_count(object, "bytes", channel->bytes);
	member_set_count(object, "queued", (uint64_t)channel->queued);
	member_set_count(object, "queued_bytes",
			 (uint64_t)channel->queued_bytes);
	member_set_count(object, "reordered", channel->late);
	member_set_count(object, "longest_gap_ns",
			 (uint64_t)channel->longest_gap);
	member_set_count(object, "loss_bursts", channel->bursts);
	for (size_t r = 0; r < channel->n_reasons; r++)
		member_set_count(by, channel->reason[r].by,
				 channel->reason[r].n);
	json_object_set_new(object, "by", by);
	return object;
}

json_t *status_json(const struct status *status)
{
	json_t *object = json_object(), *channels = json_array();

	member_set_text(object, "farlink", FARLINK_VERSION);
	member_set_text(object, "state",
			status->stopping ? "stopping" : "running");
	json_object_set_new(object, "arm", arm_of(status->arm));
	json_object_set_new(object, "trial", trial_of(status));
	member_set_count(object, "run_ns", (uint64_t)status->run);
	member_set_count(object, "started_utc_ns", (uint64_t)status->utc_ns);
	member_set_text(object, "record", status->folder);
	member_set_text(object, "robot", status->robot);
	member_set_text(object, "headset", status->headset);
	member_set_count(object, "kernel_drops", status->counts.kernel_drops);
	member_set_count(object, "icmp_errors", status->counts.icmp_errors);
	member_set_count(object, "refused", status->counts.refused);
	member_set_count(object, "rows_lost", status->rows_lost);
	member_set_count(object, "clock_steps", status->clock_steps);
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
	member_set_count(object, "time_ns", (uint64_t)pending->now);
	member_set_count(object, "waiting", (uint64_t)pending->all);
	for (size_t i = 0; i < pending->n; i++) {
		const struct pending_packet *packet = &pending->packet[i];
		const struct channel_plan *plan =
			&arm->channel[packet->channel].plan;
		json_t *one = json_object();

		member_set_text(one, "direction",
				direction_name(plan->direction));
		member_set_text(one, "stream", plan->stream);
		member_set_count(one, "id", packet->id);
		member_set_count(one, "size", packet->size);
		member_set_count(one, "ingress_ns", (uint64_t)packet->ingress);
		member_set_count(one, "due_ns", (uint64_t)packet->due);
		member_set_count(one, "stage", packet->stage);
		member_set_count(one, "stages", packet->stages);
		json_array_append_new(packets, one);
	}
	json_object_set_new(object, "packets", packets);
	return object;
}
