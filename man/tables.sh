#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tables.sh - print a manual page with its tables of settings made anew
#
#   man/tables.sh FARLINK PAGE
#
# What stands between the comments "BEGIN table ARGUMENTS" and "END table" is
# what "FARLINK conditions ARGUMENTS --format man" prints.  make man puts it
# there; tests/lint/docs.sh tells where it is not.

set -eu
[ $# -eq 2 ] || { echo "usage: tables.sh FARLINK PAGE" >&2; exit 2; }

awk -v farlink="$1" '
/^\.\\" BEGIN table / {
	print
	command = "\"" farlink "\" conditions"
	for (i = 4; i <= NF; i++)
		command = command " " $i
	command = command " --format man"
	while ((command | getline line) > 0)
		print line
	if (close(command))
		exit 1
	inside = 1
	next
}
/^\.\\" END table/ { inside = 0 }
!inside
END { if (inside) exit 1 }' "$2"
