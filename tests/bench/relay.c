/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * relay.c - a bare relay: the least that passing datagrams on can cost
 *
 * Floor: tests.
 *
 *     relay --at PORT --to PORT [--channels N] [--delay NS] [--heap] [--join]
 *           [--realtime PRIORITY] [--lock-memory] [--cpu N] [--spin NS]
 *
 * Channel i goes from PORT + i of --at to PORT + i of --to.  Reads and sends
 * 32 at a time; with --join what the kernel joined stays joined.  With --delay
 * each waits in a ring (constant delays are in order), or with --heap in a
 * binary heap, from the kernel's stamp on.  On SIGTERM prints one JSON object:
 * how many passed, and how late they left.
 *
 * How it works: no settings, no channels, no record, no counts; what farlink
 * costs beyond this is the price of what farlink does.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/instrument.h"

#define BATCH	   32u
#define ROOM	   (65536u + 448u)
#define WAITING	   (1u << 20) /* a power of two */
#define LATE_ASIDE 10	      /* the first are not counted: caches are cold */

struct waiting {
	int64_t due;
	uint8_t *bytes;
	uint32_t size;
	uint32_t channel;
};

static struct {
	uint16_t at, to;
	unsigned channels;
	bool delayed, heap, join, lock;
	int64_t delay, spin;
	int priority, cpu;
} plan = { .channels = 1, .cpu = -1 };

static struct {
	uint8_t (*room)[ROOM];
	struct mmsghdr message[BATCH];
	struct iovec vector[BATCH];
	_Alignas(struct cmsghdr) char control[BATCH][128];
} in;

static struct {
	struct mmsghdr message[BATCH];
	struct iovec vector[BATCH][SEGMENTS_MAX];
	_Alignas(struct cmsghdr) char control[BATCH][CMSG_SPACE(2)];
	struct waiting first[BATCH];
} out;

static int fd[CHANNELS_MAX], timer;
static struct sockaddr_in to[CHANNELS_MAX];
static struct waiting *waiting;
static size_t head, tail; /* of the ring; of the heap, tail is its size */
static uint64_t passed;
static struct quantiles late;
static volatile sig_atomic_t over;

static void stop(int number)
{
	(void)number;
	over = 1;
}

/* ---- what waits */

static void put(struct waiting one)
{
	size_t at = tail++;

	if (!plan.heap) {
		waiting[at % WAITING] = one;
		return;
	}
	while (at && one.due < waiting[(at - 1) / 2].due) {
		waiting[at] = waiting[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	waiting[at] = one;
}

static struct waiting take(void)
{
	struct waiting one, last;
	size_t at = 0, below;

	if (!plan.heap)
		return waiting[head++ % WAITING];
	one = waiting[0];
	last = waiting[--tail];
	while ((below = 2 * at + 1) < tail) {
		if (below + 1 < tail &&
		    waiting[below + 1].due < waiting[below].due)
			below++;
		if (waiting[below].due >= last.due)
			break;
		waiting[at] = waiting[below];
		at = below;
	}
	waiting[at] = last;
	return one;
}

static bool is_empty(void)
{
	return plan.heap ? !tail : head == tail;
}

static int64_t next_due(void)
{
	if (is_empty())
		return INT64_MAX;
	return waiting[plan.heap ? 0 : head % WAITING].due;
}

/* ---- what leaves */

static void set_segment(struct msghdr *header, char *room, uint16_t size)
{
	struct cmsghdr *control = (struct cmsghdr *)(void *)room;

	*control = (struct cmsghdr){ .cmsg_level = SOL_UDP,
				     .cmsg_type = UDP_SEGMENT,
				     .cmsg_len = CMSG_LEN(sizeof(size)) };
	memcpy(CMSG_DATA(control), &size, sizeof(size));
	header->msg_control = room;
	header->msg_controllen = CMSG_SPACE(sizeof(size));
}

static void post(unsigned n, unsigned channel)
{
	unsigned at = 0;

	while (at < n) {
		int sent = sendmmsg(fd[channel], out.message + at, n - at, 0);

		at += sent > 0 ? (unsigned)sent : 1; /* it is lost */
	}
}

/* Add one to the messages in hand.  Returns whether it fits. */
static bool add(const struct waiting *one, unsigned *n)
{
	struct msghdr *last = *n ? &out.message[*n - 1].msg_hdr : NULL;
	const struct waiting *first = *n ? &out.first[*n - 1] : NULL;

	if (first && first->channel != one->channel)
		return false;
	if (plan.join && last && last->msg_iovlen < SEGMENTS_MAX &&
	    first->size == one->size &&
	    (last->msg_iovlen + 1) * one->size <= PAYLOAD_MOST) {
		set_segment(last, out.control[*n - 1], (uint16_t)one->size);
		last->msg_iov[last->msg_iovlen++] =
			(struct iovec){ one->bytes, one->size };
		return true;
	}
	if (*n == BATCH)
		return false;
	out.vector[*n][0] = (struct iovec){ one->bytes, one->size };
	out.message[*n].msg_hdr =
		(struct msghdr){ .msg_name = &to[one->channel],
				 .msg_namelen = sizeof(to[0]),
				 .msg_iov = out.vector[*n],
				 .msg_iovlen = 1 };
	out.first[(*n)++] = *one;
	return true;
}

static void release(void)
{
	static struct waiting gone[BATCH * SEGMENTS_MAX];
	int64_t now = bench_now();
	unsigned n = 0, n_gone = 0;

	while (next_due() <= now || n_gone) {
		struct waiting one;

		if (next_due() <= now) {
			one = waiting[plan.heap ? 0 : head % WAITING];
			if (add(&one, &n)) {
				gone[n_gone++] = take();
				continue;
			}
		}
		post(n, gone[0].channel);
		now = bench_now();
		for (unsigned i = 0; i < n_gone; i++) {
			if (passed++ >= LATE_ASIDE)
				bench_sample(&late, now - gone[i].due);
			free(gone[i].bytes);
		}
		n = n_gone = 0;
	}
}

/* ---- what comes in */

static int64_t read_control(struct msghdr *header, int64_t ahead, int *each)
{
	int64_t when = 0;

	*each = 0;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c;
	     c = CMSG_NXTHDR(header, c)) {
		struct timespec stamp;

		if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO)
			memcpy(each, CMSG_DATA(c), sizeof(*each));
		if (c->cmsg_level != SOL_SOCKET ||
		    c->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&stamp, CMSG_DATA(c), sizeof(stamp));
		when = (int64_t)stamp.tv_sec * SECOND + stamp.tv_nsec - ahead;
	}
	return when;
}

