/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gauge_inside.h - what the files of the gauge share
 *
 * Floor: edge.
 */
#ifndef EDGE_GAUGE_INSIDE_H
#define EDGE_GAUGE_INSIDE_H

#include "edge/gauge.h"
#include "edge/track.h"

#define EVENT_WORD   40
#define EVENT_DETAIL 240

/* What happened in a channel within a bin. */
struct gauge_bin {
	uint32_t in, released, suppressed, dropped;
	uint64_t bytes;
	nsec least, sum, most, error;
	uint32_t queued;
};

/* What the arm intends for a channel: ns; @most may be infinite. */
struct gauge_intent {
	bool is_known;
	double least, mean, most, p99, loss;
};

/**
 * struct gauge_channel - A channel, or what fits none
 * @total:	Of the whole run
 * @intent:	What the arm intends
 * @queued:	Packets that waited when the status was last told
 * @open:	Bin that is being filled
 * @ring:	Finished bins of the trial
 */
struct gauge_channel {
	struct gauge_total total;
	struct gauge_intent intent;
	int64_t queued;
	struct gauge_bin open;
	struct gauge_bin *ring;
};

struct gauge_event {
	char trial[128];
	nsec now;
	char word[EVENT_WORD], detail[EVENT_DETAIL];
};

/**
 * struct gauge - What is shown of a run
 * @n:		Channels, with what fits none
 * @tally:	Of each: histograms as the feed tells them, counts as the
 *		latest status does
 * @now:	Trial time that the feed or the status has reached
 * @room:	Most bins in a ring
 * @bins:	Bins of the trial that were finished; the ring has the last ones
 * @all_bins:	… of the whole run
 * @all_events:	Events of the whole run; @event has the last ones
 * @status:	Counts of the whole run when the trial began: @seen once told
 * @moved:	A pose has changed since it was last asked for
 */
struct gauge {
	const struct arm *arm;
	size_t n;
	struct gauge_channel *channel;
	struct tally *tally;
	char trial[128];
	bool between;
	nsec now;
	size_t room;
	uint64_t bins, all_bins, all_events;
	struct gauge_event event[GAUGE_EVENTS];
	struct {
		struct front_counts counts;
		uint64_t rows_lost, clock_steps;
	} first, latest;
	bool seen, moved;
	uint64_t changes, seed;
	struct pose start;
	struct track truth, odom, view;
};

/* A bin of a channel: 0 is the latest finished one. */
static inline const struct gauge_bin *gauge_back(const struct gauge *gauge,
						 size_t place, uint64_t back)
{
	return &gauge->channel[place]
			.ring[(gauge->bins - 1 - back) % gauge->room];
}

/* Finished bins that are kept. */
static inline uint64_t gauge_kept(const struct gauge *gauge)
{
	return gauge->bins < gauge->room ? gauge->bins : gauge->room;
}

#endif /* EDGE_GAUGE_INSIDE_H */
