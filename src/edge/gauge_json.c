/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gauge_json.c - what a gauge shows, as JSON
 *
 * Floor: edge.
 */
#include "edge/gauge_inside.h"
#include "edge/member.h"
#include "edge/record.h"

static json_t *times_json(const struct histogram *histogram)
{
	return json_pack(
		"{s:I, s:I, s:I, s:o, s:I, s:I}", "n", (json_int_t)histogram->n,
		"p50_ns", (json_int_t)histogram_quantile(histogram, 0.5),
		"p99_ns", (json_int_t)histogram_quantile(histogram, 0.99),
		"mean_ns", member_time(histogram_mean(histogram)), "min_ns",
		(json_int_t)histogram->least, "max_ns",
		(json_int_t)histogram->most);
}

static json_t *intent_json(const struct gauge_intent *intent)
{
	if (!intent->is_known)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:f}", "min_ns",
			 member_time(intent->least), "mean_ns",
			 member_time(intent->mean), "max_ns",
			 member_time(intent->most), "p99_ns",
			 member_time(intent->p99), "loss", intent->loss);
}

json_t *gauge_channel_json(const struct gauge *gauge, size_t place)
{
	const struct tally *tally = &gauge->tally[place];

	return json_pack("{s:o, s:o, s:o}", "delay", times_json(&tally->delay),
			 "error", times_json(&tally->error), "intended",
			 intent_json(&gauge->channel[place].intent));
}

json_t *gauge_verdict_json(const struct gauge *gauge)
{
	const struct trial_report report = {
		.trial = gauge->trial,
		.between = gauge->between,
		.changes = gauge->changes,
		.seed = gauge->seed,
		.duration = gauge->now,
		.tallies = gauge->tally,
		.kernel_drops = gauge->latest.counts.kernel_drops -
				gauge->first.counts.kernel_drops,
		.icmp_errors = gauge->latest.counts.icmp_errors -
			       gauge->first.counts.icmp_errors,
		.clock_steps =
			gauge->latest.clock_steps - gauge->first.clock_steps,
		.live = true,
	};
	struct err reasons = { 0 };
	enum verdict verdict = record_judge(
		gauge->arm, &report,
		gauge->latest.rows_lost - gauge->first.rows_lost, &reasons);
	json_t *list = member_lines(&reasons);

	err_fini(&reasons);
	return json_pack("{s:s, s:o}", "verdict", verdict_name(verdict),
			 "reasons", list);
}

/* Bins of one channel, next to each other, as one. */
static json_t *bin_json(const struct gauge *gauge, size_t place, uint64_t back,
			uint64_t n)
{
	struct gauge_bin all = { 0 };
	json_t *least, *mean, *most;

	for (uint64_t i = 0; i < n; i++) {
		const struct gauge_bin *bin =
			gauge_back(gauge, place, back + i);

		if (bin->released && (!all.released || bin->least < all.least))
			all.least = bin->least;
		if (bin->most > all.most)
			all.most = bin->most;
		if (bin->error > all.error)
			all.error = bin->error;
		if (bin->queued > all.queued)
			all.queued = bin->queued;
		all.sum += bin->sum;
		all.in += bin->in;
		all.released += bin->released;
		all.suppressed += bin->suppressed;
		all.dropped += bin->dropped;
		all.bytes += bin->bytes;
	}
	least = all.released ? json_integer(all.least) : json_null();
	mean = all.released ? json_integer(all.sum / all.released)
			    : json_null();
	most = all.released ? json_integer(all.most) : json_null();
	return json_pack("[I, i, i, i, i, I, o, o, o, o, i]",
			 (json_int_t)(gauge->bins - back - n) * GAUGE_BIN,
			 (int)all.in, (int)all.released, (int)all.suppressed,
			 (int)all.dropped, (json_int_t)all.bytes, least, mean,
			 most,
			 all.released ? json_integer(all.error) : json_null(),
			 (int)all.queued);
}

json_t *gauge_bin_json(const struct gauge *gauge, uint64_t back)
{
	json_t *bins;

	if (back >= gauge_kept(gauge))
		return NULL;
	bins = json_array();
	for (size_t i = 0; i < gauge->n; i++)
		json_array_append_new(bins, bin_json(gauge, i, back, 1));
	return json_pack("{s:s, s:o}", "trial", gauge->trial, "bins", bins);
}

json_t *gauge_event_json(const struct gauge *gauge, uint64_t number)
{
	const struct gauge_event *event = &gauge->event[number % GAUGE_EVENTS];

	if (number >= gauge->all_events ||
	    number + GAUGE_EVENTS < gauge->all_events)
		return NULL;
	/* what is no UTF-8 is left out: "s?" would fail the whole */
	return json_pack("{s:I, s:o*, s:I, s:o*, s:o*}", "n",
			 (json_int_t)number, "trial", json_string(event->trial),
			 "time_ns", (json_int_t)event->now, "event",
			 json_string(event->word), "detail",
			 json_string(event->detail));
}

static void set_pose(json_t *to, const char *key, const struct track *track)
{
	if (track->is_set)
		json_object_set_new(to, key, track_pose_json(&track->latest));
}

json_t *gauge_poses_json(struct gauge *gauge)
{
	json_t *poses;

	if (!gauge->moved)
		return NULL;
	gauge->moved = false;
	poses = json_object();
	set_pose(poses, "truth", &gauge->truth);
	set_pose(poses, "odom", &gauge->odom);
	set_pose(poses, "view", &gauge->view);
	return poses;
}

static json_t *channel_bins(const struct gauge *gauge, size_t place,
			    uint64_t wide)
{
	uint64_t kept = gauge_kept(gauge) / wide * wide;
	json_t *bins = json_array();

	for (uint64_t back = kept; back; back -= wide)
		json_array_append_new(
			bins, bin_json(gauge, place, back - wide, wide));
	return bins;
}

static json_t *channels_json(const struct gauge *gauge, uint64_t wide)
{
	json_t *channels = json_array();

	for (size_t i = 0; i < gauge->n; i++) {
		const struct channel_plan *plan =
			i + 1 < gauge->n ? &gauge->arm->channel[i].plan : NULL;

		json_array_append_new(
			channels,
			json_pack("{s:s, s:s, s:o}", "direction",
				  plan ? direction_name(plan->direction) : "",
				  "stream", plan ? plan->stream : "", "bins",
				  channel_bins(gauge, i, wide)));
	}
	return channels;
}

json_t *gauge_history_json(const struct gauge *gauge, size_t most)
{
	uint64_t wide = (gauge_kept(gauge) + most - 1) / most;
	json_t *events = json_array();

	for (uint64_t i = gauge->all_events > GAUGE_EVENTS
				  ? gauge->all_events - GAUGE_EVENTS
				  : 0;
	     i < gauge->all_events; i++)
		json_array_append_new(events, gauge_event_json(gauge, i));
	if (!wide)
		wide = 1;
	return json_pack("{s:s, s:b, s:I, s:o, s:{s:o, s:o, s:o}, s:o}",
			 "trial", gauge->trial, "between", gauge->between,
			 "bin_ns", (json_int_t)wide * GAUGE_BIN, "channels",
			 channels_json(gauge, wide), "path", "truth",
			 track_json(&gauge->truth), "odom",
			 track_json(&gauge->odom), "view",
			 track_json(&gauge->view), "events", events);
}
