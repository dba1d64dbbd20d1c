/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * noise.h - random numbers by place, for what depends on trial time alone
 *
 * Floor: conditions.
 *
 * A condition that is a function of trial time must not take numbers by turns:
 * how many turns there are is a matter of traffic.  It takes a key from its
 * stream when a trial begins, and from then on number n of that key, for any n
 * in any order.  That is SplitMix64 (Steele, Lea and Flood, 2014), whose n-th
 * output is a hash of key + n times a constant.
 */
#ifndef CONDITIONS_NOISE_H
#define CONDITIONS_NOISE_H

#include "conditions/condition.h"

/* A key, from two numbers of the stream. */
static inline uint64_t noise_key(struct rng *rng)
{
	uint64_t high = (uint64_t)(rng_uniform(rng) * 0x1p32);
	uint64_t low = (uint64_t)(rng_uniform(rng) * 0x1p32);

	return high << 32 | low;
}

/* Number @n of a key, uniform in (0, 1), 0 excluded. */
static inline double noise_at(uint64_t key, uint64_t n)
{
	uint64_t z = key + n * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

#endif /* CONDITIONS_NOISE_H */
