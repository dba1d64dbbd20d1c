/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_metrics.c - /metrics: what the run does, for Prometheus
 *
 * Floor: edge.
 *
 * Counters are of the whole run, so that they never fall at a trial's start;
 * which trial it is stands in a metric of its own.  Seconds are written out of
 * whole nanoseconds: no locale has a say in it.
 */
#include <event2/buffer.h>
#include <inttypes.h>
#include <string.h>

#include "edge/web_inside.h"

/* A label's value: what would end it, with a backslash before it. */
static void add_escaped(struct evbuffer *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			evbuffer_add(to, "\\n", 2);
		else if (*text == '"' || *text == '\\')
			evbuffer_add_printf(to, "\\%c", *text);
		else
			evbuffer_add(to, text, 1);
	}
}

static void add_head(struct evbuffer *to, const char *name, const char *type,
		     const char *help)
{
	evbuffer_add_printf(to, "# HELP farlink_%s %s\n# TYPE farlink_%s %s\n",
			    name, help, name, type);
}

static void add_one(struct evbuffer *to, const char *name, const char *type,
		    const char *help, uint64_t value)
{
	add_head(to, name, type, help);
	evbuffer_add_printf(to, "farlink_%s %" PRIu64 "\n", name, value);
}

static void add_seconds(struct evbuffer *to, nsec ns)
{
	evbuffer_add_printf(to, "%" PRId64 ".%09" PRId64,
			    (int64_t)(ns / NSEC_PER_S),
			    (int64_t)(ns % NSEC_PER_S));
}

/* "NAME{direction="…",stream="…"", without the brace that ends it. */
static void add_channel(const struct web *web, struct evbuffer *to,
			const char *name, size_t place)
{
	const struct arm *arm = gauge_arm(web->gauge);
	const struct channel_plan *plan =
		place < arm->n_channels ? &arm->channel[place].plan : NULL;

	evbuffer_add_printf(to, "farlink_%s{direction=\"%s\",stream=\"", name,
			    plan ? direction_name(plan->direction) : "");
	add_escaped(to, plan ? plan->stream : "");
	evbuffer_add(to, "\"", 1);
}

/* A count in struct gauge_total, of each channel. */
static void add_counts(const struct web *web, struct evbuffer *to,
		       const char *name, const char *help, size_t offset)
{
	add_head(to, name, "counter", help);
	for (size_t i = 0; i < gauge_places(web->gauge); i++) {
		uint64_t n;

		memcpy(&n, (const char *)gauge_total(web->gauge, i) + offset,
		       sizeof(n));
		add_channel(web, to, name, i);
		evbuffer_add_printf(to, "} %" PRIu64 "\n", n);
	}
}

static void add_bars(const struct web *web, struct evbuffer *to,
		     const char *name, size_t place,
		     const struct gauge_bars *bars, const nsec *bounds)
{
	char part[64];
	uint64_t n = 0;

	snprintf(part, sizeof(part), "%s_bucket", name);
	for (size_t i = 0; i < GAUGE_BOUNDS; i++) {
		n += bars->bar[i];
		add_channel(web, to, part, place);
		evbuffer_add_printf(to, ",le=\"");
		add_seconds(to, bounds[i]);
		evbuffer_add_printf(to, "\"} %" PRIu64 "\n", n);
	}
	add_channel(web, to, part, place);
	evbuffer_add_printf(to, ",le=\"+Inf\"} %" PRIu64 "\n", bars->n);
	snprintf(part, sizeof(part), "%s_sum", name);
	add_channel(web, to, part, place);
	evbuffer_add_printf(to, "} ");
	add_seconds(to, bars->sum);
	evbuffer_add(to, "\n", 1);
	snprintf(part, sizeof(part), "%s_count", name);
	add_channel(web, to, part, place);
	evbuffer_add_printf(to, "} %" PRIu64 "\n", bars->n);
}

static void add_channels(const struct web *web, struct evbuffer *to)
{
	size_t n = gauge_places(web->gauge);

	add_counts(web, to, "packets_in_total",
		   "Packets that entered and are settled.",
		   offsetof(struct gauge_total, in));
	add_counts(web, to, "packets_released_total",
		   "Packets released or forwarded.",
		   offsetof(struct gauge_total, released));
	add_counts(web, to, "packets_suppressed_total",
		   "Packets that a condition suppressed.",
		   offsetof(struct gauge_total, suppressed));
	add_counts(web, to, "packets_dropped_total",
		   "Packets that something else dropped.",
		   offsetof(struct gauge_total, dropped));
	add_counts(web, to, "payload_bytes_total",
		   "Payload bytes of packets that entered and are settled.",
		   offsetof(struct gauge_total, bytes));
	add_head(to, "queued_packets", "gauge", "Packets that wait.");
	for (size_t i = 0; i < n; i++) {
		add_channel(web, to, "queued_packets", i);
		evbuffer_add_printf(to, "} %" PRId64 "\n",
				    web->status->channel[i].queued);
	}
	add_head(to, "delay_seconds", "histogram",
		 "Due minus ingress of released packets.");
	for (size_t i = 0; i < n; i++)
		add_bars(web, to, "delay_seconds", i,
			 &gauge_total(web->gauge, i)->delay,
			 gauge_delay_bounds);
	add_head(to, "release_error_seconds", "histogram",
		 "Release minus due of released packets.");
	for (size_t i = 0; i < n; i++)
		add_bars(web, to, "release_error_seconds", i,
			 &gauge_total(web->gauge, i)->error,
			 gauge_error_bounds);
}

void web_metrics(const struct web *web, struct evbuffer *to)
{
	const struct status *status = web->status;

	add_head(to, "info", "gauge", "The program, and the arm that governs.");
	evbuffer_add_printf(to, "farlink_info{version=\"%s\",arm=\"",
			    FARLINK_VERSION);
	add_escaped(to, status->arm->general.name);
	evbuffer_add_printf(to, "\"} 1\n");
	add_head(to, "trial_info", "gauge", "The present trial.");
	evbuffer_add_printf(to, "farlink_trial_info{trial=\"");
	add_escaped(to, status->trial);
	evbuffer_add_printf(to, "\",between=\"%s\"} 1\n",
			    status->between ? "yes" : "no");
	add_head(to, "trial_seconds", "gauge", "Time of the present trial.");
	evbuffer_add_printf(to, "farlink_trial_seconds ");
	add_seconds(to, status->now);
	evbuffer_add(to, "\n", 1);
	add_one(to, "trials_total", "counter", "Trials so far.",
		status->n_trials);
	add_one(to, "kernel_drops_total", "counter",
		"Datagrams that the kernel dropped for want of room.",
		status->counts.kernel_drops);
	add_one(to, "icmp_errors_total", "counter",
		"ICMP errors that came back.", status->counts.icmp_errors);
	add_one(to, "refused_total", "counter",
		"Datagrams from addresses that the arm does not allow.",
		status->counts.refused);
	add_one(to, "record_rows_lost_total", "counter",
		"Rows and captured packets that the record lost.",
		status->rows_lost);
	add_one(to, "clock_steps_total", "counter",
		"Times at which the wall clock was seen to be set.",
		status->clock_steps);
	add_one(to, "feed_lost_total", "counter",
		"Packets and events that are in no count here.",
		feed_lost(desk_feed(web->desk)));
	add_channels(web, to);
}
