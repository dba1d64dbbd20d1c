#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# headers.sh - every header compiles alone and twice, as C11; the public one as
#              C++17 too

. "$(dirname "$0")/lib.sh"

cc=${CC:-cc}
flags="-Wall -Wextra -Wpedantic -Werror -I. -Isrc"

for header in $(find conditions src tests -name '*.h' -type f | sort); do
	# shellcheck disable=SC2086
	said=$(printf '#include "%s"\n#include "%s"\nint nothing;\n' \
			"$top/$header" "$top/$header" |
		$cc -std=c11 -D_GNU_SOURCE $flags -fsyntax-only -x c - 2>&1) ||
		fault "$header does not compile alone: $said"
done

public=conditions/condition.h
cxx=${CXX:-c++}
if command -v "$cxx" >/dev/null; then
	# A plug-in sees no GNU extension and no folder of ours.
	said=$(printf '#include "%s"\nint nothing;\n' "$top/$public" |
		$cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror \
			-fsyntax-only -x c++ - 2>&1) ||
		fault "$public is no C++17: $said"
	said=$(printf '#include "%s"\nint nothing;\n' "$top/$public" |
		$cc -std=c11 -Wall -Wextra -Wpedantic -Werror \
			-fsyntax-only -x c - 2>&1) ||
		fault "$public is no plain C11: $said"
else
	echo "no C++ compiler: $public not tried as C++"
fi

verdict
