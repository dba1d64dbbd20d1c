#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh - a headset and a robot through a run, its record, and its twins

. "$(dirname "$0")/lib.sh"
run_python run
