/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * draw.h - the draw that jitter and monotonic-jitter share
 *
 * Floor: conditions.
 *
 * The delay is base + jitter * X, floored at zero, X of the distribution, one
 * uniform number for each packet.  Correlated draws are normal numbers
 *
 *	z = c z' + sqrt(1 - c*c) e,	z' the one before, e fresh
 *
 * taken to the distribution by their probability (a Gaussian copula): whatever
 * the correlation c, X keeps exactly its distribution.  The correlation of the
 * normal law is c from packet to packet; of any law the rank correlation is
 * (6/pi) asin(c/2).
 */
#ifndef CONDITIONS_DRAW_H
#define CONDITIONS_DRAW_H

#include <stdio.h>

#include "conditions/distribution.h"

struct draw_settings {
	nsec base, jitter, frame_gap;
	struct distribution distribution;
	double shape, correlation;
};

/* The last draw: as a probability, and where @normal as a normal number. */
struct draw {
	bool any, normal;
	nsec before; /* when the packet before came */
	double u, z;
};

#define DRAW_BASE(type)                                                        \
	{                                                                      \
		.name = "base", .kind = SETTING_TIME,                          \
		.offset = offsetof(type, base), .hi = (double)DELAY_MAX,       \
		.text = "Delay around which it is drawn, the mean"             \
	}
#define DRAW_JITTER(type)                                                      \
	{                                                                      \
		.name = "jitter", .kind = SETTING_TIME,                        \
		.offset = offsetof(type, jitter), .hi = (double)DELAY_MAX,     \
		.text = "Scale of the draw: uniform is base - jitter to base " \
			"+ "                                                   \
			"jitter, otherwise the standard deviation (of a "      \
			"table: its "                                          \
			"unit)"                                                \
	}
#define DRAW_DISTRIBUTION(type)                                                \
	{                                                                      \
		.name = "distribution", .kind = SETTING_DISTRIBUTION,          \
		.offset = offsetof(type, distribution), .preset = "uniform",   \
		.text = "uniform, normal, exponential, pareto, lognormal, "    \
			"weibull, "                                            \
			"gamma, or table:FILE (netem's .dist, or dummynet's "  \
			"curve "                                               \
			"in ms: with base 0ms and jitter 1ms it is as it "     \
			"stands)"                                              \
	}
#define DRAW_SHAPE(type)                                                       \
	{                                                                      \
		.name = "shape", .kind = SETTING_NUMBER,                       \
		.offset = offsetof(type, shape), .hi = 1000, .preset = "0",    \
		.text = "Shape of pareto (0 is 3), lognormal (0.5), weibull "  \
			"(1.5) "                                               \
			"or gamma (2); mean and standard deviation stay as "   \
			"set"                                                  \
	}

#define DRAW_SETTINGS                                                          \
	DRAW_BASE(struct draw_settings), DRAW_JITTER(struct draw_settings),    \
		DRAW_DISTRIBUTION(struct draw_settings),                       \
		DRAW_SHAPE(struct draw_settings),                              \
		{ .name = "correlation",                                       \
		  .kind = SETTING_SHARE,                                       \
		  .offset = offsetof(struct draw_settings, correlation),       \
		  .hi = 1.0,                                                   \
		  .preset = "0%",                                              \
		  .text = "Correlation of one draw with the next; the "        \
			  "distribution stays as it is" },                     \
	{                                                                      \
		.name = "frame_gap", .kind = SETTING_TIME,                     \
		.offset = offsetof(struct draw_settings, frame_gap),           \
		.hi = (double)DELAY_MAX, .preset = "0ms",                      \
		.text = "A packet closer than this to the one before shares "  \
			"its draw, as the packets of one video frame do"       \
	}

/* Whether the settings fit together, as a condition's check(). */
static inline int draw_check(const void *from, char *why, size_t size)
{
	const struct draw_settings *settings = from;
	const char *fault =
		distribution_fault(&settings->distribution, settings->shape);

	if (fault)
		snprintf(why, size, "%s", fault);
	return fault ? -1 : 0;
}

/* Go on to the next draw, from the number @u. */
static inline void draw_next(struct draw *draw, double c, double u)
{
	double before = draw->z;

	/* a normal number costs much: there is one only where it is needed */
	if (c > 0.0) {
		draw->z = distribution_normal(u);
		if (draw->any && !draw->normal)
			before = distribution_normal(draw->u);
		if (draw->any) {
			draw->z = c * before + sqrt(1.0 - c * c) * draw->z;
			u = 0.5 * erfc(-draw->z / sqrt(2.0));
		}
	}
	draw->normal = c > 0.0;
	draw->u = u;
}

/* Delay of this turn; counts in @floored where zero took the draw's place. */
static inline nsec draw_delay(const struct turn *turn, struct draw *draw,
			      uint64_t *floored)
{
	const struct draw_settings *settings = turn->settings;
	const struct distribution *law = &settings->distribution;
	double c = settings->correlation, x, delay;
	/* drawn even where it is not used, so that runs stay paired */
	double u = rng_uniform(turn->rng);

	if (!draw->any || turn->now - draw->before >= settings->frame_gap)
		draw_next(draw, c, u);
	draw->any = true;
	draw->before = turn->now;
	if (law->loss > 0.0 && draw->u >= 1.0 - law->loss)
		return DELAY_SUPPRESS;
	x = draw->normal ? distribution_of_normal(law, settings->shape, draw->z)
			 : distribution_quantile(law, settings->shape, draw->u);
	delay = (double)settings->base + (double)settings->jitter * x;
	*floored += delay < 0.0;
	return delay_of(delay > 0.0 ? delay : 0.0);
}

#endif /* CONDITIONS_DRAW_H */
