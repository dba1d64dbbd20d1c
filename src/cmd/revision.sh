#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# revision.sh - which commit a tree is of
#
#   revision.sh FOLDER
#
# A tarball says it in .revision, which make dist wrote; a clone is asked, and
# "-changed" follows where it has changes of its own.  Prints nothing where
# nobody knows.

LC_ALL=C
export LC_ALL

if [ -f "$1/.revision" ]; then
	# nothing but what may stand in a C string
	tr -cd '0-9a-z-' <"$1/.revision"
	exit 0
fi
[ -e "$1/.git" ] || exit 0
revision=$(git -C "$1" rev-parse --short=12 HEAD 2>/dev/null) || exit 0
[ -z "$(git -C "$1" --no-optional-locks status --porcelain \
	--untracked-files=no 2>/dev/null)" ] || revision=$revision-changed
echo "$revision"
