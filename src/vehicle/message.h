/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * message.h - what a vehicle publishes, written as datagrams
 *
 * Floor: vehicle.
 *
 * One JSON object each, with the names, units and frames of ROS: metres,
 * radians, seconds; yaw counter-clockwise.  No value is null or NaN and no
 * field is left out.  Stamps are trial time.
 *
 * Each function writes one datagram and returns its length, or 0 if it did not
 * fit, which with MESSAGE_MAX it always does.
 */
#ifndef VEHICLE_MESSAGE_H
#define VEHICLE_MESSAGE_H

#include "vehicle/command.h"
#include "vehicle/model.h"
#include "vehicle/sensor.h"

#define MESSAGE_MAX 32768

/* What one message is about. */
struct message_head {
	nsec time;
	uint32_t seq;
};

/**
 * struct message_motion - A pose and how it changes
 * @pose:	In the odom or map frame
 * @twist:	In the body's own frame
 * @origin:	Where the odom frame lies in the map frame
 */
struct message_motion {
	struct pose pose;
	struct twist twist;
	struct pose origin;
};

/**
 * struct message_state - The whole snapshot of a step
 * @motion:	By odometry
 * @model:	Drive model
 * @preset:	Name of the preset, or ""
 * @drive:	Wheels and steering
 * @radius:	Of the wheels
 * @requested:	As the last command asked
 * @limited:	As the limits let it be
 * @realised:	As the wheels do it
 * @age:	Of the last command that was accepted; negative before it
 * @accepted:	Commands that were applied
 * @rejected:	Payloads that were refused
 * @overflow:	Payloads that found the queue full
 * @ignored:	Commands of which a part could not be done
 * @timed_out:	Whether the last command is too old
 * @saturated:	Whether a wheel is at its limit
 * @stalled:	Whether an obstacle stops the body
 * @step:	Period of the steps
 * @steps:	How many there were
 */
struct message_state {
	struct message_motion motion;
	const struct model *model;
	const char *preset;
	struct drive drive;
	double radius;
	struct twist requested, limited, realised;
	nsec age;
	uint64_t accepted, rejected, overflow, ignored;
	bool timed_out, saturated, stalled;
	nsec step;
	uint64_t steps;
};

/**
 * struct message_scan - A scan, or a part of one
 * @settings:	Of the lidar
 * @ranges:	All ranges of the scan
 * @n:		How many
 * @too_close:	Beams below the least range
 * @part:	Which part
 * @parts:	Of how many
 */
struct message_scan {
	const struct vehicle_settings *settings;
	const double *ranges;
	size_t n;
	size_t too_close;
	size_t part, parts;
};

/* One sample of the reference app's Wi-Fi map. */
struct message_wifi {
	nsec time;
	const char *ssid;
	double rssi;
	struct pose pose;
	uint32_t k;
};

/**
 * message_odom() - Print what odometry believes
 * @out:	Room
 * @size:	Of it
 * @head:	Time and number
 * @motion:	By odometry
 *
 * Return: length.
 */
size_t message_odom(char *out, size_t size, const struct message_head *head,
		    const struct message_motion *motion);

/**
 * message_truth() - Print where the body truly is
 * @out:	Room
 * @size:	Of it
 * @head:	Time and number
 * @motion:	In the map frame
 *
 * Return: length.
 */
size_t message_truth(char *out, size_t size, const struct message_head *head,
		     const struct message_motion *motion);

/**
 * message_state() - Print the whole snapshot
 * @out:	Room
 * @size:	Of it
 * @head:	Time and number
 * @state:	Snapshot
 *
 * Return: length.
 */
size_t message_state(char *out, size_t size, const struct message_head *head,
		     const struct message_state *state);

/**
 * message_scan() - Print a scan, or a part of one
 * @out:	Room
 * @size:	Of it
 * @head:	Time and number
 * @scan:	Scan
 *
 * Return: length.
 */
size_t message_scan(char *out, size_t size, const struct message_head *head,
		    const struct message_scan *scan);

/**
 * message_range() - Print the readings of the range sensors
 * @out:	Room
 * @size:	Of it
 * @head:	Time and number
 * @sensor:	Sensors
 *
 * Return: length.
 */
size_t message_range(char *out, size_t size, const struct message_head *head,
		     const struct sensor *sensor);

/**
 * message_lidar() - Print a scan as the reference app reads it (port 5003)
 * @out:	Room
 * @size:	Of it
 * @scan:	Scan; whole
 *
 * Return: length.
 */
size_t message_lidar(char *out, size_t size, const struct message_scan *scan);

/**
 * message_wifi() - Print a sample as the reference app reads it (port 5007)
 * @out:	Room
 * @size:	Of it
 * @sample:	Sample
 *
 * Return: length.
 */
size_t message_wifi(char *out, size_t size, const struct message_wifi *sample);

#endif /* VEHICLE_MESSAGE_H */
