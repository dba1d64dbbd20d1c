/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * udp_write.c - UDP sockets: written in batches
 *
 * Floor: edge.
 *
 * How it works
 *
 * Letters that leave together, to one receiver, in one size, are handed to the
 * kernel as one message that it cuts up again (UDP_SEGMENT): the receiver sees
 * the same datagrams, and each costs a fraction.  A kernel, device or path that
 * cannot do it says so at once; then they are sent one by one, and that size
 * is not tried again.
 */
#include <errno.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/socket.h>

#include "core/packet.h"
#include "edge/udp.h"

/* What every kernel that can do it takes in one message. */
#define SEGMENTS_MAX  64
#define CONTROL_BYTES (3 * CMSG_SPACE(sizeof(int)))

/**
 * struct post - Letters as the kernel takes them
 * @message:	Messages
 * @vector:	Payloads, one a letter
 * @control:	What stands beside each message
 * @letters:	How many letters each message is
 */
struct post {
	struct mmsghdr message[UDP_LETTERS];
	struct iovec vector[UDP_LETTERS];
	_Alignas(struct cmsghdr) char control[UDP_LETTERS][CONTROL_BYTES];
	unsigned letters[UDP_LETTERS];
};

/* For an IPv6 socket, an IPv4 address becomes one mapped into IPv6. */
static void map(const struct udp *udp, union address *address)
{
	union address v6 = { .v6 = { .sin6_family = AF_INET6 } };

	if (udp->local.any.sa_family != AF_INET6 ||
	    address->any.sa_family != AF_INET)
		return;
	v6.v6.sin6_port = address->v4.sin_port;
	v6.v6.sin6_addr.s6_addr[10] = v6.v6.sin6_addr.s6_addr[11] = 0xff;
	memcpy(v6.v6.sin6_addr.s6_addr + 12, &address->v4.sin_addr, 4);
	*address = v6;
}

static void add_control(struct msghdr *header, int level, int type,
			const void *value, size_t size)
{
	struct cmsghdr *control;
	char *at = (char *)header->msg_control + header->msg_controllen;

	control = (struct cmsghdr *)(void *)at;
	*control = (struct cmsghdr){ .cmsg_level = level,
				     .cmsg_type = type,
				     .cmsg_len = CMSG_LEN(size) };
	memcpy(CMSG_DATA(control), value, size);
	header->msg_controllen += CMSG_SPACE(size);
}

/* A letter that says so keeps the hops and the service of what came in. */
static void add_header(const struct udp_letter *letter, struct msghdr *header)
{
	bool v4 = letter->to.any.sa_family == AF_INET;
	int hops = letter->hops, service = letter->service;

	if (!hops)
		return;
	add_control(header, v4 ? SOL_IP : SOL_IPV6, v4 ? IP_TTL : IPV6_HOPLIMIT,
		    &hops, sizeof(hops));
	add_control(header, v4 ? SOL_IP : SOL_IPV6, v4 ? IP_TOS : IPV6_TCLASS,
		    &service, sizeof(service));
}

/* Whether two letters differ in nothing but their payload. */
static bool go_together(const struct udp_letter *a, const struct udp_letter *b)
{
	return a->hops == b->hops && a->service == b->service &&
	       a->to.any.sa_family == b->to.any.sa_family &&
	       !memcmp(&a->to, &b->to, address_size(&a->to));
}

unsigned udp_run(const struct udp *udp, const struct udp_letter *letters,
		 unsigned n)
{
	uint32_t size = letters[0].size, bytes = size;
	unsigned i = 1;

	if (!size || size > udp->joins)
		return 1;
	while (i < n && i < SEGMENTS_MAX && letters[i - 1].size == size &&
	       letters[i].size && letters[i].size <= size &&
	       bytes + letters[i].size <= PAYLOAD_MAX &&
	       go_together(&letters[0], &letters[i]))
		bytes += letters[i++].size;
	return i;
}

/* Fill the messages.  Returns how many they are. */
static unsigned pack(const struct udp *udp, struct udp_letter *letters,
		     unsigned n, struct post *post)
{
	unsigned messages = 0;

	for (unsigned at = 0; at < n; messages++) {
		unsigned run = udp_run(udp, letters + at, n - at);
		struct msghdr *header = &post->message[messages].msg_hdr;
		uint16_t size = (uint16_t)letters[at].size;

		*header = (struct msghdr){
			.msg_name = &letters[at].to,
			.msg_namelen = address_size(&letters[at].to),
			.msg_iov = &post->vector[at],
			.msg_iovlen = run,
			.msg_control = post->control[messages],
		};
		add_header(&letters[at], header);
		if (run > 1)
			add_control(header, SOL_UDP, UDP_SEGMENT, &size,
				    sizeof(size));
		post->letters[messages] = run;
		for (; run--; at++)
			post->vector[at] = (struct iovec){
				(void *)(uintptr_t)letters[at].payload,
				letters[at].size
			};
	}
	return messages;
}

/* Whether the kernel refused to cut a message up: then it will again. */
static bool is_refused(struct udp *udp, unsigned run, uint32_t size, int error)
{
	if (run < 2 || (error != EIO && error != EINVAL && error != EMSGSIZE &&
			error != EOPNOTSUPP))
		return false;
	/* a path is too narrow for a size; a device can or it cannot */
	udp->joins = error == EINVAL || error == EMSGSIZE ? size - 1 : 0;
	return true;
}

/* Send messages.  Returns how many letters are done with: fewer than all where
 * joined ones were refused.
 */
static unsigned send_post(struct udp *udp, struct udp_letter *letters,
			  struct post *post, unsigned messages)
{
	unsigned at = 0, done = 0, tries = 0;

	while (done < messages) {
		int sent = sendmmsg(udp->fd, post->message + done,
				    messages - done, 0);
		int error = errno;

		if (sent > 0) {
			while (sent--)
				at += post->letters[done++];
			tries = 0;
			continue;
		}
		if (is_refused(udp, post->letters[done], letters[at].size,
			       error))
			break;
		/* the error of an earlier datagram is cleared by telling it:
		 * try this one again before giving it up
		 */
		if (error == EINTR ||
		    (error != EAGAIN && ++tries < UDP_TRIES)) {
			udp_read_errors(udp);
			continue;
		}
		for (unsigned run = post->letters[done++]; run--;)
			letters[at++].error = error;
		tries = 0;
	}
	return at;
}

void udp_write(struct udp *udp, struct udp_letter *letters, unsigned n)
{
	struct post post;
	unsigned at = 0;

	for (unsigned i = 0; i < n; i++) {
		letters[i].error = 0;
		map(udp, &letters[i].to);
	}
	while (at < n) {
		unsigned messages = pack(udp, letters + at, n - at, &post);

		at += send_post(udp, letters + at, &post, messages);
	}
}
