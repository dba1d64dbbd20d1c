/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * distribution.h - quantiles of the laws that delays are drawn from
 *
 * Floor: conditions.
 *
 * Every draw takes one uniform number and goes through the inverse cumulative
 * distribution, so that runs which differ in the law or its scale stay paired.
 * A quantile here has mean 0; its scale is 1: half the width of the uniform
 * law, the standard deviation of the others, and of a table whatever the table
 * says.
 */
#ifndef CONDITIONS_DISTRIBUTION_H
#define CONDITIONS_DISTRIBUTION_H

#include "conditions/condition.h"

/**
 * distribution_normal() - Quantile of the standard normal law
 * @p:		Probability; 0 and 1 count as the nearest numbers inside
 *
 * Return: the quantile, exact to about 1 part in 10^15.
 */
double distribution_normal(double p);

/**
 * distribution_gamma() - Quantile of the gamma law of scale 1
 * @shape:	Shape, 0.01 to 1000
 * @p:		Probability
 * @q:		1 - @p, for the precision of the upper tail
 *
 * Return: the quantile.
 */
double distribution_gamma(double shape, double p, double q);

/**
 * distribution_quantile() - Quantile of a law
 * @law:	Law
 * @shape:	Its shape; 0 is the one that it has by default
 * @u:		Probability, 0 to 1
 *
 * Return: the quantile, finite.
 */
double distribution_quantile(const struct distribution *law, double shape,
			     double u);

/**
 * distribution_of_normal() - A normal number as a number of another law
 * @law:	Law
 * @shape:	Its shape; 0 is the one that it has by default
 * @z:		Number of mean 0 and standard deviation 1
 *
 * Return: the quantile of the probability of @z.
 */
double distribution_of_normal(const struct distribution *law, double shape,
			      double z);

/**
 * distribution_fault() - Whether law and shape fit together
 * @law:	Law
 * @shape:	As set
 *
 * Return: NULL, or what is wrong and what would be right.
 */
const char *distribution_fault(const struct distribution *law, double shape);

#endif /* CONDITIONS_DISTRIBUTION_H */
