/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * robot.h - who lives in a session: a vehicle in the robot's place, a scripted
 *	operator in the headset's, the operator's view, the dead man's switch
 *
 * Floor: session.
 *
 * The vehicle is given what the uplink released and nothing else; what it
 * publishes enters the downlink.  The view is given what the downlink released
 * and nothing else.
 */
#ifndef SESSION_ROBOT_H
#define SESSION_ROBOT_H

#include "session/session.h"

struct robot;

/**
 * robot_new() - Make the inhabitants that a plan asks for
 * @arm:	Arm; borrowed
 * @plan:	Who
 * @seed:	Seed of the trial
 * @err:	Told what cannot be
 *
 * Return: the inhabitants, or NULL with @err told.
 */
struct robot *robot_new(const struct arm *arm, const struct session_plan *plan,
			uint64_t seed, struct err *err);

/* What happens next, in the order of its turn at one instant. */
enum robot_event { ROBOT_DRIVES, ROBOT_CHANNEL, ROBOT_DEADMAN, ROBOT_STEPS };

/**
 * robot_next() - When the next thing happens
 * @robot:	Inhabitants
 * @event:	Set to what it is
 *
 * Return: the time, or NSEC_NEVER.
 */
nsec robot_next(const struct robot *robot, enum robot_event *event);

/**
 * robot_turn() - Let the next thing happen
 * @robot:	Inhabitants
 * @session:	Session; packets are put into it
 */
void robot_turn(struct robot *robot, struct session *session);

/**
 * robot_released() - Hand over what a channel released, or what was injected
 * @robot:	Inhabitants
 * @packet:	Packet; borrowed
 */
void robot_released(struct robot *robot, const struct packet *packet);

/**
 * robot_drives() - Whether the scripted operator has something to send yet
 * @robot:	Inhabitants, or NULL
 *
 * Return: whether.
 */
bool robot_drives(const struct robot *robot);

/**
 * robot_end_script() - The scripted operator sends nothing more
 * @robot:	Inhabitants
 */
void robot_end_script(struct robot *robot);

/**
 * robot_reset() - Begin a trial
 * @robot:	Inhabitants
 * @seed:	Seed of the trial
 */
void robot_reset(struct robot *robot, uint64_t seed);

/* The vehicle's counters, or NULL; the operator's view, or NULL. */
const struct vehicle *robot_vehicle(const struct robot *robot);
const struct reconstruction *robot_view(const struct robot *robot);

/**
 * robot_free() - Free the inhabitants
 * @robot:	Inhabitants, or NULL
 */
void robot_free(struct robot *robot);

#endif /* SESSION_ROBOT_H */
