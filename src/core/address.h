/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * address.h - addresses and networks, read and written as numbers
 *
 * Floor: core.
 *
 * Names are not looked up: a study must not hang on a name server.
 */
#ifndef CORE_ADDRESS_H
#define CORE_ADDRESS_H

#include "core/packet.h"

/* Room for any address with a port. */
#define ADDRESS_TEXT 72

/**
 * struct network - An address and how many of its leading bits count
 * @address:	Address
 * @bits:	0: any address of either version
 */
struct network {
	union address address;
	unsigned bits;
};

/**
 * address_parse() - Read "192.168.1.20", "192.168.1.20:5002", "[fd00::1]:5002"
 * @text:	Text
 * @address:	Set; the port is 0 where none is given
 *
 * Return: false if it is no address.
 */
bool address_parse(const char *text, union address *address);

/**
 * network_parse() - Read "192.168.1.0/24", or an address for that one alone
 * @text:	Text
 * @network:	Set
 *
 * Return: false if it is no network.
 */
bool network_parse(const char *text, struct network *network);

/**
 * network_has() - Whether an address belongs to a network
 * @network:	Network
 * @address:	Address; an IPv4 one mapped into IPv6 counts as IPv4
 *
 * Return: true if it does.
 */
bool network_has(const struct network *network, const union address *address);

/**
 * address_same_host() - Whether two addresses are equal, ports aside
 * @a:		One
 * @b:		The other
 *
 * Return: true if they are.
 */
bool address_same_host(const union address *a, const union address *b);

/**
 * address_same() - Whether two addresses and their ports are equal
 * @a:		One
 * @b:		The other
 *
 * Return: true if they are.
 */
bool address_same(const union address *a, const union address *b);

/**
 * address_set_port() - Give an address a port
 * @address:	Address
 * @port:	Port, in host order
 */
void address_set_port(union address *address, uint16_t port);

/**
 * address_size() - Size of an address for the socket calls
 * @address:	Address
 *
 * Return: bytes.
 */
unsigned address_size(const union address *address);

/**
 * address_print() - Write an address, with its port if it has one
 * @address:	Address
 * @text:	Filled; ADDRESS_TEXT bytes
 */
void address_print(const union address *address, char *text);

#endif /* CORE_ADDRESS_H */
