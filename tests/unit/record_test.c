/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * record_test.c - a record's files: rows, events, losses, whole rows only
 *
 * Floor: tests.
 */
#include "edge/record.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/catalog.h"
#include "edge/ring.h"
#include "edge/row.h"
#include "edge/savefile.h"
#include "edge/sink.h"

static const char text[] = "[arm]\n"
			   "name = test\n"
			   "[link]\n"
			   "robot = 127.0.0.2\n"
			   "[uplink a,b]\n"
			   "port = 5002\n";

static char base[64], folder[128];
static struct catalog catalog;
static struct arm *arm;
static struct session *session;

static void begin(void)
{
	struct err err = { 0 }, warnings = { 0 };
	const struct arm_source source = { .file = "test.ini",
					   .text = text,
					   .size = sizeof(text) - 1,
					   .catalog = &catalog };

	snprintf(base, sizeof(base), "/tmp/record_test.%d", (int)getpid());
	cr_assert_eq(mkdir(base, 0777), 0);
	snprintf(folder, sizeof(folder), "%s/run", base);
	catalog_init(&catalog);
	arm = arm_new(&source, &err, &warnings);
	cr_assert_not_null(arm, "%s", err.n ? err.line[0] : "");
	err_fini(&warnings);
	session = session_new(arm, "1", &err);
	cr_assert_not_null(session);
}

static void end(void)
{
	static const char *const files[] = {
		"manifest.json", "summary.json",     "packets.csv",
		"events.csv",	 "uplink-in.pcap",   "uplink-out.pcap",
		"one.csv",	 "downlink-in.pcap", "downlink-out.pcap",
	};
	char name[256];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s", folder, files[i]);
		unlink(name);
	}
	rmdir(folder);
	rmdir(base);
	session_free(session);
	arm_free(arm);
}

TestSuite(record, .init = begin, .fini = end);

static struct record *open_record(bool pcap)
{
	const struct record_plan plan = { .folder = folder,
					  .arm = arm,
					  .command = "simulate",
					  .pcap = pcap,
					  .waits = true,
					  .utc_ns = 5 };
	struct err err = { 0 };
	struct record *record = record_open(&plan, &err);

	cr_assert_not_null(record, "%s", err.n ? err.line[0] : "");
	return record;
}

static void close_record(struct record *record)
{
	struct err err = { 0 };

	cr_assert_eq(record_close(record, &err), 0, "%s",
		     err.n ? err.line[0] : "");
}

/* The whole of a file of the record. */
static char *content(const char *file)
{
	static char bytes[65536];
	char name[256];
	FILE *from;
	size_t n;

	snprintf(name, sizeof(name), "%s/%s", folder, file);
	from = fopen(name, "r");
	cr_assert_not_null(from, "%s", name);
	n = fread(bytes, 1, sizeof(bytes) - 1, from);
	fclose(from);
	bytes[n] = '\0';
	return bytes;
}

static struct packet *make_packet(uint32_t payload)
{
	union address from, to;
	struct packet *packet =
		session_packet(session, packet_room(AF_INET, payload));

	cr_assert(address_parse("127.0.0.1:4000", &from));
	cr_assert(address_parse("127.0.0.2:5002", &to));
	packet_build(packet, &from, &to, payload);
	memset(packet->ip + packet->payload, 7, payload);
	return packet;
}

static void put_and_record(struct record *record, nsec now)
{
	struct packet *packet = make_packet(4);

	record_capture(record, UPLINK_IN, now, packet);
	session_put_channel(session, now, 0, packet);
	packet = session_take(session, now);
	cr_assert_not_null(packet);
	record_packet(record, session, packet, now + 3);
	record_capture(record, UPLINK_OUT, now + 3, packet);
	session_give(session, packet);
}

Test(record, an_existing_folder_is_refused)
{
	const struct record_plan plan = { .folder = base,
					  .arm = arm,
					  .command = "run" };
	struct err err = { 0 };

	cr_assert_null(record_open(&plan, &err));
	cr_assert_eq(err.n, 1);
	cr_assert_not(err.machine);
	err_fini(&err);
}

Test(record, rows_have_the_settled_columns_and_quote_their_texts)
{
	struct record *record = open_record(false);

	put_and_record(record, 10);
	close_record(record);
	cr_assert_str_eq(content("packets.csv"), ROW_HEADER
			 "\n"
			 "1,0,uplink,\"a,b\",4,10,10,13,released,\n");
}

Test(record, a_packet_without_due_has_empty_times)
{
	struct record *record = open_record(false);
	struct packet *packet = make_packet(0);

	session_refuse(session, 7, DOWNLINK, packet);
	packet = session_take(session, 7);
	record_packet(record, session, packet, NSEC_NEVER);
	session_give(session, packet);
	close_record(record);
	cr_assert_str_eq(content("packets.csv"),
			 ROW_HEADER "\n"
				    "1,0,downlink,,0,7,,,dropped,refused\n");
}

