/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_check_test.c - what settings go together, and what is said if not
 *
 * Floor: tests.
 *
 * Each bound has a row on either side of it; a row without words is accepted.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "conditions/builtin.h"
#include "tests/unit/rig.h"

#define J "base = 50ms\njitter = 20ms\n"

static const struct rig_file files[] = {
	{ "spans", "at_s,for_s\n1,0.5\n4,1\n" },
	{ "ramp", "time_s,delay_ms\n0,100\n10,200\n" },
	{ "packets", "delay_ms\n0\n20\n" },
	{ "moment", "time_s,delay_ms\n0,20\n0,30\n" },
	{ "later", "time_s,delay_ms\n0,20\n0.000000001,30\n" },
	{ "nothing lost", "loss-level 1\ndelay prob\n10 0\n20 1\n" },
	{ "lossy", "loss-level 0.999\ndelay prob\n10 0\n20 1\n" },
	{ NULL, NULL }
};

struct row {
	const char *settings, *said;
};

static void says(const char *type, const struct row *rows, size_t n)
{
	char why[RIG_WHY];

	for (size_t i = 0; i < n; i++)
		cr_assert_str_eq(rig_fault(type, rows[i].settings, files, why),
				 rows[i].said, "%s: %s: '%s'", type,
				 rows[i].settings, why);
}

#define SAYS(type, rows) says(type, rows, sizeof(rows) / sizeof((rows)[0]))

Test(condition_check, loss)
{
	static const struct row rows[] = {
		{ "probability = 100%\ncorrelation = 99.99%\n", "" },
		{ "probability = 0%\ncorrelation = 100%\n",
		  "correlation = 100% never changes from the first packet's "
		  "fate; use less" },
	};

	SAYS("loss", rows);
}

Test(condition_check, gilbert_elliott_by_loss_and_burst)
{
	static const char pair[] = "loss and mean_burst say the same as p and "
				   "r; write one pair";
	static const char with[] = "loss_bad and loss_good go with p and r; "
				   "with mean_burst every packet of a burst is "
				   "lost";
	static const char least[] = "mean_burst is at least 1 / (1 - loss), "
				    "here 1.25: independent losses are as "
				    "clustered as that";
	static const struct row rows[] = {
		{ "", "" },
		{ "mean_burst = 1\n", "" },
		{ "mean_burst = 0.5\nr = 0.01%\n", pair },
		{ "mean_burst = 0.5\np = 0.01%\n", pair },
		{ "mean_burst = 0.5\nloss_bad = 99.99%\n", with },
		{ "mean_burst = 0.5\nloss_good = 0.01%\n", with },
		{ "loss = 0.01%\n",
		  "loss needs mean_burst, the mean number of packets lost in a "
		  "row" },
		{ "loss = 100%\nmean_burst = 1000\n",
		  "loss = 100% has no bursts; write a loss of probability "
		  "100%" },
		{ "loss = 99.9%\nmean_burst = 1000\n", "" },
		{ "loss = 20%\nmean_burst = 1.25\n", "" },
		{ "loss = 20%\nmean_burst = 0.5\n", least },
		/* 1 / (1 - 0.2) */
		{ "loss = 20%\nmean_burst = 1.249\n", least },
		/* what a rounded 1 / (1 - loss) may lack */
		{ "mean_burst = 0.999999999\n", "" },
		{ "mean_burst = 0.999999998\n",
		  "mean_burst is at least 1 / (1 - loss), here 1: independent "
		  "losses are as clustered as that" },
	};

	SAYS("gilbert-elliott", rows);
}

Test(condition_check, gilbert_elliott_by_chances)
{
	static const char end[] = "p without r: the bad state would never end; "
				  "write r, the chance that it does, or loss "
				  "and mean_burst";
	static const struct row rows[] = {
		{ "p = 0.01%\n", end },
		{ "p = 100%\nloss_bad = 0%\n", end },
		{ "p = 100%\nr = 0.01%\n", "" },
		{ "r = 0.01%\n", "" },
		{ "loss_bad = 0%\nloss_good = 100%\n", "" },
	};

	SAYS("gilbert-elliott", rows);
}

