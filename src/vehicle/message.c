/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * message.c - what a vehicle publishes, written as datagrams
 *
 * Floor: vehicle.
 */
#include "vehicle/message.h"

#include <inttypes.h>

#include "vehicle/text.h"

#define SCHEMA "farlink/1"

static size_t done(const struct text *text)
{
	return text->cut ? 0 : text->len;
}

/* "key":1.2500 */
static void number(struct text *text, const char *key, double value,
		   int decimals)
{
	text_add(text, "\"%s\":", key);
	text_fixed(text, value, decimals);
}

static void flag(struct text *text, const char *key, bool value)
{
	text_add(text, "\"%s\":%s", key, value ? "true" : "false");
}

static void begin(struct text *text, const char *type,
		  const struct message_head *head, const char *frame)
{
	text_add(text,
		 "{\"schema\":\"" SCHEMA "\",\"type\":\"%s\",\"seq\":%" PRIu32
		 ",\"source\":\"sim\",\"header\":{\"stamp\":{\"sec\":%" PRId64
		 ",\"nanosec\":%" PRId64 "},\"frame_id\":\"%s\"}",
		 type, head->seq, head->time / NSEC_PER_S,
		 head->time % NSEC_PER_S, frame);
}

/* "key":{"x":1.0000,"y":0.0000,"z":0.0} */
static void vector(struct text *text, const char *key, double x, double y)
{
	text_add(text, "\"%s\":{", key);
	number(text, "x", x, 4);
	text_add(text, ",");
	number(text, "y", y, 4);
	text_add(text, ",\"z\":0.0}");
}

static void motion(struct text *text, const struct message_motion *m)
{
	double yaw = motion_wrap(m->pose.yaw);

	text_add(text, ",\"child_frame_id\":\"base_link\",\"pose\":{");
	vector(text, "position", m->pose.x, m->pose.y);
	text_add(text, ",\"orientation\":{\"x\":0.0,\"y\":0.0,");
	number(text, "z", sin(yaw / 2.0), 9);
	text_add(text, ",");
	number(text, "w", cos(yaw / 2.0), 9);
	text_add(text, "},");
	number(text, "yaw", yaw, 6);
	text_add(text, "},\"twist\":{");
	vector(text, "linear", m->twist.vx, m->twist.vy);
	text_add(text, ",\"angular\":{\"x\":0.0,\"y\":0.0,");
	number(text, "z", m->twist.wz, 4);
	text_add(text, "}}");
}

size_t message_odom(char *out, size_t size, const struct message_head *head,
		    const struct message_motion *m)
{
	struct text text;

	text_init(&text, out, size);
	begin(&text, "odom", head, "odom");
	motion(&text, m);
	text_add(&text, "}");
	return done(&text);
}

/* Where the odom frame lies in the map frame. */
static void origin(struct text *text, const struct pose *pose)
{
	text_add(text, ",\"odom_origin\":{");
	number(text, "x", pose->x, 4);
	text_add(text, ",");
	number(text, "y", pose->y, 4);
	text_add(text, ",");
	number(text, "yaw", motion_wrap(pose->yaw), 6);
	text_add(text, "}");
}

size_t message_truth(char *out, size_t size, const struct message_head *head,
		     const struct message_motion *m)
{
	struct text text;

	text_init(&text, out, size);
	begin(&text, "truth", head, "map");
	motion(&text, m);
	origin(&text, &m->origin);
	text_add(&text, "}");
	return done(&text);
}

static void twist(struct text *text, const char *key, const struct twist *t)
{
	text_add(text, ",\"%s\":{", key);
	number(text, "vx", t->vx, 4);
	text_add(text, ",");
	number(text, "vy", t->vy, 4);
	text_add(text, ",");
	number(text, "wz", t->wz, 4);
	text_add(text, "}");
}

static void command(struct text *text, const struct message_state *s)
{
	bool received = s->age >= 0;

	text_add(text, ",\"cmd\":{");
	flag(text, "received", received);
	text_add(text,
		 ",\"count\":%" PRIu64 ",\"rejected\":%" PRIu64
		 ",\"overflow\":%" PRIu64 ",\"ignored\":%" PRIu64
		 ",\"age_ms\":%" PRId64 ",",
		 s->accepted, s->rejected, s->overflow, s->ignored,
		 received ? s->age / NSEC_PER_MS : -1);
	flag(text, "timed_out", s->timed_out);
	twist(text, "requested", &s->requested);
	twist(text, "limited", &s->limited);
	twist(text, "realised", &s->realised);
	text_add(text, "}");
}

static void actuation(struct text *text, const struct message_state *s)
{
	text_add(text, ",\"actuation\":{\"name\":[");
	for (unsigned i = 0; i < s->model->n_wheels; i++)
		text_add(text, "%s\"%s\"", i ? "," : "", s->model->wheels[i]);
	text_add(text, "],\"velocity\":[");
	for (unsigned i = 0; i < s->model->n_wheels; i++) {
		text_add(text, "%s", i ? "," : "");
		text_fixed(text, s->drive.wheel[i] / s->radius, 4);
	}
	text_add(text, "],");
	number(text, "steering_angle", s->drive.steering, 4);
	text_add(text, ",");
	flag(text, "saturated", s->saturated);
	text_add(text, "}");
}

