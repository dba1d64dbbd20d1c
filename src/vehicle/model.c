/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * model.c - the list of models, and what those with two sides have in common
 *
 * Floor: vehicle.
 */
#include "vehicle/model.h"

const struct model *model_get(enum model_kind kind)
{
	static const struct model *const models[MODELS] = {
		[MODEL_DIFF_DRIVE] = &model_diff_drive,
		[MODEL_SKID_STEER] = &model_skid_steer,
		[MODEL_MECANUM] = &model_mecanum,
		[MODEL_ACKERMANN] = &model_ackermann,
		[MODEL_POSITION_DELTA] = &model_position_delta,
		[MODEL_UNITE] = &model_unite,
	};

	return models[kind];
}

void model_geometry(const struct vehicle_settings *settings,
		    struct geometry *geometry)
{
	const struct vehicle_settings *s = settings;
	double ground = s->ground_multiplier > 0.0 ? s->ground_multiplier
						   : s->separation_multiplier;
	double half = s->wheel_separation / 2.0;

	*geometry = (struct geometry){
		.half = half * s->separation_multiplier,
		.left = s->icr_left > 0.0 ? s->icr_left : half * ground,
		.right = s->icr_right < 0.0 ? s->icr_right : -half * ground,
		.ahead = s->icr_x,
		.arm = half * s->separation_multiplier + s->wheelbase / 2.0,
		.lateral = s->lateral_efficiency,
		.wheelbase = s->wheelbase,
		.half_track = half,
		.steering_limit = s->steering_limit,
		.speed_at = (enum speed_at)s->speed_at,
	};
}

void model_sides_spin(const struct geometry *geometry,
		      const struct twist *twist, struct drive *drive)
{
	double turn = twist->wz * geometry->half;

	drive->wheel[0] = twist->vx - turn;
	drive->wheel[1] = twist->vx + turn;
}

void model_sides_believe(const struct geometry *geometry,
			 const struct drive *drive, struct twist *twist)
{
	double left = drive->wheel[0], right = drive->wheel[1];

	*twist = (struct twist){
		.vx = (left + right) / 2.0,
		.wz = (right - left) / (2.0 * geometry->half),
	};
}

bool model_sides_wish(const struct geometry *geometry,
		      const struct command *command, struct wish *wish)
{
	const double *value = command->value;
	struct drive drive = { .wheel = { value[0], value[1] } };

	*wish = (struct wish){ .steering = 0.0 };
	if (command->kind == COMMAND_TWIST) {
		wish->twist.vx = value[0];
		wish->twist.wz = value[2];
		return fabs(value[1]) <= 0.0;
	}
	model_sides_believe(geometry, &drive, &wish->twist);
	return true;
}
