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
