/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * savefile.c - capture files: written with nanoseconds, read from anywhere
 *
 * Floor: edge.
 *
 * Reading is libpcap's.  The format written is a fixed header and a header a
 * packet (pcap-savefile(5)); it is made here, so that a write that fails can be
 * undone as a whole.
 */
#include "edge/savefile.h"

#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#define NANOSECOND_MAGIC 0xa1b23c4du
#define LINKTYPE_RAW	 101u
#define SNAPLEN		 262144u

#define ETHERTYPE_V4	 0x0800u
#define ETHERTYPE_V6	 0x86ddu
#define ETHER_HEADER	 14u
#define SLL_HEADER	 16u
#define SLL2_HEADER	 20u
#define TAG		 4u
/* Anything longer is no UDP packet. */
#define LEN_MAX 65575u

static char *put32(char *to, uint32_t value)
{
	memcpy(to, &value, sizeof(value));
	return to + sizeof(value);
}

void savefile_print_head(void *to)
{
	const uint16_t version[2] = { 2, 4 };
	char *at = put32(to, NANOSECOND_MAGIC);

	memcpy(at, version, sizeof(version));
	at = put32(at + sizeof(version), 0);
	at = put32(at, 0);
	at = put32(at, SNAPLEN);
	put32(at, LINKTYPE_RAW);
}

size_t savefile_print(void *to, int64_t utc_ns, const struct packet *packet)
{
	char *at = to;

	if (utc_ns < 0)
		utc_ns = 0;
	at = put32(at, (uint32_t)(utc_ns / NSEC_PER_S));
	at = put32(at, (uint32_t)(utc_ns % NSEC_PER_S));
	at = put32(at, packet->len);
	at = put32(at, packet->len);
	memcpy(at, packet->ip, packet->len);
	return SAVEFILE_RECORD + packet->len;
}

struct savefile {
	pcap_t *pcap;
	const char *name;
	int link;
	struct savefile_counts counts;
	struct packet *packet;
};

static const char *const links =
	"Ethernet, Linux cooked, RAW and loopback can be read";

/* Where the IP packet begins, or 0 with *@ip false if it is none. */
static uint32_t link_header(int link, const uint8_t *at, uint32_t len, bool *ip)
{
	uint32_t header = ETHER_HEADER, type_at = ETHER_HEADER - 2, type;

	*ip = true;
	switch (link) {
	case DLT_NULL:
	case DLT_LOOP:
		return 4;
	case DLT_LINUX_SLL:
		header = SLL_HEADER;
		type_at = SLL_HEADER - 2;
		break;
	case DLT_LINUX_SLL2:
		header = SLL2_HEADER;
		type_at = 0;
		break;
	case DLT_EN10MB:
		break;
	default: /* RAW */
		return 0;
	}
	for (; header <= len; header += TAG) {
		type = (uint32_t)at[type_at] << 8 | at[type_at + 1];
		if (type == ETHERTYPE_V4 || type == ETHERTYPE_V6)
			return header;
		if (type != 0x8100 && type != 0x88a8 && type != 0x9100)
			break;
		/* the real type stands at the end of the tag behind */
		type_at = header + 2;
		if (type_at + 2 > len)
			break;
	}
	*ip = false;
	return 0;
}

struct savefile *savefile_open(const char *name, struct err *err)
{
	char why[PCAP_ERRBUF_SIZE];
	struct savefile *savefile = calloc(1, sizeof(*savefile));

	if (!savefile)
		abort();
	savefile->name = name;
	savefile->packet = calloc(1, sizeof(*savefile->packet) + LEN_MAX);
	if (!savefile->packet)
		abort();
	savefile->pcap = pcap_open_offline_with_tstamp_precision(
		name, PCAP_TSTAMP_PRECISION_NANO, why);
	if (!savefile->pcap) {
		bool named = !strncmp(why, name, strlen(name));

		err_add(err, "%s%s%s; name a pcap or pcapng file",
			named ? "" : name, named ? "" : ": ", why);
		savefile_close(savefile);
		return NULL;
	}
	savefile->link = pcap_datalink(savefile->pcap);
	switch (savefile->link) {
	case DLT_NULL:
	case DLT_LOOP:
	case DLT_LINUX_SLL:
	case DLT_LINUX_SLL2:
	case DLT_EN10MB:
	case DLT_RAW:
	case DLT_IPV4:
	case DLT_IPV6:
		return savefile;
	default:
		err_add(err, "%s: link type %d; %s", name, savefile->link,
			links);
		savefile_close(savefile);
		return NULL;
	}
}

/* Whether the bytes are a whole UDP packet; if so it is in @packet. */
static bool read_packet(struct savefile *savefile,
			const struct pcap_pkthdr *header, const uint8_t *bytes)
{
	struct packet *packet = savefile->packet;
	const char *why = "";
	bool ip;
	uint32_t at = link_header(savefile->link, bytes, header->caplen, &ip);

	if (!ip || at >= header->caplen || header->caplen - at > LEN_MAX) {
		savefile->counts.other++;
		return false;
	}
	packet->len = header->caplen - at;
	memcpy(packet->ip, bytes + at, packet->len);
	if (packet_read(packet, &why)) {
		savefile->counts.packets++;
		return true;
	}
	if (!strcmp(why, "a fragment"))
		savefile->counts.fragments++;
	else if (header->caplen < header->len)
		savefile->counts.cut++;
	else
		savefile->counts.other++;
	return false;
}

int savefile_read(struct savefile *savefile, int64_t *utc_ns,
		  const struct packet **packet, struct err *err)
{
	struct pcap_pkthdr *header;
	const uint8_t *bytes;
	int got;

	while ((got = pcap_next_ex(savefile->pcap, &header, &bytes)) == 1) {
		if (!read_packet(savefile, header, bytes))
			continue;
		/* with this precision the microseconds are nanoseconds */
		*utc_ns = (int64_t)header->ts.tv_sec * NSEC_PER_S +
			  (int64_t)header->ts.tv_usec;
		*packet = savefile->packet;
		return 1;
	}
	if (got == PCAP_ERROR_BREAK)
		return 0;
	return err_add(err, "%s: %s", savefile->name,
		       pcap_geterr(savefile->pcap));
}

struct savefile_counts savefile_counts(const struct savefile *savefile)
{
	return savefile->counts;
}

void savefile_close(struct savefile *savefile)
{
	if (!savefile)
		return;
	if (savefile->pcap)
		pcap_close(savefile->pcap);
	free(savefile->packet);
	free(savefile);
}
