/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gauge_test.c - what the page shows is what happened, in bounded memory
 *
 * Floor: tests.
 */
#include "edge/gauge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/catalog.h"
#include "core/seed.h"
#include "core/tally.h"
#include "edge/track.h"

#define MS NSEC_PER_MS

static const char text[] = "[arm]\nname = test\n"
			   "[link]\nrobot = 127.0.0.2\n"
			   "[uplink a]\nport = 5002\nchain = d\n"
			   "[downlink b]\nreply = a\n"
			   "[condition d]\ntype = delay\ndelay = 100ms\n"
			   "[vehicle]\npreset = rosbot-2r\n"
			   "start_x = 1m\nstart_y = 2m\n";

static struct catalog catalog;
static struct arm *arm;
static struct gauge *gauge;

static void begin_trial(const char *id)
{
	struct feed_item item = { .kind = FEED_TRIAL };

	snprintf(item.trial, sizeof(item.trial), "%s", id);
	gauge_take(gauge, &item);
}

static void begin(void)
{
	struct err err = { 0 }, warnings = { 0 };
	const struct arm_source source = { .file = "test.ini",
					   .text = text,
					   .size = sizeof(text) - 1,
					   .catalog = &catalog };

	catalog_init(&catalog);
	arm = arm_new(&source, &err, &warnings);
	cr_assert_not_null(arm, "%s", err.n ? err.line[0] : "");
	err_fini(&warnings);
	gauge = gauge_new(arm);
	begin_trial("1");
}

static void end(void)
{
	gauge_free(gauge);
	arm_free(arm);
}

TestSuite(gauge, .init = begin, .fini = end);

static void take(enum fate fate, uint16_t channel, nsec ingress, nsec due,
		 nsec released)
{
	const struct feed_item item = {
		.kind = FEED_PACKET,
		.packet = { .ingress = ingress,
			    .due = due,
			    .released = released,
			    .size = 10,
			    .channel = channel,
			    .fate = (uint8_t)fate },
	};

	gauge_take(gauge, &item);
}

/* Time passes, and nothing else. */
static void pass(nsec now)
{
	static struct status status;

	status.arm = arm;
	status.n = 2;
	status.now = now;
	status.channel[0].released = gauge_total(gauge, 0)->released;
	snprintf(status.trial, sizeof(status.trial), "1");
	gauge_note(gauge, &status);
}

/* Number at a place in a bin of a channel. */
static double in_bin(uint64_t back, size_t channel, size_t at)
{
	json_t *all = gauge_bin_json(gauge, back);
	double found;

	cr_assert_not_null(all);
	found = json_number_value(json_array_get(
		json_array_get(json_object_get(all, "bins"), channel), at));
	json_decref(all);
	return found;
}

static json_int_t of_channel(size_t channel, const char *what, const char *key)
{
	json_t *all = gauge_channel_json(gauge, channel);
	json_t *value = json_object_get(json_object_get(all, what), key);
	json_int_t found = json_integer_value(value);

	cr_assert(json_is_integer(value), "%s %s", what, key);
	json_decref(all);
	return found;
}

Test(gauge, its_quantiles_are_those_of_the_record)
{
	struct tally *tally = calloc(1, sizeof(*tally));
	struct rng rng;

	cr_assert_not_null(tally);
	seed_key(&rng, 1);
	for (int i = 0; i < 5000; i++) {
		struct packet packet = { .id = (uint64_t)i,
					 .ingress = i * MS,
					 .by = "",
					 .fate = FATE_RELEASED };
		nsec released;

		packet.due = packet.ingress + (nsec)(rng_next(&rng) % 300) * MS;
		released = packet.due + (nsec)(rng_next(&rng) % 2000000);
		tally_add(tally, &packet, released);
		take(FATE_RELEASED, 0, packet.ingress, packet.due, released);
	}
	cr_expect_eq(of_channel(0, "delay", "p50_ns"),
		     histogram_quantile(&tally->delay, 0.5));
	cr_expect_eq(of_channel(0, "delay", "p99_ns"),
		     histogram_quantile(&tally->delay, 0.99));
	cr_expect_eq(of_channel(0, "delay", "mean_ns"),
		     llround(histogram_mean(&tally->delay)));
	cr_expect_eq(of_channel(0, "delay", "max_ns"), tally->delay.most);
	cr_expect_eq(of_channel(0, "error", "p99_ns"),
		     histogram_quantile(&tally->error, 0.99));
	cr_expect_eq(of_channel(0, "error", "n"), 5000);
	cr_expect_eq(of_channel(1, "delay", "n"), 0);
	free(tally);
}

