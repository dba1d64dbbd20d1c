/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * measure_test.c - bursts, gaps, ages and order of all packets of a channel
 *
 * Floor: tests.
 */
#include "core/measure.h"

#include <criterion/criterion.h>

static struct measure measure;

static void empty(void)
{
	measure_fini(&measure);
}

static void pass(uint64_t id, nsec ingress, nsec due, nsec released)
{
	const struct measure_packet times = { .ingress = ingress,
					      .due = due,
					      .released = released };

	cr_assert(measure_add(&measure, id, OUTCOME_PASSED, &times));
}

static void end(uint64_t id, nsec ingress, enum outcome outcome)
{
	const struct measure_packet times = { .ingress = ingress,
					      .due = NSEC_NEVER,
					      .released = NSEC_NEVER };

	cr_assert(measure_add(&measure, id, outcome, &times));
}

Test(measure, three_delays_of_the_packets_that_passed, .fini = empty)
{
	struct sample sample = { 0 };

	pass(0, 10, 110, 113);
	end(1, 20, OUTCOME_LOST);
	pass(2, 30, 140, 142);
	measure_sort(&measure);
	measure_sample(&measure, MEASURE_ASKED, &sample);
	cr_assert_eq(sample.n, 2);
	cr_assert_eq(sample.value[0], 100);
	cr_assert_eq(sample.value[1], 110);
	measure_sample(&measure, MEASURE_REALISED, &sample);
	cr_assert_eq(sample.value[0], 103);
	cr_assert_eq(sample.value[1], 112);
	measure_sample(&measure, MEASURE_ERROR, &sample);
	cr_assert_eq(sample.n, 2);
	cr_assert_eq(sample.value[0], 2);
	cr_assert_eq(sample.value[1], 3);
	sample_fini(&sample);
}

Test(measure, a_burst_is_counted_by_arrival_not_by_settlement, .fini = empty)
{
	struct measure_bursts bursts;

	/* settled in another order: 1, 2 and 4 are lost at once */
	end(1, 10, OUTCOME_LOST);
	end(2, 20, OUTCOME_LOST);
	pass(0, 0, 100, 100);
	end(4, 40, OUTCOME_LOST);
	pass(3, 30, 130, 130);
	measure_sort(&measure);
	bursts = measure_bursts(&measure);
	cr_assert_eq(bursts.n, 2);
	cr_assert_eq(bursts.lost, 3);
	cr_assert_eq(bursts.longest, 2);
}

Test(measure, what_waited_at_the_end_is_no_loss_and_ends_no_burst,
     .fini = empty)
{
	struct measure_bursts bursts;

	end(0, 0, OUTCOME_LOST);
	end(1, 10, OUTCOME_ENDED);
	end(2, 20, OUTCOME_LOST);
	measure_sort(&measure);
	bursts = measure_bursts(&measure);
	cr_assert_eq(bursts.n, 1);
	cr_assert_eq(bursts.lost, 2);
	cr_assert_eq(bursts.longest, 2);
}

Test(measure, one_that_leaves_behind_a_later_one_is_late, .fini = empty)
{
	pass(1, 10, 50, 50);
	pass(0, 0, 60, 60);
	pass(3, 30, 70, 70);
	pass(2, 20, 80, 80);
	cr_assert_eq(measure.late, 2);
}

Test(measure, a_robot_halts_where_loss_and_not_its_operator_made_the_gap,
     .fini = empty)
{
	struct measure_gaps gaps;
	nsec sent, released;

	pass(0, 0, 5, 5);
	end(1, 100, OUTCOME_LOST);
	end(2, 200, OUTCOME_LOST);
	pass(3, 300, 305, 305); /* 300 after the last, sent every 100 */
	pass(4, 700, 705, 705); /* the operator paused */
	measure_sort(&measure);
	gaps = measure_gaps(&measure, 250);
	cr_assert_eq(gaps.sent, 1);
	cr_assert_eq(gaps.released, 2);
	cr_assert_eq(gaps.stops, 1);
	cr_assert_eq(gaps.halted, 50);
	measure_longest(&measure, &sent, &released);
	cr_assert_eq(sent, 400);
	cr_assert_eq(released, 400);
	/* a gap as long as the time-out is none */
	cr_assert_eq(measure_gaps(&measure, 300).released, 1);
	cr_assert_eq(measure_gaps(&measure, 400).released, 0);
}

