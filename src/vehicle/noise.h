/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * noise.h - random streams of the vehicle, and draws from them
 *
 * Floor: vehicle.
 *
 * Each thing that is random has a stream of its own, and each draw takes one
 * number from it, so that runs which differ in one setting stay paired.
 */
#ifndef VEHICLE_NOISE_H
#define VEHICLE_NOISE_H

#include "conditions/condition.h"

/**
 * noise_begin() - Begin a stream
 * @rng:	Stream
 * @seed:	Seed of the vehicle
 * @name:	What is random: streams of different names are independent
 *
 * The key is the FNV-1a hash of "SEED/vehicle/NAME", as it is for the stages of
 * a channel.
 */
void noise_begin(struct rng *rng, uint64_t seed, const char *name);

/**
 * noise_normal() - Draw from a normal distribution
 * @rng:	Stream
 *
 * Return: a number of mean 0 and standard deviation 1.
 */
double noise_normal(struct rng *rng);

/**
 * noise_even() - Draw evenly about zero
 * @rng:	Stream
 *
 * Return: a number from -1 to 1.
 */
double noise_even(struct rng *rng);

#endif /* VEHICLE_NOISE_H */
