/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * property_channel_test.c - what holds of a channel for every seed
 *
 * Floor: tests.
 *
 * How it works
 *
 * Each packet says at random what each of three stages does to it, so that a
 * plain model (a list that is searched from end to end for the least time)
 * foretells fate and due time.  Equal times, bursts, ticks and limits are made
 * frequent on purpose: all times are small multiples of a few nanoseconds.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/seed.h"
#include "tests/unit/bench.h"

#define SEEDS	BENCH_SEEDS
#define PACKETS 200
#define STAGES	3

/* One random case, and what the model says of each packet. */
struct scene {
	size_t n_stages;
	nsec tick, limit;
	struct sample {
		nsec at, delay[STAGES], time, due;
		size_t stage;
		enum fate fate;
		bool waits, entered;
	} sample[PACKETS];
};

static const nsec ticks[] = { 0, 0, 1, 7, 20 };

static void make(struct scene *scene, uint64_t seed)
{
	struct rng rng;
	nsec now = 0;

	*scene = (struct scene){ 0 };
	seed_key(&rng, seed);
	scene->n_stages = (size_t)bench_random(&rng, STAGES);
	scene->tick = ticks[bench_random(&rng, 4)];
	scene->limit =
		bench_random(&rng, 1) ? 1000 : 1 + bench_random(&rng, 20);
	for (size_t i = 0; i < PACKETS; i++) {
		struct sample *sample = &scene->sample[i];

		now += bench_random(&rng, 1) ? 0 : bench_random(&rng, 12);
		sample->at = now;
		for (size_t s = 0; s < STAGES; s++) {
			switch (bench_random(&rng, 19)) {
			case 0:
				sample->delay[s] = DELAY_SUPPRESS;
				break;
			case 1:
				sample->delay[s] = DELAY_INVALID;
				break;
			case 2:
			case 3:
			case 4:
			case 5:
				break;
			default:
				sample->delay[s] = bench_random(&rng, 60);
			}
		}
	}
}

static nsec exit_of(const struct scene *scene, const struct sample *sample)
{
	if (sample->stage < scene->n_stages || !scene->tick)
		return sample->time;
	return (sample->time + scene->tick - 1) / scene->tick * scene->tick;
}

/* The packet asks the stages from its own on, up to one that takes time. */
static void walk(const struct scene *scene, struct sample *sample)
{
	sample->waits = false;
	while (sample->stage < scene->n_stages) {
		nsec delay = sample->delay[sample->stage];

		if (delay < 0) {
			sample->fate = delay == DELAY_SUPPRESS ? FATE_SUPPRESSED
							       : FATE_DROPPED;
			sample->due = NSEC_NEVER;
			return;
		}
		sample->time += delay;
		sample->stage++;
		if (delay || (sample->stage == scene->n_stages &&
			      sample->time != sample->at)) {
			sample->waits = true;
			return;
		}
	}
	sample->fate = FATE_RELEASED;
	sample->due = sample->time;
}

/* Do all that is due up to a time; the least (time, place) first. */
static void act(struct scene *scene, nsec now)
{
	for (;;) {
		struct sample *first = NULL;
		nsec least = now;

		for (size_t i = PACKETS; i-- > 0;) {
			struct sample *sample = &scene->sample[i];

			if (sample->waits && exit_of(scene, sample) <= least) {
				first = sample;
				least = exit_of(scene, sample);
			}
		}
		if (!first)
			return;
		if (first->stage < scene->n_stages) {
			walk(scene, first);
			continue;
		}
		first->waits = false;
		first->fate = FATE_RELEASED;
		first->due = exit_of(scene, first);
	}
}

