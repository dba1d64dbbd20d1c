/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * condition_path_test.c - the path of smooth-jitter, point by point
 *
 * Floor: tests.
 *
 * Expected delays were worked out by another program, from the definition that
 * stands above the condition: the process begun one block earlier, its exact
 * step, the law, the guard, the straight line between points.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/unit/rig.h"

#define TIMES 11

/* Times at, before and behind the seams of points and blocks, and far out. */
static const struct {
	const char *settings;
	uint64_t seed, guarded;
	struct {
		nsec at, delay;
	} path[TIMES];
} paths[] = {
	{ "base = 50ms\njitter = 20ms\n",
	  1,
	  0,
	  { { 0, 31764953 },
	    { 1, 31764952 },
	    { 2499999, 31669874 },
	    { 2500000, 31669874 },
	    { 8750000, 31513749 },
	    { 3524999999, 44046462 },
	    { 3525000000, 44046463 },
	    { 3525833333, 44123102 },
	    { 7050000000, 39079747 },
	    { 35250000007, 67072577 },
	    { 3600000000000, 57836812 } } },
	{ "base = 200ms\njitter = 10ms\ndistribution = normal\n",
	  2,
	  0,
	  { { 0, 218119624 },
	    { 1, 218119624 },
	    { 1999999, 218618027 },
	    { 2000000, 218618028 },
	    { 7000000, 219345677 },
	    { 2723999999, 201295456 },
	    { 2724000000, 201295457 },
	    { 2724666666, 201360324 },
	    { 5448000000, 191073787 },
	    { 27240000007, 207740066 },
	    { 3600000000000, 216827995 } } },
	{ "base = 100ms\njitter = 5ms\ndistribution = exponential\n",
	  3,
	  0,
	  { { 0, 95140095 },
	    { 1, 95140095 },
	    { 1499999, 95175425 },
	    { 1500000, 95175426 },
	    { 5250000, 95296743 },
	    { 2002499999, 100611301 },
	    { 2002500000, 100611301 },
	    { 2003000000, 100611243 },
	    { 4005000000, 106078119 },
	    { 20025000007, 100279883 },
	    { 3600000000000, 95403518 } } },
	{ "base = 200ms\njitter = 10ms\ndistribution = normal\ntime_scale = "
	  "200ms\ngrid = 150ms\n",
	  4,
	  0,
	  { { 0, 197510952 },
	    { 1, 197510952 },
	    { 149999999, 198445258 },
	    { 150000000, 198445259 },
	    { 525000000, 196429440 },
	    { 13199999999, 190909012 },
	    { 13200000000, 190909012 },
	    { 13250000000, 193082456 },
	    { 26400000000, 208352035 },
	    { 132000000007, 202261859 },
	    { 3600000000000, 194303066 } } },
	{ "base = 200ms\njitter = 40ms\ndistribution = normal\ntime_scale = "
	  "20ms\ngrid = 1ms\n",
	  5,
	  7,
	  { { 0, 199271933 },
	    { 1, 199271932 },
	    { 999999, 198271934 },
	    { 1000000, 198271933 },
	    { 3500000, 199464266 },
	    { 1921999999, 164282217 },
	    { 1922000000, 164282223 },
	    { 1922333333, 165554312 },
	    { 3844000000, 272058907 },
	    { 19220000007, 228574043 },
	    { 3600000000000, 179495534 } } },
	/* down to zero, and up again */
	{ "base = 5ms\njitter = 10ms\ndistribution = normal\n",
	  6,
	  0,
	  { { 274000000, 0 },
	    { 302000000, 3542377 },
	    { 382012345, 15640737 },
	    { 584000005, 0 },
	    { 682012345, 753508 },
	    { 982012345, 0 },
	    { 1282012345, 0 },
	    { 1582012345, 0 },
	    { 1882012345, 0 },
	    { 2182012345, 0 },
	    { 2482012345, 21609240 } } },
};
#define PATHS (sizeof(paths) / sizeof(paths[0]))

/* Of all these delays few are so near the middle between two nanoseconds that
 * a last digit of a double decides.
 */
static int rounded_otherwise;

static bool near(nsec a, nsec b)
{
	rounded_otherwise += a != b;
	return llabs(a - b) <= 1 && rounded_otherwise <= 3;
}

Test(smooth_path, is_the_one_defined)
{
	for (size_t i = 0; i < PATHS; i++) {
		struct rig rig = { 0 };

		rig_open(&rig, "smooth-jitter", paths[i].settings,
			 paths[i].seed);
		for (size_t k = 0; k < TIMES; k++) {
			nsec delay = rig_turn(&rig, paths[i].path[k].at);

			cr_assert(near(delay, paths[i].path[k].delay),
				  "%zu at %ld: %ld", i, paths[i].path[k].at,
				  delay);
		}
		cr_assert_eq(rig_count(&rig, "clamped"), paths[i].guarded);
		rig_close(&rig);
	}
}

Test(smooth_path, is_the_same_for_who_enters_it_anywhere)
{
	for (size_t i = 0; i < PATHS; i++) {
		for (size_t k = 0; k < TIMES; k++) {
			struct rig rig = { 0 };
			nsec delay;

			rig_open(&rig, "smooth-jitter", paths[i].settings,
				 paths[i].seed);
			delay = rig_turn(&rig, paths[i].path[k].at);
			cr_assert(near(delay, paths[i].path[k].delay),
				  "%zu at %ld: %ld", i, paths[i].path[k].at,
				  delay);
			rig_close(&rig);
		}
	}
}

Test(smooth_path, has_steps_of_a_nanosecond_at_least)
{
	struct rig rig = { 0 };

	rig_open(&rig, "smooth-jitter",
		 "base = 50ms\njitter = 0ms\ntime_scale = 1ns\n", 1);
	for (nsec now = 0; now < 500; now++)
		cr_assert_eq(rig_turn(&rig, now), 50 * MS);
	rig_close(&rig);
}
