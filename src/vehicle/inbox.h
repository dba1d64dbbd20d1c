/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * inbox.h - payloads that wait for the next step
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_INBOX_H
#define VEHICLE_INBOX_H

#include "conditions/condition.h"

#include "vehicle/command.h"

#define INBOX_ROOM 256

/* A payload; of one that is too long to be a command only the length counts. */
struct letter {
	nsec at;
	size_t len;
	char bytes[COMMAND_BYTES_MAX];
};

/**
 * struct inbox - Payloads in the order in which they came
 * @letter:	Ring
 * @first:	Oldest of them
 * @n:		How many
 */
struct inbox {
	struct letter letter[INBOX_ROOM];
	size_t first, n;
};

/**
 * inbox_put() - Add a payload
 * @inbox:	Inbox
 * @at:		When it came
 * @payload:	Payload; copied
 * @len:	Its length
 *
 * Return: false if there is no room.
 */
bool inbox_put(struct inbox *inbox, nsec at, const void *payload, size_t len);

/**
 * inbox_take() - Take the oldest payload
 * @inbox:	Inbox
 * @now:	Time that is reached
 *
 * Return: a payload that came by then, to be read at once, or NULL.
 */
const struct letter *inbox_take(struct inbox *inbox, nsec now);

#endif /* VEHICLE_INBOX_H */
