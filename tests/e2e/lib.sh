# SPDX-License-Identifier: GPL-2.0-or-later
#
# lib.sh - network namespaces for the e2e tests, always torn down
#
# Sourced, never run.  What a test makes carries the test's process id in its
# name; what it starts through "start" is ended by its process id; nothing else
# on the machine is touched.  77 means skipped.

# shellcheck shell=sh disable=SC2034

set -u
LC_ALL=C
export LC_ALL

top=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
built=${top_builddir:-$top/build}
farlink=$built/farlink

scratch=$(mktemp -d) || exit 99
e2e_namespaces=
e2e_started=

skip()
{
	echo "skipped: $*"
	exit 77
}

fail()
{
	echo "FAIL: $*"
	exit 1
}

e2e_end()
{
	for pid in $e2e_started; do
		kill "$pid" 2>/dev/null
	done
	for pid in $e2e_started; do
		wait "$pid" 2>/dev/null
	done
	for ns in $e2e_namespaces; do
		ip netns del "$ns" 2>/dev/null
	done
	rm -rf "$scratch"
}
trap e2e_end EXIT
trap 'exit 99' INT TERM HUP

# need_root: skip where no namespace can be made.
need_root()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	command -v ip >/dev/null || skip "needs ip (iproute2)"
	ip netns add "farlink-probe-$$" 2>/dev/null ||
		skip "no namespace can be made here"
	ip netns del "farlink-probe-$$"
}

# ns NAME: print the name on this machine of a namespace of the test.
ns()
{
	printf 'farlink-%s-%s' "$$" "$1"
}

# make_ns NAME…: namespaces with their loopback up.
make_ns()
{
	for name; do
		ip netns add "$(ns "$name")" || fail "no namespace $name"
		e2e_namespaces="$e2e_namespaces $(ns "$name")"
		ip -n "$(ns "$name")" link set lo up
	done
}

# join A ADDRESS-A B ADDRESS-B: a pair of veth devices between two namespaces;
# each is named after the other end, each address has its prefix length.
join()
{
	ip -n "$(ns "$1")" link add "$3" type veth \
		peer name "$1" netns "$(ns "$3")" || fail "no veth $1-$3"
	ip -n "$(ns "$1")" addr add "$2" dev "$3"
	ip -n "$(ns "$3")" addr add "$4" dev "$1"
	ip -n "$(ns "$1")" link set "$3" up
	ip -n "$(ns "$3")" link set "$1" up
}

# in_ns NAME COMMAND…
in_ns()
{
	e2e_where=$(ns "$1")
	shift
	ip netns exec "$e2e_where" "$@"
}

# start NAME COMMAND…: in the background, in a namespace; its process id is in
# $started, its output in $scratch/NAME.log.  "-" is no namespace.
start()
{
	e2e_name=$1
	shift
	if [ "$e2e_name" = - ]; then
		"$@" >>"$scratch/program.log" 2>&1 &
	else
		ip netns exec "$(ns "$e2e_name")" "$@" \
			>>"$scratch/$e2e_name.log" 2>&1 &
	fi
	started=$!
	e2e_started="$e2e_started $started"
}

# await SECONDS COMMAND…: until it succeeds, or fail.
await()
{
	e2e_tries=$(($1 * 20))
	shift
	while ! "$@" >/dev/null 2>&1; do
		e2e_tries=$((e2e_tries - 1))
		[ "$e2e_tries" -gt 0 ] || fail "waited in vain for: $*"
		sleep 0.05
	done
}

# run_python NAME: NAME.py of this folder, with the stand; ends the test.
run_python()
{
	command -v python3 >/dev/null || skip "needs python3"
	[ -x "$farlink" ] || fail "no program at $farlink"
	export farlink scratch
	python3 -B "$(dirname "$0")/$1.py"
	exit $?
}
