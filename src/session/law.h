/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * law.h - what a condition does in the long run, by formula
 *
 * Floor: session.
 *
 * Only what has a closed form is told; for the rest, and for loaded conditions,
 * a forecast simulates.
 */
#ifndef SESSION_LAW_H
#define SESSION_LAW_H

#include "core/channel.h"

/**
 * struct law - What one stage does in the long run
 * @delays:	@mean, @deviation, @least, @most and @zero are known
 * @bounded:	@most is known even where the rest is not
 * @drawn:	Its delay is drawn, or is that of a link: a floor or an order
 *		may hold packets back
 * @keeps_order: No packet overtakes another in it
 * @held:	Share of time in which a smooth delay would fall faster than
 *		time passes, and is held back
 * @stationary:	What it does does not hang on the trial's clock
 * @mean:	Mean delay, ns
 * @deviation:	Its standard deviation, ns
 * @least:	Least delay, ns
 * @most:	Greatest, ns, without the time that the packet itself takes on a
 *		link; infinite where there is no bound
 * @zero:	Share of draws below zero, which are floored
 * @rate:	Bits per second of a link; 0: it is none
 * @loses:	@loss and @again are known
 * @runs:	Runs of losses are geometric: each goes on with chance @again
 * @loss:	Share of packets lost
 * @again:	Chance that the packet behind a lost one is lost too
 */
struct law {
	bool delays, bounded, drawn, keeps_order, stationary;
	double mean, deviation, least, most, zero, held, rate;
	bool loses, runs;
	double loss, again;
};

/**
 * law_of() - The law of a stage
 * @stage:	Stage
 *
 * Return: the law; nothing in it is known for a condition without one.
 */
struct law law_of(const struct stage_plan *stage);

/**
 * law_bits() - What a packet counts on a link
 * @stage:	Stage whose law has a rate
 * @payload:	Bytes of payload
 * @ip_bytes:	Bytes of IP packet
 *
 * Return: bits.
 */
double law_bits(const struct stage_plan *stage, uint32_t payload,
		uint32_t ip_bytes);

/**
 * struct spread - A delay drawn for each packet on its own, floored at zero
 * @distribution: Of mean 0 and scale 1
 * @shape:	Its shape; 0: the one that it has by default
 * @base:	Centre, ns
 * @jitter:	Scale, ns
 */
struct spread {
	struct distribution distribution;
	double shape, base, jitter;
};

/**
 * law_spread_of() - The spread that a stage draws from
 * @stage:	Stage with base and jitter
 *
 * Return: the spread.
 */
struct spread law_spread_of(const struct stage_plan *stage);

/**
 * law_spread() - Mean, deviation, bounds and share floored of a spread
 * @spread:	Spread
 * @law:	Told
 */
void law_spread(const struct spread *spread, struct law *law);

/**
 * law_reordered() - Share of packets that arrive behind a later one
 * @spread:	Delay, drawn anew for each packet
 * @interval:	Time from packet to packet, ns
 * @loss:	Share of packets lost, each on its own
 *
 * Return: the share, of packets that arrive.
 */
double law_reordered(const struct spread *spread, double interval, double loss);

/**
 * law_between_stops() - Mean time between gaps that outlast a time-out
 * @law:	Law of loss; @runs must hold
 * @interval:	Time from packet to packet, s
 * @timeout:	Time-out, s
 *
 * Return: seconds; infinite if it never happens or the stream itself is slower.
 */
double law_between_stops(const struct law *law, double interval,
			 double timeout);

#endif /* SESSION_LAW_H */
