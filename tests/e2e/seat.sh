#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# seat.sh - a run is steered by its control socket

. "$(dirname "$0")/lib.sh"
run_python seat
