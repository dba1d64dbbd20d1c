/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * udp.c - UDP sockets: opened and read in batches
 *
 * Floor: edge.
 *
 * How it works
 *
 * Datagrams of one sender and size that arrive in a run may be joined by the
 * kernel (UDP_GRO), which spares most of what each costs.  They are taken apart
 * here, so nobody above sees it; those of a run have one receive stamp.
 */
#include "edge/udp.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/sock_diag.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "edge/loop.h"

#define DATAGRAM_MAX  65536
#define RECEIVE_BYTES (8 * 1024 * 1024)
#define SEND_BYTES    (4 * 1024 * 1024)
/* Buffers a power of two apart would fight for the same lines of the cache. */
#define DATAGRAM_STEP (DATAGRAM_MAX + 7 * 64)
/* Linux has them, the C library's headers do not. */
#ifndef IPV6_ORIGDSTADDR
#define IPV6_ORIGDSTADDR 74
#endif

/* Large messages are read few at a time, so that what was read is still in the
 * cache when it is copied, and sent.
 */
#define CACHE_BYTES 262144u
#define LEAST_BATCH 4u
#define UNIT_BYTES  2048u
/* The kernel's own part of a message in a buffer is more than this. */
#define LEAST_MESSAGE 256u

struct udp_batch {
	unsigned most; /* messages that the next reading may bring */
	uint8_t bytes[UDP_BATCH][DATAGRAM_STEP];
	_Alignas(struct cmsghdr) char control[UDP_BATCH][256];
	union address from[UDP_BATCH];
	struct iovec vector[UDP_BATCH];
	struct mmsghdr message[UDP_BATCH];
};

struct udp_batch *udp_batch_new(void)
{
	struct udp_batch *batch = calloc(1, sizeof(*batch));

	if (!batch)
		abort();
	batch->most = UDP_BATCH;
	return batch;
}

void udp_batch_free(struct udp_batch *batch)
{
	free(batch);
}

static void set_on(int fd, int level, int name)
{
	const int on = 1;

	(void)setsockopt(fd, level, name, &on, sizeof(on));
}

/* Large buffers: by force where we may, else as large as is allowed. */
static void set_buffers(int fd)
{
	const int receive = RECEIVE_BYTES, send = SEND_BYTES;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive,
		       sizeof(receive)))
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive,
				 sizeof(receive));
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &send, sizeof(send)))
		(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send,
				 sizeof(send));
}

static const char *remedy_of(int error)
{
	switch (error) {
	case EADDRINUSE:
		return "another program has the port; see 'ss -lunp', end it "
		       "or choose another port";
	case EADDRNOTAVAIL:
		return "no interface of this machine has that address; see "
		       "'ip addr' and correct listen";
	case EMFILE:
		return "raise the limit of open files ('ulimit -n'), or name "
		       "fewer ports";
	case EACCES:
		return "ports below 1024 need root or CAP_NET_BIND_SERVICE";
	default:
		return "see errno(3)";
	}
}

int udp_open(struct udp *udp, const union address *local, const char *what,
	     struct err *err)
{
	int family = local->any.sa_family;
	socklen_t size = address_size(local);
	char text[ADDRESS_TEXT];

	*udp = (struct udp){ .local = *local, .joins = UDP_JOINS };
	udp->fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (udp->fd >= 0) {
		set_buffers(udp->fd);
		set_on(udp->fd, SOL_SOCKET, SO_TIMESTAMPNS);
		set_on(udp->fd, SOL_SOCKET, SO_RXQ_OVFL);
		set_on(udp->fd, SOL_UDP, UDP_GRO);
		set_on(udp->fd, SOL_IP, IP_RECVERR);
		set_on(udp->fd, SOL_IP, IP_PKTINFO);
		if (family == AF_INET6) {
			set_on(udp->fd, SOL_IPV6, IPV6_RECVERR);
			set_on(udp->fd, SOL_IPV6, IPV6_RECVPKTINFO);
			/* :: is both versions, whatever bindv6only says */
			(void)setsockopt(udp->fd, SOL_IPV6, IPV6_V6ONLY,
					 &(int){ 0 }, sizeof(int));
		}
		if (!bind(udp->fd, &local->any, size) &&
		    !getsockname(udp->fd, &udp->local.any, &size))
			return 0;
	}
	address_print(local, text);
	err_add_machine(err, "%s: cannot listen on %s: %s; %s", what, text,
			strerror(errno), remedy_of(errno));
	udp_close(udp);
	return -1;
}

