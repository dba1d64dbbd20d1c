/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * privilege.c - only the capabilities that are still needed
 *
 * Floor: edge.
 */
#include "edge/privilege.h"

#include <cap-ng.h>

bool privilege_keep(enum privilege privilege)
{
	bool admin, bind;

	if (capng_get_caps_process())
		return false;
	admin = privilege != PRIVILEGE_NONE &&
		capng_have_capability(CAPNG_PERMITTED, CAP_NET_ADMIN);
	bind = privilege == PRIVILEGE_DIVERT &&
	       capng_have_capability(CAPNG_PERMITTED, CAP_NET_BIND_SERVICE);
	capng_clear(CAPNG_SELECT_CAPS);
	if (admin)
		(void)capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED,
				   CAP_NET_ADMIN);
	if (bind)
		(void)capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED,
				   CAP_NET_BIND_SERVICE);
	return !capng_apply(CAPNG_SELECT_CAPS);
}

bool privilege_is_enough(void)
{
	return !capng_get_caps_process() &&
	       capng_have_capability(CAPNG_EFFECTIVE, CAP_NET_ADMIN);
}