Test(measure, a_sender_that_waits_for_the_time_out_and_no_longer_has_not_paused,
     .fini = empty)
{
	struct measure_gaps gaps;

	pass(0, 0, 5, 5);
	end(1, 250, OUTCOME_LOST);
	pass(2, 500, 505, 505);
	end(3, 751, OUTCOME_LOST); /* a pause, by one */
	pass(4, 1000, 1005, 1005);
	measure_sort(&measure);
	gaps = measure_gaps(&measure, 250);
	cr_assert_eq(gaps.sent, 1);
	cr_assert_eq(gaps.released, 2);
	cr_assert_eq(gaps.stops, 1);
	cr_assert_eq(gaps.halted, 250);
}

Test(measure, an_age_grows_until_something_newer_is_released, .fini = empty)
{
	const nsec bounds[MEASURE_AGES] = { 10, 25, 30, 100, 200, 300 };
	double over[MEASURE_AGES];
	struct measure_age age;

	pass(0, 0, 10, 10);
	pass(1, 20, 30, 30);
	measure_sort(&measure);
	age = measure_age(&measure, over, bounds);
	/* from 10 at time 10 to 30 at time 30, then 10 again */
	cr_assert_eq(age.span, 20.0);
	cr_assert_eq(age.weighted, 400.0);
	cr_assert_eq(age.least, 10);
	cr_assert_eq(age.most, 30);
	cr_assert_eq(over[0], 20.0);
	cr_assert_eq(over[1], 5.0);
	cr_assert_eq(over[2], 0.0);
}

Test(measure, an_older_packet_makes_nothing_newer_or_older, .fini = empty)
{
	const nsec bounds[MEASURE_AGES] = {
		1000, 1000, 1000, 1000, 1000, 1000
	};
	double over[MEASURE_AGES];
	struct measure_age age;

	pass(1, 50, 60, 60);
	pass(0, 0, 70, 70);
	pass(2, 75, 80, 80);
	measure_sort(&measure);
	age = measure_age(&measure, over, bounds);
	/* that of packet 1 all the while: from 10 to 30 */
	cr_assert_eq(age.span, 20.0);
	cr_assert_eq(age.weighted, 400.0);
	cr_assert_eq(age.least, 5);
	cr_assert_eq(age.most, 30);
}

Test(measure, a_course_is_by_arrival, .fini = empty)
{
	struct measure_bin bin[2];

	pass(0, 0, 30, 30);
	pass(1, 9, 20, 21);
	end(2, 10, OUTCOME_LOST);
	pass(3, 99, 104, 105);
	measure_course(&measure, 10, bin, 2);
	cr_assert_eq(bin[0].in, 2);
	cr_assert_eq(bin[0].lost, 0);
	cr_assert_eq(bin[0].least, 12);
	cr_assert_eq(bin[0].most, 30);
	cr_assert_eq(bin[0].sum, 42.0);
	cr_assert_eq(bin[0].asked, 41.0);
	cr_assert_eq(bin[1].in, 2);
	cr_assert_eq(bin[1].lost, 1);
	cr_assert_eq(bin[1].passed, 1);
	cr_assert_eq(bin[1].most, 6);
}

Test(measure, of_no_packets_nothing_is_told)
{
	const nsec bounds[MEASURE_AGES] = { 1, 2, 3, 4, 5, 6 };
	double over[MEASURE_AGES];

	measure_sort(&measure);
	cr_assert_eq(measure_bursts(&measure).n, 0);
	cr_assert_eq(measure_gaps(&measure, 1).released, 0);
	cr_assert_not(measure_age(&measure, over, bounds).any);
}

Test(measure, keeps_arrival_and_outcome_together, .fini = empty)
{
	end(7, 70, OUTCOME_ENDED);
	end(5, 50, OUTCOME_LOST);
	pass(6, 60, NSEC_NEVER, 66);
	pass(4, 40, 44, NSEC_NEVER);
	measure_sort(&measure);
	for (size_t i = 0; i < 4; i++) {
		const struct measure_packet *packet = &measure.packet[i];

		cr_assert_eq(packet->key >> 2, i + 4);
		cr_assert_eq(packet->ingress, (nsec)(i + 4) * 10);
	}
	cr_assert_eq(measure_outcome(&measure.packet[0]), OUTCOME_PASSED);
	cr_assert_eq(measure_outcome(&measure.packet[1]), OUTCOME_LOST);
	cr_assert_eq(measure_outcome(&measure.packet[3]), OUTCOME_ENDED);
	/* where one of the two times is not known it is the other */
	cr_assert_eq(measure.packet[0].released, 44);
	cr_assert_eq(measure.packet[2].due, 66);
	cr_assert_eq(measure.n_order, 2);
}

