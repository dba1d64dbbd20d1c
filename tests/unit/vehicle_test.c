/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle_test.c - the machine: steps, queue, rejection, timeout, publication
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/garage.h"

#define MS    NSEC_PER_MS
#define S     NSEC_PER_S
#define HALF  "{\"vx\":0.5,\"vy\":0,\"wz\":0}"
#define STOP  "{\"vx\":0,\"vy\":0,\"wz\":0}"
#define ROBOT "model = diff-drive\n"

Test(vehicle, steps_at_exact_multiples_of_its_period)
{
	struct garage g;
	struct publication p;
	nsec last = 0;

	garage_start(&g, ROBOT "step = 7ms", NULL);
	cr_assert_eq(vehicle_next(g.vehicle), 7 * MS);
	cr_assert_not(vehicle_take(g.vehicle, 7 * MS - 1, &p));
	while (vehicle_take(g.vehicle, S, &p)) {
		if (!p.stream) {
			cr_assert_eq(p.time, last + 7 * MS);
			last = p.time;
		}
		cr_assert_eq(p.time, last);
		cr_assert_eq(p.row->time, last);
	}
	cr_assert_eq(last, 142 * 7 * MS);
	cr_assert_eq(vehicle_next(g.vehicle), 143 * 7 * MS);
	garage_close(&g);
}

Test(vehicle, is_due_now_until_all_of_a_step_is_out)
{
	struct garage g;
	struct publication p;

	garage_start(&g, ROBOT, NULL);
	cr_assert(vehicle_take(g.vehicle, 20 * MS, &p));
	cr_assert_null(p.stream);
	cr_assert(vehicle_take(g.vehicle, 20 * MS, &p));
	cr_assert_null(p.stream);
	cr_assert_eq(vehicle_next(g.vehicle), 20 * MS);
	cr_assert(vehicle_take(g.vehicle, 20 * MS, &p));
	cr_assert_str_eq(p.stream, "odom");
	cr_assert(vehicle_take(g.vehicle, 20 * MS, &p));
	cr_assert_str_eq(p.stream, "state");
	cr_assert_eq(p.time, 20 * MS);
	cr_assert_eq(vehicle_next(g.vehicle), 30 * MS);
	garage_close(&g);
}

Test(vehicle, receive_only_enqueues)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_put(&g, 0, "nonsense");
	garage_put(&g, 0, HALF);
	cr_assert_eq(vehicle_counts(g.vehicle)->received, 2);
	cr_assert_eq(vehicle_counts(g.vehicle)->accepted, 0);
	cr_assert_eq(vehicle_counts(g.vehicle)->rejected[REJECT_MALFORMED], 0);
	garage_run(&g, 10 * MS);
	cr_assert_eq(vehicle_counts(g.vehicle)->accepted, 1);
	cr_assert_eq(vehicle_counts(g.vehicle)->rejected[REJECT_MALFORMED], 1);
	garage_close(&g);
}

Test(vehicle, a_payload_counts_from_the_step_of_its_time)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_put(&g, 10 * MS, HALF);
	garage_put(&g, 10 * MS + 1, STOP);
	garage_run(&g, 10 * MS);
	cr_assert_float_eq(g.row.truth.x, 0.005, TINY);
	cr_assert_eq(g.row.command_age, 0);
	garage_run(&g, 20 * MS);
	cr_assert_float_eq(g.row.truth.x, 0.005, TINY);
	cr_assert_eq(g.row.command_age, 10 * MS - 1);
	garage_close(&g);
}

Test(vehicle, a_late_driver_makes_the_same_steps)
{
	struct garage prompt, late;

	garage_start(&prompt, ROBOT, NULL);
	garage_start(&late, ROBOT, NULL);
	for (nsec at = 3 * MS; at < S; at += 37 * MS) {
		garage_run(&prompt, at - 1);
		garage_put(&prompt, at, HALF);
		garage_put(&late, at, HALF);
	}
	garage_run(&prompt, S);
	garage_run(&late, S);
	cr_assert_eq(prompt.hash, late.hash);
	cr_assert_eq(prompt.rows, 100);
	cr_assert_eq(late.rows, 100);
	garage_close(&prompt);
	garage_close(&late);
}

