/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * say.h - quantities as a person reads them
 *
 * Floor: session.
 *
 * Rounded to the digits that matter, with the unit that fits; the decimal sign
 * is a point in every locale.
 */
#ifndef SESSION_SAY_H
#define SESSION_SAY_H

#include "conditions/condition.h"
#include "vehicle/text.h"

/**
 * say_number() - A number with so many significant digits
 * @text:	Text to add to
 * @value:	Number
 * @digits:	1 to 9; digits before the point are never cut
 */
void say_number(struct text *text, double value, int digits);

/**
 * say_delay() - A delay, in milliseconds to the microsecond: "200 ms"
 * @text:	Text to add to
 * @ns:		Nanoseconds
 */
void say_delay(struct text *text, double ns);

/**
 * say_span() - A length of time: "16 s", "14 min", "3.1 h", "3.9 days"
 * @text:	Text to add to
 * @seconds:	Seconds; infinite: "never"
 */
void say_span(struct text *text, double seconds);

/**
 * say_share() - A share in percent: "1.73 %"
 * @text:	Text to add to
 * @share:	0 to 1
 */
void say_share(struct text *text, double share);

/**
 * say_rate() - A bit rate: "50 kbit/s"
 * @text:	Text to add to
 * @rate:	Bits per second
 */
void say_rate(struct text *text, double rate);

/**
 * say_bytes() - A size: "1.5 kB"
 * @text:	Text to add to
 * @bytes:	Bytes
 */
void say_bytes(struct text *text, double bytes);

/* A quantity in words, for a sentence with several of them. */
struct said {
	char text[64];
};

/**
 * said_number() - A number in words
 * @said:	Room
 * @number:	Number
 * @digits:	Significant digits
 *
 * Return: the words; said_delay() and said_share() likewise.
 */
const char *said_number(struct said *said, double number, int digits);
const char *said_delay(struct said *said, double ns);
const char *said_share(struct said *said, double share);

#endif /* SESSION_SAY_H */
