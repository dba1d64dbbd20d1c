/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * log.c - messages to whoever watches, never more than they can read
 *
 * Floor: edge.
 *
 * How it works
 *
 * poll() tells of a pipe or a terminal whether it takes more, but calls every
 * file ready, whose disk may take seconds.  So while packets pass, texts go
 * into a bounded queue for each descriptor, and a thread writes from there what
 * poll() lets it, in pieces that a pipe with room takes at once.  A text is a
 * matter of a second or so, so a bell that is rung for each costs nothing.
 */
#include "edge/log.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "edge/privilege.h"
#include "edge/ring.h"
#include "edge/thread.h"

#define LIMIT_NS INT64_C(1000000000)
/* A line on as many channels as an arm may have fits. */
#define LANE_BYTES  (128u << 10)
#define LANES	    2
#define PATIENCE_MS 1000

/**
 * struct lane - What waits for a descriptor
 * @texts:	Queue
 * @fd:		Descriptor
 * @written:	Bytes of the first text that are written
 */
struct lane {
	struct ring texts;
	int fd;
	size_t written;
};

/**
 * struct writer - The thread that writes, and what it writes
 * @lane:	For stdout and for stderr
 * @bell:	Rung when there is something to do
 * @over:	Rung by the thread when it ends
 * @ends:	It is to end when all is written
 * @gives_up:	It is to end at once
 */
struct writer {
	struct lane lane[LANES];
	int bell, over;
	pthread_t thread;
	_Atomic bool ends, gives_up;
};

static struct writer *writer;
static _Atomic uint64_t lost; /* messages */
static void (*sink_of)(void *context, const char *message);
static void *sink_context;
static void (*listener_of)(void *context, const char *message);
static void *listener_context;

static void ring_bell(int bell)
{
	const uint64_t once = 1;

	(void)!write(bell, &once, sizeof(once));
}

/* Some of the first text, which its descriptor is said to take; a text that
 * cannot be written is passed over.
 */
static void write_piece(struct lane *lane)
{
	size_t size;
	const char *text = ring_first(&lane->texts, &size);
	size_t left = size - lane->written;
	ssize_t n = write(lane->fd, text + lane->written,
			  left < PIPE_BUF ? left : PIPE_BUF);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0)
		lane->written += (size_t)n;
	if (n <= 0 && lane->fd == STDERR_FILENO)
		lost++;
	if (n > 0 && lane->written < size)
		return;
	lane->written = 0;
	ring_take(&lane->texts);
}

static void *run(void *context)
{
	struct writer *self = context;
	struct pollfd ready[LANES + 1];
	uint64_t rings;
	size_t size;

	(void)privilege_keep(PRIVILEGE_NONE);
	for (;;) {
		/* read first: what was handed over before it is there now */
		bool ends = atomic_load(&self->ends), empty = true;

		ready[LANES] = (struct pollfd){ self->bell, POLLIN, 0 };
		for (int i = 0; i < LANES; i++) {
			struct lane *lane = &self->lane[i];
			bool waits = ring_first(&lane->texts, &size) != NULL;

			ready[i] = (struct pollfd){ waits ? lane->fd : -1,
						    POLLOUT, 0 };
			empty = empty && !waits;
		}
		if ((ends && empty) || atomic_load(&self->gives_up))
			break;
		if (poll(ready, LANES + 1, -1) < 0)
			continue;
		if (ready[LANES].revents)
			(void)!read(self->bell, &rings, sizeof(rings));
		for (int i = 0; i < LANES; i++)
			if (ready[i].revents)
				write_piece(&self->lane[i]);
	}
	ring_bell(self->over);
	return NULL;
}

static void writer_free(struct writer *of)
{
	for (int i = 0; i < LANES; i++)
		ring_fini(&of->lane[i].texts);
	if (of->bell >= 0)
		close(of->bell);
	if (of->over >= 0)
		close(of->over);
	free(of);
}

