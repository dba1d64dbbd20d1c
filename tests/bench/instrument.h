/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * instrument.h - what the programs of the bench share
 *
 * Floor: tests.
 */
#ifndef TESTS_BENCH_INSTRUMENT_H
#define TESTS_BENCH_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SECOND	     INT64_C(1000000000)
#define CHANNELS_MAX 64
#define PAYLOAD_MOST 65507u
/* What every kernel that can do it joins in one message. */
#define SEGMENTS_MAX 64u

/**
 * bench_die() - End with what went wrong
 * @what:	What was being done; errno tells the rest
 */
_Noreturn void bench_die(const char *what);

/**
 * bench_now() - Read the monotonic clock
 *
 * Return: ns.
 */
int64_t bench_now(void);

/**
 * bench_wall_ahead() - How far the wall clock is ahead of the monotonic one
 *
 * Return: ns.
 */
int64_t bench_wall_ahead(void);

/**
 * bench_number() - Read an option's whole number, or end
 * @text:	Text
 * @lo:		Least
 * @hi:		Most
 *
 * Return: the number.
 */
int64_t bench_number(const char *text, int64_t lo, int64_t hi);

/**
 * bench_socket() - Open a socket on 127.0.0.1, with large buffers
 * @port:	Port; 0: any
 *
 * Return: the descriptor.
 */
int bench_socket(uint16_t port);

/**
 * struct quantiles - Samples, kept whole
 * @sample:	Samples; @n of @room
 */
struct quantiles {
	int64_t *sample;
	size_t n, room;
};

/**
 * bench_sample() - Add a sample; once there is no room, none is added
 * @quantiles:	Where
 * @sample:	Sample
 */
void bench_sample(struct quantiles *quantiles, int64_t sample);

/**
 * bench_print() - Print p50, p99, p99.9 and most as members of a JSON object
 * @quantiles:	Samples; they are sorted
 * @name:	What they are
 */
void bench_print(struct quantiles *quantiles, const char *name);

#endif /* TESTS_BENCH_INSTRUMENT_H */