Test(measure, in_order_nothing_is_late, .fini = empty)
{
	pass(0, 0, 10, 10);
	pass(1, 1, 11, 11);
	end(2, 2, OUTCOME_LOST);
	pass(3, 3, 12, 12);
	cr_assert_eq(measure.late, 0);
	pass(2, 2, 13, 13);
	cr_assert_eq(measure.late, 1);
}

Test(measure, released_at_one_time_they_keep_the_order_of_arrival,
     .fini = empty)
{
	for (uint64_t id = 0; id < 50; id++)
		pass(id * 7 % 50, 0, 5, id % 2 ? 5 : 6);
	measure_sort(&measure);
	cr_assert_eq(measure.n_order, 50);
	for (size_t i = 1; i < 50; i++) {
		uint32_t a = measure.order[i - 1], b = measure.order[i];

		cr_assert_leq(measure.packet[a].released,
			      measure.packet[b].released);
		if (measure.packet[a].released == measure.packet[b].released)
			cr_assert_lt(a, b);
	}
}

Test(measure, where_nobody_paused_there_is_no_gap, .fini = empty)
{
	nsec sent = 7, released = 7;
	struct measure_gaps gaps;

	measure_longest(&measure, &sent, &released);
	cr_assert_eq(sent, 0);
	cr_assert_eq(released, 0);
	pass(0, 1000, 1005, 1005);
	measure_sort(&measure);
	measure_longest(&measure, &sent, &released);
	cr_assert_eq(sent, 0);
	cr_assert_eq(released, 0);
	measure_fini(&measure);
	for (uint64_t id = 0; id < 4; id++)
		pass(id, 1000 + (nsec)id * 100, 1005, 1005 + (nsec)id * 100);
	measure_sort(&measure);
	gaps = measure_gaps(&measure, 250);
	cr_assert_eq(gaps.sent + gaps.released + gaps.stops, 0);
	cr_assert_eq(gaps.halted, 0);
	measure_longest(&measure, &sent, &released);
	cr_assert_eq(sent, 100);
	cr_assert_eq(released, 100);
}

Test(measure, an_age_is_above_a_bound_from_the_next_nanosecond, .fini = empty)
{
	const nsec bounds[MEASURE_AGES] = { 0, 9, 10, 29, 30, 31 };
	const double above[MEASURE_AGES] = { 40, 40, 40, 2, 0, 0 };
	double over[MEASURE_AGES];
	struct measure_age age;

	pass(0, 0, 10, 10); /* 10 old, and 30 when the next one comes */
	measure_sort(&measure);
	age = measure_age(&measure, over, bounds);
	cr_assert_eq(age.span, 0.0);
	cr_assert_eq(age.least, 10);
	cr_assert_eq(age.most, 10);
	measure_fini(&measure);
	pass(0, 0, 10, 10);
	pass(1, 20, 30, 30);
	pass(2, 49, 50, 50); /* 30 old, then 1 */
	measure_sort(&measure);
	age = measure_age(&measure, over, bounds);
	for (size_t i = 0; i < MEASURE_AGES; i++)
		cr_assert_eq(over[i], above[i], "%zu: %g", i, over[i]);
	cr_assert_eq(age.span, 40.0);
	cr_assert_eq(age.least, 1);
	cr_assert_eq(age.most, 30);
}

Test(measure, a_course_has_all_packets_somewhere, .fini = empty)
{
	struct measure_bin bin[2];

	pass(0, -25, -24, -23); /* before its trial began */
	pass(1, 9, 12, 14);
	pass(2, 10, 20, 30); /* each longer than the one before */
	pass(3, 20, 40, 50);
	end(4, 25, OUTCOME_ENDED);
	measure_course(&measure, 10, bin, 2);
	cr_assert_eq(bin[0].in, 2);
	cr_assert_eq(bin[0].least, 2);
	cr_assert_eq(bin[0].most, 5);
	cr_assert_eq(bin[1].in, 3);
	cr_assert_eq(bin[1].lost, 0);
	cr_assert_eq(bin[1].passed, 2);
	cr_assert_eq(bin[1].least, 20);
	cr_assert_eq(bin[1].most, 30);
	cr_assert_eq(bin[1].sum, 50.0);
	cr_assert_eq(bin[1].asked, 30.0);
}
