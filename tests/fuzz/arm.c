/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm.c - whatever text claims to be an arm: refused with reasons, or run
 *
 * Floor: tests.
 *
 * Lines behind one that is "%%" are changes from the command line, as --set
 * takes them.  An input with the word "match" is passed over: libpcap would
 * look words that it does not know up as names of hosts.
 */
#include <stdlib.h>
#include <string.h>

#include "core/catalog.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SETS_MAX 8

/* More than that to reserve says nothing more. */
#define LIMIT_PACKETS 200000
#define LIMIT_BYTES   (64 << 20)

static void hold(bool what)
{
	if (!what)
		abort();
}

/* Two files there are: any of a name with ".csv" in it, and any other. */
static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	static const char trace[] = "10\n20\n30\n";
	static const char table[] = "delay_ms\n10\nlost\n30.5\n";
	const char *text = strstr(name, ".csv") ? table : trace;

	(void)context;
	(void)why;
	(void)why_size;
	*size = strlen(text);
	return text;
}

/* Each fault is one line that says something. */
static void check_faults(const struct err *err)
{
	for (size_t i = 0; i < err->n; i++)
		hold(err->line[i] && err->line[i][0]);
}

static bool is_small(const struct arm *arm)
{
	int64_t packets = 0, bytes = 0;

	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct channel_plan *plan = &arm->channel[i].plan;

		packets += plan->limit_packets * (int64_t)(plan->n_chain + 1);
		bytes += plan->limit_bytes;
	}
	return packets <= LIMIT_PACKETS && bytes <= LIMIT_BYTES;
}

/* Some packets through each channel: each comes out once. */
static void run(const struct arm *arm)
{
	struct err err = { 0 };
	struct session *session = session_new(arm, "1", &err);
	struct packet *out;
	size_t in = 0, n = 0;
	union address to = { .v4 = { .sin_family = AF_INET } };

	if (!session) {
		hold(err.n > 0);
		err_fini(&err);
		return;
	}
	for (uint32_t i = 0; i < 20; i++) {
		for (uint16_t c = 0; c < arm->n_channels && c < 8; c++, in++) {
			struct packet *packet =
				session_packet(session, 28 + 10 * i);

			hold(packet);
			packet_build(packet, &to, &to, 10 * i);
			memset(packet->ip + 28, 'x', 10 * i);
			session_put_channel(session, i * 7 * NSEC_PER_MS, c,
					    packet);
		}
	}
	for (uint16_t c = 0; c < arm->n_channels; c++)
		session_flush(session, c, "shutdown");
	for (; (out = session_take(session, NSEC_NEVER)); n++) {
		hold(out->fate == FATE_RELEASED ? out->due >= out->ingress
						: out->by[0]);
		session_give(session, out);
	}
	hold(n == in);
	session_free(session);
	err_fini(&err);
}

/* Cut the changes off behind the text; returns the size of the text. */
static size_t split(char *text, size_t size, const char *sets[], size_t *n)
{
	char *mark = strstr(text, "\n%%\n"), *line;

	*n = 0;
	if (!mark)
		return size;
	for (line = mark + 4; *line && *n < SETS_MAX;) {
		char *end = strchr(line, '\n');

		sets[(*n)++] = line;
		if (!end)
			break;
		*end = '\0';
		line = end + 1;
	}
	return (size_t)(mark - text) + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *sets[SETS_MAX];
	struct catalog catalog;
	struct err err = { 0 }, warnings = { 0 };
	char *text = malloc(size + 1);
	struct arm_source source = { .file = "fuzz.ini",
				     .text = text,
				     .sets = sets,
				     .catalog = &catalog,
				     .load = load };
	struct arm *arm;

	hold(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (!strstr(text, "match")) {
		source.size = split(text, size, sets, &source.n_sets);
		catalog_init(&catalog);
		arm = arm_new(&source, &err, &warnings);
		hold((arm == NULL) == (err.n > 0));
		check_faults(&err);
		check_faults(&warnings);
		if (arm && is_small(arm))
			run(arm);
		arm_free(arm);
	}
	err_fini(&err);
	err_fini(&warnings);
	free(text);
	return 0;
}
