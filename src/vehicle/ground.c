/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ground.c - what the ground makes of turning wheels
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The speed over the ground is the speed at the rim, times the true over the
 * believed radius, times what the slip leaves, times a random error of each
 * wheel.  Slip grows in proportion with the acceleration, as a tyre of linear
 * compliance has it.
 */
#include "vehicle/ground.h"

#include <string.h>

#include "vehicle/noise.h"
#include "vehicle/number.h"

#define G 9.81

bool ground_parse(struct ground *ground, const char *text)
{
	struct cursor c = { text, text + strlen(text) };

	for (ground->n = 0; number_skip(&c, " \t"), c.at < c.end;) {
		double v[5];

		if (ground->n == PATCHES_MAX ||
		    (ground->n && !number_match(&c, ",")))
			return false;
		for (int i = 0; i < 5; i++) {
			number_skip(&c, " \t");
			if (!number_read(&c, &v[i]) || !isfinite(v[i]))
				return false;
		}
		if (v[4] < 0.0 || v[4] > 1.0)
			return false;
		ground->patch[ground->n++] = (struct patch){
			fmin(v[0], v[2]),
			fmin(v[1], v[3]),
			fmax(v[0], v[2]),
			fmax(v[1], v[3]),
			v[4],
		};
	}
	return true;
}

double ground_slip(const struct ground *ground, const struct pose *pose,
		   double acceleration)
{
	const struct vehicle_settings *s = ground->settings;
	double slip = s->slip + s->slip_per_g * fabs(acceleration) / G;

	for (size_t i = 0; i < ground->n; i++) {
		const struct patch *patch = &ground->patch[i];

		if (pose->x >= patch->x1 && pose->x <= patch->x2 &&
		    pose->y >= patch->y1 && pose->y <= patch->y2)
			slip += patch->slip;
	}
	return fmin(slip, 1.0);
}

void ground_apply(struct ground *ground, const struct model *model, double slip,
		  struct drive *drive)
{
	const struct vehicle_settings *s = ground->settings;

	for (unsigned i = 0; i < model->n_wheels; i++) {
		/* drawn even where it counts for nothing */
		double noise = noise_even(&ground->rng) * s->wheel_noise;
		double radius = (model->left & 1u << i) ? s->radius_left
							: s->radius_right;

		drive->wheel[i] *= radius * (1.0 - slip) * (1.0 + noise);
	}
}