int udp_open_foreign(struct udp *udp, const union address *local,
		     const char *what, struct err *err)
{
	int family = local->any.sa_family, error;
	socklen_t size = address_size(local);
	char text[ADDRESS_TEXT];

	*udp = (struct udp){ .local = *local, .joins = UDP_JOINS };
	udp->fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (udp->fd >= 0) {
		set_buffers(udp->fd);
		set_on(udp->fd, SOL_SOCKET, SO_REUSEADDR);
		set_on(udp->fd, SOL_SOCKET, SO_TIMESTAMPNS);
		set_on(udp->fd, SOL_SOCKET, SO_RXQ_OVFL);
		set_on(udp->fd, SOL_UDP, UDP_GRO);
		if (family == AF_INET) {
			set_on(udp->fd, SOL_IP, IP_TRANSPARENT);
			set_on(udp->fd, SOL_IP, IP_RECVORIGDSTADDR);
			set_on(udp->fd, SOL_IP, IP_RECVTTL);
			set_on(udp->fd, SOL_IP, IP_RECVTOS);
		} else {
			set_on(udp->fd, SOL_IPV6, IPV6_V6ONLY);
			set_on(udp->fd, SOL_IPV6, IPV6_TRANSPARENT);
			set_on(udp->fd, SOL_IPV6, IPV6_ORIGDSTADDR);
			set_on(udp->fd, SOL_IPV6, IPV6_RECVHOPLIMIT);
			set_on(udp->fd, SOL_IPV6, IPV6_RECVTCLASS);
		}
		if (!bind(udp->fd, &local->any, size) &&
		    !getsockname(udp->fd, &udp->local.any, &size))
			return 0;
	}
	error = errno;
	address_print(local, text);
	err_add_machine(err, "%s: cannot stand for %s: %s; %s", what, text,
			strerror(error), remedy_of(error));
	udp_close(udp);
	errno = error;
	return -1;
}

/* An IPv4 address mapped into IPv6 becomes an IPv4 one. */
static void unmap(union address *address)
{
	union address v4 = { .v4 = { .sin_family = AF_INET } };

	if (address->any.sa_family != AF_INET6 ||
	    !IN6_IS_ADDR_V4MAPPED(&address->v6.sin6_addr))
		return;
	v4.v4.sin_port = address->v6.sin6_port;
	memcpy(&v4.v4.sin_addr, address->v6.sin6_addr.s6_addr + 12, 4);
	*address = v4;
}

/* The address of ours that a datagram was sent to, out of its control data. */
static void local_of(const struct cmsghdr *control, union address *to)
{
	struct in_pktinfo v4;
	struct in6_pktinfo v6;

	if (control->cmsg_level == SOL_IP && control->cmsg_type == IP_PKTINFO) {
		memcpy(&v4, CMSG_DATA(control), sizeof(v4));
		to->any.sa_family = AF_INET;
		to->v4.sin_addr = v4.ipi_addr;
	} else if (control->cmsg_level == SOL_IPV6 &&
		   control->cmsg_type == IPV6_PKTINFO) {
		memcpy(&v6, CMSG_DATA(control), sizeof(v6));
		to->any.sa_family = AF_INET6;
		to->v6.sin6_addr = v6.ipi6_addr;
	}
}

/* What the header of a diverted datagram says. */
static void header_of(const struct cmsghdr *control,
		      struct udp_datagram *datagram)
{
	int level = control->cmsg_level, type = control->cmsg_type, number;

