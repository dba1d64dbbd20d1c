/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report_figures.c - figures of a channel in a trial, as JSON
 *
 * Floor: roof.
 *
 * Figures are of all packets, exactly.  What the page draws is coarser: bins of
 * a round width, and quantiles 5 ‰ apart.
 */
#include "cmd/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/account.h"
#include "session/forecast.h"
#include "edge/member.h"

#define MS NSEC_PER_MS

/* Most bins, and fewest: of a histogram, and of what is drawn over time. */
#define HISTOGRAM_BINS 60
#define HISTOGRAM_FEW  12
#define COURSE_BINS    240
#define COURSE_FEW     10
/* No bin of a histogram is narrower: a constant delay is one bar. */
#define HISTOGRAM_LEAST (NSEC_PER_MS / 10)
/* Packets that a forecast may simulate. */
#define FORECAST_PACKETS 100000

const nsec report_timeouts[REPORT_TIMEOUTS] = { 100 * MS, 250 * MS, 350 * MS,
						500 * MS, 600 * MS, 1000 * MS,
						2000 * MS };

const char *const report_robots[REPORT_TIMEOUTS] = {
	"one command missing at 10 Hz",
	"Husky (ROS 1), JetBot",
	"remote-hands drive",
	"ROSbot 2R and Husky (ROS 2) controllers, TurtleBot3 (ROS 1)",
	"Pioneer through ROSARIA",
	"ROSbot 2R firmware",
	"AR.Drone",
};

const nsec report_ages[MEASURE_AGES] = { 100 * MS,  200 * MS,  500 * MS,
					 1000 * MS, 2000 * MS, 5000 * MS };

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

/* 1, 2 or 5 times a power of ten, not below a number. */
static nsec nice_above(nsec value)
{
	nsec nice = 1;

	while (nice < value) {
		if (2 * nice >= value)
			return 2 * nice;
		if (5 * nice >= value)
			return 5 * nice;
		nice *= 10;
	}
	return nice;
}

static json_t *spread_of(const struct sample *sample)
{
	const struct sample_spread spread = sample_spread(sample);
	json_t *object;

	if (!spread.n)
		return json_null();
	object = json_object();
	member_set_count(object, "n", spread.n);
	member_set_real(object, "mean_ns", spread.mean);
	member_set_real(object, "sd_ns", spread.deviation);
	set(object, "min_ns", json_integer(spread.least));
	set(object, "p50_ns", json_integer(spread.p50));
	set(object, "p90_ns", json_integer(spread.p90));
	set(object, "p95_ns", json_integer(spread.p95));
	set(object, "p99_ns", json_integer(spread.p99));
	set(object, "max_ns", json_integer(spread.most));
	return object;
}

/* What the arm makes one expect of a stream like the one that came. */
static json_t *intended_of(const struct report_trial *trial,
			   const struct report_channel *channel)
{
	static const char *const ways[] = { "formula", "rehearsal" };
	const struct measure *measure = &channel->measure;
	struct forecast_ask ask = { .packets = FORECAST_PACKETS };
	struct forecast forecast;
	size_t at = 0;
	json_t *object;
	double span;

	while (trial->arm && at < trial->arm->n_channels &&
	       (trial->arm->channel[at].plan.direction != channel->direction ||
		strcmp(trial->arm->channel[at].plan.stream, channel->stream) !=
			0))
		at++;
	if (!trial->arm || at == trial->arm->n_channels)
		return json_null();
	if (measure->n > 1) {
		span = (double)(measure->packet[measure->n - 1].ingress -
				measure->packet[0].ingress);
		if (span > 0)
			ask.rate = (double)(measure->n - 1) / span * 1e9;
		ask.payload = (uint32_t)(channel->bytes / measure->n);
	}
	if (!forecast_channel(&forecast, trial->arm, at, &ask))
		return json_null();
	object = json_object();
	member_set_real(object, "mean_ns", forecast.mean);
	member_set_real(object, "sd_ns", forecast.deviation);
	member_set_text(object, "delay_by", ways[forecast.delay_way]);
	member_set_real(object, "min_ns", forecast.least);
	member_set_real(object, "max_ns", forecast.most);
	member_set_text(object, "range_by", ways[forecast.range_way]);
	member_set_real(object, "loss", forecast.loss);
	member_set_real(object, "mean_burst", forecast.burst);
	member_set_text(object, "loss_by", ways[forecast.loss_way]);
	member_set_real(object, "reordered", forecast.reordered);
	member_set_real(object, "rate_hz", forecast.rate);
	return object;
}

