/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * actuator.c - what lies between a set value and the wheels
 *
 * Floor: vehicle.
 */
#include "vehicle/actuator.h"

#include <math.h>

size_t actuator_room(nsec delay, nsec step)
{
	return (size_t)(delay / step) + 2;
}

void actuator_delay(struct dead_time *dead, nsec now, struct wish *wish)
{
	struct moment *last = &dead->ring[(dead->first + dead->n) % dead->size];

	if (!dead->delay)
		return;
	if (dead->n == dead->size) {
		/* full only if steps came closer than was said: one falls */
		dead->first = (dead->first + 1) % dead->size;
		dead->n--;
	}
	*last = (struct moment){ .at = now + dead->delay, .wish = *wish };
	dead->n++;
	/* of those that hold by now the newest stays, to hold on */
	while (dead->n > 1 &&
	       dead->ring[(dead->first + 1) % dead->size].at <= now) {
		dead->first = (dead->first + 1) % dead->size;
		dead->n--;
	}
	if (dead->ring[dead->first].at <= now)
		*wish = dead->ring[dead->first].wish;
	else
		*wish = (struct wish){ .steering = 0.0 };
}

double actuator_lag(double value, double aim, double dt, double tau)
{
	if (!(tau > 0.0))
		return aim;
	return value - expm1(-dt / tau) * (aim - value);
}

double actuator_saturate(double *wheel, unsigned n, double limit,
			 enum saturation how)
{
	double most = 0.0, factor;

	for (unsigned i = 0; i < n; i++)
		most = fmax(most, fabs(wheel[i]));
	if (!(limit > 0.0) || most <= limit)
		return 1.0;
	factor = limit / most;
	for (unsigned i = 0; i < n; i++) {
		if (how == SATURATION_SCALE)
			wheel[i] *= factor;
		else
			wheel[i] = fmax(-limit, fmin(limit, wheel[i]));
	}
	return factor;
}

double actuator_slew(double angle, double aim, double most)
{
	if (!(most > 0.0))
		return aim;
	return fmax(angle - most, fmin(angle + most, aim));
}