Test(record, rows_name_their_trial)
{
	struct record *record = open_record(false);

	put_and_record(record, 10);
	session_reset(session, "two \"2\"");
	put_and_record(record, 20);
	close_record(record);
	cr_assert_str_eq(content("packets.csv"), ROW_HEADER
			 "\n"
			 "1,0,uplink,\"a,b\",4,10,10,13,released,\n"
			 "\"two \"\"2\"\"\",0,uplink,\"a,b\",4,20,20,23,"
			 "released,\n");
}

Test(record, an_event_keeps_whatever_its_detail_is)
{
	struct record *record = open_record(false);

	record_event(record, 5, "mark", "he said \"go\", twice\nand left");
	record_event(record, 6, "mark", "");
	close_record(record);
	cr_assert_str_eq(content("events.csv"),
			 "time_ns,event,detail\n"
			 "5,mark,\"he said \"\"go\"\", twice\nand left\"\n"
			 "6,mark,\n");
}

Test(record, captures_have_checksums_and_times_since_the_start)
{
	struct record *record = open_record(true);
	struct err err = { 0 };
	struct savefile *savefile;
	const struct packet *packet;
	char name[256];
	int64_t utc;

	put_and_record(record, 10);
	close_record(record);
	snprintf(name, sizeof(name), "%s/uplink-out.pcap", folder);
	savefile = savefile_open(name, &err);
	cr_assert_not_null(savefile);
	cr_assert_eq(savefile_read(savefile, &utc, &packet, &err), 1);
	cr_assert_eq(utc, 5 + 13);
	cr_assert(packet->ip[26] || packet->ip[27]);
	cr_assert_eq(savefile_read(savefile, &utc, &packet, &err), 0);
	savefile_close(savefile);
}

Test(record, the_summary_has_every_trial_with_its_verdict)
{
	struct record *record = open_record(false);
	struct tally *tallies = calloc(2, sizeof(*tallies));
	const struct trial_report report = {
		.trial = "1", .seed = 9, .duration = 50, .tallies = tallies
	};
	json_t *summary, *trial;

	record_trial(record, &report);
	record_trial(record, &report);
	close_record(record);
	free(tallies);
	summary = json_loads(content("summary.json"), 0, NULL);
	cr_assert_not_null(summary);
	cr_assert_eq(json_array_size(json_object_get(summary, "trials")), 2);
	trial = json_array_get(json_object_get(summary, "trials"), 1);
	cr_assert_eq(json_integer_value(json_object_get(trial, "start_ns")),
		     50);
	cr_assert_str_eq(json_string_value(json_object_get(trial, "verdict")),
			 "doubtful"); /* nothing arrived */
	json_decref(summary);
}

/* A packet that left late by so much. */
static void add_late(struct tally *tally, nsec late)
{
	struct packet packet = { .fate = FATE_RELEASED,
				 .by = "",
				 .id = tally->in };

	tally_add(tally, &packet, late);
}

static enum verdict judge(const struct tally *tallies, uint64_t kernel_drops,
			  uint64_t rows_lost, size_t *reasons)
{
	const struct trial_report report = { .trial = "1",
					     .tallies = tallies,
					     .kernel_drops = kernel_drops,
					     .live = true };
	struct err err = { 0 };
	enum verdict verdict = record_judge(arm, &report, rows_lost, &err);

	*reasons = err.n;
	err_fini(&err);
	return verdict;
}

Test(record, a_trial_is_judged_by_what_the_arm_did_not_ask_for)
{
	struct tally *tallies = calloc(2, sizeof(*tallies));
	size_t reasons;

	for (int i = 0; i < 1000; i++)
		add_late(&tallies[0], NSEC_PER_MS);
	cr_assert_eq(judge(tallies, 0, 0, &reasons), VERDICT_VALID);
	cr_assert_eq(reasons, 0);
	cr_assert_eq(judge(tallies, 1, 0, &reasons), VERDICT_DOUBTFUL);
	cr_assert_eq(judge(tallies, 100, 0, &reasons), VERDICT_INVALID);
	cr_assert_eq(judge(tallies, 0, 1, &reasons), VERDICT_DOUBTFUL);
	cr_assert_eq(reasons, 1);
	add_late(&tallies[0], 30 * NSEC_PER_MS); /* once */
	cr_assert_eq(judge(tallies, 0, 0, &reasons), VERDICT_DOUBTFUL);
	for (int i = 0; i < 50; i++)
		add_late(&tallies[0], 3 * NSEC_PER_MS); /* 5 % */
	cr_assert_eq(judge(tallies, 0, 0, &reasons), VERDICT_DOUBTFUL);
	cr_assert_eq(reasons, 2);
	for (int i = 0; i < 50; i++)
		add_late(&tallies[0], 15 * NSEC_PER_MS);
	cr_assert_eq(judge(tallies, 0, 0, &reasons), VERDICT_INVALID);
	free(tallies);
}