/* The words of a paper, of the arm that governed at the trial's start. */
static void set_words(json_t *object, const struct report_trial *trial,
		      const struct report_channel *channel)
{
	struct account account;

	for (size_t i = 0; trial->arm && i < trial->arm->n_channels; i++) {
		const struct arm_channel *of = &trial->arm->channel[i];

		if (of->plan.direction != channel->direction ||
		    strcmp(of->plan.stream, channel->stream) != 0)
			continue;
		account_channel(&account, of);
		member_set_text(object, "magnitude", account.magnitude);
		member_set_text(object, "temporal_behaviour", account.temporal);
		member_set_text(object, "further_impairment", account.further);
	}
}

static void set_loss(json_t *object, const struct report_channel *channel)
{
	const struct measure *measure = &channel->measure;
	const struct measure_bursts bursts = measure_bursts(measure);
	uint64_t settled = measure->n - channel->ended;
	json_t *reasons = json_object();

	for (size_t i = 0; i < channel->n_reasons; i++)
		member_set_count(reasons, channel->reason[i].by,
				 channel->reason[i].n);
	member_set_count(object, "in", measure->n);
	member_set_count(object, "payload_bytes", channel->bytes);
	member_set_count(object, "released", measure->n_order);
	member_set_count(object, "suppressed", channel->suppressed);
	member_set_count(object, "dropped", channel->dropped - channel->ended);
	member_set_count(object, "waiting_at_end", channel->ended);
	member_set_count(object, "duplicates", channel->copies);
	member_set_count(object, "injected", channel->injected);
	set(object, "taken_by", reasons);
	member_set_count(object, "lost", bursts.lost);
	member_set_real(object, "loss",
			settled ? (double)bursts.lost / (double)settled : 0.0);
	member_set_count(object, "bursts", bursts.n);
	member_set_real(object, "mean_burst",
			bursts.n ? (double)bursts.lost / (double)bursts.n
				 : 0.0);
	member_set_count(object, "longest_burst", bursts.longest);
	member_set_count(object, "reordered", measure->late);
	member_set_real(object, "reordered_share",
			measure->n_order ? (double)measure->late /
						   (double)measure->n_order
					 : 0.0);
}

static void set_gaps(json_t *object, const struct measure *measure)
{
	json_t *list = json_array();
	nsec sent, released;

	measure_longest(measure, &sent, &released);
	set(object, "longest_gap_sent_ns", json_integer(sent));
	set(object, "longest_gap_ns", json_integer(released));
	for (size_t i = 0; i < REPORT_TIMEOUTS; i++) {
		const struct measure_gaps gaps =
			measure_gaps(measure, report_timeouts[i]);
		json_t *row = json_object();

		set(row, "timeout_ns", json_integer(report_timeouts[i]));
		member_set_count(row, "gaps_sent", gaps.sent);
		member_set_count(row, "gaps", gaps.released);
		member_set_count(row, "false_stops", gaps.stops);
		set(row, "halted_ns", json_integer(gaps.halted));
		json_array_append_new(list, row);
	}
	set(object, "timeouts", list);
}

json_t *report_age(const struct measure_age *age,
		   const double over[MEASURE_AGES])
{
	json_t *object = json_object(), *list = json_array();

	if (!age->any || age->span <= 0) {
		json_decref(object);
		json_decref(list);
		return json_null();
	}
	member_set_real(object, "mean_ns", age->weighted / age->span);
	set(object, "min_ns", json_integer(age->least));
	set(object, "max_ns", json_integer(age->most));
	member_set_real(object, "watched_ns", age->span);
	for (size_t i = 0; i < MEASURE_AGES; i++) {
		json_t *row = json_object();

		set(row, "age_ns", json_integer(report_ages[i]));
		member_set_real(row, "share_over", over[i] / age->span);
		json_array_append_new(list, row);
	}
	set(object, "over", list);
	return object;
}

