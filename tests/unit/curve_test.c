/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * curve_test.c - tables of netem and curves of dummynet at their bounds
 *
 * Floor: tests.
 */
#include "core/curve.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct distribution law;
static struct store store;
static char why[512];

static void clean(void)
{
	store_fini(&store);
}

TestSuite(curve, .fini = clean);

static int read(const char *text)
{
	struct lines lines = { .file = "f",
			       .at = text,
			       .end = text + strlen(text),
			       .why = why,
			       .size = sizeof(why) };

	why[0] = '\0';
	return curve_read(&law, &lines, &store);
}

/* It is refused, and the fault says all of @said. */
#define REFUSED(call, said)                                                    \
	do {                                                                   \
		cr_assert_eq((call), -1);                                      \
		cr_assert(strstr(why, (said)), "'%s' says not '%s'", why,      \
			  (said));                                             \
	} while (0)

Test(curve, what_tc_would_read_wrongly_is_refused)
{
	REFUSED(read("1\n010 2\n"),
		"f:2: '010' begins with a zero, which tc would take for octal");
	REFUSED(read("1\n-0x10\n"),
		"f:2: '-0x10' begins with a zero, which tc would take for "
		"hexa");
	REFUSED(read("1 32768\n"), "f:1: '32768' is out of range");
	REFUSED(read("1 -32769\n"), "out of range");
	REFUSED(read("1 2x\n"), "'2x'");
	REFUSED(read("1 2.5\n"), "'2.5'");
	REFUSED(read("# nothing\n"), "nothing in it");
}

Test(curve, a_table_has_at_most_16384_entries)
{
	static char text[16385 * 2 + 1];
	for (int i = 0; i < 16385; i++)
		memcpy(text + (size_t)i * 2, "1\n", 2);
	REFUSED(read(text), "f:16385: more than 16384");
	text[16384 * 2] = '\0';
	cr_assert_eq(read(text), 0, "%s", why);
	cr_assert_eq(law.n, 16384);
}

Test(curve, a_curve_of_dummynet_is_read)
{
	/* points in any order; at 0.5 the larger delay counts */
	cr_assert_eq(read("# curve\nname test\nsamples 100\n"
			  "loss-level 0.75\ndelay prob\n300 1.0\n"
			  "100 0\n100 0.5\n200 0.5\n"),
		     0, "%s", why);
	cr_assert_eq(law.kind, DISTRIBUTION_TABLE);
	cr_assert_float_eq(law.loss, 0.25, 1e-12);
	cr_assert_float_eq(law.table[law.n / 4], 100.0, 1e-12);
	cr_assert_float_eq(law.table[law.n / 2 - 1], 100.0, 1e-12);
	cr_assert_geq(law.table[law.n / 2], 200.0);
	cr_assert_float_eq(law.table[law.n * 3 / 4], 250.0,
			   200.0 / (double)law.n);
	cr_assert_eq(read("prob delay\n0 10\n1 20\n"), 0, "%s", why);
	cr_assert_float_eq(law.table[0], 10.0, 20.0 / (double)law.n);
	cr_assert_eq(law.loss, 0.0);
}

Test(curve, a_bad_curve_is_named)
{
	REFUSED(read("name x\nbw 1Mbit/s\n"), "f:2: bw is a link of its own");
	REFUSED(read("nome x\n"), "f:1: 'nome' is no word of a curve");
	REFUSED(read("delay\n"), "headed by");
	REFUSED(read("delay prob\n10 0\n"),
		"f:2: the file ends after 1 points");
	REFUSED(read("delay prob\n10 0\n20 1.1\n"), "f:3: '1.1'");
	REFUSED(read("delay prob\n10\n"), "f:2: ''");
	REFUSED(read("samples 1\n"), "f:1:");
}

/* Texts that are refused, and the whole of what is said. */
static void refuses(const char *const (*rows)[2], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cr_assert_eq(read(rows[i][0]), -1, "%s", rows[i][0]);
		cr_assert_str_eq(why, rows[i][1]);
	}
}