Test(record, a_full_disk_loses_whole_rows_and_is_told)
{
	const struct rlimit limit = { 8000, 8000 };
	struct record *record = open_record(false);
	struct err err = { 0 };
	const char *bytes;
	size_t n;

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 1000; i++)
		put_and_record(record, i);
	cr_assert_eq(record_close(record, &err), -1);
	cr_assert(err.machine);
	err_fini(&err);
	bytes = content("packets.csv");
	n = strlen(bytes);
	cr_assert_eq(bytes[n - 1], '\n');
}

/* ---- what it is built from */

Test(record, a_sink_undoes_a_write_that_fails)
{
	const struct rlimit limit = { 100, 100 };
	struct sink sink;
	struct stat status;
	uint64_t lost = 0;
	char name[256];

	mkdir(folder, 0777);
	snprintf(name, sizeof(name), "%s/one.csv", folder);
	cr_assert(sink_open(&sink, name));
	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	memset(sink_room(&sink, &lost), 'a', 60);
	sink_add(&sink, 60);
	cr_assert_eq(sink_flush(&sink), 0);
	memset(sink_room(&sink, &lost), 'b', 60);
	sink_add(&sink, 60);
	cr_assert_eq(sink_flush(&sink), 1); /* 120 bytes do not fit */
	memset(sink_room(&sink, &lost), 'c', 30);
	sink_add(&sink, 30);
	cr_assert_eq(sink_close(&sink), 0); /* but 90 do */
	cr_assert_neq(sink.error, 0);
	cr_assert_eq(lost, 0);
	cr_assert_eq(stat(name, &status), 0);
	cr_assert_eq(status.st_size, 90);
	cr_assert_eq(content("one.csv")[60], 'c');
}

Test(record, a_ring_keeps_order_over_its_end_and_refuses_what_does_not_fit)
{
	struct ring ring;
	uint64_t put = 0, taken = 0, refused = 0;
	size_t len;

	cr_assert(ring_init(&ring, 256));
	cr_assert_null(ring_first(&ring, &len));
	for (int round = 0; round < 1000; round++) {
		size_t size = 8 + (size_t)(round * 7 % 61);
		uint64_t *room = ring_room(&ring, size);
		const uint64_t *item;

		if (room) {
			*room = put++;
			ring_put(&ring);
			continue;
		}
		refused++;
		item = ring_first(&ring, &len);
		cr_assert_eq(*item, taken);
		taken++;
		ring_take(&ring);
	}
	cr_assert_gt(refused, 0);
	while (ring_first(&ring, &len)) {
		cr_assert_eq(*(uint64_t *)ring_first(&ring, &len), taken);
		taken++;
		ring_take(&ring);
	}
	cr_assert_eq(put, taken);
	ring_fini(&ring);
}

Test(record, a_row_is_read_as_it_was_written)
{
	const struct row row = { .trial = "a \"b\", c",
				 .stream = "x,y",
				 .by = "line\nbreak",
				 .id = UINT64_C(1) << 60,
				 .ingress = -3,
				 .due = NSEC_NEVER,
				 .released = INT64_C(1) << 61,
				 .size = 65507,
				 .direction = DOWNLINK,
				 .fate = FATE_SUPPRESSED };
	struct err err = { 0 };
	struct row found;
	struct csv csv;
	char bytes[ROW_ROOM], name[256];
	FILE *to;

	mkdir(folder, 0777);
	snprintf(name, sizeof(name), "%s/one.csv", folder);
	to = fopen(name, "w");
	fwrite(bytes, 1, row_print(&row, bytes), to);
	fclose(to);
	cr_assert_eq(csv_open(&csv, name, &err), 0);
	cr_assert_eq(csv_read(&csv, &err), 1);
	cr_assert_eq(row_parse(&csv, &found, &err), 0);
	cr_assert_str_eq(found.trial, row.trial);
	cr_assert_str_eq(found.stream, row.stream);
	cr_assert_str_eq(found.by, row.by);
	cr_assert_eq(found.id, row.id);
	cr_assert_eq(found.ingress, row.ingress);
	cr_assert_eq(found.due, row.due);
	cr_assert_eq(found.released, row.released);
	cr_assert_eq(found.size, row.size);
	cr_assert_eq(found.direction, row.direction);
	cr_assert_eq(found.fate, row.fate);
	cr_assert_eq(csv_read(&csv, &err), 0);
	csv_close(&csv);
}
