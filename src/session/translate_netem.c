/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_netem.c - read a tc-netem line
 *
 * Floor: session.
 *
 * Words may be shortened and stand in any order, as tc takes them.
 */
#include "session/translate_netem.h"

#include <string.h>

/* A percentage, and a correlation behind it if there is one. */
static bool take_chance(struct translating *t, const char *what,
			struct netem_chance *chance)
{
	chance->said = true;
	if (!translate_share(t, what, &chance->share))
		return false;
	return !translate_number_next(t) ||
	       translate_share(t, "a correlation", &chance->correlation);
}

/* Up to @most percentages; those that are missing keep their presets. */
static bool take_model(struct translating *t, struct netem_line *line,
		       size_t most)
{
	while (line->n_model < most && translate_number_next(t))
		if (!translate_share(t, "a probability",
				     &line->model_share[line->n_model++]))
			return false;
	if (line->n_model)
		return true;
	return translate_fault(t, translate_word(t),
			       "expected the probability of a burst to begin, "
			       "such as 2%");
}

static bool take_gemodel(struct translating *t, struct netem_line *line)
{
	double *share = line->model_share;

	line->model = NETEM_GEMODEL;
	if (!take_model(t, line, 4))
		return false;
	if (line->n_model < 2) /* p alone is independent loss */
		share[1] = 1.0 - share[0];
	if (line->n_model < 3)
		share[2] = 1.0;
	return true;
}

static bool take_state(struct translating *t, struct netem_line *line)
{
	double *share = line->model_share;

	line->model = NETEM_STATE;
	if (!take_model(t, line, 5))
		return false;
	if (line->n_model < 2)
		share[1] = 1.0 - share[0];
	if (line->n_model < 4)
		share[3] = 1.0;
	if (share[0] + share[4] <= 1.0 && share[1] + share[2] <= 1.0)
		return true;
	t->at -= line->n_model;
	return translate_fault(t, translate_word(t),
			       "p13 + p14 and p31 + p32 are at most 100%: they "
			       "leave the same state");
}

static bool take_loss(struct translating *t, struct netem_line *line)
{
	line->loss.said = true;
	if (translate_is(t, "state"))
		return take_state(t, line);
	if (translate_is(t, "gemodel"))
		return take_gemodel(t, line);
	(void)translate_is(t, "random");
	line->model = NETEM_RANDOM;
	return take_chance(t, "a loss", &line->loss);
}

static bool take_delay(struct translating *t, struct netem_line *line)
{
	if (!translate_time(t, "a delay", &line->delay))
		return false;
	if (translate_number_next(t) &&
	    !translate_time(t, "a jitter", &line->jitter))
		return false;
	if (line->delay > DELAY_MAX || line->jitter > DELAY_MAX) {
		t->at--;
		return translate_fault(t, translate_word(t),
				       "an arm delays by an hour at most");
	}
	return !translate_number_next(t) ||
	       translate_share(t, "a correlation", &line->correlation);
}

static bool take_distribution(struct translating *t, const char **table)
{
	*table = translate_word(t);
	if (!*table)
		return translate_fault(t, NULL,
				       "distribution names a table, such as "
				       "normal");
	t->at++;
	return true;
}

static bool take_rate(struct translating *t, struct netem_line *line)
{
	int64_t cell_overhead;

	if (!translate_rate(t, "a rate", &line->rate))
		return false;
	if (!translate_number_next(t))
		return true;
	if (!translate_count(t, "an overhead", &line->overhead))
		return false;
	if (!translate_number_next(t))
		return true;
	if (!translate_count(t, "a size of cells", &line->cell))
		return false;
	return !translate_number_next(t) ||
	       translate_count(t, "an overhead of cells", &cell_overhead);
}

