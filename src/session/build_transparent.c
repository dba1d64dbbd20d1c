/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * build_transparent.c - what an arm of transparent mode needs
 *
 * Floor: session.
 *
 * Rules of a router tell directions apart by the robot's address, so it must be
 * there and be of one IP version with the headset's.
 */
#include "session/build.h"

#include <string.h>

static bool is_link_local(const union address *address)
{
	return address->any.sa_family == AF_INET6 &&
	       IN6_IS_ADDR_LINKLOCAL(&address->v6.sin6_addr);
}

/* Names of interfaces go into rules as they are. */
static void check_names(struct build *build, int line, const char *key,
			const char *text)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_.:@-";
	size_t most = strcmp(key, "robot_interface") ? 8 : 1, n = 0;

	for (const char *at = text; *at; n++) {
		size_t len = strcspn(at, ", ");

		if (!len || len > 15 || strspn(at, good) < len || n == most) {
			build_fault(build, line, key, text,
				    most == 1 ? "write the name of one "
						"interface, such as eth1"
					      : "write the name of an "
						"interface, or up to eight: "
						"wlan0, wlan1");
			return;
		}
		at += len;
		at += strspn(at, ", ");
	}
}

/* The robot is there, and one IP version with the headset. */
static void check_ends(struct build *build, int line)
{
	const struct arm_link *link = &build->arm->link;

	if (is_link_local(&link->robot))
		build_fault(build, line, "robot", link->robot_text,
			    "a link-local address crosses no router; write the "
			    "robot's other address");
	if (link->headset.bits &&
	    link->headset.address.any.sa_family != link->robot.any.sa_family)
		build_fault(build, line, "headset", link->headset_text,
			    "headset and robot must be of one IP version");
	if (link->headset.bits && !link->learn &&
	    address_same_host(&link->headset.address, &link->robot))
		build_fault(build, line, "headset", link->headset_text,
			    "that is the robot's address");
}

void build_transparent(struct build *build, int line)
{
	const struct arm_link *link = &build->arm->link;

	check_names(build, line, "headset_interface", link->headset_interface);
	check_names(build, line, "robot_interface", link->robot_interface);
	if (link->has_robot)
		check_ends(build, line);
	else if (link->internal)
		build_fault(build, line, "robot", link->robot_text,
			    "a transparent proxy stands before a robot; write "
			    "its address, or let mode be relay");
	else if (!*link->robot_text)
		err_add(build->err,
			"%s: a transparent proxy tells directions apart by the "
			"robot's address; write robot = ADDRESS in [link]",
			build_where(build, line));
}
