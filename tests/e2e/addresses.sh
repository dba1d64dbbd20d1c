#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# addresses.sh - who may speak, to whom it goes on, and from where

. "$(dirname "$0")/lib.sh"
run_python addresses
