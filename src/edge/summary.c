/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * summary.c - what trials achieved, for summary.json, and what they are worth
 *
 * Floor: edge.
 *
 * How it works
 *
 * A trial is judged by what the proxy did to it that the arm did not ask for:
 * packets that left late, packets that the kernel or a limit took, rows that
 * the record lost, a clock that was set.  Conditions are never held against it.
 */
#include "edge/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "edge/member.h"

/* Reasons that stand for a fault of the apparatus, not for the arm. */
static const char *const unasked[] = { "limit", "send", "invalid" };

#define N_UNASKED (sizeof(unasked) / sizeof(unasked[0]))

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = { "valid", "doubtful", "invalid" };

	return names[verdict];
}

/* Which of two verdicts is the worse one. */
static void worsen(enum verdict *verdict, enum verdict other)
{
	if (other > *verdict)
		*verdict = other;
}

/* "uplink command", or what fits no channel. */
static void name_channel(const struct arm *arm, size_t i, char *name,
			 size_t size)
{
	if (i < arm->n_channels)
		snprintf(name, size, "%s %s",
			 direction_name(arm->channel[i].plan.direction),
			 arm->channel[i].plan.stream);
	else
		snprintf(name, size, "%s", "packets of no channel");
}

static void in_ms(char *text, size_t size, nsec time)
{
	decimal_print(text, size, time / 1000, 1000);
	snprintf(text + strlen(text), size - strlen(text), " ms");
}

static enum verdict judge_lateness(const struct arm *arm,
				   const struct trial_report *report, size_t i,
				   struct err *reasons)
{
	const struct arm_record *as = &arm->record;
	const struct histogram *error = &report->tallies[i].error;
	nsec p99 = histogram_quantile(error, 0.99);
	char name[128], found[48], bound[48];
	enum verdict verdict = VERDICT_VALID;

	if (!report->live || !error->n)
		return verdict;
	name_channel(arm, i, name, sizeof(name));
	in_ms(found, sizeof(found), p99);
	if (p99 > as->late_invalid || p99 > as->late_p99) {
		verdict = p99 > as->late_invalid ? VERDICT_INVALID
						 : VERDICT_DOUBTFUL;
		in_ms(bound, sizeof(bound),
		      verdict == VERDICT_INVALID ? as->late_invalid
						 : as->late_p99);
		err_add(reasons,
			"%s: one packet in a hundred left %s late or more; "
			"the bound is %s",
			name, found, bound);
	}
	if (error->most > as->late_max) {
		in_ms(found, sizeof(found), error->most);
		in_ms(bound, sizeof(bound), as->late_max);
		worsen(&verdict, VERDICT_DOUBTFUL);
		err_add(reasons, "%s: a packet left %s late; the bound is %s",
			name, found, bound);
	}
	return verdict;
}

/* Verdict on a count of packets that should not have been lost. */
static enum verdict judge_share(const struct arm *arm, uint64_t lost,
				uint64_t all)
{
	double share = (double)lost / (double)(all ? all : 1);

	if (!lost)
		return VERDICT_VALID;
	if (share > arm->record.drops_invalid)
		return VERDICT_INVALID;
	return share > arm->record.drops ? VERDICT_DOUBTFUL : VERDICT_VALID;
}

static enum verdict judge_drops(const struct arm *arm,
				const struct trial_report *report, size_t i,
				struct err *reasons)
{
	const struct tally *tally = &report->tallies[i];
	enum verdict verdict = VERDICT_VALID;
	char name[128];

	name_channel(arm, i, name, sizeof(name));
	for (size_t r = 0; r < N_UNASKED; r++) {
		uint64_t n = tally_of(tally, unasked[r]);
		enum verdict this;

		/* a robot that is up before its headset is no fault */
		if (!strcmp(unasked[r], "send"))
			n -= n < tally->nobody ? n : tally->nobody;
		this = judge_share(arm, n, tally->in);
		if (this == VERDICT_VALID)
			continue;
		worsen(&verdict, this);
		err_add(reasons,
			"%s: %" PRIu64 " of %" PRIu64
			" packets were dropped by '%s'",
			name, n, tally->in, unasked[r]);
	}
	return verdict;
}

