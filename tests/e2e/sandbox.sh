#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sandbox.sh - a run keeps only the system calls that it needs: all that it can
#              do works in the sandbox, and what it never does ends it, with the
#              robot stopped

# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

grep -q '^#define HAVE_SECCOMP 1' "$built/config.h" ||
	skip "this build has no sandbox"
command -v "${CC:-cc}" >/dev/null || skip "needs a C compiler"
for name in escape fade; do
	"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -fPIC \
		-shared -ffp-contract=off -I"$top" -o "$scratch/$name.so" \
		"$top/tests/fixture/$name.c" -lm || fail "$name.c does not build"
done
run_python sandbox
