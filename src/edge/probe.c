/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * probe.c - a local sender and receiver around a running arm
 *
 * Floor: edge.
 *
 * How it works
 *
 * Uplink is listened for on 127.0.0.1 and downlink on 127.0.0.2, so that a port
 * may be both.  Each channel with a port gets a socket that it is sent to; what
 * a channel is answered by is sent back from there.  A datagram carries its
 * place in the order of sending and the time of the call that sent it.
 */
#include "edge/probe.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edge/loop.h"
#include "edge/udp.h"

/* What a stream is like where the arm does not say: commands of a headset. */
#define COMMAND_BYTES	 40u
#define COMMAND_INTERVAL (10 * NSEC_PER_MS)
#define FRAME_BYTES	 1200u
#define FRAMES_FROM	 200000	     /* bit/s */
#define MARK		 0x66617231u /* "far1" */
#define LINGER_MS	 300

struct mark {
	uint32_t magic, channel;
	uint64_t place;
	int64_t sent;
};

struct stream {
	struct probe *probe;
	bool active;
	uint16_t channel;
	struct udp socket;  /* receives, and answers */
	union address into; /* where the arm listens */
	uint32_t size;
	nsec interval;
	int64_t next;
	bool echoes;
	struct probe_stream seen;
};

struct probe {
	const char *sets[3 * CHANNELS_MAX + 8];
	size_t n_sets;
	struct store store;
	struct stream *streams;
	size_t n;
	struct udp from[DIRECTIONS]; /* headset and robot */
	struct udp_batch *batch;
	pthread_t thread;
	bool started;
	atomic_bool quiet, stopped;
};

static void add_set(struct probe *probe, const char *section, const char *name,
		    const char *setting)
{
	size_t room = strlen(section) + strlen(name) + strlen(setting) + 4;
	char *text = store_get(&probe->store, room);

	snprintf(text, room, "%s%s%s.%s", section, *name ? " " : "", name,
		 setting);
	probe->sets[probe->n_sets++] = text;
}

static int open_local(struct udp *udp, const char *text, struct err *err)
{
	union address local;

	(void)address_parse(text, &local);
	return udp_open(udp, &local, "selftest", err);
}

/* Give a channel its receiver, and the arm the receiver's address. */
static int open_stream(struct probe *probe, const struct arm *arm, size_t i,
		       struct err *err)
{
	const struct arm_channel *channel = &arm->channel[i];
	const char *section = direction_name(channel->plan.direction);
	struct stream *stream = &probe->streams[i];
	char text[ADDRESS_TEXT + 8], address[ADDRESS_TEXT];

	stream->probe = probe;
	stream->channel = (uint16_t)i;
	stream->socket.fd = -1;
	add_set(probe, section, channel->plan.stream, "on_exit=drain");
	if (channel->rule.reply != CHANNEL_NONE) {
		probe->streams[channel->rule.reply].echoes = true;
		stream->active = probe->streams[channel->rule.reply].active;
		return 0;
	}
	if (open_local(&stream->socket, "127.0.0.1", err))
		return -1;
	stream->active = !channel->rule.match;
	/* a slow stream is one of commands, at the rate it is said to have */
	stream->size =
		channel->expect >= FRAMES_FROM ? FRAME_BYTES : COMMAND_BYTES;
	stream->interval = COMMAND_INTERVAL;
	if (channel->expect)
		stream->interval =
			(nsec)((double)packet_room(AF_INET, stream->size) *
			       8e9 / (double)channel->expect) +
			1;
	(void)address_parse(channel->plan.direction == UPLINK ? "127.0.0.1"
							      : "127.0.0.2",
			    &stream->into);
	address_set_port(&stream->into, channel->rule.ports[0].lo);
	address_print(&stream->socket.local, address);
	snprintf(text, sizeof(text), "to=%s", address);
	add_set(probe, section, channel->plan.stream, text);
	add_set(probe, section, channel->plan.stream,
		channel->plan.direction == UPLINK ? "listen=127.0.0.1"
						  : "listen=127.0.0.2");
	return 0;
}

struct probe *probe_new(const struct arm *arm, struct err *err)
{
	struct probe *probe = calloc(1, sizeof(*probe));
	size_t faults = err->n;

	if (!probe)
		abort();
	probe->batch = udp_batch_new();
	probe->n = arm->n_channels;
	probe->streams = calloc(probe->n + 1, sizeof(*probe->streams));
	if (!probe->streams)
		abort();
	probe->from[UPLINK].fd = probe->from[DOWNLINK].fd = -1;
	add_set(probe, "link", "", "mode=relay");
	add_set(probe, "link", "", "robot=127.0.0.1");
	add_set(probe, "link", "", "headset=learn");
	add_set(probe, "link", "", "listen=127.0.0.1");
	if (arm->safety.active) { /* stops of ours would count as changed */
		add_set(probe, "safety", "", "on_start=0");
		add_set(probe, "safety", "", "on_exit=0");
		add_set(probe, "safety", "", "deadman=off");
	}
	for (int d = 0; d < DIRECTIONS; d++)
		(void)open_local(&probe->from[d], "127.0.0.1", err);
	/* replies after what they answer: their order in the arm is free */
	for (size_t i = 0; i < probe->n; i++)
		if (arm->channel[i].rule.reply == CHANNEL_NONE)
			(void)open_stream(probe, arm, i, err);
	for (size_t i = 0; i < probe->n; i++)
		if (arm->channel[i].rule.reply != CHANNEL_NONE)
			(void)open_stream(probe, arm, i, err);
	if (err->n == faults)
		return probe;
	probe_free(probe);
	return NULL;
}