Test(vehicle, a_burst_within_one_step_is_applied_in_order)
{
	struct garage g;
	char text[64];

	garage_start(&g, ROBOT, NULL);
	for (int i = 1; i <= 10; i++) {
		snprintf(text, sizeof(text),
			 "{\"vx\":0.%02d,\"vy\":0,\"wz\":0}", i);
		garage_put(&g, 5 * MS, text);
	}
	garage_run(&g, 10 * MS);
	cr_assert_eq(vehicle_counts(g.vehicle)->accepted, 10);
	cr_assert_float_eq(g.row.requested.vx, 0.10, TINY);
	cr_assert_float_eq(g.row.truth.x, 0.001, TINY);
	garage_close(&g);
	/* by packet each of them moves, so their order is seen in the pose */
	garage_start(&g, "model = position-delta", NULL);
	for (int i = 0; i < 5; i++) {
		garage_put(&g, 5 * MS, "{\"dx\":1,\"dy\":0,\"dyaw\":0}");
		garage_put(&g, 5 * MS,
			   "{\"dx\":0,\"dy\":0,\"dyaw\":1.5707963267948966}");
	}
	garage_run(&g, 5 * S);
	cr_assert_float_eq(g.row.truth.x, 1, 1e-6);
	cr_assert_float_eq(g.row.truth.y, 0, 1e-6);
	garage_close(&g);
}

Test(vehicle, a_wrong_payload_between_good_ones_changes_nothing)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_put(&g, 1, HALF);
	garage_put(&g, 2, "{\"dx\":1,\"dy\":0,\"dyaw\":0}");
	garage_put(&g, 3, "{\"vx\":0.25,\"vy\":0,\"wz\":0}");
	garage_run(&g, 10 * MS);
	cr_assert_eq(vehicle_counts(g.vehicle)->accepted, 2);
	cr_assert_eq(vehicle_counts(g.vehicle)->rejected[REJECT_TYPE], 1);
	cr_assert_eq(g.rows, 1);
	cr_assert_float_eq(g.row.truth.x, 0.0025, TINY);
	garage_close(&g);
}

Test(vehicle, a_full_queue_drops_the_newcomer_and_counts_it)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	for (int i = 0; i < 300; i++)
		garage_put(&g, 0, i < 256 ? HALF : STOP);
	cr_assert_eq(vehicle_counts(g.vehicle)->overflow, 44);
	garage_run(&g, 10 * MS);
	cr_assert_eq(vehicle_counts(g.vehicle)->accepted, 256);
	cr_assert_float_eq(g.row.requested.vx, 0.5, TINY);
	garage_put(&g, 10 * MS, STOP);
	cr_assert_eq(vehicle_counts(g.vehicle)->overflow, 44);
	garage_close(&g);
}

/* A command with blanks behind it, so many bytes in all. */
static void put_long(struct garage *g, size_t len)
{
	char text[1024];

	cr_assert(len < sizeof(text));
	memset(text, ' ', sizeof(text));
	memcpy(text, STOP, sizeof(STOP) - 1);
	vehicle_put(g->vehicle, 0, text, len);
}

Test(vehicle, a_payload_has_512_bytes_at_most_and_harms_no_other)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	for (int i = 0; i < 253; i++)
		garage_put(&g, 0, HALF);
	garage_put(&g, 0, "");
	put_long(&g, 512);
	/* the last place of the queue */
	put_long(&g, 1000);
	cr_assert_eq(vehicle_counts(g.vehicle)->overflow, 0);
	garage_put(&g, 0, HALF);
	cr_assert_eq(vehicle_counts(g.vehicle)->overflow, 1);
	garage_run(&g, 10 * MS);
	cr_assert_eq(vehicle_counts(g.vehicle)->accepted, 254);
	cr_assert_eq(vehicle_counts(g.vehicle)->rejected[REJECT_MALFORMED], 2);
	cr_assert_eq(g.row.requested.vx, 0);
	garage_close(&g);
}

