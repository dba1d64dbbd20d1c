/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forecast_warnings.c - where an arm will not do what people expect
 *
 * Floor: session.
 */
#include "session/forecast.h"

#include <string.h>

#include "session/say.h"
#include "session/stage.h"

/* Packets that a check may simulate in all. */
#define CHECK_PACKETS 60000u
#define CHECK_LEAST   1000u

/* A share below this is not worth a warning. */
#define SHARE_SMALL 0.001
/* Time between false stops, s, above which none falls into a trial. */
#define STOPS_RARE 3600.0
/* The largest packets in common use: the fewest that make up a rate. */
#define PACKET_BITS 12000.0

struct advice {
	const struct forecast *forecast;
	const struct arm *arm;
	struct err *warnings;
	char room[2048];
	struct text text;
};

/* Begin a warning: where, and at which stage if it is one's. */
static struct text *begin(struct advice *advice,
			  const struct forecast_stage *stage)
{
	const struct arm_channel *channel = advice->forecast->channel;
	struct text *text = &advice->text;

	text_init(text, advice->room, sizeof(advice->room));
	text_add(text, "%s:%d: [%s %s]: ", advice->arm->file, channel->line,
		 direction_name(channel->plan.direction), channel->plan.stream);
	if (stage)
		text_add(text, "[condition %s]: ", stage->plan->name);
	return text;
}

static void end(struct advice *advice)
{
	err_add(advice->warnings, "%s", advice->room);
}

/* "at 10 packets/s of 40 bytes (assumed; say expect = RATE)" */
static void say_stream(struct text *text, const struct forecast *forecast)
{
	text_add(text, "at ");
	say_number(text, forecast->rate, 4);
	text_add(text, " packets/s of %u bytes", forecast->payload);
	if (!forecast->rate_said)
		text_add(text, " (assumed; the arm says no expect)");
	else if (!forecast->size_said)
		text_add(text, " (size assumed)");
}

static void advise_order(struct advice *advice)
{
	const struct forecast *forecast = advice->forecast;
	struct text *text;

	if (forecast->reordered < SHARE_SMALL)
		return;
	text = begin(advice, NULL);
	say_share(text, forecast->reordered);
	text_add(text, " of packets arrive behind a later one ");
	say_stream(text, forecast);
	if (forecast->channel->plan.direction == UPLINK)
		text_add(text, "; a robot takes a late command for a new one");
	for (size_t i = 0; i < forecast->n_stages; i++)
		if (stage_is(forecast->stage[i].plan, "jitter")) {
			text_add(text, "; smooth-jitter keeps both order and "
				       "distribution");
			break;
		}
	end(advice);
}

static void advise_draw(struct advice *advice,
			const struct forecast_stage *stage)
{
	double asked = (double)stage_whole(stage->plan, "base");
	/* a mean that only this sample has moved is not told */
	bool moved = fabs(stage->shift) >= fmax(1e3, 3.0 * stage->error);
	bool held = stage->held >= SHARE_SMALL;
	struct text *text;

	if (!held && !(stage->zero >= SHARE_SMALL && moved))
		return;
	text = begin(advice, stage);
	if (stage->zero >= SHARE_SMALL) {
		say_share(text, stage->zero);
		text_add(text, " of draws are below zero and floored there%s",
			 held ? ", and " : "");
	}
	if (held) {
		say_share(text, stage->held);
		text_add(text,
			 " of packets are held back for the one before, ");
		say_stream(text, advice->forecast);
	}
	if (moved) {
		text_add(text, ": the mean is ");
		say_delay(text, asked + stage->shift);
		text_add(text, " instead of ");
		say_delay(text, asked);
	}
	if (held)
		text_add(text, stage_is(stage->plan, "smooth-jitter")
				       ? "; a longer time_scale avoids that"
				       : "; smooth-jitter keeps order without "
					 "that");
	end(advice);
}

