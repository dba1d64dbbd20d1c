/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * plant.c - the body itself: from what is asked to where it truly is
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The set value is limited twice: a wish beyond the wheels is scaled down as a
 * robot's controller does it, so that the limiters ramp towards what can be
 * held; and the wheels themselves never exceed their limit on the way there.
 *
 * Contact: a step that would bring the footprint nearer to an obstacle than its
 * radius, or its centre through a wall, does not move the body.  The wheels go
 * on turning, so odometry goes on counting; and a step away is always allowed.
 */
#include "vehicle/plant.h"

#include <stdlib.h>

#include "vehicle/noise.h"

/* Below this a wheel that is to stand does stand: m/s. */
#define STILL 1e-4

/* A body that is a point still keeps this far from a wall: m. */
#define POINT 1e-3

int plant_init(struct plant *plant, const struct vehicle_settings *settings,
	       const struct world *world)
{
	struct limits limits[3];
	size_t room = actuator_room(settings->dead_time, settings->step);

	*plant = (struct plant){
		.settings = settings,
		.world = world,
		.model = model_get((enum model_kind)settings->model),
		.ground = { .settings = settings },
		.unite = { .settings = settings },
		.dead = { .delay = settings->dead_time, .size = room },
	};
	model_geometry(settings, &plant->geometry);
	limiter_settings(settings, limits);
	for (int i = 0; i < 3; i++)
		plant->axis[i].limits = limits[i];
	ground_parse(&plant->ground, settings->patches);
	plant->dead.ring = calloc(room, sizeof(*plant->dead.ring));
	return plant->dead.ring ? 0 : -1;
}

void plant_reset(struct plant *plant, uint64_t seed)
{
	const struct vehicle_settings *s = plant->settings;

	for (int i = 0; i < 3; i++)
		plant->axis[i].last = plant->axis[i].before = 0.0;
	plant->dead.first = plant->dead.n = 0;
	plant->drive = (struct drive){ .steering = 0.0 };
	plant->pose = (struct pose){ s->start_x, s->start_y, s->start_yaw };
	plant->twist = plant->applied = (struct twist){ 0.0, 0.0, 0.0 };
	plant->speed = plant->slip = 0.0;
	plant->saturated = plant->stalled = false;
	noise_begin(&plant->ground.rng, seed, "ground");
	single_track_reset(&plant->track, plant->settings, &plant->pose);
	unite_reset(&plant->unite, seed);
}

/* The same wish, scaled to what the wheels can hold. */
static void fit_wheels(struct plant *plant, struct wish *wish)
{
	const struct vehicle_settings *s = plant->settings;
	struct drive drive = { .steering = wish->steering };
	double factor;

	plant->model->spin(&plant->geometry, &wish->twist, &drive);
	factor = actuator_saturate(drive.wheel, plant->model->n_wheels,
				   s->wheel_speed,
				   (enum saturation)s->saturation);
	plant->saturated = factor < 1.0;
	if (plant->saturated && plant->model->steers)
		wish->twist.vx *= factor;
	else if (plant->saturated)
		plant->model->believe(&plant->geometry, &drive, &wish->twist);
}

/* One step of the drive: limits, then wheels that follow with a lag. */
static void step_drive(struct plant *plant, double dt, const struct wish *wish)
{
	const struct vehicle_settings *s = plant->settings;
	const struct twist *to = &wish->twist;
	double tau = (double)s->lag / (double)NSEC_PER_S;
	struct drive aim;
	struct twist limited = {
		.vx = limiter_apply(&plant->axis[0], to->vx, dt),
		.vy = limiter_apply(&plant->axis[1], to->vy, dt),
		.wz = limiter_apply(&plant->axis[2], to->wz, dt),
	};
	bool still = motion_is_still(&limited);

	aim.steering = actuator_slew(plant->drive.steering, wish->steering,
				     s->steering_rate * dt);
	plant->model->spin(&plant->geometry, &limited, &aim);
	if (actuator_saturate(aim.wheel, plant->model->n_wheels, s->wheel_speed,
			      (enum saturation)s->saturation) < 1.0)
		plant->saturated = true;
	plant->drive.steering = aim.steering;
	for (unsigned i = 0; i < plant->model->n_wheels; i++) {
		double *wheel = &plant->drive.wheel[i];

		*wheel = actuator_lag(*wheel, aim.wheel[i], dt, tau);
		if (still && fabs(*wheel) < STILL)
			*wheel = 0.0;
	}
	plant->speed = plant->applied.vx;
	plant->model->believe(&plant->geometry, &plant->drive, &plant->applied);
}

