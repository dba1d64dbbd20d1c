/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gauge.c - what the page and /metrics show of a run
 *
 * Floor: edge.
 *
 * How it works
 *
 * A packet counts in the bin of the time that the run has reached when it is
 * settled, which is the greatest time told so far; what waited long and was
 * then dropped is thus shown when that happened.  All channels finish their
 * bins at once, also those where nothing happened.
 *
 * Delays and errors go into histograms of the same kind as the record's, so
 * that the page and the summary show the same quantiles.
 */
#include "edge/gauge_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/forecast.h"

/* Bins of all channels together: some 8 MB. */
#define BINS_ALL (1u << 17)
#define BINS_MIN 240u
/* Packets to simulate where an arm has no formula, all channels together. */
#define FORECAST_PACKETS 200000u

#define US		 ((nsec)1000)
#define MS		 (1000 * US)
const nsec gauge_delay_bounds[GAUGE_BOUNDS] = {
	1 * MS,	   2 * MS,    5 * MS,	  10 * MS,  20 * MS,
	50 * MS,   100 * MS,  200 * MS,	  500 * MS, 1000 * MS,
	2000 * MS, 5000 * MS, 10000 * MS,
};
const nsec gauge_error_bounds[GAUGE_BOUNDS] = {
	10 * US, 20 * US, 50 * US, 100 * US, 200 * US, 500 * US, 1 * MS,
	2 * MS,	 5 * MS,  10 * MS, 20 * MS,  50 * MS,  100 * MS,
};

static void foretell(struct gauge *gauge)
{
	const struct forecast_ask ask = {
		.packets = FORECAST_PACKETS / (gauge->n + 9),
	};
	struct forecast forecast;

	for (size_t i = 0; i + 1 < gauge->n; i++) {
		struct gauge_intent *intent = &gauge->channel[i].intent;

		intent->is_known =
			forecast_channel(&forecast, gauge->arm, i, &ask);
		intent->least = forecast.least;
		intent->mean = forecast.mean;
		intent->most = forecast.most;
		intent->p99 = forecast.p99;
		intent->loss = forecast.loss;
	}
}

struct gauge *gauge_new(const struct arm *arm)
{
	struct gauge *gauge = calloc(1, sizeof(*gauge));
	size_t room;

	if (!gauge)
		abort();
	gauge->arm = arm;
	gauge->n = arm->n_channels + 1;
	room = BINS_ALL / gauge->n;
	gauge->room = room > GAUGE_BINS ? GAUGE_BINS
		      : room < BINS_MIN ? BINS_MIN
					: room;
	gauge->channel = calloc(gauge->n, sizeof(*gauge->channel));
	gauge->tally = calloc(gauge->n, sizeof(*gauge->tally));
	if (!gauge->channel || !gauge->tally)
		abort();
	for (size_t i = 0; i < gauge->n; i++) {
		/* pages are touched only when bins are written */
		gauge->channel[i].ring =
			calloc(gauge->room, sizeof(*gauge->channel[i].ring));
		if (!gauge->channel[i].ring)
			abort();
	}
	gauge_adopt(gauge, arm);
	return gauge;
}

void gauge_adopt(struct gauge *gauge, const struct arm *arm)
{
	gauge->arm = arm;
	gauge->start = (struct pose){ arm->vehicle.settings.start_x,
				      arm->vehicle.settings.start_y,
				      arm->vehicle.settings.start_yaw };
	foretell(gauge);
}

static void finish_bins(struct gauge *gauge)
{
	for (size_t i = 0; i < gauge->n; i++) {
		struct gauge_channel *channel = &gauge->channel[i];

		channel->open.queued = (uint32_t)channel->queued;
		channel->ring[gauge->bins % gauge->room] = channel->open;
		memset(&channel->open, 0, sizeof(channel->open));
	}
	gauge->bins++;
	gauge->all_bins++;
}

static void pass(struct gauge *gauge, nsec now)
{
	uint64_t bin;

	if (now == NSEC_NEVER || now <= gauge->now)
		return;
	gauge->now = now;
	bin = (uint64_t)(now / GAUGE_BIN);
	while (gauge->bins < bin)
		finish_bins(gauge);
}

static void begin_trial(struct gauge *gauge, const struct feed_item *item)
{
	snprintf(gauge->trial, sizeof(gauge->trial), "%s", item->trial);
	gauge->between = item->between;
	gauge->now = 0;
	gauge->bins = 0;
	gauge->seen = false;
	memset(gauge->tally, 0, gauge->n * sizeof(*gauge->tally));
	for (size_t i = 0; i < gauge->n; i++)
		memset(&gauge->channel[i].open, 0,
		       sizeof(gauge->channel[i].open));
	gauge->truth.n = gauge->odom.n = gauge->view.n = 0;
	gauge->truth.is_set = gauge->odom.is_set = gauge->view.is_set = false;
	gauge->moved = true;
}

static void add_bar(struct gauge_bars *bars, const nsec *bounds, nsec value)
{
	bars->n++;
	bars->sum += value > 0 ? value : 0;
	for (size_t i = 0; i < GAUGE_BOUNDS; i++)
		if (value <= bounds[i]) {
			bars->bar[i]++;
			return;
		}
}

static void take_release(struct gauge *gauge, const struct feed_packet *packet)
{
	struct gauge_channel *channel = &gauge->channel[packet->channel];
	struct tally *tally = &gauge->tally[packet->channel];
	struct gauge_bin *bin = &channel->open;
	nsec delay = packet->due - packet->ingress, error;

	if (!bin->released || delay < bin->least)
		bin->least = delay;
	if (delay > bin->most)
		bin->most = delay;
	bin->sum += delay;
	bin->released++;
	channel->total.released++;
	histogram_add(&tally->delay, delay);
	add_bar(&channel->total.delay, gauge_delay_bounds, delay);
	if (packet->released == NSEC_NEVER)
		return;
	error = packet->released - packet->due;
	if (error > bin->error)
		bin->error = error;
	histogram_add(&tally->error, error);
	add_bar(&channel->total.error, gauge_error_bounds, error);
}

