/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * run_service.h - what a run tells the service manager that started it
 *
 * Floor: roof.
 */
#ifndef CMD_RUN_SERVICE_H
#define CMD_RUN_SERVICE_H

#include "edge/live.h"

/* Look for the manager; before anything is started. */
void service_begin(void);

/* All is open: packets are taken in from now on. */
void service_ready(void);

/**
 * service_watch() - It goes on: feeds the watchdog, shows what the run does
 * @view:	What there is to show
 */
void service_watch(const struct live_view *view);

/* The end has begun. */
void service_stopping(void);

/* It is over. */
void service_end(void);

#endif /* CMD_RUN_SERVICE_H */
