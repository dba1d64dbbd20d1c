/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * account.c - what a study must report of a channel, in words
 *
 * Floor: session.
 *
 * A condition that is not known here, such as a loaded one, is told by its own
 * sentence and its settings.
 */
#include "session/account.h"

#include <string.h>

#include "session/law.h"
#include "session/say.h"
#include "session/stage.h"

/* The three texts that stages add to, and the stage whose turn it is. */
struct account_writer {
	struct text magnitude, temporal, further;
	const struct stage_plan *stage;
};

/* Begin a phrase: behind others, a semicolon first. */
static struct text *phrase(struct text *text)
{
	if (text->len)
		text_add(text, "; ");
	return text;
}

static void add_delay(struct text *text, const struct stage_plan *stage,
		      const char *key)
{
	say_delay(text, (double)stage_whole(stage, key));
}

static void add_share(struct text *text, const struct stage_plan *stage,
		      const char *key)
{
	say_share(text, stage_part(stage, key));
}

/* Whether a setting that is off at zero is on. */
static bool is_set(const struct stage_plan *stage, const char *key)
{
	return stage_whole(stage, key) != 0;
}

/* A setting as the arm writes it. */
static void add_value(struct text *text, const struct stage_plan *stage,
		      const char *key)
{
	char value[512];

	text_add(text, "%s", stage_text(stage, key, value, sizeof(value)));
}

static void tell_delay(struct account_writer *to)
{
	add_delay(phrase(&to->magnitude), to->stage, "delay");
	text_add(phrase(&to->temporal), "constant");
}

/* "200 ms +- 60 ms (uniform)" */
static void tell_spread(struct account_writer *to)
{
	struct text *text = phrase(&to->magnitude);
	struct distribution of = stage_distribution(to->stage);
	char name[256];

	add_delay(text, to->stage, "base");
	text_add(text, of.kind == DISTRIBUTION_UNIFORM
			       ? " \xc2\xb1 "
			       : " with a standard deviation of ");
	add_delay(text, to->stage, "jitter");
	stage_text(to->stage, "distribution", name, sizeof(name));
	text_add(text, " (%s)", *name ? name : "uniform");
}

static void tell_drawn(struct account_writer *to, const char *order)
{
	struct text *text = phrase(&to->temporal);

	tell_spread(to);
	text_add(text, "drawn anew for each packet");
	if (stage_part(to->stage, "correlation") > 0.0) {
		text_add(text, " with a correlation of ");
		add_share(text, to->stage, "correlation");
		text_add(text, " from packet to packet");
	}
	if (is_set(to->stage, "frame_gap")) {
		text_add(text, ", packets less than ");
		add_delay(text, to->stage, "frame_gap");
		text_add(text, " apart sharing one draw");
	}
	text_add(text, "%s", order);
}

static void tell_jitter(struct account_writer *to)
{
	tell_drawn(to, "; packets may overtake each other");
}

static void tell_monotonic(struct account_writer *to)
{
	tell_drawn(to, "; order kept by holding packets back");
}

static void tell_smooth(struct account_writer *to)
{
	struct text *text = phrase(&to->temporal);

	tell_spread(to);
	text_add(text, "a smooth random function of trial time");
	if (is_set(to->stage, "time_scale")) {
		text_add(text, " with a time scale of ");
		add_delay(text, to->stage, "time_scale");
	}
	text_add(text, "; order kept");
}

static void tell_bucket(struct account_writer *to)
{
	struct text *text = phrase(&to->further);

	text_add(text, "a serialising link of ");
	say_rate(text, (double)stage_whole(to->stage, "rate"));
	if (is_set(to->stage, "packet_size")) {
		text_add(text, " that counts each packet as ");
		say_bytes(text,
			  (double)stage_whole(to->stage, "packet_size") / 8.0);
	} else {
		text_add(text, " (");
		add_value(text, to->stage, "measure");
		text_add(text, " size counts)");
	}
	if (is_set(to->stage, "burst")) {
		text_add(text, ", with an allowance of ");
		say_bytes(text, (double)stage_whole(to->stage, "burst") / 8.0);
	}
	text_add(text, ", dropping what would wait longer than ");
	add_delay(text, to->stage, "max_wait");
}

