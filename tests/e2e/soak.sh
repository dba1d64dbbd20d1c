#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# soak.sh - mixed traffic while everything around it goes wrong
#
# SOAK_SECONDS (15) is how long, SOAK_SEED the seed; it is printed.  SOAK_ONLY
# names the rounds that are wanted.  As root there is a disk that fills and a
# router whose interfaces flap as well.

# What is mounted here is seen by nobody else, and gone with the test.
if [ "${farlink_unshared-}" != yes ] && [ "$(id -u)" -eq 0 ] &&
	unshare -m true 2>/dev/null; then
	farlink_unshared=yes
	export farlink_unshared
	exec unshare -m --propagation private "$0" "$@"
fi

# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

if [ "$(id -u)" -eq 0 ] && ip netns add "farlink-probe-$$" 2>/dev/null; then
	ip netns del "farlink-probe-$$"
	make_ns headset router robot
	headset=$(ns headset)
	router=$(ns router)
	robot=$(ns robot)
	export headset router robot
fi
# what makes calls fail: not beside a sanitizer, which has the same calls
if ! grep -q __asan_init "$farlink" && command -v "${CC:-cc}" >/dev/null; then
	faults=$scratch/faults.so
	"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -fPIC \
		-shared -o "$faults" "$top/tests/soak/faults.c" -ldl ||
		fail "faults.c does not build"
	export faults
fi
run_python soak
