/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forecast.c - what an arm will do to its streams, before anybody drives
 *
 * Floor: session.
 *
 * How it works
 *
 * First the laws of the stages are combined: means and variances of delays add,
 * shares of packets that pass multiply.  Where a stage has no law, or a figure
 * depends on how stages meet (queues, order behind a link, bursts of two kinds
 * of loss), the channel is rehearsed and the figure is taken from that.
 */
#include "session/forecast.h"

#include <string.h>

#include "core/seed.h"
#include "session/rehearsal.h"
#include "session/stage.h"

/* What a stream is taken to be like where the arm does not say. */
#define COMMAND_RATE	10.0
#define COMMAND_PAYLOAD 40u
#define ANSWER_RATE	30.0
#define ANSWER_PAYLOAD	200u
#define VIDEO_PAYLOAD	1200u
/* From this rate on, bit/s, a stream is taken to be of large datagrams. */
#define VIDEO_FROM   200e3

#define DURATION     (600 * NSEC_PER_S)
#define PACKETS_MOST 400000u
/* So many at least, where the trial's clock does not matter. */
#define PACKETS_LEAST 20000u

const double forecast_timeouts[FORECAST_TIMEOUTS] = { 0.25, 0.35, 0.5,
						      0.6,  1.0,  2.0 };

static double square(double x)
{
	return x * x;
}

/* Rate and size of the stream, said or assumed. */
static void take_stream(struct forecast *forecast,
			const struct forecast_ask *ask)
{
	const struct arm_channel *channel = forecast->channel;
	bool uplink = channel->plan.direction == UPLINK;
	double expect = (double)channel->expect;

	forecast->size_said = ask->payload > 0;
	forecast->payload = ask->payload;
	if (!ask->payload && expect >= VIDEO_FROM)
		forecast->payload = VIDEO_PAYLOAD;
	else if (!ask->payload)
		forecast->payload = uplink ? COMMAND_PAYLOAD : ANSWER_PAYLOAD;
	forecast->ip_bytes = packet_room(AF_INET, forecast->payload);
	forecast->rate_said = ask->rate > 0.0 || expect > 0.0;
	if (ask->rate > 0.0)
		forecast->rate = ask->rate;
	else if (expect > 0.0)
		forecast->rate = expect / (8.0 * forecast->ip_bytes);
	else
		forecast->rate = uplink ? COMMAND_RATE : ANSWER_RATE;
}

/* What combining the laws tells. */
struct combined {
	bool delays, order, loses, runs, stationary;
	size_t drawn, lossy;
};

static void combine_stage(struct forecast *forecast, struct combined *combined,
			  const struct stage_plan *plan, const struct law *law)
{
	combined->delays &= law->delays;
	combined->order &= law->keeps_order;
	combined->loses &= law->loses;
	combined->stationary &= law->stationary;
	combined->drawn += law->drawn && law->deviation > 0.0;
	combined->lossy += law->loses && law->loss > 0.0;
	if (law->loss > 0.0)
		combined->runs &= law->runs;
	forecast->mean += law->mean;
	forecast->deviation =
		sqrt(square(forecast->deviation) + square(law->deviation));
	forecast->least += law->least;
	forecast->most += law->most;
	if (law->rate > 0.0)
		forecast->most +=
			1e9 *
			law_bits(plan, forecast->payload, forecast->ip_bytes) /
			law->rate;
	forecast->loss += (1.0 - forecast->loss) * law->loss;
}

static struct combined combine(struct forecast *forecast)
{
	const struct channel_plan *plan = &forecast->channel->plan;
	struct combined combined = { .delays = plan->tick == 0,
				     .order = true,
				     .loses = true,
				     .runs = true,
				     .stationary = true };

	forecast->n_stages = plan->n_chain;
	for (size_t i = 0; i < plan->n_chain; i++) {
		struct forecast_stage *stage = &forecast->stage[i];

		stage->plan = &plan->chain[i];
		stage->law = law_of(stage->plan);
		combine_stage(forecast, &combined, stage->plan, &stage->law);
	}
	forecast->most += (double)plan->tick;
	forecast->bound = forecast->most;
	return combined;
}

/* Order by formula: only where one stage draws, and nothing else moves. */
static bool order_formula(struct forecast *forecast,
			  const struct combined *combined)
{
	const struct forecast_stage *drawn = forecast->stage;
	struct spread spread;

	if (combined->order) {
		forecast->reordered = 0.0;
		return true;
	}
	if (!combined->delays || combined->drawn != 1 || combined->lossy)
		return false;
	for (size_t i = 0; i < forecast->n_stages; i++)
		if (forecast->stage[i].law.deviation > 0.0)
			drawn = &forecast->stage[i];
	if (!stage_is(drawn->plan, "jitter") ||
	    stage_part(drawn->plan, "correlation") != 0.0 ||
	    stage_whole(drawn->plan, "frame_gap") != 0)
		return false;
	spread = law_spread_of(drawn->plan);
	forecast->reordered = law_reordered(&spread, 1e9 / forecast->rate, 0.0);
	return true;
}

