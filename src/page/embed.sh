#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# embed.sh - print files as a C table of bytes, for src/edge/asset.h
#
#   src/page/embed.sh NAME=FILE…
#
# NAME is what the program finds the file by; its end tells the type.

set -eu

type_of()
{
	case $1 in
	*.html) echo 'text/html; charset=utf-8';;
	*.css) echo 'text/css; charset=utf-8';;
	*.js) echo 'text/javascript; charset=utf-8';;
	*) echo "embed.sh: $1: of what type is it?" >&2; exit 1;;
	esac
}

echo '/* Made by src/page/embed.sh: the files of the pages, byte by byte. */'
echo '#include "edge/asset.h"'

n=0
for pair; do
	file=${pair#*=}
	[ -r "$file" ] || { echo "embed.sh: $file: cannot be read" >&2; exit 1; }
	echo
	echo "static const unsigned char bytes_$n[] = {"
	od -An -v -tx1 "$file" |
		sed -e 's/  *\([0-9a-f][0-9a-f]\)/0x\1,/g'
	echo '};'
	n=$((n + 1))
done

echo
echo 'const struct asset assets[] = {'
n=0
for pair; do
	name=${pair%%=*}
	type=$(type_of "$name")
	printf '\t{ "%s", "%s", bytes_%d, sizeof(bytes_%d) },\n' \
		"$name" "$type" "$n" "$n"
	n=$((n + 1))
done
echo '};'
echo "const size_t n_assets = $n;"
