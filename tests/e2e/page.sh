#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# page.sh - the page of a run: its server by itself, then in a real browser

. "$(dirname "$0")/lib.sh"
run_python page
