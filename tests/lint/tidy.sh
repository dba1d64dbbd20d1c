#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tidy.sh - clang-tidy finds nothing; .clang-tidy says what it looks for

. "$(dirname "$0")/lib.sh"

need clang-tidy-14

# Its own summary goes to stderr; findings go to stdout.
export built LIB_CFLAGS="${LIB_CFLAGS-}"
# shellcheck disable=SC2016
fault_lines "$(find conditions src -name '*.c' -type f | sort |
	xargs -P 2 -n 4 sh -c '
		clang-tidy-14 --quiet "$@" -- -std=c11 -D_GNU_SOURCE \
			-include "$built/config.h" -I. -Isrc $LIB_CFLAGS \
			2>/dev/null' sh |
	sed -n "s|^$top/||; /: \(error\|warning\): /p")"

verdict
