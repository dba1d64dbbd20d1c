#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# service.sh - what a service manager is told, and records named by the time

. "$(dirname "$0")/lib.sh"
run_python service
