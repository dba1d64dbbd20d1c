/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * limiter.c - how fast a set value may change: jerk, acceleration, velocity
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Memory is two outputs.  The jerk stage bounds the change of the change by
 * jerk * dt * dt (not twice that, as several controllers had it), and only
 * where the change grows towards the wish: unconditional, it would drive on
 * through zero after a stop.  The acceleration stage has four strengths: which
 * holds follows from the sign of the last output.
 */
#include "vehicle/limiter.h"

#include <math.h>

const struct limits limiter_none = {
	.lo = -INFINITY,
	.hi = INFINITY,
	.speed_up = INFINITY,
	.brake = INFINITY,
	.speed_up_back = INFINITY,
	.brake_back = INFINITY,
	.jerk_lo = -INFINITY,
	.jerk_hi = INFINITY,
	.zero = ZERO_CROSSING_SPLIT,
};

static double clamp(double value, double lo, double hi)
{
	return fmax(lo, fmin(hi, value));
}

bool limiter_is_sound(const struct limits *limits)
{
	/* written so that a NaN fails */
	return limits->lo <= limits->hi && limits->jerk_lo <= limits->jerk_hi &&
	       limits->speed_up >= 0.0 && limits->brake >= 0.0 &&
	       limits->speed_up_back >= 0.0 && limits->brake_back >= 0.0;
}

double limiter_jerk(const struct limiter *limiter, double wish, double dt)
{
	const struct limits *limits = &limiter->limits;
	double change = wish - limiter->last;
	double before = limiter->last - limiter->before;
	double bend = change - before;

	if (!(bend * change > 0.0))
		return wish;
	if (bend >= limits->jerk_lo * dt * dt &&
	    bend <= limits->jerk_hi * dt * dt)
		return wish;
	bend = clamp(bend, limits->jerk_lo * dt * dt,
		     limits->jerk_hi * dt * dt);
	return limiter->last + before + bend;
}

/* From @last towards a @wish on the other side of zero. */
static double cross_zero(const struct limiter *limiter, double wish, double dt)
{
	const struct limits *limits = &limiter->limits;
	double last = limiter->last;
	double brake = last > 0.0 ? limits->brake : limits->brake_back;
	double start = last > 0.0 ? limits->speed_up_back : limits->speed_up;
	double left = dt - fabs(last) / brake;

	if (limits->zero == ZERO_CROSSING_WHOLE || !(left > 0.0))
		return last > 0.0 ? fmax(wish, last - brake * dt)
				  : fmin(wish, last + brake * dt);
	return clamp(wish, -start * left, start * left);
}

double limiter_acceleration(const struct limiter *limiter, double wish,
			    double dt)
{
	const struct limits *limits = &limiter->limits;
	double last = limiter->last;

	if ((last > 0.0 && wish < 0.0) || (last < 0.0 && wish > 0.0))
		return cross_zero(limiter, wish, dt);
	if (last > 0.0)
		return clamp(wish, last - limits->brake * dt,
			     last + limits->speed_up * dt);
	if (last < 0.0)
		return clamp(wish, last - limits->speed_up_back * dt,
			     last + limits->brake_back * dt);
	return clamp(wish, -limits->speed_up_back * dt, limits->speed_up * dt);
}

double limiter_velocity(const struct limits *limits, double wish)
{
	return clamp(wish, limits->lo, limits->hi);
}

double limiter_apply(struct limiter *limiter, double wish, double dt)
{
	double value = limiter_jerk(limiter, wish, dt);

	value = limiter_acceleration(limiter, value, dt);
	value = limiter_velocity(&limiter->limits, value);
	limiter->before = limiter->last;
	limiter->last = value;
	return value;
}

/* A setting of 0 is no limit, or another that stands for it. */
static double limit(double value, double otherwise)
{
	return value > 0.0 ? value : otherwise;
}

static struct limits one_axis(double forward, double backward, double speed_up,
			      double brake, double jerk)
{
	double up = limit(speed_up, INFINITY);

	return (struct limits){
		.lo = -limit(backward, INFINITY),
		.hi = limit(forward, INFINITY),
		.speed_up = up,
		.brake = limit(brake, up),
		.speed_up_back = up,
		.brake_back = limit(brake, up),
		.jerk_lo = -limit(jerk, INFINITY),
		.jerk_hi = limit(jerk, INFINITY),
	};
}

void limiter_settings(const struct vehicle_settings *settings,
		      struct limits limits[3])
{
	const struct vehicle_settings *s = settings;
	double across = limit(s->max_lateral, s->max_speed);

	limits[0] = one_axis(s->max_speed, limit(s->max_reverse, s->max_speed),
			     s->acceleration, s->deceleration, s->jerk);
	limits[1] = one_axis(across, across, s->acceleration, s->deceleration,
			     s->jerk);
	limits[2] = one_axis(s->max_turn, s->max_turn, s->turn_acceleration,
			     s->turn_deceleration, s->turn_jerk);
	for (int i = 0; i < 3; i++)
		limits[i].zero = (enum zero_crossing)s->zero_crossing;
}