static void add_burst(struct account_writer *to)
{
	struct law law = law_of(to->stage);

	if (law.loss <= 0.0 || law.again >= 1.0)
		return;
	text_add(&to->further, " (");
	say_number(&to->further, 1.0 / (1.0 - law.again), 3);
	text_add(&to->further, " in a row on average)");
}

static void tell_loss(struct account_writer *to)
{
	struct text *text = phrase(&to->further);

	say_share(text, stage_part(to->stage, "probability"));
	if (stage_part(to->stage, "correlation") > 0.0) {
		text_add(text, " of packets lost, with a correlation of ");
		add_share(text, to->stage, "correlation");
		text_add(text, " from packet to packet");
		add_burst(to);
	} else {
		text_add(text, " of packets lost, each on its own");
	}
}

static void tell_bursts(struct account_writer *to)
{
	struct law law = law_of(to->stage);
	struct text *text = phrase(&to->further);

	if (law.loses) {
		say_share(text, law.loss);
		text_add(text, " of packets lost");
		add_burst(to);
		text_add(text, " by a %s model",
			 stage_is(to->stage, "markov-loss")
				 ? "4-state Markov"
				 : "Gilbert-Elliott");
	} else {
		text_add(text, "loss by a model that does not settle");
	}
}

static void tell_periodic(struct account_writer *to)
{
	struct text *text = phrase(&to->further);
	int64_t every = stage_whole(to->stage, "every");
	char list[512];

	stage_text(to->stage, "packets", list, sizeof(list));
	if (*list)
		text_add(text, "packets %s lost", list);
	else
		text_add(text, "one packet in %lld lost", (long long)every);
}

static void tell_sine(struct account_writer *to)
{
	struct text *text = phrase(&to->magnitude);

	add_delay(text, to->stage, "mean");
	text_add(text, " \xc2\xb1 ");
	add_delay(text, to->stage, "amplitude");
	text = phrase(&to->temporal);
	text_add(text, "sinusoidal over trial time with a period of ");
	say_span(text, (double)stage_whole(to->stage, "period") * 1e-9);
}

static void add_span(struct text *text, const struct stage_plan *stage,
		     const char *key)
{
	say_span(text, (double)stage_whole(stage, key) * 1e-9);
}

static void tell_outage(struct account_writer *to)
{
	struct text *text = phrase(&to->further);
	char file[256], mode[32];

	stage_text(to->stage, "file", file, sizeof(file));
	stage_text(to->stage, "mode", mode, sizeof(mode));
	text_add(text, "outages ");
	if (*file) {
		text_add(text, "at the times of %s", file);
	} else {
		text_add(text, "of ");
		add_span(text, to->stage, "for");
		text_add(text, " at ");
		add_value(text, to->stage, "at");
	}
	if (is_set(to->stage, "every")) {
		text_add(text, " and again every ");
		add_span(text, to->stage, "every");
	}
	text_add(text, strcmp(mode, "hold") ? ", packets dropped"
					    : ", packets held until the end");
}

static void tell_trace(struct account_writer *to)
{
	struct text *text = phrase(&to->further);

	text_add(text, "a link that delivers ");
	say_bytes(text, (double)stage_whole(to->stage, "opportunity") / 8.0);
	text_add(text, " at each time of the trace ");
	add_value(text, to->stage, "file");
	text_add(text,
		 is_set(to->stage, "once") ? ", once" : ", again and again");
}

static void tell_slot(struct account_writer *to)
{
	struct text *text = phrase(&to->further);

	text_add(text, "releases gathered into slots every ");
	add_delay(text, to->stage, "interval");
	if (is_set(to->stage, "jitter")) {
		text_add(text, " \xc2\xb1 ");
		add_delay(text, to->stage, "jitter");
	}
	if (is_set(to->stage, "packets"))
		text_add(text, ", at most %lld packets each",
			 (long long)stage_whole(to->stage, "packets"));
	if (is_set(to->stage, "bytes")) {
		text_add(text, ", at most ");
		say_bytes(text, (double)stage_whole(to->stage, "bytes") / 8.0);
		text_add(text, " each");
	}
}

