#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# man.sh - mandoc finds nothing in the manual pages

. "$(dirname "$0")/lib.sh"

need mandoc

for page in man/*.[157]; do
	fault_lines "$(mandoc -W warning -T lint "$page" 2>&1 |
		grep -E ': (WARNING|ERROR|UNSUPP|FATAL): ' |
		grep -v 'referenced manual not found')"
done

verdict
