/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * square.c - orders of arms in which none profits from what comes before it
 *
 * Floor: session.
 *
 * How it works
 *
 * The first row goes to and fro: 0, 1, n-1, 2, n-2, …; the others add 1, 2, …
 * to it, modulo n.  The steps from one arm to the next are then 1, -2, 3, -4, …
 * modulo n.  For even n each step occurs once, so that each pair of neighbours
 * does.  For odd n a step occurs twice or never; the same rows read backwards
 * have the steps that are wanting.
 */
#include "session/square.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/seed.h"

size_t square_rows(size_t n)
{
	return n < 2 ? 1 : n % 2 ? 2 * n : n;
}

size_t square_at(size_t n, size_t row, size_t column)
{
	size_t first;

	if (row >= n)
		column = n - 1 - column;
	first = column % 2 ? (column + 1) / 2 : n - column / 2;
	return (first + row) % n;
}

/* A number below @n, each as likely: what would favour some is drawn again. */
static size_t below(struct rng *rng, size_t n)
{
	uint64_t most = UINT64_MAX - UINT64_MAX % n, drawn;

	do
		drawn = rng_next(rng);
	while (drawn >= most);
	return (size_t)(drawn % n);
}

size_t square_row(size_t n, uint64_t seed, size_t who)
{
	size_t rows = square_rows(n), at = who % rows;
	struct rng rng;
	char key[64];

	if (!seed)
		return at;
	snprintf(key, sizeof(key), "%" PRIu64 "/rows/%zu", seed, who / rows);
	seed_key(&rng, seed_hash(key));
	/* a shuffle by exchanges, followed for one place alone */
	for (size_t i = 0; i < rows; i++) {
		size_t other = i + below(&rng, rows - i);

		if (other == at)
			at = i;
		else if (i == at)
			at = other;
	}
	return at;
}