Test(gauge, what_happens_counts_in_the_bin_of_its_time)
{
	take(FATE_RELEASED, 0, 0, 100 * MS, 101 * MS);
	take(FATE_RELEASED, 0, 100 * MS, 250 * MS, 250 * MS);
	take(FATE_SUPPRESSED, 0, 300 * MS, NSEC_NEVER, NSEC_NEVER);
	take(FATE_FORWARDED, 2, 400 * MS, 400 * MS, 400 * MS);
	cr_expect_eq(gauge_bins(gauge), 0);
	take(FATE_RELEASED, 1, 500 * MS, 500 * MS, 500 * MS);
	cr_expect_eq(gauge_bins(gauge), 1);
	cr_expect_eq(in_bin(0, 0, 1), 3, "in");
	cr_expect_eq(in_bin(0, 0, 2), 2, "released");
	cr_expect_eq(in_bin(0, 0, 3), 1, "suppressed");
	cr_expect_eq(in_bin(0, 0, 5), 30, "bytes");
	cr_expect_eq(in_bin(0, 0, 6), 100 * MS, "least");
	cr_expect_eq(in_bin(0, 0, 7), 125 * MS, "mean");
	cr_expect_eq(in_bin(0, 0, 8), 150 * MS, "greatest");
	cr_expect_eq(in_bin(0, 0, 9), 1 * MS, "error");
	cr_expect_eq(in_bin(0, 1, 1), 0);
	cr_expect_eq(in_bin(0, 2, 2), 1, "what fits no channel");
}

Test(gauge, a_packet_that_waited_and_is_dropped_counts_when_it_is)
{
	pass(3100 * MS);
	take(FATE_DROPPED, 0, 200 * MS, NSEC_NEVER, NSEC_NEVER);
	pass(3500 * MS);
	cr_expect_eq(gauge_bins(gauge), 7);
	cr_expect_eq(in_bin(0, 0, 4), 1);
	cr_expect_eq(in_bin(6, 0, 4), 0);
}

Test(gauge, a_silent_run_finishes_bins_too)
{
	pass(10 * NSEC_PER_S);
	cr_expect_eq(gauge_bins(gauge), 20);
	cr_expect_eq(in_bin(0, 0, 0), 9500 * MS, "when it began");
	cr_expect_eq(in_bin(0, 0, 1), 0);
}

Test(gauge, stops_and_duplicates_are_no_packets_of_the_stream)
{
	struct feed_item item = { .kind = FEED_PACKET,
				  .packet = { .fate = FATE_RELEASED,
					      .copy = true } };

	gauge_take(gauge, &item);
	take(FATE_INJECTED, 0, 0, 0, 0);
	cr_expect_eq(gauge_total(gauge, 0)->in, 0);
	cr_expect_eq(of_channel(0, "delay", "n"), 0);
}

Test(gauge, a_channel_that_is_none_is_passed_over)
{
	take(FATE_RELEASED, 3, 0, 0, 0);
	take(FATE_RELEASED, UINT16_MAX, 0, 0, 0);
	for (size_t i = 0; i < gauge_places(gauge); i++)
		cr_expect_eq(gauge_total(gauge, i)->in, 0);
}

static void say(const char *word, const char *detail)
{
	struct feed *feed = feed_new();

	cr_assert_not_null(feed);
	feed_event(feed, 5, word, detail);
	gauge_take(gauge, feed_first(feed));
	feed_free(feed);
}

Test(gauge, a_trial_begins_anew_but_totals_and_marks_stay)
{
	json_t *past, *events;

	take(FATE_RELEASED, 0, 0, 100 * MS, 900 * MS);
	say("mark", "here");
	begin_trial("2");
	cr_expect_eq(of_channel(0, "delay", "n"), 0);
	cr_expect_eq(gauge_total(gauge, 0)->released, 1);
	cr_expect_eq(gauge_total(gauge, 0)->delay.n, 1);
	cr_expect_eq(gauge_bins(gauge), 1, "of the whole run");
	cr_expect_null(gauge_bin_json(gauge, 0), "of this trial");
	past = gauge_history_json(gauge, 10);
	cr_expect_str_eq(json_string_value(json_object_get(past, "trial")),
			 "2");
	events = json_object_get(past, "events");
	cr_assert_eq(json_array_size(events), 1);
	events = json_array_get(events, 0);
	cr_expect_str_eq(json_string_value(json_object_get(events, "trial")),
			 "1");
	cr_expect_str_eq(json_string_value(json_object_get(events, "detail")),
			 "here");
	json_decref(past);
}

