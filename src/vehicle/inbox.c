/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * inbox.c - payloads that wait for the next step
 *
 * Floor: vehicle.
 */
#include "vehicle/inbox.h"

#include <string.h>

bool inbox_put(struct inbox *inbox, nsec at, const void *payload, size_t len)
{
	struct letter *letter =
		&inbox->letter[(inbox->first + inbox->n) % INBOX_ROOM];

	if (inbox->n == INBOX_ROOM)
		return false;
	letter->at = at;
	letter->len = len;
	if (len && len <= sizeof(letter->bytes))
		memcpy(letter->bytes, payload, len);
	inbox->n++;
	return true;
}

const struct letter *inbox_take(struct inbox *inbox, nsec now)
{
	const struct letter *letter = &inbox->letter[inbox->first];

	if (!inbox->n || letter->at > now)
		return NULL;
	inbox->first = (inbox->first + 1) % INBOX_ROOM;
	inbox->n--;
	return letter;
}
