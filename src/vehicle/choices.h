/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * choices.h - the four choices of a vehicle that a study must report
 *
 * Floor: vehicle.
 */
#ifndef VEHICLE_CHOICES_H
#define VEHICLE_CHOICES_H

#include <stddef.h>

#include "vehicle/vehicle_settings.h"

/* The four, in the order in which they are reported. */
enum choice {
	CHOICE_GEOMETRY,
	CHOICE_BEHAVIOUR,
	CHOICE_ACTUATOR,
	CHOICE_GROUND,
};
#define CHOICES 4

/**
 * choices_name() - Name of a choice
 * @choice:	Which
 *
 * Return: for example "steering geometry".
 */
const char *choices_name(enum choice choice);

/**
 * choices_print() - Say what was chosen, every default made explicit
 * @settings:	Settings
 * @choice:	Which of the four
 * @text:	Filled with one line
 * @size:	Of @text; 512 is enough
 */
void choices_print(const struct vehicle_settings *settings, enum choice choice,
		   char *text, size_t size);

/**
 * choices_stopping() - How far the vehicle goes once commands stop
 * @settings:	Settings
 *
 * Return: metres at full speed: through the timeout and while braking; INFINITY
 * if it never stops.
 */
double choices_stopping(const struct vehicle_settings *settings);

#endif /* VEHICLE_CHOICES_H */
