/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sample.c - times that are all kept: exact quantiles, moments and bins
 *
 * Floor: core.
 */
#include "core/sample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void sample_add(struct sample *sample, nsec value)
{
	if (sample->n == sample->room) {
		sample->room = sample->room ? 2 * sample->room : 1024;
		sample->value = realloc(sample->value,
					sample->room * sizeof(*sample->value));
		if (!sample->value)
			abort();
	}
	sample->value[sample->n++] = value;
	sample->sorted = false;
}

static int compare(const void *a, const void *b)
{
	const nsec *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

void sample_sort(struct sample *sample)
{
	if (sample->n)
		qsort(sample->value, sample->n, sizeof(*sample->value),
		      compare);
	sample->sorted = true;
}

nsec sample_quantile(const struct sample *sample, unsigned permille)
{
	size_t rank = (sample->n * permille + 999) / 1000;

	assert(sample->sorted && permille <= 1000);
	if (!sample->n)
		return 0;
	return sample->value[rank ? rank - 1 : 0];
}

struct sample_spread sample_spread(const struct sample *sample)
{
	struct sample_spread spread = { .n = sample->n };
	double n = (double)sample->n, sum = 0, squares = 0;
	nsec base;

	assert(sample->sorted);
	if (!sample->n)
		return spread;
	/* differences to a value amid them, lest the sums cancel */
	base = spread.p50 = sample_quantile(sample, 500);
	for (size_t i = 0; i < sample->n; i++)
		sum += (double)(sample->value[i] - base);
	for (size_t i = 0; i < sample->n; i++) {
		double off = (double)(sample->value[i] - base) - sum / n;

		squares += off * off;
	}
	spread.mean = (double)base + sum / n;
	spread.deviation = sqrt(squares / n);
	spread.least = sample->value[0];
	spread.most = sample->value[sample->n - 1];
	spread.p90 = sample_quantile(sample, 900);
	spread.p95 = sample_quantile(sample, 950);
	spread.p99 = sample_quantile(sample, 990);
	return spread;
}

void sample_bins(const struct sample *sample, nsec from, nsec width,
		 size_t *count, size_t n)
{
	assert(width > 0);
	for (size_t i = 0; i < n; i++)
		count[i] = 0;
	for (size_t i = 0; i < sample->n; i++) {
		nsec off = (sample->value[i] - from) / width;
		size_t bin = off > 0 ? (size_t)off : 0;

		count[bin < n ? bin : n - 1]++;
	}
}

void sample_fini(struct sample *sample)
{
	free(sample->value);
	*sample = (struct sample){ 0 };
}
