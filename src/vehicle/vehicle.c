/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle.c - a vehicle as a machine in virtual time
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * A step applies what came by its time, in order; moves the body and odometry
 * once; and marks the streams that are due.  Their messages are printed one by
 * one as they are taken out: nothing moves until all are out, so one room
 * serves for all of them.
 *
 * A command counts by when it came here, never by a stamp of its sender.  What
 * is rejected leaves everything as it was, the age of the last command too.
 */
#include "vehicle/vehicle.h"

#include <stdlib.h>

#include "vehicle/goal.h"
#include "vehicle/inbox.h"
#include "vehicle/message.h"
#include "vehicle/noise.h"
#include "vehicle/odometry.h"
#include "vehicle/plant.h"

/* Signal at a metre from the access point at the map's origin, dBm. */
#define WIFI_AT_1M  (-40.0)
#define WIFI_SPREAD 2.0

/**
 * struct vehicle - All of it
 * @settings:	Own copy
 * @world:	World, or NULL
 * @timeout:	How long a command holds
 * @plant:	The body
 * @odometry:	What it believes
 * @sensor:	Lidar and range sensors
 * @inbox:	Payloads for the next step
 * @counts:	Counters
 * @at:		Time of the last step
 * @due:	Time of the next one
 * @wish:	As the last command asked
 * @arrived:	When it came; negative before the first
 * @timed_out:	Whether it is too old
 * @goal:	Where a position command leads, in the odom frame
 * @row:	The last step
 * @fresh:	Whether the last step has not been taken out yet
 * @pending:	Streams to be published: bits 1u << enum vehicle_stream
 * @part:	Next part of the scan
 * @next:	When each stream is next due
 * @seq:	Messages of each so far
 * @travelled:	Way since the last Wi-Fi sample
 * @wifi:	Stream of its noise
 * @out:	Room for a message
 */
struct vehicle {
	struct vehicle_settings settings;
	struct world *world;
	nsec timeout;
	struct plant plant;
	struct odometry odometry;
	struct sensor sensor;
	struct inbox inbox;
	struct vehicle_counts counts;
	nsec at, due;
	struct wish wish;
	nsec arrived;
	bool timed_out;
	struct pose goal;
	struct vehicle_row row;
	bool fresh;
	unsigned pending;
	size_t part;
	nsec next[STREAMS];
	uint32_t seq[STREAMS];
	double travelled;
	struct rng wifi;
	char out[MESSAGE_MAX];
};

struct vehicle *vehicle_new(const struct vehicle_settings *settings,
			    struct world *world, uint64_t seed)
{
	struct vehicle *v = calloc(1, sizeof(*v));

	if (!v) {
		world_free(world);
		return NULL;
	}
	v->settings = *settings;
	v->world = world;
	vehicle_settings_timeout(settings->timeout, &v->timeout);
	if (plant_init(&v->plant, &v->settings, world) < 0) {
		vehicle_free(v);
		return NULL;
	}
	v->odometry.model = v->plant.model;
	v->odometry.settings = &v->settings;
	v->odometry.geometry = &v->plant.geometry;
	v->sensor.settings = &v->settings;
	v->sensor.world = world;
	sensor_parse(&v->sensor, settings->range_sensors);
	vehicle_reset(v, seed);
	return v;
}

/* Period of a stream; 0 where there is none. */
static nsec period(const struct vehicle *v, enum vehicle_stream stream)
{
	const struct vehicle_settings *s = &v->settings;
	const nsec periods[STREAMS] = {
		[STREAM_ODOM] = s->odom_every,
		[STREAM_STATE] = s->state_every,
		[STREAM_SCAN] = s->scan_every,
		[STREAM_TRUTH] = s->truth_every,
		[STREAM_RANGE] = s->range_every,
		[STREAM_LIDAR] = s->lidar_every,
	};

	return periods[stream];
}

