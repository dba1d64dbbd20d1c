#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# floors.sh - a file includes its own floor or lower ones, and a library only
#             where that library has its place
#
# Two tables.  The first says which folders a folder may include; the second
# which files may use a library, a header of the system or a call.  A new place
# is a new word here, which a reviewer sees.

. "$(dirname "$0")/lib.sh"

# folder: folders whose headers its files may include
below='
conditions: conditions
src/core: conditions core
src/vehicle: conditions vehicle
src/session: conditions core vehicle session
src/edge: conditions core vehicle session edge
src/cmd: conditions core vehicle session edge cmd
src: core cmd
'

# extended regular expression: files (shell patterns) that may contain it
places='
#include <ini\.h>: src/session/ini.c
#include <pcap: src/core/classify.c src/edge/savefile.c src/edge/capture.c src/edge/libraries.c
#include <event2/: src/edge/loop.c src/edge/memory.c src/edge/control.c src/edge/desk.c src/edge/libraries.c src/edge/web*.c
#include <jansson\.h>: src/edge/*.[ch] src/cmd/*.c
#include <nettle/: src/edge/*.[ch]
#include <(netlink|libnftables|nftables)/: src/edge/libraries.c src/edge/router*.c
#include <(cap-ng|seccomp)\.h>: src/edge/*.c
#include <dlfcn\.h>: src/edge/plugin.c
#include <pthread\.h>: src/edge/*.[ch]
#include <(sys|linux|net)/: src/edge/*.[ch] src/cmd/table.c
#include <(unistd|fcntl|signal|poll|spawn|termios|time)\.h>: src/edge/*.[ch] src/cmd/*.c src/main.c
#include <(setjmp|threads|stdatomic)\.h>: src/edge/*.[ch]
(^|[^_[:alnum:]])clock_gettime *\(: src/edge/loop.c
(^|[^_[:alnum:]])nanosleep *\(: src/edge/record.c src/edge/record_writer.c
(^|[^_[:alnum:]])(gettimeofday|usleep|sleep|select) *\(:
(^|[^_[:alnum:]])(fork|vfork|execve|execvp|execl|posix_spawn) *\(: src/edge/*.c
(^|[^_[:alnum:]])(fopen|fdopen|freopen|open|openat) *\(: src/edge/*.c src/cmd/*.c src/main.c
(^|[^_[:alnum:]])(printf|puts|putchar|fprintf|fputs|fputc|perror) *\(: src/edge/*.[ch] src/cmd/*.c src/main.c
(^|[^_[:alnum:]])(exit|_exit|quick_exit) *\(: src/edge/child.c src/edge/guard.c src/edge/router_janitor.c
'

ours()
{
	find conditions src -name '*.[ch]' -type f | sort
}

# The text of a file without its comments, each line with its number in front;
# an include keeps its quotes, other strings are emptied.
code()
{
	awk '
	{
		text = $0; out = ""
		if (text ~ /^#include/) { print NR ":" text; next }
		gsub(/\\"/, "", text); gsub(/"[^"]*"/, "\"\"", text)
		while (length(text)) {
			if (inside) {
				at = index(text, "*/")
				if (!at) { text = ""; break }
				text = substr(text, at + 2); inside = 0
			} else {
				at = index(text, "/*")
				if (!at) { out = out text; break }
				out = out substr(text, 1, at - 1)
				text = substr(text, at + 2); inside = 1
			}
		}
		sub(/\/\/.*/, "", out)
		if (out ~ /[^ \t]/) print NR ":" out
	}' "$1"
}

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

for file in $(ours); do
	folder=$(dirname "$file")
	allowed=$(printf '%s' "$below" | sed -n "s|^$folder: ||p")
	code "$file" >"$scratch/one"
	sed "s|^|$file:|" "$scratch/one" >>"$scratch/code"
	sed -n 's/^\([0-9]*\):#include "\([^"]*\)".*/\1 \2/p' \
		"$scratch/one" >"$scratch/includes"
	[ -n "$allowed" ] || fault "$file: its folder is on no floor"
	while read -r line what; do
		case $what in
		*..*) fault "$file:$line: include \"$what\" climbs"; continue;;
		*/*) ;;
		*) fault "$file:$line: include \"$what\" names no folder"
		   continue;;
		esac
		[ -f "$what" ] || [ -f "src/$what" ] ||
			fault "$file:$line: include \"$what\" is no file of ours"
		case " $allowed " in
		*" ${what%%/*} "*) ;;
		*) fault "$file:$line: $folder may not include \"$what\"," \
			"only: $allowed";;
		esac
	done <"$scratch/includes"
done

# may FILE PATTERN…: whether a pattern matches the file
may()
{
	name=$1
	shift
	for pattern; do
		# shellcheck disable=SC2254
		case $name in
		$pattern) return 0;;
		esac
	done
	return 1
}

set -f
printf '%s' "$places" | sed '/^$/d' >"$scratch/places"
while IFS= read -r row; do
	what=${row%:*}
	where=${row##*:}
	# the code has file and line in front, so ^ is put behind them
	what=$(printf '%s' "$what" | sed 's/(^|/(:|/')
	grep -E "$what" "$scratch/code" >"$scratch/hits" || continue
	while IFS= read -r hit; do
		file=${hit%%:*}
		# shellcheck disable=SC2086
		may "$file" $where && continue
		fault "$hit   - belongs in:${where:- nowhere}"
	done <"$scratch/hits"
done <"$scratch/places"

verdict
