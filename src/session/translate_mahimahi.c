/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_mahimahi.c - mahimahi's shells, one inside the other
 *
 * Floor: session.
 *
 * What runs in the shell is taken for the operator: mahimahi's uplink is ours.
 */
#include <inttypes.h>
#include <string.h>

#include "core/decimal.h"
#include "session/translate_build.h"

static void set_sides(struct translating *t, bool uplink, bool downlink)
{
	t->on[UPLINK] = uplink;
	t->on[DOWNLINK] = downlink;
}

/* "uplink" or "downlink" behind mm-loss and mm-onoff. */
static bool take_side(struct translating *t)
{
	const char *word = translate_word(t);
	bool up = word && !strcmp(word, "uplink");

	if (!up && (!word || strcmp(word, "downlink") != 0))
		return translate_fault(t, word, "expected uplink or downlink");
	t->at++;
	set_sides(t, up, !up);
	return true;
}

static bool take_delay(struct translating *t)
{
	int64_t ms;
	struct text *text;

	if (!translate_count(t, "a delay in whole milliseconds", &ms))
		return false;
	if (ms > DELAY_MAX / NSEC_PER_MS) {
		t->at--;
		return translate_fault(t, translate_word(t),
				       "an arm delays by an hour at most");
	}
	set_sides(t, true, true);
	text = translate_begin(t, "delay");
	translate_row_time(text, "delay", ms * NSEC_PER_MS);
	translate_note(
		t,
		"mm-delay %" PRId64 " delays each direction by %" PRId64
		" ms, which adds %" PRId64 " ms to a round trip; it "
		"works in whole ms of the wall clock, so packets are up "
		"to 1 ms early or late, and loses what is under way when "
		"its shell ends.  The arm is exact.",
		ms, ms, 2 * ms);
	return true;
}

static bool take_loss(struct translating *t)
{
	const char *word;
	struct decimal decimal;
	struct text *text;

	if (!take_side(t))
		return false;
	word = translate_word(t);
	if (!word || !decimal_read(word, &decimal) || *decimal.unit ||
	    decimal.negative || decimal_double(&decimal) > 1.0)
		return translate_fault(t, word,
				       "expected a loss of 0 to 1, such as 0.1 "
				       "for 10%");
	t->at++;
	text = translate_begin(t, "loss");
	translate_row_share(text, "probability", decimal_double(&decimal));
	translate_note(t, "mm-loss loses each packet on its own, by a seed of "
			  "its own that cannot be set; the arm by the arm's "
			  "seed.");
	return true;
}

static bool take_onoff(struct translating *t)
{
	const char *on;
	struct decimal mean[2];
	int64_t ns[2];
	struct text *text;

	if (!take_side(t))
		return false;
	for (int i = 0; i < 2; i++) {
		on = translate_word(t);
		if (!on || !decimal_read(on, &mean[i]) || *mean[i].unit ||
		    mean[i].negative ||
		    !decimal_scale(&mean[i], NSEC_PER_S, &ns[i]) ||
		    ns[i] > DELAY_MAX)
			return translate_fault(t, on,
					       "expected the mean time on, and "
					       "off, in seconds");
		t->at++;
	}
	text = translate_begin(t, "outage");
	translate_row_time(text, "at", ns[0]);
	translate_row_time(text, "for", ns[1]);
	translate_row_time(text, "every", ns[0] + ns[1]);
	translate_note(t, "mm-onoff draws the lengths of on and off times from "
			  "exponential distributions, unseeded; the arm's "
			  "outages are regular and of those means.  A CSV file "
			  "of drawn ones can be named instead: file = "
			  "outages.csv.");
	return true;
}

/* "--uplink-queue-args=packets=100": what is behind the name, or NULL. */
static const char *option(const char *word, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(word, name, len) ? word + len : NULL;
}

