/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gauge.h - what the page and /metrics show of a run
 *
 * Floor: edge.
 *
 * Fed with what the run tells (feed.h) and with how it stands (errand.h).  Its
 * memory is bounded, however long a run is.  A trial's start empties it, but
 * for the events and for the counts of the whole run.
 */
#ifndef EDGE_GAUGE_H
#define EDGE_GAUGE_H

#include <jansson.h>

#include "edge/errand.h"
#include "edge/feed.h"

struct gauge;

/* Width of a bin, and most bins of a channel: an hour. */
#define GAUGE_BIN    (500 * NSEC_PER_MS)
#define GAUGE_BINS   7200
#define GAUGE_EVENTS 200

/* Upper bounds of the bars that /metrics has, ns; above is one bar more. */
#define GAUGE_BOUNDS 13
extern const nsec gauge_delay_bounds[GAUGE_BOUNDS];
extern const nsec gauge_error_bounds[GAUGE_BOUNDS];

/**
 * struct gauge_bars - Counts of times by fixed bounds
 * @n:		Times
 * @sum:	Their sum, ns
 * @bar:	How many were not above each bound, and above that before it
 */
struct gauge_bars {
	uint64_t n;
	nsec sum;
	uint64_t bar[GAUGE_BOUNDS];
};

/**
 * struct gauge_total - What a channel did in the whole run
 * @in:		Packets that entered and are settled
 * @bytes:	Their payload bytes
 * @released:	Released or forwarded
 * @suppressed:	Suppressed by a condition
 * @dropped:	Dropped by something else
 * @delay:	Due minus ingress, of the released
 * @error:	Release minus due, of the released
 */
struct gauge_total {
	uint64_t in, bytes, released, suppressed, dropped;
	struct gauge_bars delay, error;
};

/**
 * gauge_new() - Make a gauge
 * @arm:	Arm of the run; borrowed
 *
 * Return: the gauge.
 */
struct gauge *gauge_new(const struct arm *arm);

/**
 * gauge_adopt() - Another arm governs
 * @gauge:	Gauge
 * @arm:	Arm with the same channels; borrowed
 */
void gauge_adopt(struct gauge *gauge, const struct arm *arm);

/**
 * gauge_take() - Something happened
 * @gauge:	Gauge
 * @item:	What
 */
void gauge_take(struct gauge *gauge, const struct feed_item *item);

/**
 * gauge_note() - How the run stands: time passes, queues are known
 * @gauge:	Gauge
 * @status:	Status
 */
void gauge_note(struct gauge *gauge, const struct status *status);

/**
 * gauge_places() - Channels, with what fits none
 * @gauge:	Gauge
 *
 * Return: how many.
 */
size_t gauge_places(const struct gauge *gauge);

/**
 * gauge_arm() - Arm that governs
 * @gauge:	Gauge
 *
 * Return: the arm.
 */
const struct arm *gauge_arm(const struct gauge *gauge);

/**
 * gauge_total() - What a channel did in the whole run
 * @gauge:	Gauge
 * @place:	Place of the channel
 *
 * Return: counts; borrowed.
 */
const struct gauge_total *gauge_total(const struct gauge *gauge, size_t place);

/**
 * gauge_bins() - Bins that were finished in the whole run
 * @gauge:	Gauge
 *
 * Return: how many; it only grows.
 */
uint64_t gauge_bins(const struct gauge *gauge);

/**
 * gauge_events() - Events so far
 * @gauge:	Gauge
 *
 * Return: how many; it only grows.
 */
uint64_t gauge_events(const struct gauge *gauge);

/**
 * gauge_channel_json() - Quantiles of a channel, and what its arm intends
 * @gauge:	Gauge
 * @place:	Place of the channel
 *
 * Return: {"delay", "error", "intended"}, the caller's.
 */
json_t *gauge_channel_json(const struct gauge *gauge, size_t place);

/**
 * gauge_verdict_json() - What the trial would be worth if it ended now
 * @gauge:	Gauge that was told a status
 *
 * Return: {"verdict", "reasons"}, the caller's.
 */
json_t *gauge_verdict_json(const struct gauge *gauge);

/**
 * gauge_bin_json() - A bin of all channels
 * @gauge:	Gauge
 * @back:	0: the latest finished one, 1: the one before it, …
 *
 * Return: {"trial", "bins": [BIN, …]}, a bin as in gauge_history_json(); or
 * NULL if there is none.
 */
json_t *gauge_bin_json(const struct gauge *gauge, uint64_t back);

/**
 * gauge_event_json() - An event
 * @gauge:	Gauge
 * @number:	Its number, from 0
 *
 * Return: {"n", "trial", "time_ns", "event", "detail"}, the caller's, or NULL
 * if it is not kept any more.
 */
json_t *gauge_event_json(const struct gauge *gauge, uint64_t number);

/**
 * gauge_poses_json() - Where the vehicle is, in the map frame
 * @gauge:	Gauge
 *
 * Return: {"truth", "odom", "view"}, each [TIME, X, Y, YAW] or absent; or NULL
 * if nothing moved since the last call.
 */
json_t *gauge_poses_json(struct gauge *gauge);

/**
 * gauge_history_json() - All that is kept of the trial, and the events
 * @gauge:	Gauge
 * @most:	Bins that a channel may have at most: they are made wider
 *
 * A bin is [TIME, IN, RELEASED, SUPPRESSED, DROPPED, BYTES, DELAY LEAST, MEAN,
 * GREATEST, ERROR GREATEST, QUEUED]; times in ns, null where nothing was
 * released.
 *
 * Return: {"trial", "bin_ns", "channels", "path", "events"}, the caller's.
 */
json_t *gauge_history_json(const struct gauge *gauge, size_t most);

/**
 * gauge_free() - Free a gauge
 * @gauge:	Gauge, or NULL
 */
void gauge_free(struct gauge *gauge);

#endif /* EDGE_GAUGE_H */
