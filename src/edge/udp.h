/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * udp.h - UDP sockets: opened, read in batches, written in batches
 *
 * Floor: edge.
 *
 * Sockets are never connected, so that an ICMP error eats no datagram; errors
 * are read from the error queue and counted.
 */
#ifndef EDGE_UDP_H
#define EDGE_UDP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/address.h"
#include "core/err.h"

/* Messages that are read at once. */
#define UDP_BATCH 32
/* Datagrams that are sent at once. */
#define UDP_LETTERS 128
/* Sizes that may be joined, as long as the kernel refused none. */
#define UDP_JOINS UINT16_MAX
/* An ICMP error of an earlier datagram is told at a later call, once each. */
#define UDP_TRIES 8

/**
 * struct udp - A socket
 * @fd:		Descriptor
 * @local:	Address it is bound to
 * @joins:	Largest size of datagrams that may be joined for sending
 * @kernel_drops: What the kernel dropped on it, as it counts: a run that was
 *		joined is one; up to the latest datagram that was read, to
 *		udp_count_drops() or to udp_stop()
 * @icmp_errors: ICMP errors that came back
 * @stops:	Nothing is read any more but what waited; @left of it at most,
 *		in messages
 */
struct udp {
	int fd;
	union address local;
	uint32_t joins;
	uint32_t kernel_drops;
	uint64_t icmp_errors;
	bool stops;
	uint32_t left;
};

/**
 * struct udp_datagram - One that arrived
 * @from:	Sender; an IPv4 one mapped into IPv6 as IPv4
 * @to:		Address of ours that it was sent to
 * @when:	When it arrived, on the monotonic clock
 * @payload:	Its bytes; @size of them
 * @hops:	Hops that it may still go; 0 where that is not known
 * @service:	Its DSCP and ECN bits
 */
struct udp_datagram {
	union address from, to;
	int64_t when;
	const uint8_t *payload;
	uint32_t size;
	uint8_t hops, service;
};

/* Buffers for one batch, shared by all sockets of a front. */
struct udp_batch;

/**
 * udp_batch_new() - Make the buffers
 *
 * Return: the buffers.
 */
struct udp_batch *udp_batch_new(void);

/**
 * udp_batch_free() - Free the buffers
 * @batch:	Buffers, or NULL
 */
void udp_batch_free(struct udp_batch *batch);

/**
 * udp_open() - Open a socket, bound and ready to read in batches
 * @udp:	Socket
 * @local:	Address and port to bind to; port 0: any
 * @what:	For a fault: what it is for
 * @err:	Told why it cannot be, with the remedy
 *
 * Return: 0, or -1.
 */
int udp_open(struct udp *udp, const union address *local, const char *what,
	     struct err *err);

/**
 * udp_open_foreign() - Open a socket at an address that need not be ours
 * @udp:	Socket
 * @local:	Address and port to bind to
 * @what:	For a fault: what it is for
 * @err:	Told why it cannot be; or NULL
 *
 * What is diverted to it is read with the address and port that it was sent to,
 * its hops and its service.  Other sockets may have the same address.
 *
 * Return: 0, or -1 with errno told.
 */
int udp_open_foreign(struct udp *udp, const union address *local,
		     const char *what, struct err *err);

/**
 * udp_read() - Read one batch
 * @udp:	Socket
 * @batch:	Buffers
 * @take:	Called for each datagram
 * @context:	Handed to @take
 *
 * Return: how much there was, if there may be more now: one for each datagram,
 * and one more for each 2 KiB of it; 0: there is no more.
 */
unsigned udp_read(struct udp *udp, struct udp_batch *batch,
		  void (*take)(void *context,
			       const struct udp_datagram *datagram),
		  void *context);

/**
 * udp_count_drops() - Ask what the kernel has dropped up to now
 * @udp:	Socket; after udp_stop() nothing changes any more
 */
void udp_count_drops(struct udp *udp);

/**
 * udp_stop() - Come to an end: what waits now is read, what still comes is not
 * @udp:	Socket
 *
 * What came before the call is read by udp_read() until @left is 0, or is among
 * @kernel_drops.  Somewhat more may be read, not less.
 */
void udp_stop(struct udp *udp);

/**
 * struct udp_letter - One to send
 * @to:		Receiver
 * @payload:	Its bytes; @size of them
 * @hops:	Hops that it may go; 0: as many as is usual, and @service does
 *		not count
 * @service:	DSCP and ECN bits
 * @error:	Set: 0, or the errno for which it could not be sent
 */
struct udp_letter {
	union address to;
	const uint8_t *payload;
	uint32_t size;
	uint8_t hops, service;
	int error;
};

/**
 * udp_write() - Send a batch
 * @udp:	Socket
 * @letters:	What to send; @n of them, at most UDP_LETTERS
 *
 * They leave in their order.  One that cannot be sent stops no other, except
 * where several of one size to one receiver were sent in one call.
 */
void udp_write(struct udp *udp, struct udp_letter *letters, unsigned n);

/**
 * udp_run() - How many letters can leave as one
 * @udp:	Socket
 * @letters:	What to send, in this order; @n of them, at least one
 *
 * The kernel cuts one message into datagrams of one size, where all go the same
 * way; the last may be shorter, none may be empty.
 *
 * Return: how many of the first.
 */
unsigned udp_run(const struct udp *udp, const struct udp_letter *letters,
		 unsigned n);

/**
 * udp_read_errors() - Count and throw away what waits in the error queue
 * @udp:	Socket
 */
void udp_read_errors(struct udp *udp);

/**
 * udp_is_here() - Whether an address is one of this machine's own
 * @host:	Address; its port does not matter
 *
 * Return: whether it is.
 */
bool udp_is_here(const union address *host);

/**
 * udp_close() - Close a socket
 * @udp:	Socket, open or not
 */
void udp_close(struct udp *udp);

#endif /* EDGE_UDP_H */
