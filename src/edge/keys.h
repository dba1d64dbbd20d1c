/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * keys.h - a terminal's keys as a stick
 *
 * Floor: edge.
 *
 * A terminal tells when a key is pressed, and again while it is held, but not
 * when it is let go: a key counts for KEYS_HOLD since it was last told.
 */
#ifndef EDGE_KEYS_H
#define EDGE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "vehicle/stick.h"

/* Longer than the pause before a held key is repeated. */
#define KEYS_HOLD INT64_C(600000000)

/**
 * struct keys - What was pressed; zeros at first
 * @forward:	1, 0 or -1, which counts until @until[0]
 * @left:	Likewise, @until[1]
 * @turn:	Likewise, left is 1, @until[2]
 * @quit:	It is over
 */
struct keys {
	int forward, left, turn;
	int64_t until[3];
	bool quit;
};

/**
 * keys_open() - Make the terminal of stdin tell each key at once
 * @err:	Told if stdin is no terminal
 *
 * It is restored by keys_close(), and by a signal that kills the program.
 *
 * Return: 0, or -1 with @err told.
 */
int keys_open(struct err *err);

/**
 * keys_read() - Read what was pressed on the terminal
 * @keys:	Keys; @quit where there is nothing to read any more
 * @now:	When
 */
void keys_read(struct keys *keys, int64_t now);

/**
 * keys_stick() - What is held now
 * @keys:	Keys
 * @now:	When
 *
 * Return: the stick; full deflection or none, one axis at a time at its full
 * length.
 */
struct stick keys_stick(const struct keys *keys, int64_t now);

/**
 * keys_close() - Give the terminal back as it was; may be called always
 */
void keys_close(void);

#endif /* EDGE_KEYS_H */