enum verdict record_judge(const struct arm *arm,
			  const struct trial_report *report, uint64_t rows_lost,
			  struct err *reasons)
{
	enum verdict verdict = VERDICT_VALID, this;
	uint64_t all = 0;

	for (size_t i = 0; i <= arm->n_channels; i++) {
		all += report->tallies[i].in;
		worsen(&verdict, judge_lateness(arm, report, i, reasons));
		worsen(&verdict, judge_drops(arm, report, i, reasons));
	}
	this = judge_share(arm, report->kernel_drops,
			   all + report->kernel_drops);
	worsen(&verdict, this);
	if (this != VERDICT_VALID)
		err_add(reasons,
			"the kernel dropped %" PRIu64
			" datagrams before the proxy saw them",
			report->kernel_drops);
	if (rows_lost) {
		worsen(&verdict, VERDICT_DOUBTFUL);
		err_add(reasons,
			"the record lost %" PRIu64
			" rows or captured packets: it cannot be verified",
			rows_lost);
	}
	if (report->clock_steps) {
		worsen(&verdict, VERDICT_DOUBTFUL);
		err_add(reasons,
			"the wall clock was set %" PRIu64
			" times: its times do not go with other records",
			report->clock_steps);
	}
	if (!all) {
		worsen(&verdict, VERDICT_DOUBTFUL);
		err_add(reasons, "no packet arrived");
	}
	return verdict;
}

static json_t *times_of(const struct histogram *times)
{
	json_t *object = json_object();

	member_set_count(object, "mean_ns",
			 (uint64_t)(histogram_mean(times) + 0.5));
	member_set_count(object, "sd_ns",
			 (uint64_t)(histogram_deviation(times) + 0.5));
	member_set_count(object, "min_ns", (uint64_t)times->least);
	member_set_count(object, "max_ns", (uint64_t)times->most);
	member_set_count(object, "p50_ns",
			 (uint64_t)histogram_quantile(times, 0.5));
	member_set_count(object, "p99_ns",
			 (uint64_t)histogram_quantile(times, 0.99));
	return object;
}

/* Whether a reason is the name of one of the channel's conditions. */
static bool is_stage(const struct arm *arm, size_t channel, const char *by)
{
	if (channel == arm->n_channels)
		return false;
	for (size_t i = 0; i < arm->channel[channel].plan.n_chain; i++)
		if (!strcmp(arm->channel[channel].plan.chain[i].name, by))
			return true;
	return false;
}

static json_t *reasons_of(const struct arm *arm, size_t channel,
			  const struct tally *tally, bool stages)
{
	json_t *object = json_object();

	for (size_t i = 0; i < tally->n_reasons; i++)
		if (is_stage(arm, channel, tally->reason[i].by) == stages)
			member_set_count(object, tally->reason[i].by,
					 tally->reason[i].n);
	return object;
}

static json_t *asked_of(const struct arm *arm, size_t channel)
{
	json_t *stages = json_array();
	char value[512];

	for (size_t i = 0; channel < arm->n_channels &&
			   i < arm->channel[channel].plan.n_chain;
	     i++) {
		const struct stage_plan *stage =
			&arm->channel[channel].plan.chain[i];
		json_t *object = json_object();

		member_set_text(object, "condition", stage->name);
		member_set_text(object, "type", stage->condition->name);
		for (size_t s = 0; s < stage->condition->n_settings; s++) {
			settings_print(&stage->condition->settings[s],
				       stage->settings, value, sizeof(value));
			member_set_text(object,
					stage->condition->settings[s].name,
					value);
		}
		json_array_append_new(stages, object);
	}
	return stages;
}

/* What the conditions of a channel counted: "wifi.floored". */
static json_t *counted_of(const struct session *session, uint16_t i)
{
	const struct channel_plan *plan =
		&session_arm(session)->channel[i].plan;
	json_t *object = json_object();

	for (size_t s = 0; s < plan->n_chain; s++) {
		const char *const *name = plan->chain[s].condition->counts;

		for (size_t n = 0; name && name[n]; n++) {
			char key[256];

			snprintf(key, sizeof(key), "%s.%s", plan->chain[s].name,
				 name[n]);
			member_set_count(
				object, key,
				channel_count(session_channel(session, i), s,
					      n));
		}
	}
	return object;
}

