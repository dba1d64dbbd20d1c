#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# plugin.sh - the worked example of conditions/README.md, built out of the tree
# against an installed farlink, and loaded
#
# What must not be loaded is told with the remedy: another ABI, no symbol, a
# file that is no shared object, a name that is taken.

# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

command -v pkg-config >/dev/null || skip "needs pkg-config"
command -v "${CC:-cc}" >/dev/null || skip "needs a C compiler"

dest=$scratch/installed
(cd "$built" && make -s install-data install-pkgconfigDATA DESTDIR="$dest") \
	>"$scratch/install.log" 2>&1 ||
	fail "make install-data: $(tail -n 5 "$scratch/install.log")"
pc=$(find "$dest" -name farlink.pc)
[ -n "$pc" ] || fail "farlink.pc is not installed"
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$dest
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
cflags=$(pkg-config --cflags farlink) || fail "pkg-config does not know farlink"

# build SOURCE OBJECT: as conditions/README.md says
build()
{
	# shellcheck disable=SC2086
	"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -ffp-contract=off -fPIC \
		-shared $cflags -o "$2" "$1" -lm ||
		fail "$1 does not build out of the tree"
}

sed 's,"conditions/condition.h",<farlink/condition.h>,' \
	"$top/tests/fixture/fade.c" >"$scratch/fade.c"
build "$scratch/fade.c" "$scratch/fade.so"

# arm TYPE: an arm whose chain is of that type
arm()
{
	cat >"$scratch/arm.ini" <<END
[arm]
seed = 5
[link]
robot = 192.168.1.20
[uplink command]
port = 5002
chain = garden
[condition garden]
type = $1
depth = 40%
period = 8s
END
}

# refused TYPE WORDS: check says so with these words and exits 2
refused()
{
	arm "$1"
	"$farlink" check "$scratch/arm.ini" >"$scratch/out" 2>&1
	[ $? -eq 2 ] || fail "type = $1 is not refused: $(cat "$scratch/out")"
	grep -q "arm.ini:9: type = $1: .*$2" "$scratch/out" ||
		fail "type = $1: '$2' is not in: $(cat "$scratch/out")"
}

arm ./fade.so
"$farlink" check "$scratch/arm.ini" >"$scratch/out" 2>&1 ||
	fail "check: $(cat "$scratch/out")"

# over whole periods the mean loss is depth / 2: 20 % of 8000, give or take
# five standard errors (36 each)
awk 'BEGIN {
	print "time,direction,stream,size"
	for (i = 0; i < 8000; i++)
		printf "%.3f,uplink,command,40\n", i * 0.01
}' >"$scratch/schedule.csv"
"$farlink" simulate "$scratch/arm.ini" --schedule "$scratch/schedule.csv" \
	--record "$scratch/record" >"$scratch/out" 2>&1 ||
	fail "simulate: $(cat "$scratch/out")"
lost=$(grep -c ',suppressed,garden$' "$scratch/record/packets.csv")
[ "$lost" -gt 1420 ] && [ "$lost" -lt 1780 ] ||
	fail "$lost of 8000 are lost, 1600 were asked for"
"$farlink" verify "$scratch/record" >"$scratch/out" 2>&1 ||
	fail "verify: $(cat "$scratch/out")"

# by name, from the plug-in folder
FARLINK_CONDITIONS=$scratch
export FARLINK_CONDITIONS
arm fade
"$farlink" check "$scratch/arm.ini" >"$scratch/out" 2>&1 ||
	fail "by name: $(cat "$scratch/out")"
unset FARLINK_CONDITIONS

refused ./none.so "there is no file"
echo "no object" >"$scratch/text.so"
refused ./text.so "cannot be loaded"
sed 's/CONDITION_ABI,/CONDITION_ABI + 1,/' "$scratch/fade.c" \
	>"$scratch/later.c"
build "$scratch/later.c" "$scratch/later.so"
refused ./later.so "is built for ABI"
sed 's/farlink_condition/other_condition/' "$scratch/fade.c" \
	>"$scratch/unnamed.c"
build "$scratch/unnamed.c" "$scratch/unnamed.so"
refused ./unnamed.so "exports no 'farlink_condition'"
sed 's/\.name = "fade"/.name = "loss"/' "$scratch/fade.c" \
	>"$scratch/taken.c"
build "$scratch/taken.c" "$scratch/taken.so"
refused ./taken.so "calls itself 'loss'"
sed 's/sizeof(struct fade_settings)/1/' "$scratch/fade.c" \
	>"$scratch/small.c"
build "$scratch/small.c" "$scratch/small.so"
refused ./small.so "outside settings_size"
