/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gamepad.h - a gamepad as a stick
 *
 * Floor: edge.
 */
#ifndef EDGE_GAMEPAD_H
#define EDGE_GAMEPAD_H

#include <stdbool.h>

#include "core/err.h"
#include "vehicle/stick.h"

struct gamepad;

/**
 * gamepad_open() - Open a gamepad
 * @device:	Its file, or NULL: the first that there is
 * @err:	Told why there is none
 *
 * Return: the gamepad, or NULL with @err told.
 */
struct gamepad *gamepad_open(const char *device, struct err *err);

/* Its name; its descriptor, which becomes readable. */
const char *gamepad_name(const struct gamepad *gamepad);
int gamepad_fd(const struct gamepad *gamepad);

/**
 * gamepad_read() - Read what has moved
 * @gamepad:	Gamepad
 * @stick:	Changed
 *
 * Return: false if it was unplugged; the stick is at rest then.
 */
bool gamepad_read(struct gamepad *gamepad, struct stick *stick);

/**
 * gamepad_close() - Close it
 * @gamepad:	Gamepad, or NULL
 */
void gamepad_close(struct gamepad *gamepad);

#endif /* EDGE_GAMEPAD_H */
