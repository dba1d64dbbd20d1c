#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# drive.sh - farlink drive, and the loop in virtual time

. "$(dirname "$0")/lib.sh"
run_python drive
