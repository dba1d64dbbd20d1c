/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * token-bucket.c - a serialising link of a bit rate, with a burst allowance
 *
 * Floor: conditions.
 *
 * How it works
 *
 * The link is one moment, @free: the time at which everything accepted so far
 * has been serialised.  A packet of b bits at a rate R moves it to
 * max(ingress, free) + b/R; with an allowance of B bits the packet leaves B/R
 * before that, but not before it came.  The wait is how far that lies ahead; if
 * it is over max_wait the packet is suppressed and the link left alone.
 *
 * Times carry a fraction of a nanosecond in units of 1/R ns, so that no bit is
 * gained or lost by rounding and the long-run rate is exact.
 */
#include "conditions/condition.h"

#define NS_PER_S	INT64_C(1000000000)
#define ETHERNET_HEADER 14u
/* b * 10^9 + R stays below 2^63 up to these. */
#define BITS_MAX 8e9
#define RATE_MAX 1e12

struct bucket_settings {
	int64_t rate, burst, packet_size, overhead;
	nsec max_wait;
	int measure, initial;
};

enum { MEASURE_PAYLOAD, MEASURE_IP, MEASURE_ETHERNET };
enum { INITIAL_FULL, INITIAL_EMPTY };

struct bucket_state {
	nsec free;
	int64_t part; /* of a nanosecond, in 1/rate */
};

static const struct setting bucket_table[] = {
	{ .name = "rate",
	  .kind = SETTING_RATE,
	  .offset = offsetof(struct bucket_settings, rate),
	  .lo = 1,
	  .hi = RATE_MAX,
	  .text = "Bits per second that the link carries" },
	{ .name = "burst",
	  .kind = SETTING_SIZE,
	  .offset = offsetof(struct bucket_settings, burst),
	  .hi = BITS_MAX,
	  .preset = "0B",
	  .text = "Allowance that passes without waiting after idleness; 0 is "
		  "a "
		  "link that serialises every packet" },
	{ .name = "max_wait",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct bucket_settings, max_wait),
	  .hi = (double)DELAY_MAX / 2,
	  .preset = "200ms",
	  .text = "A packet that would wait longer than this is suppressed" },
	{ .name = "measure",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct bucket_settings, measure),
	  .preset = "ip",
	  .choices = "payload|ip|ethernet",
	  .text = "Which size counts: the UDP payload, the IP packet, or the "
		  "Ethernet frame (IP packet and 14 bytes)" },
	{ .name = "packet_size",
	  .kind = SETTING_SIZE,
	  .offset = offsetof(struct bucket_settings, packet_size),
	  .hi = BITS_MAX,
	  .preset = "0B",
	  .text = "Size that every packet counts as; 0 is its real size" },
	{ .name = "overhead",
	  .kind = SETTING_SIZE,
	  .offset = offsetof(struct bucket_settings, overhead),
	  .hi = 8e6,
	  .preset = "0B",
	  .text = "Added to the size of every packet" },
	{ .name = "initial",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct bucket_settings, initial),
	  .preset = "full",
	  .choices = "full|empty",
	  .text = "Whether the burst allowance is there when a trial starts" },
};

static int64_t bits_of(const struct bucket_settings *settings,
		       const struct turn *turn)
{
	int64_t bytes = turn->ip_bytes;

	if (settings->packet_size)
		return settings->packet_size + settings->overhead;
	if (settings->measure == MEASURE_PAYLOAD)
		bytes = turn->payload_bytes;
	else if (settings->measure == MEASURE_ETHERNET)
		bytes += ETHERNET_HEADER;
	return bytes * 8 + settings->overhead;
}

static void bucket_reset(const struct turn *turn)
{
	const struct bucket_settings *settings = turn->settings;
	struct bucket_state *state = turn->state;

	if (settings->initial == INITIAL_FULL)
		return;
	state->free = settings->burst * NS_PER_S / settings->rate;
	state->part = settings->burst * NS_PER_S % settings->rate;
}

static nsec bucket_apply(const struct turn *turn)
{
	const struct bucket_settings *settings = turn->settings;
	struct bucket_state *state = turn->state;
	int64_t rate = settings->rate, work;
	nsec credit = settings->burst * NS_PER_S / rate;
	int64_t credit_part = settings->burst * NS_PER_S % rate;
	nsec wait, leave;

	if (state->part >= rate) /* the rate was changed meanwhile */
		state->part = rate - 1;
	/* wait + (part - credit_part) / rate is how far the link is behind */
	wait = state->free - credit - turn->now;
	if (wait > settings->max_wait ||
	    (wait == settings->max_wait && state->part > credit_part))
		return DELAY_SUPPRESS;
	if (state->free < turn->now) {
		state->free = turn->now;
		state->part = 0;
	}
	work = bits_of(settings, turn) * NS_PER_S + state->part;
	state->free += work / rate;
	state->part = work % rate;
	/* the part of a nanosecond is waited out, never given away */
	leave = state->free - credit + (state->part > credit_part);
	return leave > turn->now ? leave - turn->now : 0;
}

extern const struct condition condition_token_bucket;
const struct condition condition_token_bucket = {
	.abi = CONDITION_ABI,
	.name = "token-bucket",
	.text = "a serialising link of a bit rate, with a burst allowance",
	.settings = bucket_table,
	.n_settings = sizeof(bucket_table) / sizeof(bucket_table[0]),
	.settings_size = sizeof(struct bucket_settings),
	.state_size = sizeof(struct bucket_state),
	.reset = bucket_reset,
	.apply = bucket_apply,
};