/* A link that cannot carry what reaches it. */
static void advise_link(struct advice *advice,
			const struct forecast_stage *stage, double pass)
{
	const struct forecast *forecast = advice->forecast;
	double bits, offered;
	struct text *text;

	if (stage->law.rate <= 0.0)
		return;
	bits = law_bits(stage->plan, forecast->payload, forecast->ip_bytes);
	offered = bits * forecast->rate * pass;
	if (offered <= stage->law.rate)
		return;
	text = begin(advice, stage);
	text_add(text, "the link carries ");
	say_rate(text, stage->law.rate);
	text_add(text, ", the stream has ");
	say_rate(text, offered);
	text_add(text, " ");
	say_stream(text, forecast);
	text_add(text, ": ");
	say_share(text, 1.0 - stage->law.rate / offered);
	text_add(text, " is lost, and what passes waits for about ");
	say_delay(text, (double)stage_whole(stage->plan, "max_wait"));
	end(advice);
}

static void advise_stops(struct advice *advice)
{
	const struct forecast *forecast = advice->forecast;
	bool limit = forecast->cut_by && !strcmp(forecast->cut_by, "limit");
	struct text *text;

	if (!forecast->start_cut && !forecast->end_cut)
		return;
	text = begin(advice, NULL);
	text_add(text, "stop datagrams are sent in one burst, and ");
	if (forecast->start_cut)
		text_add(text, "of %u at the start %u", STOPS_AT_START,
			 forecast->start_cut);
	if (forecast->start_cut && forecast->end_cut)
		text_add(text, ", ");
	if (forecast->end_cut)
		text_add(text, "of %u at the end %u", STOPS_AT_END,
			 forecast->end_cut);
	text_add(text, " %s cut by %s%s", "are",
		 limit ? "the channel's limits" : "condition ",
		 limit ? "" : forecast->cut_by);
	if (forecast->end_cut == STOPS_AT_END)
		text_add(text, ": the robot is not halted");
	text_add(text, limit ? "; raise limit_packets"
			     : "; raise its max_wait or burst");
	end(advice);
}

/* Whether gaps over a time-out are to be told: not rare, and not the rule. */
static bool tells_timeout(const struct forecast *forecast, int i)
{
	return forecast->stops[i] <= STOPS_RARE &&
	       forecast_timeouts[i] * forecast->rate > 1.0;
}

static void advise_timeouts(struct advice *advice)
{
	const struct forecast *forecast = advice->forecast;
	bool first = true;
	struct text *text;

	if (forecast->channel->plan.direction != UPLINK)
		return;
	text = begin(advice, NULL);
	say_stream(text, forecast);
	text_add(text, ", gaps outlast a robot's time-out of ");
	for (int i = 0, last; i < FORECAST_TIMEOUTS; i = last + 1) {
		last = i;
		if (!tells_timeout(forecast, i))
			continue;
		/* those that all the same gaps outlast */
		while (last + 1 < FORECAST_TIMEOUTS &&
		       forecast->stops[last + 1] <= 1.01 * forecast->stops[i])
			last++;
		text_add(text, first ? "" : ", of ");
		text_number(text, forecast_timeouts[i]);
		if (last > i) {
			text_add(text, " to ");
			text_number(text, forecast_timeouts[last]);
		}
		text_add(text, " s every ");
		say_span(text, forecast->stops[i]);
		first = false;
	}
	text_add(text, "; it then halts by itself");
	if (!first)
		end(advice);
}

static void advise_loss(struct advice *advice)
{
	const struct forecast *forecast = advice->forecast;
	struct text *text;

	if (forecast->limited > 0.0) {
		text = begin(advice, NULL);
		text_add(text,
			 "limit_packets = %lld and limit_bytes turn "
			 "delay into loss: ",
			 (long long)forecast->channel->plan.limit_packets);
		say_share(text, forecast->limited);
		text_add(text, " of packets find no room ");
		say_stream(text, forecast);
		end(advice);
	}
	if (forecast->invalid > 0.0) {
		text = begin(advice, NULL);
		say_share(text, forecast->invalid);
		text_add(text, " of packets are dropped because a condition "
			       "asks for a delay that is negative or over an "
			       "hour");
		end(advice);
	}
	if (forecast->loss >= 1.0) {
		text = begin(advice, NULL);
		text_add(text, "no packet passes");
		end(advice);
	}
}

