/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * address.c - addresses and networks, read and written as numbers
 *
 * Floor: core.
 */
#include "core/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

/* A whole number of 1 to @most, or 0. */
static long number(const char *text, long most)
{
	long value = 0;

	for (; *text >= '0' && *text <= '9'; text++) {
		value = value * 10 + (*text - '0');
		if (value > most)
			return 0;
	}
	return *text ? 0 : value;
}

static bool host_parse(const char *host, union address *address)
{
	memset(address, 0, sizeof(*address));
	if (inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) {
		address->any.sa_family = AF_INET;
		return true;
	}
	if (inet_pton(AF_INET6, host, &address->v6.sin6_addr) == 1) {
		address->any.sa_family = AF_INET6;
		return true;
	}
	return false;
}

bool address_parse(const char *text, union address *address)
{
	char host[INET6_ADDRSTRLEN];
	const char *end, *port = NULL;
	long value = 0;

	if (host_parse(text, address))
		return true;
	if (*text == '[') {
		end = strchr(++text, ']');
		if (!end || (end[1] && end[1] != ':'))
			return false;
		port = end[1] ? end + 2 : NULL;
	} else {
		end = strchr(text, ':');
		if (!end)
			return false;
		port = end + 1;
	}
	if ((size_t)(end - text) >= sizeof(host))
		return false;
	memcpy(host, text, (size_t)(end - text));
	host[end - text] = '\0';
	if (port && !(value = number(port, UINT16_MAX)))
		return false;
	if (!host_parse(host, address))
		return false;
	address_set_port(address, (uint16_t)value);
	return true;
}

bool network_parse(const char *text, struct network *network)
{
	char host[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');
	unsigned most;
	long bits;

	*network = (struct network){ 0 };
	if (!slash) {
		if (!host_parse(text, &network->address))
			return false;
		network->bits =
			network->address.any.sa_family == AF_INET ? 32 : 128;
		return true;
	}
	if ((size_t)(slash - text) >= sizeof(host))
		return false;
	memcpy(host, text, (size_t)(slash - text));
	host[slash - text] = '\0';
	if (!host_parse(host, &network->address))
		return false;
	most = network->address.any.sa_family == AF_INET ? 32 : 128;
	bits = number(slash + 1, (long)most);
	network->bits = (unsigned)bits;
	return bits != 0;
}

/* The bytes of an address; an IPv4 one mapped into IPv6 as IPv4. */
static const uint8_t *bytes_of(const union address *address, unsigned *n)
{
	const uint8_t *v6 = address->v6.sin6_addr.s6_addr;

	if (address->any.sa_family == AF_INET) {
		*n = sizeof(address->v4.sin_addr);
		return (const uint8_t *)&address->v4.sin_addr;
	}
	if (IN6_IS_ADDR_V4MAPPED(&address->v6.sin6_addr)) {
		*n = sizeof(address->v4.sin_addr);
		return v6 + 12;
	}
	*n = sizeof(address->v6.sin6_addr);
	return v6;
}

bool network_has(const struct network *network, const union address *address)
{
	unsigned n, m, whole, rest, bits = network->bits;
	const uint8_t *a, *b;

	if (!bits)
		return true;
	a = bytes_of(&network->address, &n);
	b = bytes_of(address, &m);
	/* bits of a network mapped into IPv6 count from the IPv6 address */
	if (n == 4 && network->address.any.sa_family != AF_INET)
		bits = bits > 96 ? bits - 96 : 0;
	whole = bits / 8;
	rest = bits % 8;
	if (n != m || memcmp(a, b, whole) != 0)
		return false;
	return !rest || !((a[whole] ^ b[whole]) >> (8 - rest));
}

bool address_same_host(const union address *a, const union address *b)
{
	unsigned n, m;
	const uint8_t *x = bytes_of(a, &n), *y = bytes_of(b, &m);

	return n == m && !memcmp(x, y, n);
}

bool address_same(const union address *a, const union address *b)
{
	return a->v4.sin_port == b->v4.sin_port && address_same_host(a, b);
}

void address_set_port(union address *address, uint16_t port)
{
	address->v4.sin_port = htons(port); /* at the same place in v6 */
}

unsigned address_size(const union address *address)
{
	return address->any.sa_family == AF_INET ? sizeof(address->v4)
						 : sizeof(address->v6);
}

void address_print(const union address *address, char *text)
{
	char host[INET6_ADDRSTRLEN] = "?";
	uint16_t port = address_port(address);
	bool v6 = address->any.sa_family == AF_INET6;

	if (v6)
		inet_ntop(AF_INET6, &address->v6.sin6_addr, host, sizeof(host));
	else
		inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof(host));
	if (!port)
		snprintf(text, ADDRESS_TEXT, "%s", host);
	else
		snprintf(text, ADDRESS_TEXT, v6 ? "[%s]:%u" : "%s:%u", host,
			 port);
}
