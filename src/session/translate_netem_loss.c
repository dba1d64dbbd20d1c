/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_netem_loss.c - what a tc-netem line takes away or doubles
 *
 * Floor: session.
 */
#include "session/netem.h"
#include "session/translate_netem.h"

/* The share that netem makes of a probability with a correlation. */
static double really(const struct netem_chance *chance)
{
	return netem_share(chance->share, chance->correlation);
}

static void write_random(const struct netem_chance *loss, struct translating *t)
{
	struct text *text = translate_begin(t, "loss");
	struct said asked, with, got, burst;
	double p = loss->share, c = loss->correlation;

	translate_row_share(text, "probability", p);
	if (c <= 0.0) {
		translate_note(t,
			       "loss %s: each packet on its own, and the "
			       "arm the same.",
			       said_share(&asked, p));
		return;
	}
	if (c >= 1.0) {
		translate_note(t,
			       "loss with a correlation of 100 %% never "
			       "changes from what netem drew first, unseeded: "
			       "all packets were lost, or none.  The arm "
			       "loses independently.");
		return;
	}
	translate_row_share(text, "correlation", c);
	translate_note(
		t,
		"loss %s with correlation %s: netem really lost %s.  It "
		"blends each random number with the last one, which "
		"crowds them around one half, and compares the blend "
		"with the threshold of an even one.  The arm loses %s "
		"with that correlation, %s in a row on average.  To "
		"repeat what was done: probability = %s, without "
		"correlation.",
		said_share(&asked, p), said_share(&with, c),
		said_share(&got, really(loss)), asked.text,
		said_number(&burst,
			    p < 1.0 ? 1.0 / ((1.0 - p) * (1.0 - c)) : INFINITY,
			    3),
		got.text);
}

static void write_gemodel(const struct netem_line *line, struct translating *t)
{
	const double *share = line->model_share;
	struct text *text = translate_begin(t, "gilbert-elliott");
	double p = share[0], r = share[1], all = p + r;
	struct said loss, stay;

	translate_row_share(text, "p", p);
	translate_row_share(text, "r", r);
	translate_row_share(text, "loss_bad", share[2]);
	translate_row_share(text, "loss_good", share[3]);
	translate_note(
		t,
		"loss gemodel: loses %s; a stay in the bad state lasts "
		"%s packets on average.  The third number is 1-h, the "
		"loss in the bad state, the fourth 1-k, the loss in the "
		"good one.  The arm does the same.",
		said_share(&loss, all > 0.0
					  ? (r * share[3] + p * share[2]) / all
					  : share[3]),
		said_number(&stay, r > 0.0 ? 1.0 / r : INFINITY, 3));
}

/* Share lost in the long run, of p13, p31, p32, p23, p14: a burst that has no
 * way out is where it ends.
 */
static double state_loss(const double *p)
{
	double in = p[1] > 0.0 ? p[0] / p[1] : 0.0;
	double back = p[3] > 0.0 ? p[2] / p[3] : 0.0;

	if (p[0] > 0.0 && p[2] > 0.0 && p[3] <= 0.0)
		return 0.0; /* in state 2, for ever */
	if (p[0] > 0.0 && p[1] <= 0.0)
		return p[2] > 0.0 ? p[3] / (p[3] + p[2]) : 1.0;
	return (p[4] + in) / (1.0 + p[4] + in * (1.0 + back));
}

static void write_state(const struct netem_line *line, struct translating *t)
{
	static const char *const key[] = { "p13", "p31", "p32", "p23", "p14" };
	const double *share = line->model_share;
	struct text *text = translate_begin(t, "markov-loss");
	struct said loss;

	for (int i = 0; i < 5; i++)
		translate_row_share(text, key[i], share[i]);
	translate_note(
		t,
		"loss state: loses %s (1 good, 2 good in a burst, 3 lost "
		"in a burst, 4 lost alone).  The arm does the same; "
		"rows above 100 %%, which older kernels took silently, "
		"it refuses.",
		said_share(&loss, state_loss(share)));
}

static void write_corrupt(const struct netem_chance *corrupt,
			  struct translating *t)
{
	struct said asked, got;

	said_share(&asked, corrupt->share);
	said_share(&got, really(corrupt));
	translate_channel_share(t, "corrupt", corrupt->share);
	translate_note(
		t,
		"corrupt %s was loss: netem changes one bit, and the "
		"receiver's kernel drops a datagram whose UDP checksum "
		"is wrong, so the application saw none of them and lost "
		"%s.  The arm delivers them, with one bit of the payload "
		"changed and the checksum mended.  To repeat what was "
		"done: a condition of type loss with probability = %s.",
		asked.text, got.text, got.text);
}

static void write_duplicate(const struct netem_chance *duplicate,
			    struct translating *t)
{
	struct said asked;

	said_share(&asked, duplicate->share);
	translate_channel_share(t, "duplicate", duplicate->share);
	translate_note(t,
		       "duplicate %s%s: netem puts the copy in once more, so "
		       "that it draws a loss and a delay of its own; a packet "
		       "that is both doubled and lost arrives once.  The arm "
		       "delivers the copy with the packet.",
		       asked.text,
		       duplicate->correlation > 0.0
			       ? ", its correlation without effect"
			       : "");
}

void netem_line_losses(const struct netem_line *line, struct translating *t)
{
	if (line->loss.said && line->model == NETEM_RANDOM)
		write_random(&line->loss, t);
	else if (line->loss.said && line->model == NETEM_GEMODEL)
		write_gemodel(line, t);
	else if (line->loss.said)
		write_state(line, t);
	if (line->corrupt.said)
		write_corrupt(&line->corrupt, t);
	if (line->duplicate.said)
		write_duplicate(&line->duplicate, t);
}