void forecast_advise(const struct forecast *forecast, const struct arm *arm,
		     struct err *warnings)
{
	struct advice advice = { .forecast = forecast,
				 .arm = arm,
				 .warnings = warnings };
	double pass = 1.0;

	for (size_t i = 0; i < forecast->n_stages; i++) {
		advise_draw(&advice, &forecast->stage[i]);
		advise_link(&advice, &forecast->stage[i], pass);
		pass *= 1.0 - forecast->stage[i].law.loss;
	}
	advise_order(&advice);
	advise_loss(&advice);
	advise_stops(&advice);
	advise_timeouts(&advice);
}

void forecast_warnings(const struct arm *arm, struct err *warnings)
{
	struct forecast_ask ask = { .packets = CHECK_PACKETS };
	struct forecast forecast;
	size_t busy = 0;

	for (size_t i = 0; i < arm->n_channels; i++)
		busy += arm->channel[i].plan.n_chain;
	if (busy)
		ask.packets = CHECK_PACKETS / busy;
	if (ask.packets < CHECK_LEAST)
		ask.packets = CHECK_LEAST;
	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].plan.n_chain &&
		    forecast_channel(&forecast, arm, i, &ask))
			forecast_advise(&forecast, arm, warnings);
}

/* Bits that the chain holds of the stream; negative: no law bounds it. */
static double held_bits(const struct arm_channel *channel)
{
	double flow = (double)channel->expect, held;

	/* divided, so that what fills a limit exactly is not found above it */
	held = flow * (double)channel->plan.tick / 1e9;
	for (size_t i = 0; i < channel->plan.n_chain; i++) {
		struct law law = law_of(&channel->plan.chain[i]);

		/* behind a link, and in its queue, no more than its rate */
		if (law.rate > 0.0 && law.rate < flow)
			flow = law.rate;
		held += flow * law.most / 1e9;
	}
	return isfinite(held) ? held : -1.0;
}

static void check_limits(const struct arm *arm, size_t place, struct err *err)
{
	const struct arm_channel *channel = &arm->channel[place];
	struct forecast_ask ask = { .packets = CHECK_LEAST };
	double held = held_bits(channel), packets;
	struct forecast forecast;
	struct text text;
	char room[1024];

	if (held < 0.0 && forecast_channel(&forecast, arm, place, &ask))
		held = (double)channel->expect * forecast.bound / 1e9;
	packets = held / PACKET_BITS;
	if (held / 8.0 <= (double)channel->plan.limit_bytes &&
	    packets <= (double)channel->plan.limit_packets)
		return;
	text_init(&text, room, sizeof(room));
	text_add(&text, "%s:%d: [%s %s]: at expect = ", arm->file,
		 channel->line, direction_name(channel->plan.direction),
		 channel->plan.stream);
	say_rate(&text, (double)channel->expect);
	text_add(&text, " the chain holds ");
	say_bytes(&text, held / 8.0);
	text_add(&text, ", or %lld packets of 1500 bytes, and the limits are ",
		 (long long)ceil(packets));
	say_bytes(&text, (double)channel->plan.limit_bytes);
	text_add(&text, " and %lld packets; raise limit_bytes or limit_packets",
		 (long long)channel->plan.limit_packets);
	err_add(err, "%s", room);
}

int forecast_limits(const struct arm *arm, struct err *err)
{
	size_t faults = err->n;

	for (size_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].expect > 0)
			check_limits(arm, i, err);
	return err->n == faults ? 0 : -1;
}
