/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * savefile_test.c - captures of every link type, written and read back
 *
 * Floor: tests.
 */
#include "edge/savefile.h"

#include <criterion/criterion.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/address.h"

#define PAYLOAD	  "stop"
#define PAYLOAD_N 4u

static char name[64];
static struct packet *v4, *v6;

static struct packet *make(const char *from_text, const char *to_text)
{
	union address from, to;
	struct packet *packet = calloc(1, sizeof(*packet) + 128);

	cr_assert(address_parse(from_text, &from));
	cr_assert(address_parse(to_text, &to));
	packet_build(packet, &from, &to, PAYLOAD_N);
	memcpy(packet->ip + packet->payload, PAYLOAD, PAYLOAD_N);
	return packet;
}

static void begin(void)
{
	snprintf(name, sizeof(name), "/tmp/savefile_test.%d", (int)getpid());
	v4 = make("10.0.0.1:4000", "10.0.0.2:5002");
	v6 = make("[fd00::1]:4000", "[fd00::2]:5002");
}

static void end(void)
{
	unlink(name);
	free(v4);
	free(v6);
}

TestSuite(savefile, .init = begin, .fini = end);

/* A capture of one packet behind a link header, by libpcap. */
static void write_with(int link, const char *header, size_t header_len,
		       const struct packet *packet)
{
	pcap_t *pcap = pcap_open_dead(link, 65535);
	pcap_dumper_t *dumper = pcap_dump_open(pcap, name);
	uint8_t bytes[256];
	struct pcap_pkthdr head = { .ts = { 1700000000, 123456 } };

	cr_assert_not_null(dumper);
	memcpy(bytes, header, header_len);
	memcpy(bytes + header_len, packet->ip, packet->len);
	head.len = head.caplen = (uint32_t)header_len + packet->len;
	pcap_dump((u_char *)dumper, &head, bytes);
	pcap_dump_close(dumper);
	pcap_close(pcap);
}

/* The file has exactly this packet. */
static void expect(const struct packet *packet, int64_t utc)
{
	struct err err = { 0 };
	struct savefile *savefile = savefile_open(name, &err);
	const struct packet *found;
	int64_t when;

	cr_assert_not_null(savefile, "%s", err.n ? err.line[0] : "");
	cr_assert_eq(savefile_read(savefile, &when, &found, &err), 1);
	cr_assert_eq(when, utc);
	cr_assert_eq(found->len, packet->len);
	cr_assert_eq(found->payload, packet->payload);
	cr_assert_arr_eq(found->ip, packet->ip, packet->len);
	cr_assert_eq(savefile_read(savefile, &when, &found, &err), 0);
	cr_assert_eq(savefile_counts(savefile).packets, 1);
	savefile_close(savefile);
	cr_assert_eq(err.n, 0);
}

#define MICRO (1700000000 * NSEC_PER_S + 123456000)

Test(savefile, what_is_written_is_read_with_its_nanosecond)
{
	uint8_t bytes[SAVEFILE_HEAD + SAVEFILE_RECORD + 128];
	int64_t utc = INT64_C(1755400000123456789);
	FILE *file = fopen(name, "w");
	size_t n;

	savefile_print_head(bytes);
	n = savefile_print(bytes + SAVEFILE_HEAD, utc, v4);
	cr_assert_eq(n, SAVEFILE_RECORD + v4->len);
	fwrite(bytes, 1, SAVEFILE_HEAD + n, file);
	fclose(file);
	expect(v4, utc);
}

Test(savefile, ethernet)
{
	write_with(DLT_EN10MB, "\1\2\3\4\5\6\1\2\3\4\5\6\x08\0", 14, v4);
	expect(v4, MICRO);
	write_with(DLT_EN10MB, "\1\2\3\4\5\6\1\2\3\4\5\6\x86\xdd", 14, v6);
	expect(v6, MICRO);
}

Test(savefile, ethernet_with_tags)
{
	write_with(DLT_EN10MB, "\1\2\3\4\5\6\1\2\3\4\5\6\x81\0\0\5\x08\0", 18,
		   v4);
	expect(v4, MICRO);
	write_with(DLT_EN10MB,
		   "\1\2\3\4\5\6\1\2\3\4\5\6\x88\xa8\0\5\x81\0\0\6\x86\xdd", 22,
		   v6);
	expect(v6, MICRO);
}

Test(savefile, linux_cooked)
{
	write_with(DLT_LINUX_SLL, "\0\0\0\1\0\6\1\2\3\4\5\6\0\0\x08\0", 16, v4);
	expect(v4, MICRO);
	write_with(DLT_LINUX_SLL2,
		   "\x86\xdd\0\0\0\0\0\2\0\1\0\6\1\2\3\4\5\6\0\0", 20, v6);
	expect(v6, MICRO);
}

Test(savefile, raw_and_loopback)
{
	write_with(DLT_RAW, "", 0, v4);
	expect(v4, MICRO);
	write_with(DLT_NULL, "\2\0\0\0", 4, v4);
	expect(v4, MICRO);
	write_with(DLT_LOOP, "\0\0\0\x18", 4, v6);
	expect(v6, MICRO);
}

Test(savefile, other_link_types_are_refused)
{
	struct err err = { 0 };

	write_with(DLT_IEEE802_11, "", 0, v4);
	cr_assert_null(savefile_open(name, &err));
	cr_assert_eq(err.n, 1);
	err_fini(&err);
}

static struct savefile_counts counts_of(void)
{
	struct err err = { 0 };
	struct savefile *savefile = savefile_open(name, &err);
	struct savefile_counts counts;
	const struct packet *packet;
	int64_t when;

	cr_assert_not_null(savefile);
	cr_assert_eq(savefile_read(savefile, &when, &packet, &err), 0);
	counts = savefile_counts(savefile);
	savefile_close(savefile);
	return counts;
}

Test(savefile, a_fragment_is_passed_over_and_counted)
{
	v4->ip[6] = 0x20; /* more fragments */
	write_with(DLT_RAW, "", 0, v4);
	cr_assert_eq(counts_of().fragments, 1);
}

Test(savefile, what_is_no_udp_is_passed_over_and_counted)
{
	v4->ip[9] = 6;
	write_with(DLT_RAW, "", 0, v4);
	cr_assert_eq(counts_of().other, 1);
	write_with(DLT_EN10MB, "\1\2\3\4\5\6\1\2\3\4\5\6\x08\6", 14, v4);
	cr_assert_eq(counts_of().other, 1);
}

Test(savefile, a_packet_that_was_cut_is_passed_over_and_counted)
{
	pcap_t *pcap = pcap_open_dead(DLT_RAW, 30);
	pcap_dumper_t *dumper = pcap_dump_open(pcap, name);
	struct pcap_pkthdr head = { .caplen = 30, .len = v4->len };

	pcap_dump((u_char *)dumper, &head, v4->ip);
	pcap_dump_close(dumper);
	pcap_close(pcap);
	cr_assert_eq(counts_of().cut, 1);
}

Test(savefile, a_damaged_file_is_told)
{
	struct err err = { 0 };
	struct savefile *savefile;
	const struct packet *packet;
	int64_t when;

	write_with(DLT_RAW, "", 0, v4);
	cr_assert_eq(truncate(name, 24 + 16 + 10), 0);
	savefile = savefile_open(name, &err);
	cr_assert_eq(savefile_read(savefile, &when, &packet, &err), -1);
	cr_assert_eq(err.n, 1);
	savefile_close(savefile);
	err_fini(&err);
}
