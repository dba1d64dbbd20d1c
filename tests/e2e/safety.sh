#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# safety.sh - whatever happens to farlink, the robot is stopped

. "$(dirname "$0")/lib.sh"
run_python safety
