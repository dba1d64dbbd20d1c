/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * seed.h - where each random stream begins
 *
 * Floor: core.
 *
 * Every stage of every channel has a stream of its own, so that adding a
 * condition or a channel shifts no other draw.  A stream's key is the FNV-1a
 * hash (64 bits) of the text "SEED/DIRECTION/STREAM/POSITION", for example
 * "20260817/uplink/command/0"; four steps of SplitMix64 from the key fill the
 * state of xoshiro256++.  A condition with a seed of its own has the text
 * "SEED" alone as its key.
 */
#ifndef CORE_SEED_H
#define CORE_SEED_H

#include "conditions/condition.h"

/**
 * seed_hash() - FNV-1a of a text
 * @text:	Text
 *
 * Return: 64 bits.
 */
uint64_t seed_hash(const char *text);

/**
 * seed_key() - Begin a stream from a key
 * @rng:	Stream
 * @key:	Key
 */
void seed_key(struct rng *rng, uint64_t key);

/**
 * seed_legacy() - Begin a stream of .NET's seeded System.Random
 * @rng:	Stream
 * @seed:	The seed, as new Random(seed) takes it
 */
void seed_legacy(struct rng *rng, int32_t seed);

/**
 * seed_trial() - Seed of the arm for one trial, where trials = derived
 * @seed:	Seed of the arm
 * @trial:	Trial's id
 *
 * Return: the hash of "SEED/trial/ID".
 */
uint64_t seed_trial(uint64_t seed, const char *trial);

#endif /* CORE_SEED_H */
