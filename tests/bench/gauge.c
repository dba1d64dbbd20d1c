/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gauge.c - a sender and a sink on 127.0.0.1, and what lies between them
 *
 * Floor: tests.
 *
 *     gauge --to PORT --at PORT [--channels N] [--size BYTES] [--rate PPS]
 *           [--batch N] [--join N] [--for MS] [--wait MS] [--expect NS]
 *
 * Channel i goes from PORT + i of --to to PORT + i of --at.  A rate of 0 is
 * flat out; else each batch has its time.  Prints one JSON object: what was
 * sent and received, over which time, and with --expect the quantiles of how
 * far each was from that delay, by the kernel's stamp at the sink.
 *
 * How it works: each payload begins with a run's id, a number and the time of
 * sending.  The sink is a thread; it ends after --wait ms without a datagram
 * once all was sent.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/instrument.h"

#define BATCH_MAX 64u
#define ROOM	  65536u

struct mark {
	uint64_t run, number;
	int64_t sent;
};

static struct {
	uint16_t to, at;
	unsigned channels, size, batch, join;
	int64_t rate, span, wait, expect;
} plan = { .channels = 1,
	   .size = 300,
	   .batch = 1,
	   .join = 1,
	   .rate = 1000,
	   .span = SECOND,
	   .wait = SECOND / 2,
	   .expect = -1 };

static struct {
	uint64_t run, sent, refused, received, joined;
	int64_t begun, ended, first, last;
	atomic_bool over;
	int sink[CHANNELS_MAX];
	struct quantiles off;
} found;

/* ---- the sink */

static uint8_t (*room)[ROOM + 448];

static void take(const uint8_t *bytes, size_t size, int64_t when)
{
	struct mark mark;

	if (size < sizeof(mark))
		return;
	memcpy(&mark, bytes, sizeof(mark));
	if (mark.run != found.run)
		return;
	found.received++;
	if (plan.expect >= 0)
		bench_sample(&found.off, when - mark.sent - plan.expect);
}

static void take_message(const uint8_t *bytes, size_t size,
			 struct msghdr *header, int64_t ahead)
{
	int64_t when = 0;
	int each = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c;
	     c = CMSG_NXTHDR(header, c)) {
		struct timespec stamp;

		if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO)
			memcpy(&each, CMSG_DATA(c), sizeof(each));
		if (c->cmsg_level != SOL_SOCKET ||
		    c->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&stamp, CMSG_DATA(c), sizeof(stamp));
		when = (int64_t)stamp.tv_sec * SECOND + stamp.tv_nsec - ahead;
	}
	if (each && (size_t)each < size)
		found.joined++;
	while (each && (size_t)each < size) {
		take(bytes, (size_t)each, when);
		bytes += each;
		size -= (size_t)each;
	}
	take(bytes, size, when);
}

/* Returns whether there was anything. */
static bool drain(int fd)
{
	static struct mmsghdr message[BATCH_MAX];
	static struct iovec vector[BATCH_MAX];
	static _Alignas(struct cmsghdr) char control[BATCH_MAX][128];
	int64_t ahead;
	int n;

	for (unsigned i = 0; i < BATCH_MAX; i++) {
		vector[i] = (struct iovec){ room[i], ROOM };
		message[i].msg_hdr =
			(struct msghdr){ .msg_iov = &vector[i],
					 .msg_iovlen = 1,
					 .msg_control = control[i],
					 .msg_controllen = sizeof(control[i]) };
	}
	n = recvmmsg(fd, message, BATCH_MAX, MSG_DONTWAIT, NULL);
	if (n <= 0)
		return false;
	ahead = bench_wall_ahead();
	found.last = bench_now();
	if (!found.first)
		found.first = found.last;
	for (int i = 0; i < n; i++)
		take_message(room[i], message[i].msg_len, &message[i].msg_hdr,
			     ahead);
	return true;
}

static void *sink(void *context)
{
	struct pollfd ready[CHANNELS_MAX];
	int64_t quiet = 0;

	for (unsigned i = 0; i < plan.channels; i++)
		ready[i] = (struct pollfd){ found.sink[i], POLLIN, 0 };
	while (!atomic_load(&found.over) || quiet < plan.wait) {
		int n = poll(ready, plan.channels, 20);

		quiet = n > 0 || !atomic_load(&found.over)
				? 0
				: quiet + 20 * (SECOND / 1000);
		for (unsigned i = 0; i < plan.channels && n > 0; i++)
			if (ready[i].revents)
				drain(found.sink[i]);
	}
	return context;
}

/* ---- the sender */

struct batch {
	struct mmsghdr message[BATCH_MAX];
	struct iovec vector[BATCH_MAX];
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(uint16_t))];
	struct sockaddr_in to[CHANNELS_MAX];
	uint8_t *payload; /* @batch messages of @join datagrams each */
};

static void prepare(struct batch *batch)
{
	const uint16_t size = (uint16_t)plan.size;
	struct cmsghdr *control = (struct cmsghdr *)(void *)batch->control;
	size_t bytes = (size_t)plan.size * plan.join;

	batch->payload = calloc(plan.batch, bytes);
	if (!batch->payload)
		bench_die("memory");
	*control = (struct cmsghdr){ .cmsg_level = SOL_UDP,
				     .cmsg_type = UDP_SEGMENT,
				     .cmsg_len = CMSG_LEN(sizeof(size)) };
	memcpy(CMSG_DATA(control), &size, sizeof(size));
	for (unsigned i = 0; i < plan.channels; i++)
		batch->to[i] = (struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_port = htons((uint16_t)(plan.to + i)),
			.sin_addr = { htonl(INADDR_LOOPBACK) }
		};
	for (unsigned i = 0; i < plan.batch; i++) {
		batch->vector[i] =
			(struct iovec){ batch->payload + i * bytes, bytes };
		batch->message[i].msg_hdr =
			(struct msghdr){ .msg_namelen = sizeof(batch->to[0]),
					 .msg_iov = &batch->vector[i],
					 .msg_iovlen = 1 };
		if (plan.join > 1) {
			batch->message[i].msg_hdr.msg_control = batch->control;
			batch->message[i].msg_hdr.msg_controllen =
				sizeof(batch->control);
		}
	}
}