Test(condition_check, markov_loss)
{
	static const char first[] = "p13 and p14 are chances of one draw; "
				    "together they are at most 100%";
	static const char third[] = "p31 and p32 are chances of one draw; "
				    "together they are at most 100%";
	static const struct row rows[] = {
		{ "p13 = 0%\n", "" },
		{ "p13 = 60%\np14 = 40%\np31 = 1%\n", "" },
		{ "p13 = 60%\np14 = 40.01%\np31 = 1%\n", first },
		{ "p13 = 60%\np14 = 40.01%\n", first },
		{ "p13 = 1%\np31 = 30%\np32 = 70%\n", "" },
		{ "p13 = 1%\np31 = 30%\np32 = 70.01%\n", third },
		{ "p13 = 0.01%\n",
		  "p13 without p31: a burst would never end; write p31 (tc, "
		  "where it is left out, takes 100% - p13)" },
		{ "p13 = 0%\np32 = 0.01%\np23 = 0%\n",
		  "p32 with p23 = 0%: the good state inside a burst would "
		  "never "
		  "end; write a p23 above 0%" },
		{ "p13 = 1%\np31 = 1%\np23 = 0%\n", "" },
		{ "p13 = 1%\np31 = 1%\np32 = 1%\np23 = 0.01%\n", "" },
	};

	SAYS("markov-loss", rows);
}

Test(condition_check, periodic_loss)
{
	static const char both[] = "packets says which are lost; leave out "
				   "every and offset, or leave out packets";
	static const char none[] = "nothing would be lost; write every = 100 "
				   "for each 100th packet, or packets = 3, 7, "
				   "20";
	static const struct row rows[] = {
		{ "every = 1\n", "" },
		{ "every = 1\noffset = 1\n", "" },
		{ "packets = 1\n", "" },
		{ "packets = 1\nevery = 1\n", both },
		{ "packets = 1\noffset = 1\n", both },
		{ "", none },
		{ "offset = 1\n", none },
		{ "packets = 0\n",
		  "'0' is out of range; it is 1 to 100000000000000000" },
	};

	SAYS("periodic-loss", rows);
}

Test(condition_check, outage)
{
	static const char file[] = "file says when and how long; leave out at "
				   "and for, or leave out file";
	static const char none[] = "no outage: write at = 10s, 30s and for = "
				   "2s, or file = FILE.csv";
	static const char soon[] = "an outage begins before the one before it "
				   "ends; write a shorter for, or times "
				   "further apart";
	static const char again[] = "the list is longer than every, so it "
				    "would come again before it ends; write a "
				    "longer every";
	static const struct row rows[] = {
		{ "", none },
		{ "for = 1s\nevery = 5s\n", none },
		{ "at = 1s\nfile = spans\n", file },
		{ "for = 1ns\nfile = spans\n", file },
		{ "at = 1s, 2s, 4s\nfor = 1s\n", "" },
		{ "at = 1s, 2s, 4s\nfor = 1000000001ns\n", soon },
		{ "at = 1s, 3s, 4s\nfor = 1000000001ns\n", soon },
		{ "at = 1s\nfor = 2s\nevery = 2s\n", "" },
		{ "at = 1s\nfor = 2s\nevery = 1999999999ns\n", again },
		/* from 1 s to 5 s, whichever way it is said */
		{ "at = 1s, 4s\nfor = 1s\nevery = 4s\n", "" },
		{ "at = 1s, 4s\nfor = 1s\nevery = 3999999999ns\n", again },
		{ "file = spans\nevery = 4s\n", "" },
		{ "file = spans\nevery = 3999999999ns\n", again },
	};

	SAYS("outage", rows);
}

Test(condition_check, profile_and_replay)
{
	static const char late[] = "repeat needs a last point later than 0s: "
				   "its time is the period";
	static const struct row profile[] = {
		{ "", "no points: write points = 0s 100ms, 10s 300ms, or file "
		      "= FILE.csv" },
		{ "points = 0s 1ms\nfile = ramp\n",
		  "points or file, not both" },
		{ "points = 0s 1ms\n", "" },
		{ "points = 0s 1ms, 0s 2ms\nrepeat = yes\n", late },
		{ "points = 0s 1ms, 1ns 2ms\nrepeat = yes\n", "" },
		{ "file = moment\nrepeat = yes\n", late },
		{ "file = ramp\nrepeat = yes\n", "" },
	};
	static const struct row replay[] = {
		{ "file = moment\n", "" },
		{ "file = moment\nrepeat = yes\n",
		  "repeat needs a last row later than 0: its time is the "
		  "period" },
		{ "file = later\nrepeat = yes\n", "" },
		{ "file = packets\nrepeat = yes\n", "" },
	};

	SAYS("profile", profile);
	SAYS("replay", replay);
}