void vehicle_reset(struct vehicle *v, uint64_t seed)
{
	plant_reset(&v->plant, seed);
	odometry_reset(&v->odometry, seed);
	sensor_reset(&v->sensor, seed);
	noise_begin(&v->wifi, seed, "wifi");
	v->inbox.first = v->inbox.n = 0;
	v->counts = (struct vehicle_counts){ .steps = 0 };
	v->at = 0;
	v->due = v->settings.step;
	v->wish = (struct wish){ .steering = 0.0 };
	v->arrived = -1;
	v->timed_out = false;
	v->goal = (struct pose){ 0.0, 0.0, 0.0 };
	v->fresh = false;
	v->pending = 0;
	v->part = 0;
	v->travelled = 0.0;
	for (unsigned i = 0; i < STREAMS; i++) {
		v->next[i] = period(v, (enum vehicle_stream)i);
		v->seq[i] = 0;
	}
}

void vehicle_put(struct vehicle *v, nsec now, const void *payload, size_t len)
{
	v->counts.received++;
	if (!inbox_put(&v->inbox, now, payload, len))
		v->counts.overflow++;
}

nsec vehicle_next(const struct vehicle *v)
{
	return v->fresh || v->pending ? v->at : v->due;
}

/* The body and odometry, once, for a time. */
static void move(struct vehicle *v, nsec dt, const struct wish *wish)
{
	double seconds = (double)dt / (double)NSEC_PER_S;

	plant_step(&v->plant, v->at, seconds, wish);
	odometry_update(&v->odometry, &v->plant.drive, seconds);
}

static void apply(struct vehicle *v, const struct letter *letter)
{
	struct command command;
	enum command_reject reject = command_parse(
		&command, letter->bytes, letter->len, v->plant.model->accepts);

	if (reject != REJECT_NONE) {
		v->counts.rejected[reject]++;
		return;
	}
	v->counts.accepted++;
	v->arrived = letter->at;
	if (command.kind == COMMAND_DELTA) {
		const struct pose delta = { command.value[0], command.value[1],
					    command.value[2] };

		motion_compose(&v->goal, &delta);
	} else if (!v->plant.model->wish(&v->plant.geometry, &command,
					 &v->wish)) {
		v->counts.ignored++;
	}
	if (command.kind == COMMAND_WHEELS_FOR) {
		plant_apply(&v->plant, v->at, &command);
		odometry_update(&v->odometry, &v->plant.drive,
				command.value[2]);
	} else if (v->settings.apply == APPLY_PER_PACKET) {
		move(v, v->settings.packet_time, &v->wish);
	}
}

/* Towards the goal, by what odometry knows. */
static void pursue(struct vehicle *v)
{
	const struct limits *limits = &v->plant.axis[0].limits;
	const struct limits *turn = &v->plant.axis[2].limits;
	const struct pace pace[2] = {
		/* a slanting line must not ask more of an axis than it has */
		{ fmin(limits->hi,
		       fmin(-limits->lo, v->plant.axis[1].limits.hi)),
		  limits->brake },
		{ turn->hi, turn->brake },
	};

	if (v->timed_out && v->settings.goal == GOAL_FREEZE) {
		v->goal = v->odometry.pose;
		v->wish.twist = (struct twist){ 0.0, 0.0, 0.0 };
		return;
	}
	v->wish.twist =
		goal_pursue(&v->goal, &v->odometry.pose, pace,
			    (double)v->settings.step / (double)NSEC_PER_S);
}

/* A step by the command that holds, or by none any more. */
static void hold(struct vehicle *v)
{
	bool old = v->arrived >= 0 && v->at - v->arrived > v->timeout;
	struct wish wish;

	if (old && !v->timed_out)
		v->counts.timeouts++;
	v->timed_out = old;
	if (v->settings.model == MODEL_POSITION_DELTA)
		pursue(v);
	wish = v->wish;
	if (old && v->settings.model != MODEL_POSITION_DELTA)
		wish.twist = (struct twist){ 0.0, 0.0, 0.0 };
	move(v, v->settings.step, &wish);
}

