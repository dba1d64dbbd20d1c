#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# loopback.sh - a headset drives the vehicle model through an arm

. "$(dirname "$0")/lib.sh"
run_python loopback
