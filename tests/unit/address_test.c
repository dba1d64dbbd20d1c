/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * address_test.c - addresses and networks as people write them
 *
 * Floor: tests.
 */
#include "core/address.h"

#include <criterion/criterion.h>
#include <string.h>

Test(address, is_written_as_it_was_read)
{
	static const char *const texts[] = { "192.168.1.20",
					     "192.168.1.20:5002",
					     "0.0.0.0",
					     "255.255.255.255:65535",
					     "10.0.0.1:1",
					     "fd00::1",
					     "[fd00::1]:5002",
					     "::",
					     "::1",
					     "10.90.0.9:9999",
					     "2001:db8:1:2:3:4:5:6" };
	char text[ADDRESS_TEXT];
	union address address;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_assert(address_parse(texts[i], &address), "%s", texts[i]);
		address_print(&address, text);
		cr_assert_str_eq(text, texts[i]);
	}
}

Test(address, the_longest_has_room)
{
	char text[ADDRESS_TEXT];
	union address address;

	cr_assert(address_parse(
		"[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535",
		&address));
	address_print(&address, text);
	cr_assert_str_eq(text,
			 "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535");
}

Test(address, in_brackets_may_have_no_port)
{
	char text[ADDRESS_TEXT];
	union address address;

	cr_assert(address_parse("[fd00::1]", &address));
	cr_assert_eq(address_port(&address), 0);
	address_print(&address, text);
	cr_assert_str_eq(text, "fd00::1");
}

Test(address, what_is_no_address_is_refused)
{
	static const char *const texts[] = {
		"",
		" ",
		"robot",
		"localhost",
		"192.168.1",
		"192.168.1.256",
		"192.168.1.20:",
		"192.168.1.20:0",
		"192.168.1.20:65536",
		"192.168.1.20:99999999999999999999",
		"192.168.1.20:+5",
		"192.168.1.20:5 ",
		" 192.168.1.20",
		"192.168.1.20 ",
		"192.168.1.20:5002:1",
		"192.168.1.0/24",
		"[fd00::1",
		"fd00::1]",
		"[fd00::1]5002",
		"[fd00::1]:",
		"[]",
		"[]:5",
		":5002",
		"fd00:::1",
		"[fd00::1]:5002x",
		"1111111111111111111111111111111111111111111111111111111111:1",
	};
	union address address;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(!address_parse(texts[i], &address), "'%s'", texts[i]);
}

static bool has(const char *network_text, const char *address_text)
{
	struct network network;
	union address address;

	cr_assert(network_parse(network_text, &network), "%s", network_text);
	cr_assert(address_parse(address_text, &address), "%s", address_text);
	return network_has(&network, &address);
}

Test(address, a_network_has_what_its_leading_bits_say)
{
	cr_assert(has("192.168.1.0/24", "192.168.1.255"));
	cr_assert(!has("192.168.1.0/24", "192.168.2.0"));
	cr_assert(has("192.168.1.77/24", "192.168.1.1"), "host bits are free");
	cr_assert(has("10.0.0.0/8", "10.255.1.2:5002"));
	cr_assert(has("10.0.0.128/25", "10.0.0.128"));
	cr_assert(!has("10.0.0.128/25", "10.0.0.127"));
	cr_assert(has("128.0.0.0/1", "255.0.0.1"));
	cr_assert(!has("128.0.0.0/1", "127.0.0.1"));
	cr_assert(has("10.0.0.7", "10.0.0.7"));
	cr_assert(!has("10.0.0.7", "10.0.0.6"));
	cr_assert(has("fd00::/8", "fdff::1"));
	cr_assert(!has("fd00::/8", "fe00::1"));
	cr_assert(has("fd00::1", "fd00::1"));
	cr_assert(!has("fd00::1", "fd00::2"));
	cr_assert(has("2001:db8:8000::/33", "2001:db8:ffff::1"));
	cr_assert(!has("2001:db8:8000::/33", "2001:db8:7fff::1"));
	cr_assert(!has("fd00::/8", "253.0.0.1"), "of the other version");
	cr_assert(!has("10.0.0.0/8", "a00::1"));
}

