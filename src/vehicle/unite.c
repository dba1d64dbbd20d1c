/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * unite.c - the rover of the seed study, as it was driven there
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * Each wheel goes towards its speed by at most acceleration * dt; then the
 * disturbances change both in place, so that they carry over; then the body
 * goes along its old heading and turns by the bounded difference of the wheels.
 *
 * Slip, motor, radius, slope and clamp are those of the original.  Vibration
 * and encoder error there use Unity's own Perlin noise, which is not public;
 * here a smooth noise of the same span stands for it: values from -1 to 1 at
 * whole numbers, by hash of the number, joined by 6t^5 - 15t^4 + 10t^3.
 */
#include "vehicle/unite.h"

#include <math.h>

#define SLIP		 0.15f
#define MOTOR		 0.05f
#define RADIUS		 0.02f
#define ENCODER		 0.03f
#define VIBRATION	 0.08f
#define FREQUENCY	 3.0f
#define DEGREES		 57.29578f
#define STEEP		 30.0f
#define MAX_SPEED	 0.26
#define MAX_ACCELERATION 2.5

void unite_reset(struct unite *unite, uint64_t seed)
{
	const struct vehicle_settings *s = unite->settings;

	*unite = (struct unite){
		.settings = s,
		.x = (float)s->start_x,
		.z = (float)s->start_y,
		.theta = (float)-s->start_yaw,
		.seed = (int32_t)(seed & INT32_MAX),
	};
}

static float towards(float value, float aim, float most)
{
	if (fabsf(aim - value) <= most)
		return aim;
	return aim > value ? value + most : value - most;
}

float unite_roughness(const struct vehicle_settings *settings, float *slope)
{
	float mean =
		(float)(fabs(settings->terrain_x) + fabs(settings->terrain_y)) /
		2.0f;

	*slope = 0.0f;
	if (!settings->terrain)
		return 0.3f;
	*slope = atanf(mean) * DEGREES;
	return 0.4f + 0.5f * fminf(fmaxf(*slope / STEEP, 0.0f), 1.0f);
}

/* A value from -1 to 1 that belongs to a whole number. */
static float lattice(int32_t n)
{
	uint32_t h = (uint32_t)n * UINT32_C(0x9e3779b1);

	h = (h ^ (h >> 16)) * UINT32_C(0x85ebca6b);
	h = (h ^ (h >> 13)) * UINT32_C(0xc2b2ae35);
	h ^= h >> 16;
	return (float)(h >> 8) / 8388607.5f - 1.0f;
}

/* Smooth noise from -1 to 1; @row tells apart what is independent. */
static float smooth(float at, int32_t row)
{
	float whole = (float)floor((double)at), t = at - whole;
	int32_t n = (int32_t)fmodf(whole, 1e6f) + row * 1000003;
	float weight = t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);

	return lattice(n) + weight * (lattice(n + 1) - lattice(n));
}

/* Vibration of one wheel: two or three layers, as rough as the ground. */
static float vibration(float place, float t, float roughness, int32_t row)
{
	float f = FREQUENCY;
	float sum = smooth(place * 0.1f * f + t, row) +
		    0.6f * smooth(place * 0.3f * f + 2.0f * t, row + 1);

	if (roughness > 0.6f)
		sum += 0.3f * roughness *
		       smooth(place * 0.8f * f + 4.0f * t, row + 2);
	return VIBRATION * roughness * 2.5f * sum;
}

/* Downhill the rover drifts, even at rest. */
static void drift(struct unite *unite, float slope)
{
	const struct vehicle_settings *s = unite->settings;
	float gx = (float)s->terrain_x, gz = (float)s->terrain_y;
	float sine = sinf(unite->theta), bias;

	if (!(slope > 5.0f))
		return;
	bias = 0.02f * (gx * cosf(unite->theta) - gz * sine) * slope;
	unite->left -= bias * (1.0f + 0.5f * sine);
	unite->right -= bias * (1.0f - 0.5f * sine);
}

static float bounded(float value, float most)
{
	if (!isfinite(value))
		return 0.0f;
	return fmaxf(-most, fminf(most, value));
}

static void disturb(struct unite *unite, nsec now, float most)
{
	float slope, roughness = unite_roughness(unite->settings, &slope);
	float t = 0.001f * (float)unite->seed + (float)((double)now / 1e9);
	float speed = (fabsf(unite->left) + fabsf(unite->right)) * 0.5f;
	float slip = 1.0f - SLIP * roughness * 0.4f * speed;
	float swing = 2.0f * RADIUS * sinf(0.1f * t);
	float place = unite->x + unite->z;
	float phase = (float)unite->seed * 0.01f + 0.5f * t;

	unite->left *= slip;
	unite->right *= slip;
	unite->left *= 1.0f + MOTOR * 0.5f * (sinf(3.7f * t) + sinf(1.3f * t));
	unite->right *= 1.0f + MOTOR * 0.5f * (sinf(4.1f * t) + sinf(1.7f * t));
	unite->left *= 1.0f + swing;
	unite->right *= 1.0f - swing;
	unite->left *= 1.0f + vibration(place, t, roughness, 0);
	unite->right *= 1.0f + vibration(place, t, roughness, 100);
	unite->left *= 1.0f + 3.0f * ENCODER * smooth(place * 7.3f + phase, 7);
	unite->right *=
		1.0f + 3.0f * ENCODER * smooth(place * 7.3f + phase, 507);
	drift(unite, slope);
	unite->left = bounded(unite->left, most);
	unite->right = bounded(unite->right, most);
}

double unite_acceleration(const struct vehicle_settings *settings)
{
	return settings->acceleration > 0.0 ? settings->acceleration
					    : MAX_ACCELERATION;
}

double unite_speed(const struct vehicle_settings *settings)
{
	return settings->max_speed > 0.0 ? settings->max_speed : MAX_SPEED;
}

void unite_apply(struct unite *unite, const struct command *command, nsec now)
{
	const struct vehicle_settings *s = unite->settings;
	float dt = (float)command->value[2], most = (float)unite_speed(s);
	float step = (float)unite_acceleration(s) * dt, difference, speed;

	unite->left = towards(unite->left, (float)command->value[0], step);
	unite->right = towards(unite->right, (float)command->value[1], step);
	if (s->disturbances)
		disturb(unite, now, most);
	difference =
		bounded(unite->right - unite->left, (float)s->max_difference);
	speed = (unite->left + unite->right) * 0.5f;
	unite->x += speed * cosf(unite->theta) * dt;
	unite->z -= speed * sinf(unite->theta) * dt;
	unite->theta += difference / (float)s->wheel_separation * dt;
}

struct pose unite_pose(const struct unite *unite)
{
	return (struct pose){ unite->x, unite->z, -unite->theta };
}

static bool make_wish(const struct geometry *geometry,
		      const struct command *command, struct wish *wish)
{
	/* mirrored: the wheel that the rover calls left is on our right */
	struct command sides = {
		.kind = COMMAND_WHEELS,
		.value = { command->value[1], command->value[0] },
	};

	return model_sides_wish(geometry, &sides, wish);
}

const struct model model_unite = {
	.name = "unite-waffle-pi",
	.accepts = 1u << COMMAND_WHEELS_FOR,
	.n_wheels = 2,
	.left = 1u << 0,
	.wheels = { "left", "right" },
	.wish = make_wish,
	.spin = model_sides_spin,
	.believe = model_sides_believe,
	.move = model_sides_believe,
};
