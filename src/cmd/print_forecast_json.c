/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_forecast_json.c - what an arm does, as one JSON object
 *
 * Floor: roof.
 *
 * Keys are stable: times are whole nanoseconds and end in _ns, shares are of 1,
 * what is unbounded or unknown is null.
 */
#include <stdio.h>

#include <jansson.h>

#include "edge/member.h"
#include "cmd/print_forecast.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static void set_way(json_t *object, enum forecast_way way)
{
	member_set_text(object, "way",
			way == FORECAST_FORMULA ? "formula" : "simulation");
}

static json_t *settings_of(const struct arm *arm, const struct setting *table,
			   size_t n, const void *from, const char *section,
			   const char *name)
{
	json_t *object = json_object();
	char value[1024];

	for (size_t i = 0; i < n; i++) {
		json_t *setting = json_object();
		bool given = print_is_given(arm, section, name, table[i].name);

		settings_print(&table[i], from, value, sizeof(value));
		member_set_text(setting, "value", value);
		set(setting, "default", json_boolean(!given));
		set(object, table[i].name, setting);
	}
	return object;
}

static json_t *chain_of(const struct arm *arm, const struct forecast *forecast)
{
	json_t *chain = json_array();

	for (size_t i = 0; i < forecast->n_stages; i++) {
		const struct forecast_stage *stage = &forecast->stage[i];
		const struct condition *condition = stage->plan->condition;
		json_t *object = json_object();

		member_set_text(object, "condition", stage->plan->name);
		member_set_text(object, "type", condition->name);
		set(object, "settings",
		    settings_of(arm, condition->settings, condition->n_settings,
				stage->plan->settings, "condition",
				stage->plan->name));
		if (stage->law.drawn) {
			member_set_real(object, "floored", stage->zero);
			member_set_real(object, "held", stage->held);
			set(object, "shift_ns",
			    json_integer(llround(stage->shift)));
			set_way(object, stage->way);
		}
		json_array_append_new(chain, object);
	}
	return chain;
}

static json_t *taken_of(const struct forecast *forecast)
{
	json_t *object = json_object();

	member_set_real(object, "packets_per_s", forecast->rate);
	set(object, "payload_bytes", json_integer(forecast->payload));
	set(object, "rate_assumed", json_boolean(!forecast->rate_said));
	set(object, "size_assumed", json_boolean(!forecast->size_said));
	set(object, "simulated_packets",
	    json_integer((json_int_t)forecast->simulated));
	set(object, "simulated_ns", json_integer(forecast->duration));
	return object;
}

static json_t *delay_of_channel(const struct forecast *forecast)
{
	json_t *object = json_object(), *range = json_object();

	member_set_time(object, "mean_ns", forecast->mean);
	member_set_time(object, "deviation_ns", forecast->deviation);
	set_way(object, forecast->delay_way);
	member_set_time(range, "least_ns", forecast->least);
	member_set_time(range, "most_ns", forecast->most);
	set_way(range, forecast->range_way);
	set(object, "range", range);
	member_set_time(object, "median_ns", forecast->median);
	member_set_time(object, "p99_ns", forecast->p99);
	return object;
}

static json_t *share_of(double share, enum forecast_way way)
{
	json_t *object = json_object();

	member_set_real(object, "share", share);
	set_way(object, way);
	return object;
}

static json_t *stops_of(const struct forecast *forecast)
{
	json_t *array = json_array();

	for (int i = 0; i < FORECAST_TIMEOUTS; i++) {
		json_t *object = json_object();

		member_set_real(object, "timeout_s", forecast_timeouts[i]);
		member_set_real(object, "mean_between_s", forecast->stops[i]);
		set_way(object, forecast->stops_way);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *forecast_of(const struct forecast *forecast)
{
	json_t *object = json_object(), *part;

	set(object, "stream", taken_of(forecast));
	set(object, "delay", delay_of_channel(forecast));
	part = share_of(forecast->loss, forecast->loss_way);
	member_set_real(part, "mean_run_packets", forecast->burst);
	member_set_text(part, "run_way",
			forecast->burst_way == FORECAST_FORMULA ? "formula"
								: "simulation");
	set(object, "loss", part);
	set(object, "reordered",
	    share_of(forecast->reordered, forecast->order_way));
	part = json_object();
	set(part, "packets", json_integer(llround(forecast->queue_packets)));
	set(part, "bytes", json_integer(llround(forecast->queue_bytes)));
	set_way(part, forecast->queue_way);
	set(object, "queue", part);
	member_set_real(object, "limited", forecast->limited);
	member_set_real(object, "invalid", forecast->invalid);
	if (forecast->channel->plan.direction == UPLINK) {
		set(object, "timeouts", stops_of(forecast));
		part = json_object();
		set(part, "start_cut", json_integer(forecast->start_cut));
		set(part, "end_cut", json_integer(forecast->end_cut));
		set(part, "by",
		    forecast->cut_by ? json_string(forecast->cut_by)
				     : json_null());
		set(object, "stop_datagrams", part);
	}
	return object;
}

static json_t *channel_of(const struct arm *arm,
			  const struct described *described)
{
	const struct forecast *forecast = &described->forecast;
	const struct arm_channel *channel = forecast->channel;
	const char *word = direction_name(channel->plan.direction);
	const struct section *section = arm_section(word);
	json_t *object = json_object();

	member_set_text(object, "stream", channel->plan.stream);
	member_set_text(object, "direction", word);
	member_set_text(object, "magnitude", described->account.magnitude);
	member_set_text(object, "temporal_behaviour",
			described->account.temporal);
	member_set_text(object, "further_impairment",
			described->account.further);
	set(object, "settings",
	    settings_of(arm, section->table, section->n, channel, word,
			channel->plan.stream));
	set(object, "chain", chain_of(arm, forecast));
	set(object, "forecast", forecast_of(forecast));
	set(object, "warnings", member_lines(&described->warnings));
	return object;
}

static json_t *trips_of(const struct arm *arm,
			const struct described *described)
{
	json_t *array = json_array();
	struct round_trip trip;

	for (size_t i = 0; i < arm->n_channels; i++) {
		json_t *object;

		if (!print_round_trip(arm, described, i, &trip))
			continue;
		object = json_object();
		member_set_text(object, "uplink",
				arm->channel[trip.up].plan.stream);
		member_set_text(object, "downlink",
				arm->channel[i].plan.stream);
		member_set_time(object, "mean_ns", trip.mean);
		json_array_append_new(array, object);
	}
	return array;
}

void print_forecast_json(const struct arm *arm,
			 const struct described *described)
{
	json_t *root = json_object(), *channels = json_array();

	member_set_text(root, "file", arm->file);
	member_set_text(root, "name", arm->general.name);
	member_set_text(root, "description", arm->general.description);
	set(root, "seed", json_integer(arm->general.seed));
	member_set_text(root, "trials",
			arm->general.trials == TRIALS_SAME ? "same"
							   : "derived");
	set(root, "tick_ns", json_integer(arm->general.tick));
	for (size_t i = 0; i < arm->n_channels; i++)
		json_array_append_new(channels, channel_of(arm, &described[i]));
	set(root, "channels", channels);
	set(root, "round_trips", trips_of(arm, described));
	json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(root);
}