#define REFUSES(rows) refuses(rows, sizeof(rows) / sizeof((rows)[0]))

Test(curve, a_table_goes_from_the_least_to_the_greatest_of_16_bits)
{
	cr_assert_eq(read("32767 0 -32768 +8192 0\n"), 0, "%s", why);
	cr_assert_eq(law.kind, DISTRIBUTION_TABLE);
	cr_assert_eq(law.n, 5);
	cr_assert_eq(law.table[0], -4.0);
	cr_assert_eq(law.table[1], 0.0);
	cr_assert_eq(law.table[2], 0.0);
	cr_assert_eq(law.table[3], 1.0);
	cr_assert_eq(law.table[4], 32767.0 / 8192.0);
	cr_assert_eq(law.loss, 0.0);
}

Test(curve, what_is_no_number_of_a_table_is_told)
{
	static const char *const rows[][2] = {
		{ "1\n0X10\n",
		  "f:2: '0X10' begins with a zero, which tc would take for "
		  "hexadecimal; write a decimal number" },
		{ "+07\n",
		  "f:1: '+07' begins with a zero, which tc would take for "
		  "octal; write a decimal number" },
		/* the first of two is named */
		{ "1 2x 3y\n",
		  "f:1: '2x' is no whole number; a table has numbers of -32768 "
		  "to 32767, 8192 for one standard deviation" },
		{ "1 32768 -32769\n",
		  "f:1: '32768' is out of range; a table has numbers of -32768 "
		  "to 32767" },
		{ "1 -32769\n",
		  "f:1: '-32769' is out of range; a table has numbers of "
		  "-32768 to 32767" },
		{ "# nothing\n\n",
		  "f:2: nothing in it; a distribution is netem's table or "
		  "dummynet's curve" },
	};

	REFUSES(rows);
}

Test(curve, a_line_too_long_is_told_wherever_it_stands)
{
	char text[400];

	snprintf(text, sizeof(text), "1\n%0300d\n", 1);
	cr_assert_eq(read(text), -1);
	cr_assert_str_eq(why, "f:2: a line of 300 bytes; it has at most 255");
	snprintf(text, sizeof(text), "delay prob\n1 0\n2 1\n%0300d\n", 1);
	cr_assert_eq(read(text), -1);
	cr_assert_str_eq(why, "f:4: a line of 300 bytes; it has at most 255");
	snprintf(text, sizeof(text), "%0300d\n", 1);
	cr_assert_eq(read(text), -1);
	cr_assert_str_eq(why, "f:1: a line of 300 bytes; it has at most 255");
}

#define POINTS "delay prob\n10 0\n20 1\n"

Test(curve, its_words_have_bounds)
{
	static const char *const rows[][2] = {
		{ "loss-level 1.01\n" POINTS,
		  "f:1: '1.01' where a plain number of 0 to 1 is due" },
		{ "loss-level -0.01\n" POINTS,
		  "f:1: '-0.01' where a plain number of 0 to 1 is due" },
		{ "loss-level\n" POINTS,
		  "f:1: '' where a plain number of 0 to 1 is due" },
		{ "loss-level x\n" POINTS,
		  "f:1: 'x' where a plain number of 0 to 1 is due" },
		{ "loss-level 1%\n" POINTS,
		  "f:1: '1%' where a plain number of 0 to 1 is due" },
		{ "samples 1.9\n" POINTS,
		  "f:1: '1.9' where a plain number of 2 to 1024 is due" },
		{ "samples 1025\n" POINTS,
		  "f:1: '1025' where a plain number of 2 to 1024 is due" },
		{ "delay\n", "f:1: points are headed by 'delay prob' or 'prob "
			     "delay'" },
		{ "prob prob\n", "f:1: points are headed by 'delay prob' or "
				 "'prob delay'" },
		{ "delay prob\n10 0 1\n", "f:2: a point is two numbers" },
		{ "delay prob\n3600000.1 0\n",
		  "f:2: '3600000.1' where a plain number of 0 to 3600000 is "
		  "due" },
		{ "delay prob\n-1 -1\n",
		  "f:2: '-1' where a plain number of 0 to 3600000 is due" },
		{ "delay prob\n1 1.001\n",
		  "f:2: '1.001' where a plain number of 0 to 1 is due" },
		{ "name x\ndelay prob\n1 1\n",
		  "f:3: the file ends after 1 points; a curve has at least "
		  "2" },
		{ "bw 1\n",
		  "f:1: bw is a link of its own; take the line out and put a "
		  "token-bucket of that rate into the chain" },
		{ "nam x\n",
		  "f:1: 'nam' is no word of a curve; it has name, loss-level, "
		  "samples, then 'delay prob' and points" },
	};

	REFUSES(rows);
	cr_assert_eq(read("samples 2\n" POINTS), 0, "%s", why);
	cr_assert_eq(read("samples 1024\n" POINTS), 0, "%s", why);
	cr_assert_eq(read("loss-level  \t 0\n" POINTS), 0, "%s", why);
	cr_assert_eq(law.loss, 1.0);
	cr_assert_eq(read("loss_level 1\n" POINTS), 0, "%s", why);
	cr_assert_eq(law.loss, 0.0);
}

