/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * seed.c - where each random stream begins
 *
 * Floor: core.
 */
#include "core/seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Knuth's constant for his subtractive generator, as .NET has it. */
#define LEGACY_SEED 161803398

uint64_t seed_hash(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* One step of SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void seed_key(struct rng *rng, uint64_t key)
{
	memset(rng, 0, sizeof(*rng));
	for (int i = 0; i < 4; i++)
		rng->s[i] = splitmix(&key);
}

/* Into 0 to INT32_MAX - 1, as the generator keeps its numbers. */
static int32_t wrap(int64_t value)
{
	return (int32_t)(value < 0 ? value + INT32_MAX : value);
}

void seed_legacy(struct rng *rng, int32_t seed)
{
	int32_t first = seed == INT32_MIN ? INT32_MAX : abs(seed);
	int32_t last = LEGACY_SEED - first, next = 1;

	memset(rng, 0, sizeof(*rng));
	rng->legacy = true;
	rng->lag[55] = last;
	for (int i = 1; i < 55; i++) {
		int at = 21 * i % 55;

		rng->lag[at] = next;
		next = wrap((int64_t)last - next);
		last = rng->lag[at];
	}
	/* four rounds to warm up; differences wrap in 32 bits as in .NET */
	for (int round = 0; round < 4; round++) {
		for (int i = 1; i < 56; i++) {
			uint32_t less = (uint32_t)rng->lag[1 + (i + 30) % 55];

			rng->lag[i] =
				wrap((int32_t)((uint32_t)rng->lag[i] - less));
		}
	}
}

uint64_t seed_trial(uint64_t seed, const char *trial)
{
	char text[256];

	snprintf(text, sizeof(text), "%" PRIu64 "/trial/%s", seed, trial);
	return seed_hash(text);
}
