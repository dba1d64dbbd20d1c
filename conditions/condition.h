/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition.h - what one impairment is, for built-in and loaded ones alike
 *
 * Floor: ground.  This is the whole interface: a condition includes this
 * header and the C library's, and ends in one `const struct condition`.
 *
 * A condition looks at one packet at a time, when the packet reaches it, and
 * answers with a delay or with DELAY_SUPPRESS.  The core allocates its settings
 * and its state, parses the settings by the table, seeds its random stream, and
 * hands all of it over in a struct turn.
 *
 * Rules: no parsing, no allocation, no logging, no clock, no input or output,
 * no static data that changes.  Take the same count of random numbers on every
 * turn, whatever the outcome, so that runs which differ in one setting stay
 * paired packet by packet.
 */
#ifndef CONDITIONS_CONDITION_H
#define CONDITIONS_CONDITION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CONDITION_ABI 1u

/* Nanoseconds since the trial began.  A double never holds an absolute time. */
typedef int64_t nsec;

#define NSEC_NEVER  INT64_MAX
#define NSEC_PER_MS INT64_C(1000000)
#define NSEC_PER_S  INT64_C(1000000000)

/* No delay may be longer than this; one that is is dropped as invalid. */
#define DELAY_MAX      (3600 * NSEC_PER_S)
#define DELAY_SUPPRESS INT64_MIN
#define DELAY_INVALID  (-1)

/**
 * struct rng - A stream of random numbers, one for each stage of each channel
 * @s:		State of xoshiro256++ (Blackman and Vigna, 2019)
 * @legacy:	True: .NET's seeded System.Random (Knuth's subtractive generator
 *		with lags 55 and 34 as .NET ships it), so that the draws of a
 *		Unity study replay exactly
 * @lag:	State of the legacy generator, 1 to 55
 * @at:		Place of the legacy generator, 1 to 55
 */
struct rng {
	uint64_t s[4];
	bool legacy;
	uint8_t at;
	int32_t lag[56];
};

/* Next of the legacy generator, 0 to 2^31 - 2. */
static inline int32_t rng_legacy_next(struct rng *rng)
{
	unsigned at = rng->at >= 55 ? 1 : rng->at + 1u;
	unsigned other = at + 21 > 55 ? at + 21 - 55 : at + 21;
	int32_t next =
		(int32_t)((uint32_t)rng->lag[at] - (uint32_t)rng->lag[other]);

	if (next == INT32_MAX)
		next--;
	if (next < 0)
		next = (int32_t)((uint32_t)next + (uint32_t)INT32_MAX);
	rng->lag[at] = next;
	rng->at = (uint8_t)at;
	return next;
}

/* Next 64 bits of xoshiro256++. */
static inline uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->s, sum = s[0] + s[3], t = s[1] << 17;
	uint64_t next = ((sum << 23) | (sum >> 41)) + s[0];

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return next;
}

