#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# badinput.sh - what is wrong is said, and the exit status says whose fault it is

. "$(dirname "$0")/lib.sh"
run_python badinput