/* One batch, all of it to one channel. */
static void send_batch(int fd, struct batch *batch, unsigned channel)
{
	struct mark mark = { .run = found.run, .sent = bench_now() };
	unsigned at = 0;

	for (unsigned i = 0; i < plan.batch; i++) {
		batch->message[i].msg_hdr.msg_name = &batch->to[channel];
		for (unsigned j = 0; j < plan.join; j++) {
			mark.number = found.sent + i * plan.join + j;
			memcpy(batch->payload +
				       (size_t)(i * plan.join + j) * plan.size,
			       &mark, sizeof(mark));
		}
	}
	while (at < plan.batch) {
		int n = sendmmsg(fd, batch->message + at, plan.batch - at, 0);

		if (n > 0) {
			at += (unsigned)n;
			continue;
		}
		if (errno != ECONNREFUSED && errno != ENOBUFS)
			bench_die("sending");
		found.refused += plan.join;
		at++;
	}
	found.sent += (uint64_t)plan.batch * plan.join;
}

static void sleep_until(int64_t when)
{
	const struct timespec at = { when / SECOND, when % SECOND };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) ==
	       EINTR)
		;
}

static void send_all(void)
{
	struct batch batch;
	int fd = bench_socket(0);
	int64_t each = (int64_t)plan.batch * plan.join * SECOND, now;
	unsigned channel = 0;

	memset(&batch, 0, sizeof(batch));
	prepare(&batch);
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	found.begun = bench_now();
	for (int64_t i = 0;; i++) {
		if (plan.rate) {
			now = found.begun + i * each / plan.rate;
			sleep_until(now);
		} else {
			now = bench_now();
		}
		if (now - found.begun >= plan.span)
			break;
		send_batch(fd, &batch, channel);
		channel = (channel + 1) % plan.channels;
	}
	found.ended = bench_now();
	free(batch.payload);
	close(fd);
}

/* ---- the whole */

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "to", required_argument, NULL, 't' },
		{ "at", required_argument, NULL, 'a' },
		{ "channels", required_argument, NULL, 'c' },
		{ "size", required_argument, NULL, 's' },
		{ "rate", required_argument, NULL, 'r' },
		{ "batch", required_argument, NULL, 'b' },
		{ "join", required_argument, NULL, 'j' },
		{ "for", required_argument, NULL, 'f' },
		{ "wait", required_argument, NULL, 'w' },
		{ "expect", required_argument, NULL, 'e' },
		{ 0 },
	};
	int64_t value;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			exit(2);
		value = bench_number(optarg, 0, INT64_MAX / SECOND);
		switch (option) {
		case 't':
			plan.to = (uint16_t)value;
			break;
		case 'a':
			plan.at = (uint16_t)value;
			break;
		case 'c':
			plan.channels = (unsigned)value;
			break;
		case 's':
			plan.size = (unsigned)value;
			break;
		case 'r':
			plan.rate = value;
			break;
		case 'b':
			plan.batch = (unsigned)value;
			break;
		case 'j':
			plan.join = (unsigned)value;
			break;
		case 'f':
			plan.span = value * (SECOND / 1000);
			break;
		case 'w':
			plan.wait = value * (SECOND / 1000);
			break;
		default:
			plan.expect = value;
			break;
		}
	}
	if (plan.to && plan.at && plan.channels - 1 < CHANNELS_MAX &&
	    plan.batch - 1 < BATCH_MAX && plan.join - 1 < SEGMENTS_MAX &&
	    plan.size >= sizeof(struct mark) &&
	    plan.size <= PAYLOAD_MOST / plan.join)
		return;
	fprintf(stderr, "gauge: see the comment on top of gauge.c\n");
	exit(2);
}

int main(int argc, char **argv)
{
	const int on = 1;
	pthread_t thread;

	read_options(argc, argv);
	found.run = (uint64_t)bench_now() ^ (uint64_t)getpid() << 40;
	room = calloc(BATCH_MAX, sizeof(*room));
	if (!room)
		bench_die("memory");
	for (unsigned i = 0; i < plan.channels; i++) {
		int fd = bench_socket((uint16_t)(plan.at + i));

		(void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on,
				 sizeof(on));
		if (plan.expect < 0)
			(void)setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof(on));
		found.sink[i] = fd;
	}
	if (pthread_create(&thread, NULL, sink, NULL))
		bench_die("a thread");
	send_all();
	atomic_store(&found.over, true);
	pthread_join(thread, NULL);
	printf("{\"sent\": %" PRIu64 ", \"refused\": %" PRIu64
	       ", \"received\": %" PRIu64 ", \"joined\": %" PRIu64
	       ", \"send_ns\": %" PRId64 ", \"receive_ns\": %" PRId64,
	       found.sent, found.refused, found.received, found.joined,
	       found.ended - found.begun, found.last - found.first);
	if (plan.expect >= 0)
		bench_print(&found.off, "off");
	printf("}\n");
	return 0;
}
