/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * single_track.c - a car whose tyres slide: the dynamic single-track model
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * The model is the linear single-track one of CommonRoad (Althoff and others,
 * 2017): two wheels on a line, cornering forces in proportion to the slip angle
 * and to the load, which acceleration shifts between the axles.  It divides by
 * the speed, so a slow car rolls kinematically; two thresholds keep it from
 * switching back and forth.  The step is integrated by the fourth-order Runge
 * and Kutta scheme in parts of at most a millisecond.
 */
#include "vehicle/single_track.h"

#define G	 9.81
#define SLOW	 0.50 /* m/s: below, rolling */
#define FAST	 0.53 /* m/s: above, sliding */
#define PART	 1e-3 /* s */
#define PART_MAX 100

void single_track_rate(const struct vehicle_settings *settings,
		       const double state[TRACK_STATES], const double input[2],
		       double rate[TRACK_STATES])
{
	const struct vehicle_settings *s = settings;
	double lf = s->cg_front, lr = s->cg_rear, length = lf + lr;
	double v = state[TRACK_SPEED], heading;
	double turn = state[TRACK_YAW_RATE], beta = state[TRACK_SIDESLIP];
	double delta = state[TRACK_STEERING];
	/* cornering stiffness times the load on the axle, over mass */
	double front = s->stiffness_front * (G * lr - input[1] * s->cg_height) /
		       length;
	double rear =
		s->stiffness_rear * (G * lf + input[1] * s->cg_height) / length;
	double arm = s->friction * s->mass / s->inertia;

	heading = state[TRACK_YAW] + beta;
	rate[TRACK_X] = v * cos(heading);
	rate[TRACK_Y] = v * sin(heading);
	rate[TRACK_STEERING] = input[0];
	rate[TRACK_SPEED] = input[1];
	rate[TRACK_YAW] = turn;
	rate[TRACK_YAW_RATE] =
		arm * (-(lf * lf * front + lr * lr * rear) * turn / v +
		       (lr * rear - lf * front) * beta + lf * front * delta);
	rate[TRACK_SIDESLIP] = s->friction / v *
				       ((lr * rear - lf * front) * turn / v -
					(rear + front) * beta + front * delta) -
			       turn;
}

/* Angle between heading and motion at the centre of gravity of a rolling car */
static double rolling_sideslip(const struct vehicle_settings *s, double delta)
{
	return atan(tan(delta) * s->cg_rear / (s->cg_front + s->cg_rear));
}

static double rolling_turn(const struct vehicle_settings *s, double v,
			   double delta)
{
	return v * cos(rolling_sideslip(s, delta)) * tan(delta) /
	       (s->cg_front + s->cg_rear);
}

static void rolling_rate(const struct vehicle_settings *s,
			 const double state[TRACK_STATES],
			 const double input[2], double rate[TRACK_STATES])
{
	double v = state[TRACK_SPEED], delta = state[TRACK_STEERING];
	double heading = state[TRACK_YAW] + rolling_sideslip(s, delta);

	rate[TRACK_X] = v * cos(heading);
	rate[TRACK_Y] = v * sin(heading);
	rate[TRACK_STEERING] = input[0];
	rate[TRACK_SPEED] = input[1];
	rate[TRACK_YAW] = rolling_turn(s, v, delta);
	rate[TRACK_YAW_RATE] = rate[TRACK_SIDESLIP] = 0.0;
}

static void one_part(struct single_track *track,
		     const struct vehicle_settings *s, const double input[2],
		     double dt)
{
	static const double ahead[4] = { 0.0, 0.5, 0.5, 1.0 };
	static const double weight[4] = { 1.0, 2.0, 2.0, 1.0 };
	double sum[TRACK_STATES] = { 0 }, rate[TRACK_STATES] = { 0 };

	for (int stage = 0; stage < 4; stage++) {
		double at[TRACK_STATES];

		for (int i = 0; i < TRACK_STATES; i++)
			at[i] = track->state[i] + ahead[stage] * dt * rate[i];
		if (track->dynamic)
			single_track_rate(s, at, input, rate);
		else
			rolling_rate(s, at, input, rate);
		for (int i = 0; i < TRACK_STATES; i++)
			sum[i] += weight[stage] * rate[i];
	}
	for (int i = 0; i < TRACK_STATES; i++)
		track->state[i] += sum[i] * dt / 6.0;
}

static void choose(struct single_track *track, const struct vehicle_settings *s)
{
	double *state = track->state, v = fabs(state[TRACK_SPEED]);

	/* the tyre model is one of forward motion: in reverse a car rolls */
	track->dynamic =
		state[TRACK_SPEED] > 0.0 && v > (track->dynamic ? SLOW : FAST);
	if (track->dynamic)
		return;
	/* kept up, so that a car that becomes fast begins where it rolls */
	state[TRACK_SIDESLIP] = rolling_sideslip(s, state[TRACK_STEERING]);
	state[TRACK_YAW_RATE] =
		rolling_turn(s, state[TRACK_SPEED], state[TRACK_STEERING]);
}

void single_track_reset(struct single_track *track,
			const struct vehicle_settings *settings,
			const struct pose *pose)
{
	double ahead = settings->cg_rear;

	*track = (struct single_track){ .dynamic = false };
	track->state[TRACK_X] = pose->x + ahead * cos(pose->yaw);
	track->state[TRACK_Y] = pose->y + ahead * sin(pose->yaw);
	track->state[TRACK_YAW] = pose->yaw;
}

void single_track_step(struct single_track *track,
		       const struct vehicle_settings *settings, double speed,
		       double steering, double dt)
{
	int parts = (int)fmin(ceil(dt / PART), PART_MAX);
	const double input[2] = {
		(steering - track->state[TRACK_STEERING]) / dt,
		(speed - track->state[TRACK_SPEED]) / dt,
	};

	for (int i = 0; i < parts; i++) {
		choose(track, settings);
		one_part(track, settings, input, dt / parts);
	}
	/* what was asked for is reached, without a rest of rounding */
	track->state[TRACK_STEERING] = steering;
	track->state[TRACK_SPEED] = speed;
	choose(track, settings);
}

void single_track_get(const struct single_track *track,
		      const struct vehicle_settings *settings,
		      struct pose *pose, struct twist *twist)
{
	const double *state = track->state;
	double yaw = state[TRACK_YAW], v = state[TRACK_SPEED];
	double beta = state[TRACK_SIDESLIP];

	*pose = (struct pose){
		.x = state[TRACK_X] - settings->cg_rear * cos(yaw),
		.y = state[TRACK_Y] - settings->cg_rear * sin(yaw),
		.yaw = yaw,
	};
	*twist = (struct twist){
		.vx = v * cos(beta),
		.vy = v * sin(beta) - settings->cg_rear * state[TRACK_YAW_RATE],
		.wz = state[TRACK_YAW_RATE],
	};
}