/* What can be known by formula; the ways of the rest are left to simulation. */
static void by_formula(struct forecast *forecast,
		       const struct combined *combined)
{
	const struct law *lossy = NULL;
	struct law none = { 0 };

	for (size_t i = 0; i < forecast->n_stages; i++)
		if (forecast->stage[i].law.loss > 0.0)
			lossy = &forecast->stage[i].law;
	forecast->delay_way = forecast->range_way = !combined->delays;
	forecast->loss_way = !combined->loses;
	forecast->burst_way = !combined->loses || combined->lossy > 1;
	if (combined->lossy == 1)
		forecast->burst = 1.0 / (1.0 - lossy->again);
	forecast->order_way = !order_formula(forecast, combined);
	forecast->stops_way = forecast->burst_way || !combined->runs ||
			      !combined->delays || combined->drawn;
	for (int i = 0; i < FORECAST_TIMEOUTS; i++)
		forecast->stops[i] = law_between_stops(lossy ? lossy : &none,
						       1.0 / forecast->rate,
						       forecast_timeouts[i]);
	forecast->queue_way = !(combined->delays && !combined->drawn);
	forecast->queue_packets =
		fmax(0.0, ceil(forecast->most * 1e-9 * forecast->rate - 1e-6));
	forecast->queue_bytes = forecast->queue_packets * forecast->ip_bytes;
	forecast->median = forecast->p99 = -1.0;
}

static void take_simulated(struct forecast *forecast,
			   const struct rehearsal *rehearsal,
			   const struct rehearsed *seen)
{
	double all = (double)rehearsal->packets;
	double released = seen->released ? (double)seen->released : 1.0;

	/* no law knows of the limits */
	if (seen->limited || seen->invalid)
		forecast->delay_way = forecast->range_way = forecast->loss_way =
			forecast->burst_way = forecast->order_way =
				forecast->stops_way = FORECAST_SIMULATION;
	forecast->simulated = rehearsal->packets;
	forecast->duration = (nsec)rehearsal->packets * rehearsal->interval;
	if (forecast->delay_way == FORECAST_SIMULATION) {
		forecast->mean = seen->mean;
		forecast->deviation = seen->deviation;
	}
	if (forecast->range_way == FORECAST_SIMULATION) {
		forecast->least = seen->least;
		forecast->most = seen->most;
	}
	if (!isfinite(forecast->bound))
		forecast->bound = seen->most;
	if (forecast->loss_way == FORECAST_SIMULATION)
		forecast->loss = (double)seen->lost / all;
	if (forecast->burst_way == FORECAST_SIMULATION)
		forecast->burst =
			seen->bursts ? (double)seen->lost / (double)seen->bursts
				     : 0.0;
	if (forecast->order_way == FORECAST_SIMULATION)
		forecast->reordered = (double)seen->late / released;
	if (forecast->queue_way == FORECAST_SIMULATION) {
		forecast->queue_packets = (double)seen->queue_packets;
		forecast->queue_bytes = (double)seen->queue_bytes;
	}
	for (int i = 0; i < FORECAST_TIMEOUTS &&
			forecast->stops_way == FORECAST_SIMULATION;
	     i++)
		forecast->stops[i] =
			seen->gaps[i] ? (double)forecast->duration * 1e-9 /
						(double)seen->gaps[i]
				      : INFINITY;
	forecast->median = seen->median;
	forecast->p99 = seen->p99;
	forecast->limited = (double)seen->limited / all;
	forecast->invalid = (double)seen->invalid / all;
}

/* What floor and order do to one stage that draws, alone. */
static bool rehearse_stage(struct forecast_stage *stage,
			   const struct rehearsal *whole)
{
	double asked = (double)stage_whole(stage->plan, "base");
	struct channel_plan plan = *whole->plan;
	struct rehearsal rehearsal = *whole;
	struct rehearsed seen;
	double released;

	stage->zero = stage->held = 0.0;
	if (!stage->law.drawn)
		return true;
	if (stage->law.delays) {
		stage->zero = stage->law.zero;
		stage->held = stage->law.held;
		stage->shift = stage->law.mean - asked;
		return true;
	}
	plan.chain = stage->plan;
	plan.n_chain = 1;
	plan.tick = 0;
	rehearsal.plan = &plan;
	if (!rehearse(&rehearsal, &seen))
		return false;
	released = seen.released ? (double)seen.released : 1.0;
	stage->zero = (double)seen.zero / released;
	stage->held =
		stage->law.keeps_order ? (double)seen.held / released : 0.0;
	stage->shift = seen.mean - asked;
	stage->error = seen.deviation / sqrt(released);
	stage->way = FORECAST_SIMULATION;
	return true;
}

