/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ackermann.c - a car: two driven rear wheels and a steered front axle
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The pose is that of the middle of the rear axle, where a car that rolls does
 * not move sideways.  The steering angle is that of one wheel in the middle of
 * the front axle; it turns the car at v * tan(angle) / wheelbase.  A twist asks
 * for the angle atan(wz * wheelbase / v), which also serves in reverse; with
 * v = 0 no angle turns the car, and the steering goes to its end.
 */
#include "vehicle/model.h"

static double clamp_angle(const struct geometry *geometry, double angle)
{
	return fmax(-geometry->steering_limit,
		    fmin(geometry->steering_limit, angle));
}

static bool make_wish(const struct geometry *geometry,
		      const struct command *command, struct wish *wish)
{
	const double *value = command->value;
	double turn = value[2] * geometry->wheelbase, angle;
	bool whole = true;

	if (command->kind == COMMAND_STEERING) {
		angle = value[1];
	} else {
		whole = fabs(value[1]) <= 0.0;
		if (fabs(turn) <= 0.0)
			angle = 0.0;
		else if (fabs(value[0]) <= 0.0)
			angle = turn < 0.0 ? -geometry->steering_limit
					   : geometry->steering_limit;
		else if (geometry->speed_at == SPEED_AT_FRONT_WHEEL)
			angle = asin(fmax(-1.0, fmin(1.0, turn / value[0])));
		else
			angle = atan(turn / value[0]);
	}
	*wish = (struct wish){
		.twist = { .vx = value[0] },
		.steering = clamp_angle(geometry, angle),
	};
	wish->twist.wz = value[0] * tan(wish->steering) / geometry->wheelbase;
	if (geometry->speed_at == SPEED_AT_FRONT_WHEEL)
		wish->twist.wz *= cos(wish->steering);
	if (command->kind == COMMAND_TWIST && fabs(value[0]) <= 0.0 &&
	    fabs(turn) > 0.0)
		return false;
	return whole && fabs(angle) <= geometry->steering_limit;
}

/* @drive->steering is where the steering is now; the wheels follow from it. */
static void spin(const struct geometry *geometry, const struct twist *twist,
		 struct drive *drive)
{
	double v = twist->vx;
	double across = geometry->half_track * tan(drive->steering) /
			geometry->wheelbase;

	if (geometry->speed_at == SPEED_AT_FRONT_WHEEL)
		v *= cos(drive->steering);
	drive->wheel[0] = v * (1.0 - across);
	drive->wheel[1] = v * (1.0 + across);
}

static void believe(const struct geometry *geometry, const struct drive *drive,
		    struct twist *twist)
{
	double v = (drive->wheel[0] + drive->wheel[1]) / 2.0;

	*twist = (struct twist){
		.vx = v,
		.wz = v * tan(drive->steering) / geometry->wheelbase,
	};
}

const struct model model_ackermann = {
	.name = "ackermann",
	.accepts = 1u << COMMAND_TWIST | 1u << COMMAND_STEERING,
	.n_wheels = 2,
	.left = 1u << 0,
	.wheels = { "rear_left", "rear_right" },
	.steers = true,
	.wish = make_wish,
	.spin = spin,
	.believe = believe,
	.move = believe,
};
