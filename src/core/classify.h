/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * classify.h - to which channel a packet belongs
 *
 * Floor: core.
 *
 * Rules are tried in the order of the arm file; the first whose port and match
 * fit names the channel.  A match is a pcap-filter expression over the whole IP
 * packet; it is compiled once, at start (the compiler may look names up), and
 * only run afterwards.
 */
#ifndef CORE_CLASSIFY_H
#define CORE_CLASSIFY_H

#include "core/err.h"
#include "core/packet.h"

/* Ports from @lo to @hi. */
struct port_range {
	uint16_t lo, hi;
};

/**
 * struct rule - What fits one channel
 * @direction:	Packets of this direction
 * @ports:	Destination ports; @n_ports ranges of them
 * @reply:	Place of the channel whose packets this one answers, or
 *		CHANNEL_NONE
 * @match:	pcap-filter expression, or NULL
 * @where:	What to name in a fault: "FILE:LINE"
 */
struct rule {
	enum direction direction;
	const struct port_range *ports;
	size_t n_ports;
	uint16_t reply;
	const char *match;
	const char *where;
};

/**
 * struct entry - How a packet came in
 * @direction:	From where it came
 * @reply:	Channel on whose upstream socket it came in, or CHANNEL_NONE
 * @port:	Port of the arm at which it came in; 0: the packet's own
 */
struct entry {
	enum direction direction;
	uint16_t reply;
	uint16_t port;
};

struct classifier;

/**
 * classifier_new() - Compile the rules
 * @rules:	Rules in order; borrowed
 * @n:		How many
 * @err:	Told each match that does not compile
 *
 * Return: the classifier, or NULL with @err told why.
 */
struct classifier *classifier_new(const struct rule *rules, size_t n,
				  struct err *err);

/**
 * classify() - Channel of a packet
 * @classifier:	Rules
 * @entry:	How it came in
 * @packet:	Packet
 *
 * Return: place of the channel, or CHANNEL_NONE.
 */
uint16_t classify(const struct classifier *classifier,
		  const struct entry *entry, const struct packet *packet);

/**
 * classifier_free() - Free the rules
 * @classifier:	Classifier, or NULL
 */
void classifier_free(struct classifier *classifier);

#endif /* CORE_CLASSIFY_H */
