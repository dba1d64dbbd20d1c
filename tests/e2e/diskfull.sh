#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# diskfull.sh - a disk that fills: the traffic goes on, the loss is counted

# What is mounted here is seen by nobody else, and gone with the test.
if [ "${farlink_unshared-}" != yes ]; then
	[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
	unshare -m true 2>/dev/null ||
		{ echo "skipped: no mount namespace can be made"; exit 77; }
	farlink_unshared=yes
	export farlink_unshared
	exec unshare -m --propagation private "$0" "$@"
fi

. "$(dirname "$0")/lib.sh"
run_python diskfull