Test(curve, delays_go_from_0_to_an_hour)
{
	cr_assert_eq(read("prob delay\n0 0.5\n0.5 0.5\n0.5 3600000\n"), 0, "%s",
		     why);
	cr_assert_eq(law.table[0], 0.5);
	/* behind the last point its delay holds */
	cr_assert_eq(law.table[law.n - 1], 3600000.0);
	cr_assert_eq(law.table[law.n / 2], 3600000.0);
	cr_assert_eq(law.table[law.n / 2 - 1], 0.5);
}

Test(curve, before_the_first_point_its_delay_holds)
{
	cr_assert_eq(read("delay prob\n10 0.5\n20 1\n"), 0, "%s", why);
	cr_assert_eq(law.table[0], 10.0);
	cr_assert_eq(law.table[law.n / 2 - 1], 10.0);
	cr_assert_float_eq(law.table[law.n / 2], 10.0, 20.0 / (double)law.n);
	cr_assert_gt(law.table[law.n / 2], 10.0);
}

Test(curve, where_it_falls_it_is_level)
{
	cr_assert_eq(read("delay prob\n20 0\n10 0.5\n30 1\n"), 0, "%s", why);
	cr_assert_float_eq(law.table[0], 20.0, 20.0 / (double)law.n);
	cr_assert_eq(law.table[law.n / 2], law.table[0]);
	cr_assert_float_eq(law.table[law.n - 1], 30.0, 40.0 / (double)law.n);
	for (size_t i = 1; i < law.n; i++)
		cr_assert_geq(law.table[i], law.table[i - 1]);
}

/* The least probability that there is an entry for, and a jump there. */
#define P "0.0001220703125"

Test(curve, at_a_jump_the_larger_delay_counts)
{
	static const char *const texts[] = {
		"delay prob\n5 0\n10 " P "\n20 " P "\n30 1\n",
		"delay prob\n30 1\n20 " P "\n10 " P "\n5 0\n",
	};

	for (size_t i = 0; i < 2; i++) {
		cr_assert_eq(read(texts[i]), 0, "%s", why);
		cr_assert_eq(law.n, 4096);
		cr_assert_eq(law.table[0], 20.0);
	}
}

Test(curve, has_room_for_1024_points)
{
	static char text[16384];
	size_t n = (size_t)snprintf(text, sizeof(text), "delay prob\n");

	for (int i = 0; i < 1024; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%d 0.%04d\n",
				      i, i);
	cr_assert_eq(read(text), 0, "%s", why);
	cr_assert_eq(law.table[law.n - 1], 1023.0);
	snprintf(text + n, sizeof(text) - n, "1024 1\n");
	cr_assert_eq(read(text), -1);
	cr_assert_str_eq(why, "f:1026: more than 1024 points");
}
