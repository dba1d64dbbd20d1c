#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lists.sh - the lists in Makefile.am name the files of the tree, all of them

. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# Words of the makefile that look like files of ours; a unit test is listed as
# its program, whose one source has the same name.
sed 's/#.*//' Makefile.am | tr -s ' \t=' '[\n*]' |
	sed -n -e 's|^tests/unit/[a-z0-9_-]*_test$|&.c|p' \
	       -e '/^\(conditions\|src\|tests\)\/.*\.[ch]$/p' |
	sort -u >"$scratch/listed"
sources | sort -u >"$scratch/found"

fault_lines "$(comm -13 "$scratch/listed" "$scratch/found" |
	sed 's|$|: in the tree, not in Makefile.am|')"
fault_lines "$(comm -23 "$scratch/listed" "$scratch/found" |
	sed 's|$|: in Makefile.am, not in the tree|')"

# Other files that a tarball must have.
for file in $(find tests man etc -name '*.sh' -o -name '*.py' -o -name '*.ini' -o -name '*.csv' \
	-o -name '*.[157]' | sort) \
	$(find packaging debian/source debian/tests -type f | sort) \
	$(find debian -maxdepth 1 -type f ! -name '*debhelper*' \
		! -name '*.substvars' ! -name files | sort); do
	grep -qF "$file" Makefile.am ||
		fault "$file: in the tree, not in Makefile.am"
done

verdict
