/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * bench.h - a virtual workbench: datagrams through an arm, outcomes collected
 *
 * Floor: tests.
 *
 * A bench is a driver of a session in which the test's own arithmetic is the
 * clock.  Each datagram carries its mark (0, 1, 2, … in the order in which they
 * were put in) and a pattern; when it is taken out, the bench checks that not a
 * byte has changed.  The condition "asked" is in every bench's catalog: its
 * delay stands in the datagram, so that a test can say what each stage does to
 * each packet.
 */
#ifndef TESTS_UNIT_BENCH_H
#define TESTS_UNIT_BENCH_H

#include "session/session.h"

#define MS NSEC_PER_MS

/* Seeds to try a property with: a sanitizer makes each as dear as ten. */
#ifdef __SANITIZE_ADDRESS__
#define BENCH_SEEDS 30
#else
#define BENCH_SEEDS 300
#endif

/* Limits of a channel that cost little to make and are never met. */
#define BENCH_ROOM "limit_packets = 1000\nlimit_bytes = 500kB\n"

/* Most arms that one bench goes through. */
#define BENCH_ARMS 64

/* Least payload that has room for a mark; bench_ask() needs 8 more a stage. */
#define MARK_BYTES 8u

/**
 * struct outcome - What became of one datagram
 * @mark:	Its place in the order in which they were put in
 * @ingress:	When it entered, as the session has it
 * @due:	When it was scheduled to leave, or NSEC_NEVER
 * @taken:	Up to which time the bench acted when it came out
 * @by:		Who suppressed or dropped it; "" where nobody did
 * @fate:	Its fate
 * @channel:	Place of its channel, or CHANNEL_NONE
 * @bytes:	Bytes of payload
 */
struct outcome {
	uint64_t mark;
	nsec ingress, due, taken;
	const char *by;
	enum fate fate;
	uint16_t channel;
	uint32_t bytes;
};

/**
 * struct bench - A session and what came out of it
 * @session:	The session
 * @arm:	Its arms so far; @n_arms of them
 * @out:	Outcomes in the order in which they came out; @n of them
 * @in:		Datagrams put in
 */
struct bench {
	struct catalog catalog;
	struct session *session;
	struct arm *arm[BENCH_ARMS];
	size_t n_arms;
	struct outcome *out;
	size_t n, room;
	uint64_t in;
};

/* The delay of stage @place is the @place-th number in the datagram. */
extern const struct condition bench_asked;

/**
 * bench_open() - A session of an arm
 * @bench:	Bench
 * @format:	Text of the arm, as for printf; a fault fails the test
 */
void bench_open(struct bench *bench, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * bench_adopt() - Go on with another arm
 * @bench:	Bench
 * @now:	When
 * @format:	Its text, as for printf; a fault fails the test
 *
 * Return: what session_adopt() returns.
 */
int bench_adopt(struct bench *bench, nsec now, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * bench_put() - Put one datagram in
 * @bench:	Bench
 * @at:		When it enters
 * @channel:	Place of the channel in the arm
 * @bytes:	Payload
 */
void bench_put(struct bench *bench, nsec at, uint16_t channel, uint32_t bytes);

/**
 * bench_ask() - Put in one datagram that says its delays itself
 * @bench:	Bench
 * @at:		When it enters
 * @channel:	Place of the channel in the arm
 * @delay:	Delay for each place; @n of them
 */
void bench_ask(struct bench *bench, nsec at, uint16_t channel,
	       const nsec *delay, size_t n);

/**
 * bench_take() - Take out all that is settled by a time
 * @bench:	Bench
 * @now:	The time; NSEC_NEVER: all there is
 *
 * Return: how many came out.
 */
size_t bench_take(struct bench *bench, nsec now);

/**
 * bench_feed() - Put @n datagrams in, @gap apart, and take all out
 * @bench:	Bench
 * @n:		How many
 * @gap:	Time between two; the first enters at 0
 * @channel:	Place of the channel in the arm
 * @bytes:	Payload
 */
void bench_feed(struct bench *bench, size_t n, nsec gap, uint16_t channel,
		uint32_t bytes);

/**
 * bench_reset() - Begin a new trial with nothing collected
 * @bench:	Bench; what waits is flushed and forgotten
 * @trial:	Id of the trial
 */
void bench_reset(struct bench *bench, const char *trial);

/**
 * bench_of() - Outcome of a datagram
 * @bench:	Bench
 * @mark:	Its mark
 *
 * Return: the outcome, or NULL if it did not come out.
 */
const struct outcome *bench_of(const struct bench *bench, uint64_t mark);

/**
 * bench_count() - How many came out with a fate
 * @bench:	Bench
 * @fate:	Fate
 * @by:		Who did it; NULL: whoever
 *
 * Return: how many.
 */
size_t bench_count(const struct bench *bench, enum fate fate, const char *by);

/**
 * bench_same() - Two benches have the same outcomes in the same order
 * @a:		One
 * @b:		The other
 *
 * When they were taken does not count.  Fails the test at the first difference.
 */
void bench_same(const struct bench *a, const struct bench *b);

/**
 * bench_close() - Free all of it
 * @bench:	Bench
 *
 * Fails the test if a packet is lost: neither inside nor come out.
 */
void bench_close(struct bench *bench);

/**
 * bench_random() - A random number
 * @rng:	Stream, begun by seed_key()
 * @most:	Greatest, at least 0
 *
 * Return: 0 to @most.
 */
static inline int64_t bench_random(struct rng *rng, int64_t most)
{
	return (int64_t)(rng_next(rng) % ((uint64_t)most + 1u));
}

#endif /* TESTS_UNIT_BENCH_H */
