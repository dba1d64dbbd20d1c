/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * noise.c - random streams of the vehicle, and draws from them
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * A normal draw is the inverse of the normal distribution function at one
 * uniform number, in Acklam's rational approximation: relative error below
 * 1.2e-9.
 */
#include "vehicle/noise.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TAIL 0.02425

/* One step of SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void noise_begin(struct rng *rng, uint64_t seed, const char *name)
{
	uint64_t key = UINT64_C(0xcbf29ce484222325);
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 "/vehicle/%s", seed, name);
	for (const char *c = text; *c; c++)
		key = (key ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
	memset(rng, 0, sizeof(*rng));
	for (int i = 0; i < 4; i++)
		rng->s[i] = splitmix(&key);
}

static double polynomial(const double *factor, int n, double x)
{
	double sum = factor[0];

	for (int i = 1; i < n; i++)
		sum = sum * x + factor[i];
	return sum;
}

/* Quantile at a probability within (0, TAIL). */
static double lower_tail(double p)
{
	static const double above[] = {
		-7.784894002430293e-03, -3.223964580411365e-01,
		-2.400758277161838e+00, -2.549732539343734e+00,
		4.374664141464968e+00,	2.938163982698783e+00,
	};
	static const double below[] = {
		7.784695709041462e-03,
		3.224671290700398e-01,
		2.445134137142996e+00,
		3.754408661907416e+00,
		1.0,
	};
	double q = sqrt(-2.0 * log(p));

	return polynomial(above, 6, q) / polynomial(below, 5, q);
}

double noise_normal(struct rng *rng)
{
	static const double above[] = {
		-3.969683028665376e+01, 2.209460984245205e+02,
		-2.759285104469687e+02, 1.383577518672690e+02,
		-3.066479806614716e+01, 2.506628277459239e+00,
	};
	static const double below[] = {
		-5.447609879822406e+01, 1.615858368580409e+02,
		-1.556989798598866e+02, 6.680131188771972e+01,
		-1.328068155288572e+01, 1.0,
	};
	/* the middle of the step of 2^-53: neither 0 nor 1 */
	double p = rng_uniform(rng) + 0x1p-54, q = p - 0.5;

	if (p < TAIL)
		return lower_tail(p);
	if (p > 1.0 - TAIL)
		return -lower_tail(1.0 - p);
	return q * polynomial(above, 6, q * q) / polynomial(below, 6, q * q);
}

double noise_even(struct rng *rng)
{
	return 2.0 * rng_uniform(rng) - 1.0;
}
