/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * summary.h - what trials achieved, for summary.json, and what they are worth
 *
 * Floor: edge.
 */
#ifndef EDGE_SUMMARY_H
#define EDGE_SUMMARY_H

#include <jansson.h>

#include "edge/record.h"

/**
 * struct header_range - Bytes of IP and UDP headers that packets had
 * @least:	Least; 0: no packet yet
 * @most:	Most
 */
struct header_range {
	uint8_t least, most;
};

/**
 * struct summary_source - What a trial's part of the summary is made of
 * @arm:	Arm
 * @report:	What is known of the trial
 * @start:	When it began, since the record's start
 * @lost:	Rows and captured packets lost in it
 * @headers:	Of each channel
 * @counted:	What the conditions of each channel counted
 */
struct summary_source {
	const struct arm *arm;
	const struct trial_report *report;
	nsec start;
	uint64_t lost;
	const struct header_range *headers;
	const json_t *counted;
};

/**
 * summary_counted() - What the conditions of each channel have counted so far
 * @session:	Session, or NULL
 *
 * Return: an array of objects, the caller's.
 */
json_t *summary_counted(const struct session *session);

/**
 * summary_trial() - A trial's part of summary.json
 * @source:	What it is made of
 *
 * Return: the object, the caller's.
 */
json_t *summary_trial(const struct summary_source *source);

#endif /* EDGE_SUMMARY_H */
