/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * bench.c - a virtual workbench: datagrams through an arm, outcomes collected
 *
 * Floor: tests.
 */
#include "tests/unit/bench.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a datagram's first number: the mark, and above it how many are asked. */
#define ASKED_SHIFT 48

struct asked_settings {
	int64_t place;
};

static const struct setting asked_table[] = {
	{ .name = "place",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct asked_settings, place),
	  .hi = 1000,
	  .preset = "0",
	  .text = "Which number of the datagram is the delay" },
};

static nsec asked_apply(const struct turn *turn)
{
	const struct asked_settings *settings = turn->settings;
	size_t at = MARK_BYTES + 8u * (size_t)settings->place;
	nsec delay;

	if (at + sizeof(delay) > turn->payload_bytes)
		return 0;
	memcpy(&delay, turn->payload + at, sizeof(delay));
	return delay;
}

const struct condition bench_asked = {
	.abi = CONDITION_ABI,
	.name = "asked",
	.text = "the delay that the datagram asks for",
	.settings = asked_table,
	.n_settings = sizeof(asked_table) / sizeof(asked_table[0]),
	.settings_size = sizeof(struct asked_settings),
	.apply = asked_apply,
};

static struct arm *add_arm(struct bench *bench, const char *format,
			   va_list args)
{
	static char text[65536];
	int size = vsnprintf(text, sizeof(text), format, args);
	const struct arm_source source = { .file = "test.ini",
					   .text = text,
					   .size = (size_t)size,
					   .catalog = &bench->catalog };
	struct err err = { 0 }, warnings = { 0 };
	struct arm *arm;

	cr_assert(size > 0 && (size_t)size < sizeof(text));
	arm = arm_new(&source, &err, &warnings);
	for (size_t i = 0; i < err.n; i++)
		fprintf(stderr, "%s\n", err.line[i]);
	cr_assert(arm, "the arm has a fault");
	err_fini(&err);
	err_fini(&warnings);
	cr_assert_lt(bench->n_arms, BENCH_ARMS);
	return bench->arm[bench->n_arms++] = arm;
}

void bench_open(struct bench *bench, const char *format, ...)
{
	struct err err = { 0 };
	va_list args;

	*bench = (struct bench){ 0 };
	catalog_init(&bench->catalog);
	cr_assert(catalog_add(&bench->catalog, &bench_asked));
	va_start(args, format);
	add_arm(bench, format, args);
	va_end(args);
	bench->session = session_new(bench->arm[0], "1", &err);
	cr_assert(bench->session);
	err_fini(&err);
}

int bench_adopt(struct bench *bench, nsec now, const char *format, ...)
{
	struct err err = { 0 };
	struct arm *arm;
	va_list args;
	int result;

	va_start(args, format);
	arm = add_arm(bench, format, args);
	va_end(args);
	result = session_adopt(bench->session, now, arm, &err);
	cr_assert_eq(result<0, err.n> 0);
	err_fini(&err);
	return result;
}

/* What stands at a place of a payload, the mark and the asked ones aside. */
static uint8_t pattern(uint64_t mark, uint32_t at)
{
	return (uint8_t)(mark * 7u + at * 31u);
}

static void put(struct bench *bench, nsec at, uint16_t channel, uint32_t bytes,
		const nsec *asked, size_t n)
{
	union address from = { .v4 = { .sin_family = AF_INET } };
	union address to = from;
	struct packet *packet =
		session_packet(bench->session, packet_room(AF_INET, bytes));
	uint8_t *payload;
	uint64_t mark = bench->in++;

	cr_assert(packet, "the pool is full");
	cr_assert(address_parse("10.0.0.1:40000", &from));
	cr_assert(address_parse("10.0.0.2:5002", &to));
	packet_build(packet, &from, &to, bytes);
	payload = packet->ip + packet->payload;
	for (uint32_t i = 0; i < bytes; i++)
		payload[i] = pattern(mark, i);
	if (bytes >= MARK_BYTES) {
		uint64_t head = mark | (uint64_t)n << ASKED_SHIFT;

		memcpy(payload, &head, MARK_BYTES);
	}
	if (n)
		memcpy(payload + MARK_BYTES, asked, n * sizeof(*asked));
	session_put_channel(bench->session, at, channel, packet);
}

void bench_put(struct bench *bench, nsec at, uint16_t channel, uint32_t bytes)
{
	put(bench, at, channel, bytes, NULL, 0);
}

