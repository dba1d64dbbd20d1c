/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * measure.h - what a channel did to its packets, from all of them at once
 *
 * Floor: core.
 *
 * Where a tally counts as packets go by, a measure keeps them (32 bytes each)
 * and is asked afterwards: exact quantiles, bursts, gaps, how old what the
 * receiver had was.
 *
 * Delay asked for is due − ingress, realised delay released − ingress, release
 * error released − due; all of packets that were released.  Where no time of
 * release is known, that it was due counts as its release.
 */
#ifndef CORE_MEASURE_H
#define CORE_MEASURE_H

#include "core/sample.h"

/* Packets that one measure keeps; more are refused: 3.2 GB of them. */
#define MEASURE_MOST 100000000u

/* What became of a packet. */
enum outcome {
	OUTCOME_PASSED,
	OUTCOME_LOST,  /* a condition or something else took it */
	OUTCOME_ENDED, /* it waited as its trial ended: neither of the two */
};

/**
 * struct measure_packet - One packet
 * @key:	Place in the order of arrival, and its outcome in the two lowest
 *		bits
 * @ingress:	When it entered
 * @due:	When it was to leave; of a packet that passed
 * @released:	When it left; likewise
 */
struct measure_packet {
	uint64_t key;
	nsec ingress, due, released;
};

/**
 * struct measure - Packets of a channel in one trial; all zeros is none
 * @packet:	Packets, @n of them
 * @order:	Places in @packet of those that passed, by release; @n_order of
 *		them, once measure_sort() was called
 * @late:	Packets that left behind one that had entered later
 */
struct measure {
	struct measure_packet *packet;
	size_t n, room;
	uint32_t *order;
	size_t n_order;
	uint64_t top, late;
};

/**
 * measure_add() - Keep a packet; call it in the order of release
 * @measure:	Measure
 * @id:		Place in the order of arrival
 * @outcome:	What became of it
 * @times:	Its times; @key is not looked at
 *
 * Return: false if it keeps MEASURE_MOST already.
 */
bool measure_add(struct measure *measure, uint64_t id, enum outcome outcome,
		 const struct measure_packet *times);

/**
 * measure_sort() - All are there: put them in order
 * @measure:	Measure
 */
void measure_sort(struct measure *measure);

/* What became of a packet. */
static inline enum outcome measure_outcome(const struct measure_packet *packet)
{
	return (enum outcome)(packet->key & 3);
}

enum measure_of { MEASURE_ASKED, MEASURE_REALISED, MEASURE_ERROR };

/**
 * measure_sample() - Times of the packets that passed
 * @measure:	Measure
 * @of:		Which
 * @sample:	Filled and sorted; one that has times loses them
 */
void measure_sample(const struct measure *measure, enum measure_of of,
		    struct sample *sample);

/**
 * struct measure_bursts - Packets in a row, by arrival, that were lost
 * @n:		How many such rows
 * @lost:	Packets in them
 * @longest:	Packets of the longest
 */
struct measure_bursts {
	uint64_t n, lost, longest;
};

/**
 * measure_bursts() - Count bursts of lost packets
 * @measure:	Sorted measure
 *
 * A packet that waited as its trial ended stands in no burst and ends none.
 *
 * Return: the counts.
 */
struct measure_bursts measure_bursts(const struct measure *measure);

/**
 * struct measure_gaps - Silence against a robot's time-out
 * @sent:	Times between two arrivals that are longer than it
 * @released:	Times between two releases that are
 * @stops:	Of these, those within which the sender never paused so long:
 *		a robot halts though its operator drives
 * @halted:	How much longer than the time-out these last, together, ns
 */
struct measure_gaps {
	uint64_t sent, released, stops;
	nsec halted;
};

/**
 * measure_gaps() - Count silences that are longer than a time-out
 * @measure:	Sorted measure
 * @timeout:	Time-out
 *
 * Return: the counts.
 */
struct measure_gaps measure_gaps(const struct measure *measure, nsec timeout);

/**
 * measure_longest() - Longest times between two packets
 * @measure:	Sorted measure
 * @sent:	Set to that between two arrivals
 * @released:	Set to that between two releases
 */
void measure_longest(const struct measure *measure, nsec *sent, nsec *released);

/**
 * struct measure_age - How old what is known was, over a span of time
 * @span:	From the first to the last thing known
 * @weighted:	Sum of age times time, ns²
 * @least:	Least age; @most: greatest
 * @known:	When the latest was known; @from: of when it was
 * @any:	Something is known
 */
struct measure_age {
	double span, weighted;
	nsec least, most, known, from;
	bool any;
};

/* Ages whose excess is asked for at once. */
#define MEASURE_AGES 6

/**
 * measure_age_add() - Something newer is known, or the same again
 * @age:	Age; all zeros is nothing known yet
 * @over:	Time during which the age was above each of @bounds, ns; added
 *		to
 * @bounds:	Ages
 * @now:	When; not before the last one
 * @from:	Of when what is known from now on is
 */
void measure_age_add(struct measure_age *age, double over[MEASURE_AGES],
		     const nsec bounds[MEASURE_AGES], nsec now, nsec from);

/**
 * measure_age() - How old the newest packet was that the receiver had
 * @measure:	Sorted measure
 * @over:	Filled with how long it was above each of @bounds, ns
 * @bounds:	Ages
 *
 * Return: the figures.
 */
struct measure_age measure_age(const struct measure *measure,
			       double over[MEASURE_AGES],
			       const nsec bounds[MEASURE_AGES]);

/**
 * struct measure_bin - A stretch of trial time, by arrival
 * @in:		Packets that entered in it; @lost: of these, lost
 * @passed:	Of these, passed
 * @least:	Least realised delay of those; @most: greatest
 * @sum:	Sum of their realised delays, @asked: of those asked for
 */
struct measure_bin {
	uint64_t in, lost, passed;
	nsec least, most;
	double sum, asked;
};

/**
 * measure_course() - What happened over time
 * @measure:	Measure
 * @width:	Of a bin, over 0; the first begins at 0, the last has all that
 *		comes after it
 * @bin:	Filled
 * @n:		How many bins
 */
void measure_course(const struct measure *measure, nsec width,
		    struct measure_bin *bin, size_t n);

/**
 * measure_fini() - Free the packets
 * @measure:	Measure; empty again afterwards
 */
void measure_fini(struct measure *measure);

#endif /* CORE_MEASURE_H */