static void foretell(struct scene *scene)
{
	for (size_t i = 0; i < PACKETS; i++) {
		struct sample *sample = &scene->sample[i];
		nsec inside = 0;

		act(scene, sample->at);
		for (size_t k = 0; k < i; k++)
			inside += scene->sample[k].waits;
		if (inside >= scene->limit) {
			sample->fate = FATE_DROPPED;
			sample->due = NSEC_NEVER;
			continue;
		}
		sample->time = sample->at;
		walk(scene, sample);
	}
	act(scene, NSEC_NEVER - 1);
}

static void open_scene(struct bench *bench, const struct scene *scene)
{
	static const char *const chain[] = { "", "chain = a", "chain = a, b",
					     "chain = a, b, c" };

	bench_open(bench,
		   "[arm]\ntick = %dns\n[link]\nrobot = 10.0.0.2\n"
		   "[uplink command]\nport = 5002\nlimit_packets = %d\n"
		   "limit_bytes = 500kB\n%s\n"
		   "[condition a]\ntype = asked\n"
		   "[condition b]\ntype = asked\nplace = 1\n"
		   "[condition c]\ntype = asked\nplace = 2\n",
		   (int)scene->tick, (int)scene->limit, chain[scene->n_stages]);
}

static void put_sample(struct bench *bench, const struct scene *scene, size_t i)
{
	bench_ask(bench, scene->sample[i].at, 0, scene->sample[i].delay,
		  STAGES);
}

Test(property_channel, fates_and_dues_are_those_of_a_plain_model)
{
	static struct scene scene;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench bench;

		make(&scene, seed);
		foretell(&scene);
		open_scene(&bench, &scene);
		for (size_t i = 0; i < PACKETS; i++)
			put_sample(&bench, &scene, i);
		bench_take(&bench, NSEC_NEVER);
		for (size_t i = 0; i < PACKETS; i++) {
			const struct outcome *out = bench_of(&bench, i);

			cr_assert_eq(out->ingress, scene.sample[i].at);
			cr_assert_eq(out->fate, scene.sample[i].fate,
				     "seed %d, packet %zu", (int)seed, i);
			cr_assert_eq(out->due, scene.sample[i].due,
				     "seed %d, packet %zu", (int)seed, i);
		}
		bench_close(&bench);
	}
}

Test(property_channel, releases_come_in_ascending_time)
{
	static struct scene scene;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench bench;
		nsec last = 0;

		make(&scene, seed);
		open_scene(&bench, &scene);
		for (size_t i = 0; i < PACKETS; i++)
			put_sample(&bench, &scene, i);
		bench_take(&bench, NSEC_NEVER);
		for (size_t i = 0; i < bench.n; i++) {
			const struct outcome *out = &bench.out[i];

			if (out->fate != FATE_RELEASED)
				continue;
			cr_assert_geq(out->due, last);
			cr_assert_geq(out->due, out->ingress);
			last = out->due;
		}
		bench_close(&bench);
	}
}

/* What came in is inside, or came out once, with one fate. */
static void check_conserved(const struct bench *bench)
{
	size_t settled = bench_count(bench, FATE_RELEASED, NULL) +
			 bench_count(bench, FATE_SUPPRESSED, NULL) +
			 bench_count(bench, FATE_DROPPED, NULL);
	struct channel_load load =
		channel_load(session_channel(bench->session, 0));

	cr_assert_eq(settled, bench->n);
	cr_assert_eq(settled + (size_t)load.packets, bench->in);
	cr_assert_eq(load.bytes, load.packets * (28 + 8 + 8 * STAGES));
}

Test(property_channel, in_is_released_and_suppressed_and_dropped_and_queued)
{
	static struct scene scene;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench bench;
		bool seen[PACKETS] = { false };

		make(&scene, seed);
		open_scene(&bench, &scene);
		for (size_t i = 0; i < PACKETS; i++) {
			put_sample(&bench, &scene, i);
			bench_take(&bench, scene.sample[i].at);
			check_conserved(&bench);
		}
		bench_take(&bench, NSEC_NEVER);
		check_conserved(&bench);
		for (size_t i = 0; i < PACKETS; i++) {
			cr_assert(!seen[bench.out[i].mark]);
			seen[bench.out[i].mark] = true;
		}
		bench_close(&bench);
	}
}

