/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * instrument.c - what the programs of the bench share
 *
 * Floor: tests.
 */
#include "tests/bench/instrument.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define BUFFER_BYTES (8 << 20)
#define SAMPLES_MOST 20000000

_Noreturn void bench_die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

int64_t bench_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t bench_wall_ahead(void)
{
	return read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC);
}

int64_t bench_number(const char *text, int64_t lo, int64_t hi)
{
	char *end;
	int64_t number;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (end != text && !*end && !errno && number >= lo && number <= hi)
		return number;
	fprintf(stderr, "bench: %s: not from %" PRId64 " to %" PRId64 "\n",
		text, lo, hi);
	exit(2);
}

static void set_buffer(int fd, int by_force, int plain)
{
	const int bytes = BUFFER_BYTES;

	if (setsockopt(fd, SOL_SOCKET, by_force, &bytes, sizeof(bytes)))
		(void)setsockopt(fd, SOL_SOCKET, plain, &bytes, sizeof(bytes));
}

int bench_socket(uint16_t port)
{
	const struct sockaddr_in at = { .sin_family = AF_INET,
					.sin_port = htons(port),
					.sin_addr = {
						htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (const struct sockaddr *)&at, sizeof(at)))
		bench_die("a socket");
	set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF);
	set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF);
	return fd;
}

void bench_sample(struct quantiles *quantiles, int64_t sample)
{
	if (quantiles->n == quantiles->room) {
		size_t room = quantiles->room ? 2 * quantiles->room : 65536;

		if (room > SAMPLES_MOST)
			return;
		quantiles->sample =
			realloc(quantiles->sample, room * sizeof(sample));
		if (!quantiles->sample)
			bench_die("memory");
		quantiles->room = room;
	}
	quantiles->sample[quantiles->n++] = sample;
}

static int order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void bench_print(struct quantiles *quantiles, const char *name)
{
	static const struct {
		const char *name;
		double at;
	} point[] = {
		{ "p50", 0.5 }, { "p99", 0.99 }, { "p999", 0.999 }, { "max", 1 }
	};
	size_t n = quantiles->n;

	if (n)
		qsort(quantiles->sample, n, sizeof(*quantiles->sample), order);
	for (size_t i = 0; i < sizeof(point) / sizeof(point[0]); i++) {
		size_t at = (size_t)((double)n * point[i].at);

		if (at >= n && n)
			at = n - 1;
		printf(", \"%s_%s\": %" PRId64, name, point[i].name,
		       n ? quantiles->sample[at] : 0);
	}
}
