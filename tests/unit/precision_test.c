/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * precision_test.c - what may be asked of a machine, and what is no such thing
 *
 * Floor: tests.
 */
#include "edge/precision.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct precision precision;

static int take(enum precision_option option, const char *value)
{
	struct err err = { 0 };
	int status;

	memset(&precision, 0, sizeof(precision));
	status = precision_option(&precision, option, value, &err);
	cr_assert_eq(status < 0, err.n == 1);
	/* a wrong option is told by its name, and as the user's fault */
	if (status < 0)
		cr_assert(!strncmp(err.line[0], "--", 2) && !err.machine);
	err_fini(&err);
	return status;
}

Test(precision, a_priority_is_50_unless_it_is_said)
{
	cr_assert_eq(take(PRECISION_REALTIME, NULL), 0);
	cr_assert_eq(precision.priority, 50);
	cr_assert_eq(take(PRECISION_REALTIME, "1"), 0);
	cr_assert_eq(precision.priority, 1);
	cr_assert_eq(take(PRECISION_REALTIME, "98"), 0);
	cr_assert_eq(precision.priority, 98);
}

Test(precision, what_is_no_priority_is_refused)
{
	static const char *const wrong[] = { "",    "0",  "99", "-1",
					     "5.0", "5x", " 5", "4294967297" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		cr_assert_eq(take(PRECISION_REALTIME, wrong[i]), -1, "'%s'",
			     wrong[i]);
}

/* A core that this process may use, whichever that is here. */
static int some_core(void)
{
	cpu_set_t ours;
	int core = 0;

	cr_assert_eq(sched_getaffinity(0, sizeof(ours), &ours), 0);
	while (!CPU_ISSET((size_t)core, &ours))
		core++;
	return core;
}

Test(precision, cores_are_single_ones_and_ranges)
{
	int core = some_core();
	char text[64];

	snprintf(text, sizeof(text), "%d,%d-%d", core, core, core);
	cr_assert_eq(take(PRECISION_CPU, text), 0);
	cr_assert_str_eq(precision.cpus, text);
	cr_assert_eq(CPU_COUNT(&precision.set), 1);
	cr_assert(CPU_ISSET((size_t)core, &precision.set));
}

Test(precision, what_is_no_list_of_our_cores_is_refused)
{
	static const char *const wrong[] = { "",      "x",    "0,",   ",0",
					     "0-",    "1-0",  "0 ",   "0;1",
					     "0--0",  "-1",   "1023", "1024",
					     "99999", "0-0-0" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		cr_assert_eq(take(PRECISION_CPU, wrong[i]), -1, "'%s'",
			     wrong[i]);
}

Test(precision, a_spin_is_a_time_up_to_10_ms)
{
	cr_assert_eq(take(PRECISION_SPIN, "50us"), 0);
	cr_assert_eq(precision.spin, 50000);
	cr_assert_eq(take(PRECISION_SPIN, "10ms"), 0);
	cr_assert_eq(take(PRECISION_SPIN, "10.001ms"), -1);
	cr_assert_eq(take(PRECISION_SPIN, "50"), -1);
	cr_assert_eq(take(PRECISION_SPIN, "-1us"), -1);
}

Test(precision, nothing_asked_is_nothing_done)
{
	struct err err = { 0 };

	memset(&precision, 0, sizeof(precision));
	cr_assert_eq(precision_apply(NULL, &err), 0);
	cr_assert_eq(precision_pin(NULL, &err), 0);
	cr_assert_eq(precision_apply(&precision, &err), 0);
	cr_assert_eq(precision_pin(&precision, &err), 0);
	cr_assert_eq(sched_getscheduler(0), SCHED_OTHER);
	cr_assert_eq(err.n, 0);
}
