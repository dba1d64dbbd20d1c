/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smooth-jitter.c - a delay that wanders smoothly over trial time; keeps order
 *
 * Floor: conditions.
 *
 * How it works
 *
 * The delay is D(t) = F^-1(Phi(z(t))), F the distribution asked for, Phi the
 * normal one, and z a Gaussian process of mean 0, variance 1 and correlation
 *
 *	(1 + x) e^-x,	x = time between / time_scale	(Matern, order 3/2)
 *
 * A path of z has a slope, so D need hardly ever fall faster than time passes,
 * which is when packets would overtake.  z and its slope w (in units of
 * 1 / time_scale) are a Markov process.  A step of the grid, a = grid /
 * time_scale, is exact whatever a:
 *
 *	z' = e^-a ((1 + a) z + a w) + n1
 *	w' = e^-a (-a z + (1 - a) w) + n2
 *	var n1 = 1 - e^-2a (1 + 2a + 2a*a)	cov = 2 a*a e^-2a
 *	var n2 = 1 - e^-2a (1 - 2a + 2a*a)
 *
 * Between points of the grid D goes straight, and a point lies no lower than
 * the one before it minus the grid: the guard that keeps order always.
 *
 * A function of time alone
 *
 * The two normal numbers of a step are those of its place (noise.h), not the
 * next ones of a stream.  Trial time is cut into blocks, and the path in a
 * block is defined as begun one block earlier, from a state drawn for that
 * place.  A block is longer than 64 time scales, after which the beginning has
 * a weight of 65 e^-64 = 10^-26: the path is the stationary process to the last
 * bit of a double, blocks join without a seam, and it can be entered anywhere.
 * So a packet after hours of silence costs two blocks of steps at most, as much
 * as one after minutes, and finds the same delay as if packets had come all the
 * time.  While time goes on step by step, the path of the block after is run
 * along with that of this one (@next), so that a block's end costs nothing.
 */
#include <string.h>

#include "conditions/draw.h"
#include "conditions/noise.h"

/* A block: so many time scales, and the steps that the guard looks back. */
#define BLOCK_SCALES 64
#define GUARD_SCALES 16
#define GRID_PARTS   20 /* grid, where it is not set, in a time scale */

__extension__ typedef __int128 wide;

struct smooth_settings {
	nsec base, jitter, time_scale, grid;
	struct distribution distribution;
	double shape;
};

/* A path at one point of the grid; @delay is below 0 where it has none yet. */
struct path {
	double z, w;
	nsec delay;
	bool guarded;
};

struct smooth_state {
	uint64_t clamped;
	uint64_t key;
	struct smooth_settings settings; /* what the rest was made from */
	bool ready;
	nsec grid;
	double zz, zw, wz, ww, n11, n21, n22; /* a step */
	int64_t block, lead;		      /* steps */
	int64_t at; /* @now stands at the point at * grid */
	struct path before, now, next;
	nsec latest; /* release so far */
};

static const struct setting smooth_table[] = {
	DRAW_BASE(struct smooth_settings),
	DRAW_JITTER(struct smooth_settings),
	DRAW_DISTRIBUTION(struct smooth_settings),
	DRAW_SHAPE(struct smooth_settings),
	{ .name = "time_scale",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct smooth_settings, time_scale),
	  .hi = (double)DELAY_MAX,
	  .preset = "0ms",
	  .text = "How slowly the delay wanders; 0 is long enough for it to "
		  "keep order by itself: jitter x 2.5 if uniform, x 4 if "
		  "normal, x 6 otherwise, at least 1 ms" },
	{ .name = "grid",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct smooth_settings, grid),
	  .hi = (double)DELAY_MAX,
	  .preset = "0ms",
	  .text = "Step in which the path is drawn, straight in between; 0 is "
		  "a twentieth of the time scale" },
};
static const char *const smooth_counts[] = { "clamped", NULL };

/* Shares of time in which the path would have to fall too fast: uniform 0.03 %,
 * normal 0.004 %, the skewed laws up to 0.1 %, pareto 0.7 %, by its heavy tail.
 */
static nsec scale_of(const struct smooth_settings *settings)
{
	nsec scale = settings->jitter * 6;

	if (settings->time_scale)
		return settings->time_scale;
	if (settings->distribution.kind == DISTRIBUTION_UNIFORM)
		scale = settings->jitter / 2 * 5;
	else if (settings->distribution.kind == DISTRIBUTION_NORMAL)
		scale = settings->jitter * 4;
	return scale > NSEC_PER_MS ? scale : NSEC_PER_MS;
}

static int smooth_check(const void *from, char *why, size_t size)
{
	const struct smooth_settings *settings = from;
	const char *fault =
		distribution_fault(&settings->distribution, settings->shape);
	nsec scale = scale_of(settings), grid = settings->grid;

	if (!fault && settings->distribution.loss > 0.0)
		fault = "distribution: this curve has a loss-level; here it "
			"must be 1: take it out and put a loss into the chain";
	if (!fault && scale < settings->jitter / 4)
		fault = "time_scale is under a quarter of jitter: the delay "
			"would have to fall faster than time passes; use at "
			"least jitter, or monotonic-jitter";
	if (!fault && grid && (grid > scale || grid < scale / 1000))
		fault = "grid is to be between a thousandth of time_scale and "
			"all of it";
	if (fault)
		snprintf(why, size, "%s", fault);
	return fault ? -1 : 0;
}

