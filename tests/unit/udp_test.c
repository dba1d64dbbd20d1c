/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * udp_test.c - which letters may leave as one
 *
 * Floor: tests.
 */
#include "edge/udp.h"

#include <criterion/criterion.h>

#include "core/packet.h"

static struct udp udp;
static struct udp_letter letters[UDP_LETTERS];

static void begin(void)
{
	union address to;

	cr_assert(address_parse("127.0.0.1:5002", &to));
	udp = (struct udp){ .fd = -1, .joins = UDP_JOINS };
	for (unsigned i = 0; i < UDP_LETTERS; i++)
		letters[i] = (struct udp_letter){ .to = to, .size = 100 };
}

TestSuite(udp, .init = begin);

Test(udp, equal_letters_leave_as_one_up_to_64)
{
	cr_assert_eq(udp_run(&udp, letters, 1), 1);
	cr_assert_eq(udp_run(&udp, letters, 63), 63);
	cr_assert_eq(udp_run(&udp, letters, UDP_LETTERS), 64);
}

Test(udp, a_shorter_one_ends_a_run_and_belongs_to_it)
{
	letters[3].size = 99;
	cr_assert_eq(udp_run(&udp, letters, 10), 4);
}

Test(udp, a_longer_one_begins_another)
{
	letters[3].size = 101;
	cr_assert_eq(udp_run(&udp, letters, 10), 3);
	cr_assert_eq(udp_run(&udp, letters + 3, 7), 2);
}

Test(udp, one_without_a_byte_stands_alone)
{
	letters[2].size = 0;
	cr_assert_eq(udp_run(&udp, letters, 10), 2);
	cr_assert_eq(udp_run(&udp, letters + 2, 8), 1);
}

Test(udp, a_run_is_at_most_one_datagram_large)
{
	for (unsigned i = 0; i < 10; i++)
		letters[i].size = PAYLOAD_MAX / 3;
	cr_assert_eq(udp_run(&udp, letters, 10), 3);
	for (unsigned i = 0; i < 10; i++)
		letters[i].size = PAYLOAD_MAX / 3 + 1;
	cr_assert_eq(udp_run(&udp, letters, 10), 2);
}

Test(udp, another_receiver_ends_a_run)
{
	address_set_port(&letters[4].to, 5003);
	cr_assert_eq(udp_run(&udp, letters, 10), 4);
	letters[4] = letters[0];
	cr_assert(address_parse("127.0.0.2:5002", &letters[2].to));
	cr_assert_eq(udp_run(&udp, letters, 10), 2);
	cr_assert(address_parse("[::1]:5002", &letters[1].to));
	cr_assert_eq(udp_run(&udp, letters, 10), 1);
}

Test(udp, other_hops_or_another_service_ends_a_run)
{
	letters[4].hops = 3;
	cr_assert_eq(udp_run(&udp, letters, 10), 4);
	letters[2].service = 8;
	cr_assert_eq(udp_run(&udp, letters, 10), 2);
}

Test(udp, a_size_that_was_refused_is_not_tried_again)
{
	udp.joins = 99;
	cr_assert_eq(udp_run(&udp, letters, 10), 1);
	letters[0].size = letters[1].size = 99;
	cr_assert_eq(udp_run(&udp, letters, 2), 2);
	udp.joins = 0;
	letters[0].size = letters[1].size = 1;
	cr_assert_eq(udp_run(&udp, letters, 2), 1);
}
