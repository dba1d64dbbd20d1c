#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# coverage.sh - how many lines of the kernel the tests reach
#
# Reads the counters of a build with --enable-coverage after its tests ran.

. "$(dirname "$0")/lib.sh"

cd "$built" || exit 99
find conditions src/core src/session src/vehicle -name '*.gcno' -type f |
	sort | xargs gcov -n 2>/dev/null | awk -F"[':% ]+" '
	/^File/ { file = $2; sub(/.*\/(conditions|src)\//, "&\n", file)
		  sub(/^.*\//, "", file) }
	/^Lines executed/ && file {
		lines = $NF
		hit = lines * $3 / 100
		all += lines; reached += hit
		printf "%6.2f %% of %5d  %s\n", $3, lines, file
		file = ""
	}
	END {
		if (!all) { print "no counters: configure --enable-coverage"; exit 1 }
		printf "%6.2f %% of %5d lines of the kernel\n", 100 * reached / all, all
	}'