static void note(struct vehicle *v)
{
	const struct plant *plant = &v->plant;

	if (plant->stalled && !v->row.stalled)
		v->counts.stalls++;
	v->travelled += hypot(plant->pose.x - v->row.truth.x,
			      plant->pose.y - v->row.truth.y);
	v->row = (struct vehicle_row){
		.time = v->at,
		.truth = plant->pose,
		.twist = plant->twist,
		.odom = v->odometry.pose,
		.requested = v->wish.twist,
		.applied = plant->applied,
		.command_age = v->arrived < 0 ? -1 : v->at - v->arrived,
		.stalled = plant->stalled,
	};
	v->fresh = true;
}

/* Mark what is due, and read the sensors for it. */
static void schedule(struct vehicle *v)
{
	const unsigned scans = 1u << STREAM_SCAN | 1u << STREAM_LIDAR;

	for (unsigned i = 0; i < STREAMS; i++) {
		nsec every = period(v, (enum vehicle_stream)i);

		if (!every || v->next[i] > v->at)
			continue;
		v->pending |= 1u << i;
		v->next[i] += ((v->at - v->next[i]) / every + 1) * every;
	}
	if (v->settings.wifi_every > 0.0 &&
	    v->travelled >= v->settings.wifi_every) {
		v->travelled -= v->settings.wifi_every;
		v->pending |= 1u << STREAM_WIFI;
	}
	if (v->pending & scans)
		sensor_scan(&v->sensor, &v->plant.pose);
	if (v->pending & 1u << STREAM_RANGE)
		sensor_range(&v->sensor, &v->plant.pose);
}

static void step(struct vehicle *v)
{
	const struct letter *letter;

	v->at = v->due;
	v->due += v->settings.step;
	v->counts.steps++;
	if (v->counts.steps == 1)
		v->row = (struct vehicle_row){ .truth = v->plant.pose };
	while ((letter = inbox_take(&v->inbox, v->at)))
		apply(v, letter);
	if (v->settings.apply == APPLY_HOLD && v->settings.model != MODEL_UNITE)
		hold(v);
	note(v);
	schedule(v);
}

static struct message_motion odom_motion(const struct vehicle *v)
{
	const struct vehicle_settings *s = &v->settings;

	return (struct message_motion){
		.pose = v->odometry.pose,
		.twist = v->odometry.twist,
		.origin = { s->start_x, s->start_y, s->start_yaw },
	};
}

static size_t print_state(struct vehicle *v, const struct message_head *head)
{
	const struct plant *plant = &v->plant;
	struct message_state state = {
		.motion = odom_motion(v),
		.model = plant->model,
		.preset = v->settings.preset,
		.drive = plant->drive,
		.radius = v->settings.wheel_radius,
		.requested = v->row.requested,
		.limited = plant->applied,
		.realised = plant->applied,
		.age = v->row.command_age,
		.accepted = v->counts.accepted,
		.overflow = v->counts.overflow,
		.ignored = v->counts.ignored,
		.timed_out = v->timed_out,
		.saturated = plant->saturated,
		.stalled = plant->stalled,
		.step = v->settings.step,
		.steps = v->counts.steps,
	};

	for (unsigned i = 0; i < REJECTS; i++)
		state.rejected += v->counts.rejected[i];
	if (v->settings.model != MODEL_UNITE) {
		state.limited.vx = plant->axis[0].last;
		state.limited.vy = plant->axis[1].last;
		if (!plant->model->steers)
			state.limited.wz = plant->axis[2].last;
	}
	return message_state(v->out, sizeof(v->out), head, &state);
}