/* The bound of a queue: packets or bytes. */
static void take_bound(struct translating *t, const char *args)
{
	static const char *const bounds[] = { "packets=", "bytes=" };

	for (int i = 0; i < 2; i++) {
		const char *at = strstr(args, bounds[i]);
		int len;

		if (!at)
			continue;
		at += strlen(bounds[i]);
		len = (int)strspn(at, "0123456789");
		if (!len || len > 12)
			continue;
		translate_channel_row(t, "limit_%s%.*s%s",
				      i ? "bytes = " : "packets = ", len, at,
				      i ? "B" : "");
	}
	translate_note(t, "the queue's bound counts what waits for the link; "
			  "the arm's counts all that is in the channel.");
}

static bool take_link_option(struct translating *t, bool *once)
{
	static const char *const sides[] = { "--uplink-", "--downlink-" };
	const char *word = translate_word(t);

	if (!strcmp(word, "--once")) {
		*once = true;
		return true;
	}
	if (option(word, "--meter-"))
		return true;
	for (int i = 0; i < 2; i++) {
		const char *rest = option(word, sides[i]), *value;

		if (!rest)
			continue;
		set_sides(t, i == 0, i == 1);
		if (option(rest, "log="))
			return true;
		if ((value = option(rest, "queue-args="))) {
			take_bound(t, value);
			return true;
		}
		if (!(value = option(rest, "queue=")))
			break;
		if (strcmp(value, "infinite") && strcmp(value, "droptail"))
			translate_note(t,
				       "queue %s: the arm drops the newcomer "
				       "where its limits are full (droptail).",
				       value);
		return true;
	}
	return translate_fault(t, word, "mm-link has no such option");
}

static bool take_link(struct translating *t)
{
	const char *trace[2], *word;
	bool once = false;

	for (int i = 0; i < 2; i++) {
		trace[i] = translate_word(t);
		if (!trace[i] || trace[i][0] == '-')
			return translate_fault(t, trace[i],
					       "expected two traces, uplink "
					       "and downlink");
		t->at++;
	}
	while ((word = translate_word(t)) && word[0] == '-' &&
	       strcmp(word, "--") != 0) {
		if (!take_link_option(t, &once))
			return false;
		t->at++;
	}
	for (int i = 0; i < 2; i++) {
		struct text *text;

		set_sides(t, i == 0, i == 1);
		text = translate_begin(t, "link-trace");
		text_add(text, "file = %s\nopportunity = 1504B\n%s", trace[i],
			 once ? "once = yes\n" : "");
	}
	translate_note(t,
		       "mm-link starts its two traces at moments of its own, "
		       "so that they are not aligned; the arm's are, at the "
		       "start of the trial.  Put the trace files beside the "
		       "arm.");
	translate_note(t, "each line of a trace lets 1504 bytes pass (an IP "
			  "packet and 4 bytes); mm-link ends at a packet above "
			  "that, the arm spreads it over several lines.");
	if (once)
		translate_note(t, "--once ends mm-link's shell with the trace; "
				  "the arm's link is closed then.");
	return true;
}

/* Behind the innermost shell stands the command that runs in it. */
static void skip_command(struct translating *t)
{
	const char *word = translate_word(t);

	if (!word || !strncmp(word, "mm-", 3) || !strcmp(word, "tc") ||
	    !strcmp(word, "sudo"))
		return;
	if (!strcmp(word, "--"))
		t->at++;
	word = translate_word(t);
	if (!word || !strncmp(word, "mm-", 3))
		return;
	translate_note(t,
		       "the command '%s' and what follows it runs inside "
		       "the shells and is left out.",
		       word);
	t->at = t->ask->n;
}

bool translate_mahimahi(struct translating *t, const char *shell)
{
	static const struct {
		const char *name;
		bool (*take)(struct translating *t);
	} shells[] = { { "mm-delay", take_delay },
		       { "mm-loss", take_loss },
		       { "mm-onoff", take_onoff },
		       { "mm-link", take_link } };
	size_t i = 0;

	while (i < 4 && strcmp(shells[i].name, shell) != 0)
		i++;
	if (i == 4) {
		t->at--;
		return translate_fault(t, shell,
				       "expected mm-delay, mm-loss, mm-onoff "
				       "or mm-link");
	}
	translate_note(t, "what runs in mahimahi's shells is taken for the "
			  "operator: its uplink is the arm's.");
	if (!shells[i].take(t))
		return false;
	skip_command(t);
	return true;
}
