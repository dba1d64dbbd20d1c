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
 * @drawn:	Its delay is drawn, or is that of a link: a floor or an order may
 *		hold packets back
 * @keeps_order: No packet overtakes another in it
 * @held:	Share of time in which a smooth delay would fall faster than time
 *		passes, and is held back
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
 * struct draw - A delay drawn for each packet on its own
 * @kind:	DISTRIBUTION_UNIFORM or DISTRIBUTION_NORMAL
 * @base:	Centre, ns
 * @jitter:	Half width, or standard deviation, ns
 */
struct draw {
	enum distribution_kind kind;
	double base, jitter;
};

/**
 * law_draw() - Mean, deviation, bounds and share floored of a draw
 * @draw:	Draw, floored at zero
 * @law:	Told
 */
void law_draw(const struct draw *draw, struct law *law);

/**
 * law_reordered() - Share of packets that arrive behind a later one
 * @draw:	Draw, anew for each packet
 * @interval:	Time from packet to packet, ns
 * @loss:	Share of packets lost, each on its own
 *
 * Return: the share, of packets that arrive.
 */
double law_reordered(const struct draw *draw, double interval, double loss);

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

/**
 * law_netem_share() - How often netem does what it was asked to do with a
 *	probability and a correlation
 * @probability: As asked, 0 to 1
 * @correlation: As asked, 0 to 1
 *
 * netem blends each uniform number with the last, which crowds them around one
 * half, and compares the blend with the threshold of a uniform one.
 *
 * Return: the share that really results.
 */
double law_netem_share(double probability, double correlation);

#endif /* SESSION_LAW_H */
