#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# shell.sh - shellcheck finds nothing in the scripts

. "$(dirname "$0")/lib.sh"

need shellcheck

# SC2086, SC2046: lists of files and flags are meant to fall apart
# shellcheck disable=SC2046
fault_lines "$(shellcheck -x -P SCRIPTDIR -S warning -f gcc -e SC2046,SC2086 \
	$(find tests -name '*.sh' -type f | sort) src/cmd/revision.sh \
	debian/farlink.prerm debian/farlink.postrm debian/tests/loopback \
	debian/tests/own-condition bootstrap .ci/run)"

verdict