Test(vehicle, brakes_through_the_limiter_once_commands_stop)
{
	struct garage g;
	nsec stopped = 0;

	/* from 0.5 m/s: half a second on, then 1 m/s^2 */
	garage_start(&g, ROBOT "acceleration = 10000\ndeceleration = 1", NULL);
	garage_put(&g, 0, HALF);
	for (nsec at = 10 * MS; at <= 2 * S; at += 10 * MS) {
		garage_run(&g, at);
		if (!stopped && g.row.truth.x > 0.1 && g.row.applied.vx <= TINY)
			stopped = at;
		cr_assert_geq(g.row.applied.vx, 0);
	}
	cr_assert_eq(stopped, S);
	cr_assert_float_eq(g.row.truth.x, 0.3725, 1e-9);
	cr_assert_eq(vehicle_counts(g.vehicle)->timeouts, 1);
	cr_assert_eq(g.row.command_age, 2 * S);
	garage_close(&g);
}

Test(vehicle, obeys_the_timeout_that_was_set)
{
	struct garage g;

	garage_start(&g, ROBOT "timeout = 0.2s", NULL);
	garage_put(&g, 0, HALF);
	garage_run(&g, S);
	cr_assert_float_eq(g.row.truth.x, 0.1, TINY);
	garage_close(&g);
	garage_start(&g, ROBOT "timeout = off", NULL);
	garage_put(&g, 0, HALF);
	garage_run(&g, 10 * S);
	cr_assert_float_eq(g.row.truth.x, 5, 1e-9);
	garage_close(&g);
}

Test(vehicle, accepts_commands_again_after_a_timeout)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_drive(&g, 0, S, 100 * MS, HALF);
	garage_run(&g, 3 * S);
	cr_assert_eq(g.row.applied.vx, 0);
	garage_drive(&g, 3 * S, 4 * S, 100 * MS, HALF);
	cr_assert_float_eq(g.row.applied.vx, 0.5, TINY);
	cr_assert_eq(vehicle_counts(g.vehicle)->timeouts, 1);
	garage_close(&g);
}

Test(vehicle, a_stream_of_nan_stops_it_within_the_timeout)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_put(&g, 0, HALF);
	garage_drive(&g, 50 * MS, 2 * S, 50 * MS,
		     "{\"vx\":NaN,\"vy\":0,\"wz\":0}");
	cr_assert_float_eq(g.row.truth.x, 0.25, TINY);
	cr_assert_eq(g.row.applied.vx, 0);
	cr_assert_eq(vehicle_counts(g.vehicle)->rejected[REJECT_NOT_FINITE],
		     39);
	cr_assert_eq(g.row.command_age, 2 * S);
	cr_assert(isfinite(g.row.truth.x) && isfinite(g.row.odom.x));
	garage_close(&g);
}

Test(vehicle, publishes_though_no_command_ever_came)
{
	struct garage g;
	struct publication p;
	int odom = 0, scan = 0;

	garage_start(&g, ROBOT, NULL);
	while (vehicle_take(g.vehicle, S, &p)) {
		odom += p.stream && strcmp(p.stream, "odom") == 0;
		scan += p.stream && strcmp(p.stream, "scan") == 0;
		cr_assert_eq(p.row->command_age, -1);
	}
	cr_assert_eq(odom, 50);
	cr_assert_eq(scan, 30); /* ten, in three parts */
	garage_close(&g);
}

Test(vehicle, ignores_a_sideways_wish_it_cannot_do)
{
	struct garage g;

	garage_start(&g, ROBOT, NULL);
	garage_put(&g, 0, "{\"vx\":0.1,\"vy\":0.2,\"wz\":0}");
	garage_run(&g, S);
	cr_assert_eq(g.row.truth.y, 0);
	cr_assert_gt(g.row.truth.x, 0);
	cr_assert_eq(vehicle_counts(g.vehicle)->accepted, 1);
	cr_assert_eq(vehicle_counts(g.vehicle)->ignored, 1);
	garage_close(&g);
}

/* Twenty packets at 10 Hz, without the ones in @lost, or with one twice. */
static double distance(const char *lines, unsigned lost, unsigned twice)
{
	struct garage g;
	double x;

	garage_start(&g, lines, NULL);
	for (unsigned i = 0; i < 20; i++) {
		garage_run(&g, i * 100 * MS - 1);
		for (unsigned n = 0; n < (twice >> i & 1) + 1; n++)
			if (!(lost >> i & 1))
				garage_put(&g, i * 100 * MS, HALF);
	}
	garage_run(&g, 2 * S);
	x = g.row.truth.x;
	garage_close(&g);
	return x;
}