Test(gauge, a_day_is_kept_as_its_last_hour_and_shown_in_few_bins)
{
	const nsec day = 86400 * NSEC_PER_S;
	json_t *past, *bins;
	double in = 0;

	for (nsec at = 0; at < day; at += 10 * NSEC_PER_S)
		take(FATE_RELEASED, 0, at, at, at);
	pass(day);
	cr_expect_eq(gauge_bins(gauge), 2 * 86400);
	past = gauge_history_json(gauge, 600);
	cr_expect_eq(json_integer_value(json_object_get(past, "bin_ns")),
		     12 * GAUGE_BIN);
	bins = json_object_get(
		json_array_get(json_object_get(past, "channels"), 0), "bins");
	cr_expect_eq(json_array_size(bins), 600);
	for (size_t i = 0; i < json_array_size(bins); i++)
		in += json_number_value(
			json_array_get(json_array_get(bins, i), 1));
	cr_expect_eq(in, 360, "one every ten seconds of an hour");
	cr_expect_eq(
		json_integer_value(json_array_get(json_array_get(bins, 0), 0)),
		day - 3600 * NSEC_PER_S);
	json_decref(past);
}

Test(gauge, the_last_events_are_kept_and_cut_between_characters)
{
	char word[200], detail[600];
	json_t *event;

	for (size_t i = 0; i < sizeof(detail) - 2; i += 2)
		memcpy(detail + i, "\xc3\xa4", 2);
	memcpy(detail + sizeof(detail) - 2, "\0", 2);
	memset(word, 'w', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	for (int i = 0; i < GAUGE_EVENTS + 5; i++)
		say(word, detail);
	cr_expect_eq(gauge_events(gauge), GAUGE_EVENTS + 5);
	cr_expect_null(gauge_event_json(gauge, 4));
	cr_expect_null(gauge_event_json(gauge, GAUGE_EVENTS + 5));
	event = gauge_event_json(gauge, 5);
	cr_assert_not_null(event);
	cr_expect_eq(json_integer_value(json_object_get(event, "n")), 5);
	cr_expect_not_null(json_object_get(event, "detail"), "whole UTF-8");
	json_decref(event);
}

Test(gauge, an_event_that_is_no_text_hides_nothing_else)
{
	json_t *event;

	say("mark", "\xff\xfe");
	event = gauge_event_json(gauge, 0);
	cr_assert_not_null(event);
	cr_expect_str_eq(json_string_value(json_object_get(event, "event")),
			 "mark");
	cr_expect_null(json_object_get(event, "detail"));
	json_decref(event);
}

Test(gauge, what_the_arm_intends_is_foretold)
{
	cr_expect_eq(of_channel(0, "intended", "mean_ns"), 100 * MS);
	cr_expect_eq(of_channel(0, "intended", "max_ns"), 100 * MS);
	cr_expect_eq(of_channel(1, "intended", "mean_ns"), 0);
}

Test(gauge, odometry_is_shown_in_the_map_frame)
{
	struct feed_item item = { .kind = FEED_STEP,
				  .step = { .time = 10 * MS,
					    .truth = { 1.5, 2, 0 },
					    .odom = { 0.25, 0, 0 } } };
	json_t *poses, *odom;

	gauge_take(gauge, &item);
	poses = gauge_poses_json(gauge);
	cr_assert_not_null(poses);
	odom = json_object_get(poses, "odom");
	cr_expect_float_eq(json_number_value(json_array_get(odom, 1)), 1.25,
			   1e-9);
	cr_expect_float_eq(json_number_value(json_array_get(odom, 2)), 2.0,
			   1e-9);
	cr_expect_null(json_object_get(poses, "view"));
	json_decref(poses);
	cr_expect_null(gauge_poses_json(gauge), "nothing moved since");
}

Test(gauge, a_long_way_is_thinned_and_keeps_its_ends)
{
	struct track *track = calloc(1, sizeof(*track));
	json_t *way;

	cr_assert_not_null(track);
	for (int i = 0; i <= 100000; i++) {
		const struct pose pose = { i * 0.01, 0, 0 };

		track_add(track, i, &pose);
	}
	cr_expect_leq(track->n, TRACK_POINTS);
	cr_expect_geq(track->n, TRACK_POINTS / 4);
	way = track_json(track);
	cr_expect_float_eq(
		json_number_value(json_array_get(json_array_get(way, 0), 1)),
		0.0, 1e-9);
	cr_expect_float_eq(
		json_number_value(json_array_get(
			json_array_get(way, json_array_size(way) - 1), 1)),
		1000.0, 1e-9);
	json_decref(way);
	free(track);
}

Test(gauge, the_verdict_so_far_follows_the_bounds_of_the_arm)
{
	json_t *judged;

	take(FATE_RELEASED, 0, 0, 100 * MS, 100 * MS);
	pass(200 * MS);
	judged = gauge_verdict_json(gauge);
	cr_expect_str_eq(json_string_value(json_object_get(judged, "verdict")),
			 "valid");
	json_decref(judged);
	take(FATE_RELEASED, 0, 0, 100 * MS, 5000 * MS);
	judged = gauge_verdict_json(gauge);
	cr_expect_str_neq(json_string_value(json_object_get(judged, "verdict")),
			  "valid");
	cr_expect_gt(json_array_size(json_object_get(judged, "reasons")), 0);
	json_decref(judged);
}