void bench_ask(struct bench *bench, nsec at, uint16_t channel,
	       const nsec *delay, size_t n)
{
	put(bench, at, channel, MARK_BYTES + 8u * (uint32_t)n, delay, n);
}

/* Every byte of it must be as put() left it; the asked ones are not known. */
static uint64_t check_bytes(const struct packet *packet)
{
	const uint8_t *payload = packet->ip + packet->payload;
	uint32_t bytes = packet_payload_bytes(packet), known = 0;
	uint64_t mark = packet->id;

	cr_assert_eq(packet->len, packet_room(AF_INET, bytes));
	if (bytes >= MARK_BYTES) {
		memcpy(&mark, payload, MARK_BYTES);
		known = MARK_BYTES + 8u * (uint32_t)(mark >> ASKED_SHIFT);
		mark &= (UINT64_C(1) << ASKED_SHIFT) - 1;
	}
	for (uint32_t i = known; i < bytes; i++)
		cr_assert_eq(payload[i], pattern(mark, i));
	return mark;
}

static void collect(struct bench *bench, const struct packet *packet, nsec now)
{
	if (bench->n == bench->room) {
		bench->room = bench->room ? 2 * bench->room : 64;
		bench->out =
			realloc(bench->out, bench->room * sizeof(*bench->out));
		cr_assert(bench->out);
	}
	bench->out[bench->n++] =
		(struct outcome){ .mark = check_bytes(packet),
				  .ingress = packet->ingress,
				  .due = packet->due,
				  .taken = now,
				  .by = packet->by,
				  .fate = packet->fate,
				  .channel = packet->channel,
				  .bytes = packet_payload_bytes(packet) };
}

size_t bench_take(struct bench *bench, nsec now)
{
	struct packet *packet;
	size_t before = bench->n;

	while ((packet = session_take(bench->session, now))) {
		collect(bench, packet, now);
		session_give(bench->session, packet);
	}
	return bench->n - before;
}

void bench_feed(struct bench *bench, size_t n, nsec gap, uint16_t channel,
		uint32_t bytes)
{
	for (size_t i = 0; i < n; i++) {
		bench_take(bench, (nsec)i * gap);
		bench_put(bench, (nsec)i * gap, channel, bytes);
	}
	bench_take(bench, NSEC_NEVER);
}

void bench_reset(struct bench *bench, const char *trial)
{
	size_t n = session_arm(bench->session)->n_channels;

	for (size_t i = 0; i < n; i++)
		session_flush(bench->session, (uint16_t)i, "reset");
	bench_take(bench, NSEC_NEVER);
	cr_assert_eq(bench->n, bench->in);
	session_reset(bench->session, trial);
	bench->n = 0;
	bench->in = 0;
}

const struct outcome *bench_of(const struct bench *bench, uint64_t mark)
{
	for (size_t i = 0; i < bench->n; i++)
		if (bench->out[i].mark == mark)
			return &bench->out[i];
	return NULL;
}

size_t bench_count(const struct bench *bench, enum fate fate, const char *by)
{
	size_t n = 0;

	for (size_t i = 0; i < bench->n; i++)
		n += bench->out[i].fate == fate &&
		     (!by || !strcmp(bench->out[i].by, by));
	return n;
}

void bench_same(const struct bench *a, const struct bench *b)
{
	cr_assert_eq(a->n, b->n, "%zu and %zu came out", a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct outcome *x = &a->out[i], *y = &b->out[i];

		cr_assert(x->mark == y->mark && x->ingress == y->ingress &&
				  x->due == y->due && x->fate == y->fate &&
				  x->channel == y->channel &&
				  !strcmp(x->by, y->by),
			  "number %zu: mark %" PRIu64 " due %" PRId64
			  " fate %d %s, or mark %" PRIu64 " due %" PRId64
			  " fate %d %s",
			  i, x->mark, x->due, (int)x->fate, x->by, y->mark,
			  y->due, (int)y->fate, y->by);
	}
}

void bench_close(struct bench *bench)
{
	for (size_t i = 0; i < bench->arm[0]->n_channels; i++)
		session_flush(bench->session, (uint16_t)i, "shutdown");
	bench_take(bench, NSEC_NEVER);
	cr_assert_eq(bench->n, bench->in, "%" PRIu64 " in, %zu out", bench->in,
		     bench->n);
	session_free(bench->session);
	for (size_t i = 0; i < bench->n_arms; i++)
		arm_free(bench->arm[i]);
	free(bench->out);
}
