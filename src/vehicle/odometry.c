/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * odometry.c - where the vehicle believes it is, from its wheels alone
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The total angle of each wheel is kept and the difference of *totals* is taken
 * in whole counts, so that what is smaller than a count is not lost but comes
 * later.  From the way that each wheel seems to have rolled follows a twist by
 * the nominal geometry, and from that a pose.
 */
#include "vehicle/odometry.h"

#include "vehicle/noise.h"

#define TWO_PI 6.283185307179586

double odometry_counts(double turned, double counts)
{
	return floor(turned * counts / TWO_PI);
}

void odometry_reset(struct odometry *odometry, uint64_t seed)
{
	struct odometry fresh = {
		.model = odometry->model,
		.settings = odometry->settings,
		.geometry = odometry->geometry,
	};

	noise_begin(&fresh.rng, seed, "encoder");
	for (unsigned i = 0; i < WHEELS_MAX; i++)
		fresh.bias[i] = noise_even(&fresh.rng) *
				fresh.settings->encoder_bias / 2.0;
	*odometry = fresh;
}

/* How far wheel @i seems to have rolled. */
static double rolled(struct odometry *odometry, unsigned i, double way)
{
	const struct vehicle_settings *s = odometry->settings;
	double noise = noise_normal(&odometry->rng) * s->encoder_noise;
	double before = odometry->counted[i];

	way *= 1.0 + odometry->bias[i] + noise;
	if (!(s->encoder_counts > 0.0))
		return way;
	odometry->turned[i] += way / s->wheel_radius;
	odometry->counted[i] =
		odometry_counts(odometry->turned[i], s->encoder_counts);
	return (odometry->counted[i] - before) * TWO_PI / s->encoder_counts *
	       s->wheel_radius;
}

static void average(struct odometry *odometry, const struct twist *twist)
{
	size_t window = (size_t)odometry->settings->odom_window, n;
	struct twist sum = { 0.0, 0.0, 0.0 };

	odometry->recent[odometry->n % window] = *twist;
	odometry->n++;
	n = odometry->n < window ? (size_t)odometry->n : window;
	for (size_t i = 0; i < n; i++) {
		sum.vx += odometry->recent[i].vx;
		sum.vy += odometry->recent[i].vy;
		sum.wz += odometry->recent[i].wz;
	}
	odometry->twist =
		(struct twist){ sum.vx / (double)n, sum.vy / (double)n,
				sum.wz / (double)n };
}

void odometry_update(struct odometry *odometry, const struct drive *drive,
		     double dt)
{
	const struct model *model = odometry->model;
	struct drive seen = { .steering = drive->steering };
	struct twist twist;

	for (unsigned i = 0; i < model->n_wheels; i++)
		seen.wheel[i] = rolled(odometry, i, drive->wheel[i] * dt) / dt;
	model->believe(odometry->geometry, &seen, &twist);
	motion_advance(&odometry->pose, &twist, dt,
		       (enum integrator)odometry->settings->integrator);
	average(odometry, &twist);
}