/* Coefficients of a step. */
static void prepare(struct smooth_state *state,
		    const struct smooth_settings *settings)
{
	nsec scale = scale_of(settings);
	double a, e, x, sum = 0.0, term = 1.0 / 6.0;

	state->grid = settings->grid ? settings->grid : scale / GRID_PARTS;
	if (state->grid < 1)
		state->grid = 1;
	state->lead = GUARD_SCALES * settings->jitter / state->grid + 1;
	state->block = BLOCK_SCALES * scale / state->grid + 1 + state->lead;
	a = (double)state->grid / (double)scale;
	e = exp(-a);
	state->zz = e * (1.0 + a);
	state->zw = e * a;
	state->wz = -e * a;
	state->ww = e * (1.0 - a);
	/* 1 - e^-x (1 + x + x*x/2), without the difference: it cancels */
	x = 2.0 * a;
	for (double n = 4.0; term > sum * 1e-17; n++) {
		sum += term;
		term *= x / n;
	}
	state->n11 = e * sqrt(sum * x * x * x);
	state->n21 = 2.0 * a * a * e * e / state->n11;
	state->n22 = sqrt(1.0 - e * e * (1.0 - 2.0 * a + 2.0 * a * a) -
			  state->n21 * state->n21);
}

/* Normal number @i of four that belong to a point of the grid. */
static double normal_at(const struct smooth_state *state, int64_t at,
			unsigned i)
{
	return distribution_normal(noise_at(state->key, (uint64_t)at * 4u + i));
}

/* The state that a path begins with at a point. */
static struct path begin(const struct smooth_state *state, int64_t at)
{
	return (struct path){ .z = normal_at(state, at, 2),
			      .w = normal_at(state, at, 3),
			      .delay = -1 };
}

static void move(const struct smooth_state *state, struct path *path,
		 double first, double second)
{
	double z = path->z, w = path->w;

	path->z = state->zz * z + state->zw * w + state->n11 * first;
	path->w = state->wz * z + state->ww * w + state->n21 * first +
		  state->n22 * second;
}

/* The delay at the point where a path stands, not too far below the last. */
static void delay_at(const struct smooth_state *state, struct path *path)
{
	const struct smooth_settings *settings = &state->settings;
	double x = distribution_of_normal(&settings->distribution,
					  settings->shape, path->z);
	double delay = (double)settings->base + (double)settings->jitter * x;
	nsec least = path->delay - state->grid;

	/* what is over the limit stays so, and comes out as invalid */
	delay = fmin(fmax(delay, 0.0), 2.0 * (double)DELAY_MAX);
	path->guarded = path->delay >= 0 && (nsec)(delay + 0.5) < least;
	path->delay = path->guarded ? least : (nsec)(delay + 0.5);
}

static void step(struct smooth_state *state)
{
	double first = normal_at(state, state->at, 0);
	double second = normal_at(state, state->at, 1);
	int64_t place;

	state->at++;
	place = state->at % state->block;
	if (place < 0)
		place += state->block;
	state->before = state->now;
	move(state, &state->now, first, second);
	move(state, &state->next, first, second);
	if (!place || state->block - place <= state->lead)
		delay_at(state, &state->next);
	if (place) {
		if (state->now.delay >= 0)
			delay_at(state, &state->now);
		return;
	}
	state->now = state->next;
	state->next = begin(state, state->at);
}

/* Go to where @now stands at @at, the point before it known too. */
static void go_to(struct smooth_state *state, int64_t at)
{
	int64_t block = (at - 1) / state->block;

	if (!state->ready || (at - 1 - state->at) / state->block > 1) {
		state->at = (block - 1) * state->block;
		state->now = state->next = begin(state, state->at);
		state->ready = true;
	}
	while (state->at < at)
		step(state);
}

static void smooth_reset(const struct turn *turn)
{
	struct smooth_state *state = turn->state;

	state->key = noise_key(turn->rng);
}

/* The delay at a time between two points; never falls faster than time passes,
 * to the nanosecond.
 */
static nsec between(const struct smooth_state *state, nsec now)
{
	wide fall = state->now.delay - state->before.delay;
	wide part = fall * (now % state->grid), grid = state->grid;

	/* rounded down, where C rounds towards zero */
	part = part < 0 ? -((grid - 1 - part) / grid) : part / grid;
	return state->before.delay + (nsec)part;
}

static nsec smooth_apply(const struct turn *turn)
{
	const struct smooth_settings *settings = turn->settings;
	struct smooth_state *state = turn->state;
	nsec delay;
	bool early;

	if (!state->ready ||
	    memcmp(&state->settings, settings, sizeof(*settings)) != 0) {
		memcpy(&state->settings, settings, sizeof(*settings));
		prepare(state, settings);
		state->ready = false;
	}
	go_to(state, turn->now / state->grid + 1);
	delay = between(state, turn->now);
	if (delay > DELAY_MAX)
		return delay;
	/* after a change of settings, or a fall longer than the guard knows */
	early = turn->now + delay < state->latest;
	if (early)
		delay = state->latest - turn->now;
	state->latest = turn->now + delay;
	state->clamped += early || state->before.guarded || state->now.guarded;
	return delay;
}

extern const struct condition condition_smooth_jitter;
const struct condition condition_smooth_jitter = {
	.abi = CONDITION_ABI,
	.name = "smooth-jitter",
	.text = "a delay that wanders smoothly over trial time: order is kept, "
		"and so is the distribution, at any packet rate",
	.settings = smooth_table,
	.n_settings = sizeof(smooth_table) / sizeof(smooth_table[0]),
	.settings_size = sizeof(struct smooth_settings),
	.state_size = sizeof(struct smooth_state),
	.check = smooth_check,
	.reset = smooth_reset,
	.counts = smooth_counts,
	.apply = smooth_apply,
};
