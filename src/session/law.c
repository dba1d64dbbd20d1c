/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * law.c - what a condition does in the long run, by formula
 *
 * Floor: session.
 */
#include "session/law.h"

#include <string.h>

#include "session/stage.h"

#define STEPS 2000
/* How far out a normal draw is followed, in standard deviations. */
#define TAIL 6.0

static double normal_density(double z)
{
	return exp(-0.5 * z * z) * 0.3989422804014327;
}

static double normal_share(double z)
{
	return 0.5 * erfc(-z * 0.7071067811865476);
}

/* Uniform on [base - jitter, base + jitter], floored at zero. */
static void draw_uniform(const struct draw *draw, struct law *law)
{
	double lo = draw->base - draw->jitter, hi = draw->base + draw->jitter;
	double width = hi - lo, square;

	law->zero = lo < 0.0 && width > 0.0 ? fmin(1.0, -lo / width) : 0.0;
	law->least = fmax(lo, 0.0);
	law->most = fmax(hi, 0.0);
	law->bounded = true;
	law->mean = draw->base;
	law->deviation = width / sqrt(12.0);
	if (law->zero > 0.0) {
		law->mean = law->most * law->most / (2.0 * width);
		square = pow(law->most, 3.0) / (3.0 * width);
		law->deviation = sqrt(square - law->mean * law->mean);
	}
}

/* Normal, floored at zero. */
static void draw_normal(const struct draw *draw, struct law *law)
{
	double at, share, density, square;

	law->least = 0.0;
	law->most = INFINITY;
	law->mean = draw->base;
	law->deviation = draw->jitter;
	if (draw->jitter == 0.0) {
		law->least = law->most = draw->base;
		law->bounded = true;
		return;
	}
	at = draw->base / draw->jitter;
	share = normal_share(at);
	density = normal_density(at);
	law->zero = normal_share(-at);
	law->mean = draw->base * share + draw->jitter * density;
	square = (draw->base * draw->base + draw->jitter * draw->jitter) *
			 share +
		 draw->base * draw->jitter * density;
	law->deviation = sqrt(fmax(0.0, square - law->mean * law->mean));
}

void law_draw(const struct draw *draw, struct law *law)
{
	law->delays = true;
	if (draw->kind == DISTRIBUTION_NORMAL)
		draw_normal(draw, law);
	else
		draw_uniform(draw, law);
}

/* Share of draws below a delay. */
static double share_below(const struct draw *draw, double delay)
{
	double z = (delay - draw->base) / draw->jitter;

	if (draw->kind == DISTRIBUTION_NORMAL)
		return normal_share(z);
	return fmin(1.0, fmax(0.0, 0.5 * (z + 1.0)));
}

double law_reordered(const struct draw *draw, double interval, double loss)
{
	double tail = draw->kind == DISTRIBUTION_NORMAL ? TAIL : 1.0;
	double late = 0.0, all = 0.0;

	if (draw->jitter <= 0.0 || interval <= 0.0)
		return 0.0;
	for (int i = 0; i < STEPS; i++) {
		double z = tail * (2.0 * (i + 0.5) / STEPS - 1.0);
		double delay = draw->base + draw->jitter * z, first = 1.0;
		double weight = draw->kind == DISTRIBUTION_NORMAL
					? normal_density(z)
					: 1.0;

		/* first: no packet sent later, and not lost, is there before */
		for (double ahead = interval; ahead < delay && first > 1e-9;
		     ahead += interval)
			first *= 1.0 - (1.0 - loss) *
					       share_below(draw, delay - ahead);
		late += weight * (1.0 - first);
		all += weight;
	}
	return late / all;
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

#define CELLS	   4096
#define ROUNDS_MAX 4000

/* Integral from 0 to @at of a function given at the borders of the cells. */
static double integral(const double *function, const double *sum, double at)
{
	double part;
	int cell;

	if (at <= 0.0)
		return 0.0;
	if (at >= 1.0)
		return sum[CELLS] + at - 1.0;
	cell = (int)(at * CELLS);
	part = at - (double)cell / CELLS;
	return sum[cell] + part * function[cell] +
	       0.5 * part * part * CELLS *
		       (function[cell + 1] - function[cell]);
}

double law_netem_share(double probability, double correlation)
{
	double function[CELLS + 1], next[CELLS + 1], sum[CELLS + 1];
	double rho = correlation, change = 1.0;
	int at;

	if (rho <= 0.0 || rho >= 1.0)
		return probability;
	for (int i = 0; i <= CELLS; i++)
		function[i] = (double)i / CELLS;
	/* the distribution of the blend, from one packet to the next, until
	 * it stays as it is
	 */
	for (int round = 0; round < ROUNDS_MAX && change > 1e-13; round++) {
		change = sum[0] = 0.0;
		for (int i = 0; i < CELLS; i++)
			sum[i + 1] =
				sum[i] +
				0.5 * (function[i] + function[i + 1]) / CELLS;
		for (int i = 0; i <= CELLS; i++) {
			double y = (double)i / CELLS;

			next[i] = rho / (1.0 - rho) *
				  (integral(function, sum, y / rho) -
				   integral(function, sum,
					    (y - 1.0 + rho) / rho));
			change = fmax(change, fabs(next[i] - function[i]));
		}
		memcpy(function, next, sizeof(function));
	}
	if (probability >= 1.0)
		return 1.0;
	at = (int)(probability * CELLS);
	return function[at] +
	       (probability * CELLS - at) * (function[at + 1] - function[at]);
}

static struct draw draw_of(const struct stage_plan *stage)
{
	return (struct draw){ .kind = stage_distribution(stage).kind,
			      .base = (double)stage_whole(stage, "base"),
			      .jitter = (double)stage_whole(stage, "jitter") };
}

static bool has_formula(const struct draw *draw)
{
	return draw->kind == DISTRIBUTION_UNIFORM ||
	       draw->kind == DISTRIBUTION_NORMAL;
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
	struct draw draw = draw_of(stage);

	law->drawn = law->stationary = true;
	law->keeps_order = draw.jitter == 0.0;
	if (has_formula(&draw))
		law_draw(&draw, law);
}

static void law_monotonic(const struct stage_plan *stage, struct law *law)
{
	struct draw draw = draw_of(stage);

	law->drawn = law->stationary = law->keeps_order = true;
	if (draw.jitter == 0.0)
		law_draw(&draw, law);
	if (draw.kind == DISTRIBUTION_UNIFORM) {
		/* who is held back waits for one that was no longer under way */
		law->most = draw.base + draw.jitter;
		law->bounded = true;
	}
}

/* Order holds by itself if the delay falls more slowly than time passes: the
 * share in which it does not is that of the slope, which is normal.
 */
static void law_smooth(const struct stage_plan *stage, struct law *law)
{
	struct draw draw = draw_of(stage);
	double scale = (double)stage_whole(stage, "time_scale");
	double slope = draw.kind == DISTRIBUTION_UNIFORM ? 0.8 * draw.jitter
							 : draw.jitter;

	law->drawn = law->stationary = law->keeps_order = true;
	if (!has_formula(&draw))
		return;
	if (scale <= 0.0)
		scale = 4.0 * slope;
	law->held = slope > 0.0 ? normal_share(-scale / slope) : 0.0;
	if (law->held < 0.002) /* moves the mean by less than can be seen */
		law_draw(&draw, law);
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

	if (p31 <= 0.0 || (p32 > 0.0 && p23 <= 0.0))
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
	char list[64];

	if (every < 1 || *stage_text(stage, "packets", list, sizeof(list)))
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
	struct law law = { .most = 0.0 };
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