static void keep(const uint8_t *bytes, uint32_t size, unsigned channel,
		 int64_t when)
{
	struct waiting one = { when + plan.delay, malloc(size ? size : 1), size,
			       channel };

	if (!one.bytes)
		bench_die("memory");
	memcpy(one.bytes, bytes, size);
	if ((plan.heap ? tail : tail - head) == WAITING)
		free(one.bytes);
	else
		put(one);
}

static void pass_at_once(unsigned n, unsigned channel)
{
	for (unsigned i = 0; i < n; i++) {
		int each;

		(void)read_control(&in.message[i].msg_hdr, 0, &each);
		out.vector[i][0] =
			(struct iovec){ in.room[i], in.message[i].msg_len };
		out.message[i].msg_hdr =
			(struct msghdr){ .msg_name = &to[channel],
					 .msg_namelen = sizeof(to[0]),
					 .msg_iov = out.vector[i],
					 .msg_iovlen = 1 };
		if (each && (unsigned)each < in.message[i].msg_len)
			set_segment(&out.message[i].msg_hdr, out.control[i],
				    (uint16_t)each);
	}
	post(n, channel);
	passed += n;
}

static void keep_all(unsigned n, unsigned channel)
{
	int64_t ahead = bench_wall_ahead();

	for (unsigned i = 0; i < n; i++) {
		uint32_t left = in.message[i].msg_len, size;
		const uint8_t *bytes = in.room[i];
		int each;
		int64_t when =
			read_control(&in.message[i].msg_hdr, ahead, &each);

		do {
			size = each && (uint32_t)each < left ? (uint32_t)each
							     : left;
			keep(bytes, size, channel, when);
			bytes += size;
			left -= size;
		} while (left);
	}
}

static void receive(unsigned channel)
{
	int n;

	for (int turn = 0; turn < 8; turn++) {
		for (unsigned i = 0; i < BATCH; i++) {
			in.vector[i] = (struct iovec){ in.room[i], 65536 };
			in.message[i].msg_hdr = (struct msghdr){
				.msg_iov = &in.vector[i],
				.msg_iovlen = 1,
				.msg_control = in.control[i],
				.msg_controllen = sizeof(in.control[i])
			};
		}
		n = recvmmsg(fd[channel], in.message, BATCH, MSG_DONTWAIT,
			     NULL);
		if (n <= 0)
			return;
		if (plan.delayed)
			keep_all((unsigned)n, channel);
		else
			pass_at_once((unsigned)n, channel);
		if ((unsigned)n < BATCH)
			return;
	}
}