Test(address, ipv4_mapped_into_ipv6_counts_as_ipv4)
{
	union address a, b;

	cr_assert(has("192.168.1.0/24", "::ffff:192.168.1.9"));
	cr_assert(!has("192.168.1.0/24", "::ffff:192.168.2.9"));
	cr_assert(has("::ffff:192.168.1.9", "192.168.1.9"));
	cr_assert(!has("::ffff:192.168.1.9", "192.168.1.8"));
	cr_assert(has("::ffff:192.168.1.0/120", "192.168.1.200"));
	cr_assert(!has("::ffff:192.168.1.0/120", "192.168.2.200"));
	cr_assert(has("::ffff:192.168.1.9", "::ffff:192.168.1.9"));
	cr_assert(!has("::/1", "192.168.1.9"));
	cr_assert(address_parse("[::ffff:10.0.0.1]:5", &a));
	cr_assert(address_parse("10.0.0.1:5", &b));
	cr_assert(address_same(&a, &b));
	cr_assert(address_same_host(&a, &b));
	address_set_port(&b, 6);
	cr_assert(!address_same(&a, &b));
	cr_assert(address_same_host(&a, &b));
}

Test(address, ipv4_mapped_into_ipv6_has_96_bits_before_it)
{
	cr_assert(has("::ffff:128.0.0.0/97", "200.0.0.1"));
	cr_assert(!has("::ffff:128.0.0.0/97", "1.2.3.4"));
	cr_assert(has("::ffff:128.0.0.0/96", "1.2.3.4"));
	cr_assert(has("::ffff:0.0.0.0/95", "255.0.0.1"));
	cr_assert(!has("::ffff:0.0.0.0/95", "fd00::1"));
}

Test(address, a_network_of_one_host_has_all_its_bits)
{
	static const char longest[] =
		"ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128";
	struct network network;

	cr_assert(network_parse("10.0.0.7", &network));
	cr_assert_eq(network.bits, 32);
	cr_assert(network_parse("10.0.0.9/19", &network));
	cr_assert_eq(network.bits, 19);
	cr_assert(network_parse("fd00::7", &network));
	cr_assert_eq(network.bits, 128);
	cr_assert(network_parse(longest, &network));
	cr_assert_eq(network.bits, 128);
}

Test(address, hosts_and_ports_are_told_apart)
{
	static const char *const texts[] = { "10.0.0.1:5", "10.0.0.2:5",
					     "10.0.0.1:6", "[fd00::1]:5",
					     "[fd00::2]:5" };
	static const int host[] = { 1, 2, 1, 3, 4 };
	union address a, b;

	for (size_t i = 0; i < 5; i++) {
		for (size_t k = 0; k < 5; k++) {
			cr_assert(address_parse(texts[i], &a));
			cr_assert(address_parse(texts[k], &b));
			cr_assert_eq(address_same(&a, &b), i == k);
			cr_assert_eq(address_same_host(&a, &b),
				     host[i] == host[k]);
		}
	}
}

Test(address, a_network_of_all_zeros_has_every_address)
{
	const struct network any = { .bits = 0 };
	union address address;

	cr_assert(address_parse("10.0.0.1", &address));
	cr_assert(network_has(&any, &address));
	cr_assert(address_parse("fd00::1", &address));
	cr_assert(network_has(&any, &address));
}

Test(address, what_is_no_network_is_refused)
{
	static const char *const texts[] = {
		"",
		"learn",
		"192.168.1.0/",
		"192.168.1.0/0",
		"10.0.0.0/33",
		"10.0.0.0/-1",
		"10.0.0.0/8x",
		"10.0.0/8",
		"fd00::/129",
		"/24",
		"10.0.0.0/8/8",
		"10.0.0.1:5/8",
		"fd00::/ 8",
	};
	struct network network;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(!network_parse(texts[i], &network), "'%s'", texts[i]);
}

Test(address, has_the_size_and_the_port_of_its_version)
{
	union address address;

	cr_assert(address_parse("10.0.0.1:5002", &address));
	cr_assert_eq(address_size(&address), sizeof(struct sockaddr_in));
	cr_assert_eq(address_port(&address), 5002);
	cr_assert(address_parse("[fd00::1]:5002", &address));
	cr_assert_eq(address_size(&address), sizeof(struct sockaddr_in6));
	cr_assert_eq(address_port(&address), 5002);
	cr_assert_eq(ntohs(address.v6.sin6_port), 5002);
}
