# SPDX-License-Identifier: GPL-2.0-or-later
#
# lib.sh - what the lint scripts share: where the tree is, how a fault is told
#
# Sourced, never run.  A script calls "fault TEXT" for each thing it finds and
# ends with "verdict": it lists every fault, not the first.

# shellcheck shell=sh disable=SC2034

set -u
LC_ALL=C
export LC_ALL

top=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
built=${top_builddir:-$top/build}
cd "$top" || exit 99

faults=0

fault()
{
	printf '%s\n' "$*"
	faults=$((faults + 1))
}

# Each line of $1 is a fault; the whole of it may be empty.
fault_lines()
{
	[ -z "$1" ] && return 0
	printf '%s\n' "$1"
	faults=$((faults + $(printf '%s\n' "$1" | wc -l)))
}

# Every source file of ours, as it is in the tree.
sources()
{
	find conditions src tests -name '*.[ch]' -type f | sort
}

verdict()
{
	[ "$faults" -eq 0 ] && exit 0
	printf '%s: %d faults\n' "$(basename "$0")" "$faults"
	exit 1
}

# need TOOL: a lint that cannot look has not passed.
need()
{
	command -v "$1" >/dev/null && return 0
	echo "$1 is not installed"
	exit 1
}
