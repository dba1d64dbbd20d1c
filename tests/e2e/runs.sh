#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# runs.sh - datagrams that the kernel joins and cuts up stay what they were

. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "needs python3"
export farlink scratch
python3 -B "$(dirname "$0")/runs.py" at_once delayed || exit 1

# A path that is too narrow for the pieces: the kernel refuses to cut.
[ "$(id -u)" -eq 0 ] && ip netns add "$(ns narrow)" 2>/dev/null || exit 0
e2e_namespaces=$(ns narrow)
ip -n "$(ns narrow)" link set lo mtu 1280 up
in_ns narrow python3 -B "$(dirname "$0")/runs.py" narrow