size_t message_state(char *out, size_t size, const struct message_head *head,
		     const struct message_state *s)
{
	struct text text;

	text_init(&text, out, size);
	begin(&text, "state", head, "odom");
	text_add(&text, ",\"vehicle\":{\"model\":\"%s\",\"preset\":\"%s\"}",
		 s->model->name, s->preset);
	motion(&text, &s->motion);
	origin(&text, &s->motion.origin);
	command(&text, s);
	actuation(&text, s);
	text_add(&text, ",\"flags\":{");
	flag(&text, "moving", !motion_is_still(&s->realised));
	text_add(&text, ",");
	flag(&text, "stalled", s->stalled);
	text_add(&text, "},\"tick\":{");
	number(&text, "dt", (double)s->step / (double)NSEC_PER_S, 6);
	text_add(&text, ",\"k\":%" PRIu64 "}}", s->steps);
	return done(&text);
}

static void ranges(struct text *text, const double *range, size_t n)
{
	text_add(text, "\"ranges\":[");
	for (size_t i = 0; i < n; i++) {
		text_add(text, "%s", i ? "," : "");
		text_fixed(text, range[i], 3);
	}
	text_add(text, "]");
}

size_t message_scan(char *out, size_t size, const struct message_head *head,
		    const struct message_scan *scan)
{
	const struct vehicle_settings *s = scan->settings;
	double step = sensor_step(s);
	size_t each = (scan->n + scan->parts - 1) / scan->parts;
	size_t offset = each * scan->part;
	size_t n = scan->n - offset < each ? scan->n - offset : each;
	struct text text;

	text_init(&text, out, size);
	begin(&text, "scan", head, "laser");
	text_add(&text, ",");
	number(&text, "angle_min", s->scan_from, 8);
	text_add(&text, ",");
	number(&text, "angle_max", s->scan_from + step * (double)(scan->n - 1),
	       8);
	text_add(&text, ",");
	number(&text, "angle_increment", step, 8);
	text_add(&text, ",\"time_increment\":0.0,");
	number(&text, "scan_time", (double)s->scan_every / (double)NSEC_PER_S,
	       6);
	text_add(&text, ",");
	number(&text, "range_min", s->scan_min, 3);
	text_add(&text, ",");
	number(&text, "range_max", s->scan_max, 3);
	text_add(&text,
		 ",\"n\":%zu,\"no_return\":0.0,\"too_close\":%zu,\"part\":%zu,"
		 "\"parts\":%zu,\"offset\":%zu,",
		 scan->n, scan->too_close, scan->part, scan->parts, offset);
	ranges(&text, scan->ranges + offset, n);
	text_add(&text, "}");
	return done(&text);
}

size_t message_range(char *out, size_t size, const struct message_head *head,
		     const struct sensor *sensor)
{
	struct text text;

	text_init(&text, out, size);
	begin(&text, "range", head, "base_link");
	text_add(&text, ",\"no_return\":0.0,\"sensors\":[");
	for (size_t i = 0; i < sensor->n_rangers; i++) {
		const struct ranger *r = &sensor->ranger[i];

		text_add(&text, "%s{", i ? "," : "");
		number(&text, "yaw", r->yaw, 4);
		text_add(&text, ",");
		number(&text, "field_of_view", r->fov, 4);
		text_add(&text, ",");
		number(&text, "min_range", r->lo, 3);
		text_add(&text, ",");
		number(&text, "max_range", r->hi, 3);
		text_add(&text, "}");
	}
	text_add(&text, "],");
	ranges(&text, sensor->range, sensor->n_rangers);
	text_add(&text, "}");
	return done(&text);
}

size_t message_lidar(char *out, size_t size, const struct message_scan *scan)
{
	struct text text;

	text_init(&text, out, size);
	text_add(&text, "{");
	number(&text, "angle_min", scan->settings->scan_from, 8);
	text_add(&text, ",");
	number(&text, "angle_increment", sensor_step(scan->settings), 8);
	text_add(&text, ",");
	ranges(&text, scan->ranges, scan->n);
	text_add(&text, "}");
	return done(&text);
}

size_t message_wifi(char *out, size_t size, const struct message_wifi *sample)
{
	struct text text;

	text_init(&text, out, size);
	text_add(&text, "{\"type\":\"sample\",");
	number(&text, "t", (double)sample->time / (double)NSEC_PER_S, 3);
	text_add(&text,
		 ",\"ssid\":\"%s\",\"bssid\":\"02:00:00:00:00:01\",\"rssi\":",
		 sample->ssid);
	text_fixed(&text, sample->rssi, 0);
	text_add(&text, ",");
	number(&text, "x", sample->pose.x, 4);
	text_add(&text, ",");
	number(&text, "y", sample->pose.y, 4);
	text_add(&text,
		 ",\"k\":%" PRIu32
		 ",\"map_origin_x\":0.0,\"map_origin_y\":0.0}",
		 sample->k);
	return done(&text);
}