static json_t *counts_of(const struct sample *sample, nsec from, nsec width,
			 size_t n)
{
	size_t count[HISTOGRAM_BINS + 2];
	json_t *list = json_array();

	sample_bins(sample, from, width, count, n);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_integer((json_int_t)count[i]));
	return list;
}

static json_t *histogram_of(const struct sample *asked,
			    const struct sample *realised)
{
	json_t *object = json_object();
	nsec least = asked->n ? asked->value[0] : 0;
	nsec most = sample_quantile(asked, 995), width, from;
	double bins;
	size_t n;

	if (realised->n && realised->value[0] < least)
		least = realised->value[0];
	if (sample_quantile(realised, 995) > most)
		most = sample_quantile(realised, 995);
	/* few packets fill few bins */
	bins = fmin(HISTOGRAM_BINS,
		    fmax(HISTOGRAM_FEW, sqrt((double)realised->n)));
	width = nice_above((nsec)((double)(most - least) / bins) + 1);
	if (width < HISTOGRAM_LEAST)
		width = HISTOGRAM_LEAST;
	from = least - (least % width + width) % width;
	n = (size_t)((most - from) / width) + 1;
	set(object, "from_ns", json_integer(from));
	set(object, "width_ns", json_integer(width));
	set(object, "asked", counts_of(asked, from, width, n));
	set(object, "realised", counts_of(realised, from, width, n));
	return object;
}

static json_t *quantiles_of(const struct sample *sample)
{
	json_t *list = json_array();

	for (unsigned i = 0; sample->n && i <= 1000; i += 5)
		json_array_append_new(list,
				      json_integer(sample_quantile(sample, i)));
	return list;
}

static json_t *course_of(const struct measure *measure, nsec last)
{
	static const char *const names[] = { "in",   "lost", "min",
					     "mean", "max",  "asked" };
	/* some packets in each, or there is no line */
	nsec bins = (nsec)fmin(COURSE_BINS,
			       fmax(COURSE_FEW, (double)measure->n / 4));
	nsec width = nice_above(last / bins + 1);
	size_t n = (size_t)(last / width) + 1;
	struct measure_bin *bin = calloc(n, sizeof(*bin));
	json_t *object = json_object(), *list[6];

	if (!bin)
		abort();
	measure_course(measure, width, bin, n);
	set(object, "width_ns", json_integer(width));
	for (size_t i = 0; i < 6; i++)
		set(object, names[i], list[i] = json_array());
	for (size_t i = 0; i < n; i++) {
		const struct measure_bin *of = &bin[i];
		double passed = (double)of->passed;
		const double value[] = {
			(double)of->in,	  (double)of->lost, (double)of->least,
			of->sum / passed, (double)of->most, of->asked / passed
		};

		for (size_t v = 0; v < 6; v++)
			json_array_append_new(
				list[v],
				v > 1 && !of->passed
					? json_null()
					: json_integer(
						  (json_int_t)round(value[v])));
	}
	free(bin);
	return object;
}

json_t *report_channel(const struct report_trial *trial,
		       struct report_channel *channel, bool live)
{
	struct measure *measure = &channel->measure;
	json_t *object = json_object(), *charts = json_object();
	struct sample asked = { 0 }, realised = { 0 }, error = { 0 };
	double over[MEASURE_AGES];
	struct measure_age age;

	measure_sort(measure);
	measure_sample(measure, MEASURE_ASKED, &asked);
	measure_sample(measure, MEASURE_REALISED, &realised);
	member_set_text(object, "direction",
			direction_name(channel->direction));
	member_set_text(object, "stream", channel->stream);
	set_words(object, trial, channel);
	set(object, "intended", intended_of(trial, channel));
	set(object, "asked", spread_of(&asked));
	set(object, "realised", spread_of(&realised));
	if (live)
		measure_sample(measure, MEASURE_ERROR, &error);
	set(object, "release_error", live ? spread_of(&error) : json_null());
	set_loss(object, channel);
	set_gaps(object, measure);
	age = measure_age(measure, over, report_ages);
	set(object, "age", report_age(&age, over));
	set(charts, "histogram", histogram_of(&asked, &realised));
	set(charts, "quantiles", quantiles_of(&realised));
	set(charts, "course", course_of(measure, trial->last));
	set(object, "charts", charts);
	sample_fini(&asked);
	sample_fini(&realised);
	sample_fini(&error);
	return object;
}