/* ---- the whole */

static void arm_timer(void)
{
	static int64_t armed = INT64_MAX;
	int64_t when = next_due();
	struct itimerspec at = { 0 };

	if (when == armed)
		return;
	armed = when;
	if (when != INT64_MAX) {
		when -= plan.spin;
		at.it_value.tv_sec = when / SECOND;
		at.it_value.tv_nsec = when % SECOND;
	}
	timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void run(void)
{
	struct epoll_event ready[CHANNELS_MAX + 1];
	int poll = epoll_create1(EPOLL_CLOEXEC);
	uint64_t times;

	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	for (unsigned i = 0; i <= plan.channels; i++) {
		struct epoll_event event = { .events = EPOLLIN,
					     .data = { .u32 = i } };

		if (epoll_ctl(poll, EPOLL_CTL_ADD,
			      i == plan.channels ? timer : fd[i], &event))
			bench_die("epoll");
	}
	while (!over) {
		int n = epoll_wait(poll, ready, CHANNELS_MAX + 1, -1);

		for (int i = 0; i < n; i++) {
			if (ready[i].data.u32 == plan.channels)
				(void)!read(timer, &times, sizeof(times));
			else
				receive(ready[i].data.u32);
		}
		while (plan.spin && next_due() - bench_now() <= plan.spin &&
		       next_due() > bench_now())
			;
		release();
		arm_timer();
	}
}

static void be_precise(void)
{
	const struct sched_param param = { .sched_priority = plan.priority };
	cpu_set_t set;

	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	CPU_ZERO(&set);
	if (plan.cpu >= 0) {
		CPU_SET((unsigned)plan.cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			bench_die("--cpu");
	}
	if (plan.lock && mlockall(MCL_CURRENT))
		bench_die("--lock-memory");
	if (plan.priority && sched_setscheduler(0, SCHED_FIFO, &param))
		bench_die("--realtime");
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "at", required_argument, NULL, 'a' },
		{ "to", required_argument, NULL, 't' },
		{ "channels", required_argument, NULL, 'c' },
		{ "delay", required_argument, NULL, 'd' },
		{ "realtime", required_argument, NULL, 'r' },
		{ "cpu", required_argument, NULL, 'p' },
		{ "spin", required_argument, NULL, 's' },
		{ "heap", no_argument, NULL, 'h' },
		{ "join", no_argument, NULL, 'j' },
		{ "lock-memory", no_argument, NULL, 'l' },
		{ 0 },
	};
	int64_t value;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		value = optarg ? bench_number(optarg, 0, 3600 * SECOND) : 0;
		switch (option) {
		case 'a':
			plan.at = (uint16_t)value;
			break;
		case 't':
			plan.to = (uint16_t)value;
			break;
		case 'c':
			plan.channels = (unsigned)value;
			break;
		case 'r':
			plan.priority = (int)value;
			break;
		case 'p':
			plan.cpu = (int)value;
			break;
		case 's':
			plan.spin = value;
			break;
		case 'h':
			plan.heap = true;
			break;
		case 'j':
			plan.join = true;
			break;
		case 'l':
			plan.lock = true;
			break;
		case 'd':
			plan.delayed = true;
			plan.delay = value;
			break;
		default:
			exit(2);
		}
	}
	if (plan.at && plan.to && plan.channels - 1 < CHANNELS_MAX)
		return;
	fprintf(stderr, "relay: see the comment on top of relay.c\n");
	exit(2);
}

int main(int argc, char **argv)
{
	const int on = 1;

	read_options(argc, argv);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	in.room = calloc(BATCH, sizeof(*in.room));
	waiting = calloc(WAITING, sizeof(*waiting));
	if (!in.room || !waiting)
		bench_die("memory");
	for (unsigned i = 0; i < plan.channels; i++) {
		fd[i] = bench_socket((uint16_t)(plan.at + i));
		(void)setsockopt(fd[i], SOL_SOCKET, SO_TIMESTAMPNS, &on,
				 sizeof(on));
		if (plan.join)
			(void)setsockopt(fd[i], SOL_UDP, UDP_GRO, &on,
					 sizeof(on));
		to[i] = (struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_port = htons((uint16_t)(plan.to + i)),
			.sin_addr = { htonl(INADDR_LOOPBACK) }
		};
	}
	be_precise();
	printf("ready\n");
	fflush(stdout);
	run();
	printf("{\"passed\": %" PRIu64, passed);
	bench_print(&late, "late");
	printf("}\n");
	return 0;
}
