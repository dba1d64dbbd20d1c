/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * account.h - what a study must report of a channel, in words
 *
 * Floor: session.
 *
 * Five things: the stream, its direction, the magnitude of the delay, its
 * behaviour in time, and what else is done to the stream.
 */
#ifndef SESSION_ACCOUNT_H
#define SESSION_ACCOUNT_H

#include "session/arm.h"

#define ACCOUNT_TEXT 2048

/**
 * struct account - The five things, each a phrase without a full stop
 * @stream:	The stream
 * @direction:	"uplink (operator to robot)"
 * @magnitude:	"200 ms ± 60 ms (uniform)"
 * @temporal:	"drawn anew for each packet"
 * @further:	"a link of 50 kbit/s"; "none"
 * @delayed:	Whether there is a magnitude
 * @impaired:	Whether there is a further impairment
 */
struct account {
	char stream[256];
	char direction[64];
	char magnitude[ACCOUNT_TEXT];
	char temporal[ACCOUNT_TEXT];
	char further[ACCOUNT_TEXT];
	bool delayed, impaired;
};

/**
 * account_channel() - Put a channel into words
 * @account:	Filled
 * @channel:	Channel of an arm
 */
void account_channel(struct account *account,
		     const struct arm_channel *channel);

#endif /* SESSION_ACCOUNT_H */