static bool take_slot(struct translating *t, struct netem_line *line)
{
	const char *table;
	nsec mean, jitter = 0;

	if (translate_is(t, "distribution")) {
		if (!take_distribution(t, &table) ||
		    !translate_time(t, "a mean", &mean) ||
		    !translate_time(t, "a jitter", &jitter))
			return false;
		line->slot_least = mean > jitter ? mean - jitter : 0;
		line->slot_most = mean + jitter;
		translate_note(t,
			       "slot distribution %s: the arm draws the time "
			       "between slots uniformly, mean \xc2\xb1 jitter.",
			       table);
	} else {
		if (!translate_time(t, "a least time between slots",
				    &line->slot_least))
			return false;
		line->slot_most = line->slot_least;
		if (translate_number_next(t) &&
		    !translate_time(t, "a greatest time between slots",
				    &line->slot_most))
			return false;
	}
	while (translate_word(t)) {
		if (translate_is(t, "packets")) {
			if (!translate_count(t, "packets of a slot",
					     &line->slot_packets))
				return false;
		} else if (translate_is(t, "bytes")) {
			if (!translate_size(t, "bytes of a slot",
					    &line->slot_bytes))
				return false;
		} else {
			break;
		}
	}
	return true;
}

static bool take_seed(struct translating *t)
{
	int64_t seed;

	t->seed = translate_word(t);
	if (!translate_count(t, "a seed", &seed))
		return false;
	translate_note(t, "seed: netem's leaves the first correlated number, "
			  "the corrupted bit and uniform slots unseeded.  The "
			  "arm takes the number as its own seed; its draws are "
			  "others.");
	return true;
}

/* tc tries its words in this order, and takes what begins like one. */
static bool take_word(struct translating *t, struct netem_line *line)
{
	if (translate_is(t, "limit"))
		return translate_count(t, "a limit", &line->limit);
	if (translate_is(t, "latency") || translate_is(t, "delay"))
		return take_delay(t, line);
	if (translate_is(t, "loss") || translate_is(t, "drop"))
		return take_loss(t, line);
	if (translate_is(t, "ecn")) {
		translate_note(t, "ecn marks packets of ECN-capable transports "
				  "instead of dropping them; the arm drops.");
		return true;
	}
	if (translate_is(t, "reorder"))
		return take_chance(t, "a share to reorder", &line->reorder);
	if (translate_is(t, "corrupt"))
		return take_chance(t, "a share to corrupt", &line->corrupt);
	if (translate_is(t, "gap"))
		return translate_count(t, "a gap", &line->gap);
	if (translate_is(t, "duplicate"))
		return take_chance(t, "a share to duplicate", &line->duplicate);
	if (translate_is(t, "distribution"))
		return take_distribution(t, &line->table);
	if (translate_is(t, "rate"))
		return take_rate(t, line);
	if (translate_is(t, "slot"))
		return take_slot(t, line);
	if (translate_is(t, "seed"))
		return take_seed(t);
	return translate_fault(t, translate_word(t),
			       "netem has no such word; it has limit, delay, "
			       "distribution, loss, ecn, reorder, gap, "
			       "corrupt, duplicate, rate, slot, seed");
}

static bool fits(struct translating *t, const struct netem_line *line)
{
	if (line->reorder.said && !line->delay)
		return translate_fault(t, NULL,
				       "reorder needs a delay, which the "
				       "packets that overtake are spared");
	if (line->gap && !line->reorder.said)
		return translate_fault(
			t, NULL, "gap needs reorder: tc refuses it alone");
	if (line->table && !(line->delay && line->jitter))
		translate_note(t,
			       "distribution %s had no effect: tc loads a "
			       "table only with a delay and a jitter above "
			       "0.",
			       line->table);
	return true;
}

static bool read_line(struct netem_line *line, struct translating *t)
{
	const char *word;

	while ((word = translate_word(t))) {
		if (!strcmp(word, "tc") || !strcmp(word, "sudo") ||
		    !strcmp(word, "tbf") || !strcmp(word, "netem") ||
		    !strncmp(word, "mm-", 3))
			break;
		if (!take_word(t, line))
			return false;
	}
	return fits(t, line);
}

bool translate_netem(struct translating *t)
{
	struct netem_line line = { 0 };

	if (!read_line(&line, t))
		return false;
	netem_line_losses(&line, t);
	netem_line_delays(&line, t);
	return true;
}
