/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_claim.c - which farlink of this machine diverts what
 *
 * Floor: edge.
 *
 * How it works
 *
 * A name is "farlink/TABLE/PID/ROBOT/HEADSET/BITS/WAY/PORTS", all of it in
 * hexadecimal digits, so that the longest one fits into 107 bytes.  WAY is the
 * direction and the side that the ports are on.  /proc/net/unix lists the
 * names.
 */
#include "edge/router_claim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKETS "/proc/net/unix"

struct claims {
	int *fd;
	size_t n;
};

/**
 * struct rival - A claim, as read
 * @pid:	Whose
 * @way:	Direction and side
 * @robot:	Its address
 * @headset:	Headsets
 */
struct rival {
	unsigned table, pid, way, lo, hi;
	union address robot;
	struct network headset;
};

/* What is going on while the claims of a plan are gone through. */
struct making {
	const struct router_plan *plan;
	struct claims *claims;
	struct err *err;
	size_t faults;
};

static unsigned way_of(const struct router_claim *claim)
{
	return (claim->direction == UPLINK ? 0u : 2u) | claim->source;
}

static void print_bytes(struct text *text, const union address *address)
{
	const uint8_t *byte = address->v6.sin6_addr.s6_addr;
	size_t n = 16;

	if (address->any.sa_family == AF_INET) {
		byte = (const uint8_t *)&address->v4.sin_addr;
		n = 4;
	}
	for (size_t i = 0; i < n; i++)
		text_add(text, "%02x", byte[i]);
}

/* An address of 8 or 32 digits. */
static bool read_bytes(const char *digits, union address *address)
{
	size_t n = strlen(digits) / 2;
	uint8_t *byte = address->v6.sin6_addr.s6_addr;

	memset(address, 0, sizeof(*address));
	if (n != 4 && n != 16)
		return false;
	address->any.sa_family = n == 4 ? AF_INET : AF_INET6;
	if (n == 4)
		byte = (uint8_t *)&address->v4.sin_addr;
	for (size_t i = 0; i < n; i++) {
		const char pair[3] = { digits[2 * i], digits[2 * i + 1], 0 };

		byte[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return true;
}

static bool read_rival(const char *line, struct rival *rival)
{
	char robot[33], headset[33];
	const char *name = strstr(line, " @farlink/");
	unsigned bits;

	if (!name ||
	    sscanf(name, " @farlink/%x/%x/%32[0-9a-f]/%32[0-9a-f]/%x/%x/%x-%x",
		   &rival->table, &rival->pid, robot, headset, &bits,
		   &rival->way, &rival->lo, &rival->hi) != 8)
		return false;
	rival->headset.bits = bits;
	return read_bytes(robot, &rival->robot) &&
	       read_bytes(headset, &rival->headset.address);
}

/* Go through the claims of all; stops where @look says so. */
static bool any_rival(bool (*look)(const struct rival *rival,
				   const void *context),
		      const void *context, struct rival *found)
{
	FILE *file = fopen(SOCKETS, "re");
	char line[512];
	bool is = false;

	while (file && !is && fgets(line, sizeof(line), file))
		is = read_rival(line, found) && look(found, context);
	if (file)
		fclose(file);
	return is;
}

static bool has_table(const struct rival *rival, const void *context)
{
	return rival->table == *(const uint32_t *)context;
}

bool claims_have_table(uint32_t table)
{
	struct rival rival;

	return any_rival(has_table, &table, &rival);
}

struct wanted {
	const struct router_plan *plan;
	const struct router_claim *claim;
};

static bool overlaps(const struct rival *rival, const void *context)
{
	const struct wanted *wanted = context;
	const struct arm_link *link = &wanted->plan->arm->link;
	const struct port_range *ports = &wanted->claim->ports;

	return rival->pid != (unsigned)getpid() &&
	       rival->way == way_of(wanted->claim) && rival->lo <= ports->hi &&
	       rival->hi >= ports->lo &&
	       address_same_host(&rival->robot, &link->robot) &&
	       (network_has(&rival->headset, &link->headset.address) ||
		network_has(&link->headset, &rival->headset.address) ||
		!link->headset.bits);
}

/* "farlink run arm.ini", as its owner typed it. */
static void print_command(unsigned pid, char *to, size_t size)
{
	char path[32];
	FILE *file;
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/%u/cmdline", pid);
	file = fopen(path, "re");
	if (file) {
		n = fread(to, 1, size - 1, file);
		fclose(file);
	}
	while (n && !to[n - 1])
		n--;
	to[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (to[i] < ' ')
			to[i] = ' ';
}

static void check_one(void *context, const struct router_claim *claim)
{
	struct making *making = context;
	const struct wanted wanted = { making->plan, claim };
	char command[256], address[ADDRESS_TEXT];
	struct rival rival;

	if (making->err->n != making->faults ||
	    !any_rival(overlaps, &wanted, &rival))
		return;
	print_command(rival.pid, command, sizeof(command));
	address_print(&rival.robot, address);
	err_add_machine(making->err,
			"%s: another farlink has %s port %u of robot %s: "
			"process %u%s%s%s; end it first",
			making->plan->arm->file,
			direction_name(claim->direction),
			claim->ports.lo > rival.lo ? claim->ports.lo : rival.lo,
			address, rival.pid, *command ? " (" : "", command,
			*command ? ")" : "");
}

static void make_one(void *context, const struct router_claim *claim)
{
	struct making *making = context;
	struct claims *claims = making->claims;
	const struct arm_link *link = &making->plan->arm->link;
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	union address headset = link->headset.address;
	struct text text;
	int fd;

	if (!link->headset.bits) {
		headset = link->robot; /* of one version; it does not count */
	}
	text_init(&text, name.sun_path + 1, sizeof(name.sun_path) - 1);
	text_add(&text, "farlink/%x/%x/", making->plan->table,
		 (unsigned)getpid());
	print_bytes(&text, &link->robot);
	text_add(&text, "/");
	print_bytes(&text, &headset);
	text_add(&text, "/%x/%x/%x-%x", link->headset.bits, way_of(claim),
		 claim->ports.lo, claim->ports.hi);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || (bind(fd, (struct sockaddr *)&name,
			    (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
					1 + text.len)) &&
		       errno != EADDRINUSE)) {
		err_add_machine(making->err,
				"the arm's streams cannot be claimed: %s",
				strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	claims->fd = realloc(claims->fd, (claims->n + 1) * sizeof(int));
	if (!claims->fd)
		abort();
	claims->fd[claims->n++] = fd;
}

struct claims *claims_new(void)
{
	struct claims *claims = calloc(1, sizeof(*claims));

	if (!claims)
		abort();
	return claims;
}

int claims_check(const struct router_plan *plan, struct err *err)
{
	struct making making = { plan, NULL, err, err->n };

	router_claims(plan->arm, check_one, &making);
	return err->n == making.faults ? 0 : -1;
}

int claims_make(struct claims *claims, const struct router_plan *plan,
		struct err *err)
{
	struct making making = { plan, claims, err, err->n };

	/* claimed before it is looked: of two that begin at once, none may
	 * think that it is alone
	 */
	router_claims(plan->arm, make_one, &making);
	if (err->n != making.faults)
		return -1;
	return claims_check(plan, err);
}

void claims_free(struct claims *claims)
{
	if (!claims)
		return;
	for (size_t i = 0; i < claims->n; i++)
		close(claims->fd[i]);
	free(claims->fd);
	free(claims);
}
