#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# report.sh - what farlink report says of a record is what is in it

. "$(dirname "$0")/lib.sh"
run_python report
