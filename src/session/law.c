/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * law.c - what a condition does in the long run, by formula
 *
 * Floor: session.
 */
#include "session/law.h"

#include <string.h>

#include "conditions/distribution.h"
#include "session/stage.h"

/* Steps of probability in which a spread is summed. */
#define STEPS 1024

static double normal_share(double z)
{
	return 0.5 * erfc(-z * 0.7071067811865476);
}

/* Quantile of a spread, as the difference to its base. */
static double spread_at(const struct spread *spread, double u)
{
	return spread->jitter *
	       distribution_quantile(&spread->distribution, spread->shape, u);
}

/* Share of draws below zero. */
static double share_floored(const struct spread *spread)
{
	double lo = 0.0, hi = 1.0;

	if (spread->base + spread_at(spread, 0.0) >= 0.0)
		return 0.0;
	for (int i = 0; i < 50; i++) {
		double mid = 0.5 * (lo + hi);

		if (spread->base + spread_at(spread, mid) < 0.0)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Mean and mean square of quantiles up to a probability, times it.  The steps
 * are the finer the nearer to 0, where the tail of the law lies.
 */
static void sum_below(const struct spread *spread, double share, double *mean,
		      double *square)
{
	*mean = *square = 0.0;
	for (int i = 0; i < STEPS; i++) {
		double v = (i + 0.5) / STEPS;
		double at = spread_at(spread, share * v * v);
		double weight = 2.0 * v * share / STEPS;

		*mean += at * weight;
		*square += at * at * weight;
	}
}

void law_spread(const struct spread *spread, struct law *law)
{
	enum distribution_kind kind = spread->distribution.kind;
	double mean = 0.0, square = spread->jitter * spread->jitter;
	double below, below_square, floored = share_floored(spread);

	/* all in differences to the base, lest they cancel */
	if (kind == DISTRIBUTION_UNIFORM)
		square /= 3.0;
	else if (kind == DISTRIBUTION_TABLE)
		sum_below(spread, 1.0, &mean, &square);
	if (floored > 0.0) {
		sum_below(spread, floored, &below, &below_square);
		mean += -spread->base * floored - below;
		square += spread->base * spread->base * floored - below_square;
	}
	law->delays = true;
	law->zero = floored;
	law->mean = spread->base + mean;
	law->deviation = sqrt(fmax(0.0, square - mean * mean));
	law->least = fmax(0.0, spread->base + spread_at(spread, 0.0));
	law->bounded = kind == DISTRIBUTION_UNIFORM ||
		       kind == DISTRIBUTION_TABLE || spread->jitter == 0.0;
	law->most = law->bounded
			    ? fmax(0.0, spread->base + spread_at(spread, 1.0))
			    : INFINITY;
}

/* Share of the quantiles, at equal steps of probability, below a value between
 * the first and the last.
 */
static double share_below(const double *quantile, double value)
{
	int lo = 0, hi = STEPS - 1;

	while (hi - lo > 1) {
		int mid = (lo + hi) / 2;

		if (quantile[mid] < value)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + 0.5 +
		(value - quantile[lo]) / (quantile[hi] - quantile[lo])) /
	       STEPS;
}

double law_reordered(const struct spread *spread, double interval, double loss)
{
	double quantile[STEPS], late = 0.0;

	if (interval <= 0.0)
		return 0.0;
	for (int i = 0; i < STEPS; i++)
		quantile[i] =
			fmax(0.0, spread->base +
					  spread_at(spread, (i + 0.5) / STEPS));
	for (int i = 0; i < STEPS; i++) {
		double first = 1.0;

		/* first: no packet sent later, and not lost, is there before */
		for (double left = quantile[i] - interval;
		     left > quantile[0] && first > 1e-9; left -= interval)
			first *= 1.0 -
				 (1.0 - loss) * share_below(quantile, left);
		late += 1.0 - first;
	}
	return late / STEPS;
}

double law_between_stops(const struct law *law, double interval, double timeout)
{
	/* a gap of k lost packets lasts k + 1 intervals */
	double k = floor(timeout / interval + 1e-9);
	double starts = law->loss * (1.0 - law->again);

	if (k < 1.0 || starts <= 0.0)
		return INFINITY;
	return interval / (starts * pow(law->again, k - 1.0));
}

struct spread law_spread_of(const struct stage_plan *stage)
{
	return (struct spread){ .distribution = stage_distribution(stage),
				.shape = stage_part(stage, "shape"),
				.base = (double)stage_whole(stage, "base"),
				.jitter =
					(double)stage_whole(stage, "jitter") };
}

static void law_delay(const struct stage_plan *stage, struct law *law)
{
	law->mean = (double)stage_whole(stage, "delay");
	law->least = law->most = law->mean;
	law->delays = law->bounded = law->keeps_order = true;
	law->stationary = true;
}

static void law_jitter(const struct stage_plan *stage, struct law *law)
{
	struct spread spread = law_spread_of(stage);

	law->drawn = law->stationary = true;
	law->keeps_order = spread.jitter == 0.0;
	law_spread(&spread, law);
	if (spread.distribution.loss > 0.0) {
		law->loss = law->again = spread.distribution.loss;
		law->runs = stage_part(stage, "correlation") == 0.0;
		law->delays = false;
	}
}

static void law_monotonic(const struct stage_plan *stage, struct law *law)
{
	struct spread spread = law_spread_of(stage);

	law->drawn = law->stationary = law->keeps_order = true;
	law_spread(&spread, law);
	/* who is held back waits for one that left no later than the longest
	 * draw allows; the rest depends on the stream
	 */
	law->delays = spread.jitter == 0.0;
	law->loss = law->again = spread.distribution.loss;
	law->runs = stage_part(stage, "correlation") == 0.0;
}

/* Order holds by itself where the delay falls more slowly than time passes: the
 * share in which it does not is that of the slope, which is normal.
 */
static void law_smooth(const struct stage_plan *stage, struct law *law)
{
	struct spread spread = law_spread_of(stage);
	double scale = (double)stage_whole(stage, "time_scale");
	double slope = spread.jitter;
	enum distribution_kind kind = spread.distribution.kind;

	law->drawn = law->stationary = law->keeps_order = true;
	law_spread(&spread, law);
	if (scale <= 0.0) /* as the condition chooses it */
		scale = fmax(1e6,
			     spread.jitter * (kind == DISTRIBUTION_UNIFORM ? 2.5
					      : kind == DISTRIBUTION_NORMAL
						      ? 4.0
						      : 6.0));
	if (kind == DISTRIBUTION_UNIFORM)
		slope *= 0.8; /* its steepest, against the normal process */
	else if (kind != DISTRIBUTION_NORMAL)
		law->delays = false; /* steeper in its tails */
	if (slope > 0.0)
		law->held = normal_share(-scale / slope);
	if (law->held > 0.002) /* below, it moves nothing that can be seen */
		law->delays = false;
}

static void law_loss(const struct stage_plan *stage, struct law *law)
{
	double correlation = stage_part(stage, "correlation");

	law->loss = stage_part(stage, "probability");
	law->again = law->loss + correlation * (1.0 - law->loss);
	law->loses = law->runs = true;
}

static void law_gilbert(const struct stage_plan *stage, struct law *law)
{
	double p = stage_part(stage, "p"), r = stage_part(stage, "r");
	double bad = stage_part(stage, "loss_bad");
	double good = stage_part(stage, "loss_good");
	double burst = stage_part(stage, "mean_burst"), share, both;

	if (burst > 0.0) {
		law->loss = stage_part(stage, "loss");
		law->again = 1.0 - 1.0 / burst;
		law->loses = law->runs = true;
		return;
	}
	if (p + r <= 0.0) {
		law->loss = law->again = good;
		law->loses = law->runs = true;
		return;
	}
	share = p / (p + r); /* of packets that meet the bad state */
	law->loss = share * bad + (1.0 - share) * good;
	both = share * bad * ((1.0 - r) * bad + r * good) +
	       (1.0 - share) * good * (p * bad + (1.0 - p) * good);
	law->again = law->loss > 0.0 ? both / law->loss : 0.0;
	law->loses = true;
	law->runs = good == 0.0 && bad == 1.0;
}

static void law_markov(const struct stage_plan *stage, struct law *law)
{
	double p13 = stage_part(stage, "p13"), p31 = stage_part(stage, "p31");
	double p32 = stage_part(stage, "p32"), p23 = stage_part(stage, "p23");
	double p14 = stage_part(stage, "p14"), first, bursts;

	if (p31 <= 0.0)
		return; /* it does not come back: no long run */
	bursts = p13 / p31;
	first = 1.0 /
		(1.0 + p14 + bursts * (1.0 + (p32 > 0.0 ? p32 / p23 : 0.0)));
	law->loss = first * (p14 + bursts);
	law->again = law->loss > 0.0
			     ? first * bursts * (1.0 - p31 - p32) / law->loss
			     : 0.0;
	law->loses = true;
}

static void law_periodic(const struct stage_plan *stage, struct law *law)
{
	int64_t every = stage_whole(stage, "every");

	if (!every) /* a list says which are lost */
		return;
	law->loss = 1.0 / (double)every;
	law->again = every == 1;
	law->loses = law->runs = true;
}

double law_bits(const struct stage_plan *stage, uint32_t payload,
		uint32_t ip_bytes)
{
	int64_t bits = stage_whole(stage, "packet_size");
	char measure[32];

	stage_text(stage, "measure", measure, sizeof(measure));
	if (!bits && !strcmp(measure, "payload"))
		bits = 8 * (int64_t)payload;
	else if (!bits)
		bits = 8 * (int64_t)ip_bytes;
	if (!strcmp(measure, "ethernet") && !stage_whole(stage, "packet_size"))
		bits += 8 * 14;
	return (double)(bits + stage_whole(stage, "overhead"));
}

/* What a link of a rate holds back is not known by formula, but bounded. */
static void law_bucket(const struct stage_plan *stage, struct law *law)
{
	law->rate = (double)stage_whole(stage, "rate");
	law->most = (double)stage_whole(stage, "max_wait");
	law->bounded = law->keeps_order = law->stationary = true;
}

static void law_outage(const struct stage_plan *stage, struct law *law)
{
	char mode[32];

	stage_text(stage, "mode", mode, sizeof(mode));
	law->keeps_order = true;
	law->most = 0.0;
	law->bounded = !strcmp(mode, "drop");
}

static void law_sine(const struct stage_plan *stage, struct law *law)
{
	law->most = (double)stage_whole(stage, "mean") +
		    (double)stage_whole(stage, "amplitude");
	law->bounded = true;
}

static void law_in_order(const struct stage_plan *stage, struct law *law)
{
	(void)stage;
	law->keeps_order = true;
}

static const struct {
	const char *condition;
	void (*tell)(const struct stage_plan *stage, struct law *law);
	bool only_loses;
} laws[] = {
	{ "delay", law_delay, false },
	{ "jitter", law_jitter, false },
	{ "monotonic-jitter", law_monotonic, false },
	{ "smooth-jitter", law_smooth, false },
	{ "token-bucket", law_bucket, false },
	{ "loss", law_loss, true },
	{ "gilbert-elliott", law_gilbert, true },
	{ "markov-loss", law_markov, true },
	{ "periodic-loss", law_periodic, true },
	{ "outage", law_outage, false },
	{ "sine", law_sine, false },
	{ "link-trace", law_in_order, false },
	{ "slot", law_in_order, false },
};

struct law law_of(const struct stage_plan *stage)
{
	struct law law = { 0 };
	size_t i = 0, n = sizeof(laws) / sizeof(laws[0]);

	while (i < n && !stage_is(stage, laws[i].condition))
		i++;
	if (i == n)
		return (struct law){ .most = INFINITY };
	if (!laws[i].only_loses) {
		laws[i].tell(stage, &law);
		/* what only delays loses nothing, if its delay is known */
		law.loses |= law.drawn || law.delays;
	} else {
		laws[i].tell(stage, &law);
		law.mean = law.deviation = law.least = law.most = 0.0;
		law.delays = law.bounded = law.keeps_order = true;
		law.stationary = true;
	}
	if (!law.bounded)
		law.most = INFINITY;
	return law;
}