Test(condition_check, slot_and_reorder)
{
	static const char turn[] = "jitter is at most half of interval, or "
				   "slots would open out of turn";
	static const struct row slot[] = {
		{ "interval = 20ms\njitter = 10ms\n", "" },
		{ "interval = 20ms\njitter = 10000001ns\n", turn },
		{ "interval = 0ms\njitter = 1ns\n", turn },
	};
	static const struct row reorder[] = {
		{ "probability = 1%\nhold = 1ns\n", "" },
		{ "probability = 1%\npackets = 1\n", "" },
		{ "probability = 1%\nhold = 1ns\npackets = 1\n",
		  "hold or packets, not both: each says how long a packet is "
		  "held back" },
	};

	SAYS("slot", slot);
	SAYS("reorder", reorder);
}

Test(condition_check, shapes)
{
	static const char pareto[] = "shape of pareto is at least 2.01: up to "
				     "2 it has no standard deviation";
	static const char lognormal[] = "shape of lognormal, the standard "
					"deviation of the logarithm, is 0.01 "
					"to 3";
	static const char weibull[] = "shape of weibull is 0.2 to 100";
	static const char gamma[] = "shape of gamma is 0.01 to 1000";
	static const char none[] = "shape belongs to the distributions pareto, "
				   "lognormal, weibull and gamma; leave it out";
	static const struct row rows[] = {
		{ J "distribution = pareto\nshape = 2.01\n", "" },
		{ J "distribution = pareto\nshape = 2.0099\n", pareto },
		{ J "distribution = pareto\nshape = 1000\n", "" },
		{ J "distribution = lognormal\nshape = 0.01\n", "" },
		{ J "distribution = lognormal\nshape = 0.0099\n", lognormal },
		{ J "distribution = lognormal\nshape = 3\n", "" },
		{ J "distribution = lognormal\nshape = 3.0001\n", lognormal },
		{ J "distribution = weibull\nshape = 0.2\n", "" },
		{ J "distribution = weibull\nshape = 0.1999\n", weibull },
		{ J "distribution = weibull\nshape = 100\n", "" },
		{ J "distribution = weibull\nshape = 100.01\n", weibull },
		{ J "distribution = gamma\nshape = 0.01\n", "" },
		{ J "distribution = gamma\nshape = 0.0099\n", gamma },
		{ J "distribution = gamma\nshape = 1000\n", "" },
		{ J "shape = 0.0001\n", none },
		{ J "distribution = exponential\nshape = 0.0001\n", none },
		{ J "distribution = normal\nshape = 0\n", "" },
	};

	SAYS("jitter", rows);
	SAYS("monotonic-jitter", rows);
	SAYS("smooth-jitter", rows);
}

Test(condition_check, smooth_jitter)
{
	static const char quarter[] =
		"time_scale is under a quarter of jitter: the delay would have "
		"to fall faster than time passes; use at least jitter, or "
		"monotonic-jitter";
	static const char grid[] = "grid is to be between a thousandth of "
				   "time_scale and all of it";
	static const struct row rows[] = {
		{ J "time_scale = 5ms\n", "" },
		{ J "time_scale = 4999999ns\n", quarter },
		{ J "time_scale = 40ms\ngrid = 40ms\n", "" },
		{ J "time_scale = 40ms\ngrid = 40000001ns\n", grid },
		{ J "time_scale = 40ms\ngrid = 40us\n", "" },
		{ J "time_scale = 40ms\ngrid = 39999ns\n", grid },
		/* of its own it is 2.5, 4 or 6 times jitter, 1 ms at least */
		{ J "grid = 50ms\n", "" },
		{ J "grid = 50000001ns\n", grid },
		{ J "distribution = normal\ngrid = 80ms\n", "" },
		{ J "distribution = normal\ngrid = 80000001ns\n", grid },
		{ J "distribution = gamma\ngrid = 120ms\n", "" },
		{ J "distribution = gamma\ngrid = 120000001ns\n", grid },
		{ "base = 5ms\njitter = 1us\ngrid = 1ms\n", "" },
		{ "base = 5ms\njitter = 1us\ngrid = 1000001ns\n", grid },
		{ J "distribution = table:nothing lost\n", "" },
		{ J "distribution = table:lossy\n",
		  "distribution: this curve has a loss-level; here it must be "
		  "1: take it out and put a loss into the chain" },
	};

	SAYS("smooth-jitter", rows);
}