const char *const *probe_sets(const struct probe *probe, size_t *n)
{
	*n = probe->n_sets;
	return probe->sets;
}

/* Fill behind the mark so that a changed byte shows. */
static void fill(uint8_t *payload, uint32_t size, uint64_t place)
{
	for (uint32_t i = sizeof(struct mark); i < size; i++)
		payload[i] = (uint8_t)(place + i * 7u);
}

static void send_due(struct probe *probe, int64_t now)
{
	uint8_t payload[FRAME_BYTES];

	for (size_t i = 0; i < probe->n; i++) {
		struct stream *stream = &probe->streams[i];
		struct udp_letter letter = { .to = stream->into,
					     .payload = payload,
					     .size = stream->size };
		int way = stream->into.v4.sin_addr.s_addr ==
					  htonl(INADDR_LOOPBACK)
				  ? UPLINK
				  : DOWNLINK;
		struct mark mark = { MARK, (uint32_t)i, stream->seen.sent, 0 };

		if (!stream->active || stream->socket.fd < 0 ||
		    stream->next > now)
			continue;
		fill(payload, stream->size, mark.place);
		mark.sent = loop_clock();
		memcpy(payload, &mark, sizeof(mark));
		udp_write(&probe->from[way], &letter, 1);
		stream->seen.sent += !letter.error;
		stream->next += stream->interval;
		if (stream->next < now)
			stream->next = now + stream->interval;
	}
}

static void look_at(struct probe *probe, struct stream *stream,
		    const struct udp_datagram *datagram)
{
	uint8_t wanted[FRAME_BYTES];
	struct mark mark;

	(void)probe;
	stream->seen.received++;
	if (datagram->size < sizeof(mark) || datagram->size > FRAME_BYTES) {
		stream->seen.changed++;
		return;
	}
	memcpy(&mark, datagram->payload, sizeof(mark));
	fill(wanted, datagram->size, mark.place);
	if (mark.magic != MARK ||
	    memcmp(wanted + sizeof(mark), datagram->payload + sizeof(mark),
		   datagram->size - sizeof(mark)) != 0) {
		stream->seen.changed++;
		return;
	}
	histogram_add(&stream->seen.delay, datagram->when - mark.sent);
}

/* What a channel released; answered where another channel wants an answer. */
static void take_released(void *context, const struct udp_datagram *datagram)
{
	struct stream *stream = context;
	struct udp_letter letter = { .to = datagram->from,
				     .payload = datagram->payload,
				     .size = datagram->size };

	look_at(stream->probe, stream, datagram);
	if (stream->echoes)
		udp_write(&stream->socket, &letter, 1);
}

static void *probe_main(void *context)
{
	struct probe *probe = context;
	struct pollfd polled[CHANNELS_MAX];
	nfds_t n = 0;
	int64_t stopped_at = 0;

	for (size_t i = 0; i < probe->n; i++) {
		probe->streams[i].next = loop_clock();
		if (probe->streams[i].socket.fd >= 0)
			polled[n++] = (struct pollfd){
				.fd = probe->streams[i].socket.fd,
				.events = POLLIN
			};
	}
	for (;;) {
		int64_t now = loop_clock();

		if (atomic_load(&probe->stopped)) {
			if (!stopped_at)
				stopped_at = now;
			if (now - stopped_at > LINGER_MS * NSEC_PER_MS)
				return NULL;
		} else if (!atomic_load(&probe->quiet)) {
			send_due(probe, now);
		}
		(void)poll(polled, n, 1);
		for (size_t i = 0; i < probe->n; i++)
			if (probe->streams[i].socket.fd >= 0)
				(void)udp_read(&probe->streams[i].socket,
					       probe->batch, take_released,
					       &probe->streams[i]);
	}
}

bool probe_start(struct probe *probe)
{
	probe->started =
		!pthread_create(&probe->thread, NULL, probe_main, probe);
	return probe->started;
}

void probe_quiet(struct probe *probe)
{
	atomic_store(&probe->quiet, true);
}

void probe_stop(struct probe *probe)
{
	if (!probe->started)
		return;
	atomic_store(&probe->stopped, true);
	pthread_join(probe->thread, NULL);
	probe->started = false;
}

const struct probe_stream *probe_stream(const struct probe *probe,
					uint16_t channel)
{
	const struct stream *stream = &probe->streams[channel];

	return stream->active ? &stream->seen : NULL;
}

void probe_free(struct probe *probe)
{
	if (!probe)
		return;
	probe_stop(probe);
	for (size_t i = 0; i < probe->n; i++)
		udp_close(&probe->streams[i].socket);
	udp_close(&probe->from[UPLINK]);
	udp_close(&probe->from[DOWNLINK]);
	udp_batch_free(probe->batch);
	store_fini(&probe->store);
	free(probe->streams);
	free(probe);
}
