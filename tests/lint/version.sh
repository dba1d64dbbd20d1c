#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# version.sh - configure.ac, CHANGELOG.md and debian/changelog tell one version

. "$(dirname "$0")/lib.sh"

configure=$(sed -n 's/^AC_INIT(\[farlink\], \[\(.*\)\])$/\1/p' configure.ac)
[ -n "$configure" ] || fault "configure.ac: no version in AC_INIT"

# The newest release; "## Unreleased" above it is what comes after it.
heading=$(grep '^## ' CHANGELOG.md | grep -v '^## Unreleased$' | head -n 1)
version=$(printf '%s\n' "$heading" | sed -n 's/^## \([^ ]*\) - .*/\1/p')
date=$(printf '%s\n' "$heading" |
	sed -n 's/.* - \(20[0-9][0-9]-[01][0-9]-[0-3][0-9]\)$/\1/p')
[ "$version" = "$configure" ] || fault "CHANGELOG.md: its newest release is" \
	"'$version', configure.ac has $configure"
[ -n "$date" ] || fault "CHANGELOG.md: '$heading' is not '## VERSION - DATE'"

debian=$(sed -n '1s/^farlink (\(.*\)-[^-]*) .*/\1/p' debian/changelog)
[ "$debian" = "$configure" ] ||
	fault "debian/changelog: it begins with '$debian'," \
		"configure.ac has $configure"
stamp=$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)
day=$(date -u -d "$stamp" +%Y-%m-%d 2>/dev/null)
[ "$day" = "$date" ] ||
	fault "debian/changelog: it is of '$stamp', CHANGELOG.md of '$date'"

openwrt=$(sed -n 's/^PKG_VERSION:=//p' packaging/openwrt/Makefile)
[ "$openwrt" = "$configure" ] || fault "packaging/openwrt/Makefile: it has" \
	"'$openwrt', configure.ac has $configure"

# Every release is told once, the newest first.
releases=$(sed -n 's/^## \([0-9][^ ]*\) - .*/\1/p' CHANGELOG.md)
[ "$releases" = "$(printf '%s\n' "$releases" | sort -ruV)" ] ||
	fault "CHANGELOG.md: its releases are out of order: $releases"

verdict
