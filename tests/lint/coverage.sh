#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# coverage.sh - how many lines of the kernel the tests reach: enough?
#
# Reads the counters of a build with --enable-coverage after its tests ran, says
# which files are below 90 %, and fails if the whole is below 95 %.

. "$(dirname "$0")/lib.sh"

cd "$built" || exit 99
find conditions src/core src/session src/vehicle -name '*.gcno' -type f |
	sort | xargs gcov -n 2>/dev/null | awk '
	/^File / {
		file = $0
		gsub(/^File .|.$/, "", file)
		if (!sub(/^.*\/src\//, "src/", file) &&
		    !sub(/^.*\/conditions\//, "conditions/", file))
			file = ""
		next
	}
	/^Lines executed:/ && file {
		sub(/^Lines executed:/, "")
		reached = $1 * $NF / 100
		# a header is told once for each file that has it
		if (!(file in lines) || reached > hit[file]) {
			lines[file] = $NF
			hit[file] = reached
		}
		file = ""
	}
	END {
		for (file in lines) {
			all += lines[file]
			sum += hit[file]
			share = 100 * hit[file] / lines[file]
			if (share < 90)
				printf "%6.2f %% of %4d  %s\n", share,
					lines[file], file | "sort -n"
		}
		close("sort -n")
		if (!all) {
			print "no counters: configure --enable-coverage, make check"
			exit 1
		}
		printf "%6.2f %% of %4d lines of the kernel; at least 95 %% " \
			"are wanted\n", 100 * sum / all, all
		exit 100 * sum < 95 * all
	}'
