#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# cppcheck.sh - cppcheck finds nothing

. "$(dirname "$0")/lib.sh"

need cppcheck

# missingIncludeSystem: it is not given the system's headers, on purpose;
# unusedStructMember: tables of settings are read by offset
# normalCheckLevelMaxBranches: a remark on its own depth
fault_lines "$(cppcheck --quiet --std=c11 --language=c --inline-suppr -j2 \
	--enable=warning,performance,portability \
	--suppress=missingIncludeSystem --suppress=unusedStructMember \
	--suppress=normalCheckLevelMaxBranches \
	-D__STDC_VERSION__=201112L -DFARLINK_VERSION='""' \
	-I. -Isrc --template='{file}:{line}: {id}: {message}' \
	conditions src 2>&1)"

verdict
