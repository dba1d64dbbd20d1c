/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * savefile.h - capture files: written with nanoseconds, read from anywhere
 *
 * Floor: edge.
 *
 * What is written is of link type RAW: IP packets without a link header.  What
 * is read may be Ethernet (VLAN tags are passed over), Linux cooked, RAW or a
 * loopback's, pcap or pcapng, with microseconds or nanoseconds.
 */
#ifndef EDGE_SAVEFILE_H
#define EDGE_SAVEFILE_H

#include "core/err.h"
#include "core/packet.h"

/* Bytes at the start of a file, and before each packet. */
#define SAVEFILE_HEAD	24u
#define SAVEFILE_RECORD 16u

/**
 * savefile_print_head() - Write what a capture file begins with
 * @to:		Filled; SAVEFILE_HEAD bytes
 */
void savefile_print_head(void *to);

/**
 * savefile_print() - Write a packet with its header
 * @to:		Filled; SAVEFILE_RECORD bytes and the packet
 * @utc_ns:	When, ns since 1970; a time before counts as 1970
 * @packet:	Packet
 *
 * Return: bytes written.
 */
size_t savefile_print(void *to, int64_t utc_ns, const struct packet *packet);

/**
 * struct savefile_counts - What a file held
 * @packets:	Whole UDP packets
 * @fragments:	Fragments, passed over
 * @cut:	Packets that were captured only in part, passed over
 * @other:	Anything else, passed over
 */
struct savefile_counts {
	uint64_t packets, fragments, cut, other;
};

struct savefile;

/**
 * savefile_open() - Open a capture file
 * @name:	Name; "-" is standard input
 * @err:	Told why it cannot be read
 *
 * Return: the file, or NULL.
 */
struct savefile *savefile_open(const char *name, struct err *err);

/**
 * savefile_read() - Read on to the next whole UDP packet
 * @savefile:	File
 * @utc_ns:	Set to when it was captured, ns since 1970
 * @packet:	Set to the packet; valid until the next call
 * @err:	Told if the file is damaged
 *
 * Return: 1; 0 at the end; -1 with @err told.
 */
int savefile_read(struct savefile *savefile, int64_t *utc_ns,
		  const struct packet **packet, struct err *err);

/* What was read so far. */
struct savefile_counts savefile_counts(const struct savefile *savefile);

/**
 * savefile_close() - Close the file
 * @savefile:	File, or NULL
 */
void savefile_close(struct savefile *savefile);

#endif /* EDGE_SAVEFILE_H */
