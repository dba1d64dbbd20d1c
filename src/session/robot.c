/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * robot.c - who lives in a session
 *
 * Floor: session.
 *
 * At one instant the order is fixed: the operator sends, what is due is
 * delivered, the dead man's switch looks, the vehicle steps.  What the vehicle
 * publishes enters the downlink with exactly the step's time.
 */
#include "session/robot.h"

#include <stdlib.h>
#include <string.h>

#include "vehicle/script.h"
#include "vehicle/world.h"

/* Source port of the scripted operator, and of answers to it. */
#define SCRIPT_PORT 49152

struct robot {
	const struct arm *arm;
	struct session_watch watch;
	struct vehicle *vehicle;
	struct script *script; /* what the operator does */
	struct reconstruction *view;
	union address headset_end, robot_end;
	uint16_t command; /* channel that the operator sends to */
	nsec clock;
	nsec deadman, last_command;
	bool script_ended;
	bool alive; /* a command was released since the last stop */
};

static int make_vehicle(struct robot *robot, uint64_t seed, struct err *err)
{
	const struct arm *arm = robot->arm;
	char why[256];
	struct world *world = arm_world(arm, why, sizeof(why));

	if (*why)
		return err_add(err, "%s: world: %s", arm->file, why);
	robot->vehicle = vehicle_new(&arm->vehicle.settings, world, seed);
	if (!robot->vehicle)
		return err_add_machine(err, "%s: no memory for the vehicle",
				       arm->file);
	return 0;
}

/* The stream of commands: as [safety] says, or by its name, or the first. */
static uint16_t command_channel(const struct arm *arm)
{
	uint16_t found = CHANNEL_NONE;

	if (arm->safety.channel != CHANNEL_NONE)
		return arm->safety.channel;
	for (uint16_t i = 0; i < arm->n_channels; i++) {
		if (arm->channel[i].plan.direction != UPLINK ||
		    arm->rules[i].reply != CHANNEL_NONE)
			continue;
		if (!strcmp(arm->channel[i].plan.stream, "command"))
			return i;
		if (found == CHANNEL_NONE)
			found = i;
	}
	return found;
}

static int make_operator(struct robot *robot, const struct session_plan *plan,
			 struct err *err)
{
	char why[256];

	robot->command = command_channel(robot->arm);
	if (robot->command == CHANNEL_NONE)
		return err_add(err,
			       "%s: there is no uplink stream with a port for "
			       "the drive script to send to",
			       robot->arm->file);
	robot->script = script_new(plan->drive, plan->drive_size,
				   &script_default, why, sizeof(why));
	if (!robot->script)
		return err_add(err, "%s: %s", plan->drive_name, why);
	return 0;
}

/* Addresses of the two ends, for the packets that are made here. */
static void set_ends(struct robot *robot)
{
	const struct arm_link *link = &robot->arm->link;

	(void)address_parse("127.0.0.1", &robot->headset_end);
	(void)address_parse("127.0.0.1", &robot->robot_end);
	if (!link->learn && link->headset.bits)
		robot->headset_end = link->headset.address;
	if (link->has_robot)
		robot->robot_end = link->robot;
	if (robot->robot_end.any.sa_family == robot->headset_end.any.sa_family)
		return;
	robot->headset_end = robot->robot_end;
}

struct robot *robot_new(const struct arm *arm, const struct session_plan *plan,
			uint64_t seed, struct err *err)
{
	struct robot *robot = calloc(1, sizeof(*robot));

	if (!robot)
		abort();
	robot->arm = arm;
	robot->watch = plan->watch;
	robot->deadman = plan->stops ? arm->safety.deadman : NSEC_NEVER;
	set_ends(robot);
	if (plan->vehicle && make_vehicle(robot, seed, err) < 0)
		goto fail;
	if (plan->drive && make_operator(robot, plan, err) < 0)
		goto fail;
	if (plan->vehicle || plan->drive) {
		robot->view = reconstruction_new(
			(enum reconstruction_stale)arm->vehicle.settings.stale);
		if (!robot->view) {
			err_add_machine(err, "%s: no memory for the view",
					arm->file);
			goto fail;
		}
	}
	return robot;
fail:
	robot_free(robot);
	return NULL;
}

nsec robot_next(const struct robot *robot, enum robot_event *event)
{
	nsec next = NSEC_NEVER;

	*event = ROBOT_CHANNEL;
	if (robot_drives(robot)) {
		next = script_next(robot->script);
		*event = ROBOT_DRIVES;
	}
	if (robot->alive && robot->deadman != NSEC_NEVER &&
	    robot->last_command + robot->deadman < next) {
		next = robot->last_command + robot->deadman;
		*event = ROBOT_DEADMAN;
	}
	if (robot->vehicle && vehicle_next(robot->vehicle) < next) {
		next = vehicle_next(robot->vehicle);
		*event = ROBOT_STEPS;
	}
	return next;
}

