/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * check_live.h - what farlink check --live does
 *
 * Floor: roof.
 */
#ifndef CMD_CHECK_LIVE_H
#define CMD_CHECK_LIVE_H

#include "session/arm.h"

/**
 * check_live() - Look at this machine, as the router that an arm runs on
 * @arm:	Arm
 * @dry_run:	Print the rules that a run would make, in place of findings
 *
 * Return: CMD_DONE, or CMD_FAILED where something keeps packets away.
 */
int check_live(const struct arm *arm, bool dry_run);

#endif /* CMD_CHECK_LIVE_H */
