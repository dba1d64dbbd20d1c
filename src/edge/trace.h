/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * trace.h - rows of vehicle.csv and operator.csv
 *
 * Floor: edge.
 */
#ifndef EDGE_TRACE_H
#define EDGE_TRACE_H

#include "vehicle/vehicle.h"

#define TRACE_STEP_HEADER                                                      \
	"trial,time_ns,x,y,yaw,vx,vy,wz,odom_x,odom_y,odom_yaw,"               \
	"requested_vx,requested_vy,requested_wz,applied_vx,applied_vy,"        \
	"applied_wz,command_age_ns,stalled"
#define TRACE_VIEW_HEADER "trial,time_ns,x,y,yaw,sampled_ns,age_ns"

/**
 * trace_print_step() - Write a row of vehicle.csv, with its newline
 * @to:		Filled; 1024 bytes are enough
 * @trial:	Id of the trial
 * @row:	Step; a command age below 0 (none yet) is left empty
 *
 * Metres, radians, m/s and rad/s with nine decimals.
 *
 * Return: bytes written.
 */
size_t trace_print_step(char *to, const char *trial,
			const struct vehicle_row *row);

/**
 * trace_print_view() - Write a row of operator.csv, with its newline
 * @to:		Filled; 1024 bytes are enough
 * @trial:	Id of the trial
 * @now:	Trial time
 * @sampled:	When the pose was sampled
 * @pose:	What the operator sees
 *
 * Return: bytes written.
 */
size_t trace_print_view(char *to, const char *trial, nsec now, nsec sampled,
			const struct pose *pose);

#endif /* EDGE_TRACE_H */
