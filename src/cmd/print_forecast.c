/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_forecast.c - what an arm does, as text
 *
 * Floor: roof.
 */
#include "cmd/print_forecast.h"

#include <stdio.h>
#include <string.h>

#include "session/say.h"

bool print_is_given(const struct arm *arm, const char *section,
		    const char *name, const char *key)
{
	size_t len = strlen(section);

	for (size_t i = 0; i < arm->ini.n; i++) {
		const struct ini_row *row = &arm->ini.row[i];

		if (row->key && !strcmp(row->key, key) &&
		    !strncmp(row->section, section, len) &&
		    row->section[len] == ' ' &&
		    !strcmp(row->section + len + 1, name))
			return true;
	}
	return false;
}

const char *print_warning(const char *line)
{
	const char *place = strstr(line, ": [");
	const char *behind = place ? strstr(place, "]: ") : NULL;

	return behind ? behind + 3 : line;
}

/* The uplink channel that a downlink one gives the answer to. */
static size_t answered(const struct arm *arm, size_t down)
{
	const struct arm_channel *channel = &arm->channel[down];
	size_t first = arm->n_channels;

	if (channel->rule.reply != CHANNEL_NONE)
		return channel->rule.reply;
	for (size_t i = arm->n_channels; i-- > 0;) {
		if (arm->channel[i].plan.direction != UPLINK)
			continue;
		if (!strcmp(arm->channel[i].plan.stream, channel->plan.stream))
			return i;
		first = i;
	}
	return first;
}

bool print_round_trip(const struct arm *arm, const struct described *described,
		      size_t down, struct round_trip *trip)
{
	if (arm->channel[down].plan.direction != DOWNLINK)
		return false;
	trip->up = answered(arm, down);
	if (trip->up == arm->n_channels)
		return false;
	trip->mean = described[trip->up].forecast.mean +
		     described[down].forecast.mean;
	return true;
}

static const char *way_name(enum forecast_way way)
{
	return way == FORECAST_FORMULA ? "formula" : "simulation";
}

/* One figure: what, its value in words, and how it is known. */
static void figure(const char *what, const char *value, enum forecast_way way)
{
	printf("    %-22s %s  (%s)\n", what, value, way_name(way));
}

void print_range(char *text, size_t size, const struct forecast *forecast)
{
	struct said least, most;

	said_delay(&least, forecast->least);
	if (isfinite(forecast->most))
		snprintf(text, size, "%s to %s", least.text,
			 said_delay(&most, forecast->most));
	else
		snprintf(text, size, "%s upwards", least.text);
}

static void print_delay(const struct forecast *forecast)
{
	struct said mean, deviation;
	char value[160];

	snprintf(value, sizeof(value), "%s, standard deviation %s",
		 said_delay(&mean, forecast->mean),
		 said_delay(&deviation, forecast->deviation));
	figure("mean delay", value, forecast->delay_way);
	print_range(value, sizeof(value), forecast);
	figure("least to greatest", value, forecast->range_way);
	if (forecast->median < 0.0)
		return;
	snprintf(value, sizeof(value), "%s, 99 %% within %s",
		 said_delay(&mean, forecast->median),
		 said_delay(&deviation, forecast->p99));
	figure("median", value, FORECAST_SIMULATION);
}

static void print_losses(const struct forecast *forecast)
{
	struct said said;
	char value[160];

	figure("lost", said_share(&said, forecast->loss), forecast->loss_way);
	if (forecast->loss > 0.0) {
		snprintf(value, sizeof(value), "%s packets",
			 said_number(&said, forecast->burst, 3));
		figure("mean run of losses", value, forecast->burst_way);
	}
	figure("behind a later one", said_share(&said, forecast->reordered),
	       forecast->order_way);
	for (size_t i = 0; i < forecast->n_stages; i++) {
		const struct forecast_stage *stage = &forecast->stage[i];

		if (!stage->law.drawn)
			continue;
		snprintf(value, sizeof(value), "%s by [condition %s]",
			 said_share(&said, stage->zero), stage->plan->name);
		figure("floored at zero", value, stage->way);
		snprintf(value, sizeof(value), "%s by [condition %s]",
			 said_share(&said, stage->held), stage->plan->name);
		if (stage->law.keeps_order)
			figure("held back for order", value, stage->way);
	}
}

static void print_queue(const struct forecast *forecast)
{
	const struct channel_plan *plan = &forecast->channel->plan;
	char value[256], need[64], have[64];
	struct text text;

	text_init(&text, need, sizeof(need));
	say_bytes(&text, forecast->queue_bytes);
	text_init(&text, have, sizeof(have));
	say_bytes(&text, (double)plan->limit_bytes);
	snprintf(value, sizeof(value),
		 "%.0f packet%s, %s, of at most %lld packets, %s",
		 forecast->queue_packets,
		 forecast->queue_packets == 1.0 ? "" : "s", need,
		 (long long)plan->limit_packets, have);
	figure("queue needed", value, forecast->queue_way);
}

