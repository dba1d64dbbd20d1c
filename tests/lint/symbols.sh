#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# symbols.sh - libpure.a makes no system call, reads no clock, keeps no state
#
# What its objects leave undefined must be in symbols.allow, and none of them
# may hold data that can change.

. "$(dirname "$0")/lib.sh"

archive=$built/libpure.a
nm=${NM:-nm}
[ -f "$archive" ] || { echo "there is no $archive: make first"; exit 99; }

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# A row that begins with a blank goes on with the reason above it.
sed -n 's/^\([A-Za-z_][A-Za-z_0-9]*\).*/\1/p' tests/lint/symbols.allow |
	sort -u >"$scratch/allowed"

# Defined and undefined, in one table: FILE SYMBOL KIND VALUE SIZE.
"$nm" -A -P "$archive" 2>/dev/null |
	sed 's/^[^[]*\[\([^]]*\)\]: /\1 /' >"$scratch/table"
[ -s "$scratch/table" ] || { echo "$nm reads nothing from $archive"; exit 99; }

awk '$3 ~ /^[TDBRVW]$/ { print $2 }' "$scratch/table" |
	sort -u >"$scratch/defined"

# __memcpy_chk is memcpy under _FORTIFY_SOURCE; sanitizers, coverage and
# fuzzers bring symbols of their own; a PIE may name its offset table.
awk '$3 == "U" || $3 == "w" { print $2, $1 }' "$scratch/table" |
	sed -e 's/^__\([a-z]*\)_chk /\1 /' -e 's/^__isoc99_//' |
	grep -v -e '^__asan' -e '^__ubsan' -e '^__tsan' -e '^__sanitizer' \
		-e '^__sancov' -e '^__gcov' -e '^llvm_' -e '^__llvm' \
		-e '^_GLOBAL_OFFSET_TABLE_' -e '^__start_' -e '^__stop_' |
	sort -u >"$scratch/undefined"

cut -d' ' -f1 "$scratch/undefined" | sort -u |
	comm -23 - "$scratch/defined" | comm -23 - "$scratch/allowed" |
	while read -r symbol; do
		grep "^$symbol " "$scratch/undefined" |
			sed 's/^\([^ ]*\) \(.*\)/\2: wants \1, which symbols.allow has not/'
	done >"$scratch/faults"
fault_lines "$(cat "$scratch/faults")"

# Data that can change: .data and .bss, but not the read-only tables with
# addresses in them (.data.rel.ro).  A sanitizer adds data of its own.
if grep -q -e '__asan' -e '__ubsan' -e '__gcov' -e '__sancov' \
	"$scratch/table"; then
	echo "instrumented build: changing data not looked for"
else
	objdump -t "$archive" | awk '
		/file format/ { file = $1; sub(/:.*/, "", file); next }
		{
			for (i = 2; i < NF; i++)
				if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/)
					break
			if (i >= NF || $i ~ /^\.data\.rel\.ro/) next
			if ($NF == $i || $NF ~ /^\./) next
			print file ": " $NF " can change (" $i ")"
		}' >"$scratch/data"
	fault_lines "$(cat "$scratch/data")"
fi

verdict
