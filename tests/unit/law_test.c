/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * law_test.c - the closed formulas, against numbers known from elsewhere
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>

#include "session/law.h"
#include "session/say.h"

Test(law, a_negative_draw_is_floored_and_moves_the_mean)
{
	const struct spread uniform = { .base = 10e6, .jitter = 20e6 };
	const struct spread normal = {
		.distribution.kind = DISTRIBUTION_NORMAL,
		.base = 10e6,
		.jitter = 10e6,
	};
	struct law law = { 0 };

	law_spread(&uniform, &law);
	cr_assert_float_eq(law.mean, 11.25e6, 1.0);
	cr_assert_float_eq(law.zero, 0.25, 1e-9);
	/* E x^2 = 30^3 / (3 * 40) */
	cr_assert_float_eq(law.deviation, 1e6 * sqrt(225.0 - 11.25 * 11.25),
			   10.0);
	law_spread(&normal, &law);
	/* 10 Phi(1) + 10 phi(1) */
	cr_assert_float_eq(law.mean, 10833155.0, 10.0);
	cr_assert_float_eq(law.zero, 0.158655, 1e-5);
}

Test(law, false_stops_come_as_often_as_runs_of_losses)
{
	static const struct {
		double loss, timeout;
		const char *span;
	} known[] = {
		{ 0.05, 0.35, "14 min" }, { 0.05, 0.5, "3.9 days" },
		{ 0.10, 0.35, "111 s" },  { 0.10, 0.5, "3.1 h" },
		{ 0.20, 0.35, "15.6 s" }, { 0.20, 0.5, "6.5 min" },
		{ 0.30, 0.35, "5.29 s" }, { 0.30, 0.5, "58.8 s" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct law law = { .runs = true,
				   .loss = known[i].loss,
				   .again = known[i].loss };
		char room[64];
		struct text text;

		text_init(&text, room, sizeof(room));
		say_span(&text, law_between_stops(&law, 0.1, known[i].timeout));
		cr_assert_str_eq(room, known[i].span);
	}
	/* a gap of exactly the time-out is none over it */
	cr_assert_float_eq(law_between_stops(&(struct law){ .runs = true,
							    .loss = 0.1,
							    .again = 0.1 },
					     0.1, 0.6),
			   0.1 / (0.1 * 0.9 * pow(0.1, 5.0)), 1e-3);
}

Test(law, stops_need_a_loss_and_a_stream_faster_than_the_time_out)
{
	const struct law tenth = { .runs = true, .loss = 0.1, .again = 0.1 };
	const struct law half = { .runs = true, .loss = 0.1, .again = 0.5 };
	const struct law never = { .runs = true };
	const struct law for_ever = { .runs = true, .loss = 1.0, .again = 1.0 };

	/* of two intervals with one lost packet between them: each run */
	cr_assert_float_eq(law_between_stops(&tenth, 0.25, 0.25),
			   0.25 / (0.1 * 0.9), 1e-12);
	cr_assert_float_eq(law_between_stops(&half, 0.25, 0.25),
			   0.25 / (0.1 * 0.5), 1e-12);
	/* of two lost ones: half the runs */
	cr_assert_float_eq(law_between_stops(&half, 0.25, 0.5),
			   0.25 / (0.1 * 0.5 * 0.5), 1e-12);
	/* packets further apart than the time-out are no gaps */
	cr_assert(isinf(law_between_stops(&tenth, 0.25, 0.2499)));
	cr_assert(isinf(law_between_stops(&never, 0.1, 0.5)));
	/* a run that does not end comes once */
	cr_assert(isinf(law_between_stops(&for_ever, 0.1, 0.5)));
}

/* Of a spread; what is known already is no part of it. */
static struct law of(const struct spread *spread)
{
	struct law law = { .zero = 9.0, .least = 9.0, .most = 9.0 };

	law_spread(spread, &law);
	return law;
}

Test(law, a_spread_has_bounds_where_its_distribution_has)
{
	static const double steps[] = { -1.0, -1.0, 0.0, 2.0 };
	const struct law uniform =
		of(&(struct spread){ .base = 50.0, .jitter = 20.0 });
	const struct law floored =
		of(&(struct spread){ .base = 10.0, .jitter = 20.0 });
	const struct law touching =
		of(&(struct spread){ .base = 20.0, .jitter = 20.0 });
	const struct law normal =
		of(&(struct spread){ .distribution.kind = DISTRIBUTION_NORMAL,
				     .base = 50.0,
				     .jitter = 5.0 });
	const struct law still = of(&(struct spread){
		.distribution.kind = DISTRIBUTION_NORMAL, .base = 50.0 });
	const struct law nothing = of(&(struct spread){ .jitter = 0.0 });
	const struct law table = of(
		&(struct spread){ .distribution = { .kind = DISTRIBUTION_TABLE,
						    .n = 4,
						    .table = steps },
				  .base = 50.0,
				  .jitter = 10.0 });

	cr_assert(uniform.delays && uniform.bounded);
	cr_assert_float_eq(uniform.mean, 50.0, 1e-9);
	cr_assert_float_eq(uniform.deviation, 20.0 / sqrt(3.0), 1e-9);
	cr_assert_float_eq(uniform.least, 30.0, 1e-9);
	cr_assert_float_eq(uniform.most, 70.0, 1e-9);
	cr_assert_eq(uniform.zero, 0.0);
	cr_assert_eq(floored.least, 0.0);
	cr_assert_float_eq(floored.most, 30.0, 1e-9);
	/* its least draw is zero and none is below */
	cr_assert_eq(touching.zero, 0.0);
	cr_assert_eq(touching.least, 0.0);
	cr_assert(nothing.bounded && nothing.most == 0.0);
	cr_assert(normal.delays && !normal.bounded && isinf(normal.most));
	cr_assert_float_eq(normal.deviation, 5.0, 1e-9);
	cr_assert(still.bounded);
	cr_assert_eq(still.most, 50.0);
	cr_assert_eq(still.least, 50.0);
	cr_assert_eq(still.deviation, 0.0);
	cr_assert(table.delays && table.bounded);
	cr_assert_float_eq(table.least, 40.0, 1e-9);
	cr_assert_float_eq(table.most, 70.0, 1e-9);
}

Test(law, moments_of_a_table_are_those_of_its_quantiles)
{
	/* between the entries it is straight: with so many, nearly what a
	 * uniform law of -1 to 1 has, and what floors it does so likewise
	 */
	static const double flat[] = { -2.0, -1.0, -1.0, 2.0 };
	double steps[1000];
	const struct distribution uniform = { .kind = DISTRIBUTION_TABLE,
					      .n = 1000,
					      .table = steps };
	struct law law;

	for (int i = 0; i < 1000; i++)
		steps[i] = (i + 0.5) / 500.0 - 1.0;
	law = of(&(struct spread){
		.distribution = uniform, .base = 5.0, .jitter = 3.0 });
	cr_assert_float_eq(law.mean, 5.0, 1e-5);
	cr_assert_float_eq(law.deviation, 3.0 / sqrt(3.0), 1e-5);
	law = of(&(struct spread){
		.distribution = uniform, .base = 1.0, .jitter = 2.0 });
	cr_assert_float_eq(law.zero, 0.25, 1e-9);
	cr_assert_float_eq(law.mean, 1.125, 1e-5);
	cr_assert_float_eq(law.deviation, sqrt(2.25 - 1.125 * 1.125), 1e-5);
	/* draws of just zero are not below: from 1/8 to 3/8 it climbs there,
	 * and from there to 5/8 it stays
	 */
	law = of(&(struct spread){ .distribution = { .kind = DISTRIBUTION_TABLE,
						     .n = 4,
						     .table = flat },
				   .base = 1.0,
				   .jitter = 1.0 });
	cr_assert_float_eq(law.zero, 0.375, 1e-9);
	cr_assert_eq(law.least, 0.0);
	cr_assert_float_eq(law.most, 3.0, 1e-9);
}

/* Who is overtaken at a rate, of draws that a table has, in ns. */
static double overtaken(const double *table, double interval, double loss)
{
	const struct spread spread = {
		.distribution = { .kind = DISTRIBUTION_TABLE,
				  .n = 1024,
				  .table = table },
		.jitter = 1.0,
	};

	return law_reordered(&spread, interval, loss);
}

Test(law, who_is_overtaken_is_known_where_draws_are_uniform)
{
	const struct spread even = { .base = 5.0, .jitter = 4.0 };
	/* half of its draws are floored: zero has a share of its own */
	const struct spread floored = { .jitter = 2.0 };
	const struct spread still = { .base = 5.0 };

	/* only the next packet can be first: (1 - T / 8)^2 / 2 */
	cr_assert_float_eq(law_reordered(&even, 4.0, 0.0), 0.125, 1e-6);
	cr_assert_float_eq(law_reordered(&even, 6.0, 0.0), 0.03125, 1e-6);
	/* ... if it is not lost */
	cr_assert_float_eq(law_reordered(&even, 4.0, 0.25), 0.09375, 1e-6);
	/* the next two, in parts of 8: of a draw of 1/3 + v, v < 1/3, the next
	 * with v; of 2/3 + v one of both, 1 - (2/3 - v) (1 - v)
	 */
	cr_assert_float_eq(law_reordered(&even, 8.0 / 3.0, 0.0),
			   1.0 / 18.0 + 31.0 / 162.0, 1e-6);
	/* of what waits 1 + v, v < 1: those below v, and all floored */
	cr_assert_float_eq(law_reordered(&floored, 1.0, 0.0), 0.15625, 1e-3);
	/* packets as far apart as the draws, and what does not vary */
	cr_assert_eq(law_reordered(&even, 8.0, 0.0), 0.0);
	cr_assert_eq(law_reordered(&still, 0.1, 0.0), 0.0);
	cr_assert_eq(law_reordered(&even, 0.0, 0.0), 0.0);
	/* nearly all where many are on their way at once */
	cr_assert_gt(law_reordered(&even, 0.1, 0.0), 0.8);
}

Test(law, a_packet_of_the_same_due_time_overtakes_none)
{
	double table[1024];

	/* quarters of 0 and 10, the half between them 5 */
	for (int i = 0; i < 1024; i++)
		table[i] = i < 256 ? 0.0 : i < 768 ? 5.0 : 10.0;
	/* of the 10: the next packet, with the quarter of 0; the same 5 after
	 * an interval of 5 is no sooner, nor is a 0 after one of 10
	 */
	cr_assert_float_eq(overtaken(table, 5.0, 0.0), 0.25 * 256.5 / 1024.0,
			   1e-9);
	cr_assert_float_eq(overtaken(table, 10.0, 0.0), 0.0, 1e-12);
	/* a 5 is behind the quarter of 0, which jumps up to it in one step */
	cr_assert_float_eq(
		overtaken(table, 4.0, 0.0),
		0.5 * (255.5 + 1.0 / 5.0) / 1024.0 +
			0.25 * (1.0 - (1.0 - 767.7 / 1024.0) *
					      (1.0 - 255.9 / 1024.0)),
		1e-9);
	/* one that is sooner than all others is passed over by none */
	for (int i = 1; i < 1024; i++)
		table[i] = 10.0;
	cr_assert_float_eq(overtaken(table, 4.0, 0.5),
			   1023.0 / 1024.0 *
				   (1.0 - (1.0 - 0.5 * 1.1 / 1024.0) *
						  (1.0 - 0.5 * 0.7 / 1024.0)),
			   1e-9);
}