static void tell_reorder(struct account_writer *to)
{
	struct text *text = phrase(&to->further);

	add_share(text, to->stage, "probability");
	text_add(text, " of packets held back ");
	if (is_set(to->stage, "packets")) {
		text_add(text, "until %lld have overtaken",
			 (long long)stage_whole(to->stage, "packets"));
	} else {
		text_add(text, "for ");
		add_delay(text, to->stage, "hold");
	}
}

/* All settings: "rate = 50kbit, burst = 0B". */
static void add_settings(struct text *text, const struct stage_plan *stage)
{
	const struct condition *condition = stage->condition;
	char value[512];

	for (size_t i = 0; i < condition->n_settings; i++) {
		settings_print(&condition->settings[i], stage->settings, value,
			       sizeof(value));
		if (*value)
			text_add(text, "%s%s = %s", i ? ", " : "",
				 condition->settings[i].name, value);
	}
}

/* A condition whose delay is what it is for: magnitude and time. */
static void tell_given(struct account_writer *to)
{
	add_settings(phrase(&to->magnitude), to->stage);
	text_add(phrase(&to->temporal), "%s", to->stage->condition->text);
}

static void tell_other(struct account_writer *to)
{
	struct text *text = phrase(&to->further);

	text_add(text, "%s: %s (", to->stage->condition->name,
		 to->stage->condition->text);
	add_settings(text, to->stage);
	text_add(text, ")");
}

static const struct {
	const char *condition;
	void (*tell)(struct account_writer *to);
} words[] = {
	{ "delay", tell_delay },
	{ "jitter", tell_jitter },
	{ "monotonic-jitter", tell_monotonic },
	{ "smooth-jitter", tell_smooth },
	{ "token-bucket", tell_bucket },
	{ "loss", tell_loss },
	{ "gilbert-elliott", tell_bursts },
	{ "markov-loss", tell_bursts },
	{ "periodic-loss", tell_periodic },
	{ "outage", tell_outage },
	{ "sine", tell_sine },
	{ "link-trace", tell_trace },
	{ "slot", tell_slot },
	{ "reorder", tell_reorder },
	{ "profile", tell_given },
	{ "replay", tell_given },
};

static void tell_stage(struct account_writer *to)
{
	size_t i = 0, n = sizeof(words) / sizeof(words[0]);

	while (i < n && !stage_is(to->stage, words[i].condition))
		i++;
	if (i < n)
		words[i].tell(to);
	else
		tell_other(to);
}

/* What the channel does besides its chain. */
static void tell_channel(struct account_writer *to,
			 const struct arm_channel *channel)
{
	if (channel->plan.tick) {
		text_add(phrase(&to->temporal), "released at multiples of ");
		say_delay(&to->temporal, (double)channel->plan.tick);
	}
	if (channel->duplicate > 0.0) {
		say_share(phrase(&to->further), channel->duplicate);
		text_add(&to->further, " of packets delivered twice");
	}
	if (channel->corrupt > 0.0) {
		say_share(phrase(&to->further), channel->corrupt);
		text_add(&to->further,
			 " of packets delivered with one bit of the payload "
			 "changed");
	}
}

void account_channel(struct account *account, const struct arm_channel *channel)
{
	struct account_writer to = { 0 };
	bool uplink = channel->plan.direction == UPLINK;
	struct text text;

	text_init(&text, account->stream, sizeof(account->stream));
	text_add(&text, "%s", channel->plan.stream);
	text_init(&text, account->direction, sizeof(account->direction));
	text_add(&text, uplink ? "uplink (operator to robot)"
			       : "downlink (robot to operator)");
	text_init(&to.magnitude, account->magnitude, ACCOUNT_TEXT);
	text_init(&to.temporal, account->temporal, ACCOUNT_TEXT);
	text_init(&to.further, account->further, ACCOUNT_TEXT);
	for (size_t i = 0; i < channel->plan.n_chain; i++) {
		to.stage = &channel->plan.chain[i];
		tell_stage(&to);
	}
	tell_channel(&to, channel);
	account->delayed = to.magnitude.len > 0;
	account->impaired = to.further.len > 0;
	if (!to.magnitude.len)
		text_add(&to.magnitude, channel->plan.n_chain
						? "no delay of its own"
						: "none: undegraded baseline");
	if (!to.temporal.len)
		text_add(&to.temporal, "constant");
	if (!to.further.len)
		text_add(&to.further, "none");
}
