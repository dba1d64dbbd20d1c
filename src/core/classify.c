/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * classify.c - to which channel a packet belongs
 *
 * Floor: core.
 */
#include "core/classify.h"

#include <pcap/pcap.h>
#include <stdlib.h>

struct classifier {
	const struct rule *rules;
	size_t n;
	struct bpf_program *programs;
};

struct classifier *classifier_new(const struct rule *rules, size_t n,
				  struct err *err)
{
	struct classifier *classifier = calloc(1, sizeof(*classifier));
	pcap_t *pcap = pcap_open_dead(DLT_RAW, 65575);
	bool good = true;

	if (!classifier || !pcap)
		abort();
	classifier->rules = rules;
	classifier->n = n;
	classifier->programs = calloc(n + 1, sizeof(*classifier->programs));
	if (!classifier->programs)
		abort();
	for (size_t i = 0; i < n; i++) {
		if (!rules[i].match)
			continue;
		if (pcap_compile(pcap, &classifier->programs[i], rules[i].match,
				 1, PCAP_NETMASK_UNKNOWN)) {
			err_add(err,
				"%s: match = %s: %s; see pcap-filter(7), for "
				"example udp[8:1] = 0x7b",
				rules[i].where, rules[i].match,
				pcap_geterr(pcap));
			good = false;
		}
	}
	pcap_close(pcap);
	if (good)
		return classifier;
	classifier_free(classifier);
	return NULL;
}

static bool in_ports(const struct rule *rule, uint16_t port)
{
	for (size_t i = 0; i < rule->n_ports; i++)
		if (port >= rule->ports[i].lo && port <= rule->ports[i].hi)
			return true;
	return false;
}

/* Whether the way in fits: the port, or the stream that is answered. */
static bool way_fits(const struct classifier *classifier,
		     const struct rule *rule, const struct entry *entry,
		     uint16_t from_port, uint16_t to_port)
{
	if (rule->direction != entry->direction)
		return false;
	if (rule->reply == CHANNEL_NONE)
		return entry->reply == CHANNEL_NONE && in_ports(rule, to_port);
	if (entry->reply != CHANNEL_NONE)
		return entry->reply == rule->reply;
	return !entry->port &&
	       in_ports(&classifier->rules[rule->reply], from_port);
}

uint16_t classify(const struct classifier *classifier,
		  const struct entry *entry, const struct packet *packet)
{
	struct pcap_pkthdr header = { .len = packet->len,
				      .caplen = packet->len };
	union address from, to;
	uint16_t to_port;

	packet_ends(packet, &from, &to);
	to_port = entry->port ? entry->port : address_port(&to);
	for (size_t i = 0; i < classifier->n; i++) {
		if (!way_fits(classifier, &classifier->rules[i], entry,
			      address_port(&from), to_port))
			continue;
		if (!classifier->rules[i].match ||
		    pcap_offline_filter(&classifier->programs[i], &header,
					packet->ip))
			return (uint16_t)i;
	}
	return CHANNEL_NONE;
}

void classifier_free(struct classifier *classifier)
{
	if (!classifier)
		return;
	for (size_t i = 0; i < classifier->n; i++)
		if (classifier->programs)
			pcap_freecode(&classifier->programs[i]);
	free(classifier->programs);
	free(classifier);
}