static void take_packet(struct gauge *gauge, const struct feed_packet *packet)
{
	struct gauge_channel *channel;

	/* a stop of ours and a duplicate did not enter */
	if (packet->channel >= gauge->n || packet->fate == FATE_INJECTED ||
	    packet->copy)
		return;
	pass(gauge, packet->released != NSEC_NEVER ? packet->released
						   : packet->ingress);
	channel = &gauge->channel[packet->channel];
	channel->open.in++;
	channel->open.bytes += packet->size;
	channel->total.in++;
	channel->total.bytes += packet->size;
	if (packet->fate == FATE_RELEASED || packet->fate == FATE_FORWARDED) {
		take_release(gauge, packet);
	} else if (packet->fate == FATE_SUPPRESSED) {
		channel->open.suppressed++;
		channel->total.suppressed++;
	} else {
		channel->open.dropped++;
		channel->total.dropped++;
	}
}

/* A pose of the odom frame is shown in the map frame. */
static struct pose in_map(const struct gauge *gauge, const struct pose *pose)
{
	struct pose moved = gauge->start;

	motion_compose(&moved, pose);
	return moved;
}

static void take_step(struct gauge *gauge, const struct vehicle_row *row)
{
	const struct pose odom = in_map(gauge, &row->odom);

	pass(gauge, row->time);
	track_add(&gauge->truth, row->time, &row->truth);
	track_add(&gauge->odom, row->time, &odom);
	gauge->moved = true;
}

static void take_view(struct gauge *gauge, const struct feed_view *view)
{
	const struct pose pose = in_map(gauge, &view->pose);

	pass(gauge, view->now);
	track_add(&gauge->view, view->now, &pose);
	gauge->moved = true;
}

/* Copy what fits, whole characters of UTF-8. */
static void copy_text(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size);

	if (n == size) {
		n--;
		while (n && ((unsigned char)from[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(to, from, n);
	to[n] = '\0';
}

static void take_event(struct gauge *gauge, const struct feed_event *event)
{
	struct gauge_event *to =
		&gauge->event[gauge->all_events++ % GAUGE_EVENTS];

	pass(gauge, event->now);
	copy_text(to->trial, sizeof(to->trial), gauge->trial);
	to->now = event->now;
	copy_text(to->word, sizeof(to->word), event->text);
	copy_text(to->detail, sizeof(to->detail),
		  event->text + event->detail_at);
}

void gauge_take(struct gauge *gauge, const struct feed_item *item)
{
	switch ((enum feed_kind)item->kind) {
	case FEED_TRIAL:
		begin_trial(gauge, item);
		break;
	case FEED_PACKET:
		take_packet(gauge, &item->packet);
		break;
	case FEED_STEP:
		take_step(gauge, &item->step);
		break;
	case FEED_VIEW:
		take_view(gauge, &item->view);
		break;
	case FEED_EVENT:
		take_event(gauge, &item->event);
		break;
	}
}

static void note_channel(struct gauge *gauge, size_t place,
			 const struct status_channel *from)
{
	struct tally *tally = &gauge->tally[place];

	gauge->channel[place].queued = from->queued > 0 ? from->queued : 0;
	tally->in = from->released + from->suppressed + from->dropped;
	tally->bytes = from->bytes;
	tally->released = from->released;
	tally->copies = from->copies;
	tally->suppressed = from->suppressed;
	tally->dropped = from->dropped;
	tally->nobody = from->nobody;
	tally->late = from->late;
	tally->bursts = from->bursts;
	tally->longest_gap = from->longest_gap;
	tally->n_reasons = from->n_reasons;
	for (size_t i = 0; i < from->n_reasons; i++) {
		tally->reason[i].by = from->reason[i].by;
		tally->reason[i].n = from->reason[i].n;
	}
}

void gauge_note(struct gauge *gauge, const struct status *status)
{
	/* the feed is ahead, or behind: by the next one they agree */
	if (strcmp(status->trial, gauge->trial) != 0)
		return;
	gauge->latest.counts = status->counts;
	gauge->latest.rows_lost = status->rows_lost;
	gauge->latest.clock_steps = status->clock_steps;
	if (!gauge->seen)
		gauge->first = gauge->latest;
	gauge->seen = true;
	gauge->changes = status->changes;
	gauge->seed = status->seed;
	for (size_t i = 0; i < gauge->n && i <= status->n; i++)
		note_channel(gauge, i, &status->channel[i]);
	pass(gauge, status->now);
}

size_t gauge_places(const struct gauge *gauge)
{
	return gauge->n;
}

const struct arm *gauge_arm(const struct gauge *gauge)
{
	return gauge->arm;
}

const struct gauge_total *gauge_total(const struct gauge *gauge, size_t place)
{
	return &gauge->channel[place].total;
}

uint64_t gauge_bins(const struct gauge *gauge)
{
	return gauge->all_bins;
}

uint64_t gauge_events(const struct gauge *gauge)
{
	return gauge->all_events;
}

void gauge_free(struct gauge *gauge)
{
	if (!gauge)
		return;
	for (size_t i = 0; i < gauge->n; i++)
		free(gauge->channel[i].ring);
	free(gauge->channel);
	free(gauge->tally);
	free(gauge);
}