static size_t print_scan(struct vehicle *v, const struct message_head *head)
{
	size_t each = (size_t)v->settings.scan_part;
	struct message_scan scan = {
		.settings = &v->settings,
		.ranges = v->sensor.scan,
		.n = v->sensor.n_beams,
		.too_close = v->sensor.too_close,
		.part = v->part,
		.parts = (v->sensor.n_beams + each - 1) / each,
	};
	size_t len = message_scan(v->out, sizeof(v->out), head, &scan);

	v->part = v->part + 1 < scan.parts ? v->part + 1 : 0;
	return len;
}

static size_t print_lidar(struct vehicle *v)
{
	struct message_scan scan = {
		.settings = &v->settings,
		.ranges = v->sensor.scan,
		.n = v->sensor.n_beams,
	};

	return message_lidar(v->out, sizeof(v->out), &scan);
}

/* The robot says where it believes to be; the signal is of where it is. */
static size_t print_wifi(struct vehicle *v)
{
	const struct pose *truth = &v->plant.pose;
	const struct vehicle_settings *s = &v->settings;
	struct message_wifi sample = {
		.time = v->at,
		.ssid = s->wifi_ssid,
		.rssi = WIFI_AT_1M + WIFI_SPREAD * noise_normal(&v->wifi),
		.pose = { s->start_x, s->start_y, s->start_yaw },
		.k = v->seq[STREAM_WIFI],
	};

	sample.rssi -= 20.0 * log10(fmax(hypot(truth->x, truth->y), 1.0));
	motion_compose(&sample.pose, &v->odometry.pose);
	return message_wifi(v->out, sizeof(v->out), &sample);
}

static size_t print(struct vehicle *v, enum vehicle_stream stream)
{
	struct message_head head = { v->at, v->seq[stream] };
	struct message_motion motion = odom_motion(v);

	switch (stream) {
	case STREAM_STATE:
		return print_state(v, &head);
	case STREAM_SCAN:
		return print_scan(v, &head);
	case STREAM_TRUTH:
		motion.pose = v->plant.pose;
		motion.twist = v->plant.twist;
		return message_truth(v->out, sizeof(v->out), &head, &motion);
	case STREAM_RANGE:
		return message_range(v->out, sizeof(v->out), &head, &v->sensor);
	case STREAM_LIDAR:
		return print_lidar(v);
	case STREAM_WIFI:
		return print_wifi(v);
	case STREAM_ODOM:
	case STREAMS:
		break;
	}
	return message_odom(v->out, sizeof(v->out), &head, &motion);
}

static void take_message(struct vehicle *v, struct publication *publication)
{
	unsigned stream = 0;
	size_t len;

	while (!(v->pending & 1u << stream))
		stream++;
	len = print(v, (enum vehicle_stream)stream);
	if (stream != STREAM_SCAN || !v->part) {
		v->pending &= ~(1u << stream);
		v->seq[stream]++;
	}
	*publication = (struct publication){
		.time = v->at,
		.stream = vehicle_stream((enum vehicle_stream)stream),
		.bytes = v->out,
		.len = len,
		.row = &v->row,
	};
}

bool vehicle_take(struct vehicle *v, nsec now, struct publication *publication)
{
	if (!v->fresh && !v->pending) {
		if (v->due > now)
			return false;
		step(v);
	}
	if (!v->fresh) {
		take_message(v, publication);
		return true;
	}
	v->fresh = false;
	*publication = (struct publication){ .time = v->at, .row = &v->row };
	return true;
}

const struct vehicle_counts *vehicle_counts(const struct vehicle *v)
{
	return &v->counts;
}

const char *vehicle_stream(enum vehicle_stream stream)
{
	static const char *const names[STREAMS] = {
		"odom",	 "state", "scan",	 "truth",
		"range", "lidar", "wifi-sample",
	};

	return names[stream];
}

void vehicle_free(struct vehicle *v)
{
	if (!v)
		return;
	plant_fini(&v->plant);
	world_free(v->world);
	free(v);
}
