/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * netem.c - what the formulas of Linux netem really come to
 *
 * Floor: session.
 *
 * How it works
 *
 * With a correlation c, netem blends each uniform number U with the blend x
 * before it: (1 - c) U + c x.  That has the mean of a uniform number but not
 * its spread, so comparing it with a threshold meant for a uniform one gives
 * another share.  The distribution F of the blend follows from itself,
 *
 *	F(y) = c / (1 - c) (G(y / c) - G((y - 1 + c) / c)),
 *	G the integral of F,
 *
 * and is found by putting it in until it stays as it is.
 *
 * For a delay the same blend is taken modulo the width of the jitter in
 * nanoseconds, which leaves its low bits, and those are random: the correlation
 * is gone.  How much of it is left is tried, with the kernel's own integers.
 */
#include "session/netem.h"

#include <string.h>

#include "core/seed.h"

#define CELLS	   4096
#define ROUNDS_MAX 4000

/* Integral from 0 to @at of a function given at the borders of the cells. */
static double integral(const double *function, const double *sum, double at)
{
	double part;
	int cell;

	if (at <= 0.0)
		return 0.0;
	if (at >= 1.0)
		return sum[CELLS] + at - 1.0;
	cell = (int)(at * CELLS);
	part = at - (double)cell / CELLS;
	return sum[cell] + part * function[cell] +
	       0.5 * part * part * CELLS *
		       (function[cell + 1] - function[cell]);
}

double netem_share(double probability, double correlation)
{
	double function[CELLS + 1], next[CELLS + 1], sum[CELLS + 1];
	double rho = correlation, change = 1.0;
	int at;

	if (rho <= 0.0 || rho >= 1.0)
		return probability;
	for (int i = 0; i <= CELLS; i++)
		function[i] = (double)i / CELLS;
	/* the distribution of the blend, from one packet to the next, until
	 * it stays as it is
	 */
	for (int round = 0; round < ROUNDS_MAX && change > 1e-13; round++) {
		change = sum[0] = 0.0;
		for (int i = 0; i < CELLS; i++)
			sum[i + 1] =
				sum[i] +
				0.5 * (function[i] + function[i + 1]) / CELLS;
		for (int i = 0; i <= CELLS; i++) {
			double y = (double)i / CELLS;

			next[i] = rho / (1.0 - rho) *
				  (integral(function, sum, y / rho) -
				   integral(function, sum,
					    (y - 1.0 + rho) / rho));
			change = fmax(change, fabs(next[i] - function[i]));
		}
		memcpy(function, next, sizeof(function));
	}
	if (probability >= 1.0)
		return 1.0;
	at = (int)(probability * CELLS);
	return function[at] +
	       (probability * CELLS - at) * (function[at + 1] - function[at]);
}

/* Correlation and mean of so many draws. */
#define DRAWS	   40000
#define DRAWS_SEED 20260817u

struct netem_delay netem_delay(nsec jitter, double correlation)
{
	uint64_t rho = (uint64_t)llround(correlation * 4294967295.0) + 1;
	uint64_t width = 2 * (uint64_t)jitter, blend;
	double last = 0.0, sum = 0.0, squares = 0.0, products = 0.0, mean;
	struct rng rng;

	if (jitter <= 0)
		return (struct netem_delay){ 0.0, 0.0 };
	seed_key(&rng, DRAWS_SEED);
	blend = rng_next(&rng) >> 32;
	for (int i = 0; i < DRAWS; i++) {
		uint64_t fresh = rng_next(&rng) >> 32;
		double draw;

		/* both products stay below 2^64 */
		blend = correlation > 0.0
				? ((4294967296u - rho) * fresh + rho * blend) >>
					  32
				: fresh;
		draw = (double)(blend % width) / (double)jitter - 1.0;
		sum += draw;
		squares += draw * draw;
		products += i ? draw * last : 0.0;
		last = draw;
	}
	mean = sum / DRAWS;
	return (struct netem_delay){
		.mean = mean,
		.correlation = (products / (DRAWS - 1) - mean * mean) /
			       fmax(squares / DRAWS - mean * mean, 1e-12),
	};
}