/* The same ingress, and a driver that wakes up when it likes. */
static void drive_at_random(struct bench *bench, const struct scene *scene,
			    struct rng *rng)
{
	for (size_t i = 0; i < PACKETS; i++) {
		nsec at = scene->sample[i].at;
		nsec before = i ? scene->sample[i - 1].at : 0;

		/* not at all, at what is next, somewhere, just before, at it */
		for (int64_t n = bench_random(rng, 3); n > 0; n--) {
			nsec next = session_next(bench->session);

			switch (bench_random(rng, 4)) {
			case 0:
				bench_take(bench, next < at ? next : at);
				break;
			case 1:
				bench_take(bench,
					   before + bench_random(rng,
								 at - before));
				break;
			case 2:
				bench_take(bench, at - 1);
				break;
			case 3:
				bench_take(bench, at);
				break;
			default:
				bench_take(bench, bench_random(rng, before));
			}
		}
		put_sample(bench, scene, i);
	}
	bench_take(bench, NSEC_NEVER);
}

Test(property_channel, the_schedule_does_not_depend_on_wake_ups)
{
	static struct scene scene;
	struct rng rng;

	seed_key(&rng, 4711);
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench still, awake;

		make(&scene, seed);
		open_scene(&still, &scene);
		open_scene(&awake, &scene);
		for (size_t i = 0; i < PACKETS; i++)
			put_sample(&still, &scene, i);
		bench_take(&still, NSEC_NEVER);
		drive_at_random(&awake, &scene, &rng);
		bench_same(&still, &awake);
		bench_close(&still);
		bench_close(&awake);
	}
}

Test(property_channel, a_late_driver_is_rederived_from_the_ingress_it_records)
{
	static struct scene scene;
	struct rng rng;

	seed_key(&rng, 815);
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench live, again;

		make(&scene, seed);
		open_scene(&live, &scene);
		open_scene(&again, &scene);
		/* what entered before the wake-up is put in behind it */
		for (size_t i = 0; i < PACKETS; i++) {
			bench_take(&live,
				   scene.sample[i].at + bench_random(&rng, 30));
			put_sample(&live, &scene, i);
		}
		bench_take(&live, NSEC_NEVER);
		for (size_t i = 0; i < PACKETS; i++) {
			nsec at = bench_of(&live, i)->ingress;

			cr_assert_geq(at, scene.sample[i].at);
			scene.sample[i].at = at;
			put_sample(&again, &scene, i);
		}
		bench_take(&again, NSEC_NEVER);
		bench_same(&live, &again);
		bench_close(&live);
		bench_close(&again);
	}
}

Test(property_channel, an_empty_chain_changes_neither_order_nor_bytes_nor_time)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct bench bench;
		struct rng rng;
		nsec now = 0;

		seed_key(&rng, seed);
		bench_open(&bench, "[arm]\ntick = 20ms\n[link]\n"
				   "robot = 10.0.0.2\n"
				   "[uplink command]\nport = 1\n" BENCH_ROOM);
		for (size_t i = 0; i < PACKETS; i++) {
			now += bench_random(&rng, 3);
			bench_put(&bench, now, 0,
				  (uint32_t)bench_random(&rng, 2000));
			if (bench_random(&rng, 3) == 0)
				bench_take(&bench, now);
		}
		bench_take(&bench, NSEC_NEVER);
		cr_assert_eq(bench.n, PACKETS);
		for (size_t i = 0; i < PACKETS; i++) {
			cr_assert_eq(bench.out[i].mark, i);
			cr_assert_eq(bench.out[i].fate, FATE_RELEASED);
			cr_assert_eq(bench.out[i].due, bench.out[i].ingress);
		}
		bench_close(&bench);
	}
}
