#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# version.sh - farlink --version: what it says of itself is so

. "$(dirname "$0")/lib.sh"

[ -x "$farlink" ] || fail "no program at $farlink"
said=$scratch/said
"$farlink" --version >"$said" || fail "exit status $?"

# of NAME: what stands behind it
of()
{
	sed -n "s/^$1  *//p" "$said"
}

# has NAME PATTERN: it is told once, and like this
has()
{
	[ "$(grep -c "^$1 " "$said")" -eq 1 ] ||
		fail "'$1' is not told once: $(cat "$said")"
	of "$1" | grep -Eqx "$2" || fail "$1: '$(of "$1")' is not '$2'"
}

version=$(sed -n 's/^AC_INIT(\[farlink\], \[\(.*\)\])$/\1/p' \
	"$top/configure.ac")
[ "$(head -n 1 "$said")" = "farlink $version" ] ||
	fail "its first line is not 'farlink $version' but $(head -n 1 "$said")"
[ "$(grep -c '^farlink' "$said")" -eq 1 ] || fail "more than one version"
[ "$("$farlink" -V)" = "$(cat "$said")" ] || fail "-V says something else"

number='[0-9]+(\.[0-9]+)+[a-z0-9.+-]*'
library="$number( \($number when built\))?"
has revision '[0-9a-f]{12}(-changed)?|unknown'
has compiler '(gcc|[A-Za-z ]*[Cc]lang) .*[0-9].*'
has gamepad 'yes|no'
has sandbox 'yes|no'
has sanitizers 'none|[a-z,]+'
for name in libevent libpcap nettle libnl Chart.js; do
	has "$name" "$library"
done
has jansson "$library|$number when built"
for name in inih libnftables libcap-ng; do
	has "$name" "([0-9]+|$number) when built"
done

# Features are those that configure found, and their libraries are told.
for pair in gamepad:HAVE_LIBEVDEV:libevdev sandbox:HAVE_SECCOMP:libseccomp; do
	feature=${pair%%:*}
	library=${pair##*:}
	macro=${pair#*:}
	wanted=no
	grep -q "^#define ${macro%:*} 1" "$built/config.h" && wanted=yes
	[ "$(of "$feature")" = $wanted ] || fail "$feature is not $wanted"
	told=no
	grep -q "^$library " "$said" && told=yes
	[ $told = $wanted ] || fail "$library: told is $told, not $wanted"
done
[ "$(sed -n 's/^#define FARLINK_SANITIZERS "\(.*\)"/\1/p' "$built/config.h")" \
	= "$(of sanitizers | sed 's/^none$//')" ] || fail "other sanitizers"

# A library that can be asked is the one that is loaded.
if [ "$(pkg-config --modversion libnl-3.0 2>/dev/null)" ]; then
	for pair in libnl:libnl-3.0 libpcap:libpcap; do
		wanted=$(pkg-config --modversion "${pair#*:}") || continue
		case "$(of "${pair%:*}") " in
		"$wanted "*) ;;
		*) fail "${pair%:*} is $(of "${pair%:*}"), not $wanted";;
		esac
	done
fi

# That it cannot be written is no success.
if [ -w /dev/full ]; then
	"$farlink" --version >/dev/full 2>/dev/null &&
		fail "success, though nothing could be written"
fi
exit 0
