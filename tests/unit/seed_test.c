/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * seed_test.c - where random streams begin, and that they are what they say
 *
 * Floor: tests.
 */
#include "core/seed.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/bench.h"

Test(seed, the_hash_is_fnv_1a_of_64_bits)
{
	/* as published with the hash */
	cr_assert_eq(seed_hash(""), UINT64_C(0xcbf29ce484222325));
	cr_assert_eq(seed_hash("a"), UINT64_C(0xaf63dc4c8601ec8c));
	cr_assert_eq(seed_hash("foobar"), UINT64_C(0x85944171f73967e8));
}

Test(seed, the_state_is_filled_by_splitmix64)
{
	struct rng rng;

	/* SplitMix64 of 1234567, as published */
	seed_key(&rng, 1234567);
	cr_assert_eq(rng.s[0], UINT64_C(6457827717110365317));
	cr_assert_eq(rng.s[1], UINT64_C(3203168211198807973));
	cr_assert_eq(rng.s[2], UINT64_C(9817491932198370423));
	cr_assert_eq(rng.s[3], UINT64_C(4593380528125082431));
	cr_assert(!rng.legacy);
}

Test(seed, the_stream_is_xoshiro256_plus_plus)
{
	/* of the state 1, 2, 3, 4, as published with its implementations */
	static const uint64_t expected[] = { UINT64_C(41943041),
					     UINT64_C(58720359),
					     UINT64_C(3588806011781223),
					     UINT64_C(3591011842654386),
					     UINT64_C(9228616714210784205) };
	struct rng rng = { .s = { 1, 2, 3, 4 } };

	for (size_t i = 0; i < 5; i++)
		cr_assert_eq(rng_next(&rng), expected[i]);
}

Test(seed, uniform_numbers_are_from_0_to_below_1)
{
	struct rng rng, legacy;
	double sum = 0, sum_legacy = 0, n = 100000;

	seed_key(&rng, 9);
	seed_legacy(&legacy, 9);
	for (int i = 0; i < (int)n; i++) {
		double u = rng_uniform(&rng), v = rng_uniform(&legacy);

		cr_assert(u >= 0.0 && u < 1.0 && v >= 0.0 && v < 1.0);
		sum += u;
		sum_legacy += v;
	}
	/* four standard errors of a mean of uniform numbers */
	cr_assert_float_eq(sum / n, 0.5, 4 / sqrt(12 * n));
	cr_assert_float_eq(sum_legacy / n, 0.5, 4 / sqrt(12 * n));
}

Test(seed, legacy_seeds_of_any_sign_and_size_are_taken)
{
	static const int32_t seeds[] = { 0,	    1,	       -1,
					 INT32_MAX, INT32_MIN, 161803398 };
	struct rng a, b;

	for (size_t i = 0; i < 6; i++) {
		seed_legacy(&a, seeds[i]);
		for (int k = 0; k < 1000; k++) {
			int32_t next = rng_legacy_next(&a);

			cr_assert(next >= 0 && next < INT32_MAX);
		}
	}
	/* as in .NET: the sign does not count, and INT32_MIN is INT32_MAX */
	seed_legacy(&a, -7);
	seed_legacy(&b, 7);
	cr_assert_eq(rng_legacy_next(&a), rng_legacy_next(&b));
	seed_legacy(&a, INT32_MIN);
	seed_legacy(&b, INT32_MAX);
	cr_assert_eq(rng_legacy_next(&a), rng_legacy_next(&b));
}

Test(seed, the_key_of_a_stage_is_the_documented_text)
{
	struct bench bench;
	struct rng rng;

	/* base and jitter are equal, so the delay tells the draw */
	bench_open(&bench, "[arm]\nseed = 20260817\n"
			   "[link]\nrobot = 10.0.0.2\n"
			   "[uplink command]\nport = 1\nchain = d, j\n"
			   "[downlink command]\nport = 1\nchain = s\n"
			   "[condition d]\ntype = delay\ndelay = 0ms\n"
			   "[condition j]\ntype = jitter\nbase = 1s\n"
			   "jitter = 1s\n"
			   "[condition s]\ntype = jitter\nbase = 1s\n"
			   "jitter = 1s\nseed = -77\n");
	bench_put(&bench, 0, 0, 8);
	bench_put(&bench, 0, 1, 8);
	bench_take(&bench, NSEC_NEVER);
	seed_key(&rng, seed_hash("20260817/uplink/command/1"));
	cr_assert_eq(bench_of(&bench, 0)->due,
		     delay_of(1e9 + (rng_uniform(&rng) * 2.0 - 1.0) * 1e9));
	seed_key(&rng, seed_hash("-77"));
	cr_assert_eq(bench_of(&bench, 1)->due,
		     delay_of(1e9 + (rng_uniform(&rng) * 2.0 - 1.0) * 1e9));
	bench_close(&bench);
}

Test(seed, a_trial_has_the_documented_text_too)
{
	cr_assert_eq(seed_trial(42, "P01-3"), seed_hash("42/trial/P01-3"));
	cr_assert_neq(seed_trial(42, "1"), seed_trial(42, "2"));
	cr_assert_neq(seed_trial(42, "1"), seed_trial(43, "1"));
}

Test(seed, legacy_numbers_are_those_of_dot_net)
{
	/* of the last seeds but one the table begins with a zero */
	static const struct {
		int32_t seed, next[3];
	} as[] = { { 0, { 1559595546, 1755192844, 1649316166 } },
		   { 1, { 534011718, 237820880, 1002897798 } },
		   { -42, { 1434747710, 302596119, 269548474 } },
		   { 161803397, { 517194112, 1903617532, 192198025 } },
		   { 161803398, { 1639093931, 386245568, 1693263304 } },
		   { INT32_MAX, { 1559595546, 1755192844, 1649316172 } } };
	struct rng rng;

	for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
		seed_legacy(&rng, as[i].seed);
		for (int k = 0; k < 3; k++)
			cr_assert_eq(rng_legacy_next(&rng), as[i].next[k],
				     "%d of %d", k, as[i].seed);
	}
}