/* Would going from one place to the other run into something? */
static bool is_blocked(const struct plant *plant, const struct pose *from,
		       const struct pose *to)
{
	double radius = fmax(plant->settings->body_radius, POINT);
	double dx = to->x - from->x, dy = to->y - from->y;
	double way = hypot(dx, dy), clear, before;

	if (!plant->world || !(way > 0.0))
		return false;
	before = world_clearance(plant->world, from->x, from->y, radius);
	clear = world_clearance(plant->world, to->x, to->y, radius);
	if (clear < radius && clear <= before)
		return true;
	/* through a wall; but from inside an obstacle any way out is free */
	return before > 0.0 && world_cast(plant->world, from->x, from->y,
					  atan2(dy, dx), way) <= way;
}

static void move_to(struct plant *plant, const struct pose *to)
{
	plant->stalled = is_blocked(plant, &plant->pose, to);
	if (plant->stalled) {
		plant->pose.yaw = to->yaw;
		plant->twist.vx = plant->twist.vy = 0.0;
	} else {
		plant->pose = *to;
	}
}

void plant_step(struct plant *plant, nsec now, double dt,
		const struct wish *wish)
{
	const struct vehicle_settings *s = plant->settings;
	struct wish held = *wish;
	struct drive rolling;
	struct pose to = plant->pose;

	fit_wheels(plant, &held);
	actuator_delay(&plant->dead, now, &held);
	if (plant->model->steers)
		held.twist.vy = held.twist.wz = 0.0;
	step_drive(plant, dt, &held);
	plant->slip = ground_slip(&plant->ground, &plant->pose,
				  (plant->applied.vx - plant->speed) / dt);
	rolling = plant->drive;
	ground_apply(&plant->ground, plant->model, plant->slip, &rolling);
	plant->model->move(&plant->geometry, &rolling, &plant->twist);
	if (s->behaviour == BEHAVIOUR_DYNAMIC) {
		single_track_step(&plant->track, s, plant->twist.vx,
				  plant->drive.steering, dt);
		single_track_get(&plant->track, s, &to, &plant->twist);
	} else {
		motion_advance(&to, &plant->twist, dt,
			       (enum integrator)s->integrator);
	}
	move_to(plant, &to);
	if (plant->stalled)
		single_track_reset(&plant->track, plant->settings,
				   &plant->pose);
}

void plant_apply(struct plant *plant, nsec now, const struct command *command)
{
	struct unite *unite = &plant->unite;
	double dt = command->value[2];
	struct pose before = plant->pose, to;

	unite_apply(unite, command, now);
	to = unite_pose(unite);
	/* mirrored: what the rover calls left is on our right */
	plant->drive.wheel[0] = unite->right;
	plant->drive.wheel[1] = unite->left;
	plant->model->believe(&plant->geometry, &plant->drive, &plant->applied);
	plant->twist = (struct twist){
		.vx = plant->applied.vx,
		.wz = (to.yaw - before.yaw) / dt,
	};
	move_to(plant, &to);
	if (plant->stalled) {
		unite->x = (float)plant->pose.x;
		unite->z = (float)plant->pose.y;
	}
}

void plant_fini(struct plant *plant)
{
	free(plant->dead.ring);
	plant->dead.ring = NULL;
}