int log_begin(struct err *err)
{
	struct writer *new = calloc(1, sizeof(*new));
	int error = ENOMEM;

	if (!new)
		abort();
	new->lane[0].fd = STDOUT_FILENO;
	new->lane[1].fd = STDERR_FILENO;
	new->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	new->over = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (new->bell < 0 || new->over < 0)
		error = errno;
	else if (ring_init(&new->lane[0].texts, LANE_BYTES) &&
		 ring_init(&new->lane[1].texts, LANE_BYTES))
		error = thread_start(&new->thread, run, new);
	if (!error) {
		writer = new;
		return 0;
	}
	writer_free(new);
	return err_add_machine(err, "no thread to write messages: %s",
			       strerror(error));
}

/* Those that are missing, where they are. */
static void tell_lost(void)
{
	uint64_t n = atomic_exchange(&lost, 0);
	char line[100];
	int size;

	if (!n)
		return;
	size = snprintf(line, sizeof(line),
			"farlink: %" PRIu64 " messages are missing here: "
			"they could not be written\n",
			n);
	if (!log_write(STDERR_FILENO, line, (size_t)size))
		lost += n;
}

/* Whether the thread ends; a second signal ends the patience. */
static bool is_over(const struct writer *of, int patience_ms)
{
	struct pollfd over = { of->over, POLLIN, 0 };

	return poll(&over, 1, patience_ms) == 1;
}

void log_end(void)
{
	struct writer *old = writer;

	if (!old)
		return;
	writer = NULL;
	atomic_store(&old->ends, true);
	ring_bell(old->bell);
	if (!is_over(old, PATIENCE_MS)) {
		atomic_store(&old->gives_up, true);
		ring_bell(old->bell);
	}
	if (is_over(old, PATIENCE_MS / 10)) {
		pthread_join(old->thread, NULL);
		writer_free(old);
	} else { /* it hangs in the kernel, and ends with us */
		pthread_detach(old->thread);
	}
	tell_lost();
}

static bool hand_over(int fd, const char *text, size_t size)
{
	struct lane *lane = &writer->lane[fd != STDOUT_FILENO];
	void *room = ring_room(&lane->texts, size);

	if (!room)
		return false;
	memcpy(room, text, size);
	ring_put(&lane->texts);
	ring_bell(writer->bell);
	return true;
}

bool log_write(int fd, const char *text, size_t size)
{
	if (writer)
		return hand_over(fd, text, size);
	while (size) {
		struct pollfd ready = { .fd = fd, .events = POLLOUT };
		size_t piece = size < PIPE_BUF ? size : PIPE_BUF;
		ssize_t n;

		/* where poll says so, a pipe has room for this much */
		if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT))
			return false;
		n = write(fd, text, piece);
		if (n <= 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

static void say(const char *format, va_list args, uint64_t kept)
{
	static const char prefix[] = "farlink: ";
	char line[1100], *text = line + sizeof(prefix) - 1;
	size_t n;

	memcpy(line, prefix, sizeof(prefix));
	vsnprintf(text, 1024, format, args);
	n = strlen(text);
	if (kept)
		n += (size_t)snprintf(text + n, 64, " (and %" PRIu64 " more)",
				      kept);
	if (listener_of)
		listener_of(listener_context, text);
	if (sink_of) {
		sink_of(sink_context, text);
		return;
	}
	text[n++] = '\n';
	tell_lost();
	if (!log_write(STDERR_FILENO, line, (size_t)(text - line) + n))
		lost++;
}

void log_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args, 0);
	va_end(args);
}

bool log_limited(struct log_limit *limit, int64_t now, const char *format, ...)
{
	va_list args;

	if (limit->last && now - limit->last < LIMIT_NS) {
		limit->kept++;
		return false;
	}
	va_start(args, format);
	say(format, args, limit->kept);
	va_end(args);
	limit->last = now;
	limit->kept = 0;
	return true;
}

void log_sink(void (*sink)(void *context, const char *message), void *context)
{
	sink_of = sink;
	sink_context = context;
}

void log_listener(void (*listener)(void *context, const char *message),
		  void *context)
{
	listener_of = listener;
	listener_context = context;
}