/* A packet of our own, from one end to the other. */
static struct packet *make_packet(const struct robot *robot,
				  struct session *session,
				  enum direction direction,
				  const uint16_t ports[2], const void *payload,
				  size_t len)
{
	bool up = direction == UPLINK;
	union address from = up ? robot->headset_end : robot->robot_end;
	union address to = up ? robot->robot_end : robot->headset_end;
	struct packet *packet = session_packet(
		session, packet_room(from.any.sa_family, (uint32_t)len));

	if (!packet)
		return NULL; /* the pool is sized so that this cannot be */
	address_set_port(&from, ports[0]);
	address_set_port(&to, ports[1]);
	packet_build(packet, &from, &to, (uint32_t)len);
	memcpy(packet->ip + packet->payload, payload, len);
	packet->way = WAY_INSIDE;
	return packet;
}

static void drive(struct robot *robot, struct session *session, nsec now)
{
	uint16_t port = robot->arm->rules[robot->command].ports[0].lo;
	const uint16_t ports[2] = { SCRIPT_PORT, port };
	const struct entry entry = { UPLINK, CHANNEL_NONE, port };
	struct script_datagram datagram;
	struct packet *packet;

	if (!script_take(robot->script, now, &datagram))
		return;
	packet = make_packet(robot, session, UPLINK, ports, datagram.bytes,
			     datagram.len);
	if (packet)
		session_put(session, datagram.time, &entry, packet);
}

/* The downlink channel of a stream that the vehicle publishes. */
static uint16_t downlink_of(const struct arm *arm, const char *stream)
{
	for (uint16_t i = 0; i < arm->n_channels; i++)
		if (arm->channel[i].plan.direction == DOWNLINK &&
		    !strcmp(arm->channel[i].plan.stream, stream))
			return i;
	return CHANNEL_NONE;
}

static void publish(struct robot *robot, struct session *session,
		    const struct publication *publication)
{
	const struct arm *arm = robot->arm;
	uint16_t channel = downlink_of(arm, publication->stream), reply;
	uint16_t ports[2];
	struct packet *packet;

	if (channel == CHANNEL_NONE)
		return;
	reply = arm->rules[channel].reply;
	if (reply == CHANNEL_NONE) {
		ports[0] = ports[1] = arm->rules[channel].ports[0].lo;
	} else {
		ports[0] = arm->rules[reply].ports[0].lo;
		ports[1] = SCRIPT_PORT;
	}
	packet = make_packet(robot, session, DOWNLINK, ports,
			     publication->bytes, publication->len);
	if (packet)
		session_put_channel(session, publication->time, channel,
				    packet);
}

static void step(struct robot *robot, struct session *session, nsec now)
{
	struct publication publication;

	/* what comes late counts in the next step, here and when re-derived */
	session_hold(session, UPLINK, now);
	if (!vehicle_take(robot->vehicle, now, &publication))
		return;
	if (publication.stream)
		publish(robot, session, &publication);
	else if (robot->watch.step)
		robot->watch.step(robot->watch.context, publication.row);
}

void robot_turn(struct robot *robot, struct session *session)
{
	enum robot_event event;
	nsec now = robot_next(robot, &event);

	if (now > robot->clock && now != NSEC_NEVER)
		robot->clock = now;
	switch (event) {
	case ROBOT_DRIVES:
		drive(robot, session, now);
		break;
	case ROBOT_DEADMAN:
		session_hold(session, UPLINK, now);
		robot->alive = false;
		session_inject(session, now, "deadman");
		break;
	case ROBOT_STEPS:
		step(robot, session, now);
		break;
	case ROBOT_CHANNEL:
		break;
	}
}

void robot_released(struct robot *robot, const struct packet *packet)
{
	const uint8_t *payload = packet->ip + packet->payload;
	uint32_t len = packet_payload_bytes(packet);
	nsec when = packet->due;

	if (when < robot->clock)
		when = robot->clock;
	robot->clock = when;
	if (packet->direction == UPLINK) {
		if (packet->fate == FATE_RELEASED &&
		    packet->channel == robot->arm->safety.channel) {
			robot->last_command = when;
			robot->alive = true;
		}
		if (robot->vehicle)
			vehicle_put(robot->vehicle, when, payload, len);
		return;
	}
	if (robot->view &&
	    reconstruction_put(robot->view, when, payload, len) &&
	    robot->watch.view)
		robot->watch.view(robot->watch.context, when,
				  reconstruction_view(robot->view));
}

bool robot_drives(const struct robot *robot)
{
	return robot && robot->script && !robot->script_ended &&
	       script_next(robot->script) != NSEC_NEVER;
}

void robot_end_script(struct robot *robot)
{
	robot->script_ended = true;
}

void robot_reset(struct robot *robot, uint64_t seed)
{
	robot->clock = robot->last_command = 0;
	robot->alive = robot->script_ended = false;
	if (robot->vehicle)
		vehicle_reset(robot->vehicle, seed);
	if (robot->script)
		script_reset(robot->script);
	if (robot->view)
		reconstruction_reset(robot->view);
}

const struct vehicle *robot_vehicle(const struct robot *robot)
{
	return robot ? robot->vehicle : NULL;
}

const struct reconstruction *robot_view(const struct robot *robot)
{
	return robot ? robot->view : NULL;
}

void robot_free(struct robot *robot)
{
	if (!robot)
		return;
	vehicle_free(robot->vehicle);
	script_free(robot->script);
	reconstruction_free(robot->view);
	free(robot);
}
