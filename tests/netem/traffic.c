/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * traffic.c - in the guest: one line's packets through netem on the loopback
 *
 * Floor: tests.
 *
 *     traffic NAME at-its-time|at-once TAIL-MS
 *
 * Reads NAME.plan (when, in ns, and how many bytes) and writes NAME.sent
 * (clock before and after the call), NAME.got (number, the kernel's stamp) in
 * order of arrival, and NAME.clock, every look at the clock: between two of
 * them the guest may have stood still.
 *
 * How it works: one process sends and receives, since the kernel stamps each
 * arrival and it does not matter when that is read.  A system call is what
 * costs most in user-mode Linux, so packets without a time of their own go many
 * at a time, and all are read so.
 */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define PACKETS_MAX  100000
#define SIZE_MAX_UDP 1472
#define AT_ONCE	     32
#define READ_EVERY   16
#define ROOM	     (8 << 20)
#define SECOND	     INT64_C(1000000000)
#define LOOKS_MAX    1000000
#define TICK	     (SECOND / 1000)

struct row {
	int64_t at, before, after;
	uint32_t size;
};

struct arrival {
	uint32_t number;
	int64_t stamp;
};

struct ends {
	int near, far;
	struct arrival *got;
	int64_t *looks;
	size_t n_got, n_looks;
};

static void die(const char *what)
{
	fprintf(stderr, "traffic: %s: %s\n", what, strerror(errno));
	exit(1);
}

static FILE *open_part(const char *name, const char *part, const char *how)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s.%s", name, part);
	file = fopen(path, how);
	if (!file)
		die(path);
	return file;
}

static int64_t look(struct ends *ends)
{
	struct timespec ts;
	int64_t now;

	clock_gettime(CLOCK_REALTIME, &ts); /* that of the kernel's stamps */
	now = ts.tv_sec * SECOND + ts.tv_nsec;
	if (ends->n_looks < LOOKS_MAX)
		ends->looks[ends->n_looks++] = now;
	return now;
}

/* Returns the time, not before @when. */
static int64_t wait_till(struct ends *ends, int64_t when)
{
	int64_t now = look(ends);

	while (now < when) {
		int64_t till = now + TICK < when ? now + TICK : when;
		struct timespec ts = { till / SECOND, till % SECOND };

		clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &ts, NULL);
		now = look(ends);
	}
	return now;
}

static size_t read_plan(const char *name, struct row *rows)
{
	FILE *file = open_part(name, "plan", "r");
	char text[64], *rest;
	size_t n = 0;

	while (n < PACKETS_MAX && fgets(text, sizeof(text), file)) {
		rows[n].at = strtoll(text, &rest, 10);
		rest += *rest == ',';
		rows[n].size = (uint32_t)strtoul(rest, NULL, 10);
		if (rows[n].size < sizeof(uint32_t) ||
		    rows[n].size > SIZE_MAX_UDP) {
			errno = ERANGE;
			die(name);
		}
		n++;
	}
	fclose(file);
	return n;
}

static void open_ends(struct ends *ends)
{
	struct sockaddr_in here = { .sin_family = AF_INET };
	socklen_t length = sizeof(here);
	int room = ROOM, on = 1;

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ends->near = socket(AF_INET, SOCK_DGRAM, 0);
	ends->far = socket(AF_INET, SOCK_DGRAM, 0);
	if (setsockopt(ends->far, SOL_SOCKET, SO_RCVBUFFORCE, &room,
		       sizeof(room)) ||
	    setsockopt(ends->far, SOL_SOCKET, SO_TIMESTAMPNS, &on,
		       sizeof(on)) ||
	    bind(ends->far, (struct sockaddr *)&here, sizeof(here)) ||
	    getsockname(ends->far, (struct sockaddr *)&here, &length) ||
	    connect(ends->near, (struct sockaddr *)&here, sizeof(here)))
		die("sockets");
	ends->got = calloc(2 * PACKETS_MAX, sizeof(*ends->got));
	ends->looks = calloc(LOOKS_MAX, sizeof(*ends->looks));
	if (!ends->got || !ends->looks)
		die("arrivals");
}

static int64_t stamp_of(struct msghdr *message)
{
	struct cmsghdr *part = CMSG_FIRSTHDR(message);
	struct timespec ts = { 0 };

	for (; part; part = CMSG_NXTHDR(message, part))
		if (part->cmsg_level == SOL_SOCKET &&
		    part->cmsg_type == SCM_TIMESTAMPNS)
			memcpy(&ts, CMSG_DATA(part), sizeof(ts));
	return ts.tv_sec * SECOND + ts.tv_nsec;
}

