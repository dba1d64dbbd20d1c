/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * router_survey.h - whether packets will reach the proxy, and what else there
 *                   is
 *
 * Floor: edge.
 */
#ifndef EDGE_ROUTER_SURVEY_H
#define EDGE_ROUTER_SURVEY_H

#include "edge/router_rules.h"

enum severity { SEVERITY_GOOD, SEVERITY_WARNING, SEVERITY_FAULT };

/**
 * struct finding - One thing that was looked at
 * @severity:	A fault keeps packets from the proxy, a warning may
 * @what:	What is so
 * @remedy:	What to do about it; "" where nothing is to be done
 */
struct finding {
	enum severity severity;
	const char *what, *remedy;
};

/**
 * struct survey - Who is told
 * @tell:	Of each finding
 * @context:	Handed to it
 */
struct survey {
	void (*tell)(void *context, const struct finding *finding);
	void *context;
};

/**
 * survey_machine() - Look at this machine, for an arm
 * @arm:	Arm of transparent mode
 * @survey:	Who is told
 * @plan:	Filled with what a run would do
 * @err:	Told what keeps an arm from running at all
 *
 * Changes nothing.
 *
 * Return: 0, or -1 with @err told.
 */
int survey_machine(const struct arm *arm, const struct survey *survey,
		   struct router_plan *plan, struct err *err);

/**
 * survey_start() - The same as a run begins: a fault ends it, a warning is said
 * @plan:	Plan
 * @err:	Told of faults
 *
 * Return: 0, or -1.
 */
int survey_start(const struct router_plan *plan, struct err *err);

#endif /* EDGE_ROUTER_SURVEY_H */
