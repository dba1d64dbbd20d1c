#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# hostile.sh - floods, forgeries and nonsense

. "$(dirname "$0")/lib.sh"
run_python hostile
