/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * lookup.h - places in ascending lists
 *
 * Floor: conditions.
 */
#ifndef CONDITIONS_LOOKUP_H
#define CONDITIONS_LOOKUP_H

#include "conditions/condition.h"

/* How many of the @n ascending numbers are at most @key. */
static inline size_t lookup(const int64_t *v, size_t n, int64_t key)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (v[middle] <= key)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

#endif /* CONDITIONS_LOOKUP_H */
