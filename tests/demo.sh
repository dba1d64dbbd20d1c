#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo.sh - a study arm at work, on 127.0.0.1 and for a few seconds
#
# Called by "./bootstrap demo" with the program's path.

set -eu
cd "$(dirname "$0")/.."
farlink=$1
arm=etc/arms/jitter.ini

echo "The arm is $arm:"
echo
grep -v -e '^ *[;#]' -e '^ *$' "$arm" | sed 's/^/    /'
echo
echo "What it does, in words (farlink describe $arm):"
echo
"$farlink" describe "$arm" | sed 's/^/    /'
echo
echo "Packets through it, from a local sender to a local receiver, for five"
echo "seconds (farlink selftest $arm --for 5s):"
echo
exec "$farlink" selftest "$arm" --for 5s
