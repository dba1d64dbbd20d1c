#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# transparent.sh - a headset, a router with farlink on it, and a robot, in
#                  namespaces: neither end knows that farlink is there

. "$(dirname "$0")/lib.sh"

need_root
make_ns headset router robot
headset=$(ns headset)
router=$(ns router)
robot=$(ns robot)
export headset router robot
ip netns exec "$router" "$farlink" check "$top/etc/farlink.ini" >/dev/null ||
	fail "no program at $farlink"
run_python transparent
