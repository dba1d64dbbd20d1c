#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# signals.sh - stops, re-reads, and what becomes of stdin, stdout and terminals

. "$(dirname "$0")/lib.sh"
run_python signals
