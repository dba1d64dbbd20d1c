/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forecast.h - what an arm will do to its streams, before anybody drives
 *
 * Floor: session.
 *
 * By formula where all conditions of a chain have one, else by simulation: the
 * channel of core/channel.h itself, in virtual time, with the arm's own seed
 * and evenly spaced packets.  Every figure says which of the two it is.
 */
#ifndef SESSION_FORECAST_H
#define SESSION_FORECAST_H

#include "session/arm.h"
#include "session/law.h"

/**
 * struct forecast_ask - What a stream is taken to be like
 * @rate:	Packets per second; 0: by "expect", or assumed
 * @payload:	Bytes of payload; 0: assumed
 * @duration:	Trial time to look at; 0: 10 min
 * @packets:	Most packets to simulate; 0: as many as it takes
 */
struct forecast_ask {
	double rate;
	uint32_t payload;
	nsec duration;
	uint64_t packets;
};

enum forecast_way { FORECAST_FORMULA, FORECAST_SIMULATION };

/* Time-outs of robots in common use, in seconds. */
#define FORECAST_TIMEOUTS 6
extern const double forecast_timeouts[FORECAST_TIMEOUTS];

/* What a drive sends at once at its start and at its end, to halt the robot. */
#define STOPS_AT_START 10
#define STOPS_AT_END   5

/**
 * struct forecast_stage - What one stage does
 * @plan:	The stage
 * @law:	Its law
 * @zero:	Share of its delays floored at zero; negative: not known
 * @held:	Share of packets that it holds back for order; negative: not
 *		known
 * @shift:	What floor and order add to the mean that was asked for, ns
 * @error:	Standard error of @shift, ns; 0 by formula
 * @way:	Of these
 */
struct forecast_stage {
	const struct stage_plan *plan;
	struct law law;
	double zero, held, shift, error;
	enum forecast_way way;
};

/**
 * struct forecast - What a channel will do
 * @channel:	The channel
 * @rate:	Packets per second that were taken, evenly spaced
 * @payload:	Their payload
 * @ip_bytes:	Their size as IP packets
 * @rate_said:	Whether the rate was said, by "expect" or by the asker
 * @size_said:	Whether the size was
 * @simulated:	Packets simulated; 0: none had to be
 * @duration:	Trial time that they took
 * @mean:	Mean of the delay of released packets, ns; @deviation likewise
 * @delay_way:	Of these two
 * @least:	Least delay, ns; @most: greatest, infinite where there is no
 *		bound
 * @range_way:	Of these two
 * @median:	Half the delays are not above it, ns; @p99 likewise; simulated,
 *		negative where nothing was
 * @bound:	Greatest delay to reckon with for the limits, ns
 * @loss:	Share of packets that do not pass
 * @burst:	Mean count of packets lost in a row; 0: none is
 * @loss_way:	Of @loss; @burst_way: of @burst
 * @reordered:	Share of released packets that arrive behind a later one
 * @order_way:	Of it
 * @queue_packets: Most packets that wait at a time; @queue_bytes likewise
 * @queue_way:	Of these two
 * @limited:	Share of packets dropped because the channel's limits are full
 * @invalid:	Share of packets dropped because of an invalid delay
 * @stops:	Mean time between gaps that outlast each of forecast_timeouts,
 *		s; infinite: none seen, or none possible
 * @stops_way:	Of it
 * @start_cut:	Of STOPS_AT_START datagrams sent at once into an idle channel,
 *		how many a link or a limit cuts
 * @end_cut:	Of STOPS_AT_END sent at once behind the stream, how many
 * @cut_by:	Which stage, or "limit"
 * @stage:	Its stages; @n_stages of them
 */
struct forecast {
	const struct arm_channel *channel;
	double rate;
	uint32_t payload, ip_bytes;
	bool rate_said, size_said;
	uint64_t simulated;
	nsec duration;
	double mean, deviation, least, most, median, p99, bound;
	enum forecast_way delay_way, range_way;
	double loss, burst;
	enum forecast_way loss_way, burst_way;
	double reordered;
	enum forecast_way order_way;
	double queue_packets, queue_bytes;
	enum forecast_way queue_way;
	double limited, invalid;
	double stops[FORECAST_TIMEOUTS];
	enum forecast_way stops_way;
	unsigned start_cut, end_cut;
	const char *cut_by;
	size_t n_stages;
	struct forecast_stage stage[CHAIN_MAX];
};

/**
 * forecast_channel() - Foretell what a channel will do
 * @forecast:	Filled
 * @arm:	Arm; borrowed by the forecast, as its channel is
 * @channel:	Place of the channel in it
 * @ask:	What its stream is like
 *
 * Return: false if there is not the memory to simulate it.
 */
bool forecast_channel(struct forecast *forecast, const struct arm *arm,
		      size_t channel, const struct forecast_ask *ask);

/**
 * forecast_advise() - Where a forecast is not what people expect
 * @forecast:	Forecast
 * @arm:	Its arm
 * @warnings:	Told each: "FILE:LINE: …"
 */
void forecast_advise(const struct forecast *forecast, const struct arm *arm,
		     struct err *warnings);

/**
 * forecast_warnings() - Where an arm will not do what people expect
 * @arm:	Arm
 * @warnings:	Told each: "FILE:LINE: …"
 *
 * Simulates little, so that a check of an arm stays quick.
 */
void forecast_warnings(const struct arm *arm, struct err *warnings);

/**
 * forecast_limits() - Does what the chains hold of the streams fit the limits?
 * @arm:	Arm
 * @err:	Told each channel whose expected rate times its largest delay
 *		does not
 *
 * Return: 0, or -1 with @err told.
 */
int forecast_limits(const struct arm *arm, struct err *err);

#endif /* SESSION_FORECAST_H */
