/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ground.h - what the ground makes of turning wheels
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_GROUND_H
#define VEHICLE_GROUND_H

#include "vehicle/model.h"

/* A rectangle with a slip of its own, which is added to the slip elsewhere. */
struct patch {
	double x1, y1, x2, y2, slip;
};

/**
 * struct ground - The ground
 * @settings:	Settings; borrowed
 * @patch:	Slippery places
 * @n:		How many
 * @rng:	Stream of the wheel noise
 */
struct ground {
	const struct vehicle_settings *settings;
	struct patch patch[PATCHES_MAX];
	size_t n;
	struct rng rng;
};

/**
 * ground_parse() - Read a list of patches
 * @ground:	@patch and @n are set
 * @text:	"x1 y1 x2 y2 slip, ..."; slip from 0 to 1
 *
 * Return: false if it is no such list, or too long.
 */
bool ground_parse(struct ground *ground, const char *text);

/**
 * ground_slip() - Slip at a place
 * @ground:	Ground
 * @pose:	Where the body is
 * @acceleration: How strongly its wheels speed up or brake, m/s^2
 *
 * Return: share of the motion that is lost, 0 to 1.
 */
double ground_slip(const struct ground *ground, const struct pose *pose,
		   double acceleration);

/**
 * ground_apply() - From wheels that turn to sides that move
 * @ground:	Ground
 * @model:	Drive model
 * @slip:	Share that is lost
 * @drive:	Speeds at the rim; set to speeds over the ground
 */
void ground_apply(struct ground *ground, const struct model *model, double slip,
		  struct drive *drive);

#endif /* VEHICLE_GROUND_H */