/* As the manual page has them. */
static const char *const bounds[] = {
	"delay delay = 0ms to 3600000ms",
	"jitter base = 0ms to 3600000ms",
	"jitter jitter = 0ms to 3600000ms",
	"jitter shape = 0 to 1000",
	"jitter correlation = 0% to 100%",
	"jitter frame_gap = 0ms to 3600000ms",
	"monotonic-jitter base = 0ms to 3600000ms",
	"monotonic-jitter jitter = 0ms to 3600000ms",
	"monotonic-jitter shape = 0 to 1000",
	"monotonic-jitter correlation = 0% to 100%",
	"monotonic-jitter frame_gap = 0ms to 3600000ms",
	"smooth-jitter base = 0ms to 3600000ms",
	"smooth-jitter jitter = 0ms to 3600000ms",
	"smooth-jitter shape = 0 to 1000",
	"smooth-jitter time_scale = 0ms to 3600000ms",
	"smooth-jitter grid = 0ms to 3600000ms",
	"token-bucket rate = 1bit to 1000000000000bit",
	"token-bucket burst = 0B to 1000000000B",
	"token-bucket max_wait = 0ms to 1800000ms",
	"token-bucket packet_size = 0B to 1000000000B",
	"token-bucket overhead = 0B to 1000000B",
	"loss probability = 0% to 100%",
	"loss correlation = 0% to 100%",
	"gilbert-elliott loss = 0% to 100%",
	"gilbert-elliott mean_burst = 0 to 1000000000",
	"gilbert-elliott p = 0% to 100%",
	"gilbert-elliott r = 0% to 100%",
	"gilbert-elliott loss_bad = 0% to 100%",
	"gilbert-elliott loss_good = 0% to 100%",
	"markov-loss p13 = 0% to 100%",
	"markov-loss p31 = 0% to 100%",
	"markov-loss p32 = 0% to 100%",
	"markov-loss p23 = 0% to 100%",
	"markov-loss p14 = 0% to 100%",
	"periodic-loss every = 0 to 1000000000000000",
	"periodic-loss offset = 0 to 1000000000000000",
	"outage for = 0ms to 3600000ms",
	"outage every = 0ms to 1000000000ms",
	"sine mean = 0ms to 3600000ms",
	"sine amplitude = 0ms to 3600000ms",
	"sine period = 0.000001ms to 1000000000ms",
	"sine phase = -6.28318530717959rad to 6.28318530717959rad",
	"link-trace opportunity = 64B to 1000000000B",
	"link-trace max_wait = 0ms to 3600000ms",
	"link-trace start = 0ms to 1000000000ms",
	"slot interval = 0ms to 3600000ms",
	"slot jitter = 0ms to 3600000ms",
	"slot packets = 0 to 1000000000",
	"slot bytes = 0B to 1000000000000B",
	"reorder probability = 0% to 100%",
	"reorder hold = 0ms to 3600000ms",
	"reorder packets = 0 to 1000000",
};

Test(condition_check, bounds)
{
	size_t n = 0;

	for (size_t i = 0; builtin_conditions[i]; i++) {
		const struct condition *condition = builtin_conditions[i];

		for (size_t k = 0; k < condition->n_settings; k++) {
			const struct setting *row = &condition->settings[k];
			char text[128], line[256];

			settings_bounds(row, text, sizeof(text));
			if (!*text)
				continue;
			snprintf(line, sizeof(line), "%s %s = %s",
				 condition->name, row->name, text);
			cr_assert_lt(n, sizeof(bounds) / sizeof(bounds[0]));
			cr_assert_str_eq(line, bounds[n++]);
		}
	}
	cr_assert_eq(n, sizeof(bounds) / sizeof(bounds[0]));
}