	if (level == SOL_IP && type == IP_ORIGDSTADDR)
		memcpy(&datagram->to.v4, CMSG_DATA(control),
		       sizeof(datagram->to.v4));
	else if (level == SOL_IPV6 && type == IPV6_ORIGDSTADDR)
		memcpy(&datagram->to.v6, CMSG_DATA(control),
		       sizeof(datagram->to.v6));
	else if (level == SOL_IP && type == IP_TOS)
		datagram->service = *CMSG_DATA(control);
	else if ((level == SOL_IP && type == IP_TTL) ||
		 (level == SOL_IPV6 && type == IPV6_HOPLIMIT)) {
		memcpy(&number, CMSG_DATA(control), sizeof(number));
		datagram->hops = (uint8_t)number;
	} else if (level == SOL_IPV6 && type == IPV6_TCLASS) {
		memcpy(&number, CMSG_DATA(control), sizeof(number));
		datagram->service = (uint8_t)number;
	} else {
		local_of(control, &datagram->to);
	}
}

/* A datagram tells what was dropped before it came in, which may be less than
 * the kernel said when it was asked since.
 */
static void note_drops(struct udp *udp, const struct cmsghdr *control)
{
	uint32_t drops;

	memcpy(&drops, CMSG_DATA(control), sizeof(drops));
	if (!udp->stops && drops - udp->kernel_drops <= INT32_MAX)
		udp->kernel_drops = drops;
}

/* Reads what stands beside a message.  Returns the size of each datagram that
 * is joined in it, or 0 where there is only one.
 */
static uint32_t read_control(struct udp *udp, struct msghdr *header,
			     struct udp_datagram *datagram, int64_t now,
			     int64_t wall)
{
	struct timespec stamp;
	bool stamped = false;
	int each = 0;
	struct cmsghdr *control;

	datagram->to = udp->local;
	for (control = CMSG_FIRSTHDR(header); control;
	     control = CMSG_NXTHDR(header, control)) {
		if (control->cmsg_level == SOL_UDP &&
		    control->cmsg_type == UDP_GRO) {
			memcpy(&each, CMSG_DATA(control), sizeof(each));
		} else if (control->cmsg_level != SOL_SOCKET) {
			header_of(control, datagram);
		} else if (control->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(&stamp, CMSG_DATA(control), sizeof(stamp));
			stamped = true;
		} else if (control->cmsg_type == SO_RXQ_OVFL) {
			note_drops(udp, control);
		}
	}
	datagram->when = loop_moved(stamped ? &stamp : NULL, now, wall);
	unmap(&datagram->from);
	unmap(&datagram->to);
	/* a mapped sender has an IPv4 receiver, and both are of one version */
	if (datagram->to.any.sa_family != datagram->from.any.sa_family) {
		datagram->to = datagram->from;
		address_set_port(&datagram->to, address_port(&udp->local));
	}
	return each > 0 ? (uint32_t)each : 0;
}