/* What a link or a limit cuts of the datagrams that halt the robot. */
static bool rehearse_stops(struct forecast *forecast,
			   const struct rehearsal *whole)
{
	struct rehearsal rehearsal = *whole;
	unsigned start[CHAIN_MAX + 1], end[CHAIN_MAX + 1];

	if (forecast->channel->plan.direction != UPLINK)
		return true;
	rehearsal.packets = 0;
	if (!rehearse_burst(&rehearsal, STOPS_AT_START, start))
		return false;
	rehearsal.packets = (uint64_t)(forecast->rate * 10.0);
	if (rehearsal.packets > whole->packets)
		rehearsal.packets = whole->packets;
	if (!rehearse_burst(&rehearsal, STOPS_AT_END, end))
		return false;
	for (size_t i = 0; i <= forecast->n_stages; i++) {
		bool link = i == forecast->n_stages ||
			    forecast->stage[i].law.rate > 0.0 ||
			    stage_is(forecast->stage[i].plan, "link-trace");

		if (!link || !(start[i] + end[i]))
			continue;
		forecast->start_cut += start[i];
		forecast->end_cut += end[i];
		forecast->cut_by = i == forecast->n_stages
					   ? "limit"
					   : forecast->stage[i].plan->name;
	}
	return true;
}

static struct rehearsal rehearsal_of(const struct forecast *forecast,
				     const struct arm *arm,
				     const struct forecast_ask *ask,
				     bool stationary)
{
	nsec duration = ask->duration ? ask->duration : DURATION;
	uint64_t seed = (uint64_t)arm->general.seed;
	struct rehearsal rehearsal = {
		.plan = &forecast->channel->plan,
		.seed = arm->general.trials == TRIALS_DERIVED
				? seed_trial(seed, "1")
				: seed,
		.interval = (nsec)llround(1e9 / forecast->rate),
		.payload = forecast->payload,
	};

	if (rehearsal.interval < 1)
		rehearsal.interval = 1;
	rehearsal.packets = (uint64_t)(duration / rehearsal.interval);
	if (stationary && !ask->duration && rehearsal.packets < PACKETS_LEAST)
		rehearsal.packets = PACKETS_LEAST;
	if (rehearsal.packets > PACKETS_MOST)
		rehearsal.packets = PACKETS_MOST;
	if (ask->packets && rehearsal.packets > ask->packets)
		rehearsal.packets = ask->packets;
	if (!rehearsal.packets)
		rehearsal.packets = 1;
	for (int i = 0; i < REHEARSAL_TIMEOUTS; i++)
		rehearsal.timeouts[i] = (nsec)(forecast_timeouts[i] * 1e9);
	return rehearsal;
}

/* Whether formulas tell all: a constant delay, and room for what it holds. */
static bool is_plain(const struct forecast *forecast)
{
	const struct channel_plan *plan = &forecast->channel->plan;

	for (size_t i = 0; i < forecast->n_stages; i++)
		if (forecast->stage[i].law.drawn)
			return false;
	return !(forecast->delay_way | forecast->loss_way |
		 forecast->burst_way | forecast->order_way |
		 forecast->stops_way | forecast->queue_way) &&
	       forecast->deviation == 0.0 &&
	       forecast->most <= (double)DELAY_MAX &&
	       forecast->queue_packets + 1.0 <= (double)plan->limit_packets &&
	       forecast->queue_bytes + forecast->ip_bytes <=
		       (double)plan->limit_bytes;
}

bool forecast_channel(struct forecast *forecast, const struct arm *arm,
		      size_t channel, const struct forecast_ask *ask)
{
	struct rehearsal rehearsal;
	struct rehearsed seen;
	struct combined combined;

	_Static_assert(FORECAST_TIMEOUTS == REHEARSAL_TIMEOUTS,
		       "each time-out is counted");
	*forecast = (struct forecast){ .channel = &arm->channel[channel] };
	take_stream(forecast, ask);
	combined = combine(forecast);
	by_formula(forecast, &combined);
	if (is_plain(forecast))
		return true;
	rehearsal = rehearsal_of(forecast, arm, ask, combined.stationary);
	if (!rehearse(&rehearsal, &seen))
		return false;
	take_simulated(forecast, &rehearsal, &seen);
	for (size_t i = 0; i < forecast->n_stages; i++)
		if (!rehearse_stage(&forecast->stage[i], &rehearsal))
			return false;
	return rehearse_stops(forecast, &rehearsal);
}
