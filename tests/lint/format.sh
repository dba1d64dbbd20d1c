#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# format.sh - the C is as clang-format 14 writes it; "make format" mends it

. "$(dirname "$0")/lib.sh"

need clang-format-14

for file in $(sources); do
	clang-format-14 "$file" | cmp -s - "$file" ||
		fault "$file: not as clang-format-14 writes it"
done

verdict