Test(vehicle, loss_costs_distance_by_packet_but_not_while_holding)
{
	const char *hold = ROBOT;
	const char *packet = ROBOT "apply = per-packet";
	const unsigned third =
		1u << 2 | 1u << 5 | 1u << 9 | 1u << 12 | 1u << 13 | 1u << 17;
	const unsigned gap = 0xffu << 4;

	cr_assert_float_eq(distance(hold, 0, 0), 1.00, 1e-9);
	cr_assert_float_eq(distance(hold, 1u << 7, 0), 1.00, 1e-9);
	cr_assert_float_eq(distance(hold, 0, 1u << 7), 1.00, 1e-9);
	cr_assert_float_eq(distance(packet, 0, 0), 1.00, 1e-9);
	cr_assert_float_eq(distance(packet, 1u << 7, 0), 0.95, 1e-9);
	cr_assert_float_eq(distance(packet, 0, 1u << 7), 1.05, 1e-9);
	/* 30 % lost: nothing held, 30 % by packet */
	cr_assert_float_eq(distance(hold, third, 0), 1.00, 1e-9);
	cr_assert_float_eq(distance(packet, third, 0), 0.70, 1e-9);
	/* eight in a row: the timeout, and nothing else, costs 390 ms */
	cr_assert_float_eq(distance(hold, gap, 0), 1.00 - 0.5 * 0.39, 1e-9);
}

#define NOISY                                                                  \
	"preset = rosbot-2r\nslip = 5%\nwheel_noise = 10%\nencoder_noise = "   \
	"5%\nencoder_bias = 3%\nscan_noise = 1cm\nscan_dropout = 5%\n"         \
	"truth_every = 20ms\nlidar_every = 100ms\nrange_every = 200ms\n"       \
	"wifi_every = 10cm"

static uint64_t noisy_hash(struct garage *g)
{
	g->hash = 0;
	garage_drive(g, 0, 3 * S, 100 * MS, "{\"vx\":0.3,\"vy\":0,\"wz\":0.4}");
	return g->hash;
}

Test(vehicle, same_seed_gives_the_same_bytes)
{
	const char *walls = "-2,-2,2,-2\n2,-2,2,2\n2,2,-2,2\n-2,2,-2,-2\n";
	struct garage a, b;
	uint64_t first;

	garage_start(&a, NOISY, walls);
	garage_start(&b, NOISY, walls);
	first = noisy_hash(&a);
	cr_assert_eq(noisy_hash(&b), first);
	cr_assert_eq(a.bytes, b.bytes);
	/* a reset is as good as new, and another seed is another run */
	vehicle_reset(a.vehicle, 1);
	cr_assert_eq(noisy_hash(&a), first);
	vehicle_reset(a.vehicle, 2);
	cr_assert_neq(noisy_hash(&a), first);
	garage_close(&a);
	garage_close(&b);
}

Test(vehicle, reset_forgets_queue_motion_and_counts)
{
	struct garage g;

	garage_start(&g, ROBOT "start_x = 1m", NULL);
	garage_drive(&g, 0, S, 100 * MS, HALF);
	garage_put(&g, S, HALF);
	vehicle_reset(g.vehicle, 1);
	cr_assert_eq(vehicle_next(g.vehicle), 10 * MS);
	garage_run(&g, S);
	cr_assert_eq(g.row.truth.x, 1);
	cr_assert_eq(g.row.odom.x, 0);
	cr_assert_eq(g.row.command_age, -1);
	cr_assert_eq(vehicle_counts(g.vehicle)->received, 0);
	cr_assert_eq(vehicle_counts(g.vehicle)->steps, 100);
	garage_close(&g);
}

Test(vehicle, wifi_samples_follow_the_way)
{
	struct garage g;
	struct publication p;
	int samples = 0;

	garage_start(&g, ROBOT "wifi_every = 1m\ntimeout = off", NULL);
	garage_put(&g, 0, HALF);
	while (vehicle_take(g.vehicle, 9 * S, &p))
		samples += p.stream && strcmp(p.stream, "wifi-sample") == 0;
	cr_assert_eq(samples, 4);
	garage_close(&g);
}

Test(vehicle, names_its_streams)
{
	cr_assert_str_eq(vehicle_stream(STREAM_ODOM), "odom");
	cr_assert_str_eq(vehicle_stream(STREAM_WIFI), "wifi-sample");
	vehicle_free(NULL);
}