/* Next number in [0, 1), uniform; 53 bits, or 31 from the legacy generator. */
static inline double rng_uniform(struct rng *rng)
{
	if (rng->legacy)
		return rng_legacy_next(rng) * (1.0 / INT32_MAX);
	return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

/* A number of nanoseconds as a delay; what is no number becomes invalid. */
static inline nsec delay_of(double ns)
{
	if (!(ns >= 0.0) || ns > 2.0 * (double)DELAY_MAX)
		return DELAY_INVALID;
	return (nsec)(ns + 0.5);
}

/**
 * enum setting_kind - What a setting holds, and how it is written in an arm
 *
 * The type in brackets is that of the member at the setting's offset.
 */
enum setting_kind {
	SETTING_TIME,	      /* (nsec) 200ms, 2.56s; ns us ms s min h */
	SETTING_RATE,	      /* (int64_t, bit/s) 50kbit, 1.5Mbit */
	SETTING_SIZE,	      /* (int64_t, bits) 1500B, 64KiB, 2000bit */
	SETTING_SHARE,	      /* (double, 0 to 1) 1%, 0.5% */
	SETTING_COUNT,	      /* (int64_t) 100 */
	SETTING_NUMBER,	      /* (double) 0.287, without a unit */
	SETTING_SWITCH,	      /* (bool) yes, no */
	SETTING_CHOICE,	      /* (int) the place of one of @choices */
	SETTING_TEXT,	      /* (const char *) as written */
	SETTING_LENGTH,	      /* (double, m) 0.2m, 35mm, 12cm */
	SETTING_ANGLE,	      /* (double, rad) 0.5rad, 30deg */
	SETTING_SPEED,	      /* (double, m/s) 0.26m/s */
	SETTING_TURN,	      /* (double, rad/s) 0.5rad/s, 30deg/s */
	SETTING_TIMES,	      /* (struct times) 10s, 30s, 45s */
	SETTING_COUNTS,	      /* (struct counts) 3, 7, 20 */
	SETTING_POINTS,	      /* (struct points) 0s 100ms, 10s 200ms */
	SETTING_POINTS_FILE,  /* (struct points) CSV file: time_s,delay_ms */
	SETTING_SPANS_FILE,   /* (struct points) CSV file: at_s,for_s */
	SETTING_TRACE_FILE,   /* (struct times) Mahimahi trace: ms per line */
	SETTING_SERIES_FILE,  /* (struct series) CSV: [time_s,]delay_ms|lost */
	SETTING_DISTRIBUTION, /* (struct distribution) normal, table:FILE */
};

/* The lists below begin with @text, the value as the arm has it, or NULL where
 * the arm says nothing.  The arm owns all of it.
 */

/* A list of times, ascending. */
struct times {
	const char *text;
	size_t n;
	const nsec *v;
};

/* A list of whole numbers, ascending. */
struct counts {
	const char *text;
	size_t n;
	const int64_t *v;
};

/* Points of a function of trial time, @at ascending. */
struct points {
	const char *text;
	size_t n;
	const nsec *at, *value;
};

/* A recorded series; @at is NULL where it goes by packet.  Lost: value < 0. */
struct series {
	const char *text;
	size_t n;
	const nsec *at, *value;
};

/**
 * struct distribution - The shape of a draw, of mean 0 and scale 1
 * @text:	As written
 * @kind:	Which
 * @n:		Entries of @table, for DISTRIBUTION_TABLE
 * @table:	Quantiles in units of the scale, ascending; entry i stands for
 *		the probability (i + 1/2) / n
 * @loss:	Share of draws, the topmost, that mean a loss
 */
struct distribution {
	const char *text;
	enum distribution_kind {
		DISTRIBUTION_UNIFORM,
		DISTRIBUTION_NORMAL,
		DISTRIBUTION_EXPONENTIAL,
		DISTRIBUTION_PARETO,
		DISTRIBUTION_LOGNORMAL,
		DISTRIBUTION_WEIBULL,
		DISTRIBUTION_GAMMA,
		DISTRIBUTION_TABLE,
	} kind;
	size_t n;
	const double *table;
	double loss;
};

/**
 * struct setting - One row of a table of settings
 * @name:	Key in the arm file
 * @kind:	What it holds
 * @offset:	Of its member in the settings
 * @lo:		Least value, in the unit of the member
 * @hi:		Greatest value
 * @preset:	What stands where the arm says nothing, written as in an arm;
 *		NULL if the arm must say it; "" for none (a member of zeros)
 * @choices:	For SETTING_CHOICE: words with '|' between them
 * @text:	One sentence, without a full stop
 *
 * This table feeds the parser, check, describe, conditions, the control
 * socket, the page and the manual page.
 */
struct setting {
	const char *name;
	enum setting_kind kind;
	size_t offset;
	double lo, hi;
	const char *preset;
	const char *choices;
	const char *text;
};

/**
 * struct turn - One packet's turn at one condition
 * @settings:	Its settings, as parsed
 * @state:	Its memory in this channel: zeros, then what reset() made of it
 * @rng:	Its own random stream
 * @now:	When the packet reached it, never before the turn before
 * @payload:	The UDP payload, to look at
 * @payload_bytes: Size of the payload
 * @ip_bytes:	Size of the whole IP packet
 */
struct turn {
	const void *settings;
	void *state;
	struct rng *rng;
	nsec now;
	const uint8_t *payload;
	uint32_t payload_bytes;
	uint32_t ip_bytes;
};

/**
 * struct condition - What a condition file ends in
 * @abi:	CONDITION_ABI
 * @name:	The word after "type =" in an arm file
 * @text:	What it does, in one sentence without a full stop
 * @settings:	Table of settings
 * @n_settings:	Rows in it
 * @settings_size: Size of the struct that the table fills
 * @state_size:	Size of the state
 * @check:	Optional: do the settings fit together?  Returns 0, or -1 with
 *		@why saying what is wrong and what would be right
 * @reset:	Optional: make the state that a trial begins with (at @now 0);
 *		the state is all zeros when it is called
 * @counts:	Optional: names of what it counts, NULL behind the last; the
 *		state then begins with as many uint64_t, which apply() counts up
 * @apply:	The turn of one packet: returns its delay in nanoseconds, 0 to
 *		DELAY_MAX, or DELAY_SUPPRESS; all else is dropped as invalid
 */
struct condition {
	uint32_t abi;
	const char *name;
	const char *text;
	const struct setting *settings;
	size_t n_settings;
	size_t settings_size;
	size_t state_size;
	int (*check)(const void *settings, char *why, size_t size);
	void (*reset)(const struct turn *turn);
	const char *const *counts;
	nsec (*apply)(const struct turn *turn);
};

/* Name of the symbol that a loaded condition exports. */
#define CONDITION_SYMBOL "farlink_condition"

#ifdef __cplusplus
}
#endif

#endif /* CONDITIONS_CONDITION_H */
