#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo.sh - a dry run on 127.0.0.1: a rover on the Moon, and who drives it
#
# Called by "./bootstrap demo" with the program's path.  Takes half a minute.

set -eu
cd "$(dirname "$0")/.."
farlink=$1
arm=etc/arms/dry-run.ini
drive=etc/drives/round-the-table.csv

n=1
while [ -e "$(dirname "$farlink")/demo-$n" ]; do
	n=$((n + 1))
done
record=$(dirname "$farlink")/demo-$n

echo "The arm is $arm:"
echo
grep -v -e '^ *[;#]' -e '^ *$' "$arm" | sed 's/^/    /'
echo
echo "An operator drives the rover by $drive.  Commands take"
echo "2.56 s to it, what it sends takes 1.28 s back.  In real time:"
echo
echo "    farlink run $arm --drive $drive --record $record"
echo
"$farlink" run "$arm" --drive "$drive" --record "$record"
echo
echo "The record can be derived again from the arm and its seed:"
echo
echo "    farlink verify $record"
echo
"$farlink" verify "$record"
echo
echo "The same drive in virtual time, as fast as the machine will go:"
echo
echo "    farlink simulate $arm --drive $drive"
echo
"$farlink" simulate "$arm" --drive "$drive" | grep -v '^ '
echo
echo "Where it was and where the operator saw it, as a picture:"
echo "    $record/path.svg"
