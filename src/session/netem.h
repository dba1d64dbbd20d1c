/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * netem.h - what the formulas of Linux netem really come to
 *
 * Floor: session.
 */
#ifndef SESSION_NETEM_H
#define SESSION_NETEM_H

#include "conditions/condition.h"

/**
 * netem_share() - How often netem does what it was asked to do with a
 *	probability and a correlation
 * @probability: As asked, 0 to 1
 * @correlation: As asked, 0 to 1; at 1 it never changes: the asked share is
 *		told
 *
 * Return: the share that results.
 */
double netem_share(double probability, double correlation);

/**
 * struct netem_delay - What netem's jitter without a table comes to
 * @mean:	Mean of the draw, in units of the jitter; asked is 0
 * @correlation: Correlation of one draw with the next
 */
struct netem_delay {
	double mean, correlation;
};

/**
 * netem_delay() - What netem's jitter without a table comes to
 * @jitter:	Jitter, up to 2.147 s
 * @correlation: As asked, 0 to 1
 *
 * Return: mean and correlation, tried with the kernel's arithmetic.
 */
struct netem_delay netem_delay(nsec jitter, double correlation);

#endif /* SESSION_NETEM_H */