void udp_read_errors(struct udp *udp)
{
	char control[512], byte;

	for (int i = 0; i < 1024; i++) {
		struct iovec vector = { &byte, 1 };
		struct msghdr header = { .msg_iov = &vector,
					 .msg_iovlen = 1,
					 .msg_control = control,
					 .msg_controllen = sizeof(control) };

		if (recvmsg(udp->fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
			return;
		udp->icmp_errors++;
	}
}

/* Up to @most messages: how many; -1 where there may still be some. */
static int receive(struct udp *udp, struct udp_batch *batch, unsigned most)
{
	for (unsigned i = 0; i < most; i++) {
		struct msghdr *header = &batch->message[i].msg_hdr;

		batch->vector[i] =
			(struct iovec){ batch->bytes[i], DATAGRAM_MAX };
		*header = (struct msghdr){
			.msg_name = &batch->from[i],
			.msg_namelen = sizeof(batch->from[i]),
			.msg_iov = &batch->vector[i],
			.msg_iovlen = 1,
			.msg_control = batch->control[i],
			.msg_controllen = sizeof(batch->control[i]),
		};
	}
	for (int i = 0; i < UDP_TRIES; i++) {
		int n = recvmmsg(udp->fd, batch->message, most, MSG_DONTWAIT,
				 NULL);

		if (n >= 0)
			return n;
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			udp_read_errors(udp);
			return 0;
		}
		/* an ICMP error, told here: it is in the queue as well */
	}
	udp_read_errors(udp);
	return -1;
}

/* Keep count of what waited at the stop. */
static void count_down(struct udp *udp, int n)
{
	uint32_t done = n > 0 ? (uint32_t)n : 1;

	if (!n || done > udp->left)
		udp->left = 0;
	else
		udp->left -= done;
}

/* How many messages of a size to read at once. */
static unsigned messages_of(uint32_t bytes)
{
	uint32_t n = CACHE_BYTES / (bytes + 1);

	if (n > UDP_BATCH)
		return UDP_BATCH;
	return n < LEAST_BATCH ? LEAST_BATCH : n;
}

unsigned udp_read(struct udp *udp, struct udp_batch *batch,
		  void (*take)(void *context,
			       const struct udp_datagram *datagram),
		  void *context)
{
	unsigned most =
		udp->stops && udp->left < batch->most ? udp->left : batch->most;
	int n = most ? receive(udp, batch, most) : 0;
	int64_t now = loop_clock(), wall = loop_wall();
	unsigned units = 0;
	uint32_t bytes = 0;

	if (udp->stops)
		count_down(udp, n);
	for (int i = 0; i < n; i++) {
		struct udp_datagram datagram = {
			.from = batch->from[i],
			.payload = batch->bytes[i],
		};
		uint32_t left = batch->message[i].msg_len, each;

		bytes += left;
		each = read_control(udp, &batch->message[i].msg_hdr, &datagram,
				    now, wall);
		/* one without a byte is one as well */
		do {
			datagram.size = each && each < left ? each : left;
			take(context, &datagram);
			units += 1 + datagram.size / UNIT_BYTES;
			datagram.payload += datagram.size;
			left -= datagram.size;
		} while (left);
	}
	if (n > 0)
		batch->most = messages_of(bytes / (unsigned)n);
	return n == (int)most ? units : 0;
}

/* How much of the buffer is taken. */
static uint32_t look(struct udp *udp)
{
	uint32_t memory[SK_MEMINFO_VARS] = {
		[SK_MEMINFO_RMEM_ALLOC] = 2 * RECEIVE_BYTES,
		[SK_MEMINFO_DROPS] = udp->kernel_drops,
	};
	socklen_t size = sizeof(memory);

	(void)getsockopt(udp->fd, SOL_SOCKET, SO_MEMINFO, memory, &size);
	udp->kernel_drops = memory[SK_MEMINFO_DROPS];
	return memory[SK_MEMINFO_RMEM_ALLOC];
}

void udp_count_drops(struct udp *udp)
{
	if (!udp->stops)
		(void)look(udp);
}

void udp_stop(struct udp *udp)
{
	udp->left = look(udp) / LEAST_MESSAGE;
	udp->stops = true;
}

/* The kernel sends from an address to itself, and from nowhere else. */
bool udp_is_here(const union address *host)
{
	union address to = *host, from = { 0 };
	socklen_t size = sizeof(from);
	bool here = false;
	int fd;

	if (host->any.sa_family == AF_INET &&
	    ntohl(host->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET)
		return true;
	fd = socket(host->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	address_set_port(&to, 9); /* any: nothing is sent */
	if (!connect(fd, &to.any, address_size(&to)) &&
	    !getsockname(fd, &from.any, &size))
		here = address_same_host(&from, host);
	close(fd);
	return here;
}

void udp_close(struct udp *udp)
{
	if (udp->fd >= 0)
		close(udp->fd);
	udp->fd = -1;
}
