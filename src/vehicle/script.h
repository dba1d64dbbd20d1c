/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * script.h - stands in for the headset: a drive script as datagrams
 *
 * Floor: vehicle.
 *
 * Behaves as the reference app's sender: a burst of stops at the start, then
 * the speeds of the script at a fixed rate, then a burst of stops.  The script
 * is CSV with the header "time,vx,vy,wz": seconds, m/s, m/s, rad/s.  A line
 * holds from its time to that of the next; the time of the last line is the
 * end, and its speeds count for nothing.
 */
#ifndef VEHICLE_SCRIPT_H
#define VEHICLE_SCRIPT_H

#include "conditions/condition.h"

/* What is sent while all speeds are zero. */
enum script_idle { SCRIPT_IDLE_ZEROS, SCRIPT_IDLE_SILENCE };

/**
 * struct script_settings - How it sends
 * @rate_mhz:	Datagrams in 1000 seconds; 1000 to 60000
 * @idle:	What is sent while all speeds are zero
 * @start_stops: Stops at the start
 * @end_stops:	Stops at the end
 */
struct script_settings {
	int64_t rate_mhz;
	enum script_idle idle;
	unsigned start_stops, end_stops;
};

/* As the reference app has it: 10 Hz, zeros, 10 stops, 5 stops. */
extern const struct script_settings script_default;

/* Room for one datagram, with the zero byte behind it. */
#define SCRIPT_ROOM 96

/**
 * struct script_datagram - One datagram
 * @time:	When it is sent
 * @bytes:	Its text
 * @len:	Length of it
 */
struct script_datagram {
	nsec time;
	char bytes[SCRIPT_ROOM];
	size_t len;
};

struct script;

/**
 * script_new() - Read a script
 * @csv:	Text
 * @len:	Its length
 * @settings:	How to send
 * @why:	Filled with what is wrong
 * @size:	Of @why
 *
 * Return: the script, before its first datagram, or NULL.
 */
struct script *script_new(const char *csv, size_t len,
			  const struct script_settings *settings, char *why,
			  size_t size);

/**
 * script_reset() - Begin again
 * @op:	Operator
 */
void script_reset(struct script *op);

/**
 * script_next() - When the next datagram is sent
 * @op:	Operator
 *
 * Return: a time, or NSEC_NEVER once all are sent.
 */
nsec script_next(const struct script *op);

/**
 * script_take() - Take the next datagram
 * @op:	Operator
 * @now:	Time that is reached
 * @datagram:	Set
 *
 * Return: false if none is sent by that time.
 */
bool script_take(struct script *op, nsec now, struct script_datagram *datagram);

/**
 * script_print() - Write one command as the reference app writes it
 * @bytes:	Room of SCRIPT_ROOM
 * @vx:		m/s
 * @vy:		m/s
 * @wz:		rad/s
 *
 * For example {"vx":0.1500,"vy":0.0000,"wz":0.3200}.
 *
 * Return: length.
 */
size_t script_print(char *bytes, double vx, double vy, double wz);

/**
 * script_free() - Free a script
 * @op:	Operator, or NULL
 */
void script_free(struct script *op);

#endif /* VEHICLE_SCRIPT_H */
