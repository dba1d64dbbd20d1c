/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * plant.h - the body itself: from what is asked to where it truly is
 *
 * Floor: vehicle.
 *
 * A step goes: wheels within their limit, dead time, limits (jerk,
 * acceleration, velocity), lag, ground, integration, contact.
 */
#ifndef VEHICLE_PLANT_H
#define VEHICLE_PLANT_H

#include "vehicle/actuator.h"
#include "vehicle/ground.h"
#include "vehicle/limiter.h"
#include "vehicle/model.h"
#include "vehicle/single_track.h"
#include "vehicle/unite.h"
#include "vehicle/world.h"

/**
 * struct plant - The body
 * @settings:	Settings; borrowed
 * @world:	World; borrowed, may be NULL
 * @model:	Drive model
 * @geometry:	Effective geometry
 * @axis:	Limiters: along, across, turn
 * @dead:	Wishes on their way
 * @drive:	What the wheels do
 * @ground:	The ground
 * @track:	State of a car with dynamic behaviour
 * @unite:	State of the seed's rover
 * @pose:	Where the body is, in the map frame
 * @twist:	How it moves
 * @applied:	How it would move without the ground: what the wheels realise
 * @speed:	@applied.vx of the step before
 * @slip:	Share of the wheels' motion lost in the last step
 * @saturated:	Whether a wheel wanted more than its limit
 * @stalled:	Whether an obstacle stopped the body
 */
struct plant {
	const struct vehicle_settings *settings;
	const struct world *world;
	const struct model *model;
	struct geometry geometry;
	struct limiter axis[3];
	struct dead_time dead;
	struct drive drive;
	struct ground ground;
	struct single_track track;
	struct unite unite;
	struct pose pose;
	struct twist twist;
	struct twist applied;
	double speed;
	double slip;
	bool saturated;
	bool stalled;
};

/**
 * plant_init() - Make a body from settings that vehicle_settings_check() passed
 * @plant:	Body
 * @settings:	Settings; borrowed
 * @world:	World; borrowed, may be NULL
 *
 * Return: 0, or -1 without memory.
 */
int plant_init(struct plant *plant, const struct vehicle_settings *settings,
	       const struct world *world);

/**
 * plant_reset() - Begin a trial at rest at the start pose
 * @plant:	Body
 * @seed:	Seed of the vehicle
 */
void plant_reset(struct plant *plant, uint64_t seed);

/**
 * plant_step() - Move for a time towards a wish
 * @plant:	Body
 * @now:	Time at the end of the step
 * @dt:		Length of the step, seconds
 * @wish:	What is asked
 */
void plant_step(struct plant *plant, nsec now, double dt,
		const struct wish *wish);

/**
 * plant_apply() - Move the seed's rover by one command
 * @plant:	Body, of MODEL_UNITE
 * @now:	Time of the step
 * @command:	COMMAND_WHEELS_FOR
 */
void plant_apply(struct plant *plant, nsec now, const struct command *command);

/**
 * plant_fini() - Free what plant_init() took
 * @plant:	Body
 */
void plant_fini(struct plant *plant);

#endif /* VEHICLE_PLANT_H */
