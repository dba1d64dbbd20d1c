/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * histogram.c - quantiles of times, without keeping the times
 *
 * Floor: core.
 *
 * How it works
 *
 * Values below 64 have a bucket each.  Above, with the highest bit in place h,
 * the six bits below it choose one of 64 steps of the power of two.
 */
#include "core/histogram.h"

static unsigned bucket_of(uint64_t value)
{
	unsigned high;

	if (value < HISTOGRAM_STEPS)
		return (unsigned)value;
	high = 63u - (unsigned)__builtin_clzll(value);
	return (high - 5) * HISTOGRAM_STEPS + (unsigned)(value >> (high - 6)) -
	       HISTOGRAM_STEPS;
}

/* The greatest value that falls into a bucket. */
static nsec top_of(unsigned bucket)
{
	unsigned octave = bucket / HISTOGRAM_STEPS;
	uint64_t step = bucket % HISTOGRAM_STEPS + HISTOGRAM_STEPS;

	if (!octave)
		return bucket;
	return (nsec)(((step + 1) << (octave - 1)) - 1);
}

void histogram_add(struct histogram *histogram, nsec value)
{
	double real;

	if (value < 0)
		value = 0;
	if (!histogram->n)
		histogram->first = value;
	real = (double)(value - histogram->first);
	if (!histogram->n || value < histogram->least)
		histogram->least = value;
	if (value > histogram->most)
		histogram->most = value;
	histogram->n++;
	histogram->sum += real;
	histogram->squares += real * real;
	histogram->bucket[bucket_of((uint64_t)value)]++;
}

nsec histogram_quantile(const struct histogram *histogram, double share)
{
	uint64_t wanted, seen = 0;

	if (!histogram->n)
		return 0;
	wanted = (uint64_t)ceil(share * (double)histogram->n);
	if (wanted < 1)
		wanted = 1;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += histogram->bucket[i];
		if (seen >= wanted) {
			nsec top = top_of(i);

			return top < histogram->most ? top : histogram->most;
		}
	}
	return histogram->most;
}

double histogram_mean(const struct histogram *histogram)
{
	if (!histogram->n)
		return 0.0;
	return (double)histogram->first + histogram->sum / (double)histogram->n;
}

double histogram_deviation(const struct histogram *histogram)
{
	double mean, variance;

	if (!histogram->n)
		return 0.0;
	mean = histogram->sum / (double)histogram->n;
	variance = histogram->squares / (double)histogram->n - mean * mean;
	return variance > 0 ? sqrt(variance) : 0.0;
}
