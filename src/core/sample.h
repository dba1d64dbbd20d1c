/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sample.h - times that are all kept: exact quantiles, moments and bins
 *
 * Floor: core.
 *
 * For what is told afterwards, where a histogram's steps will not do.  A
 * quantile is one by nearest rank: the least value that at least the share
 * asked for does not exceed, so it is always one of the values.
 */
#ifndef CORE_SAMPLE_H
#define CORE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "conditions/condition.h"

/**
 * struct sample - Times; all zeros is none
 * @value:	The times, @n of them, ascending if @sorted
 * @room:	How many fit
 */
struct sample {
	nsec *value;
	size_t n, room;
	bool sorted;
};

/**
 * struct sample_spread - What is told of a sample, ns; all zeros where @n is 0
 * @n:		How many times
 * @mean:	Mean
 * @deviation:	Standard deviation, of these times and no others: divided by
 *		@n
 * @least:	Least; @most: greatest
 * @p50:	Quantile of 500 ‰; the others likewise
 */
struct sample_spread {
	size_t n;
	double mean, deviation;
	nsec least, p50, p90, p95, p99, most;
};

/**
 * sample_add() - Keep one time more
 * @sample:	Sample
 * @value:	Time
 */
void sample_add(struct sample *sample, nsec value);

/**
 * sample_sort() - Put the times in ascending order
 * @sample:	Sample
 */
void sample_sort(struct sample *sample);

/**
 * sample_quantile() - Quantile by nearest rank
 * @sample:	Sorted sample
 * @permille:	Share, 0 to 1000 ‰; 0 is the least value
 *
 * Return: one of its times; 0 if it has none.
 */
nsec sample_quantile(const struct sample *sample, unsigned permille);

/**
 * sample_spread() - All that is told of a sample
 * @sample:	Sorted sample
 *
 * Return: the figures.
 */
struct sample_spread sample_spread(const struct sample *sample);

/**
 * sample_bins() - Count the times in bins of equal width
 * @sample:	Sorted sample
 * @from:	Where the first begins; it also has all that is below
 * @width:	Width of a bin, over 0; the last also has all that is beyond it
 * @count:	Filled
 * @n:		How many bins
 */
void sample_bins(const struct sample *sample, nsec from, nsec width,
		 size_t *count, size_t n);

/**
 * sample_fini() - Free the times
 * @sample:	Sample; empty again afterwards
 */
void sample_fini(struct sample *sample);

#endif /* CORE_SAMPLE_H */
