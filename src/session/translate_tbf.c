/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_tbf.c - a tc-tbf line to a token bucket
 *
 * Floor: session.
 */
#include <inttypes.h>
#include <string.h>

#include "session/translate_build.h"

/* What the line says; 0 where it does not. */
struct tbf {
	int64_t rate, burst, limit, peakrate, mtu, overhead;
	nsec latency;
	bool has_latency;
};

/* "5kb/8": the size of cells only speeds the kernel's sums up. */
static bool take_cells(struct translating *t, const char *what, int64_t *bytes)
{
	const char *word = translate_word(t), *slash;
	struct translate_ask ask = *t->ask;
	struct translating part = *t;
	struct err untold = { 0 };
	const char *one[1];
	char copy[32];
	bool good;

	slash = word ? strchr(word, '/') : NULL;
	if (!slash || (size_t)(slash - word) >= sizeof(copy))
		return translate_size(t, what, bytes);
	memcpy(copy, word, (size_t)(slash - word));
	copy[slash - word] = '\0';
	one[0] = copy;
	ask.word = one;
	ask.n = 1;
	part.ask = &ask;
	part.at = 0;
	part.err = &untold;
	good = translate_size(&part, what, bytes);
	err_fini(&untold);
	if (!good)
		return translate_size(t, what, bytes); /* tells the word */
	t->at++;
	return true;
}

static bool ends_here(const char *word)
{
	return !word || !strcmp(word, "tc") || !strcmp(word, "sudo") ||
	       !strncmp(word, "mm-", 3);
}

static bool read_word(struct translating *t, struct tbf *tbf)
{
	if (translate_is(t, "rate"))
		return translate_rate(t, "a rate", &tbf->rate);
	if (translate_is(t, "burst") || translate_is(t, "buffer") ||
	    translate_is(t, "maxburst"))
		return take_cells(t, "a burst", &tbf->burst);
	if (translate_is(t, "limit"))
		return translate_size(t, "a limit", &tbf->limit);
	if (translate_is(t, "latency")) {
		tbf->has_latency = true;
		return translate_time(t, "a latency", &tbf->latency);
	}
	if (translate_is(t, "peakrate"))
		return translate_rate(t, "a peak rate", &tbf->peakrate);
	if (translate_is(t, "mtu") || translate_is(t, "minburst"))
		return take_cells(t, "an mtu", &tbf->mtu);
	if (translate_is(t, "overhead"))
		return translate_size(t, "an overhead", &tbf->overhead);
	return translate_fault(t, translate_word(t),
			       "tbf has no such word; it has rate, burst, "
			       "limit or latency, peakrate, mtu, overhead");
}

static bool fits(struct translating *t, const struct tbf *tbf)
{
	if (!tbf->rate || !tbf->burst)
		return translate_fault(t, NULL, "tbf needs rate and burst");
	if (!tbf->limit == !tbf->has_latency)
		return translate_fault(t, NULL,
				       "tbf needs either limit or latency");
	if (tbf->peakrate && !tbf->mtu)
		return translate_fault(t, NULL, "peakrate needs mtu");
	return true;
}

/* One bucket; @wait: the longest that a packet may wait for it. */
static void write_bucket(struct translating *t, const struct tbf *tbf,
			 int64_t rate, int64_t burst, nsec wait)
{
	struct text *text = translate_begin(t, "token-bucket");

	text_add(text, "rate = %" PRId64 "bit\nburst = %" PRId64 "B\n", rate,
		 burst);
	translate_row_time(text, "max_wait", wait);
	text_add(text, "measure = ethernet\ninitial = full\n");
	if (tbf->overhead)
		text_add(text, "overhead = %" PRId64 "B\n", tbf->overhead);
}

static void write_tbf(struct translating *t, const struct tbf *tbf)
{
	double wait = (double)tbf->latency;
	struct text text;
	char room[64];

	if (!tbf->has_latency)
		wait = 8e9 * (double)(tbf->limit - tbf->burst) /
		       (double)tbf->rate;
	wait = fmax(0.0, fmin(wait, (double)DELAY_MAX / 2));
	text_init(&text, room, sizeof(room));
	say_delay(&text, wait);
	write_bucket(t, tbf, tbf->rate, tbf->burst, (nsec)wait);
	translate_note(t,
		       "tbf's bucket is full at the start: %" PRId64
		       " bytes pass at line speed before the rate is kept.  "
		       "The arm does the same; initial = empty does not.",
		       tbf->burst);
	translate_note(t,
		       "tbf drops what does not fit its queue%s, a wait of %s; "
		       "the arm drops what would wait longer than that, "
		       "whatever its size.",
		       tbf->has_latency ? "" : " of limit bytes", room);
	translate_note(t, "tbf counts Ethernet frames (the IP packet and 14 "
			  "bytes); the arm too: measure = ethernet.");
	if (!tbf->peakrate)
		return;
	write_bucket(t, tbf, tbf->peakrate, tbf->mtu, DELAY_MAX / 2);
	translate_note(t, "peakrate is a second bucket, of mtu bytes, behind "
			  "the first; tbf waits for both at once, which takes "
			  "a packet no longer than one after the other.");
}

bool translate_tbf(struct translating *t)
{
	struct tbf tbf = { 0 };

	while (!ends_here(translate_word(t)))
		if (!read_word(t, &tbf))
			return false;
	if (!fits(t, &tbf))
		return false;
	write_tbf(t, &tbf);
	return true;
}