json_t *summary_counted(const struct session *session)
{
	json_t *channels = json_array();

	for (uint16_t i = 0; session && i < session_arm(session)->n_channels;
	     i++)
		json_array_append_new(channels, counted_of(session, i));
	return channels;
}

static json_t *achieved_of(const struct summary_source *source, size_t i)
{
	const struct tally *tally = &source->report->tallies[i];
	json_t *object = json_object();
	uint64_t gone = tally->suppressed + tally->dropped;

	member_set_count(object, "in", tally->in);
	member_set_count(object, "payload_bytes", tally->bytes);
	member_set_count(object, "released", tally->released);
	member_set_count(object, "suppressed", tally->suppressed);
	member_set_count(object, "dropped", tally->dropped);
	json_object_set_new(object, "suppressed_by",
			    reasons_of(source->arm, i, tally, true));
	json_object_set_new(object, "dropped_by",
			    reasons_of(source->arm, i, tally, false));
	json_object_set_new(
		object, "loss",
		json_real(tally->in ? (double)gone / (double)tally->in : 0.0));
	member_set_count(object, "loss_bursts", tally->bursts);
	json_object_set_new(object, "delay", times_of(&tally->delay));
	member_set_count(object, "reordered", tally->late);
	member_set_count(object, "longest_gap_ns",
			 (uint64_t)tally->longest_gap);
	member_set_count(object, "nobody_known", tally->nobody);
	member_set_count(object, "duplicates", tally->copies);
	json_object_set_new(object, "counted",
			    json_deep_copy(json_array_get(source->counted, i)));
	if (source->report->live)
		json_object_set_new(object, "release_error",
				    times_of(&tally->error));
	member_set_count(object, "header_bytes_least",
			 source->headers[i].least);
	member_set_count(object, "header_bytes_most", source->headers[i].most);
	return object;
}

static json_t *channels_of(const struct summary_source *source)
{
	const struct arm *arm = source->arm;
	json_t *channels = json_array();

	for (size_t i = 0; i <= arm->n_channels; i++) {
		json_t *object = json_object();
		bool named = i < arm->n_channels;

		member_set_text(object, "stream",
				named ? arm->channel[i].plan.stream : "");
		member_set_text(
			object, "direction",
			named ? direction_name(arm->channel[i].plan.direction)
			      : "");
		json_object_set_new(object, "asked", asked_of(arm, i));
		json_object_set_new(object, "achieved", achieved_of(source, i));
		json_array_append_new(channels, object);
	}
	return channels;
}

json_t *summary_trial(const struct summary_source *source)
{
	const struct trial_report *report = source->report;
	json_t *object = json_object();
	struct err reasons = { 0 };
	enum verdict verdict =
		record_judge(source->arm, report, source->lost, &reasons);

	member_set_text(object, "trial", report->trial);
	json_object_set_new(object, "between", json_boolean(report->between));
	member_set_text(object, "arm", source->arm->general.name);
	member_set_count(object, "arm_changes", report->changes);
	member_set_count(object, "seed", report->seed);
	member_set_count(object, "start_ns", (uint64_t)source->start);
	member_set_count(object, "duration_ns", (uint64_t)report->duration);
	/* nobody judges what passes between two trials */
	member_set_text(object, "verdict",
			report->between ? "none" : verdict_name(verdict));
	json_object_set_new(object, "reasons",
			    report->between ? json_array()
					    : member_lines(&reasons));
	err_fini(&reasons);
	member_set_count(object, "kernel_drops", report->kernel_drops);
	member_set_count(object, "icmp_errors", report->icmp_errors);
	member_set_count(object, "clock_steps", report->clock_steps);
	member_set_count(object, "rows_lost", source->lost);
	json_object_set_new(object, "channels", channels_of(source));
	return object;
}
