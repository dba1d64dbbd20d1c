/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * reconstruction.h - what the operator can know of the vehicle
 *
 * Floor: vehicle.
 *
 * It is fed what the downlink released, and nothing else: it cannot see the
 * vehicle, and does not include its header.  Each payload takes the place of
 * the one before it, even if it was sampled earlier; with stale = drop what was
 * sampled earlier than what is shown is passed over.
 */
#ifndef VEHICLE_RECONSTRUCTION_H
#define VEHICLE_RECONSTRUCTION_H

#include "conditions/condition.h"

#include "vehicle/motion.h"

enum reconstruction_stale { STALE_KEEP, STALE_DROP };

#define RECONSTRUCTION_BEAMS 2000

/**
 * struct reconstruction_view - The operator's view
 * @has_pose:	Whether any pose was released
 * @pose:	Latest one, in the odom frame
 * @twist:	With it
 * @sampled:	When it was sampled, by the vehicle's stamp
 * @shown:	When it was released here
 * @has_scan:	Whether any scan was released
 * @n:		Ranges of the latest scan
 * @range:	The ranges; 0 for no return or not yet released
 * @angle_min:	Direction of the first beam
 * @angle_step:	Angle between two beams
 * @scan_sampled: When the scan was sampled; -1 if it has no stamp
 * @scan_shown:	When the latest part of it was released here
 */
struct reconstruction_view {
	bool has_pose;
	struct pose pose;
	struct twist twist;
	nsec sampled, shown;
	bool has_scan;
	size_t n;
	double range[RECONSTRUCTION_BEAMS];
	double angle_min, angle_step;
	nsec scan_sampled, scan_shown;
};

/**
 * struct reconstruction_counts - What happened since the trial began
 * @received:	Payloads
 * @poses:	Of them, poses that were shown
 * @scans:	Scans, or parts of one, that were shown
 * @stale:	Passed over since something newer was shown
 * @backwards:	Shown although something newer had been
 * @unknown:	Neither a pose nor a scan, or malformed
 */
struct reconstruction_counts {
	uint64_t received, poses, scans, stale, backwards, unknown;
};

struct reconstruction;

/**
 * reconstruction_new() - Begin with no view at all
 * @stale:	What becomes of a payload that was sampled earlier
 *
 * Return: the reconstruction, or NULL without memory.
 */
struct reconstruction *reconstruction_new(enum reconstruction_stale stale);

/**
 * reconstruction_reset() - Begin a trial
 * @reconstruction: Reconstruction
 */
void reconstruction_reset(struct reconstruction *reconstruction);

/**
 * reconstruction_put() - Hand over a payload that the downlink released
 * @reconstruction: Reconstruction
 * @now:	When it was released
 * @payload:	Payload; borrowed for the call
 * @len:	Its length
 *
 * Return: true if it changed the view.
 */
bool reconstruction_put(struct reconstruction *reconstruction, nsec now,
			const void *payload, size_t len);

/**
 * reconstruction_view() - The operator's view
 * @reconstruction: Reconstruction
 *
 * Return: the view; borrowed, valid until the next call of put or reset.
 */
const struct reconstruction_view *reconstruction_view(
	const struct reconstruction *reconstruction);

/**
 * reconstruction_age() - Age of the pose that is shown
 * @reconstruction: Reconstruction
 * @now:	Time
 *
 * Return: time since it was sampled, or -1 while there is none.
 */
nsec reconstruction_age(const struct reconstruction *reconstruction, nsec now);

/**
 * reconstruction_counts() - Counters of the trial
 * @reconstruction: Reconstruction
 *
 * Return: counters; borrowed.
 */
const struct reconstruction_counts *reconstruction_counts(
	const struct reconstruction *reconstruction);

/**
 * reconstruction_free() - Free a reconstruction
 * @reconstruction: Reconstruction, or NULL
 */
void reconstruction_free(struct reconstruction *reconstruction);

#endif /* VEHICLE_RECONSTRUCTION_H */
