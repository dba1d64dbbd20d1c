/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * square.h - orders of arms in which none profits from what comes before it
 *
 * Floor: session.
 *
 * A Williams design (E. J. Williams, Experimental designs balanced for the
 * estimation of residual effects of treatments, 1949, doi:10.1071/CH9490149):
 * over all rows each arm stands equally often at each position, and follows
 * each other arm equally often.
 */
#ifndef SESSION_SQUARE_H
#define SESSION_SQUARE_H

#include <stddef.h>
#include <stdint.h>

/**
 * square_rows() - How many rows a balanced set has
 * @n:		Arms
 *
 * Return: n for an even count of arms, 2n for an odd one; 1 for one arm.
 */
size_t square_rows(size_t n);

/**
 * square_at() - The arm at a place of the set
 * @n:		Arms
 * @row:	Row, from 0, below square_rows()
 * @column:	Position in it, from 0, below @n
 *
 * Return: the arm, from 0.
 */
size_t square_at(size_t n, size_t row, size_t column);

/**
 * square_row() - The row that is drawn for one of many
 * @n:		Arms
 * @seed:	Seed of the draw; 0: the rows in their order
 * @who:	Place of the participant, from 0
 *
 * Each cycle of square_rows() participants has every row once, shuffled anew;
 * who comes later changes nothing for those before.
 *
 * Return: the row.
 */
size_t square_row(size_t n, uint64_t seed, size_t who);

#endif /* SESSION_SQUARE_H */
