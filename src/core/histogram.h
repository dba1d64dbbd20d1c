/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * histogram.h - quantiles of times, without keeping the times
 *
 * Floor: core.
 *
 * Log-linear: each power of two is divided into 64 steps, so that a quantile is
 * at most 1.6 % above the true one, from 1 ns to 290 years.
 */
#ifndef CORE_HISTOGRAM_H
#define CORE_HISTOGRAM_H

#include "conditions/condition.h"

#define HISTOGRAM_STEPS	  64
#define HISTOGRAM_BUCKETS (58 * HISTOGRAM_STEPS)

/**
 * struct histogram - Counts of times; all zeros is empty
 * @n:		How many
 * @first:	The first one: sums are of differences to it, lest they cancel
 * @sum:	Sum of the differences, ns
 * @squares:	Sum of their squares, ns^2
 * @least:	Least
 * @most:	Greatest
 * @bucket:	Counts
 */
struct histogram {
	uint64_t n;
	double sum, squares;
	nsec first, least, most;
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

/**
 * histogram_add() - Count one time
 * @histogram:	Histogram
 * @value:	Time; a negative one counts as 0
 */
void histogram_add(struct histogram *histogram, nsec value);

/**
 * histogram_quantile() - The time that a share of the times does not exceed
 * @histogram:	Histogram
 * @share:	0 to 1
 *
 * Return: upper bound of that time's step, at most the greatest; 0 if empty.
 */
nsec histogram_quantile(const struct histogram *histogram, double share);

/**
 * histogram_mean() - Mean of the times, exactly
 * @histogram:	Histogram
 *
 * Return: ns; 0 if empty.
 */
double histogram_mean(const struct histogram *histogram);

/**
 * histogram_deviation() - Standard deviation of the times
 * @histogram:	Histogram
 *
 * Return: ns; 0 if empty.
 */
double histogram_deviation(const struct histogram *histogram);

#endif /* CORE_HISTOGRAM_H */