/* Take all that has arrived. */
static void take(struct ends *ends)
{
	static uint32_t numbers[AT_ONCE];
	static _Alignas(struct cmsghdr) char extra[AT_ONCE][64];
	struct mmsghdr messages[AT_ONCE];
	struct iovec parts[AT_ONCE];
	int n;

	do {
		memset(messages, 0, sizeof(messages));
		for (int i = 0; i < AT_ONCE; i++) {
			parts[i].iov_base = &numbers[i];
			parts[i].iov_len = sizeof(numbers[i]);
			messages[i].msg_hdr.msg_iov = &parts[i];
			messages[i].msg_hdr.msg_iovlen = 1;
			messages[i].msg_hdr.msg_control = extra[i];
			messages[i].msg_hdr.msg_controllen = sizeof(extra[i]);
		}
		n = recvmmsg(ends->far, messages, AT_ONCE, MSG_DONTWAIT, NULL);
		for (int i = 0; i < n && ends->n_got < 2 * PACKETS_MAX; i++)
			ends->got[ends->n_got++] = (struct arrival){
				numbers[i], stamp_of(&messages[i].msg_hdr)
			};
	} while (n == AT_ONCE);
}

static void send_timed(struct ends *ends, struct row *rows, size_t n)
{
	static char bytes[SIZE_MAX_UDP];
	int64_t start = look(ends) + SECOND / 50;

	for (uint32_t i = 0; i < n; i++) {
		struct row *row = &rows[i];

		memcpy(bytes, &i, sizeof(i));
		row->before = wait_till(ends, start + row->at);
		if (send(ends->near, bytes, row->size, 0) < 0)
			die("send");
		row->after = look(ends);
		if (i % READ_EVERY == READ_EVERY - 1)
			take(ends);
	}
}

static void send_at_once(struct ends *ends, const struct row *rows, size_t n)
{
	static char bytes[AT_ONCE][SIZE_MAX_UDP];
	struct mmsghdr messages[AT_ONCE];
	struct iovec parts[AT_ONCE];

	for (size_t from = 0; from < n; from += AT_ONCE) {
		size_t some = n - from < AT_ONCE ? n - from : AT_ONCE;

		memset(messages, 0, sizeof(messages));
		for (size_t i = 0; i < some; i++) {
			uint32_t number = (uint32_t)(from + i);

			memcpy(bytes[i], &number, sizeof(number));
			parts[i].iov_base = bytes[i];
			parts[i].iov_len = rows[from + i].size;
			messages[i].msg_hdr.msg_iov = &parts[i];
			messages[i].msg_hdr.msg_iovlen = 1;
		}
		if (sendmmsg(ends->near, messages, (unsigned int)some, 0) !=
		    (int)some)
			die("sendmmsg");
		take(ends);
	}
}

static void close_part(FILE *file, const char *part)
{
	if (fclose(file))
		die(part);
}

static void write_all(const char *name, const struct ends *ends,
		      const struct row *rows, size_t n)
{
	FILE *file = open_part(name, "sent", "w");

	for (size_t i = 0; i < n; i++)
		fprintf(file, "%" PRId64 ",%" PRId64 "\n", rows[i].before,
			rows[i].after);
	close_part(file, "sent");
	file = open_part(name, "got", "w");
	for (size_t i = 0; i < ends->n_got; i++)
		fprintf(file, "%" PRIu32 ",%" PRId64 "\n", ends->got[i].number,
			ends->got[i].stamp);
	close_part(file, "got");
	file = open_part(name, "clock", "w");
	for (size_t i = 0; i < ends->n_looks; i++)
		fprintf(file, "%" PRId64 "\n", ends->looks[i]);
	close_part(file, "clock");
}

int main(int argc, char **argv)
{
	static struct row rows[PACKETS_MAX];
	struct ends ends = { 0 };
	int64_t tail;
	size_t n;

	if (argc != 4)
		return 2;
	tail = strtol(argv[3], NULL, 10) * (SECOND / 1000);
	n = read_plan(argv[1], rows);
	open_ends(&ends);
	if (strcmp(argv[2], "at-once") != 0)
		send_timed(&ends, rows, n);
	else
		send_at_once(&ends, rows, n);
	wait_till(&ends, look(&ends) + tail);
	take(&ends);
	write_all(argv[1], &ends, rows, n);
	return 0;
}
