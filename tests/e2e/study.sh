#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# study.sh - a study of three arms, interrupted in all ways, and its log

. "$(dirname "$0")/lib.sh"
run_python study