static void print_stops(const struct forecast *forecast)
{
	char what[64], value[64];
	struct text text;

	if (forecast->channel->plan.direction != UPLINK)
		return;
	for (int i = 0; i < FORECAST_TIMEOUTS; i++) {
		if (!isfinite(forecast->stops[i]) || forecast->stops[i] > 1e8)
			continue;
		text_init(&text, what, sizeof(what));
		text_add(&text, "gap over ");
		text_number(&text, forecast_timeouts[i]);
		text_add(&text, " s");
		text_init(&text, value, sizeof(value));
		text_add(&text, "every ");
		say_span(&text, forecast->stops[i]);
		figure(what, value, forecast->stops_way);
	}
}

static void print_settings(const struct arm *arm, const struct setting *table,
			   size_t n, const void *from, const char *section,
			   const char *name)
{
	char value[512];

	for (size_t i = 0; i < n; i++) {
		bool given = print_is_given(arm, section, name, table[i].name);

		settings_print(&table[i], from, value, sizeof(value));
		if (*value)
			printf("    %s = %s%s\n", table[i].name, value,
			       given ? "" : "  (default)");
	}
}

static void print_chain(const struct arm *arm,
			const struct arm_channel *channel)
{
	const char *word = direction_name(channel->plan.direction);
	const struct section *section = arm_section(word);

	printf("  [%s %s]\n", word, channel->plan.stream);
	print_settings(arm, section->table, section->n, channel, word,
		       channel->plan.stream);
	for (size_t i = 0; i < channel->plan.n_chain; i++) {
		const struct stage_plan *stage = &channel->plan.chain[i];

		printf("  [condition %s]\n    type = %s\n", stage->name,
		       stage->condition->name);
		print_settings(arm, stage->condition->settings,
			       stage->condition->n_settings, stage->settings,
			       "condition", stage->name);
	}
}

static void print_taken(const struct forecast *forecast)
{
	struct said rate;

	printf("  Forecast for %s packets/s of %u bytes, evenly spaced (%s)\n",
	       said_number(&rate, forecast->rate, 4), forecast->payload,
	       !forecast->rate_said   ? "assumed: the arm says no expect"
	       : !forecast->size_said ? "size assumed"
				      : "as asked");
	if (forecast->simulated) {
		char span[64];
		struct text text;

		text_init(&text, span, sizeof(span));
		say_span(&text, (double)forecast->duration * 1e-9);
		printf("    simulated: %llu packets over %s with the arm's "
		       "seed\n",
		       (unsigned long long)forecast->simulated, span);
	}
}

static void print_channel(const struct arm *arm,
			  const struct described *described)
{
	const struct forecast *forecast = &described->forecast;
	const struct account *account = &described->account;
	const struct arm_channel *channel = forecast->channel;

	printf("\nStream %s, %s, %s %s\n", account->stream, account->direction,
	       *channel->port_text ? "UDP port" : "reply to",
	       *channel->port_text ? channel->port_text : channel->reply_text);
	printf("  Magnitude: %s\n", account->magnitude);
	printf("  Behaviour in time: %s\n", account->temporal);
	printf("  Further impairment: %s\n", account->further);
	if (channel->plan.n_chain || channel->plan.tick) {
		print_taken(forecast);
		print_delay(forecast);
		print_losses(forecast);
		print_queue(forecast);
		print_stops(forecast);
	} else {
		printf("  Forecast: every packet is released as it comes\n");
	}
	for (size_t i = 0; i < described->warnings.n; i++)
		printf("  Warning: %s\n",
		       print_warning(described->warnings.line[i]));
	print_chain(arm, channel);
}

void print_forecast_text(const struct arm *arm,
			 const struct described *described)
{
	struct round_trip trip;
	struct said up, down, mean;

	printf("Arm %s%s%s\n",
	       *arm->general.name ? arm->general.name : arm->file,
	       *arm->general.description ? ": " : "", arm->general.description);
	printf("Seed %lld, %s; delays are one-way, per direction.\n",
	       (long long)arm->general.seed,
	       arm->general.trials == TRIALS_SAME
		       ? "the same draws in every trial"
		       : "draws derived from it and the trial's id");
	for (size_t i = 0; i < arm->n_channels; i++)
		print_channel(arm, &described[i]);
	printf("\n");
	for (size_t i = 0; i < arm->n_channels; i++)
		if (print_round_trip(arm, described, i, &trip))
			printf("Round trip %s and back by %s: %s + %s = %s on "
			       "average\n",
			       arm->channel[trip.up].plan.stream,
			       arm->channel[i].plan.stream,
			       said_delay(&up,
					  described[trip.up].forecast.mean),
			       said_delay(&down, described[i].forecast.mean),
			       said_delay(&mean, trip.mean));
}
