#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check.sh - netem itself, in user-mode Linux, against what translate makes of
# its lines
#
# NETEM_SHORT=1 sends fewer packets.  NETEM_KEEP=DIR keeps what was measured.
# Nothing of this machine's network is touched: the guest has a loopback of its
# own and no other interface.  77 means skipped.

set -u
LC_ALL=C
export LC_ALL
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd)
built=${top_builddir:-$here/../../build}
farlink=$built/farlink
traffic=$built/tests/netem/traffic
short=${NETEM_SHORT:-}
[ "$short" = 0 ] && short=
# Seconds that the guest may take; a busy machine needs half of that.
bound=300
[ -n "$short" ] && bound=120

skip()
{
	echo "skipped: $*"
	exit 77
}

scratch=$(mktemp -d) || exit 99
uml=
end()
{
	[ -n "$uml" ] && kill "$uml" 2>/dev/null && wait "$uml" 2>/dev/null
	rm -rf "$scratch"
}
trap end EXIT
trap 'exit 99' INT TERM HUP

PATH=$PATH:/usr/sbin:/sbin
for tool in linux.uml:user-mode-linux insmod:kmod tc:iproute2 python3:python3
do
	command -v "${tool%:*}" >/dev/null ||
		skip "needs ${tool%:*} (Debian: ${tool#*:})"
done
if [ ! -x "$farlink" ]; then
	echo "no program at $farlink"
	exit 1
fi

# No blank may stand in what the kernel's command line names.
out=$scratch/out
mkdir "$out"
cp "$here/guest.sh" "$traffic" "$out/" || exit 99
chmod +x "$out/guest.sh"
NETEM_SHORT=$short python3 -B "$here/lines.py" "$out" || exit 99

# HOME: where it keeps its control socket.  A little precedence, where that is
# allowed, for the sake of its timers.
HOME=$scratch nice -n "$([ "$(id -u)" -eq 0 ] && echo -10 || echo 0)" \
	timeout -k 5 "$bound" linux.uml mem=96M rootfstype=hostfs \
	rootflags=/ ro "init=$out/guest.sh" con=null con0=fd:0,fd:1 quiet \
	"OUT=$out" \
	</dev/null >"$scratch/console" 2>&1 &
uml=$!
wait "$uml"
uml=

rm -f "$out/traffic"
[ -n "${NETEM_KEEP:-}" ] &&
	cp -r "$out/." "$scratch/console" "$NETEM_KEEP/"
if [ ! -f "$out/booted" ]; then
	tail -n 5 "$scratch/console"
	skip "user-mode Linux does not boot here"
fi
[ -f "$out/netem" ] || skip "its kernel $(cat "$out/booted") has no netem"
if [ ! -f "$out/done" ]; then
	tail -n 20 "$scratch/console"
	echo "the guest did not get to its end in $bound s"
	exit 1
fi

farlink=$farlink python3 -B "$here/oracle.py" "$out"
